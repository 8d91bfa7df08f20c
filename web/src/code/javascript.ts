import type { Computation, Places, Step } from "../core/computation";
import type { Heads } from "./languages";
import { javascript, list } from "./literal";
import { flat, type Shapes, shapesOf, toleranceOf } from "./shapes";

/** What the small entry of the package has; the rest is in the whole one. */
const small = /^(?:sinusoid|values|add|scale|product|rotate|attention|frequencies|bound)$/;

const needsAll = (step: Step) =>
  !small.test(step.does) ||
  (step.does === "values" && step.seeded) ||
  (step.does === "attention" && (step.alibi || step.exact));

const placesOf = (places: Places) =>
  "count" in places
    ? { length: places.count, ...(places.from !== 0 && { offset: places.from }) }
    : { positions: places };

/** Options without those that are the default anyway. */
function options(given: object): string {
  return javascript(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
}

function values({ data, width, seeded }: Extract<Step, { does: "values" }>): string {
  const all = Array.from(data);
  const length = all.length / width;
  if (seeded) return `pe.learnedTable(${options({ length, dim: width, ...seeded })})`;
  const isFilled = all.length > 1 && all.every((value) => value === all[0]);
  const made = isFilled ? `new Float32Array(${all.length}).fill(${all[0]})` : `Float32Array.from(${list(all)})`;
  return `{ data: ${made}, shape: [${length}, ${width}] }`;
}

/** A rotation in place, of a copy. */
const rotated = (name: string, of: string, rope: string, how: string) => [
  `const ${name} = { data: ${of}.data.slice(), shape: ${of}.shape };`,
  `${rope}.apply(${name}.data, { shape: ${name}.shape, ${how} });`,
];

function rotation(step: Extract<Step, { does: "rotate" }>, dim: number): string[] {
  const { name, of, layout, base, by } = step;
  const rope = `pe.rotary(${options({ dim, layout, base: base === 10000 || dim === 2 ? undefined : base })})`;
  // In two dimensions the only frequency is 1: an angle in radians is a position.
  const how =
    "degrees" in by
      ? `positions: ${list(by.degrees)}.map((angle) => (angle * Math.PI) / 180)`
      : "count" in by.positions
        ? `offset: ${by.positions.from}`
        : `positions: ${list(by.positions)}`;
  return rotated(name, of, rope, how);
}

function pointRotation(step: Extract<Step, { does: "rotate-points" }>, dim: number): string[] {
  const { name, of, base, points, mixed } = step;
  const grid = "grid" in points ? points.grid : undefined;
  const given = "at" in points ? list(points.at) : `${name}Points`;
  const layout = "interleaved";
  return [
    ...(grid
      ? [
          `const ${name}Points = Array.from({ length: ${grid[0] * grid[1]} }, (_, i) => [Math.floor(i / ${grid[1]}), i % ${grid[1]}]).flat();`,
        ]
      : []),
    ...(mixed
      ? rotated(
          name,
          of,
          `pe.rotaryMixed({ dim: ${dim}, layout: "${layout}", frequencies: pe.mixedFrequencies(${options({ dim, base, seed: mixed.seed })}) })`,
          `points: ${given}`,
        )
      : rotated(
          name,
          of,
          `pe.rotaryGrid(${options({ preset: "axial", dim, axes: 2, base, layout })})`,
          `points: ${given}`,
        )),
  ];
}

function attention(
  { name, query, key, value, output, exact, alibi }: Extract<Step, { does: "attention" }>,
  rows: number,
) {
  const bias = `${name}Bias`;
  return [
    ...(alibi
      ? [
          `const ${name}Heads = pe.alibi({ heads: ${alibi.heads}, queries: ${rows}, keys: ${rows} });`,
          `const ${bias} = { data: ${name}Heads.data.slice(${alibi.head * rows ** 2}, ${(alibi.head + 1) * rows ** 2}), shape: [${rows}, ${rows}] };`,
        ]
      : []),
    `const { weights: ${name}${output ? (output === "output" ? ", output" : `, output: ${output}`) : ""} } = pe.attention({`.replace(
      "weights: weights",
      "weights",
    ),
    `  query: ${query}, key: ${key}, value: ${value}, weights: true${exact ? ', precision: "exact"' : ""}${alibi ? `, bias: ${bias}, biasScaled: false` : ""},`,
    "});",
  ];
}

function relative({ name, size, rule }: Extract<Step, { does: "relative" }>): string[] {
  const made = (call: string, extra: object = {}) => [
    `const ${name} = pe.${call}(${options({ queries: size, keys: size, ...extra })});`,
  ];
  switch (rule.type) {
    case "offset":
      return made("relativeOffsets");
    case "clip":
      return [
        `const ids = pe.shawIds(${options({ queries: size, keys: size, maxDistance: rule.most })});`,
        `const ${name} = { data: ids.data.map((row) => row - ${rule.most}), shape: ids.shape };`,
      ];
    case "t5":
      return made("t5Buckets", { buckets: rule.buckets, maxDistance: rule.most, bidirectional: rule.both });
    case "alibi":
      return made("alibi", { heads: rule.heads });
    case "kerple":
      return [
        `const ${name} = pe.kerple({`,
        `  queries: ${size}, keys: ${size}, kernel: "${rule.kernel}", r1: Float32Array.of(${rule.r1}), r2: Float32Array.of(${rule.r2}),`,
        "});",
      ];
    case "learned":
      return [
        `const ids = pe.shawIds(${options({ queries: size, keys: size, maxDistance: (rule.table.length - 1) / 2 })});`,
        `const table = { data: Float32Array.from(${list(rule.table)}), shape: [${rule.table.length}, 1] };`,
        `const ${name} = pe.lookupRows(table, { ids });`,
      ];
  }
}

/** The library's cosines and sines; what is summed up of them is plain JavaScript. */
function bound({ name, dim, base, distances }: Extract<Step, { does: "bound" }>): string[] {
  const pairs = dim / 2;
  return [
    `const ${name}Turns = pe.rotary(${options({ dim, layout: "interleaved", base })}).cache({ positions: ${list(distances)} });`,
    `const ${name} = { data: Array.from({ length: ${distances.length} }, (_, at) => {`,
    "  let [real, imaginary, sum] = [0, 0, 0];",
    `  for (let i = at * ${pairs}; i < (at + 1) * ${pairs}; i++) {`,
    `    real += ${name}Turns.cos.data[i];`,
    `    imaginary += ${name}Turns.sin.data[i];`,
    "    sum += Math.sqrt(real ** 2 + imaginary ** 2);",
    "  }",
    `  return sum / ${(pairs * (pairs + 1)) / 2};`,
    "}) };",
  ];
}

function write(step: Step, shapes: Shapes): string[] {
  const { name } = step;
  const shapeOf = (result: string) => shapes.get(result) as readonly number[];
  switch (step.does) {
    case "sinusoid": {
      const { positions, dim, base, scale, amplitude, order, exponent, shift } = step;
      const rest = { scale, amplitude, order, exponent, shift };
      return [
        `const ${name} = pe.sinusoidal(${options({ ...placesOf(positions), dim, base: base === 10000 ? undefined : base, ...rest })});`,
      ];
    }
    case "values":
      return [`const ${name} = ${values(step)};`];
    case "add":
      return [`const ${name} = pe.add(${step.of.join(", ")});`];
    case "scale":
      return [`const ${name} = { data: ${step.of}.data.map((value) => ${step.by} * value), shape: ${step.of}.shape };`];
    case "product":
      return [`const ${name} = pe.linear(${step.of.join(", ")}); // every row with every row`];
    case "rotate":
      return rotation(step, shapeOf(step.of)[1]);
    case "rotate-points":
      return pointRotation(step, shapeOf(step.of)[1]);
    case "attention":
      return attention(step, shapeOf(step.query)[0]);
    case "relative":
      return relative(step);
    case "frequencies": {
      const { dim, base, exponentDim, length, scaling } = step;
      return [`const ${name} = pe.frequencies(${options({ dim, base, exponentDim, length, scaling })});`];
    }
    case "bound":
      return bound(step);
    case "mrope": {
      const { before, image, after } = step;
      return [
        "// Four patches make a token.",
        `const { positions: ${name} } = pe.mropePositions({`,
        '  preset: "qwen2-vl",',
        `  segments: [{ text: ${before} }, { image: [1, ${2 * image[0]}, ${2 * image[1]}] }, { text: ${after} }],`,
        "});",
      ];
    }
    case "angles": {
      const { dim, base, position, precision } = step;
      const rope = options({ dim, layout: "interleaved", base, ...(precision === "float32" && { precision }) });
      return [`const ${name} = pe.rotary(${rope}).cache({ positions: [${position}] });`];
    }
  }
}

/** JavaScript or TypeScript, with the package. */
export function program(computation: Computation, heads: Heads): string {
  const { steps, known, relative: isRelative } = computation;
  const shapes = shapesOf(computation);
  const parts = new Set(steps.filter(({ does }) => does === "angles").map(({ name }) => name));
  const found = known.map(({ of, at }) =>
    parts.has(of)
      ? `${of}.${["cos", "sin"][at[0]]}.data[${at[1]}]`
      : `${of}.data[${flat(at, shapes.get(of) as number[])}]`,
  );
  const limit = `${toleranceOf(computation)}${isRelative ? " * Math.abs(expected[i])" : ""}`;
  return [
    `// ${heads.title}`,
    `import { load } from ${JSON.stringify(steps.some(needsAll) ? "posenc/full" : "posenc")};`,
    "",
    "const pe = await load();",
    ...steps.flatMap((step) => write(step, shapes)),
    "",
    `// ${heads.expected}`,
    `const found = [\n${found.map((each) => `  ${each},`).join("\n")}\n];`,
    `const expected = [\n${known.map(({ is }) => `  ${is},`).join("\n")}\n];`,
    `if (!found.every((value, i) => Math.abs(value - expected[i]) <= ${limit}))`,
    `  throw new Error(\`expected \${expected}, found \${found}\`);`,
    'console.log("ok");',
  ].join("\n");
}
