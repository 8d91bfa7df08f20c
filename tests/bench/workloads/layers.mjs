// Layers before and after attention: a linear layer, softmax, sums.

import { numbers, zeros } from "../inputs.mjs";
import * as plain from "../javascript/attention.mjs";
import { row } from "../row.mjs";
import { registersFor } from "../yardsticks.mjs";

const REGISTERS = "multiply-add in registers";
const floats = (...shape) => zeros(Float32Array, ...shape);

const [ROWS, INS, OUTS] = [1024, 256, 256];
const linear = row({
  name: `linear [${ROWS}, ${INS}] x [${INS}, ${OUTS}]`,
  inputs: { x: numbers(ROWS, INS), weight: numbers(OUTS, INS) },
  out: { y: floats(ROWS, OUTS) },
  library:
    (pe) =>
    ({ x, weight }, { y }) =>
      pe.linear(x, weight, { out: y.data }),
  script: (arrays, { y }) => plain.linear(arrays, y, ROWS, INS, OUTS),
  beside: (yardsticks) => registersFor(yardsticks, 2 * ROWS * INS * OUTS),
  goals: [{ of: "posenc", against: REGISTERS, must: 0.6 }],
});

const WIDTH = 1024;
const softmax = row({
  name: `softmax [${WIDTH}, ${WIDTH}]`,
  must: 5,
  inputs: { x: numbers(WIDTH, WIDTH) },
  out: { y: floats(WIDTH, WIDTH) },
  library:
    (pe) =>
    ({ x }, { y }) =>
      pe.softmax(x, { out: y.data }),
  script: ({ x }, { y }) => plain.softmax(x, y, WIDTH),
});

const [BATCH, N, DIM] = [4, 1024, 256];
const add = row({
  name: "add",
  must: 1.5,
  inputs: { x: numbers(BATCH, N, DIM), table: numbers(N, DIM) },
  out: { y: floats(BATCH, N, DIM) },
  library:
    (pe) =>
    ({ x, table }, { y }) =>
      pe.add(x, table, { seqAxis: 1, out: y.data }),
  own: true,
  script: (arrays, { y }) => plain.add(arrays.x, arrays.table, y),
});

export const layersAndSums = [linear, softmax, add];
