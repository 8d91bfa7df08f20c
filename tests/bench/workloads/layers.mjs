// Layers before and after attention: linear layers, softmax, sums, dropout.

import { numbers, positive, zeros } from "../inputs.mjs";
import * as plain from "../javascript/attention.mjs";
import { EXACT, row } from "../row.mjs";
import { loopOn, registersFor } from "../yardsticks.mjs";

const REGISTERS = "multiply-add in registers";
const DOUBLES = "plain loop in doubles";
const floats = (...shape) => zeros(Float32Array, ...shape);

const LAYERS = [
  { rows: 1024, ins: 256, outs: 256, share: 0.6 },
  { rows: 256, ins: 32, outs: 32, share: 0.5 },
];

const linear = LAYERS.flatMap(({ rows, ins, outs, share }) => {
  const shape = `[${rows}, ${ins}] x [${ins}, ${outs}]`;
  const inputs = { x: numbers(rows, ins), weight: numbers(outs, ins) };
  const forward =
    (more = {}) =>
    (pe) =>
    ({ x, weight }, { y }) =>
      pe.linear(x, weight, { out: y.data, ...more });
  const operations = 2 * rows * ins * outs;
  return [
    row({
      name: `linear ${shape}`,
      inputs,
      out: { y: floats(rows, outs) },
      library: forward(),
      script: (arrays, { y }) => plain.linear(arrays, y, rows, ins, outs),
      more: { [EXACT]: forward({ precision: "exact" }) },
      limit: REGISTERS,
      beside: (yardsticks, { x, weight }) => {
        const { run, result } = loopOn(yardsticks, { x, weight, y: new Float32Array(rows * outs) }, (loops, at) =>
          loops.linearDoubles(at.x, at.weight, at.y, rows, ins, outs),
        );
        return { ...registersFor(yardsticks, operations), [DOUBLES]: { run, results: () => ({ y: result("y") }) } };
      },
      goals: [
        { of: "posenc", against: REGISTERS, must: share },
        { of: EXACT, against: DOUBLES, must: 4 },
      ],
    }),
    row({
      name: `linearBackward ${shape}`,
      inputs: { ...inputs, gradient: numbers(rows, outs) },
      out: { x: floats(rows, ins), weight: floats(outs, ins), bias: floats(outs) },
      library:
        (pe) =>
        (tensors, { x, weight, bias }) =>
          pe.linearBackward({ ...tensors, out: { x: x.data, weight: weight.data, bias: bias.data } }),
      script: (arrays, results) => plain.linearBackward(arrays, results, rows, ins, outs),
      limit: REGISTERS,
      beside: (yardsticks) => registersFor(yardsticks, 2 * operations),
      goals: [{ of: "posenc", against: REGISTERS, must: 0.5 }],
    }),
  ];
});

const WIDTH = 1024;
const SIDE = [WIDTH, WIDTH];
const VALUES = WIDTH * WIDTH;
const softened =
  (more = {}) =>
  (pe) =>
  ({ x }, { y }) =>
    pe.softmax(x, { out: y.data, ...more });

const softmax = [
  row({
    name: `softmax [${SIDE.join(", ")}]`,
    must: 5,
    inputs: { x: numbers(...SIDE) },
    out: { y: floats(...SIDE) },
    library: softened(),
    script: ({ x }, { y }) => plain.softmax(x, y, WIDTH),
    more: { [EXACT]: softened({ precision: "exact" }) },
    beside: (yardsticks, { x }) => {
      const arrays = { x, y: new Float32Array(VALUES), row: new Float32Array(2 * WIDTH) };
      const { run, result } = loopOn(yardsticks, arrays, (loops, at) =>
        loops.softmaxDoubles(at.x, at.y, at.row, WIDTH, WIDTH),
      );
      return { [DOUBLES]: { run, results: () => ({ y: result("y") }) } };
    },
    goals: [{ of: EXACT, against: DOUBLES, must: 4 }],
  }),
  row({
    name: `softmaxBackward [${SIDE.join(", ")}]`,
    inputs: { weights: positive(...SIDE), gradient: numbers(...SIDE) },
    out: { y: floats(...SIDE) },
    library:
      (pe) =>
      (tensors, { y }) =>
        pe.softmaxBackward({ ...tensors, out: y.data }),
    script: (arrays, { y }) => plain.softmaxBackward(arrays, y, WIDTH),
  }),
];

const P = 0.1;

/** Another generator drops other elements: as many, and the others are the same. */
function sameDropout({ y: mine }, { y: theirs }) {
  const share = (values) => values.reduce((zeros, value) => zeros + (value === 0 ? 1 : 0), 0) / values.length;
  const both = mine.findIndex((value, i) => value !== 0 && theirs[i] !== 0);
  const isSame = Math.abs(share(mine) - P) < 0.01 && Math.abs(share(theirs) - P) < 0.01;
  if (!isSame || Math.abs(mine[both] - theirs[both]) > 1e-5) throw new Error("dropout: not the same in JavaScript");
}

const [BATCH, N, DIM] = [4, 1024, 256];
const x = numbers(BATCH, N, DIM);
const y = floats(BATCH, N, DIM);
const copied = { must: 1.5, or: ["memory.copy", 0.7], limit: "memory.copy", values: VALUES };

const sums = [
  row({
    ...copied,
    name: "add",
    inputs: { x, table: numbers(N, DIM) },
    out: { y },
    library: (pe) => (tensors, results) => pe.add(tensors.x, tensors.table, { seqAxis: 1, out: results.y.data }),
    script: (arrays, results) => plain.add(arrays.x, arrays.table, results.y),
  }),
  row({
    ...copied,
    name: "dropout",
    inputs: { x },
    out: { y },
    library: (pe) => (tensors, results) => pe.dropout(tensors.x, { p: P, seed: 3, out: results.y.data }),
    script: (arrays, results) => plain.dropout(arrays.x, results.y, P),
    same: sameDropout,
  }),
];

export const layersAndSums = [...linear, ...softmax, ...sums];
