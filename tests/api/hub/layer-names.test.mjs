// Which layers there are and which rotate: what a type's class makes where the config does not name them, names that no
// class has, and how each is known. Defaults were read in configuration_*.py and modeling_*.py of Hugging Face transformers
// at c49429ed1f (5.16.0.dev0).

import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "posenc/engines";
import { load } from "../../../dist/full.js";

const pe = await load();
const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4, head_dim: 16 };

/** A property of each layer. */
const each = (model, of) => model.layers.flatMap((run) => Array(run.count).fill(of(run)));
const plans = (config) => each(pe.model({ ...sizes, ...config }), ({ plan }) => plan);
const knownOf = (config, trait) =>
  pe.model({ ...sizes, ...config }).evidence.find((item) => item.trait === trait && item.plan === null).known;

test("Zamba 2: without layers_block_type 54 layers, nine of them hybrid; of another number it is not known", () => {
  const { head_dim: _, ...own } = { ...sizes, model_type: "zamba2", use_mem_rope: true, kv_channels: 16 };
  const whole = pe.model({ ...own, num_hidden_layers: 54 });
  const rotating = each(whole, ({ plan }) => plan).flatMap((plan, i) => (plan === null ? [] : [i]));
  assert.deepEqual(rotating, [6, 12, 18, 24, 30, 36, 42, 47, 51]);
  assert.equal(whole.plans[0].rotary.dim, 32); // 2 · hidden_size / num_attention_heads
  assert.equal(whole.layers[1].scale, 0.25);
  assert.equal(knownOf({ ...own, num_hidden_layers: 54 }, "layers"), "source");
  const other = { ...own, num_hidden_layers: 38 };
  const model = pe.model(other);
  assert.deepEqual(model.layers.length, 1);
  assert.deepEqual([model.layers[0].plan, model.layers[0].reach], ["unknown", { type: "unknown" }]);
  assert.equal(model.encoding.type, "rotary");
  assert.equal(knownOf(other, "layers"), "unknown");
  assert.throws(() => model.layer(3), /^RangeError: config: "zamba2", expected a model whose use of/);
  // The key that published configs have beside the names has no effect of its own; without them it is not read.
  const named = { ...own, num_hidden_layers: 4, layers_block_type: ["mamba", "hybrid", "mamba", "mamba"] };
  assert.deepEqual(plans({ ...named, hybrid_layer_ids: [1] }), [null, 0, null, null]);
  assert.deepEqual(pe.model({ ...named, hybrid_layer_ids: [1] }).unknownKeys, []);
  assert.deepEqual(pe.model({ ...named, use_long_context: true }).unknownKeys, ["use_long_context"]);
  assert.deepEqual(pe.model({ ...other, hybrid_layer_ids: [5, 11] }).unknownKeys, ["hybrid_layer_ids"]);
});

test("Bamba: without attn_layer_indices no layer has attention", () => {
  const model = pe.model({ ...sizes, model_type: "bamba" });
  assert.equal(model.encoding.type, "none");
  assert.deepEqual(
    each(model, ({ type, plan }) => [type, plan]),
    Array(4).fill(["linear_attention", null]),
  );
  assert.equal(knownOf({ model_type: "bamba" }, "encoding"), "source");
  assert.deepEqual(plans({ model_type: "bamba", attn_layer_indices: [2] }), [null, null, 0, null]);
  assert.equal(knownOf({ model_type: "bamba", attn_layer_indices: [2] }, "layers"), "config");
});

test("DeepSeek-V4: without compress_ratios the first two are heavily compressed, and every second one after them", () => {
  const types = each(pe.model({ ...sizes, num_hidden_layers: 6, model_type: "deepseek_v4" }), ({ type }) => type[0]);
  assert.equal(types.join(""), "hhhchc");
});

test("MiniMax M3 and Longformer's sisters: keys that choose sparse layers are not passed over", () => {
  const own = { ...sizes, model_type: "minimax_m3_vl_text", rotary_dim: 16 };
  const sparse = { sparse_attention_config: { sparse_attention_freq: [0, 0, 1, 1] } };
  assert.deepEqual(pe.model({ ...own, ...sparse }).unknownKeys, ["sparse_attention_config.sparse_attention_freq"]);
});

test("Cohere 2 and its MoE: layers without a window do not rotate, except the first dense ones", () => {
  const moe = { model_type: "cohere2_moe", num_hidden_layers: 8 };
  const [still, moved] = [null, 0];
  const shown = (config) =>
    each(pe.model({ ...sizes, ...config }), ({ reach, plan }) => `${reach.type[0]}${plan ?? ""}`).join(" ");
  assert.equal(shown(moe), "w0 w0 w0 a w0 w0 w0 a");
  assert.equal(shown({ ...moe, first_k_dense_replace: 2 }), "a0 a0 w0 w0 w0 a w0 w0");
  assert.equal(
    shown({ ...moe, first_k_dense_replace: 2, prefix_dense_sliding_window_pattern: 2 }),
    "w0 a w0 w0 w0 a w0 w0",
  );
  assert.equal(shown({ ...moe, first_k_dense_replace: 1, sliding_window_pattern: 2 }), "a0 w0 a w0 a w0 a w0");
  const layer_types = Array(8).fill("full_attention");
  assert.deepEqual(plans({ ...moe, layer_types }), Array(8).fill(still));
  assert.deepEqual(plans({ ...moe, layer_types, first_k_dense_replace: 3 }), [
    moved,
    moved,
    moved,
    ...Array(5).fill(still),
  ]);
  const mlp_layer_types = ["sparse", "dense", ...Array(6).fill("sparse")];
  assert.deepEqual(plans({ ...moe, layer_types, mlp_layer_types }).indexOf(moved), 1);
  // The window decides, not the name.
  for (const type of ["cohere2", "cohere2_moe"])
    assert.deepEqual(plans({ model_type: type, sliding_window: null }), Array(4).fill(still));
  assert.throws(
    () => pe.model({ ...sizes, ...moe, first_k_dense_replace: 2, prefix_dense_sliding_window_pattern: 0 }),
    /^RangeError: prefix_dense_sliding_window_pattern: 0, expected a number >= 1/,
  );
});

test("a layer whose type has a name that is not the model's: whether it rotates is not known, and it is reported", () => {
  for (const model_type of ["qwen3", "gemma2", "olmo3", "cohere2", "llama", "mine"]) {
    for (const name of ["x", "local_attention", "hybrid_mamba", "cross_attention", "window_attention", "nope"]) {
      const own = { model_type, rope_theta: 1e4, sliding_window: 8 };
      const config = { ...sizes, ...own, layer_types: ["sliding_attention", name, "sliding_attention", name] };
      const model = pe.model(config);
      const what = `${model_type}: ${name}`;
      assert.equal(each(model, ({ plan }) => plan)[1], "unknown", what);
      assert.notEqual(each(model, ({ plan }) => plan)[0], "unknown", what);
      assert.deepEqual(each(model, ({ reach }) => reach.type)[1], "unknown", what);
      assert.deepEqual(each(model, ({ scale, norm, softcap }) => [scale, norm, softcap])[3], [null, null, null], what);
      assert.ok(model.unknownKeys.includes("layer_types[1]"), what);
      assert.equal(model.evidence.find(({ trait }) => trait === "layers").known, "unknown", what);
      assert.throws(() => model.layer(1), /^RangeError: config: /);
      const findings = explain(model);
      assert.ok(!findings.some(({ code, numbers }) => code === "layers-without" && numbers.layers.includes("1")), what);
      assert.ok(
        findings.some(({ code, path }) => code === "unknown-key" && path === "layer_types[1]"),
        what,
      );
      // In comparison with itself nothing is claimed of that layer.
      const all = pe.model({ ...config, layer_types: Array(4).fill("sliding_attention") });
      const compared = pe.compare(model, all);
      assert.deepEqual(compared.differing, [], what);
      assert.ok(compared.notKnown.includes("encoding") && compared.notKnown.includes("base"), what);
    }
  }
  // Names of other models' lists, too.
  const griffin = { model_type: "recurrent_gemma", block_types: ["recurrent", "windowed"] };
  assert.deepEqual(plans(griffin), [null, "unknown", null, "unknown"]);
  const neo = { ...sizes, model_type: "gpt_neo", attention_types: [[["global", "far"], 2]] };
  assert.deepEqual(
    each(pe.model(neo), ({ reach }) => reach.type),
    ["all", "unknown", "all", "unknown"],
  );
  // A rope dictionary of that name says that it rotates.
  const rope_parameters = { far: { rope_type: "default", rope_theta: 7 }, full_attention: { rope_type: "default" } };
  const own = { model_type: "mine", rope_parameters, layer_types: ["far", "full_attention", "far", "far"] };
  assert.deepEqual(plans(own), [0, 1, 0, 0]);
});

test("Qwen's windows need their switch, whatever layers are called", () => {
  const layer_types = ["full_attention", "sliding_attention", "full_attention", "sliding_attention"];
  for (const model_type of ["qwen2", "qwen3", "qwen2_moe", "qwen3_moe", "qwen2_5_vl_text"]) {
    const reach = (own) =>
      each(pe.model({ ...sizes, model_type, layer_types, sliding_window: 8, ...own }), (run) => run.reach.size ?? 0);
    assert.deepEqual(reach({}), [0, 0, 0, 0], model_type);
    assert.deepEqual(reach({ use_sliding_window: false }), [0, 0, 0, 0], model_type);
    assert.deepEqual(reach({ use_sliding_window: true }), [0, 8, 0, 8], model_type);
  }
});

test("which layers of Jamba, Nemotron-H and Zamba have attention is not known without their names", () => {
  for (const model_type of ["jamba", "nemotron_h", "zamba"]) {
    assert.deepEqual([knownOf({ model_type }, "layers"), knownOf({ model_type }, "reach")], ["unknown", "unknown"]);
    assert.deepEqual(plans({ model_type }), Array(4).fill(null));
    const names = { model_type, layers_block_type: ["mamba", "attention", "mamba", "mamba"] };
    assert.equal(knownOf(names, "layers"), "config");
  }
});

test("LFM2's layers all attend unless it names others; LFM2-MoE has none that it does not name", () => {
  assert.deepEqual(plans({ model_type: "lfm2" }), [0, 0, 0, 0]);
  assert.deepEqual(plans({ model_type: "lfm2", full_attn_idxs: [1] }), [null, 0, null, null]);
  assert.deepEqual(plans({ model_type: "lfm2_moe" }), Array(4).fill("unknown"));
  const layer_types = ["conv", "full_attention", "conv", "conv"];
  assert.deepEqual(plans({ model_type: "lfm2_moe", layer_types }), [null, 0, null, null]);
});

test("DeepSeek-V4's layers are those three; another ratio or name is not known", () => {
  const own = { model_type: "deepseek_v4", compress_ratios: [0, 4, 128, 7] };
  assert.deepEqual(plans(own), [0, 1, 1, "unknown"]);
  assert.deepEqual(pe.model({ ...sizes, ...own }).unknownKeys, ["compress_ratios[3]"]);
  const layer_types = ["sliding_attention", "full_attention", "sliding_attention", "sliding_attention"];
  assert.deepEqual(plans({ model_type: "deepseek_v4", layer_types }), [0, "unknown", 0, 0]);
});

test("an unlisted type whose config says that it does not rotate, in whatever words", () => {
  for (const own of [{ use_rotary_embedding: false }, { use_nope: true }, { no_rope: true }]) {
    const model = pe.model({ ...sizes, model_type: "mine", rope_theta: 1e4, ...own });
    assert.equal(model.encoding.type, "unknown", JSON.stringify(own));
    assert.equal(model.evidence.find(({ trait }) => trait === "encoding").known, "unknown");
  }
});

test("names of layers that a type's code takes no notice of: engines differ, so what they reach is not known", () => {
  const config = { ...sizes, model_type: "llama", sliding_window: 8, layer_types: Array(4).fill("sliding_attention") };
  assert.deepEqual(pe.model(config).layers[0].reach, { type: "unknown" });
  assert.deepEqual(plans(config), [0, 0, 0, 0]);
  const mistral = { ...config, model_type: "mistral", layer_types: ["full_attention", ...config.layer_types.slice(1)] };
  assert.deepEqual(
    pe.model(mistral).layers.map(({ count, reach }) => [count, reach]),
    [
      [1, { type: "unknown" }],
      [3, { type: "window", size: 8 }],
    ],
  );
  const ministral = pe.model({ ...mistral, model_type: "ministral" });
  assert.deepEqual(ministral.layers[0].reach, { type: "all" });
  assert.deepEqual(pe.model({ ...sizes, model_type: "ministral" }).layers[0].reach, { type: "window", size: 4096 });
});

test("what the class fills in is its default, not what was checked by numbers", () => {
  for (const [config, layers, reach, scale] of [
    [{ model_type: "llama" }, "numbers", "numbers", "numbers"],
    [{ model_type: "gemma2" }, "source", "source", "source"],
    [{ model_type: "gemma2", sliding_window: 8, query_pre_attn_scalar: 16 }, "source", "config", "config"],
    [{ model_type: "gpt_oss", rope_parameters: { rope_type: "default" } }, "source", "source", "numbers"],
    [{ model_type: "qwen2" }, "source", "source", "numbers"],
    [{ model_type: "qwen3_moe" }, "numbers", "source", "numbers"],
    [{ model_type: "cohere2" }, "source", "source", "numbers"],
    [{ model_type: "qwen3_next" }, "source", "source", "numbers"],
    [{ model_type: "recurrent_gemma" }, "source", "source", "numbers"],
    [{ model_type: "mllama_text_model" }, "source", "source", "numbers"],
    [{ model_type: "llama4_text" }, "source", "source", "numbers"],
    [{ model_type: "llama4_text", no_rope_layers: [1, 1, 0, 0] }, "config", "source", "numbers"],
    [{ model_type: "granite" }, "numbers", "numbers", "source"],
    [{ model_type: "granite", attention_multiplier: 1 }, "numbers", "numbers", "config"],
    [{ model_type: "mixtral" }, "numbers", "source", "numbers"],
    [{ model_type: "gemma3_text", sliding_window_pattern: 2 }, "config", "source", "source"],
  ]) {
    const known = ["layers", "reach", "scale"].map((trait) => knownOf(config, trait));
    assert.deepEqual(known, [layers, reach, scale], JSON.stringify(config));
  }
  for (const model_type of ["zamba2", "granitemoehybrid", "esm", "olmo_hybrid"])
    assert.equal(knownOf({ model_type }, "encoding"), "source", model_type);
  assert.equal(knownOf({ model_type: "bamba", attn_layer_indices: [] }, "encoding"), "config");
});

test("how numbers are stored concerns no position: quantized configs raise no alarm at any depth", () => {
  const schemes = {
    gptq: {
      quant_method: "gptq",
      bits: 4,
      group_size: 128,
      damp_percent: 0.1,
      desc_act: true,
      static_groups: false,
      sym: true,
      true_sequential: true,
      checkpoint_format: "gptq",
      meta: { quantizer: ["gptqmodel:1.4"], scale_window: 3 },
    },
    awq: {
      quant_method: "awq",
      bits: 4,
      group_size: 128,
      version: "gemm",
      zero_point: true,
      modules_to_not_convert: ["visual"],
      do_fuse: false,
      fuse_max_seq_len: null,
    },
    bitsandbytes: {
      quant_method: "bitsandbytes",
      load_in_4bit: true,
      bnb_4bit_quant_type: "nf4",
      bnb_4bit_use_double_quant: true,
      llm_int8_skip_modules: ["rotary_emb"],
      llm_int8_threshold: 6,
    },
    fp8: {
      quant_method: "fp8",
      activation_scheme: "dynamic",
      fmt: "e4m3",
      scale_fmt: "ue8m0",
      weight_block_size: [128, 128],
      attention_scale: true,
    },
    "compressed-tensors": {
      quant_method: "compressed-tensors",
      format: "float-quantized",
      config_groups: {
        group_0: {
          targets: ["Linear"],
          weights: { num_bits: 8, strategy: "channel", observer: "minmax", scale_dtype: null },
          input_activations: { sliding_window: 3 },
        },
      },
      ignore: ["re:.*rope"],
      kv_cache_scheme: { num_bits: 8, position_scale: 1 },
      sparsity_config: { format: "dense", sparsity_structure: "window" },
    },
    mxfp4: {
      quant_method: "mxfp4",
      modules_to_not_convert: ["model.layers.*.self_attn", "model.layers.*.sinks"],
      num_hidden_layers: 3,
      model_type: "x",
    },
  };
  for (const [name, quantized] of Object.entries(schemes)) {
    for (const key of [
      "quantization_config",
      "quantization",
      "quantize_config",
      "hf_quant_config",
      "compression_config",
    ]) {
      const own = { ...sizes, model_type: "qwen3", [key]: quantized };
      for (const config of [own, { model_type: "wrapper", text_config: own }, { ...own, text_config: own }]) {
        const model = pe.model(config);
        assert.deepEqual([model.unknownKeys, model.parts], [[], []], `${name}, ${key}`);
        const kinds = explain(model).filter(({ code }) => code === "unknown-key");
        assert.deepEqual(kinds, []);
      }
    }
  }
  const flat = { kv_cache_quant_window: 3, quant_scale: 1 };
  assert.deepEqual(pe.model({ ...sizes, model_type: "qwen3", ...flat }).unknownKeys, []);
});
