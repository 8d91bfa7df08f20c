// Random encodings that follow from options alone: grids, windows, T5's bias with its table; and two outputs of vectors.

import { allowance, roundings, worst } from "./chance.mjs";
import { remade, rotatedBack, vectors } from "./vectors.mjs";

const dtypes = ["float32", "bfloat16", "float16"];

/** Calls one of the library's functions with options, and of options with changes; compared value by value. */
function made(chance, { options, changes, make, samples, expected, angle = 0 }) {
  const names = Array.from({ length: chance.below(3) }, () => chance.pick(Object.keys(changes)));
  const dtype = chance.pick(dtypes);
  const right = make(options);
  const done = make(Object.assign({}, options, ...names.map((name) => changes[name])));
  if (done.data.length !== right.data.length) return undefined;
  const damaged = roundings[dtype](done.data);
  const apart = (at) => {
    const [own, other] = [damaged[at], right.data[at]];
    if (own <= -9984 && other <= -9984) return 0;
    // Angles of float32 are as right as exact ones.
    return Math.abs(own - other) / (allowance(dtype, Math.max(Math.abs(own), 2 ** -10)) + 2 ** -22 * angle);
  };
  return {
    samples: samples({ data: damaged, shape: right.shape, dtype }),
    expected,
    damaged,
    width: right.shape.at(-1),
    made: names,
    departs: () => worst(damaged.length, apart),
    remade: () => undefined,
    about: { expected: { ...expected, table: undefined }, dtype },
  };
}

export function gridTables(chance, pe) {
  const { pick } = chance;
  const options = {
    shape: pick([
      [3, 5],
      [4, 4],
      [2, 7],
    ]),
    dim: 16,
    preset: pick(["detr", "mae", "timm", "diffusers"]),
  };
  return made(chance, {
    options,
    changes: {
      axes: { axes: "first-first" },
      order: { order: "cosines-first" },
      start: { start: 1 },
      base: { base: 100 },
      preset: { preset: pick(["detr", "mae", "timm", "diffusers"]) },
    },
    make: (own) => pe.sinusoidalGrid(own),
    samples: (table) => ({ table }),
    expected: { type: "sinusoidalGrid", ...options },
    angle: 8,
  });
}

export function biasTables(chance, pe) {
  const { pick } = chance;
  const table = { data: chance.values(32 * 2), shape: [32, 2] };
  const options = { table, buckets: 32, maxDistance: 128, bidirectional: pick([true, false]), queries: 12, keys: 40 };
  return made(chance, {
    options: { ...options, form: "full" },
    changes: {
      buckets: { maxDistance: pick([64, 20]) },
      sides: { bidirectional: !options.bidirectional },
      mask: { future: "mask" },
      offset: { queryOffset: 3 },
      table: { table: { ...table, data: chance.values(32 * 2) } },
    },
    make: (own) => pe.t5(own),
    samples: (bias) => ({ bias }),
    expected: { type: "t5", table, buckets: 32, maxDistance: 128, bidirectional: options.bidirectional },
  });
}

export function windows(chance, pe) {
  const { pick } = chance;
  const options = { height: pick([2, 3]), width: pick([3, 4]) };
  const size = (2 * options.height - 1) * (2 * options.width - 1);
  const table = { data: chance.values(size * 2), shape: [size, 2] };
  return made(chance, {
    options: { ...options, table },
    changes: {
      axes: { height: options.width, width: options.height },
      table: { table: { ...table, data: chance.values(size * 2) } },
    },
    make: (own) => pe.swinBias(own),
    samples: (bias) => ({ bias }),
    expected: { type: "swinBias", ...options, table },
  });
}

/** Two outputs of one input, one of which is right. */
export function outputs(chance) {
  const own = vectors(chance);
  const { before, after: b, positions } = own.samples;
  const a = { ...b, data: Float32Array.from(b.data) };
  if (chance.rarely(2)) return { ...own, samples: { a, b, before, positions } };
  // Without an input the output a is taken for right.
  const { meant, dtype } = own.about;
  const input = rotatedBack(a.data, meant, [positions]);
  return {
    ...own,
    samples: { a, b, positions },
    remade: (explanation) =>
      remade(explanation, input, b.data, [positions], dtype, { heads: meant.heads, isBack: true }),
  };
}
