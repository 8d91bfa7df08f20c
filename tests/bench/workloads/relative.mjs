// Biases by relative position, [16, 1024, 1024].

import { numbers, positive, zeros } from "../inputs.mjs";
import * as plain from "../javascript/relative.mjs";
import { row } from "../row.mjs";
import { loopOn } from "../yardsticks.mjs";

const floats = (...shape) => zeros(Float32Array, ...shape);
const [HEADS, N] = [16, 1024];
const COUNT = HEADS * N * N;
const COPIES = "plain loop of copies";
const wide = {
  inputs: {},
  out: { y: floats(HEADS, N, N) },
  limit: "memory.fill",
  values: COUNT,
  must: undefined,
};
const asCopies = [{ of: "posenc", against: COPIES, must: 0.95 }];
const shape = { queries: N, keys: N };
const title = `[${HEADS}, ${N}, ${N}]`;

/** A loop that copies all rows from `values`, which are ready, as a function of the yardsticks does. */
function copying(yardsticks, values, call) {
  const { run, result } = loopOn(yardsticks, { y: new Float32Array(COUNT), values }, (compiled, { y, values }) =>
    call(compiled, y, values),
  );
  return { [COPIES]: { run, results: () => ({ y: result("y") }) } };
}

/** Such a loop for a bias of the distance alone, whose last and first row have all values; `script` makes it. */
const copiesOf = (script) => (yardsticks, arrays) => {
  const y = new Float32Array(COUNT);
  script(arrays, { y });
  const values = new Float32Array(HEADS * (2 * N - 1));
  for (let head = 0; head < HEADS; ++head) {
    const first = y.subarray(head * N * N, head * N * N + N);
    const last = y.subarray((head + 1) * N * N - N, (head + 1) * N * N);
    values.set(last, head * (2 * N - 1));
    values.set(first, head * (2 * N - 1) + N - 1);
  }
  return copying(yardsticks, values, (compiled, to, from) => compiled.biasRows(to, from, HEADS, N));
};

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

const byDistance = Object.entries(DISTANCES).map(([name, { inputs = {}, library, biasAt }]) => {
  const script = (arrays, { y }) => plain.biasOf(y, HEADS, N, biasAt(arrays));
  return row({
    ...wide,
    name: `${name} ${title}`,
    inputs,
    library,
    script,
    beside: copiesOf(script),
    goals: asCopies,
  });
});

const HIDDEN = 32;
const network = (outputs, inputs) => ({
  weight1: numbers(HIDDEN, inputs),
  bias1: numbers(HIDDEN),
  weight2: numbers(outputs, HIDDEN),
});
const fireBelow =
  (threshold) =>
  (arrays, { y }) =>
    plain.fire(arrays, y, { heads: HEADS, n: N, hidden: HIDDEN, threshold });
const fire = (where, threshold, more) =>
  row({
    ...wide,
    ...more,
    name: `fire, ${where} ${title}`,
    inputs: network(HEADS, 1),
    library:
      (pe) =>
      (perceptron, { y }) =>
        pe.fire({ ...shape, perceptron, threshold, out: y.data }),
    script: fireBelow(threshold),
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
  beside(yardsticks, { table }) {
    const across = 2 * SWIN - 1;
    const values = Float32Array.from({ length: HEADS * across * across }, (_, at) => {
      const [head, y, x] = [Math.floor(at / across / across), Math.floor(at / across) % across, at % across];
      return table[(y * across + across - 1 - x) * HEADS + head];
    });
    return copying(yardsticks, values, (compiled, to, from) => compiled.windowRows(to, from, HEADS, SWIN));
  },
  goals: asCopies,
});

export const relatives = [
  ...byDistance,
  fire("below its threshold", N, { beside: copiesOf(fireBelow(N)), goals: asCopies }),
  fire("beyond its threshold", 512, { goals: [{ of: "posenc", measure: "each", values: COUNT, must: 3 }] }),
  swin,
];
