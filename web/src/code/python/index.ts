import type { Computation, Places, Step } from "../../core/computation";
import type { Heads } from "../languages";
import { list, matrix } from "../literal";
import { type Shapes, shapesOf, toleranceOf } from "../shapes";
import { type Dialect, float, powers } from "./dialect";
import { bound, rotate, sinusoid } from "./helpers";
import { relative } from "./relative";
import { frequencyRule } from "./rules";

/** Lines of a step, and the functions that it calls, by name. */
interface Written {
  readonly lines: readonly string[];
  readonly helpers?: Readonly<Record<string, readonly string[]>>;
}

function positions(places: Places, { range, array }: Dialect): string {
  if (!("count" in places)) return array(list(places));
  return places.from === 0 ? range(places.count) : `${range(places.count)} + ${places.from}`;
}

/** A row of equal numbers is not written out. */
function values(data: ArrayLike<number>, width: number, { stores, single }: Dialect): string {
  const all = Array.from(data);
  if (all.length < 2 || all.some((value) => value !== all[0])) return single(matrix(all, width));
  return `${stores}.full((${all.length / width}, ${width}), ${float(all[0])}, dtype=${stores}.float32)`;
}

function attention(step: Extract<Step, { does: "attention" }>, shapes: Shapes, dialect: Dialect): Written {
  const { name, query, key, value, output, alibi } = step;
  const [rows, dim] = shapes.get(query) as readonly number[];
  const keys = (shapes.get(key) as readonly number[])[0];
  const { stores } = dialect;
  const places = (count: number) => `${stores}.arange(${count})`;
  return {
    lines: [
      `scores = ${query} @ ${key}.T / ${dim} ** 0.5`,
      ...(alibi
        ? [
            `distance = ${stores}.abs(${places(keys)}[None, :] - ${places(rows)}[:, None])`,
            `scores = scores - 2 ** (-8 * ${alibi.head + 1} / ${alibi.heads}) * distance`,
          ]
        : []),
      `${name} = ${dialect.softmax("scores")}`,
      ...(output ? [`${output} = ${name} @ ${value}`] : []),
    ],
  };
}

/** The angles of points (y, x), and their rotation. */
function pointRotation(step: Extract<Step, { does: "rotate-points" }>, dim: number, dialect: Dialect): Written {
  const { name, of, base, points, mixed } = step;
  const { array, module } = dialect;
  const pairs = dim / 2;
  const given =
    "at" in points
      ? `[[${points.at.join(", ")}]]`
      : `[[y, x] for y in range(${points.grid[0]}) for x in range(${points.grid[1]})]`;
  const all = Array.from(mixed?.frequencies ?? []);
  return {
    lines: [
      `points = ${array(given)}`,
      "y, x = points[:, :1], points[:, 1:]",
      ...(mixed
        ? [
            `across, down = ${array(list(all.slice(0, pairs)))}, ${array(list(all.slice(pairs)))}`,
            `${name} = rotate(${of}, y * down + x * across)`,
          ]
        : [
            `frequencies = ${powers(base, pairs / 2, pairs, dialect)}`,
            `${name} = rotate(${of}, ${module}.${module === "torch" ? "cat" : "concatenate"}((y * frequencies, x * frequencies), -1))`,
          ]),
    ],
    helpers: { rotate: rotate("interleaved", dim, dialect) },
  };
}

/** As modeling_rope_utils.py has them, step by step in float32. */
function angles(step: Extract<Step, { does: "angles" }>, dialect: Dialect): Written {
  const { name, dim, base, position, precision } = step;
  const { module, double } = dialect;
  const stacked = (of: string) => `${module}.stack((${module}.cos(${of}), ${module}.sin(${of})))`;
  if (precision === "exact")
    return {
      lines: [`angles = ${float(position)} * ${powers(base, dim / 2, dim, dialect)}`, `${name} = ${stacked("angles")}`],
    };
  const short = (of: string) => (module === "torch" ? `${of}.float()` : `${of}.astype(np.float32)`);
  return {
    lines: [
      `exponents = ${module}.arange(0, ${dim}, 2, dtype=${module}.float32) / ${dim}`,
      `frequencies = 1 / ${short(`(${float(base)} ** ${double("exponents")})`)}`,
      `angles = ${position} * frequencies  # rounded to float32`,
      `${name} = ${stacked(double("angles"))}`,
    ],
  };
}

function mrope(step: Extract<Step, { does: "mrope" }>, { single }: Dialect): Written {
  const { name, before, image, after } = step;
  const next = before + Math.max(...image);
  return {
    lines: [
      ...(before > 0 ? [`ids = [[i, i, i] for i in range(${before})]`] : ["ids = []"]),
      `ids += [[${before}, ${before} + y, ${before} + x] for y in range(${image[0]}) for x in range(${image[1]})]`,
      ...(after > 0 ? [`ids += [[${next} + i] * 3 for i in range(${after})]`] : []),
      `${name} = ${single("ids")}.T  # time, row, column`,
    ],
  };
}

function write(step: Step, shapes: Shapes, dialect: Dialect): Written {
  const { name } = step;
  const widthOf = (result: string) => (shapes.get(result) as readonly number[])[1];
  switch (step.does) {
    case "sinusoid":
      return {
        lines: [`${name} = sinusoid(${positions(step.positions, dialect)})`],
        helpers: { sinusoid: sinusoid(step, dialect) },
      };
    case "values":
      return { lines: [`${name} = ${values(step.data, step.width, dialect)}`] };
    case "add":
      return { lines: [`${name} = ${step.of.join(" + ")}`] };
    case "scale":
      return { lines: [`${name} = ${step.by} * ${step.of}`] };
    case "product":
      return { lines: [`${name} = ${step.of[0]} @ ${step.of[1]}.T`] };
    case "rotate": {
      const dim = widthOf(step.of);
      const { by, layout, of } = step;
      const helpers = { rotate: rotate(layout, dim, dialect) };
      if ("degrees" in by)
        return {
          lines: [`${name} = rotate(${of}, ${dialect.module}.deg2rad(${dialect.array(list(by.degrees))})[:, None])`],
          helpers,
        };
      const lines = [
        `positions = ${positions(by.positions, dialect)}`,
        `${name} = rotate(${of}, positions[:, None] * ${powers(step.base, dim / 2, dim, dialect)})`,
      ];
      return { lines, helpers };
    }
    case "rotate-points":
      return pointRotation(step, widthOf(step.of), dialect);
    case "attention":
      return attention(step, shapes, dialect);
    case "relative":
      return { lines: relative(step, name, dialect) };
    case "frequencies":
      return { lines: [...frequencyRule(step, dialect), ...(name === "frequencies" ? [] : [`${name} = frequencies`])] };
    case "bound":
      return {
        lines: [`${name} = bound(${dialect.array(list(step.distances))}, ${float(step.base)})`],
        helpers: { bound: bound(step.dim, dialect, dialect.range(step.dim / 2)) },
      };
    case "mrope":
      return mrope(step, dialect);
    case "angles":
      return angles(step, dialect);
  }
}

/** The comparison with what the library has; it ends with an error where they differ. */
function comparison(computation: Computation, { module }: Dialect): string[] {
  const { known, relative: isRelative } = computation;
  const found = known.map(({ of, at }) => `${of}[${at.join(", ")}]`);
  const tolerance = toleranceOf(computation);
  const limits = isRelative ? `rtol=${tolerance}, atol=0` : `rtol=0, atol=${tolerance}`;
  const column = (items: readonly (string | number)[]) => `[\n${items.map((item) => `    ${item},`).join("\n")}\n]`;
  const expected = column(known.map(({ is }) => is));
  const [to, check] =
    module === "torch"
      ? [(items: string) => `torch.tensor(${items}, dtype=torch.float64)`, "torch.testing.assert_close"]
      : [(items: string) => `np.array(${items}, dtype=np.float64)`, "np.testing.assert_allclose"];
  return [
    `found = ${to(column(found))}`,
    `expected = ${to(expected)}`,
    `${check}(found, expected, ${limits})`,
    'print("ok")',
  ];
}

/** A program in PyTorch or JAX. */
export function program(computation: Computation, dialect: Dialect, heads: Heads): string {
  const shapes = shapesOf(computation);
  const written = computation.steps.map((step) => write(step, shapes, dialect));
  const helpers = Object.assign({}, ...written.map((each) => each.helpers)) as Record<string, readonly string[]>;
  const body = [
    ...Object.values(helpers).flatMap((lines) => ["", "", ...lines]),
    ...(Object.keys(helpers).length > 0 ? ["", ""] : [""]),
    ...written.flatMap(({ lines }) => lines),
    "",
    `# ${heads.expected}`,
    ...comparison(computation, dialect),
  ].join("\n");
  const imports = [
    ...(/\bmath\./.test(body) ? ["import math\n"] : []),
    ...(/\bjax\.nn\b/.test(body) ? ["import jax"] : []),
    dialect.import,
  ];
  return [`# ${heads.title}`, ...imports, body].join("\n");
}
