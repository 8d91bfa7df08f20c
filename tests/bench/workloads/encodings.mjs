// Sinusoids beside the table, frequencies, and conversion between storage types: 1 M values.

import { halves, numbers, room } from "../inputs.mjs";
import { fromFloat16, toBfloat16, toFloat16 } from "../javascript/halves.mjs";
import * as plain from "../javascript/sinusoidal.mjs";
import { row } from "../row.mjs";

const floats = (...shape) => room(Float32Array, ...shape);
const VALUES = 1 << 20;
const [ROWS, DIM] = [4096, 256];
const [POINTS, LEVELS] = [52429, 10];

const sinusoids = [
  row({
    name: "shiftMatrix",
    inputs: {},
    out: { y: floats(1024, 1024) },
    library:
      (pe) =>
      (_, { y }) =>
        pe.shiftMatrix({ dim: 1024, by: 3, out: y.data }),
    script: (_, { y }) => plain.shiftMatrix(y, 1024, 3),
  }),
  row({
    name: "shift",
    inputs: { table: numbers(ROWS, DIM) },
    out: { y: floats(ROWS, DIM) },
    library:
      (pe) =>
      ({ table }, { y }) =>
        pe.shift(table, { dim: DIM, by: 3, out: y.data }),
    script: ({ table }, { y }) => plain.shift(table, y, DIM, 3),
  }),
  row({
    name: "fourier",
    inputs: { points: numbers(ROWS), weights: numbers(DIM / 2) },
    out: { y: floats(ROWS, DIM) },
    library:
      (pe) =>
      ({ points, weights }, { y }) =>
        pe.fourier({ points: points.data, weights: weights.data, preset: "rff", out: y.data }),
    script: ({ points, weights }, { y }) => plain.fourier(points, weights, y),
  }),
  row({
    name: "nerf",
    inputs: { points: numbers(POINTS) },
    out: { y: floats(POINTS, 2 * LEVELS) },
    library:
      (pe) =>
      ({ points }, { y }) =>
        pe.nerf({ points: points.data, levels: LEVELS, out: y.data }),
    script: ({ points }, { y }) => plain.nerf(points, y, LEVELS),
  }),
  row({
    name: "frequencies",
    inputs: {},
    out: { y: room(Float64Array, VALUES) },
    library:
      (pe) =>
      (_, { y }) =>
        pe.frequencies({ dim: 2 * VALUES, out: y.data }),
    script: (_, { y }) => plain.frequencies(y, 2 * VALUES),
  }),
];

const TYPES = {
  "float16 to float32": { x: halves(VALUES), from: "float16", to: "float32", y: floats(VALUES), script: fromFloat16 },
  "float32 to float16": { x: numbers(VALUES), to: "float16", y: room(Uint16Array, VALUES), script: toFloat16 },
  "float32 to bfloat16": { x: numbers(VALUES), to: "bfloat16", y: room(Uint16Array, VALUES), script: toBfloat16 },
};
const conversions = Object.entries(TYPES).map(([name, { x, from, to, y, script }]) =>
  row({
    name: `convert ${name}`,
    of: ["convert"],
    must: 1.5,
    or: ["memory.copy", 0.7],
    limits: ["memory.copy"],
    values: VALUES,
    inputs: { x },
    out: { y },
    tolerance: 0,
    library: (pe) => (tensors, results) =>
      pe.convert({ data: tensors.x.data, shape: tensors.x.shape, dtype: from }, to, { out: results.y.data }),
    script: (arrays, results) => script(arrays.x, results.y),
  }),
);

export const encodings = [...sinusoids, ...conversions];
