// Configs that leave out, switch off or misname what a type has: what its class has by default counts, and what says that
// something is not there does not say that it is. Defaults were read in configuration_*.py of Hugging Face transformers at
// c49429ed1f (5.16.0.dev0).

import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "posenc/engines";
import { load } from "../../../dist/full.js";

const pe = await load();
const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4, head_dim: 16 };

/** A property of each layer. */
const each = (model, of) => model.layers.flatMap((run) => Array(run.count).fill(of(run)));
const knownOf = (model, trait) => {
  const { known, from } = model.evidence.find((item) => item.trait === trait);
  return [known, from];
};

test("SmolLM3's windows: layers that do not rotate, if use_sliding_window is true", () => {
  const reaches = (own) =>
    each(pe.model({ ...sizes, model_type: "smollm3", ...own }), ({ plan, reach }) => [plan, reach.size ?? reach.type]);
  const [rotating, still] = [
    [0, "all"],
    [null, "all"],
  ];
  assert.deepEqual(reaches({}), [rotating, rotating, rotating, still]);
  const off = { use_sliding_window: false, sliding_window: 8, max_window_layers: 28 };
  assert.deepEqual(reaches(off), [rotating, rotating, rotating, still]);
  assert.deepEqual(reaches({ use_sliding_window: true, sliding_window: 8 }), [rotating, rotating, rotating, [null, 8]]);
  assert.deepEqual(reaches({ use_sliding_window: true, sliding_window: null }), [rotating, rotating, rotating, still]);
  const switched = { no_rope_layers: [0, 1, 0, 1], use_sliding_window: true, sliding_window: 8 };
  assert.deepEqual(reaches(switched), [[null, 8], rotating, [null, 8], rotating]);
  assert.deepEqual(pe.model({ ...sizes, model_type: "smollm3", ...off }).unknownKeys, []);
});

test("Moonshine's streaming encoder does not rotate, and its windows are not known", () => {
  const config = {
    ...sizes,
    model_type: "moonshine_streaming",
    encoder_config: { ...sizes, model_type: "moonshine_streaming_encoder", sliding_windows: [[16, 4]] },
  };
  const encoder = pe.model(config, { part: "encoder_config" });
  assert.deepEqual([encoder.encoding.type, encoder.mask], ["none", "bidirectional"]);
  assert.deepEqual(encoder.layers[0].reach, { type: "unknown" });
  assert.deepEqual(encoder.unknownKeys, ["encoder_config.sliding_windows"]);
});

test("defaults of a type's class: windows that no key names are not no windows", () => {
  const reach = (config) =>
    each(pe.model({ ...sizes, ...config }), ({ reach: { type, size = 0 } }) => (type === "window" ? size : type));
  assert.deepEqual(reach({ model_type: "mistral" }), Array(4).fill(4096));
  assert.deepEqual(reach({ model_type: "mistral", sliding_window: null }), Array(4).fill("all"));
  assert.deepEqual(reach({ model_type: "gemma2" }), [4096, "all", 4096, "all"]);
  assert.deepEqual(reach({ model_type: "gemma2", sliding_window: null }), Array(4).fill("all"));
  // Layers from max_window_layers on, 28 by default; no window unless it is switched on.
  const qwen = { model_type: "qwen2", num_hidden_layers: 30 };
  assert.deepEqual(reach(qwen), Array(30).fill("all"));
  assert.deepEqual(reach({ ...qwen, use_sliding_window: true }).slice(26), ["all", "all", 4096, 4096]);
  assert.deepEqual(reach({ ...qwen, use_sliding_window: true, sliding_window: null }), Array(30).fill("all"));
  assert.deepEqual(reach({ ...qwen, use_sliding_window: true, max_window_layers: 29, sliding_window: 8 })[29], 8);
  const model = pe.model({ ...sizes, model_type: "mistral" });
  assert.deepEqual(knownOf(model, "reach"), ["source", "modeling_mistral.py"]);
  assert.deepEqual(reach({ model_type: "cohere2_moe" }), [4096, 4096, 4096, "all"]);
});

test("defaults of a type's class: both parts of a head (DeepSeek-V3)", () => {
  const { layers } = pe.model({ model_type: "deepseek_v3", num_hidden_layers: 2, qk_rope_head_dim: 64 });
  assert.deepEqual([layers[0].dims, layers[0].scale], [{ first: 128, count: 64, dim: 192 }, 1 / Math.sqrt(192)]);
});

test("defaults of a type's class: which layers are attention", () => {
  const rotating = (config) => each(pe.model({ ...sizes, ...config }), ({ plan }) => plan !== null);
  assert.deepEqual(rotating({ model_type: "minimax" }), [true, false, true, false]);
  assert.deepEqual(rotating({ model_type: "recurrent_gemma" }), [false, false, true, false]);
  const granite = { model_type: "granitemoehybrid", position_embedding_type: "rope" };
  assert.deepEqual(rotating(granite), Array(4).fill(false));
  assert.deepEqual(rotating({ ...granite, layer_types: ["mamba", "attention", "mamba", "mamba"] }), [
    false,
    true,
    false,
    false,
  ]);
});

test("a layer whose type has an unknown name reaches what is not known", () => {
  const model = pe.model({ ...sizes, model_type: "qwen3", layer_types: ["full_attention", "x", "conv", "x"] });
  assert.deepEqual(
    each(model, ({ reach }) => reach.type),
    ["all", "unknown", "all", "unknown"],
  );
  assert.equal(knownOf(model, "reach")[0], "unknown");
});

test("an unlisted type: whether a window of 0 or -1 is none is not known", () => {
  const own = { ...sizes, num_hidden_layers: 1, model_type: "mine", rope_theta: 1e4 };
  for (const sliding_window of [0, -1]) {
    const { layers } = pe.model({ ...own, layer_types: ["sliding_attention"], sliding_window });
    assert.deepEqual(layers[0].reach, { type: "unknown" });
  }
});

test("without the number of layers their keys are not unknown", () => {
  const { num_hidden_layers: _, ...own } = { ...sizes, model_type: "llama4_text", attn_temperature_tuning: true };
  assert.deepEqual(pe.model({ ...own, use_qk_norm: false }).unknownKeys, []);
});

test("an unlisted type: what says that it does not rotate does not say that it does", () => {
  const encoding = (own) => pe.model({ ...sizes, model_type: "mine", ...own }).encoding.type;
  for (const own of [
    { alibi: false },
    { use_rope: false, rope_theta: 1e4 },
    { relative_attention: true },
    { attn_config: { clip_qkv: 8 } },
    { rotary: false },
    { qk_nope_head_dim: 64 },
  ])
    assert.equal(encoding(own), "unknown", JSON.stringify(own));
  for (const own of [{ use_rope: true }, { rope_theta: 1e4, alibi: false }, { attn_config: { rope: true } }])
    assert.equal(encoding(own), "rotary", JSON.stringify(own));
  assert.equal(encoding({ mla_use_nope: true }), "none");
});

test("findings name the key that says what they say", () => {
  const path = (config, code) => explain(pe.model({ ...sizes, ...config })).find((found) => found.code === code).path;
  assert.equal(path({ model_type: "dbrx", attn_config: { rope_theta: 5e5 } }, "rotary"), "attn_config.rope_theta");
  assert.equal(path({ model_type: "chatglm", rope_ratio: 50 }, "rotary"), "rope_ratio");
  const llama4 = { model_type: "llama4_text", no_rope_layers: [1, 1, 1, 0] };
  assert.equal(path(llama4, "layers-without"), "no_rope_layers");
  assert.equal(path({ model_type: "cohere", use_qk_norm: true }, "norm"), "use_qk_norm");
  const bert = { model_type: "bert", position_embedding_type: "relative_key" };
  assert.equal(path(bert, "shaw"), "position_embedding_type");
  // A default is no key's.
  assert.equal(path({ model_type: "mistral" }, "window"), "sliding_window");
  const partial = pe.model({ ...sizes, model_type: "gpt_neox", rotary_pct: 0.5 });
  assert.deepEqual(
    partial.evidence.find(({ trait }) => trait === "dims"),
    { trait: "dims", plan: 0, known: "config", from: "rotary_pct" },
  );
});
