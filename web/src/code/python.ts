import type { Computation, Places, Step } from "../core/computation";
import { functionsFor } from "./functions";
import file from "./functions/figures.py?raw";
import type { Heads } from "./languages";
import { keywords, list, matrix } from "./literal";
import { toleranceOf } from "./tolerance";

/** Writes a number so that Python reads a float. */
export const float = (value: number) => (Number.isSafeInteger(value) ? `${value}.0` : String(value));

const positions = (places: Places) => ("count" in places ? `list(range(${places.count}))` : list(places));

/** Writes rows of numbers; equal ones are not listed. */
function values(data: ArrayLike<number>, width: number): string {
  const all = Array.from(data);
  return all.length > 1 && all.every((value) => value === all[0])
    ? `torch.full((${all.length / width}, ${width}), ${float(all[0])}, dtype=torch.float32)`
    : `torch.tensor(${matrix(all, width)}, dtype=torch.float32)`;
}

function rotation({ of, by, base, layout }: Extract<Step, { does: "rotate" }>): string {
  return "degrees" in by
    ? `rotate_by_degrees(${of}, ${list(by.degrees)}, "${layout}")`
    : `rotate_by_positions(${of}, ${list(by.positions)}, ${float(base)}, "${layout}")`;
}

function pointRotation({ of, base, points }: Extract<Step, { does: "rotate-points" }>): string {
  const given =
    "at" in points
      ? `[[${points.at.join(", ")}]]`
      : `[[y, x] for y in range(${points.grid[0]}) for x in range(${points.grid[1]})]`;
  return `rotate_by_points(${of}, ${given}, ${float(base)})`;
}

function relative({ size, rule }: Extract<Step, { does: "relative" }>): string {
  switch (rule.type) {
    case "offset":
      return `offsets(${size})`;
    case "t5":
      return `t5_buckets(${size}, ${keywords({ buckets: rule.buckets, maxDistance: rule.most, bidirectional: rule.both })})`;
    case "alibi":
      return `alibi(${rule.heads}, ${size})`;
  }
}

/** The options of scaling rules that change frequencies; the others change the attention factor. */
const ruleOptions = [
  ...["factor", "originalLength", "betaFast", "betaSlow", "truncate", "lowFrequencyFactor", "highFrequencyFactor"],
  "fraction",
];

function frequencies({ dim, base, exponentDim, length = 0, scaling }: Extract<Step, { does: "frequencies" }>): string {
  const { type, ...rule }: NonNullable<typeof scaling> = scaling ?? { type: "default" };
  if (type === "given") return `numbers(${list(rule.frequencies as ArrayLike<number>)})`;
  const options = {
    ...(type === "longrope"
      ? { factors: length > Number(rule.originalLength) ? rule.longFactor : rule.shortFactor }
      : Object.fromEntries(ruleOptions.map((name) => [name, rule[name]]))),
    length: type === "dynamic" ? length : undefined,
    exponentDim,
  };
  const rest = keywords(options);
  return `${type === "default" ? "base" : type}_frequencies(${dim}, ${float(base)}${rest && `, ${rest}`})`;
}

/** Writes the right side of a step's assignment. */
function call(step: Step): string {
  switch (step.does) {
    case "sinusoid": {
      const { positions: places, dim, base, scale } = step;
      return `sinusoid(${positions(places)}, ${dim}, ${float(base)}${scale === undefined ? "" : `, ${keywords({ scale })}`})`;
    }
    case "values":
      return values(step.data, step.width);
    case "add":
      return step.of.join(" + ");
    case "scale":
      return `${step.by} * ${step.of}`;
    case "product":
      return `${step.of[0]} @ ${step.of[1]}.T`;
    case "rotate":
      return rotation(step);
    case "rotate-points":
      return pointRotation(step);
    case "attention":
      return `attention(${step.query}, ${step.key}, ${step.value})`;
    case "relative":
      return relative(step);
    case "frequencies":
      return frequencies(step);
    case "mrope":
      return `mrope_positions(${[step.before, ...step.image, step.after].join(", ")})`;
    case "angles":
      return `${step.precision}_cos_sin(${step.position}, ${step.dim}, ${float(step.base)})`;
  }
}

/** Writes a program for PyTorch, which ends with an error where its results differ from the library's. */
export function program(computation: Computation, heads: Heads): string {
  const { steps, known, relative: isRelative } = computation;
  const lines = steps.map((step) => {
    const results = step.does === "attention" ? `${step.name}, ${step.output}` : step.name;
    return `${results} = ${call(step)}`;
  });
  const functions = functionsFor(lines.join("\n"), file);
  const array = (items: readonly (string | number)[]) =>
    `torch.tensor([\n${items.map((item) => `    ${item},`).join("\n")}\n], dtype=torch.float64)`;
  const tolerance = toleranceOf(computation);
  const limits = isRelative ? `rtol=${tolerance}, atol=0` : `rtol=0, atol=${tolerance}`;
  const needsMath = functions.some((text) => text.includes("math."));
  return [
    `# ${heads.title}`,
    ...(needsMath ? ["import math\n"] : []),
    "import torch",
    ...functions.map((text) => `\n\n${text}`),
    ...(functions.length > 0 ? ["\n"] : [""]),
    ...lines,
    "",
    `# ${heads.expected}`,
    `found = ${array(known.map(({ of, at }) => `${of}[${at.join(", ")}]`))}`,
    `expected = ${array(known.map(({ is }) => is))}`,
    `assert torch.allclose(found, expected, ${limits}), f"expected {expected}, found {found}"`,
    'print("ok")\n',
  ].join("\n");
}
