// Biases by relative position, [16, 1024, 1024].

import { numbers, positive, zeros } from "../inputs.mjs";
import * as plain from "../javascript/relative.mjs";
import { row } from "../row.mjs";

const floats = (...shape) => zeros(Float32Array, ...shape);
const [HEADS, N] = [16, 1024];
const COUNT = HEADS * N * N;
const FILL = "memory.fill";
const wide = {
  inputs: {},
  out: { y: floats(HEADS, N, N) },
  limits: [FILL],
  values: COUNT,
  must: undefined,
};
const half = [{ of: "posenc", against: FILL, must: 0.5 }];
const shape = { queries: N, keys: N };
const title = `[${HEADS}, ${N}, ${N}]`;

/** A bias of the distance alone: the library's call, and the value of a head at a distance from the inputs. */
const DISTANCES = {
  alibi: {
    library:
      (pe) =>
      (_, { y }) =>
        pe.alibi({ ...shape, heads: HEADS, out: y.data }),
    biasAt: () => (head, distance) => -(2 ** ((-8 * (head + 1)) / HEADS)) * Math.abs(distance),
  },
  t5: {
    inputs: { table: numbers(32, HEADS) },
    library:
      (pe) =>
      ({ table }, { y }) =>
        pe.t5({ ...shape, table, bidirectional: true, out: y.data }),
    biasAt:
      ({ table }) =>
      (head, distance) =>
        table[plain.t5Bucket(distance) * HEADS + head],
  },
  kerple: {
    inputs: { r1: positive(HEADS), r2: positive(HEADS) },
    library:
      (pe) =>
      ({ r1, r2 }, { y }) =>
        pe.kerple({ ...shape, kernel: "logarithmic", r1: r1.data, r2: r2.data, out: y.data }),
    biasAt:
      ({ r1, r2 }) =>
      (head, distance) =>
        -r1[head] * Math.log(1 + r2[head] * Math.abs(distance)),
  },
  sandwich: {
    library:
      (pe) =>
      (_, { y }) =>
        pe.sandwich({ ...shape, heads: HEADS, out: y.data }),
    biasAt: () => {
      const dim = 128;
      const sums = Float64Array.from({ length: N }, (_, distance) => {
        let sum = 0;
        for (let i = 1; i <= dim / 2; ++i) sum += Math.cos(distance * 10000 ** ((-2 * i) / dim));
        return sum - dim / 2;
      });
      return (head, distance) => (sums[Math.abs(distance)] * HEADS) / (8 * (head + 1));
    },
  },
};

const byDistance = Object.entries(DISTANCES).map(([name, { inputs = {}, library, biasAt }]) =>
  row({
    ...wide,
    name: `${name} ${title}`,
    inputs,
    library,
    script: (arrays, { y }) => plain.biasOf(y, HEADS, N, biasAt(arrays)),
    goals: half,
  }),
);

const HIDDEN = 32;
const network = (outputs, inputs) => ({
  weight1: numbers(HIDDEN, inputs),
  bias1: numbers(HIDDEN),
  weight2: numbers(outputs, HIDDEN),
});
const fire = (where, threshold, goals) =>
  row({
    ...wide,
    name: `fire, ${where} ${title}`,
    inputs: network(HEADS, 1),
    library:
      (pe) =>
      (perceptron, { y }) =>
        pe.fire({ ...shape, perceptron, threshold, out: y.data }),
    script: (arrays, { y }) => plain.fire(arrays, y, { heads: HEADS, n: N, hidden: HIDDEN, threshold }),
    goals,
  });

const SWIN = 32;
const swin = row({
  ...wide,
  name: `swinBias ${title}`,
  inputs: { table: numbers((2 * SWIN - 1) ** 2, HEADS) },
  library:
    (pe) =>
    ({ table }, { y }) =>
      pe.swinBias({ height: SWIN, width: SWIN, table, out: y.data }),
  script: ({ table }, { y }) => plain.swinBias(table, y, SWIN, SWIN, HEADS),
  goals: half,
});

export const relatives = [
  ...byDistance,
  fire("below its threshold", N, half),
  fire("beyond its threshold", 512, [{ of: "posenc", measure: "each", values: COUNT, must: 3 }]),
  swin,
];
