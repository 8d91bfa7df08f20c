// Cosines, sines and points of grids: 1 M values.

import { zeros } from "../inputs.mjs";
import * as plain from "../javascript/grid.mjs";
import { row } from "../row.mjs";

const SIDE = [64, 128];
const CELLS = SIDE[0] * SIDE[1];
const DIM = 128;
const PAIRS = DIM / 2;
const axial = (pe) => pe.rotaryGrid({ preset: "axial", dim: DIM, axes: 2, layout: "half" });

const cache = row({
  name: "rotaryGrid.cache",
  inputs: {},
  out: { cos: zeros(Float32Array, CELLS, PAIRS), sin: zeros(Float32Array, CELLS, PAIRS) },
  library: (pe) => {
    const rope = axial(pe);
    return (_, { cos, sin }) => rope.cache({ grid: SIDE, out: { cos: cos.data, sin: sin.data } });
  },
  script: (_, results) => plain.gridCache(results, SIDE, PAIRS),
});

const POINTS = [724, 724];
const points = row({
  name: "rotaryGrid.points",
  inputs: {},
  out: { y: zeros(Float64Array, POINTS[0] * POINTS[1], 2) },
  library: (pe) => {
    const rope = axial(pe);
    return (_, { y }) => rope.points(POINTS, { out: y.data });
  },
  script: (_, { y }) => plain.gridPoints(y, POINTS),
});

export const grids = [cache, points];
