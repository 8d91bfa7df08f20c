// What goes with rotary positions, 1 M values: caches, shifts of rotated keys, other layouts, xPos's scales, positions.

import { given, masks, numbers, room } from "../inputs.mjs";
import { linearAttention } from "../javascript/attention.mjs";
import * as plain from "../javascript/rotary.mjs";
import { row } from "../row.mjs";

const floats = (...shape) => room(Float32Array, ...shape);
const VALUES = 1 << 20;
const DIM = 128;
const PAIRS = DIM / 2;
const frequency = Float64Array.from({ length: PAIRS }, (_, i) => 10000 ** (-i / PAIRS));
const usual = (pe, more) => pe.rotary({ dim: DIM, layout: "half", ...more });

const ROWS = VALUES / DIM;
const KEPT = 46;
const caches = [
  row({
    name: "rotary.cache",
    inputs: {},
    out: { cos: floats(ROWS, PAIRS), sin: floats(ROWS, PAIRS) },
    library: (pe) => {
      const rope = usual(pe);
      return (_, { cos, sin }) => rope.cache({ length: ROWS, out: { cos: cos.data, sin: sin.data } });
    },
    script: (_, { cos, sin }) => plain.cacheByAddition(cos, sin, ROWS, frequency),
  }),
  row({
    name: "rotaryCache",
    inputs: {},
    out: { cos: floats(1, ROWS, DIM), sin: floats(1, ROWS, DIM) },
    library: (pe) => {
      const rotary = usual(pe);
      return (_, { cos, sin }) =>
        pe.rotaryCache({ rotary, form: "huggingface", length: ROWS, out: { cos: cos.data, sin: sin.data } });
    },
    script: (_, { cos, sin }) => plain.cacheByAddition(cos, sin, ROWS, frequency, 2),
  }),
  row({
    name: "xpos.scales",
    inputs: {},
    out: { y: floats(2 * ROWS, PAIRS) },
    library: (pe) => {
      const xpos = pe.xpos({ dim: DIM, layout: "half", centre: ROWS });
      return (_, { y }) => xpos.scales({ length: 2 * ROWS, out: y.data });
    },
    script: (_, { y }) => plain.xposScales(y, 2 * ROWS, DIM, ROWS),
  }),
  row({
    name: "fope",
    inputs: { cosines: numbers(4, KEPT, KEPT), sines: numbers(4, KEPT, KEPT) },
    out: { cos: floats(4, 1024, PAIRS), sin: floats(4, 1024, PAIRS) },
    library:
      (pe) =>
      (matrices, { cos, sin }) =>
        pe.fope({ dim: DIM, ...matrices, length: 1024, out: { cos: cos.data, sin: sin.data } }),
    script: ({ cosines, sines }, { cos, sin }) => {
      plain.fope(cos, cosines, Math.cos, 4, 1024, KEPT, frequency);
      plain.fope(sin, sines, Math.sin, 4, 1024, KEPT, frequency);
    },
  }),
  row({
    name: "rotaryMatrix",
    inputs: {},
    out: { y: floats(1024, 1024) },
    library: (pe) => {
      const rotary = pe.rotary({ dim: 1024, layout: "half" });
      return (_, { y }) => pe.rotaryMatrix({ rotary, position: 3, out: y.data });
    },
    script: (_, { y }) => plain.rotaryMatrix(y, 1024, 3),
  }),
];

const SHAPE = [256, 32, DIM];
const [SEQ, HEADS] = SHAPE;
const moved = { what: "in place, in a buffer", inputs: { x: numbers(...SHAPE) } };
const BY = plain.tablesOf(1, PAIRS, (_, i) => 5 * frequency[i]);
const AGAIN = plain.tablesOf(SEQ, PAIRS, (token, i) => token * (5e5 ** (-i / PAIRS) - frequency[i]));
const shifts = [
  row({
    ...moved,
    name: "shiftRotated",
    library: (pe) => {
      const rotary = usual(pe);
      return ({ x }) => pe.shiftRotated(x.data, { shape: SHAPE, rotary, by: 5 });
    },
    script: ({ x }) => plain.rotateHalf(x, BY.cos, BY.sin, 0, 1, SEQ * HEADS, DIM),
  }),
  row({
    ...moved,
    name: "queryTemperature",
    library:
      (pe) =>
      ({ x }) =>
        pe.queryTemperature(x.data, { shape: SHAPE, slope: 0.1, shift: 1, period: 64 }),
    script: ({ x }) => plain.temperature(x, SEQ, HEADS * DIM),
  }),
  row({
    ...moved,
    name: "rotateAgain",
    library: (pe) => {
      const [from, to] = [usual(pe), usual(pe, { base: 5e5 })];
      return ({ x }) => pe.rotateAgain(x.data, { shape: SHAPE, from, to });
    },
    script: ({ x }) => plain.rotateHalf(x, AGAIN.cos, AGAIN.sin, 0, SEQ, HEADS, DIM),
  }),
  row({
    name: "convertLayout",
    must: 1.5,
    or: ["memory.copy", 0.7],
    limits: ["memory.copy"],
    values: VALUES,
    inputs: { x: numbers(...SHAPE) },
    out: { y: floats(...SHAPE) },
    library:
      (pe) =>
      ({ x }, { y }) =>
        pe.convertLayout(x, { dim: DIM, from: "interleaved", to: "half", axis: -1, out: y.data }),
    script: ({ x }, { y }) => plain.halvesFromNeighbours(x, y, DIM),
  }),
];

const LINEAR = { n: 4096, dim: 64, ...plain.angleTables(4096, 64) };
const linear = row({
  name: "linearAttention",
  inputs: { query: numbers(1, 4096, 64), key: numbers(1, 4096, 64), value: numbers(1, 4096, 64) },
  out: { y: floats(1, 4096, 64) },
  tolerance: 1e-4,
  library: (pe) => {
    const rotary = pe.rotary({ dim: 64, layout: "half" });
    return (tensors, { y }) => pe.linearAttention({ ...tensors, rotary, out: y.data });
  },
  script: (arrays, { y }) => linearAttention(arrays, y, LINEAR),
});

const LENGTH = 1000;
const boundaries = Int32Array.from({ length: Math.floor(VALUES / LENGTH) + 1 }, (_, i) => i * LENGTH);
const positions = [
  row({
    name: "packedPositions",
    inputs: { boundaries: given(boundaries, boundaries.length) },
    out: { y: room(Int32Array, boundaries.at(-1)) },
    library:
      (pe) =>
      (tensors, { y }) =>
        pe.packedPositions(tensors.boundaries.data, { out: y.data }),
    script: (arrays, { y }) => {
      for (let part = 1, at = 0; part < arrays.boundaries.length; ++part) {
        for (let next = 0; at < arrays.boundaries[part]; ++at, ++next) y[at] = next;
      }
    },
  }),
  row({
    name: "maskPositions",
    inputs: { mask: masks(1024, 1024) },
    out: { y: room(Int32Array, 1024, 1024) },
    library:
      (pe) =>
      ({ mask }, { y }) =>
        pe.maskPositions(mask, { out: y.data }),
    script: ({ mask }, { y }) => {
      for (let start = 0; start < mask.length; start += 1024) {
        for (let at = start, next = 0; at < start + 1024; ++at) y[at] = mask[at] === 0 ? 1 : next++;
      }
    },
  }),
];

export const rotaryTools = [...caches, ...shifts, linear, ...positions];
