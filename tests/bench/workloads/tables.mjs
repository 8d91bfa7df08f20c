// Sinusoidal tables, all set-up included.

import { zeros } from "../inputs.mjs";
import { tableByAddition } from "../javascript/sinusoidal.mjs";
import { row } from "../row.mjs";
import { loopOn } from "../yardsticks.mjs";

const SIZES = [{ length: 2048, dim: 512 }];

const FAST = "posenc, fast";
const LOOPS = { exact: "plain loop, exact", fast: "plain loop, fast" };

function loop(yardsticks, length, dim, precision) {
  const { run, result } = loopOn(yardsticks, { y: new Float32Array(length * dim) }, (compiled, { y }) =>
    compiled.table(y, length, dim, precision === "exact"),
  );
  return [LOOPS[precision], { run, results: () => ({ y: result("y") }) }];
}

export const tables = SIZES.map(({ length, dim }) => {
  const made =
    (precision) =>
    (pe) =>
    (_, { y }) =>
      pe.sinusoidal({ length, dim, precision, out: y.data });
  return row({
    name: `table ${length} x ${dim}`,
    inputs: {},
    out: { y: zeros(Float32Array, length, dim) },
    library: made("exact"),
    more: { [FAST]: made("fast") },
    script: (_, { y }) => tableByAddition(y, length, dim),
    beside: (yardsticks) =>
      Object.fromEntries(Object.keys(LOOPS).map((precision) => loop(yardsticks, length, dim, precision))),
    goals: [
      { of: "posenc", against: LOOPS.exact, must: 0.95 },
      { of: FAST, against: LOOPS.fast, must: 0.95 },
    ],
  });
});
