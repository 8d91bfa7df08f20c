// Sinusoidal tables, all set-up included.

import { tableByAddition, tableBySines } from "../javascript/sinusoidal.mjs";
import { offered } from "../offered.mjs";
import { limitsFor } from "../yardsticks.mjs";

/** What must hold, and what is wanted, as shares of memory.fill. */
const SIZES = [
  { length: 2048, dim: 512, fast: [0.33, 0.5], exact: [0.21, 0.25] },
  { length: 8192, dim: 1024, fast: [0.6, 0.78], exact: [0.44, 0.52] },
  { length: 131072, dim: 128, fast: [0.48, 0.58], exact: [0.38, 0.45] },
];

function contestants({ pe, yardsticks }, length, dim) {
  const out = new Float32Array(length * dim);
  const buffer = pe.buffer(length * dim);
  const fast = { precision: "fast" };
  const { runs, missing } = offered({
    "posenc fast": {
      small: () => pe.sinusoidal({ length: 2, dim: 4, ...fast }),
      run: () => pe.sinusoidal({ length, dim, ...fast, out: buffer.view }),
    },
    "posenc fast, new array": {
      small: () => pe.sinusoidal({ length: 2, dim: 4, ...fast }),
      run: () => pe.sinusoidal({ length, dim, ...fast }),
    },
  });
  return {
    missing,
    contestants: {
      ...limitsFor(yardsticks, length * dim),
      "posenc exact": () => pe.sinusoidal({ length, dim, out: buffer.view }),
      "posenc exact, new array": () => pe.sinusoidal({ length, dim }),
      ...runs,
      "JavaScript, angle addition": () => tableByAddition(out, length, dim),
      "JavaScript, Math.sin": () => tableBySines(out, length, dim),
    },
  };
}

export const tables = SIZES.map(({ length, dim, fast, exact }) => ({
  name: `table ${length} x ${dim}`,
  what: "set-up included, into a buffer",
  limit: "memory.fill",
  goals: [
    { of: "posenc fast", against: "memory.fill", must: fast[0], wanted: fast[1] },
    { of: "posenc exact", against: "memory.fill", must: exact[0], wanted: exact[1] },
    { of: "posenc fast", against: "JavaScript, angle addition" },
    { of: "posenc exact", against: "JavaScript, angle addition" },
  ],
  make: (modules) => contestants(modules, length, dim),
}));
