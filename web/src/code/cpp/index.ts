import type { Computation, Places, Step } from "../../core/computation";
import type { Heads } from "../languages";
import { braced, members } from "../literal";
import { flat, type Shapes, shapesOf, toleranceOf } from "../shapes";
import { relative } from "./relative";

/** Lines of a step, and the headers that it includes. */
interface Written {
  readonly lines: readonly string[];
  readonly headers?: readonly string[];
}

const product = (shape: readonly number[]) => shape.join(" * ");

/** Positions of the library, and the list that they look at, where there is one. */
function positions(name: string, places: Places): { readonly lines: string[]; readonly text: string } {
  if (!("count" in places)) {
    const lines = [`const std::vector<double> ${name}_at${braced(places)};`];
    return { lines, text: `posenc::Positions::list(${name}_at)` };
  }
  const offset = places.from === 0 ? "" : `, ${places.from}`;
  return { lines: [], text: `posenc::Positions::range(${places.count}${offset})` };
}

function sinusoid(step: Extract<Step, { does: "sinusoid" }>, shape: readonly number[]): Written {
  const { name, dim, base, exponent, shift, scale, order, amplitude } = step;
  const at = positions(name, step.positions);
  const frequencies = members({
    dim,
    base: base === 10000 ? undefined : base,
    exponent: exponent === "paper" ? undefined : exponent,
    shift: shift || undefined,
    scale: scale === 1 ? undefined : scale,
  });
  const rest = [
    ...(order === undefined || order === "interleaved"
      ? []
      : [`.order = posenc::Order::${order.replaceAll("-", "_")}`]),
    ...(amplitude === undefined || amplitude === 1 ? [] : [`.amplitude = ${amplitude}`]),
  ];
  return {
    lines: [
      ...at.lines,
      `std::vector<float> ${name}(${product(shape)});`,
      `posenc::Sinusoidal::make({${[`.frequencies = {${frequencies}}`, ...rest].join(", ")}})`,
      `    .value().table(${at.text}, ${name}).value();`,
    ],
    headers: ["sinusoidal/sinusoidal.hpp"],
  };
}

function values({ name, data, width, seeded }: Extract<Step, { does: "values" }>): Written {
  const all = Array.from(data);
  if (seeded) {
    const [distribution, scale] = "std" in seeded ? ["normal", seeded.std] : ["uniform", seeded.bound];
    return {
      lines: [
        `std::vector<float> ${name}(${all.length});`,
        `posenc::init_table({.dim = ${width}, .seed = ${seeded.seed}, .distribution = posenc::TableDistribution::${distribution}, .scale = ${scale}}, 0, ${name})`,
        "    .value();",
      ],
      headers: ["learned/table_init.hpp"],
    };
  }
  const isFilled = all.length > 1 && all.every((value) => value === all[0]);
  return {
    lines: [`const std::vector<float> ${name}${isFilled ? `(${all.length}, ${all[0]})` : braced(all)};`],
  };
}

function rotation(step: Extract<Step, { does: "rotate" }>, [rows, dim]: readonly number[]): Written {
  const { name, of, layout, base, by } = step;
  const isTurn = "degrees" in by;
  const at = positions(name, isTurn ? by.degrees : by.positions);
  return {
    lines: [
      ...at.lines.map((line) => (isTurn ? line.replace("const ", "") : line)),
      // In two dimensions the only frequency is 1: an angle in radians is a position.
      ...(isTurn ? [`for (double& angle : ${name}_at) angle = angle * std::numbers::pi / 180;`] : []),
      `std::vector<float> ${name} = ${of};`,
      `posenc::Rotary::make({${members({ dim, layout, ...(!isTurn && { base }) })}})`,
      `    .value().apply(${name}, posenc::SequenceShape::make(std::array<std::int64_t, 2>{${rows}, ${dim}}).value(), ${at.text}).value();`,
    ],
    headers: ["rotary/rotary.hpp"],
  };
}

function pointRotation(step: Extract<Step, { does: "rotate-points" }>, [rows, dim]: readonly number[]): Written {
  const { name, of, base, points, mixed } = step;
  const lines =
    "at" in points
      ? [`const std::vector<double> ${name}_at${braced(points.at)};`]
      : [
          `std::vector<double> ${name}_at;`,
          `for (int i = 0; i < ${rows}; ++i) ${name}_at.insert(${name}_at.end(), {double(i / ${points.grid[1]}), double(i % ${points.grid[1]})});`,
        ];
  const layout = ".layout = posenc::Layout::interleaved";
  const made = mixed
    ? [
        `std::vector<double> ${name}_frequencies(${dim});`,
        `posenc::mixed_frequencies({.dim = ${dim}, .base = ${base}, .seed = ${mixed.seed}}, ${name}_frequencies).value();`,
        `std::vector<float> ${name} = ${of};`,
        `posenc::rotary_mixed({.dim = ${dim}, ${layout}}, ${name}_frequencies)`,
      ]
    : [
        `std::vector<float> ${name} = ${of};`,
        `posenc::rotary_grid({.dim = ${dim}, .dimensions = {${dim / 2}, ${dim / 2}}, ${layout}, .base = ${base}})`,
      ];
  return {
    lines: [
      ...lines,
      ...made,
      `    .value().apply(${name}, posenc::SequenceShape::make(std::array<std::int64_t, 2>{${rows}, ${dim}}).value(), posenc::Points::rows(${name}_at)).value();`,
    ],
    headers: [mixed ? "grid/rotary_mixed.hpp" : "grid/rotary_grid.hpp"],
  };
}

function attention(step: Extract<Step, { does: "attention" }>, shapes: Shapes): Written {
  const { name, query, key, value, output = `${name}_output`, exact, alibi } = step;
  const [rows, dim] = shapes.get(query) as readonly number[];
  const [keys] = shapes.get(key) as readonly number[];
  const width = (shapes.get(value) as readonly number[])[1];
  const head = alibi && alibi.head * rows * keys;
  const rest = [
    ...(alibi || exact ? [alibi ? `{.values = std::span(${name}_bias).subspan(${head}, ${rows * keys})}` : "{}"] : []),
    ...(exact ? ["posenc::SumPrecision::exact"] : []),
  ];
  return {
    lines: [
      ...(alibi
        ? relative({ does: "relative", name: `${name}_bias`, size: rows, rule: { type: "alibi", heads: alibi.heads } })
            .lines
        : []),
      `std::vector<float> ${name}(${rows} * ${keys}), ${output}(${rows} * ${width});`,
      `posenc::attention({.queries = ${rows}, .keys = ${keys}, .dim = ${dim}, .value_dim = ${width}}, posenc::attention_scale(${dim}),`,
      `                  ${[query, key, value, name, output, ...rest].join(", ")}).value();`,
    ],
    headers: ["attention/attention.hpp", ...(alibi ? ["relative/alibi.hpp"] : [])],
  };
}

function bound({ name, dim, base, distances }: Extract<Step, { does: "bound" }>): Written {
  const pairs = dim / 2;
  const size = distances.length * pairs;
  return {
    lines: [
      `const std::vector<double> ${name}_at${braced(distances)};`,
      `std::vector<float> ${name}_cos(${size}), ${name}_sin(${size});`,
      `posenc::Rotary::make({${members({ dim, layout: "interleaved", base })}})`,
      `    .value().cache(posenc::Positions::list(${name}_at), ${name}_cos, ${name}_sin).value();`,
      `std::vector<double> ${name}(${distances.length});`,
      `for (std::size_t at = 0; at < ${name}.size(); ++at) {`,
      "  double real = 0, imaginary = 0;",
      `  for (std::size_t i = at * ${pairs}; i < (at + 1) * ${pairs}; ++i) {`,
      `    real += ${name}_cos[i], imaginary += ${name}_sin[i];`,
      `    ${name}[at] += std::hypot(real, imaginary) / ${(pairs * (pairs + 1)) / 2};`,
      "  }",
      "}",
    ],
    headers: ["rotary/rotary.hpp"],
  };
}

function mrope({ name, before, image, after }: Extract<Step, { does: "mrope" }>, tokens: number): Written {
  const kind = (what: string) => `.kind = posenc::MropeSegment::Kind::${what}`;
  return {
    lines: [
      "const std::vector<posenc::MropeSegment> segments{",
      `    {${kind("text")}, .length = ${before}},`,
      `    {${kind("image")}, .grid = {1, ${2 * image[0]}, ${2 * image[1]}}},  // four patches make a token`,
      `    {${kind("text")}, .length = ${after}}};`,
      `std::vector<std::int32_t> ${name}(3 * ${tokens});`,
      `posenc::mrope_positions(posenc::mrope_options("qwen2-vl").value(), segments, {.out = ${name}, .length = ${tokens}}).value();`,
    ],
    headers: ["grid/mrope_positions.hpp"],
  };
}

function angles({ name, dim, base, position, precision }: Extract<Step, { does: "angles" }>): Written {
  const pairs = dim / 2;
  const make = precision === "float32" ? "make_float32_rotary" : "Rotary::make";
  return {
    lines: [
      `std::vector<float> ${name}(2 * ${pairs});`,
      `posenc::${make}({${members({ dim, layout: "interleaved", base })}})`,
      `    .value().cache(posenc::Positions::repeat(1, ${position}), std::span(${name}).first(${pairs}), std::span(${name}).last(${pairs})).value();`,
    ],
    headers: [precision === "float32" ? "rotary/float32_rotary.hpp" : "rotary/rotary.hpp"],
  };
}

function frequencies(step: Extract<Step, { does: "frequencies" }>): Written {
  const { name, dim, base, exponentDim, length, scaling } = step;
  const plan = members({ exponentDim, scaling: scaling?.type === "default" ? undefined : scaling, length });
  return {
    lines: [
      `std::vector<double> ${name}(${dim / 2});`,
      `posenc::Frequencies::make_scaled({${[`.frequencies = {.dim = ${dim}, .base = ${base}}`, plan].filter(Boolean).join(", ")}})`,
      `    .value().write_radians(${name});`,
    ],
    headers: ["frequencies/frequencies.hpp"],
  };
}

function write(step: Step, shapes: Shapes): Written {
  const { name } = step;
  const shapeOf = (result: string) => shapes.get(result) as readonly number[];
  const shape = shapeOf(name);
  switch (step.does) {
    case "sinusoid":
      return sinusoid(step, shape);
    case "values":
      return values(step);
    case "add":
      return {
        lines: [
          `std::vector<float> ${name}(${product(shape)});`,
          `posenc::add(${step.of[0]}, ${shape[0]}, ${shape[1]}, ${step.of[1]}, ${name}).value();`,
        ],
        headers: ["attention/add.hpp"],
      };
    case "scale":
      return {
        lines: [
          `std::vector<float> ${name} = ${step.of};`,
          `for (float& value : ${name}) value *= ${step.by}f;`.replace(/= (-?\d+)f/, "= $1.0f"),
        ],
      };
    case "product":
      return {
        lines: [
          `std::vector<float> ${name}(${product(shape)});  // every row with every row`,
          `posenc::linear(${step.of[0]}, ${step.of[1]}, ${shapeOf(step.of[0])[1]}, posenc::SumPrecision::float32, ${name}).value();`,
        ],
        headers: ["attention/linear.hpp"],
      };
    case "rotate":
      return rotation(step, shape);
    case "rotate-points":
      return pointRotation(step, shape);
    case "attention":
      return attention(step, shapes);
    case "relative":
      return relative(step);
    case "frequencies":
      return frequencies(step);
    case "bound":
      return bound(step);
    case "mrope":
      return mrope(step, shape[1]);
    case "angles":
      return angles(step);
  }
}

const standard: readonly (readonly [RegExp, string])[] = [
  [/std::array/, "array"],
  [/std::(?:hypot|abs)/, "cmath"],
  [/std::int/, "cstdint"],
  [/std::puts|std::fprintf/, "cstdio"],
  [/std::numbers/, "numbers"],
  [/std::span/, "span"],
  [/std::vector/, "vector"],
];

/** A program with the core's headers, C++23. */
export function program(computation: Computation, heads: Heads): string {
  const { steps, known, relative: isRelative } = computation;
  const shapes = shapesOf(computation);
  const written = steps.map((step) => write(step, shapes));
  const found = known.map(({ of, at }) => `double(${of}[${flat(at, shapes.get(of) as number[])}])`);
  const limit = `${toleranceOf(computation)}${isRelative ? " * std::abs(expected[i])" : ""}`;
  const body = [
    "int main() {",
    ...written.flatMap(({ lines }) => lines.flatMap((line) => line.split("\n")).map((line) => `  ${line}`)),
    "",
    `  // ${heads.expected}`,
    `  const std::vector<double> found{\n${found.map((each) => `      ${each},`).join("\n")}\n  };`,
    `  const std::vector<double> expected{\n${known.map(({ is }) => `      ${is},`).join("\n")}\n  };`,
    "  for (std::size_t i = 0; i < found.size(); ++i)",
    `    if (!(std::abs(found[i] - expected[i]) <= ${limit})) {`,
    '      std::fprintf(stderr, "expected %.9g, found %.9g\\n", expected[i], found[i]);',
    "      return 1;",
    "    }",
    '  std::puts("ok");',
    "}",
  ].join("\n");
  const own = [...new Set(written.flatMap(({ headers = [] }) => headers))].sort();
  return [
    `// ${heads.title}`,
    ...standard.filter(([sign]) => sign.test(body)).map(([, header]) => `#include <${header}>`),
    "",
    ...own.map((header) => `#include "posenc/${header}"`),
    "",
    body,
  ].join("\n");
}
