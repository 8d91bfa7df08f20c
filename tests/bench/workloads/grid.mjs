// Encodings of grids, 1 M values: tables, caches, points, positions.

import { ids, room } from "../inputs.mjs";
import * as plain from "../javascript/grid.mjs";
import { row } from "../row.mjs";

const floats = (...shape) => room(Float32Array, ...shape);
const doubles = (...shape) => room(Float64Array, ...shape);
const SIDE = [64, 128];
const CELLS = SIDE[0] * SIDE[1];
const DIM = 128;
const PAIRS = DIM / 2;
const caches = { inputs: {}, out: { cos: floats(CELLS, PAIRS), sin: floats(CELLS, PAIRS) } };
const outOf = ({ cos, sin }) => ({ cos: cos.data, sin: sin.data });
const frequency = Float64Array.from({ length: PAIRS }, (_, i) => 10000 ** (-i / PAIRS));
const directions = Float64Array.from({ length: DIM }, (_, i) => Math.sin(i) * frequency[i % PAIRS]);
const SECTIONS = [16, 24, 24];
const axial = (pe) => pe.rotaryGrid({ preset: "axial", dim: DIM, axes: 2, layout: "half" });
const mixed = (pe) => pe.rotaryMixed({ dim: DIM, layout: "half", frequencies: directions });

const tables = [
  row({
    name: "sinusoidalGrid",
    inputs: {},
    out: { y: floats(...SIDE, DIM) },
    library:
      (pe) =>
      (_, { y }) =>
        pe.sinusoidalGrid({ shape: SIDE, dim: DIM, preset: "mae", out: y.data }),
    script: (_, { y }) => plain.sinusoidalGrid(y, SIDE, DIM),
  }),
  row({
    ...caches,
    name: "rotaryGrid.cache",
    library: (pe) => {
      const rope = axial(pe);
      return (_, results) => rope.cache({ grid: SIDE, out: outOf(results) });
    },
    script: (_, results) => plain.gridCache(results, SIDE, PAIRS),
  }),
  row({
    ...caches,
    name: "rotaryMixed.cache",
    library: (pe) => {
      const rope = mixed(pe);
      return (_, results) => rope.cache({ grid: SIDE, out: outOf(results) });
    },
    script: (_, results) => plain.mixedCache(results, SIDE, directions),
  }),
  row({
    ...caches,
    name: "mrope.cache",
    inputs: { positions: ids(1000, 3, CELLS) },
    library: (pe) => {
      const rope = pe.mrope({ dim: DIM, layout: "half", sections: SECTIONS, order: "chunked" });
      return ({ positions }, results) => rope.cache({ positions, out: outOf(results) });
    },
    script: ({ positions }, results) => plain.mropeCache(results, positions, CELLS, SECTIONS, frequency),
  }),
];

const POINTS = [724, 724];
const points = { rotaryGrid: axial, rotaryMixed: mixed };
const lists = [
  ...Object.entries(points).map(([name, make]) =>
    row({
      name: `${name}.points`,
      inputs: {},
      out: { y: doubles(POINTS[0] * POINTS[1], 2) },
      library: (pe) => {
        const rope = make(pe);
        return (_, { y }) => rope.points(POINTS, { out: y.data });
      },
      script: (_, { y }) => plain.gridPoints(y, POINTS),
    }),
  ),
  row({
    name: "mixedFrequencies",
    inputs: {},
    out: { y: doubles(2, 4096, 128) },
    library:
      (pe) =>
      (_, { y }) =>
        pe.mixedFrequencies({ dim: 256, heads: 4096, seed: 1, out: y.data }),
    script: (_, { y }) => plain.mixedFrequencies(y, 4096, 128),
    // Directions are others, as long as these.
    same({ y: mine }, { y: theirs }) {
      const half = mine.length / 2;
      for (let i = 0; i < half; i += 997) {
        const [a, b] = [mine, theirs].map((values) => Math.hypot(values[i], values[i + half]));
        if (Math.abs(a - b) > 1e-9) throw new Error(`mixedFrequencies: ${b} in JavaScript, expected ${a}`);
      }
    },
  }),
  row({
    name: "mropePositions",
    inputs: {},
    out: { y: room(Int32Array, 3, 4096 + 576 * 576) },
    library:
      (pe) =>
      (_, { y }) =>
        pe.mropePositions({ preset: "qwen2-vl", segments: [{ text: 4096 }, { image: [1, 1152, 1152] }], out: y.data }),
    script: (_, { y }) => plain.mropePositions(y, 4096, 576),
  }),
];

export const grids = [...tables, ...lists];
