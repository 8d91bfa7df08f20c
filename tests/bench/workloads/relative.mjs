// Biases by relative position, [16, 1024, 1024].

import { numbers, zeros } from "../inputs.mjs";
import * as plain from "../javascript/relative.mjs";
import { row } from "../row.mjs";
import { loopOn } from "../yardsticks.mjs";

const [HEADS, N] = [16, 1024];
const COUNT = HEADS * N * N;
const COPIES = "plain loop of copies";
const shape = { queries: N, keys: N };

/** Copies all rows from the values, which `script` makes: those of a head are in its last row and its first. */
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
  const { run, result } = loopOn(yardsticks, { y, values }, (compiled, at) =>
    compiled.biasRows(at.y, at.values, HEADS, N),
  );
  return { [COPIES]: { run, results: () => ({ y: result("y") }) } };
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
};

export const relatives = Object.entries(DISTANCES).map(([name, { inputs = {}, library, biasAt }]) => {
  const script = (arrays, { y }) => plain.biasOf(y, HEADS, N, biasAt(arrays));
  return row({
    name: `${name} [${HEADS}, ${N}, ${N}]`,
    inputs,
    out: { y: zeros(Float32Array, HEADS, N, N) },
    library,
    script,
    beside: copiesOf(script),
    goals: [{ of: "posenc", against: COPIES, must: 0.95 }],
  });
});
