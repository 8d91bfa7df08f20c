// Models layer by layer, and layers that rotate. Numbers of models: tests/core/hub/model.test.cpp names where
// they were read; models.test.mjs compares with what models' own code gives.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../dist/full.js";

const pe = await load();

const llama4 = {
  text_config: {
    model_type: "llama4_text",
    head_dim: 8,
    num_hidden_layers: 8,
    attention_chunk_size: 8192,
    max_position_embeddings: 10485760,
  },
};
const deepseek = {
  model_type: "deepseek_v3",
  num_hidden_layers: 3,
  qk_rope_head_dim: 4,
  qk_nope_head_dim: 6,
  max_position_embeddings: 4096,
};
const numbers = (count) => Float32Array.from({ length: count }, (_, i) => ((i * 37) % 19) / 8 - 1);

test("model: the plan of each run of layers", () => {
  const model = pe.model(llama4);
  assert.equal(model.type, "llama4_text");
  assert.equal(model.path, "text_config.");
  assert.equal(model.length, 10485760);
  assert.equal(model.originalLength, null);
  assert.deepEqual(model.ids, { rule: "sequence" });
  assert.deepEqual(
    model.layers.map(({ count, type, plan }) => [count, type, plan]),
    [
      [3, "chunked_attention", 0],
      [1, "full_attention", null],
      [3, "chunked_attention", 0],
      [1, "full_attention", null],
    ],
  );
  assert.deepEqual(model.layers[0], {
    count: 3,
    type: "chunked_attention",
    plan: 0,
    dims: { first: 0, count: 8, dim: 8 },
    reach: { type: "chunk", size: 8192 },
    temperature: null,
    scale: 1 / Math.sqrt(8),
    norm: "after",
    softcap: null,
    sinks: false,
    indexer: null,
    compression: null,
    rotatesOutputs: false,
  });
  assert.deepEqual(model.layers[1].temperature, { slope: 0.1, shift: 1, period: 8192 });
  assert.equal(model.layers[1].dims, null);
  assert.deepEqual(model.unknownKeys, []);
});

test("model layer: queries and keys in place, of their own shapes", () => {
  const model = pe.model(deepseek);
  const layer = model.layer(2);
  assert.equal(layer.index, 2);
  assert.deepEqual(layer.layers, model.layers[0]);
  const q = numbers(2 * 3 * 10);
  const k = numbers(2 * 4);
  const expectedQ = q.slice();
  const expectedK = k.slice();
  const rope = pe.rotary({ dim: 4, layout: "deinterleaved" });
  rope.apply(expectedQ, { shape: [2, 3, 10], seqAxis: 0, firstDim: 6, positions: [5, 9] });
  rope.apply(expectedK, { shape: [2, 1, 4], seqAxis: 0, positions: [5, 9] });
  const made = layer.apply(q, k, { shape: [2, 3, 10], seqAxis: 0, keyShape: [2, 1, 4], positions: [5, 9] });
  assert.equal(made.q, q);
  assert.equal(made.k, k);
  assert.deepEqual(q, expectedQ);
  assert.deepEqual(k, expectedK);
  assert.notDeepEqual(q, numbers(q.length));
  assert.deepEqual(q.slice(0, 6), numbers(6));
  const alike = numbers(2 * 3 * 10);
  layer.apply(alike, k, {
    shape: [2, 3, 10],
    seqAxis: 0,
    keyShape: [2, 1, 4],
    positions: { data: [5, 9], shape: [2] },
  });
  assert.deepEqual(alike, expectedQ);
});

test("model layer: temperature where nothing rotates, the same as by queryTemperature", () => {
  const layer = pe.model(llama4).layer(3);
  const q = numbers(2 * 8);
  const k = numbers(2 * 8);
  layer.apply(q, k, { shape: [2, 1, 8], seqAxis: 0, positions: [3, 100000] });
  const expected = pe.queryTemperature(numbers(16), {
    shape: [2, 1, 8],
    seqAxis: 0,
    positions: [3, 100000],
    slope: 0.1,
    shift: 1,
    period: 8192,
  });
  assert.deepEqual(q, expected);
  assert.deepEqual(k, numbers(16));
  const factor = Math.fround(1 + 0.1 * Math.log(1 + Math.floor(100001 / 8192)));
  assert.equal(q[8], Math.fround(numbers(16)[8] * factor));
  assert.equal(q[0], numbers(1)[0]);
});

test("model layer: ids of several axes, and text", () => {
  const model = pe.model({
    model_type: "qwen2_vl",
    text_config: {
      model_type: "qwen2_vl_text",
      hidden_size: 16,
      num_attention_heads: 1,
      num_hidden_layers: 1,
      rope_parameters: { rope_type: "default", rope_theta: 1e6, mrope_section: [2, 3, 3] },
    },
    vision_config: { spatial_merge_size: 2 },
  });
  assert.deepEqual(model.ids, { rule: "qwen2-vl", mergeSize: 2 });
  const [plan] = model.plans;
  const { rule: preset, mergeSize } = model.ids;
  const { positions } = pe.mropePositions({ preset, mergeSize, segments: [{ text: 2 }, { image: [1, 4, 4] }] });
  const rope = pe.mrope({ ...plan.rotary, ...plan.mrope });
  const layer = model.layer(0);
  const shape = [6, 1, 16];
  const expected = rope.apply(numbers(96), { shape, seqAxis: 0, positions });
  assert.deepEqual(layer.apply(numbers(96), numbers(96), { shape, seqAxis: 0, positions }), {
    q: expected,
    k: expected,
  });
  // A batch of two rows, [axes, batch, seq].
  const rows = pe.mropePositions({
    preset,
    mergeSize,
    padding: "left",
    rows: [[{ text: 3 }], [{ text: 3 }]],
  }).positions;
  assert.deepEqual(rows.shape, [3, 2, 3]);
  const text = layer.apply(numbers(96), numbers(96), {
    shape: [2, 3, 1, 16],
    seqAxis: 1,
    batchAxis: 0,
    positions: rows,
  });
  assert.deepEqual(text, layer.apply(numbers(96), numbers(96), { shape: [2, 3, 1, 16], seqAxis: 1, batchAxis: 0 }));
  assert.deepEqual(
    layer.apply(numbers(96), numbers(96), { shape, seqAxis: 0, positions: [0, 1, 2, 3, 4, 5] }).q,
    pe.rotary(plan.rotary).apply(numbers(96), { shape, seqAxis: 0 }),
  );
});

test("model layer: outputs that are rotated back", () => {
  const layer = pe
    .model({
      model_type: "deepseek_v4",
      head_dim: 16,
      qk_rope_head_dim: 4,
      num_hidden_layers: 1,
      layer_types: ["sliding_attention"],
    })
    .layer(0);
  const x = numbers(32);
  layer.apply(x, numbers(32), { shape: [2, 1, 16], seqAxis: 0, offset: 40 });
  layer.applyToOutputs(x, { shape: [2, 1, 16], seqAxis: 0, offset: 40 });
  assert.ok(x.every((value, i) => Math.abs(value - numbers(32)[i]) < 4e-7));
});

test("model: wrong arguments are named, and nothing is changed", () => {
  const model = pe.model(deepseek);
  const refused = (run, message) => assert.throws(run, { message });
  refused(() => model.layer(3), /^index: 3, expected a layer, from 0 to 2/);
  refused(() => model.layer(1.5), /^index: 1\.5, expected a whole number/);
  refused(() => model.layer(0, { lay: 1 }), /^layer\.lay|^options\.lay|lay/);
  refused(
    () => pe.model({ rope_theta: 1, head_dim: 8 }).layer(0),
    /^index: 0, expected a config that has the number of layers/,
  );
  refused(() => pe.model({ rope_theta: 1, head_dim: 8, num_hidden_layers: 1 }).layer(0), /^layout: /);
  refused(() => pe.model(null), /^config: null/);
  const layer = model.layer(0);
  const q = numbers(20);
  const k = numbers(8);
  refused(
    () => layer.apply(q, k, { shape: [2, 1, 10], seqAxis: 0, keyShape: [2, 1, 5] }),
    /^keyShape: 5, expected 10, or the rotated dimensions alone, 4/,
  );
  refused(() => layer.apply(q, k, { shape: [2, 1, 10], seqAxis: 0 }), /^k: 8, expected 20 values/);
  refused(() => layer.apply(q, k, { shape: [2, 1, 9], seqAxis: 0, keyShape: [2, 1, 4] }), /^shape: 9/);
  refused(
    () => layer.apply(q, k, { shape: [2, 1, 10], seqAxis: 0, keyShape: [2, 1, 4], positions: [1] }),
    /^positions: 1/,
  );
  refused(
    () => layer.apply(q, k, { shape: [2, 1, 10], seqAxis: 0, keyShape: [2, 1, 4], positions: [1, 2], offset: 1 }),
    /^offset: 1/,
  );
  assert.deepEqual(q, numbers(20));
  assert.deepEqual(k, numbers(8));
  refused(() => pe.rotary({ dim: 4, layout: "half" }).apply(q, { shape: [2, 10], firstDim: 7 }), /^firstDim: 7/);
  refused(() => pe.queryTemperature(q, { shape: [2, 10], slope: 0.1, period: 0 }), /^period: 0/);
  refused(
    () => pe.queryTemperature(q, { shape: [2, 10], slope: 0.1, period: 8, positions: [0, -1] }),
    /^positions: -1/,
  );
  layer.delete();
  refused(() => layer.apply(q, k, { shape: [2, 1, 10], seqAxis: 0, keyShape: [2, 1, 4] }), /layer/);
});

test("model: a layer is that of the config, whatever became of the model's object", () => {
  const config = { ...deepseek };
  const model = pe.model(config);
  config.qk_rope_head_dim = 2;
  model.layers.length = 0;
  model.plans[0].rotary.base = 5;
  const q = numbers(10);
  model.layer(0).apply(q, numbers(4), { shape: [1, 1, 10], seqAxis: 0, keyShape: [1, 1, 4], offset: 3 });
  const rope = pe.rotary({ dim: 4, layout: "deinterleaved" });
  assert.deepEqual(q, rope.apply(numbers(10), { shape: [1, 1, 10], seqAxis: 0, offset: 3, firstDim: 6 }));
});

test("a window for each layer: Longformer's and LED's encoder reach half of it on either side of a query's own key", () => {
  const longformer = { model_type: "longformer", hidden_size: 32, num_attention_heads: 2, num_hidden_layers: 4 };
  const windowsOf = (config) => pe.model(config).layers.map(({ count, reach }) => [count, reach]);
  const window = (size) => ({ type: "window", size });
  assert.deepEqual(windowsOf({ ...longformer, attention_window: [32, 32, 64, 512] }), [
    [2, window(17)],
    [1, window(33)],
    [1, window(257)],
  ]);
  assert.deepEqual(windowsOf({ ...longformer, attention_window: 64 }), [[4, window(33)]]);
  assert.deepEqual(windowsOf(longformer), [[4, window(257)]]);
  const led = { model_type: "led", d_model: 32, encoder_attention_heads: 2, num_hidden_layers: 2 };
  assert.deepEqual(windowsOf({ ...led, attention_window: [1024, 1024] }), [[2, window(513)]]);
  assert.throws(() => pe.model({ ...longformer, attention_window: [32, 32] }), /a number for each of 4 layers/);
  assert.throws(() => pe.model({ ...longformer, attention_window: [32, 0, 32, 32] }), /attention_window: 0/);
});

test("a base for each layer: a plan for each type of layers, none where it is 0", () => {
  const granite = { model_type: "granite_swa", hidden_size: 256, num_attention_heads: 2, num_hidden_layers: 4 };
  const bases = pe.model({ ...granite, rope_theta: 5, layer_rope_theta: [1e6, 1e4, 1e4, 1e4] });
  assert.deepEqual(
    bases.plans.map(({ layerType, rotary }) => [layerType, rotary.base]),
    [
      ["full_attention", 1e6],
      ["sliding_attention", 1e4],
    ],
  );
  assert.deepEqual(bases.unknownKeys, []);
  const without = pe.model({ ...granite, layer_rope_theta: [0, 1e4, 1e4, 1e4] });
  assert.deepEqual(
    without.layers.map(({ count, plan }) => [count, plan]),
    [
      [1, null],
      [3, 0],
    ],
  );
  assert.throws(() => pe.model({ ...granite, layer_rope_theta: [1e6, 1e4] }), /a number for each of 4 layers/);
  assert.throws(() => pe.model({ ...granite, layer_rope_theta: [1, 2, 3, 2] }), /layer_rope_theta: 3, expected 2/);
});

test("is_causal: false makes a decoder bidirectional, and its windows reach as far on both sides", () => {
  const mistral = { model_type: "mistral", hidden_size: 64, num_attention_heads: 2, num_hidden_layers: 2 };
  const model = pe.model({ ...mistral, sliding_window: 64, is_causal: false });
  assert.equal(model.mask, "bidirectional");
  assert.deepEqual(model.layers[0].reach, { type: "window", size: 65 });
  assert.equal(model.evidence.find(({ trait }) => trait === "mask").from, "is_causal");
  assert.equal(pe.model(mistral).mask, "causal");
});
