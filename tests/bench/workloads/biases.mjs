// Biases of 32 heads for 1024 queries and keys, 128 MB, which attention adds to its scores.

import { alibiByFormula, expandBias } from "../javascript/relative.mjs";
import { offered } from "../offered.mjs";
import { limitsFor } from "../yardsticks.mjs";

const HEADS = 32;
const SIDE = 1024;
const COUNT = HEADS * SIDE * SIDE;

/** For each bias the call of `posenc/full`, and its compact form, from which the whole is made. */
const MAKERS = {
  ALiBi: (full) => (options) => full.alibi({ heads: HEADS, ...options }),
  T5: (full) => {
    const table = { data: new Float32Array(32 * HEADS).map((_, i) => Math.fround(Math.sin(i))), shape: [32, HEADS] };
    return (options) => full.t5({ table, bidirectional: true, ...options });
  },
};

function contestants({ full, yardsticks }, name) {
  const make = MAKERS[name](full);
  const shape = { queries: SIDE, keys: SIDE };
  const plain = new Float32Array(COUNT);
  const small = full.buffer(HEADS * 4);
  let buffer;
  const { runs, missing } = offered({
    "posenc, into a buffer": {
      small: () => {
        make({ queries: 2, keys: 2, out: small.view });
        buffer = full.buffer(COUNT);
      },
      run: () => make({ ...shape, out: buffer.view }),
    },
  });
  const { data: compact } = make({ ...shape, form: "compact" });
  const formula = name === "ALiBi" ? { "JavaScript, formula": () => alibiByFormula(plain, HEADS, SIDE, SIDE) } : {};
  return {
    missing,
    contestants: {
      ...limitsFor(yardsticks, COUNT, ["memory.fill"]),
      ...runs,
      "posenc, new array": () => make(shape),
      "JavaScript, rows of the compact form": () => expandBias(plain, compact, HEADS, SIDE, SIDE),
      ...formula,
    },
  };
}

export const biases = Object.keys(MAKERS).map((name) => ({
  name: `${name} [${HEADS}, ${SIDE}, ${SIDE}]`,
  what: "into a buffer",
  limit: "memory.fill",
  goals: [
    { of: "posenc, into a buffer", against: "memory.fill", must: 0.5 },
    { of: "posenc, into a buffer", against: "JavaScript, rows of the compact form" },
  ],
  make: (modules) => contestants(modules, name),
}));
