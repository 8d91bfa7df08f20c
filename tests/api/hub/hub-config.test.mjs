import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";

const pe = await load();

const llama31 = {
  architectures: ["LlamaForCausalLM"],
  model_type: "llama",
  hidden_size: 4096,
  num_attention_heads: 32,
  rope_theta: 500000.0,
  max_position_embeddings: 131072,
  torch_dtype: "bfloat16",
  use_cache: true,
  rope_scaling: {
    factor: 8.0,
    low_freq_factor: 1.0,
    high_freq_factor: 4.0,
    original_max_position_embeddings: 8192,
    rope_type: "llama3",
  },
};

test("a flat config gives one plan, which rotary takes", () => {
  const { plans, unknownKeys } = pe.hubConfig(llama31);
  assert.deepEqual(unknownKeys, []);
  assert.deepEqual(plans, [
    {
      layerType: null,
      path: "rope_scaling.",
      rotary: {
        dim: 128,
        layout: "half",
        base: 500000,
        rotaryDim: 128,
        scaling: { type: "llama3", factor: 8, lowFrequencyFactor: 1, highFrequencyFactor: 4, originalLength: 8192 },
      },
      attentionFactor: 1,
      inverse: false,
      mrope: null,
    },
  ]);
  const rope = pe.rotary(plans[0].rotary);
  assert.equal(rope.rotaryDim, 128);
  assert.equal(pe.frequencies({ dim: 128, base: 500000, scaling: plans[0].rotary.scaling }).data.length, 64);
});

test("LongRoPE: the length, and a layout that is not known, are the caller's", () => {
  const ones = Array.from({ length: 48 }, () => 1);
  const { plans } = pe.hubConfig({
    model_type: "one of your own",
    hidden_size: 3072,
    num_attention_heads: 32,
    max_position_embeddings: 131072,
    original_max_position_embeddings: 4096,
    rope_scaling: { type: "su", short_factor: ones, long_factor: ones.map((value) => 2 * value) },
  });
  const [{ rotary, attentionFactor }] = plans;
  assert.equal("layout" in rotary, false);
  assert.deepEqual(rotary.scaling.shortFactor, ones);
  assert.throws(() => pe.rotary(rotary), TypeError);
  assert.throws(() => pe.rotary({ layout: "half", ...rotary }), /^RangeError: length: none/);
  const rope = pe.rotary({ layout: "half", ...rotary, length: 8192 });
  assert.equal(rope.attentionFactor, attentionFactor);
  assert.ok(Math.abs(attentionFactor - Math.sqrt(17 / 12)) < 1e-15);
});

test("sections and unknown keys", () => {
  const { plans, unknownKeys } = pe.hubConfig({
    text_config: {
      head_dim: 128,
      rope_scaling: { type: "mrope", mrope_section: [16, 24, 24], mrope_interleaved: true, finetuned: true },
    },
  });
  assert.deepEqual(plans[0].mrope, { sections: [22, 21, 21], order: "interleaved" });
  assert.deepEqual(unknownKeys, ["text_config.rope_scaling.finetuned"]);
  // The model's options go into the maker as they are: height and width have every third pair at most.
  const rope = pe.mrope({ layout: "half", ...plans[0].rotary, ...plans[0].mrope });
  assert.equal(rope.rotaryDim, 128);
});

test("what is no config, and values that JSON does not have", () => {
  for (const config of [undefined, null, 3, "{}", []])
    assert.throws(() => pe.hubConfig(config), { name: "TypeError", message: /^config: / });
  for (const [config, message] of [
    [{ ...llama31, rope_scaling: { type: "x" } }, /^rope_scaling.type: "x", expected one of .*"yarn"/],
    [{ ...llama31, rope_theta: Number.NaN }, /^rope_theta: NaN, expected a finite number/],
    [{ rope_theta: 1, head_dim: 64n }, /^head_dim: none/],
  ])
    assert.throws(() => pe.hubConfig(config), { name: "RangeError", message });
});

test("a config of more bytes than any model's is refused at once, by its place", () => {
  const itself = { head_dim: 64 };
  for (let i = 0; i < 12; ++i) itself[`rope_${i}`] = itself;
  // What would be looked through beyond the limit has no end.
  const refused = (config, message) => assert.throws(() => pe.hubConfig(config), { name: "RangeError", message });
  const most = "expected at most 4194304 bytes in all of a config";
  refused(itself, new RegExp(`^rope_\\d+(\\.rope_\\d+)*(\\.head_dim)?: 41943\\d\\d, ${most}$`));
  const lists = [];
  for (let i = 0; i < 60; ++i) lists.push(lists);
  refused({ head_dim: 64, lists }, new RegExp(`^lists(\\[\\d+\\])*: 41943\\d\\d, ${most}$`));
  refused({ head_dim: 64, many: new Array(2 ** 32 - 1) }, /^many: 4294967\d\d\d, expected at most/);
  refused({ head_dim: 64, chat: "x".repeat(2 ** 28) }, /^chat: 2684354\d\d, expected at most/);
  refused({ ["\n".repeat(2 ** 24)]: 1 }, /^(\\n){40}: 1677721\d, expected at most/);
  const largest = { head_dim: 64, words: Array(100_000).fill(0), chat: "x".repeat(199_900) };
  assert.equal(pe.hubConfig({ ...largest, rope_theta: 5e5 }).plans[0].rotary.base, 5e5);
});

test("tables of quantization are passed over, whatever they have", () => {
  const table = Object.fromEntries(Array.from({ length: 67_071 }, (_, i) => [`rope.layers.${i}.weight`, { bits: 4 }]));
  for (const key of ["quantization_config", "quantization", "compression_config", "hf_quant_config"])
    assert.deepEqual(pe.model({ ...llama31, [key]: table }).unknownKeys, pe.model(llama31).unknownKeys, key);
});

test("names of classes are no part of it, however many: more bytes than a config may have", () => {
  const names = Array.from({ length: 90_000 }, (_, i) => `rope, position ${i}`);
  const id2label = Object.fromEntries(names.map((name, i) => [i, name]));
  const label2id = Object.fromEntries(names.map((name, i) => [name, i]));
  const config = { ...llama31, id2label, label2id };
  assert.ok(JSON.stringify(config).length > 4194304);
  assert.deepEqual(pe.hubConfig(config), pe.hubConfig(llama31));
  assert.deepEqual(pe.model(config).unknownKeys, pe.model(llama31).unknownKeys);
});

test("a config that contains itself ends", () => {
  const config = { head_dim: 64 };
  config.rope_scaling = { type: "default", self: config };
  config.text_config = config;
  const { plans, unknownKeys } = pe.hubConfig(config);
  assert.equal(plans[0].rotary.dim, 64);
  // The innermost text config is read; the configs around it are ignored.
  assert.ok(unknownKeys.length > 0);
  for (const key of unknownKeys) assert.match(key, /rope_scaling(\.self)?$/);
});

test("models that do not rotate have another encoding, with options for its function", () => {
  const encodingOf = (config) => {
    const { plans, encoding } = pe.hubConfig(config);
    assert.deepEqual(plans, []);
    return encoding;
  };
  assert.deepEqual(encodingOf({ model_type: "bert" }), { type: "learned", rows: 512, firstRow: 0 });
  assert.deepEqual(encodingOf({ model_type: "xglm" }), { type: "sinusoidal", firstRow: 2 });
  assert.deepEqual(encodingOf({ model_type: "jamba" }), { type: "none" });
  assert.deepEqual(encodingOf({ model_type: "t5", num_heads: 8 }), {
    type: "t5",
    heads: 8,
    buckets: 32,
    maxDistance: 128,
  });
  const { type, ...alibi } = encodingOf({ model_type: "mpt", n_heads: 12, attn_config: { alibi_bias_max: 16 } });
  assert.equal(type, "alibi");
  assert.deepEqual(alibi, { heads: 12, slopes: "mpt", steepness: 16, distance: "linear" });
  assert.deepEqual(pe.alibi({ ...alibi, queries: 2, keys: 3 }).shape, [12, 2, 3]);
});

test("layers have the index of their plan, if any", () => {
  const sizes = { hidden_size: 2048, num_attention_heads: 16, num_hidden_layers: 4 };
  assert.deepEqual(pe.hubConfig({ ...sizes, model_type: "smollm3" }).layers, [
    { count: 3, type: "full_attention", plan: 0 },
    { count: 1, type: "full_attention", plan: null },
  ]);
  const { layers, plans } = pe.hubConfig({ ...sizes, model_type: "gemma3_text", sliding_window_pattern: 4 });
  assert.deepEqual(
    plans.map(({ layerType }) => layerType),
    ["full_attention", "sliding_attention"],
  );
  assert.deepEqual(
    layers.map(({ plan }) => plan),
    [1, 0],
  );
  assert.deepEqual(pe.hubConfig(llama31).layers, []);
});
