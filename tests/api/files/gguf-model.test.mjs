// Models of .gguf files: what llama.cpp makes of their keys (src/llama-model.cpp and src/llama-context.cpp, 00342301d), and
// what `model` says of the config that means the same.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { keyCache } from "posenc/engines";
import { ggufOf } from "posenc/files";
import { load } from "../../../dist/full.js";
import { gguf, llama } from "../testing/gguf-files.mjs";

const pe = await load();

async function read(metadata, tensors) {
  const file = await ggufOf(new Blob([gguf(metadata, tensors)]));
  return { ...file, model: pe.model(file.config, file.layout && { layout: file.layout }) };
}

const from = ({ evidence }, path) => {
  const { value, from: source, key } = evidence.find((each) => each.path === path) ?? {};
  return [value, source, key];
};
const float = (value) => ({ type: "float32", value });

test("a Llama rotates interleaved pairs, with the base of the file; each value says where it is from", async () => {
  const made = await read(llama());
  const [plan] = made.model.plans;
  const scaling = { type: "default" };
  assert.deepEqual(plan.rotary, { dim: 64, layout: "interleaved", base: 500000, rotaryDim: 64, scaling });
  assert.deepEqual(
    made.model.layers.map(({ count, reach, dims, scale }) => [count, reach, dims, scale]),
    [[4, { type: "all" }, { first: 0, count: 64, dim: 64 }, 1 / 8]],
  );
  assert.equal(made.model.length, 8192);
  assert.deepEqual(made.model.unknownKeys, []);
  assert.deepEqual(from(made, "rope_theta"), [500000, "file", "llama.rope.freq_base"]);
  assert.deepEqual(from(made, "head_dim"), [64, "default", "llama.attention.key_length"]);
  assert.equal(from(made, "model_type")[1], "architecture");
  const q = new Float32Array(2 * 64).fill(1);
  const own = q.slice();
  made.model.layer(0).apply(q, new Float32Array(128), { shape: [2, 1, 64], seqAxis: 0 });
  pe.rotary({ dim: 64, layout: "interleaved", base: 500000 }).apply(own, { shape: [2, 1, 64], seqAxis: 0 });
  assert.deepEqual(q, own);
});

test("what a file leaves out is llama.cpp's default, and said to be that", async () => {
  const made = await read(llama({ "llama.rope.freq_base": undefined, "llama.rope.dimension_count": undefined }));
  assert.equal(made.model.plans[0].rotary.base, 10000);
  assert.deepEqual(from(made, "rope_theta"), [10000, "default", "llama.rope.freq_base"]);
  assert.deepEqual(from(made, "rotary_dim"), [64, "default", "llama.rope.dimension_count"]);
});

test("the cache of keys has the heads of the file, of each layer, or of the queries where it says none", async () => {
  const cache = async (more, architecture = "llama") => {
    const own = Object.fromEntries(Object.entries(more).map(([key, value]) => [`${architecture}.${key}`, value]));
    const made = await read(llama(own, architecture));
    const { layers, missing } = keyCache(made.model, { length: 10, dtype: "float16" });
    return [missing, ...layers.map(({ layers: places, kind, bytesPerToken }) => [places, kind, bytesPerToken])];
  };
  const heads = (value) => ({ "attention.head_count_kv": value });
  // 2 heads of 64, keys and values, 2 bytes.
  for (const architecture of ["llama", "qwen3", "gemma3", "unheard"])
    assert.deepEqual((await cache({}, architecture))[1].slice(1), ["keys-values", 512], architecture);
  assert.deepEqual(await cache(heads(undefined)), [null, ["0-3", "keys-values", 1024]]);
  assert.deepEqual(await cache(heads([1, 2, 2, 4]), "openelm"), [
    null,
    ["0", "keys-values", 256],
    ["1-2", "keys-values", 512],
    ["3", "keys-values", 1024],
  ]);
  assert.deepEqual((await cache(heads([0, 2, 0, 2]), "nemotron_h_moe")).slice(1), [
    ["0, 2", "state", 0],
    ["1, 3", "keys-values", 512],
  ]);
  assert.deepEqual((await cache({ "attention.value_length": 32 }))[1], ["0-3", "keys-values", 2 * (64 + 32) * 2]);
  const latent = { "attention.kv_lora_rank": 512, "attention.key_length_mla": 192, "attention.value_length_mla": 128 };
  assert.deepEqual(await cache({ ...latent, ...heads(1) }, "deepseek2"), [null, ["0-3", "latent", 1152]]);
});

test("layers that predict further tokens are none of the model's", async () => {
  const made = await read(llama({ "llama.nextn_predict_layers": 1 }));
  assert.equal(made.model.layers[0].count, 3);
});

test("layouts are those of the architecture; of one that is not known nothing is said", async () => {
  for (const [architecture, layout] of [
    ["qwen2", "half"],
    ["phi3", "half"],
    ["gptneox", "half"],
    ["command-r", "interleaved"],
    ["internlm2", "interleaved"],
    ["exaone", "half"],
    ["of-the-future", undefined],
  ]) {
    const made = await read(llama({}, architecture));
    assert.equal(made.layout, layout, architecture);
    assert.equal(made.model.plans[0].rotary.layout, layout, architecture);
  }
  const unlisted = await read(llama({}, "internlm2"));
  assert.equal(unlisted.model.layers[0].scale, null);
  const empty = await read({ "general.architecture": "clip", "clip.block_count": 2 });
  assert.equal(empty.model.encoding.type, "unknown");
});

test("scaling rules: linear, YaRN with its factor, those of tensors", async () => {
  const rule = (more) => llama({ "llama.rope.scaling.factor": 4, ...more });
  const plan = async (metadata, tensors) => (await read(metadata, tensors)).model.plans[0];
  assert.deepEqual((await plan(rule())).rotary.scaling, { type: "linear", factor: 4 });
  assert.equal((await plan(rule({ "llama.rope.scaling.type": "none" }))).rotary.scaling.type, "default");
  const old = llama({ "llama.rope.scale_linear": 2 });
  assert.deepEqual((await plan(old)).rotary.scaling, { type: "linear", factor: 2 });

  const yarn = { "llama.rope.scaling.type": "yarn", "llama.rope.scaling.original_context_length": 2048 };
  const plain = await plan(rule(yarn));
  assert.deepEqual([plain.rotary.scaling.type, plain.rotary.scaling.originalLength], ["yarn", 2048]);
  assert.ok(Math.abs(plain.attentionFactor - (0.1 * Math.log(4) + 1)) < 1e-12);
  const own = await plan(rule({ ...yarn, "llama.rope.scaling.attn_factor": float(0.5) }));
  assert.ok(Math.abs(own.attentionFactor - 0.5 * (0.1 * Math.log(4) + 1)) < 1e-12);
  const missing = await read(rule({ "llama.rope.scaling.type": "yarn" }));
  assert.deepEqual(from(missing, "rope_scaling.original_max_position_embeddings"), [
    8192,
    "default",
    "llama.rope.scaling.original_context_length",
  ]);

  const short = { data: new Float32Array(32).fill(1), shape: [32] };
  const long = { data: Float32Array.from({ length: 32 }, (_, i) => 1 + i), shape: [32] };
  const phi = llama(
    { "phi3.rope.scaling.attn_factor": float(1.25), "phi3.rope.scaling.original_context_length": 4096 },
    "phi3",
  );
  const longrope = await plan(phi, { "rope_factors_short.weight": short, "rope_factors_long.weight": long });
  assert.equal(longrope.rotary.scaling.type, "longrope");
  assert.deepEqual(Array.from(longrope.rotary.scaling.longFactor), Array.from(long.data));
  assert.deepEqual([longrope.attentionFactor, longrope.rotary.scaling.originalLength], [1.25, 4096]);
});

/** Factors by which Llama 3's rule divides frequencies, as llama.cpp's converter writes them. */
function llama3Factors({ base, dim, factor, low, high, length }) {
  return Float32Array.from({ length: dim / 2 }, (_, i) => {
    const wave = 2 * Math.PI * base ** ((2 * i) / dim);
    if (wave < length / high) return 1;
    if (wave > length / low) return factor;
    const share = (length / wave - low) / (high - low);
    return 1 / ((1 - share) / factor + share);
  });
}

test("Llama 3's rule is read back from its tensor, and other factors are taken as they are", async () => {
  const rule = { base: 500000, dim: 64, factor: 32, low: 1, high: 4, length: 8192 };
  const made = await read(llama(), { "rope_freqs.weight": { data: llama3Factors(rule), shape: [32] } });
  assert.deepEqual(made.model.plans[0].rotary.scaling, {
    type: "llama3",
    factor: 32,
    lowFrequencyFactor: 1,
    highFrequencyFactor: 4,
    originalLength: 8192,
  });
  assert.deepEqual(from(made, "rope_scaling.factor"), [32, "tensor", "rope_freqs.weight"]);
  const data = Float32Array.from({ length: 32 }, (_, i) => 1 + (i % 3));
  const other = await read(llama(), { "rope_freqs.weight": { data, shape: [32] } });
  const { type, longFactor } = other.model.plans[0].rotary.scaling;
  assert.deepEqual([type, Array.from(longFactor)], ["longrope", Array.from(data)]);
  assert.equal(other.model.plans[0].attentionFactor, 1);
  const ones = { data: new Float32Array(32).fill(1), shape: [32] };
  assert.equal((await read(llama(), { "rope_freqs.weight": ones })).model.plans[0].rotary.scaling.type, "default");
});

test("DeepSeek: split heads, and the multiplier of YaRN that its converter divides by ten", async () => {
  const made = await read(
    llama(
      {
        "deepseek2.attention.key_length": 192,
        "deepseek2.attention.kv_lora_rank": 512,
        "deepseek2.rope.scaling.type": "yarn",
        "deepseek2.rope.scaling.factor": 40,
        "deepseek2.rope.scaling.original_context_length": 4096,
        "deepseek2.rope.scaling.yarn_log_multiplier": float(0.1),
      },
      "deepseek2",
    ),
  );
  const [{ dims, scale }] = made.model.layers;
  assert.deepEqual(dims, { first: 128, count: 64, dim: 192 });
  const g = 0.1 * Math.log(40) + 1;
  assert.ok(Math.abs(scale - (g * g) / Math.sqrt(192)) < 1e-12);
  assert.equal(made.model.plans[0].attentionFactor, 1);
  assert.equal(made.model.plans[0].rotary.layout, "interleaved");
});

test("sections, in order or interleaved; windows where llama.cpp uses them; scales", async () => {
  const sections = [16, 8, 8, 0];
  const vl = await read(llama({ "qwen2vl.rope.dimension_sections": sections }, "qwen2vl"));
  assert.deepEqual(vl.model.plans[0].mrope, { order: "chunked", sections: [16, 8, 8] });
  const im = await read(llama({ "qwen3vl.rope.dimension_sections": [12, 10, 10, 0] }, "qwen3vl"));
  assert.deepEqual(im.model.plans[0].mrope, { order: "interleaved", sections: [12, 10, 10] });
  const plain = await read(llama({ "qwen2.rope.dimension_sections": sections }, "qwen2"));
  assert.equal(plain.model.plans[0].mrope, null);
  assert.deepEqual(plain.unusedKeys, ["qwen2.rope.dimension_sections"]);

  const gemma = await read(llama({ "gemma3.attention.sliding_window": 512, "gemma3.block_count": 12 }, "gemma3"));
  assert.deepEqual(
    gemma.model.layers.map(({ count, reach, plan }) => [count, reach.type, gemma.model.plans[plan].rotary.base]),
    [
      [5, "window", 10000],
      [1, "all", 500000],
      [5, "window", 10000],
      [1, "all", 500000],
    ],
  );
  const phi = await read(llama({ "phi3.attention.sliding_window": 512 }, "phi3"));
  assert.equal(phi.model.layers[0].reach.type, "all");
  assert.deepEqual(phi.unusedKeys, ["phi3.attention.sliding_window"]);
  const oss = await read(llama({ "gpt-oss.attention.sliding_window": 128 }, "gpt-oss"));
  assert.deepEqual(
    oss.model.layers.map(({ count, reach }) => [count, reach.type]),
    [1, 1, 1, 1].map((count, i) => [count, i % 2 === 0 ? "window" : "all"]),
  );
  const granite = await read(llama({ "granite.attention.scale": float(0.015625) }, "granite"));
  assert.equal(granite.model.layers[0].scale, 1 / 64);
  assert.equal(granite.model.encoding.type, "rotary");
  for (const architecture of ["granite", "granitemoe", "granitehybrid"]) {
    const own = { "attention.scale": float(0.015625), "rope.scaling.finetuned": false };
    const keys = Object.fromEntries(Object.entries(own).map(([key, value]) => [`${architecture}.${key}`, value]));
    const { model } = await read(llama(keys, architecture));
    assert.equal(model.encoding.type, "none", architecture);
    assert.equal(model.layers[0].scale, architecture === "granitehybrid" ? null : 1 / 64);
  }
  const kinds = [2, 0, 2, 0];
  const lfm = await read(llama({ "lfm2.attention.head_count_kv": kinds }, "lfm2"));
  assert.deepEqual(
    lfm.model.layers.map(({ plan }) => plan),
    [0, null, 0, null],
  );
});

test("models that do not rotate", async () => {
  const type = async (architecture, more = {}) => {
    const own = Object.fromEntries(Object.entries(more).map(([key, value]) => [`${architecture}.${key}`, value]));
    return (await read(llama({ [`${architecture}.rope.freq_base`]: undefined, ...own }, architecture))).model.encoding;
  };
  const alibi = { type: "alibi", heads: 4, slopes: "paper", steepness: 8, distance: "linear" };
  assert.deepEqual(await type("bloom"), alibi);
  assert.deepEqual(await type("refact"), alibi);
  const mpt = { "attention.max_alibi_bias": float(8) };
  assert.deepEqual(await type("mpt", mpt), { ...alibi, slopes: "mpt" });
  assert.deepEqual(await type("gpt2"), { type: "learned", rows: 8192, firstRow: 0 });
  assert.deepEqual(await type("mamba"), { type: "none" });
  const t5 = await type("t5", { "attention.relative_buckets_count": 16 });
  assert.deepEqual([t5.type, t5.buckets, t5.heads], ["t5", 16, 4]);
  assert.equal((await type("rwkv7")).type, "unknown");
});

test("models of every architecture are made, without a key that the config has and nothing reads", async () => {
  const file = new URL("../../../bindings/js/files/gguf-architectures.ts", import.meta.url);
  const lists = readFileSync(file, "utf8").match(/(?<=^ {2}\w+:\s+[`"])[^`"]+/gm);
  const architectures = lists.flatMap((list) => list.split(/\s+/)).map((each) => each.split("=")[0]);
  assert.ok(architectures.length > 100 && architectures.includes("qwen35moe"));
  for (const architecture of architectures) {
    const { model } = await read(llama({ [`${architecture}.rope.dimension_sections`]: [16, 8, 8, 0] }, architecture));
    assert.deepEqual(model.unknownKeys, [], architecture);
  }
});

test("model: a layout of its own for all layers, which a layer's replaces", () => {
  const config = { model_type: "llama", head_dim: 4, num_hidden_layers: 1 };
  const model = pe.model(config, { layout: "interleaved" });
  assert.equal(model.plans[0].rotary.layout, "interleaved");
  const apply = (options) =>
    model
      .layer(0, options)
      .apply(Float32Array.of(1, 2, 3, 4), new Float32Array(4), { shape: [1, 1, 4], seqAxis: 0, offset: 1 }).q;
  assert.deepEqual(apply(), apply({ layout: "interleaved" }));
  assert.notDeepEqual(apply(), apply({ layout: "half" }));
  assert.throws(
    () => pe.model(config, { layout: "other" }),
    /^RangeError: layout: "other", expected one of half, interleaved, deinterleaved$/,
  );
  assert.throws(() => pe.model(config, { layout: 7 }), TypeError);
  assert.throws(() => pe.model(config, { layouts: "half" }), TypeError);
});

test("an architecture with a name that every object has is none that is known", async () => {
  const of = async (name) => {
    const metadata = Object.entries(llama()).map(([key, value]) => [key.replace(/^llama\./, `${name}.`), value]);
    const { config, evidence } = await ggufOf(
      new Blob([gguf({ ...Object.fromEntries(metadata), "general.architecture": name })]),
    );
    return JSON.stringify([config, evidence]).replaceAll(name, "NAME");
  };
  const other = await of("unheard");
  for (const name of ["toString", "constructor"]) assert.equal(await of(name), other, name);
});
