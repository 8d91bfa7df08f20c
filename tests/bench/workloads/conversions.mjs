// Conversions between storage types and between layouts of pairs: 1 M values, bound by memory.

import { halves, numbers, zeros } from "../inputs.mjs";
import { fromFloat16, toFloat16 } from "../javascript/halves.mjs";
import { halvesFromNeighbours } from "../javascript/rotary.mjs";
import { row } from "../row.mjs";

const floats = (...shape) => zeros(Float32Array, ...shape);
const SHAPE = [256, 32, 128];
const VALUES = 1 << 20;

const TYPES = {
  "float16 to float32": { x: halves(VALUES), from: "float16", to: "float32", y: floats(VALUES), script: fromFloat16 },
  "float32 to float16": { x: numbers(VALUES), to: "float16", y: zeros(Uint16Array, VALUES), script: toFloat16 },
};
const dtypes = Object.entries(TYPES).map(([name, { x, from, to, y, script }]) =>
  row({
    name: `convert ${name}`,
    must: 1.5,
    inputs: { x },
    out: { y },
    tolerance: 0,
    library: (pe) => (tensors, results) =>
      pe.convert({ data: tensors.x.data, shape: tensors.x.shape, dtype: from }, to, { out: results.y.data }),
    script: (arrays, results) => script(arrays.x, results.y),
  }),
);

const layout = row({
  name: "convertLayout",
  must: 1.5,
  inputs: { x: numbers(...SHAPE) },
  out: { y: floats(...SHAPE) },
  library:
    (pe) =>
    ({ x }, { y }) =>
      pe.convertLayout(x, { dim: SHAPE[2], from: "interleaved", to: "half", axis: -1, out: y.data }),
  own: true,
  script: ({ x }, { y }) => halvesFromNeighbours(x, y, SHAPE[2]),
});

export const conversions = [...dtypes, layout];
