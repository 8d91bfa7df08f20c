// Biases and ids of relative positions, [16, 1024, 1024] where the table of goals has them and 1 M values elsewhere.

import { ids, numbers, positive, room } from "../inputs.mjs";
import * as plain from "../javascript/relative.mjs";
import { shawBackward } from "../javascript/relative-attention.mjs";
import { row } from "../row.mjs";

const floats = (...shape) => room(Float32Array, ...shape);
const [HEADS, N] = [16, 1024];
const COUNT = HEADS * N * N;
const FILL = "memory.fill";
const wide = {
  inputs: {},
  out: { y: floats(HEADS, N, N) },
  limits: [FILL],
  values: COUNT,
  must: undefined,
};
const half = [{ of: "posenc", against: FILL, must: 0.5 }];
const shape = { queries: N, keys: N };
const title = `[${HEADS}, ${N}, ${N}]`;

/** A bias of the distance alone: the library's call, and the value of a head at a distance from the inputs. */
const DISTANCES = {
  alibi: {
    library:
      (pe) =>
      (_, { y }) =>
        pe.alibi({ ...shape, heads: HEADS, out: y.data }),
    biasAt: () => (head, distance) => -(2 ** ((-8 * (head + 1)) / HEADS)) * Math.abs(distance),
  },
  t5: {
    inputs: { table: numbers(32, HEADS) },
    library:
      (pe) =>
      ({ table }, { y }) =>
        pe.t5({ ...shape, table, bidirectional: true, out: y.data }),
    biasAt:
      ({ table }) =>
      (head, distance) =>
        table[plain.t5Bucket(distance) * HEADS + head],
  },
  kerple: {
    inputs: { r1: positive(HEADS), r2: positive(HEADS) },
    library:
      (pe) =>
      ({ r1, r2 }, { y }) =>
        pe.kerple({ ...shape, kernel: "logarithmic", r1: r1.data, r2: r2.data, out: y.data }),
    biasAt:
      ({ r1, r2 }) =>
      (head, distance) =>
        -r1[head] * Math.log(1 + r2[head] * Math.abs(distance)),
  },
  sandwich: {
    library:
      (pe) =>
      (_, { y }) =>
        pe.sandwich({ ...shape, heads: HEADS, out: y.data }),
    biasAt: () => {
      const dim = 128;
      const sums = Float64Array.from({ length: N }, (_, distance) => {
        let sum = 0;
        for (let i = 1; i <= dim / 2; ++i) sum += Math.cos(distance * 10000 ** ((-2 * i) / dim));
        return sum - dim / 2;
      });
      return (head, distance) => (sums[Math.abs(distance)] * HEADS) / (8 * (head + 1));
    },
  },
};

const byDistance = Object.entries(DISTANCES).map(([name, { inputs = {}, library, biasAt }]) =>
  row({
    ...wide,
    name: `${name} ${title}`,
    of: [name],
    inputs,
    library,
    script: (arrays, { y }) => plain.biasOf(y, HEADS, N, biasAt(arrays)),
    goals: half,
  }),
);

const HIDDEN = 32;
const network = (outputs, inputs) => ({
  weight1: numbers(HIDDEN, inputs),
  bias1: numbers(HIDDEN),
  weight2: numbers(outputs, HIDDEN),
});
const fire = (where, threshold, goals) =>
  row({
    ...wide,
    name: `fire, ${where} ${title}`,
    of: ["fire"],
    inputs: network(HEADS, 1),
    library:
      (pe) =>
      (perceptron, { y }) =>
        pe.fire({ ...shape, perceptron, threshold, out: y.data }),
    script: (arrays, { y }) => plain.fire(arrays, y, { heads: HEADS, n: N, hidden: HIDDEN, threshold }),
    goals,
  });

const SWIN = 32;
const swin = [
  row({
    ...wide,
    name: `swinBias ${title}`,
    of: ["swinBias"],
    inputs: { table: numbers((2 * SWIN - 1) ** 2, HEADS) },
    library:
      (pe) =>
      ({ table }, { y }) =>
        pe.swinBias({ height: SWIN, width: SWIN, table, out: y.data }),
    script: ({ table }, { y }) => plain.swinBias(table, y, SWIN, SWIN, HEADS),
    goals: half,
  }),
  row({
    name: "swinIndex",
    inputs: {},
    out: { y: room(Int32Array, N, N) },
    library:
      (pe) =>
      (_, { y }) =>
        pe.swinIndex({ height: SWIN, width: SWIN, out: y.data }),
    script: (_, { y }) => plain.swinIndex(y, SWIN, SWIN),
  }),
  row({
    name: "swinLogCoordinates",
    inputs: {},
    out: { y: floats(723 * 723, 2) },
    library:
      (pe) =>
      (_, { y }) =>
        pe.swinLogCoordinates({ height: 362, width: 362, out: y.data }),
    script: (_, { y }) => plain.swinLogCoordinates(y, 362, 362),
  }),
  row({
    name: "swinLogCpb",
    inputs: network(HEADS, 2),
    out: { y: floats(255 * 255, HEADS) },
    library:
      (pe) =>
      (perceptron, { y }) =>
        pe.swinLogCpb({ height: 128, width: 128, perceptron, out: y.data }),
    script: (arrays, { y }) => plain.swinLogCpb(arrays, y, { height: 128, width: 128, hidden: HIDDEN, heads: HEADS }),
  }),
];

const COPE = { heads: 8, n: 256, dim: 64, positions: 256 };
const square = [COPE.heads, COPE.n, COPE.n];
const cope = row({
  name: `cope [${square.join(", ")}]`,
  of: ["cope"],
  must: 8,
  inputs: {
    query: numbers(COPE.heads, COPE.n, COPE.dim),
    logits: numbers(...square),
    embedding: numbers(COPE.positions, COPE.dim),
  },
  out: { bias: floats(...square), counts: floats(...square) },
  tolerance: 1e-4,
  library:
    (pe) =>
    (tensors, { bias, counts }) =>
      pe.cope({ ...tensors, out: { bias: bias.data, counts: counts.data } }),
  script: (arrays, results) => plain.cope(arrays, results, COPE),
});

const VALUES = N * N;
const expanded = [
  row({
    name: "relativeExpand",
    must: 1.5,
    or: ["memory.copy", 0.7],
    limits: ["memory.copy"],
    values: VALUES,
    inputs: { compact: numbers(4, 1023) },
    out: { y: floats(4, 512, 512) },
    library:
      (pe) =>
      ({ compact }, { y }) =>
        pe.relativeExpand(compact, { queries: 512, keys: 512, out: y.data }),
    script: ({ compact }, { y }) => plain.expandBias(y, compact, 4, 512, 512),
  }),
  row({
    name: "relativeExpandIds",
    inputs: { compact: ids(1000, 2 * N - 1) },
    out: { y: room(Int32Array, N, N) },
    library:
      (pe) =>
      ({ compact }, { y }) =>
        pe.relativeExpandIds(compact, { ...shape, out: y.data }),
    script: ({ compact }, { y }) => plain.expandBias(y, compact, 1, N, N),
  }),
];

/** Ids [1024, 1024]: options of the call, and the id of a distance. */
const IDS = {
  relativeOffsets: [{}, (distance) => distance],
  shawIds: [{ maxDistance: 32 }, (distance) => Math.min(Math.max(distance, -32), 32) + 32],
  t5Buckets: [{ bidirectional: true }, (distance) => plain.t5Bucket(distance)],
};
const pairs = Object.entries(IDS).map(([name, [options, idOf]]) =>
  row({
    name,
    inputs: {},
    out: { y: room(Int32Array, N, N) },
    library:
      (pe) =>
      (_, { y }) =>
        pe[name]({ ...shape, ...options, out: y.data }),
    script: (_, { y }) => plain.idsOf(y, N, idOf),
  }),
);

const map = row({
  name: "positionMap",
  inputs: {},
  out: {
    distances: room(Float64Array, N, N),
    region: room(Int32Array, N, N),
    queryPositions: room(Float64Array, 3, N),
    keyPositions: room(Float64Array, 3, N),
  },
  library: (pe) => (_, results) =>
    pe.positionMap({ type: "dual-chunk", chunkSize: 200, localSize: 20, ...shape, out: dataOf(results) }),
  script: (_, results) => plain.dualChunk(results, N, 200, 20),
});

const MOST_HEADS = 65536;
const others = [
  row({
    name: "alibiSlopes",
    inputs: {},
    out: { y: floats(MOST_HEADS) },
    library:
      (pe) =>
      (_, { y }) =>
        pe.alibiSlopes({ heads: MOST_HEADS, out: y.data }),
    script: (_, { y }) => {
      for (let head = 0; head < MOST_HEADS; ++head) y[head] = 2 ** ((-8 * (head + 1)) / MOST_HEADS);
    },
  }),
  row({
    name: "relativeSinusoidal",
    inputs: {},
    out: { y: floats(128, 128, 64) },
    library:
      (pe) =>
      (_, { y }) =>
        pe.relativeSinusoidal({ queries: 128, keys: 128, dim: 64, out: y.data }),
    script: (_, { y }) => plain.relativeSinusoidal(y, 128, 64),
  }),
  row({
    name: "relativeShift",
    inputs: { x: numbers(512, 2048) },
    out: { y: floats(512, 2048) },
    library:
      (pe) =>
      ({ x }, { y }) =>
        pe.relativeShift(x, { out: y.data }),
    script: ({ x }, { y }) => plain.relativeShift(x, y, 512, 2048),
  }),
];

const SHAW = { heads: 4, n: 256, dim: 64, maxDistance: 32 };
const ofShaw = (...last) => ({
  query: [SHAW.heads, SHAW.n, SHAW.dim],
  key: [SHAW.heads, SHAW.n, SHAW.dim],
  value: [SHAW.heads, SHAW.n, SHAW.dim],
  keyTable: [2 * SHAW.maxDistance + 1, SHAW.dim],
  valueTable: [2 * SHAW.maxDistance + 1, SHAW.dim],
  ...last[0],
});
const eachOf = (shapes, make) => Object.fromEntries(Object.entries(shapes).map(([name, one]) => [name, make(...one)]));
const dataOf = (tensors) => Object.fromEntries(Object.entries(tensors).map(([name, { data }]) => [name, data]));
const backward = row({
  name: "shawBackward",
  inputs: eachOf(ofShaw({ gradient: [SHAW.heads, SHAW.n, SHAW.dim] }), numbers),
  out: eachOf(ofShaw(), floats),
  tolerance: 1e-4,
  library: (pe) => (tensors, results) =>
    pe.shawBackward({ ...tensors, maxDistance: SHAW.maxDistance, out: dataOf(results) }),
  script: (arrays, results) => shawBackward(arrays, results, SHAW),
});

export const relatives = [
  ...byDistance,
  fire("below its threshold", N, half),
  fire("beyond its threshold", 512, [{ of: "posenc", measure: "each", values: COUNT, must: 3 }]),
  ...swin,
  cope,
  ...expanded,
  ...pairs,
  map,
  ...others,
  backward,
];
