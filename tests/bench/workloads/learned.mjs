// Learned positions, 1 M values: look-up, and Adam's step.

import { ids, numbers, positive, zeros } from "../inputs.mjs";
import * as plain from "../javascript/learned.mjs";
import { row } from "../row.mjs";

const [TOKENS, ROWS, DIM] = [4096, 2048, 256];
const VALUES = TOKENS * DIM;

const lookup = row({
  name: "lookupRows",
  inputs: { table: numbers(ROWS, DIM), ids: ids(ROWS, TOKENS) },
  out: { y: zeros(Float32Array, TOKENS, DIM) },
  library:
    (pe) =>
    (given, { y }) =>
      pe.lookupRows(given.table, { ids: given.ids, out: y.data }),
  own: true,
  script: (arrays, { y }) => plain.lookupRows(arrays, y, DIM),
});

const ADAM = { lr: 1e-3, step: 3, weightDecay: 0.01 };
const adam = row({
  name: "adamStep",
  inputs: {
    parameters: numbers(VALUES),
    gradient: numbers(VALUES),
    firstMoment: numbers(VALUES),
    secondMoment: positive(VALUES),
  },
  library:
    (pe) =>
    ({ parameters, gradient, firstMoment, secondMoment }) =>
      pe.adamStep(parameters.data, {
        ...ADAM,
        decay: "decoupled",
        gradient: gradient.data,
        firstMoment: firstMoment.data,
        secondMoment: secondMoment.data,
      }),
  own: true,
  script: (arrays) => plain.adamStep(arrays, ADAM),
});

export const learned = [lookup, adam];
