// Models change queries, keys and scores beside rotating: norms, caps and sinks. The modeling_*.py named were read in
// Hugging Face transformers at c49429ed1f (5.16.0.dev0), BERT's relative keys in 4.53.3.

import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "posenc/engines";
import { load } from "../../../dist/full.js";

const pe = await load();
const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4, head_dim: 16 };

/** A property of each layer. */
const each = (model, of) => model.layers.flatMap((run) => Array(run.count).fill(of(run)));
const norms = (config) => each(pe.model({ ...sizes, ...config }), ({ norm }) => norm);
const knownOf = (model, trait) => {
  const { known, from } = model.evidence.find((item) => item.trait === trait);
  return [known, from];
};

/** The sentences of a code, in both languages. */
function sentences(config, code) {
  const model = pe.model({ ...sizes, ...config });
  return ["en", "zh"].map((language) => {
    const found = explain(model, { language }).filter((finding) => finding.code === code);
    return found.map(({ sentence }) => sentence).join(" ");
  });
}

test("norms before rotation (Qwen 3, Gemma 3, OLMo 2), after it (Hunyuan, NanoChat), and none (Llama)", () => {
  for (const model_type of ["qwen3", "gemma3_text", "olmo2", "chameleon", "dots1", "lfm2"])
    assert.deepEqual(norms({ model_type }), Array(4).fill("before"), model_type);
  for (const model_type of ["hunyuan_v1_dense", "hunyuan_v1_moe", "nanochat"])
    assert.deepEqual(norms({ model_type }), Array(4).fill("after"), model_type);
  for (const model_type of ["llama", "gemma2", "mistral", "bert"])
    assert.deepEqual(norms({ model_type }), Array(4).fill(null), model_type);
  const model = pe.model({ ...sizes, model_type: "qwen3" });
  for (const trait of ["norm", "softcap", "sinks"])
    assert.deepEqual(knownOf(model, trait), ["source", "modeling_qwen3.py"]);
  const [en, zh] = sentences({ model_type: "qwen3" }, "norm");
  assert.match(en, /normalized before .*layers 0-3/);
  assert.match(zh, /0-3.*归一化/);
  assert.match(sentences({ model_type: "nanochat" }, "norm")[0], /normalized after .*layers 0-3/);
  assert.deepEqual(sentences({ model_type: "llama" }, "norm"), ["", ""]);
});

test("norms that a key switches: Command R+, Phi, StableLM, Persimmon, Llama 4", () => {
  for (const [model_type, key, value] of [
    ["cohere", "use_qk_norm", "before"],
    ["glm4_moe", "use_qk_norm", "before"],
    ["phi", "qk_layernorm", "before"],
    ["stablelm", "qk_layernorm", "before"],
  ]) {
    assert.deepEqual(norms({ model_type }), Array(4).fill(null), model_type);
    assert.deepEqual(norms({ model_type, [key]: true }), Array(4).fill(value), model_type);
    const model = pe.model({ ...sizes, model_type, [key]: true });
    assert.deepEqual([knownOf(model, "norm"), model.unknownKeys], [["config", key], []]);
  }
  assert.deepEqual(norms({ model_type: "persimmon" }), Array(4).fill("before"));
  assert.deepEqual(norms({ model_type: "persimmon", qk_layernorm: false }), Array(4).fill(null));
  // Without weights, after the rotation, and not in the layers that do not rotate.
  assert.deepEqual(norms({ model_type: "llama4_text" }), ["after", "after", "after", null]);
  assert.deepEqual(norms({ model_type: "llama4_text", use_qk_norm: false }), Array(4).fill(null));
  assert.throws(() => norms({ model_type: "cohere", use_qk_norm: 1 }), /^RangeError: use_qk_norm: 1, expected true or/);
});

test("a key of norms that the type's code does not read is unknown, unless it says what the code does", () => {
  const unknown = (config) => pe.model({ ...sizes, ...config }).unknownKeys;
  assert.deepEqual(unknown({ model_type: "llama", use_qk_norm: true }), ["use_qk_norm"]);
  assert.deepEqual(unknown({ model_type: "llama", use_qk_norm: false }), []);
  assert.deepEqual(unknown({ model_type: "hunyuan_v1_moe", use_qk_norm: true }), []);
  assert.deepEqual(unknown({ model_type: "qwen3", use_qk_norm: false }), ["use_qk_norm"]);
  // It switches those of cross-attention between these layers.
  assert.deepEqual(norms({ model_type: "idefics", qk_layer_norms: true }), Array(4).fill(null));
  assert.deepEqual(unknown({ model_type: "idefics", qk_layer_norms: true }), ["qk_layer_norms"]);
  assert.deepEqual(unknown({ model_type: "mine", rope_theta: 1e4, qk_layernorm: true }), ["qk_layernorm"]);
});

test("norms in layers of cross-attention alone (Llama 3.2 Vision), and none in linear layers (Qwen3-Next)", () => {
  const mllama = { model_type: "mllama_text_model", cross_attention_layers: [1] };
  assert.deepEqual(norms(mllama), [null, "before", null, null]);
  const next = { model_type: "qwen3_next", head_dim: 256 };
  assert.deepEqual(norms(next), [null, null, null, "before"]);
});

test("caps of scores: Gemma 2's key and its default; Gemma 3 has the key and does not use it", () => {
  const caps = (config) => each(pe.model({ ...sizes, ...config }), ({ softcap }) => softcap);
  assert.deepEqual(caps({ model_type: "gemma2" }), Array(4).fill(50));
  assert.deepEqual(caps({ model_type: "gemma2", attn_logit_softcapping: 30 }), Array(4).fill(30));
  assert.deepEqual(caps({ model_type: "gemma2", attn_logit_softcapping: null }), Array(4).fill(null));
  assert.throws(
    () => caps({ model_type: "gemma2", attn_logit_softcapping: 0 }),
    /^RangeError: attn_logit_softcapping: 0/,
  );
  assert.deepEqual(caps({ model_type: "gemma3_text", attn_logit_softcapping: 30 }), Array(4).fill(null));
  const gemma3 = pe.model({ ...sizes, model_type: "gemma3_text", attn_logit_softcapping: 30 });
  assert.deepEqual(gemma3.unknownKeys, ["attn_logit_softcapping"]);
  const gemma2 = pe.model({ ...sizes, model_type: "gemma2", attn_logit_softcapping: 30, final_logit_softcapping: 30 });
  assert.deepEqual([knownOf(gemma2, "softcap"), gemma2.unknownKeys], [["config", "attn_logit_softcapping"], []]);
  const [en, zh] = sentences({ model_type: "gemma2" }, "softcap");
  assert.match(en, /50 · tanh\(s \/ 50\).*layers 0-3/);
  assert.match(zh, /50 · tanh/);
});

test("attention sinks: in all layers (GPT-OSS), in those with windows (MiMo-V2-Flash)", () => {
  const sinks = (config) => each(pe.model({ ...sizes, ...config }), (run) => run.sinks);
  const oss = { model_type: "gpt_oss", rope_parameters: { rope_type: "default", rope_theta: 150000 } };
  assert.deepEqual(sinks(oss), Array(4).fill(true));
  assert.deepEqual(sinks({ model_type: "llama" }), Array(4).fill(false));
  const mimo = { model_type: "mimo_v2_flash", head_dim: 192, hybrid_layer_pattern: [0, 1, 1, 0], sliding_window: 128 };
  assert.deepEqual(sinks(mimo), [false, true, true, false]);
  const keys = { add_swa_attention_sink_bias: true, add_full_attention_sink_bias: false };
  assert.deepEqual(sinks({ ...mimo, ...keys }), [false, true, true, false]);
  assert.deepEqual(pe.model({ ...sizes, ...mimo, ...keys }).unknownKeys, []);
  const [en, zh] = sentences(oss, "sinks");
  assert.match(en, /layers 0-3/);
  assert.match(zh, /0-3/);
});

test("what was not read is not known: norms, caps and sinks of unlisted types, and of code that is elsewhere", () => {
  const own = pe.model({ ...sizes, model_type: "mine", rope_theta: 1e4 });
  const elsewhere = pe.model({ ...sizes, model_type: "new" });
  for (const model of [own, elsewhere])
    for (const trait of ["norm", "softcap", "sinks"]) assert.equal(knownOf(model, trait)[0], "unknown", trait);
  const { notKnown } = pe.compare(own, pe.model({ ...sizes, model_type: "llama" }));
  for (const trait of ["norm", "softcap", "sinks"]) assert.ok(notKnown.includes(trait), trait);
  const [qwen, llama] = ["qwen3", "llama"].map((model_type) => pe.model({ ...sizes, model_type }));
  const { differing } = pe.compare(qwen, llama);
  assert.deepEqual(
    differing[0].differences.find(({ what }) => what === "norm"),
    { what: "norm", a: "before", b: null },
  );
});

test("keys of scales, caps, sinks and spans are used, harmless by name, or reported", () => {
  const unknown = (key, of = "mine") =>
    pe.model({ ...sizes, model_type: of, rope_theta: 1e4, [key]: 3 }).unknownKeys.length === 1;
  for (const key of [
    "attn_logit_softcapping",
    "attn_logit_soft_cap",
    "max_attn_value",
    "attention_sink_size",
    "num_sink_tokens",
    "attn_span",
    "qk_scale_factor",
    "key_multiplier",
    "attn_temperature_len",
    "query_scale",
    "scale_base",
    "use_xpos",
    "qk_norm_eps",
    "qk_ln",
    "attention_multiplier",
    "attn_output_multiplier",
  ])
    for (const of of ["mine", "llama"]) assert.ok(unknown(key, of), `${of}: ${key}`);
  for (const key of [
    "final_logit_softcapping",
    "router_logit_softcapping",
    "moe_router_logit_softcapping",
    "logit_scale",
    "logits_soft_cap",
    "scale_embedding",
    "scale_emb",
    "scale_depth",
    "layer_scale_init_value",
    "hc_sinkhorn_iters",
    "shared_expert_sink",
    "route_scale",
    "attention_value_scale",
    "rescale_prenorm_residual",
    "scale_attention_softmax_in_fp32",
  ])
    assert.ok(!unknown(key), key);
  const quantized = { quantization_config: { scale_fmt: "ue8m0", weight_scale: 1, window: 3 } };
  assert.deepEqual(pe.model({ ...sizes, model_type: "llama", ...quantized }).unknownKeys, []);
});

test("BERT's relative keys, which transformers 4 had: Shaw's, for distances up to the table's, and no table beside", () => {
  const bert = { model_type: "bert", hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2 };
  for (const [word, ofKeys] of [
    ["relative_key", false],
    ["relative_key_query", true],
  ]) {
    const model = pe.model({ ...bert, max_position_embeddings: 128, position_embedding_type: word });
    assert.deepEqual(model.encoding, { type: "shaw", maxDistance: 127, ofKeys });
    assert.deepEqual(knownOf(model, "encoding"), ["config", "position_embedding_type"]);
    for (const language of ["en", "zh"]) {
      const finding = explain(model, { language }).find(({ code }) => code === "shaw");
      assert.equal(finding.kind, "unusual");
      assert.match(finding.sentence, /127.*transformers 4.*transformers 5/);
    }
  }
  assert.equal(
    pe.model({ ...bert, model_type: "roberta", position_embedding_type: "relative_key" }).encoding.type,
    "shaw",
  );
  // These add their table, too, or have never read the key.
  for (const model_type of ["bert-generation", "distilbert", "gpt2"])
    assert.throws(
      () => pe.model({ ...bert, model_type, position_embedding_type: "relative_key" }),
      /^RangeError: position_embedding_type: "relative_key", expected "absolute"/,
    );
});
