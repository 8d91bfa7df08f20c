// Sinusoidal tables, all set-up included.

import { zeros } from "../inputs.mjs";
import { tableByAddition, tableBySines } from "../javascript/sinusoidal.mjs";
import { row } from "../row.mjs";
import { loopOn } from "../yardsticks.mjs";

/** The bar, and the wish, as shares of memory.fill. */
const SIZES = [
  { length: 2048, dim: 512, fast: [0.33, 0.5], exact: [0.21, 0.25] },
  { length: 8192, dim: 1024, fast: [0.6, 0.78], exact: [0.44, 0.52] },
  { length: 131072, dim: 128, fast: [0.48, 0.58], exact: [0.38, 0.45] },
];

const FILL = "memory.fill";
const FAST = "posenc, fast";
const LOOPS = { exact: "plain loop, exact", fast: "plain loop, fast" };

function loop(yardsticks, length, dim, precision) {
  const { run, result } = loopOn(yardsticks, { y: new Float32Array(length * dim) }, (compiled, { y }) =>
    compiled.table(y, length, dim, precision === "exact"),
  );
  return [LOOPS[precision], { run, results: () => ({ y: result("y") }) }];
}

export const tables = SIZES.map(({ length, dim, fast, exact }) => {
  const made =
    (precision) =>
    (pe) =>
    (_, { y }) =>
      pe.sinusoidal({ length, dim, precision, out: y.data });
  return row({
    name: `table ${length} x ${dim}`,
    what: "set-up included, into a buffer, exact",
    inputs: {},
    out: { y: zeros(Float32Array, length, dim) },
    library: made("exact"),
    more: { [FAST]: made("fast"), "posenc, new array": (pe) => () => pe.sinusoidal({ length, dim }) },
    script: (_, { y }) => tableByAddition(y, length, dim),
    scripts: { "JavaScript, Math.sin": (_, { y }) => tableBySines(y, length, dim) },
    limits: [FILL, "memory.copy", "multiply in place"],
    values: length * dim,
    beside: (yardsticks) =>
      Object.fromEntries(Object.keys(LOOPS).map((precision) => loop(yardsticks, length, dim, precision))),
    goals: [
      { of: "posenc", against: FILL, must: exact[0], wanted: exact[1] },
      { of: "posenc", against: LOOPS.exact, must: 0.95 },
      { of: FAST, against: FILL, must: fast[0], wanted: fast[1] },
      { of: FAST, against: LOOPS.fast, must: 0.95 },
      { of: FAST, against: "JavaScript" },
    ],
  });
});
