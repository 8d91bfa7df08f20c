// Conversions to GGUF that lost something: posenc compare names it, with the key; and posenc explain of the file.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { before, test } from "node:test";
import { safetensors } from "../testing/array-files.mjs";
import { gguf, llama } from "../testing/gguf-files.mjs";
import { fractions } from "../testing/testing.mjs";
import { inProject, jsonOf, posenc, write } from "./installed.mjs";

const float = (value) => ({ type: "float32", value });
const [heads, keyHeads, dim, columns] = [4, 2, 64, 256];
const config = {
  model_type: "llama",
  hidden_size: columns,
  num_attention_heads: heads,
  num_key_value_heads: keyHeads,
  num_hidden_layers: 4,
  max_position_embeddings: 8192,
  rope_theta: 500000,
};
const q = fractions([heads * dim, columns], 1);
const k = fractions([keyHeads * dim, columns], 2);

/** As llama.cpp's converter permutes: rows of a head in two halves become pairs. */
function permuted({ data, shape }, count) {
  const size = shape[0] / count;
  const made = new Float32Array(data.length);
  for (let row = 0; row < shape[0]; ++row) {
    const [head, i] = [Math.floor(row / size), row % size];
    const from = head * size + (i >> 1) + (i % 2) * (size / 2);
    made.set(data.subarray(from * columns, (from + 1) * columns), row * columns);
  }
  return { data: made, shape };
}

const weights = (ofQ, ofK) => ({ "blk.0.attn_q.weight": ofQ, "blk.0.attn_k.weight": ofK });
const right = weights(permuted(q, heads), permuted(k, keyHeads));

function folder(name, own) {
  mkdirSync(inProject(name), { recursive: true });
  write(`${name}/config.json`, JSON.stringify({ ...config, ...own }));
  return name;
}

before(() => {
  folder("llama");
  write("llama/model-00001-of-00002.safetensors", safetensors({ "model.layers.0.self_attn.q_proj.weight": q }));
  write("llama/model-00002-of-00002.safetensors", safetensors({ "model.layers.0.self_attn.k_proj.weight": k }));
});

/** The differences by trait, of all layers. */
function lost(ofConfig, metadata, tensors) {
  write("model.gguf", gguf(metadata, tensors));
  const { differing, notKnown, weights } = jsonOf("compare", ofConfig, "model.gguf");
  const all = Object.fromEntries(
    differing.flatMap(({ differences }) => differences.map(({ what, ...more }) => [what, more])),
  );
  return { all, notKnown, weights };
}

test("a conversion that loses nothing has no differences, and rows in the order of its layout", () => {
  const { all, notKnown, weights } = lost("llama", llama(), right);
  assert.deepEqual(all, {});
  assert.deepEqual(notKnown, []);
  assert.deepEqual(
    weights.map(({ weight, isRight, order }) => [weight, isRight, order]),
    [
      ["q", true, "to-interleaved"],
      ["k", true, "to-interleaved"],
    ],
  );
  const { out, status } = posenc("compare", "llama", "model.gguf");
  assert.equal(status, 0);
  assert.match(
    out,
    /^Both do the same in all layers\.\nW_q: its rows are permuted from halves to pairs, as its layout needs\.\n/,
  );
});

test("the base is missing", () => {
  const { all } = lost("llama", llama({ "llama.rope.freq_base": undefined }), right);
  assert.deepEqual(all, { base: { a: 500000, b: 10000, path: "llama.rope.freq_base", from: "default" } });
  assert.match(
    posenc("compare", "llama", "model.gguf").out,
    /^Layers 0-3:\n {2}base: 500000 \| 10000 \(llama\.rope\.freq_base is missing: llama\.cpp's default\)\n {2}cosines differ by up to /,
  );
  assert.match(posenc("explain", "model.gguf", "--lang", "zh").out, /缺少 llama\.rope\.freq_base：llama\.cpp 的默认值/);
});

const yarn = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 8192 };
const llama3 = { ...yarn, rope_type: "llama3", factor: 8, low_freq_factor: 1, high_freq_factor: 4 };
const sections = { type: "mrope", mrope_section: [16, 8, 8] };

// A trait, the file's architecture, the config, metadata of files that have lost and kept it, and the key that is missing.
for (const [trait, architecture, own, lostKeys, keptKeys, path] of [
  [
    "scaling",
    "qwen3",
    { model_type: "qwen3", head_dim: 64, rope_scaling: yarn },
    {},
    { "scaling.type": "yarn", "scaling.factor": float(4), "scaling.original_context_length": 8192 },
    "qwen3.rope.scaling.type",
  ],
  [
    "dims",
    "gptneox",
    { model_type: "gpt_neox", rotary_pct: 0.25 },
    { dimension_count: undefined },
    { dimension_count: 16 },
    "gptneox.rope.dimension_count",
  ],
  [
    "mrope",
    "qwen2vl",
    { model_type: "qwen2_vl", rope_scaling: sections },
    {},
    { dimension_sections: [16, 8, 8, 0] },
    "qwen2vl.rope.dimension_sections",
  ],
  ["scaling", "llama", { rope_scaling: llama3 }, {}, undefined, "rope_freqs.weight"],
])
  test(`${architecture}: ${trait} is missing, by ${path}`, () => {
    const file = (keys) =>
      llama(
        Object.fromEntries(Object.entries(keys).map(([key, value]) => [`${architecture}.rope.${key}`, value])),
        architecture,
      );
    const name = folder(`lost-${path}`, own);
    const { all } = lost(name, file(lostKeys));
    assert.deepEqual([all[trait].path, all[trait].from], [path, "default"]);
    assert.notDeepEqual(all[trait].a, all[trait].b);
    if (keptKeys) assert.deepEqual(lost(name, file(keptKeys)).all, {});
  });

test("a window is there, and llama.cpp does not use it", () => {
  const mistral = folder("mistral", { model_type: "mistral", sliding_window: 4096 });
  const { all } = lost(mistral, llama({ "llama.attention.sliding_window": 4096 }));
  assert.deepEqual(
    [all.reach.b, all.reach.path, all.reach.from],
    [{ type: "all" }, "llama.attention.sliding_window", "file"],
  );
  const { out } = posenc("explain", "model.gguf");
  assert.match(out, /^Can go wrong:\n {2}- llama\.attention\.sliding_window is ignored: /);
});

test("rows are not permuted, or by the heads of the queries", () => {
  const order = (tensors) => lost("llama", llama(), tensors).weights.map(({ isRight, order }) => [isRight, order]);
  assert.deepEqual(order(weights(q, k)), [
    [false, "same"],
    [false, "same"],
  ]);
  assert.deepEqual(order(weights(permuted(q, heads), permuted(k, heads))), [
    [true, "to-interleaved"],
    [false, "to-interleaved, heads of 32"],
  ]);
  assert.match(
    posenc("compare", "llama", "model.gguf").out,
    /W_k: .* in heads of 32 in place of 64, which its layout does not fit\./,
  );
  assert.deepEqual(order(weights(fractions([256, 256], 3), permuted(k, keyHeads))), [
    [null, "other"],
    [true, "to-interleaved"],
  ]);
});

test("the headline counts the rows of weights, too", () => {
  const first = (tensors) => {
    lost("llama", llama(), tensors);
    return posenc("compare", "llama", "model.gguf").out.split("\n")[0];
  };
  assert.equal(first(right), "Both do the same in all layers.");
  assert.equal(first(weights(q, k)), "The layers are alike, but not the rows of weights:");
  assert.match(first(weights(fractions([256, 256], 3), permuted(k, keyHeads))), /, as far as it is known\.$/);
});

test("numbers that a file has as float32 are those of the config", () => {
  const short = Array.from({ length: 32 }, (_, i) => 1 + i * 0.0123456789);
  const long = short.map((value) => value * 1.7654321);
  const rope_scaling = { type: "longrope", short_factor: short, long_factor: long };
  const own = { original_max_position_embeddings: 4096, max_position_embeddings: 131072, rope_scaling };
  const phi = folder("phi", { ...own, model_type: "phi3", num_attention_heads: 4, num_key_value_heads: 2 });
  const factor = Math.sqrt(1 + Math.log(32) / Math.log(4096));
  const file = (attention) =>
    llama(
      {
        "phi3.context_length": 131072,
        "phi3.rope.scaling.attn_factor": float(attention),
        "phi3.rope.scaling.original_context_length": 4096,
      },
      "phi3",
    );
  const list = (values) => ({ data: Float32Array.from(values), shape: [32] });
  const factors = { "rope_factors_short.weight": list(short), "rope_factors_long.weight": list(long) };
  assert.deepEqual(lost(phi, file(factor), factors).all, {});
  assert.deepEqual(Object.keys(lost(phi, file(1.19), factors).all), ["attentionFactor"]);
  const other = { ...factors, "rope_factors_long.weight": list(long.with(3, 1.83)) };
  assert.deepEqual(Object.keys(lost(phi, file(factor), other).all), ["scaling"]);
});

test("a split .gguf: other parts are read beside the first, or what they may hold is open", () => {
  const part = (i) => `split-0000${i}-of-00003.gguf`;
  const number = (value) => ({ type: "uint16", value });
  const split = (no) => ({ "split.no": number(no), "split.count": number(3) });
  write(part(1), gguf({ ...llama(), ...split(0) }));
  write(part(2), gguf(split(1), right));
  const open = jsonOf("explain", part(1));
  assert.deepEqual([open[0].kind, open[0].code, open[0].path], ["risk", "not-read", part(3)]);
  assert.doesNotMatch(JSON.stringify(open), /rope\.scaling/);
  const compared = jsonOf("compare", "llama", part(1));
  assert.deepEqual(compared.missing, [part(3)]);
  assert.deepEqual(compared.notKnown, ["scaling", "attentionFactor"]);
  assert.deepEqual(
    compared.weights.map(({ isRight }) => isRight),
    [true, true],
  );
  assert.match(
    posenc("compare", "llama", part(1), "--lang", "zh").out,
    /^就所知的部分.*\n以下文件不在，没有读到：split/,
  );
  for (const args of [
    ["explain", part(1), "--for", "llama.cpp"],
    ["cache", part(1), "--length", "4", "-o", "split.npy"],
  ])
    assert.deepEqual([posenc(...args).status, posenc(...args).error.slice(0, 33)], [3, `posenc: ${part(3)}`]);
  const data = Float32Array.from({ length: 32 }, (_, i) => 1 + i);
  write(part(3), gguf(split(2), { "rope_freqs.weight": { data, shape: [32] } }));
  const whole = jsonOf("explain", part(1));
  assert.ok(whole.every(({ code }) => code !== "not-read"));
  assert.equal(whole.find(({ code }) => code === "scaling").from, "tensor");
  assert.equal(posenc("cache", part(1), "--length", "4", "-o", "split.npy").status, 0);
  write("renamed.gguf", gguf({ ...llama(), ...split(0) }));
  assert.equal(jsonOf("explain", "renamed.gguf")[0].path, "2 of 3 parts");
});

test("two of which one is not known: nothing is compared, and the exit code says so", () => {
  write("unknown.json", "{}");
  write("unheard.json", JSON.stringify({ model_type: "unheard" }));
  for (const args of [
    ["compare", "llama", "unheard.json"],
    ["explain", "unheard.json"],
  ])
    assert.equal(posenc(...args).status, 2, args.join(" "));
  assert.match(posenc("compare", "llama", "unheard.json").out, /^Nothing was compared: /);
});

test("without both weights the order of rows is not known, unless the layout is the same", () => {
  const { weights, notKnown } = lost("llama", llama());
  assert.deepEqual(
    weights.map(({ isRight }) => isRight),
    [null, null],
  );
  assert.deepEqual(notKnown, ["layout"]);
  assert.match(
    posenc("compare", "llama", "model.gguf").out,
    /^Both .*, as far as it is known\.\nNot known of one of them: layout\./,
  );
});

test("other commands take a .gguf file for a config", () => {
  write("model.gguf", gguf(llama()));
  const args = ["cache", "model.gguf", "--length", "4", "-o", "cache.npy", "--force"];
  assert.equal(posenc(...args).status, 0);
  write("cut.gguf", gguf(llama()).subarray(0, 50));
  const { status, error } = posenc("explain", "cut.gguf");
  assert.equal(status, 3);
  assert.match(error, /^posenc: cut\.gguf: truncated: 50 bytes, expected /);
  assert.equal(posenc("compare", "model.gguf").status, 3);
});
