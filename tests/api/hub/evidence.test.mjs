// A model's fields say how each is known; what is not known is said so, and nothing is read into a config.

import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "posenc/engines";
import { load } from "../../../dist/full.js";

const pe = await load();

/** How a trait is known: [known, from]. */
function knownOf(model, trait, plan = null) {
  const found = model.evidence.filter((item) => item.trait === trait && item.plan === plan);
  assert.equal(found.length, 1, `${trait}: ${JSON.stringify(found)}`);
  return [found[0].known, found[0].from];
}

const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4 };

test("evidence: from the config, checked by numbers, read, assumed, not known", () => {
  const llama = pe.model({ ...sizes, model_type: "llama", rope_theta: 5e5 });
  assert.deepEqual(knownOf(llama, "base", 0), ["config", "rope_theta"]);
  assert.deepEqual(knownOf(llama, "layout", 0), ["numbers", "modeling_llama.py"]);
  assert.deepEqual(knownOf(llama, "scaling", 0), ["source", "modeling_llama.py"]);
  assert.deepEqual(knownOf(llama, "mask"), ["source", "modeling_llama.py"]);
  assert.deepEqual(knownOf(pe.model({ ...sizes, model_type: "llama" }), "base", 0), ["source", "modeling_llama.py"]);
  const nested = pe.model({ text_config: { ...sizes, model_type: "llama", rope_parameters: { rope_theta: 7 } } });
  assert.deepEqual(knownOf(nested, "base", 0), ["config", "text_config.rope_parameters.rope_theta"]);
  assert.deepEqual(knownOf(nested, "scaling", 0), ["config", "text_config.rope_parameters"]);
  const read = pe.model({ ...sizes, model_type: "open-llama" });
  assert.deepEqual(knownOf(read, "layout", 0), ["source", "modeling_open_llama.py of 5.0.0.dev0, d372b82754"]);
  const own = pe.model({ ...sizes, model_type: "mine", rope_theta: 5e5 });
  assert.deepEqual(knownOf(own, "encoding"), ["config", "rope_theta"]);
  assert.deepEqual(knownOf(own, "base", 0), ["config", "rope_theta"]);
  for (const trait of ["layout", "dims"]) assert.notEqual(knownOf(own, trait, 0)[0], "numbers");
  for (const trait of ["reach", "mask", "scale", "temperature"]) assert.equal(knownOf(own, trait)[0], "unknown", trait);
  assert.equal(own.mask, "unknown");
  assert.deepEqual(own.layers[0].reach, { type: "unknown" });
  const bare = pe.model({ ...sizes, model_type: "mine", rope_scaling: { type: "linear", factor: 2 } });
  assert.deepEqual(knownOf(bare, "base", 0), ["assumed", null]);
  const bert = pe.model({ ...sizes, model_type: "bert" });
  assert.deepEqual(knownOf(bert, "encoding"), ["numbers", "modeling_bert.py"]);
  assert.deepEqual(knownOf(bert, "scale"), ["assumed", null]);
});

test("explain: how traits are known comes last, in both languages; what is not known is a risk", () => {
  const own = pe.model({ ...sizes, model_type: "mine", rope_theta: 5e5 });
  for (const language of ["en", "zh"]) {
    const findings = explain(own, { language });
    const config = findings.find(({ code }) => code === "known-config");
    assert.equal(config.kind, "evidence");
    assert.match(config.sentence, /rope_theta/);
    assert.equal(findings.find(({ code }) => code === "known-unknown").kind, "risk");
    assert.ok(findings.every(({ sentence }) => !/undefined|null|NaN/.test(sentence)));
  }
});

test("an unlisted type: a window is not taken for none", () => {
  const config = { ...sizes, model_type: "mine", rope_theta: 1e4, sliding_window: 4096 };
  const model = pe.model(config);
  assert.deepEqual(model.layers[0].reach, { type: "unknown" });
  assert.deepEqual(model.unknownKeys, ["sliding_window"]);
  const listed = pe.model({
    ...config,
    layer_types: ["sliding_attention", "full_attention", "other", "full_attention"],
  });
  assert.deepEqual(
    listed.layers.map(({ reach }) => reach),
    [{ type: "window", size: 4096 }, { type: "all" }, { type: "unknown" }, { type: "all" }],
  );
  assert.deepEqual(listed.unknownKeys, ["layer_types[2]"]);
  for (const key of [
    "attention_window",
    "rel_extent",
    "log_scaling_n_floor",
    "attn_type_list",
    "block_configs",
    "layer_group_size",
    "full_attention_interval",
    "sliding_window_size",
    "use_bidirectional_attention",
    "softmax_scale",
    "attention_span",
  ]) {
    assert.deepEqual(pe.model({ ...sizes, model_type: "mine", rope_theta: 1e4, [key]: 3 }).unknownKeys, [key]);
  }
});

test("an unlisted type of images or videos: one position does not describe a cell", () => {
  for (const own of [
    { _class_name: "QwenImageTransformer2DModel", axes_dims_rope: [16, 56, 56], attention_head_dim: 128 },
    { _class_name: "ZImageTransformer2DModel", axes_dims: [32, 48, 48], rope_theta: 256 },
    { model_type: "some_vit", patch_size: 14, rope_theta: 10000 },
    { model_type: "falcon_ocr", spatial_patch_size: 16, rope_theta: 10000 },
  ]) {
    const model = pe.model({ ...sizes, ...own });
    assert.equal(model.encoding.type, "unknown", JSON.stringify(own));
    assert.deepEqual(model.plans, []);
    assert.throws(() => model.layer(0), /^RangeError: config: "\w*", expected a model whose use of positions is known/);
  }
});

test("grids: what rotaryGrid takes", () => {
  const flux = { _class_name: "FluxTransformer2DModel", axes_dims_rope: [16, 56, 56], attention_head_dim: 128 };
  const model = pe.model({ ...flux, num_attention_heads: 24, num_layers: 19 });
  assert.deepEqual(model.encoding, { type: "grid", preset: "flux", dim: 128, dims: [16, 56, 56] });
  assert.equal(model.type, "FluxTransformer2DModel");
  const { type, ...options } = model.encoding;
  const rope = pe.rotaryGrid(options);
  assert.equal(rope.dim, 128);
  rope.delete();
  assert.throws(() => model.layer(0), /^RangeError: config: "FluxTransformer2DModel", expected a model whose/);
  const dino = pe.model({ model_type: "dinov3_vit", hidden_size: 384, num_attention_heads: 6, rope_theta: 100 });
  assert.deepEqual(dino.encoding, { type: "grid", preset: "dinov3", dim: 64, base: 100 });
  const cog = { _class_name: "CogVideoXTransformer3DModel", attention_head_dim: 64, num_attention_heads: 48 };
  assert.equal(pe.model(cog).encoding.type, "unknown");
  assert.equal(pe.model({ ...cog, use_rotary_positional_embeddings: true }).encoding.preset, "cogvideox");
  // Two encodings of which one is not known are not the same.
  assert.ok(pe.compare(model, pe.model(cog)).notKnown.includes("encoding"));
  const wan = pe.model({
    _class_name: "WanTransformer3DModel",
    attention_head_dim: 128,
    num_attention_heads: 12,
    num_layers: 19,
  });
  assert.deepEqual(pe.compare(model, wan).differing[0].differences[0].what, "encoding");
});

test("parts: vision, audio and other configs are models of their own, by path", () => {
  const config = {
    model_type: "qwen2_5_vl",
    text_config: { ...sizes, model_type: "qwen2_5_vl_text", rope_scaling: { type: "mrope", mrope_section: [2, 3, 3] } },
    vision_config: {
      model_type: "qwen2_5_vl",
      depth: 2,
      hidden_size: 64,
      num_heads: 4,
      spatial_merge_size: 2,
      window_size: 112,
    },
  };
  const model = pe.model(config);
  assert.deepEqual(model.parts, ["vision_config"]);
  assert.deepEqual(model.unknownKeys, []);
  const vision = pe.model(config, { part: "vision_config" });
  assert.deepEqual(vision.encoding, { type: "grid", preset: "qwen2-vl", dim: 16 });
  assert.equal(vision.path, "vision_config.");
  assert.deepEqual(vision.unknownKeys, ["vision_config.window_size"]);
  assert.throws(
    () => pe.model(config, { part: "audio_config" }),
    /^RangeError: part: "audio_config", expected the path of an object in the config/,
  );
  assert.throws(
    () => pe.model({ ...sizes, model_type: "llama" }, { part: "x" }),
    /^RangeError: part: "x", expected the path of an object in the config/,
  );
  const wrapped = pe.model({ model_type: "tts", talker_config: { ...sizes, model_type: "llama" } });
  assert.equal(wrapped.path, "talker_config.");
  const pair = {
    model_type: "encoder-decoder",
    encoder: { ...sizes, model_type: "bert" },
    decoder: { ...sizes, model_type: "gpt2" },
  };
  assert.deepEqual([pe.model(pair).type, pe.model(pair, { part: "encoder" }).type], ["gpt2", "bert"]);
  const layer = pe
    .model({ model_type: "x", code2wav_config: { ...sizes, model_type: "llama" } }, { part: "code2wav_config" })
    .layer(0);
  assert.equal(layer.layers.plan, 0);
  layer.delete();
});

test("layers that attend to another input do not rotate (Llama 3.2 Vision)", () => {
  const config = { model_type: "mllama_text_model", hidden_size: 4096, num_attention_heads: 32, num_hidden_layers: 40 };
  for (const own of [{}, { cross_attention_layers: [3, 8, 13, 18, 23, 28, 33, 38] }]) {
    const { layers } = pe.model({ ...config, ...own });
    const still = [];
    let first = 0;
    for (const { count, plan } of layers) {
      if (plan === null) still.push(...Array.from({ length: count }, (_, i) => first + i));
      first += count;
    }
    assert.deepEqual(still, [3, 8, 13, 18, 23, 28, 33, 38]);
  }
});

test("windows of two sides where attention is bidirectional (EmbeddingGemma, Gemma 4)", () => {
  const gemma = { model_type: "gemma3_text", num_hidden_layers: 6, head_dim: 256, sliding_window: 512 };
  const causal = pe.model(gemma);
  const both = pe.model({ ...gemma, use_bidirectional_attention: true });
  assert.deepEqual([causal.mask, causal.layers[0].reach.size], ["causal", 512]);
  assert.deepEqual([both.mask, both.layers[0].reach.size], ["bidirectional", 257]);
  assert.deepEqual(knownOf(both, "mask"), ["config", "use_bidirectional_attention"]);
  const whats = pe.compare(causal, both).differing.flatMap(({ differences }) => differences.map(({ what }) => what));
  assert.ok(whats.includes("mask") && whats.includes("reach"), whats.join());
  assert.match(explain(both).find(({ code }) => code === "window-both").sentence, /257 keys on either side/);
  const rope_parameters = { sliding_attention: { rope_theta: 1e4 }, full_attention: { rope_theta: 1e6 } };
  const four = { model_type: "gemma4_text", num_hidden_layers: 6, head_dim: 256, sliding_window: 512, rope_parameters };
  assert.equal(pe.model({ ...four, use_bidirectional_attention: "all" }).layers[0].reach.size, 257);
  assert.deepEqual(pe.model({ ...four, use_bidirectional_attention: "vision" }).mask, "causal");
  assert.equal(pe.model({ ...sizes, model_type: "bert" }).mask, "bidirectional");
  assert.equal(pe.model({ ...sizes, model_type: "bert", is_decoder: true }).mask, "causal");
  assert.equal(pe.model({ ...sizes, num_heads: 4, model_type: "t5" }).mask, "encoder-decoder");
});

test("GPT-Neo's local layers and GPT-2's switches of the scale", () => {
  const neo = { model_type: "gpt_neo", hidden_size: 64, num_heads: 4, num_layers: 4, window_size: 256 };
  const expected = [{ type: "all" }, { type: "window", size: 256 }, { type: "all" }, { type: "window", size: 256 }];
  const flat = ({ layers }) => layers.flatMap(({ count, reach }) => Array.from({ length: count }, () => reach));
  assert.deepEqual(flat(pe.model(neo)), expected);
  assert.deepEqual(flat(pe.model({ ...neo, attention_types: [[["global", "local"], 2]] })), expected);
  const global = pe.model({ ...neo, attention_types: [[["global"], 4]] });
  assert.deepEqual(flat(global), Array(4).fill({ type: "all" }));
  assert.equal(global.layers[0].scale, 1);
  assert.throws(
    () => pe.model({ ...neo, attention_types: [["global", 4]] }),
    /^\w+Error: attention_types: a list, expected lists of layer types/,
  );
  assert.throws(() => pe.model({ ...neo, attention_types: "global" }), /^\w+Error: attention_types: /);
  assert.throws(
    () => pe.model({ ...neo, attention_types: [[["global"], 2]] }),
    /^\w+Error: attention_types: 2, expected /,
  );
  const gpt2 = { model_type: "gpt2", n_embd: 64, n_head: 4, n_layer: 3 };
  assert.deepEqual(
    pe.model(gpt2).layers.map(({ scale }) => scale),
    [0.25],
  );
  assert.deepEqual(
    pe.model({ ...gpt2, scale_attn_weights: false }).layers.map(({ scale }) => scale),
    [1],
  );
  const inverse = pe.model({ ...gpt2, scale_attn_by_inverse_layer_idx: true });
  assert.deepEqual(
    inverse.layers.map(({ count, scale }) => [count, scale]),
    [
      [1, 0.25],
      [1, 0.125],
      [1, 0.25 / 3],
    ],
  );
});

test("values of other kinds that published configs have", () => {
  const llama4 = { model_type: "llama4_text", ...sizes, head_dim: 16, num_hidden_layers: 4, attn_scale: 0.1 };
  const tuned = (attn_temperature_tuning) => pe.model({ ...llama4, attn_temperature_tuning }).layers[1].temperature;
  assert.ok(tuned(4));
  assert.ok(tuned(true));
  assert.equal(tuned(0), null);
  const exaone = {
    model_type: "exaone4",
    ...sizes,
    num_hidden_layers: 8,
    sliding_window: 4096,
    sliding_window_pattern: "LLLG",
  };
  assert.deepEqual(
    pe.model(exaone).layers.map(({ count, type }) => [count, type]),
    [
      [3, "sliding_attention"],
      [1, "full_attention"],
      [3, "sliding_attention"],
      [1, "full_attention"],
    ],
  );
  assert.throws(
    () => pe.model({ ...exaone, sliding_window_pattern: "LXG" }),
    /^\w+Error: sliding_window_pattern: "LXG", expected a word of L/,
  );
});

test("DeepSeek-OCR: without MLA its heads are Llama's, and rotate whole", () => {
  const config = { model_type: "deepseek_v2", hidden_size: 1280, num_attention_heads: 10, num_hidden_layers: 12 };
  const mla = { use_mla: false, qk_rope_head_dim: 0, qk_nope_head_dim: 0, v_head_dim: 0, kv_lora_rank: null };
  const model = pe.model({ model_type: "deepseek_vl_v2", language_config: { ...config, ...mla } });
  assert.deepEqual([model.plans[0].rotary.layout, model.plans[0].rotary.dim], ["half", 128]);
  assert.deepEqual(model.layers[0].dims, { first: 0, count: 128, dim: 128 });
  assert.deepEqual(knownOf(model, "layout", 0), ["numbers", "modeling_llama.py"]);
});

test("gte's NTK is the rule of its own code, and of no other model", () => {
  const rope_scaling = { type: "ntk", factor: 8 };
  const config = { ...sizes, hidden_size: 256, rope_theta: 20000, rope_scaling };
  const { plans } = pe.model({ ...config, model_type: "new" });
  const { data: frequencies } = pe.frequencies({
    dim: 64,
    base: plans[0].rotary.base,
    scaling: plans[0].rotary.scaling,
  });
  const dim = 64;
  for (let i = 0; i < dim / 2; ++i) {
    const expected = (20000 * 8) ** ((-2 * i) / dim) * 8 ** (-2 / dim);
    assert.ok(Math.abs(frequencies[i] - expected) <= 4e-16 * 8 * expected, `${i}: ${frequencies[i]}, ${expected}`);
  }
  for (const model_type of ["llama", "mine"]) {
    assert.throws(
      () => pe.model({ ...config, model_type }),
      /^RangeError: rope_scaling\.type: "ntk", expected a rule that its type defines/,
    );
  }
});

test("a wrapper's text of Llama without sizes has those of its class (LLaVA 1.5)", () => {
  const model = pe.model({ model_type: "llava", text_config: { model_type: "llama", max_position_embeddings: 4096 } });
  assert.equal(model.plans[0].rotary.dim, 128);
  assert.deepEqual(knownOf(model, "dims", 0), ["source", "modeling_llama.py"]);
  assert.throws(() => pe.model({ text_config: { model_type: "qwen2" } }), /^RangeError: text_config\.head_dim: none/);
});

test("two names of the rule that disagree: the one without effect is reported", () => {
  const rope = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32768 };
  const of = (own) => pe.model({ ...sizes, model_type: "llama", rope_scaling: { ...rope, ...own } });
  assert.deepEqual(of({ type: "linear" }).unknownKeys, ["rope_scaling.type"]);
  assert.deepEqual(of({ type: "yarn" }).unknownKeys, []);
});
