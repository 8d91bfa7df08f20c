// The next function takes what one gives: every output of positions, ids and tensors is given to every input that could
// want it, and so is the same as other libraries have it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/tools";
import { range, tensor } from "../testing/reference.mjs";

const pe = await load();
const n = 6;
const dim = 8;
const heads = 2;
const rotary = pe.rotary({ dim, layout: "half" });
const other = pe.rotary({ dim, layout: "half", base: 500 });
const xpos = pe.xpos({ dim, layout: "half", centre: 3 });
const mrope = pe.mrope({ dim, layout: "half", sections: [2, 1, 1], order: "chunked" });
const grid = pe.rotaryGrid({ preset: "axial", dim, layout: "half", axes: 2 });
const layerOf = (rope) =>
  pe
    .model({
      ...{ model_type: "llama", hidden_size: dim, num_attention_heads: 1, num_hidden_layers: 1 },
      ...{ rope_theta: 10000, max_position_embeddings: 64 },
      ...rope,
    })
    .layer(0);
const layer = layerOf({});
const x = () => tensor([heads, n, dim], 1).data;
const axes = { shape: [heads, n, dim], seqAxis: 1 };
const table = tensor([64, dim], 2);
const embeddings = tensor([n, dim], 3);
const keys = (by, positions) => pe.editKeys(x(), { ...axes, rotary: by, positions, edits: [{ type: "shift", by: 1 }] });
const tensorOfOrt = ({ data, shape }, type, Kind) => ({
  type,
  data: Kind.from(data, Kind === BigInt64Array ? BigInt : Number),
  dims: shape,
});

/** Each line has as many numbers as there are tokens, or [1, tokens] of them. */
const positions = {
  packedPositions: pe.packedPositions([0, 2, n]),
  maskPositions: pe.maskPositions({ data: [0, 0, 1, 1, 1, 1], shape: [1, n] }),
  "maskPositions of an int64 mask": pe.maskPositions({ data: BigInt64Array.from([0n, 1n, 1n, 1n, 1n, 1n]), dims: [n] }),
  paddedPositions: pe.paddedPositions([1, 1, 1, 1, 0, 0], { paddingIdx: 1 }),
  "editKeys.positions": keys(rotary, range(n)).positions,
  "positionMap.queryPositions": (() => {
    const { data } = pe.positionMap({ type: "self-extend", window: 2, group: 2, queries: n, keys: n }).queryPositions;
    return { data: data.slice(0, n), shape: [n] };
  })(),
  "a list": range(n),
  "an Int32Array": Int32Array.from(range(n)),
  "a Uint8Array": Uint8Array.from(range(n)),
  "a Float64Array": Float64Array.from(range(n)),
  "a BigInt64Array": BigInt64Array.from(range(n), BigInt),
  "int64 of onnxruntime-web": tensorOfOrt({ data: range(n), shape: [1, n] }, "int64", BigInt64Array),
  "int32 of transformers.js": tensorOfOrt({ data: range(n), shape: [n] }, "int32", Int32Array),
  "a tensor of a plain list": Object.freeze({ data: Object.freeze(range(n)), shape: Object.freeze([n]) }),
};

const takesPositions = {
  "rotary.apply": (given) => rotary.apply(x(), { ...axes, positions: given }),
  "rotary.cache": (given) => rotary.cache({ positions: given }).cos.data,
  rotaryCache: (given) => pe.rotaryCache({ rotary, form: "onnx", positions: given }).cos.data,
  rotateAgain: (given) => pe.rotateAgain(x(), { ...axes, from: rotary, to: other, positions: given }),
  shiftRotated: (given) => pe.shiftRotated(x(), { ...axes, rotary, by: given }),
  rotateWithCache: (given) =>
    pe.rotateWithCache(x(), {
      ...axes,
      ...rotary.cache({ length: 64 }),
      layout: "half",
      form: "onnx",
      positions: given,
    }),
  "xpos.apply": (given) => xpos.apply(x(), { ...axes, side: "key", positions: given }),
  "xpos.scales": (given) => xpos.scales({ positions: given }).data,
  sinusoidal: (given) => pe.sinusoidal({ dim, positions: given }).data,
  queryTemperature: (given) => pe.queryTemperature(x(), { ...axes, slope: 0.1, period: 2, positions: given }),
  "layer.apply": (given) => layer.apply(x(), x(), { ...axes, positions: given }).q,
  editKeys: (given) => keys(rotary, given).keys,
  "an insert of editKeys": (given) =>
    pe.editKeys(x(), {
      ...axes,
      rotary,
      edits: [{ type: "insert", at: 0, keys: x(), ...axes, positions: given }],
    }).keys,
  linearAttention: (given) => {
    const [query, key, value] = [4, 5, 6].map((seed) => tensor([n, dim], seed));
    const list = "data" in given ? given.data : given;
    return pe.linearAttention({ query, key, value, rotary, queryPositions: list, keyPositions: list }).data;
  },
  diagnose: (given) => {
    const before = { data: x(), shape: axes.shape };
    const after = { data: rotary.apply(x(), { ...axes, positions: given }), shape: axes.shape };
    const expected = { dim, layout: "half" };
    const made = pe.diagnose({ before, after, positions: given, seqAxis: 1 }, { expected });
    assert.deepEqual([made.explanations[0]?.mistakes, made.seqAxis], [[], 1], made.text);
    return [made.residual ?? 0];
  },
  lookupRows: (given) => pe.lookupRows(table, { ids: given }).data,
  addRows: (given) => pe.addRows(embeddings, table, { ids: "data" in given ? given.data : given }).data,
  rowsGradient: (given) => pe.rowsGradient(embeddings, { ids: "data" in given ? given.data : given, rows: 64 }).data,
};

const numbersOf = (given) => Array.from("data" in given ? given.data : given, Number);

for (const [to, take] of Object.entries(takesPositions))
  test(`${to} takes positions from everywhere`, () => {
    for (const [from, given] of Object.entries(positions))
      assert.deepEqual(take(given), take(numbersOf(given)), `${from} to ${to}`);
  });

/** Ids of three axes. */
const made = pe.mropePositions({ preset: "qwen2-vl", segments: [{ text: 2 }, { image: [1, 4, 4] }] }).positions;
const ids = {
  mropePositions: made,
  "mropePositions of one row": pe.mropePositions({ preset: "qwen2-vl", rows: [[{ text: 2 }, { image: [1, 4, 4] }]] })
    .positions,
  "editKeys.positions": { data: keys(mrope, made).positions, shape: [3, n] },
  "int64 of onnxruntime-web": tensorOfOrt(made, "int64", BigInt64Array),
  "a plain list": { data: Array.from(made.data), shape: [3, n] },
};
const mropeLayer = layerOf({
  model_type: "qwen2_vl",
  rope_parameters: { rope_type: "default", rope_theta: 10000, mrope_section: [2, 1, 1] },
});
const takesIds = {
  "mrope.apply": (given) => mrope.apply(x(), { ...axes, positions: given }),
  "mrope.cache": (given) => mrope.cache({ positions: given }).cos.data,
  "layer.apply": (given) => mropeLayer.apply(x(), x(), { ...axes, positions: given }).k,
  editKeys: (given) => keys(mrope, given).keys,
  "diagnose, ids": (given) => {
    const samples = { ids: given, segments: [{ text: 2 }, { image: [1, 4, 4] }] };
    return numbersOf(pe.diagnose(samples).explanations[0].found.axes);
  },
  "diagnose, positions": (given) => {
    const before = { data: x(), shape: axes.shape };
    const after = { data: mrope.apply(x(), { ...axes, positions: given }), shape: axes.shape };
    const { verdict, text } = pe.diagnose({ before, after, positions: given, seqAxis: 1 });
    assert.notEqual(verdict, "none", text);
    return [verdict];
  },
};
for (const [to, take] of Object.entries(takesIds))
  test(`${to} takes ids of several axes from everywhere`, () => {
    for (const [from, given] of Object.entries(ids)) {
      const plain = { data: numbersOf(given), shape: [3, n] };
      assert.deepEqual(take(given), take(plain), `${from} to ${to}`);
    }
  });

test("points of grids go from one function to the next", () => {
  for (const points of [grid.points([2, 3]), keys(grid, grid.points([2, 3])).positions]) {
    const list = Array.from(points);
    assert.deepEqual(grid.apply(x(), { ...axes, points }), grid.apply(x(), { ...axes, points: list }));
    assert.deepEqual(grid.cache({ points }), grid.cache({ points: list }));
    assert.deepEqual(keys(grid, points).keys, keys(grid, list).keys);
  }
});

test("ids of pairs go into biases and back, in int64 too", () => {
  const pairs = { queries: 3, keys: 3 };
  for (const of of [
    pe.relativeOffsets({ ...pairs }),
    pe.t5Buckets({ ...pairs, bidirectional: true }),
    pe.shawIds({ ...pairs, maxDistance: 2 }),
    pe.swinIndex({ height: 2, width: 2 }),
  ]) {
    const { data, shape } = { data: of.data.map((id) => Math.abs(id)), shape: of.shape };
    const biases = tensor([64, heads], 7);
    const bias = pe.tableBias({ ids: { data, shape }, table: biases });
    assert.deepEqual(pe.tableBias({ ids: tensorOfOrt({ data, shape }, "int64", BigInt64Array), table: biases }), bias);
    const back = (ids) => pe.tableBiasBackward({ ids, gradient: bias, rows: 64 });
    assert.deepEqual(back({ data: Array.from(data), shape }), back({ data, shape }));
  }
});

test("tensors with dims are taken as those with a shape", () => {
  const [query, key, value] = [1, 2, 3].map((seed) => tensor([heads, n, dim], seed));
  const dims = ({ data, shape }) => ({ type: "float32", data, dims: Object.freeze(shape) });
  assert.deepEqual(
    pe.attention({ query: dims(query), key: dims(key), value: dims(value) }),
    pe.attention({ query, key, value }),
  );
  assert.deepEqual(pe.add(dims(query), table, { seqAxis: 1 }), pe.add(query, table, { seqAxis: 1 }));
  const bits = pe.convert(query, "float16");
  const half = { type: "float16", data: new Uint16Array(bits.data.buffer.slice(0)), dims: query.shape };
  assert.deepEqual(pe.convert(half, "float32"), pe.convert(bits, "float32"));
  const mask = { type: "bool", data: Uint8Array.from(range(n * n), (i) => i % 3 && 1), dims: [n, n] };
  assert.deepEqual(
    pe.attention({ query, key, value, mask }),
    pe.attention({ query, key, value, mask: { data: mask.data, shape: mask.dims } }),
  );
});

test("integers of 64 bits beyond 2^53, and ids beyond 2^31, are refused by their index", () => {
  const message = (call) => {
    try {
      call();
    } catch (error) {
      return `${error.name}: ${error.message}`;
    }
    return "taken";
  };
  assert.match(
    message(() => rotary.cache({ positions: BigInt64Array.of(0n, 2n ** 53n + 1n) })),
    /^RangeError: positions\[1\]: 9007199254740993n, expected a whole number from -2\^53 to 2\^53/,
  );
  assert.match(
    message(() => pe.lookupRows(table, { ids: BigInt64Array.of(2n ** 31n) })),
    /^RangeError: ids\[0\]: 2147483648, expected a whole number from -2\^31 to 2\^31 - 1/,
  );
  assert.match(
    message(() => pe.lookupRows(table, { ids: [1n] })),
    /^TypeError: ids\[0\]: 1n, expected a number/,
  );
  assert.match(
    message(() => rotary.cache({ positions: 5n })),
    /^TypeError: positions: 5n/,
  );
  assert.match(
    message(() => rotary.cache({ positions: [[1n]] })),
    /^TypeError: positions\[0\]: \[1n\], expected a number/,
  );
});
