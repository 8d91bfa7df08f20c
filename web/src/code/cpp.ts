import type { Computation, Places, Step } from "../core/computation";
import { functionsFor } from "./functions";
import file from "./functions/figures.cpp?raw";
import type { Heads } from "./languages";
import { braced, members, raw } from "./literal";
import { toleranceOf } from "./tolerance";

const listed = (positions: string) => `posenc::Positions::list(${positions})`;

function positions(places: Places): string {
  if (!("count" in places)) return listed(`std::vector<double>${braced(places)}`);
  return `posenc::Positions::range(${places.count}${places.from === 0 ? "" : `, ${places.from}`})`;
}

function sinusoid({ positions: places, ...step }: Extract<Step, { does: "sinusoid" }>): string {
  const { dim, base, exponent, shift, scale, order, amplitude } = step;
  const frequencies = raw(`{${members({ dim, base: base === 10000 ? undefined : base, exponent, shift, scale })}}`);
  return `sinusoid(${positions(places)}, {${members({ frequencies, order, amplitude })}})`;
}

function values({ data, width }: Extract<Step, { does: "values" }>): string {
  const all = Array.from(data);
  const isFilled = all.length > 1 && all.every((value) => value === all[0]);
  return `rows(${width}, ${isFilled ? `std::vector<float>(${all.length}, ${all[0]})` : braced(all)})`;
}

function rotation({ of, layout, base, by }: Extract<Step, { does: "rotate" }>): string {
  const dim = raw(`${of}.shape[1]`);
  // In two dimensions the only frequency is 1: an angle in radians is a position.
  if ("degrees" in by)
    return `rotate(${of}, ${listed(`radians(${braced(by.degrees)})`)}, {${members({ dim, layout })}})`;
  return `rotate(${of}, ${positions(by.positions)}, {${members({ dim, layout, base })}})`;
}

function pointRotation({ of, base, points }: Extract<Step, { does: "rotate-points" }>): string {
  const [dim, layout] = [raw(`${of}.shape[1]`), "interleaved"];
  const given = "at" in points ? braced(points.at) : `grid(${points.grid.join(", ")})`;
  const rotary = `rotary_grid({${members({ dim, dims: raw(`{${dim.text} / 2, ${dim.text} / 2}`), layout, base })}})`;
  return `rotate_points(${of}, ${given}, posenc::${rotary}.value())`;
}

function relative({ size, rule }: Extract<Step, { does: "relative" }>): string {
  switch (rule.type) {
    case "offset":
      return `offsets(${size})`;
    case "t5":
      return `t5_buckets(${size}, {.buckets = ${rule.buckets}, .max_distance = ${rule.most}, .bidirectional = ${rule.both}})`;
    case "alibi":
      return `alibi(${rule.heads}, ${size})`;
  }
}

function frequencies({ dim, base, exponentDim, length, scaling }: Extract<Step, { does: "frequencies" }>): string {
  const rule = scaling?.type === "default" ? undefined : scaling;
  const options = { frequencies: raw(`{.dim = ${dim}, .base = ${base}}`), exponentDim, scaling: rule, length };
  return `frequencies_of({${members(options)}})`;
}

function angles({ dim, base, position, precision }: Extract<Step, { does: "angles" }>): string {
  const make = precision === "float32" ? "make_float32_rotary" : "Rotary::make";
  const options = members({ dim, layout: "interleaved", base });
  return `cos_sin(posenc::${make}({${options}}).value(), posenc::Positions::range(1, ${position}))`;
}

/** Writes the right side of a step's definition. */
function call(step: Step): string {
  switch (step.does) {
    case "sinusoid":
      return sinusoid(step);
    case "values":
      return values(step);
    case "add":
      return `add(${step.of.join(", ")})`;
    case "scale":
      return `scale(${step.of}, ${step.by})`;
    case "product":
      return `dot_products(${step.of.join(", ")})`;
    case "rotate":
      return rotation(step);
    case "rotate-points":
      return pointRotation(step);
    case "attention":
      return `attention(${[step.query, step.key, step.value].join(", ")})`;
    case "relative":
      return relative(step);
    case "frequencies":
      return frequencies(step);
    case "mrope":
      return `mrope_positions(${[step.before, ...step.image, step.after].join(", ")})`;
    case "angles":
      return angles(step);
  }
}

const includes = /^#include .*\n/gm;

/** Writes a program in C++23, which includes the core's headers. */
export function program(computation: Computation, heads: Heads): string {
  const { steps, known, relative: isRelative } = computation;
  const lines = steps.map((step) => {
    const results = step.does === "attention" ? `[${step.name}, ${step.output}]` : step.name;
    return `  const auto ${results} = ${call(step)};`;
  });
  const column = (items: readonly (string | number)[]) => `{\n${items.map((each) => `      ${each},`).join("\n")}\n  }`;
  const limit = `${toleranceOf(computation)}${isRelative ? " * std::abs(expected[i])" : ""}`;
  const body = `int main() {
${lines.join("\n")}

  // ${heads.expected}
  const std::vector<double> found${column(known.map(({ of, at }) => `at(${of}, {${at.join(", ")}})`))};
  const std::vector<double> expected${column(known.map(({ is }) => is))};
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!(std::abs(found[i] - expected[i]) <= ${limit})) {
      std::fprintf(stderr, "expected %.9g, found %.9g\\n", expected[i], found[i]);
      return 1;
    }
  std::puts("ok");
}
`;
  const functions = functionsFor(body, file);
  const included = functions.flatMap((text) => text.match(includes) ?? []);
  const headers = [...new Set(["#include <cmath>\n", "#include <cstdio>\n", ...included])].sort();
  const isOwn = (header: string) => header.includes("posenc/");
  return [
    `// ${heads.title}`,
    headers.filter((header) => !isOwn(header)).join(""),
    headers.filter(isOwn).join(""),
    ...functions.map((text) => `${text.replace(includes, "")}\n`),
    body,
  ].join("\n");
}
