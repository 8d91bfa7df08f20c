// Models and layers as objects: what they have, what they are applied to, how long they live. What each type of model
// does, and its numbers, are tests of the core (tests/core/hub).

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

test("model: wrong arguments are named, and nothing is changed", () => {
  const model = pe.model(deepseek);
  const layer = model.layer(0);
  const [q, k] = [numbers(20), numbers(8)];
  const shape = { shape: [2, 1, 10], seqAxis: 0 };
  for (const [run, message] of [
    [() => model.layer(3), /^index: 3, expected a layer, from 0 to 2/],
    [() => model.layer(1.5), /^index: 1\.5, expected a whole number/],
    [() => model.layer(0, { lay: 1 }), /lay/],
    [() => pe.model({ rope_theta: 1, head_dim: 8, num_hidden_layers: 1 }).layer(0), /^layout: /],
    ...[null, Number.NaN].map((given) => [() => pe.model(given), /^config: (null|NaN), expected/]),
    [() => layer.apply(q, k, { ...shape, keyShape: [2, 1, 5] }), /^keyShape: 5, expected 10, or the rotated dim.*, 4/],
    [() => layer.apply(q, k, shape), /^k: 8, expected 20 values/],
    [() => layer.apply(q, k, { ...shape, keyShape: [2, 1, 4], positions: [1, 2], offset: 1 }), /^offset: 1/],
  ])
    assert.throws(run, { message });
  assert.deepEqual([q, k], [numbers(20), numbers(8)]);
  layer.delete();
  assert.throws(() => layer.apply(q, k, { ...shape, keyShape: [2, 1, 4] }), { message: /layer/ });
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

const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4 };

test("evidence: each trait, of its plan, and the key or the file that says it", () => {
  const { evidence } = pe.model({ ...sizes, model_type: "llama", rope_theta: 5e5 });
  const of = (trait) => evidence.find((item) => item.trait === trait);
  assert.deepEqual(of("base"), { trait: "base", plan: 0, known: "config", from: "rope_theta" });
  assert.deepEqual(of("layout"), { trait: "layout", plan: 0, known: "numbers", from: "modeling_llama.py" });
  assert.deepEqual(of("ids"), { trait: "ids", plan: null, known: "assumed", from: null });
});

test("grids: what rotaryGrid takes, and no layer takes a sequence", () => {
  const flux = { _class_name: "FluxTransformer2DModel", axes_dims_rope: [16, 56, 56], attention_head_dim: 128 };
  const model = pe.model({ ...flux, num_attention_heads: 24, num_layers: 19 });
  assert.deepEqual(model.encoding, { type: "grid", preset: "flux", dim: 128, dims: [16, 56, 56] });
  const { type, ...options } = model.encoding;
  const rope = pe.rotaryGrid(options);
  assert.equal(rope.dim, 128);
  rope.delete();
  assert.throws(() => model.layer(0), /^RangeError: config: "FluxTransformer2DModel", expected a model whose/);
  const dino = pe.model({ model_type: "dinov3_vit", hidden_size: 384, num_attention_heads: 6, rope_theta: 100 });
  assert.deepEqual(dino.encoding, { type: "grid", preset: "dinov3", dim: 64, base: 100 });
});

test("parts: vision, audio and other configs are models of their own, by path", () => {
  const config = {
    model_type: "qwen2_5_vl",
    text_config: { ...sizes, model_type: "qwen2_5_vl_text" },
    vision_config: { model_type: "qwen2_5_vl", depth: 2, hidden_size: 64, num_heads: 4, window_size: 112 },
  };
  assert.deepEqual(pe.model(config).parts, ["vision_config"]);
  const vision = pe.model(config, { part: "vision_config" });
  assert.deepEqual(vision.encoding, { type: "grid", preset: "qwen2-vl", dim: 16, mergeSize: 2 });
  assert.equal(vision.path, "vision_config.");
  assert.deepEqual(vision.unknownKeys, ["vision_config.window_size"]);
  assert.deepEqual(vision.otherCode, []);
  const remote = pe.model({ ...config, auto_map: { AutoModel: "modeling_x.Model" } }, { part: "vision_config" });
  assert.deepEqual(remote.otherCode, ["auto_map"]);
  assert.ok(remote.evidence.every(({ known }) => known !== "source" && known !== "numbers"));
  // Published configs of Qwen2.5-VL leave the tower's type out.
  const { model_type: _, ...untyped } = config.vision_config;
  const tower = pe.model({ ...config, vision_config: untyped }, { part: "vision_config" });
  assert.deepEqual([tower.type, tower.encoding], [vision.type, vision.encoding]);
  const other = pe.model({ ...config, model_type: "llama", vision_config: untyped }, { part: "vision_config" });
  assert.deepEqual([other.type, other.encoding], [null, { type: "unknown" }]);
  const refused = { name: "RangeError", message: /^part: "audio", expected the path of an object in the config/ };
  assert.throws(() => pe.model(config, { part: "audio" }), refused);
  const nested = { model_type: "x", code2wav_config: { ...sizes, model_type: "llama" } };
  const layer = pe.model(nested, { part: "code2wav_config" }).layer(0);
  assert.equal(layer.layers.plan, 0);
  layer.delete();
});
