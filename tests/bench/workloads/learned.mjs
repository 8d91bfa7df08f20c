// Learned positions, 1 M values: look-up, and Adam's step.

import { ids, numbers, positive, zeros } from "../inputs.mjs";
import * as plain from "../javascript/learned.mjs";
import { row } from "../row.mjs";

const [TOKENS, ROWS, DIM] = [4096, 2048, 256];
const VALUES = TOKENS * DIM;
/** Rows that are bound by memory may reach a share of memory.copy instead. */
const copied = { must: 1.5, or: ["memory.copy", 0.7], limit: "memory.copy", values: VALUES };

const lookup = row({
  ...copied,
  name: "lookupRows",
  inputs: { table: numbers(ROWS, DIM), ids: ids(ROWS, TOKENS) },
  out: { y: zeros(Float32Array, TOKENS, DIM) },
  library:
    (pe) =>
    (given, { y }) =>
      pe.lookupRows(given.table, { ids: given.ids, out: y.data }),
  script: (arrays, { y }) => plain.lookupRows(arrays, y, DIM),
});

const ADAM = { lr: 1e-3, step: 3, weightDecay: 0.01 };
const adam = row({
  ...copied,
  name: "adamStep",
  inputs: {
    parameters: numbers(VALUES),
    gradient: numbers(VALUES),
    firstMoment: numbers(VALUES),
    secondMoment: positive(VALUES),
  },
  library: (pe) => (given) =>
    pe.adamStep(given.parameters.data, {
      ...ADAM,
      decay: "decoupled",
      gradient: given.gradient.data,
      firstMoment: given.firstMoment.data,
      secondMoment: given.secondMoment.data,
    }),
  script: (arrays) => plain.adamStep(arrays, ADAM),
});

export const learned = [lookup, adam];
