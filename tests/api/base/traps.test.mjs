// What a user stumbles over: each refusal says what is possible, what was meant or what mends it, and what one function
// gives the next one takes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { load as loadSmall } from "posenc";
import { load } from "posenc/tools";
import { tensor } from "../testing/reference.mjs";
import { testWrongCalls } from "../testing/testing.mjs";

const pe = await load();
const small = await loadSmall();
const plan = { dim: 8, layout: "half" };
const rope = pe.rotary(plan);
const sizes = { hidden_size: 32, num_attention_heads: 4, num_hidden_layers: 2, num_key_value_heads: 2 };
const config = { model_type: "llama", ...sizes, max_position_embeddings: 2048 };
const layer = pe.model(config).layer(0);
const rope3 = { type: "mrope", mrope_section: [2, 1, 1] };
const layer3 = pe.model({ ...config, model_type: "qwen2_vl", rope_scaling: rope3 }).layer(0);
const floats = (length) => new Float32Array(length);
const layouts = 'one of "half", "interleaved", "deinterleaved"; it has no default';
const batch = { shape: [2, 3, 8], seqAxis: 1, batchAxis: 0 };
const forms = 'one of "onnx", "huggingface", "huggingface-interleaved", "ggml"; it has no default';
const vectors = { before: tensor([12, 2, 8]), after: tensor([12, 2, 8]), seqAxis: 0 };
const vectors12 = () => ({ ...vectors, positions: [...Array(12).keys()] });
const spoilt = (shape, at) => {
  const made = tensor(shape);
  made.data[at] = Number.NaN;
  return made;
};
const scaled = (scaling) => pe.rotary({ ...plan, scaling });
const rotated = (positions) => rope.apply(floats(48), { ...batch, positions });
const pixtral = (points, shape = [16, 64]) =>
  pe.rotaryGrid({ preset: "pixtral", dim: 64 }).apply(tensor(shape), points);
const qwen = { preset: "qwen2-vl", dim: 16, mergeSize: 2 };
const thirds = { ...plan, sections: [2, 1, 1], order: "chunked" };
const sections = pe.mrope(thirds);
const ids = (shape) => ({ data: Array(12).fill(0), shape });
const segments = (preset, segments) => pe.mropePositions({ preset, segments });
const cache = small.kvCache({ heads: 1, capacity: 4, dim: 8, seqAxis: 1 });
const bits = { data: new Uint16Array(8), shape: [1, 1, 8], dtype: "float16" };
const vision = { model_type: "qwen2_vl", depth: 2, embed_dim: 32, num_heads: 2, spatial_merge_size: 2 };
const of = (part) => pe.model({ ...config, model_type: "qwen2_vl", vision_config: vision }, { part });
/** An array that says that it is longer than memory. */
const endless = new Proxy([], {
  get: (of, key) => (key === "length" ? 2 ** 32 : typeof key === "string" ? 1 : of[key]),
});

testWrongCalls([
  // No convention is taken in silence: patches in blocks, or row by row.
  [
    () => pe.rotaryGrid({ preset: "qwen2-vl", dim: 16 }),
    RangeError,
    "mergeSize: none, expected a whole number >= 1: 2",
  ],
  [() => small.kvCache({ heads: 2, capacity: 4, dim: 8 }), RangeError, "seqAxis: none, expected 1, as in [batch, seq,"],
  // Ids have their axes in front: tokens first are another order, and not taken for it.
  [
    () => sections.apply(tensor([4, 8]), { positions: ids([4, 3]) }),
    RangeError,
    "positions.shape: [4, 3], expected [3, …",
  ],
  [
    () => layer3.apply(tensor([4, 8]), tensor([4, 8]), { positions: ids([4, 3]) }),
    RangeError,
    "positions.shape: [4, 3], expected [3, …, seq]",
  ],
  [() => sections.cache({ positions: ids([2, 3, 2]) }), RangeError, "positions.shape: [2, 3, 2], expected [3, …, seq]"],
  // The names that there are.
  [() => pe.rotary({ dim: 8 }), TypeError, `layout: undefined, expected ${layouts}`],
  [() => small.rotary({ dim: 8 }), TypeError, `layout: undefined, expected ${layouts}`],
  [() => pe.rotaryMixed({ dim: 8, frequencies: [1] }), TypeError, "layout: undefined, expected one of"],
  [() => pe.rotaryGrid({ dim: 8 }), TypeError, 'preset: undefined, expected one of "axial", "qwen2-vl"'],
  [() => pe.sinusoidalGrid({ dim: 8, shape: [2, 2] }), TypeError, 'preset: undefined, expected one of "detr", "mae"'],
  [() => pe.rotaryCache({ rotary: rope, length: 3 }), TypeError, `form: undefined, expected ${forms}`],
  [() => pe.mropePositions({ segments: [] }), TypeError, 'preset: undefined, expected one of "qwen2-vl"'],
  [() => pe.fourier({ points: [1], weights: [1] }), TypeError, "preset: undefined, expected one of"],
  [
    () => scaled({ rope_type: "yarn", factor: 4 }),
    TypeError,
    'scaling.rope_type: "yarn", expected type (or one of type)',
  ],
  [() => scaled({}), TypeError, 'scaling.type: undefined, expected one of "default", "linear"'],
  [
    () => scaled({ type: "yarn", factor: 4, original_max_position_embeddings: 32 }),
    TypeError,
    "scaling.original_max_position_embeddings: 32, expected originalLength (or",
  ],
  [() => pe.convert(tensor([1, 8])), TypeError, 'dtype: undefined, expected one of "float32", "float16", "bfloat16"'],
  [() => small.kvCache({ maxLength: 4 }), TypeError, "kvCache.maxLength: 4, expected capacity (or one of batch, heads"],
  [() => rope.apply(floats(8), { dims: [1, 8] }), TypeError, "apply.dims: [1, 8], expected shape (or one of shape"],
  [
    () => cache.attend(tensor([1, 1, 8]), { attention_mask: [1] }),
    TypeError,
    "attend.attention_mask: [1], expected keyMask",
  ],
  [() => of("vision"), RangeError, 'part: "vision", expected the path of an object in the config, of [vision_config]'],
  [() => of("vision_config.depth"), RangeError, 'part: "vision_config.depth", expected the path of an object in the'],
  // What mends it.
  [
    () => rotated(Array(2).fill([0, 1, 2])),
    TypeError,
    "positions[0]: [0, 1, 2], expected a number; lists of lists are given flat: { data, shape }",
  ],
  [
    () => rotated(Array(6).fill(0)),
    RangeError,
    "positions: 6, expected 3 values, or lists with their shape, [batch, seq]",
  ],
  [() => rotated([0, 1]), RangeError, "positions: 2, expected 3 values, one for each token along seqAxis"],
  [() => pixtral({ points: [[0, 0]] }), TypeError, "points[0]: [0, 0], expected a number; lists of lists"],
  [() => pixtral({}), TypeError, "grid: undefined, expected an array of extents, or points in its place"],
  [() => pe.rotaryGrid(qwen).points([3, 4]), RangeError, "grid: 3, expected multiples of mergeSize (2)"],
  [() => pe.rotaryGrid(qwen).cache({ grid: [4] }), RangeError, "grid: 1, expected 2 axes"],
  [() => pe.mrope({ ...thirds, sections: [1, 2, 4] }), RangeError, "sections: 7, expected whole numbers >= 0 that"],
  [() => segments("qwen2.5-vl", []), RangeError, "tokensPerSecond: none, expected a finite number >= 0"],
  [() => segments("qwen2-vl", [3]), TypeError, "segments[0]: 3, expected one of text, image, video"],
  [() => cache.truncate(), TypeError, "length: undefined, expected an array of numbers, or one number"],
  [() => pe.convert(floats(8), "float16"), TypeError, "x: [object Float32Array], expected a tensor"],
  [() => cache.attend(bits), TypeError, "query.data: [object Uint16Array], expected a Float32Array, by convert() of"],
  [() => rope.apply(floats(10), { shape: [1, 8] }), RangeError, "x: 10, expected 8 values for shape [1, 8]"],
  [() => pe.queryTemperature(floats(10), { shape: [1, 8] }), TypeError, "slope: undefined"],
  [
    () => pe.attention({ query: [[1]], key: [[1]], value: [[1]] }),
    TypeError,
    "query: [[object Array]], expected a tensor",
  ],
  [
    () => layer.apply(floats(96), floats(48), { shape: [4, 3, 8], seqAxis: 1 }),
    RangeError,
    "k: 48, expected 96 values for shape [4, 3, 8]; keys of fewer heads have a keyShape",
  ],
  [
    () => layer.apply(tensor([1, 8]), { seqAxis: 0 }),
    TypeError,
    "k: an object, expected a tensor { data, shape } of keys",
  ],
  [() => layer.apply(floats(8), { shape: [1, 8] }), TypeError, "k: an object, expected a Float32Array of keys"],
  [
    () => pixtral({ grid: [64, 64] }),
    RangeError,
    "grid: 4096, expected 16 points, as the sequence has tokens to rotate, or as many for each of a batch; a grid counts",
  ],
  [
    () => pixtral({ grid: [64, 64], seqAxis: 0 }, [16, 2, 64]),
    RangeError,
    "batchAxis: none, expected the axis whose indices have lists of their own: 0 in [batch, heads, seq, dim]; a grid",
  ],
  [
    () => rope.step(pe.buffer(8, { dtype: "float16" }), { shape: [1, 8] }),
    TypeError,
    "x: an object, expected what buffer() of this entry made, of float32 values: apply() takes others too",
  ],
  [() => pe.model({}), RangeError, "config: an object, expected the object parsed from a config.json, which has keys"],
  [() => pe.hubConfig({}), RangeError, "config: an object, expected the object parsed from a config.json"],
  // Whose value it is: a token's, a head's, a dimension's.
  [() => pe.diagnose({ ...vectors, positions: Array(8).fill(0) }), RangeError, "positions: 8, expected 12, the extent"],
  [
    () => pe.diagnose({ ...vectors12(), after: spoilt([12, 2, 8], 5 * 16 + 11) }),
    RangeError,
    "after.data[91] (token 5, head 1, dimension 3): NaN, expected",
  ],
  [() => pe.diagnose({ table: spoilt([6, 4], 9) }), RangeError, "table.data[9] (token 2, dimension 1): NaN, expected"],
  [
    () => pe.diagnose({ cos: spoilt([6, 4], 9), sin: tensor([6, 4]) }),
    RangeError,
    "cos.data[9] (token 2, dimension 1): NaN",
  ],
  // One check of sections: a rotation that cannot be made cannot be expected.
  [
    () => pe.diagnose(vectors12(), { expected: { ...plan, mrope: { order: "time-last", sections: [1, 1, 2] } } }),
    RangeError,
    "sections: 2, expected as many pairs of width as of height",
  ],
  // Lists are refused by their length, and messages stay short.
  [() => rotated(endless), RangeError, "positions: 4294967296, expected as many"],
  [() => rope.apply(floats(8), { shape: endless }), RangeError, "shape: 4294967296, expected as many values as fit"],
  [
    () => scaled({ type: "given", frequencies: endless }),
    RangeError,
    "scaling.frequencies: 4294967296, expected as many",
  ],
  [
    () => pe.add({ data: floats(2), shape: Array(1e5).fill(1) }, tensor([1, 1])),
    RangeError,
    "x.data: 2, expected 1 values for shape [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, …]",
  ],
]);

test("methods that were taken out of their object work", () => {
  const [{ apply, cache, step, dispose }, grid] = [pe.rotary(plan), pe.rotaryGrid({ preset: "pixtral", dim: 64 })];
  assert.deepEqual(apply(tensor([2, 8]), {}), rope.apply(tensor([2, 8]), {}));
  assert.deepEqual(cache({ length: 2 }), rope.cache({ length: 2 }));
  const x = small.buffer(8);
  const { apply: rotate } = small.rotary(plan).step(x, { shape: [1, 8] });
  rotate(3);
  step(pe.buffer(8), { shape: [1, 8] });
  const { points } = grid;
  assert.deepEqual(points([1, 2]), grid.points([1, 2]));
  const { layer: of } = pe.model(config);
  const { apply: applyLayer } = of(0);
  assert.equal(applyLayer(tensor([1, 8]), tensor([1, 8]), {}).q.shape.length, 2);
  dispose();
  assert.throws(() => apply(tensor([2, 8]), {}), /^TypeError: rotary: "a deleted one"/);
});

test("objects print what they are", () => {
  for (const [made, printed] of [
    [small.rotary({ dim: 128, layout: "half", base: 10000 }), "Rotary { dim: 128, layout: 'half', base: 10000 }"],
    [
      pe.rotary({ ...plan, scaling: { type: "linear", factor: 4 } }),
      /^Rotary \{ dim: 8, layout: 'half', scaling: \{ type: /,
    ],
    [pe.rotaryGrid({ preset: "pixtral", dim: 64 }), "GridRotary { preset: 'pixtral', dim: 64 }"],
    [small.buffer(8), "Buffer { length: 8 }"],
    [pe.model(config), "Model { type: 'llama', encoding: 'rotary', mask: 'causal', length: 2048 }"],
    [pe.model(config).layer(1), /^ModelLayer \{\s+index: 1,/],
  ])
    if (typeof printed === "string") assert.equal(inspect(made), printed);
    else assert.match(inspect(made), printed);
});

test("results have rows and values at an index, and stay { data, shape }", () => {
  for (const each of [pe, small]) {
    const cache = each.rotary(plan).cache({ length: 3 });
    const table = each.sinusoidal({ length: 3, dim: 4 });
    assert.deepEqual(table, { data: table.data, shape: [3, 4] });
    assert.deepEqual(Object.keys({ ...table }), ["data", "shape"]);
    assert.deepEqual(structuredClone(table).shape, [3, 4]);
    assert.deepEqual([...table.row(1)], [...table.data.subarray(4, 8)]);
    assert.equal(table.row(-1).buffer, table.data.buffer);
    assert.equal(cache.sin.at(2, -1), cache.sin.data[11]);
    for (const [call, message] of [
      [() => table.row(3), /^RangeError: row\[0\]: 3, expected a whole number from -3 to 2$/],
      [() => table.at(1), /^RangeError: at: 1, expected 2 indices$/],
      [() => table.at(0, 0.5), /^RangeError: at\[1\]: 0\.5, expected a whole number$/],
    ])
      assert.throws(call, message);
  }
  const bias = pe.alibi({ heads: 2, queries: 3, keys: 3 });
  assert.deepEqual([...bias.row(1, 2)], [...bias.data.subarray(15, 18)]);
});

test("what one function gives the next one takes", () => {
  const partial = pe.model({ model_type: "phi3", ...sizes, partial_rotary_factor: 0.5 }).plans[0].rotary;
  assert.equal(partial.rotaryDim, 4);
  for (const each of [pe, small]) {
    assert.deepEqual(each.frequencies(partial), each.frequencies({ dim: 4 }));
    assert.throws(
      () => each.frequencies({ dim: 8, rotaryDim: 10 }),
      /^RangeError: rotaryDim: 10, expected an even number/,
    );
  }
  const { type, ...grid } = of("vision_config").encoding;
  assert.deepEqual([type, grid], ["grid", { preset: "qwen2-vl", dim: 16, mergeSize: 2 }]);
  // Cells come block by block.
  assert.deepEqual([...pe.rotaryGrid(grid).points([2, 4])], [0, 0, 0, 1, 1, 0, 1, 1, 0, 2, 0, 3, 1, 2, 1, 3]);
});
