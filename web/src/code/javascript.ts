import type { Computation, Places, Step } from "../core/computation";
import { functionsFor } from "./functions";
import file from "./functions/figures.js?raw";
import type { Heads } from "./languages";
import { javascript, list, raw } from "./literal";
import { toleranceOf } from "./tolerance";

const placesOf = (places: Places) => ("count" in places ? { length: places.count } : { positions: places });

/** Writes rows of numbers; equal ones are not listed. */
function values({ data, width }: Extract<Step, { does: "values" }>): string {
  const all = Array.from(data);
  const length = all.length / width;
  const isFilled = all.length > 1 && all.every((value) => value === all[0]);
  const made = isFilled ? `new Float32Array(${all.length}).fill(${all[0]})` : `Float32Array.from(${list(all)})`;
  return `{ data: ${made}, shape: [${length}, ${width}] }`;
}

function rotation({ of, layout, base, by }: Extract<Step, { does: "rotate" }>): string {
  const isInDegrees = "degrees" in by;
  const rotary = { dim: raw(`${of}.shape[1]`), layout, base: isInDegrees || base === 10000 ? undefined : base };
  // In two dimensions the only frequency is 1: an angle in radians is a position.
  const how = isInDegrees
    ? { positions: raw(`${list(by.degrees)}.map((angle) => (angle * Math.PI) / 180)`) }
    : { positions: by.positions };
  return `rotate(${of}, pe.rotary(${javascript(rotary)}), ${javascript(how)})`;
}

function pointRotation({ of, base, points }: Extract<Step, { does: "rotate-points" }>): string {
  const [dim, layout] = [raw(`${of}.shape[1]`), "interleaved"];
  const given = "at" in points ? points.at : raw(`grid(${points.grid.join(", ")})`);
  const rotary = `pe.rotaryGrid(${javascript({ preset: "axial", dim, axes: 2, base, layout })})`;
  return `rotate(${of}, ${rotary}, ${javascript({ points: given })})`;
}

function attention({ query, key, value }: Extract<Step, { does: "attention" }>): string {
  const [q, k, v] = [query, key, value].map(raw);
  return `pe.attention(${javascript({ query: q, key: k, value: v, weights: true })})`;
}

function relative({ size, rule }: Extract<Step, { does: "relative" }>): string {
  const made = (call: string, extra: object = {}) =>
    `pe.${call}(${javascript({ queries: size, keys: size, ...extra })})`;
  switch (rule.type) {
    case "offset":
      return made("relativeOffsets");
    case "t5":
      return made("t5Buckets", { buckets: rule.buckets, maxDistance: rule.most, bidirectional: rule.both });
    case "alibi":
      return made("alibi", { heads: rule.heads });
  }
}

/** Writes the right side of a step's assignment. */
function call(step: Step): string {
  switch (step.does) {
    case "sinusoid": {
      const { name, does, positions, dim, base, ...rest } = step;
      const options = { ...placesOf(positions), dim, base: base === 10000 ? undefined : base, ...rest };
      return `pe.sinusoidal(${javascript(options)})`;
    }
    case "values":
      return values(step);
    case "add":
      return `pe.add(${step.of.join(", ")})`;
    case "scale":
      return `{ data: ${step.of}.data.map((value) => ${step.by} * value), shape: ${step.of}.shape }`;
    case "product":
      return `pe.linear(${step.of.join(", ")})`;
    case "rotate":
      return rotation(step);
    case "rotate-points":
      return pointRotation(step);
    case "attention":
      return attention(step);
    case "relative":
      return relative(step);
    case "frequencies": {
      const { name, does, ...options } = step;
      return `pe.frequencies(${javascript(options)})`;
    }
    case "mrope": {
      const [rows, columns] = step.image.map((count) => 2 * count); // four patches make a token
      const segments = `{ text: ${step.before} }, { image: [1, ${rows}, ${columns}] }, { text: ${step.after} }`;
      return `pe.mropePositions({ preset: "qwen2-vl", segments: [${segments}] })`;
    }
    case "angles": {
      const { dim, base, position, precision } = step;
      const options = { dim, layout: "interleaved", base, precision: precision === "exact" ? undefined : precision };
      return `cosSin(pe.rotary(${javascript(options)}), ${position})`;
    }
  }
}

/** Writes the left side of a step's assignment; objects of several tensors are destructured. */
function results(step: Step): string {
  if (step.does === "mrope") return `{ positions: ${step.name} }`;
  if (step.does !== "attention") return step.name;
  const named = (part: string, name: string) => (part === name ? name : `${part}: ${name}`);
  return `{ ${named("weights", step.name)}, ${named("output", step.output)} }`;
}

/** Matches functions that only `posenc/full` has, and an option. */
const large = /pe\.(?!sinusoidal|add|linear|rotary\(|attention|frequencies)\w+|precision: /;

/** Writes a program in JavaScript, which calls the package. */
export function program(computation: Computation, heads: Heads): string {
  const { steps, known, relative: isRelative } = computation;
  const lines = steps.map((step) => `const ${results(step)} = ${call(step)};`);
  const column = (items: readonly (string | number)[]) => `[\n${items.map((each) => `  ${each},`).join("\n")}\n]`;
  const limit = `${toleranceOf(computation)}${isRelative ? " * Math.abs(expected[i])" : ""}`;
  const body = [
    ...lines,
    "",
    `// ${heads.expected}`,
    `const found = ${column(known.map(({ of, at }) => `at(${[of, ...at].join(", ")})`))};`,
    `const expected = ${column(known.map(({ is }) => is))};`,
    `if (!found.every((value, i) => Math.abs(value - expected[i]) <= ${limit}))`,
    `  throw new Error(\`expected \${expected}, found \${found}\`);`,
    'console.log("ok");',
  ].join("\n");
  const functions = functionsFor(body, file).map((text) => `${text.replace("export ", "")}\n\n`);
  const entry = large.test(functions.join("") + body) ? "posenc/full" : "posenc";
  return `// ${heads.title}
import { load } from ${JSON.stringify(entry)};

const pe = await load();

${functions.join("")}${body}
`;
}
