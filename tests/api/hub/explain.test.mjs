// Explanations of models and their differences. What is read of configs is tested by tests/core/hub.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { explain } from "posenc/engines";
import { load } from "../../../dist/full.js";

const pe = await load();

const { llama31 } = JSON.parse(readFileSync(new URL("engines.json", import.meta.url), "utf8"));
const llama = { ...llama31, num_hidden_layers: 32 };
const qwen = {
  model_type: "qwen3",
  head_dim: 128,
  num_hidden_layers: 36,
  max_position_embeddings: 40960,
  rope_theta: 1e6,
};
const yarn = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32768 };

/** The findings of a code, of a config. */
const found = (config, code, options) => explain(pe.model(config), options).filter((finding) => finding.code === code);

/** The one finding of a code, without its sentence. */
function only(config, code, options) {
  const findings = found(config, code, options);
  assert.equal(findings.length, 1, `${code}: ${JSON.stringify(findings)}`);
  const [{ kind, path, numbers, sentence }] = findings;
  assert.ok(sentence.length > 10 && !/undefined|NaN/.test(sentence), sentence);
  return { kind, path, numbers };
}

test("explain: what a model does", () => {
  assert.deepEqual(only(llama, "rotary"), {
    kind: "does",
    path: "rope_theta",
    numbers: { layers: "0-31", layerType: "", base: 500000, first: 0, count: 128, dim: 128 },
  });
  assert.deepEqual(only(llama, "scaling").numbers, { type: "llama3", factor: 8, originalLength: 8192 });
  assert.deepEqual(found(llama, "factor-disagrees"), [], "Llama 3's factor is no ratio of lengths");
  assert.deepEqual(only({ model_type: "bloom", n_head: 16, hidden_size: 64, n_layer: 2 }, "alibi").numbers.heads, 16);
  const bert = { model_type: "bert", hidden_size: 768, num_attention_heads: 12, max_position_embeddings: 512 };
  assert.deepEqual(only(bert, "learned").numbers, { rows: 512, firstRow: 0 });
  const gemma = { model_type: "gemma3_text", num_hidden_layers: 7, head_dim: 256, sliding_window: 512 };
  assert.deepEqual(only(gemma, "window"), {
    kind: "does",
    path: "sliding_window",
    numbers: { layers: "0-4, 6", size: 512 },
  });
});

test("explain: what is unusual", () => {
  const deepseek = { model_type: "deepseek_v32", num_hidden_layers: 4, qk_rope_head_dim: 64, qk_nope_head_dim: 128 };
  assert.equal(only(deepseek, "split-head").numbers.first, 128);
  assert.deepEqual(only(deepseek, "indexer").numbers, { layers: "0-3", layout: "half", first: 0, count: 64, dim: 128 });
  assert.equal(only(deepseek, "layout").kind, "unusual");
  assert.equal(only({ ...llama, model_type: "nanochat" }, "inverse").kind, "unusual");
  const granite = { ...llama, model_type: "granite", attention_multiplier: 0.015625 };
  assert.equal(only(granite, "scale").numbers.scale, 0.015625);
  const smollm = { model_type: "smollm3", head_dim: 128, num_hidden_layers: 8 };
  assert.deepEqual(only(smollm, "layers-without").numbers, { layers: "3, 7", count: 2, of: 8 });
  assert.deepEqual(
    only({ ...llama, model_type: "phi3", rope_scaling: null, partial_rotary_factor: 0.5 }, "partial").numbers.count,
    64,
  );
});

test("explain: what will go wrong", () => {
  const scaled = { ...qwen, rope_scaling: yarn };
  assert.deepEqual(only({ ...scaled, max_position_embeddings: 262144 }, "factor-disagrees"), {
    kind: "risk",
    path: "rope_scaling.factor",
    numbers: { factor: 4, ratio: 8, length: 262144, originalLength: 32768 },
  });
  assert.deepEqual(found({ ...scaled, max_position_embeddings: 131072 }, "factor-disagrees"), []);
  const { original_max_position_embeddings: _, ...missing } = yarn;
  assert.equal(
    only({ ...qwen, rope_scaling: missing }, "original-length-missing").path,
    "rope_scaling.original_max_position_embeddings",
  );
  const nested = {
    model_type: "gemma4_text",
    head_dim: 64,
    num_hidden_layers: 2,
    layer_types: ["sliding_attention", "full_attention"],
    max_position_embeddings: 131072,
    rope_parameters: { sliding_attention: { rope_type: "default" }, full_attention: yarn },
  };
  assert.deepEqual(found(nested, "original-length-missing"), []);
  assert.deepEqual(found(nested, "factor-disagrees"), []);
  assert.equal(only({ ...qwen, original_max_position_embeddings: 4096 }, "unscaled").numbers.originalLength, 4096);
  assert.equal(only({ ...qwen, rope_scaling: { rope_type: "dynamic", factor: 2 } }, "length-dependent").kind, "risk");
  assert.deepEqual(only(qwen, "too-long", { length: 40961 }).numbers, { length: 40961, most: 40960 });
  assert.deepEqual(found(qwen, "too-long", { length: 40960 }), []);
  assert.equal(only({ ...qwen, model_type: "one of your own" }, "layout-unknown").kind, "risk");
  assert.equal(only({ ...qwen, rope_finetuned: true }, "unknown-key").path, "rope_finetuned");
  const order = ["risk", "unusual", "does", "evidence"];
  const kinds = explain(pe.model({ ...scaled, rope_finetuned: true })).map(({ kind }) => kind);
  assert.deepEqual(
    kinds,
    [...kinds].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
  );
});

test("explain: no alarm where nothing is wrong", () => {
  const risks = (config) => explain(pe.model(config)).filter(({ kind }) => kind === "risk");
  // Qwen's documentation has this dictionary, and max_position_embeddings stays as it is.
  assert.deepEqual(risks({ ...qwen, rope_scaling: yarn }), []);
  // OLMo 3's own config: layers with a window are not scaled, and are not meant to be.
  const olmo = {
    model_type: "olmo3",
    hidden_size: 4096,
    num_attention_heads: 32,
    num_hidden_layers: 4,
    layer_types: ["sliding_attention", "sliding_attention", "sliding_attention", "full_attention"],
    sliding_window: 4096,
    rope_theta: 500000,
    max_position_embeddings: 65536,
    rope_scaling: { rope_type: "yarn", factor: 8, original_max_position_embeddings: 8192, attention_factor: 1.2 },
  };
  assert.deepEqual(risks(olmo), []);
  assert.deepEqual(risks(llama), []);
});

test("explain: two names of a rule that disagree, and a factor below 1", () => {
  const other = { type: "linear", ...yarn };
  assert.deepEqual(only({ ...qwen, rope_scaling: other }, "types-disagree"), {
    kind: "risk",
    path: "rope_scaling.type",
    numbers: { type: "linear", ropeType: "yarn" },
  });
  assert.equal(
    only({ ...llama, rope_scaling: { ...llama.rope_scaling, type: "linear" } }, "types-disagree").kind,
    "risk",
  );
  assert.deepEqual(found({ ...qwen, rope_scaling: { ...yarn, type: "yarn" } }, "types-disagree"), []);
  const sections = { type: "mrope", rope_type: "default", mrope_section: [16, 24, 24] };
  assert.deepEqual(found({ ...qwen, model_type: "qwen2_vl", rope_scaling: sections }, "types-disagree"), []);
  for (const type of ["linear", "dynamic"])
    assert.deepEqual(only({ ...qwen, rope_scaling: { type, factor: 0.5 } }, "factor-below-one").numbers, {
      factor: 0.5,
    });
  assert.deepEqual(found({ ...qwen, rope_scaling: { type: "linear", factor: 1 } }, "factor-below-one"), []);
  assert.deepEqual(found(llama, "factor-below-one"), []);
});

test("explain: both languages have the same findings", () => {
  const linear = { type: "linear", factor: 0.5 };
  const all = [llama, qwen, { ...qwen, rope_scaling: { ...yarn, type: "linear" } }, { ...qwen, rope_scaling: linear }];
  for (const config of [...all, { ...qwen, model_type: "mine", rope_x: 1 }]) {
    const model = pe.model(config);
    const english = explain(model, { language: "en" });
    const chinese = explain(model, { language: "zh" });
    assert.deepEqual(
      english.map(({ sentence, ...rest }) => rest),
      chinese.map(({ sentence, ...rest }) => rest),
    );
    for (const { sentence } of chinese) assert.match(sentence, /\p{Script=Han}/u);
    for (const { sentence } of english) assert.doesNotMatch(sentence, /\p{Script=Han}/u);
  }
  assert.throws(
    () => explain(pe.model(llama), { language: "fr" }),
    /^RangeError: language: "fr", expected "en" or "zh"/,
  );
  for (const [member, wrong] of [
    ["evidence", {}],
    ["layers", null],
    ["ids", 1],
    ["path", 3],
    ["plans", [{}]],
    ["layers", [null]],
    ["evidence", [undefined]],
  ])
    assert.throws(() => explain({ ...pe.model(llama), [member]: wrong }), /^TypeError: model: .*, expected what model/);
  assert.throws(() => explain({}), /^TypeError: model: an object, expected what model\(\) made|^TypeError: model: /);
});

test("grids: what a config changes of the preset is said, and the key that is there is cited", () => {
  const dino = { model_type: "dinov3_vit", hidden_size: 384, num_attention_heads: 6 };
  const flux = { _class_name: "FluxTransformer2DModel", axes_dims_rope: [32, 48, 48], attention_head_dim: 128 };
  const sentenceOf = (config, language) => found(config, "grid", { language })[0].sentence;
  assert.match(sentenceOf(dino), /, as rotaryGrid's preset dinov3 does\.$/);
  assert.match(sentenceOf({ ...dino, rope_theta: 50 }), /preset dinov3 does, with base 50\.$/);
  assert.match(sentenceOf(flux, "zh"), /共 128 维（各轴 32, 48, 48）/);
  const tower = { depth: 2, hidden_size: 64, num_heads: 4 };
  const whole = { model_type: "qwen2_5_vl", text_config: { ...qwen, model_type: "qwen2_5_vl_text" } };
  const vision = explain(pe.model({ ...whole, vision_config: tower }, { part: "vision_config" }));
  assert.deepEqual([...new Set(vision.map(({ path }) => path))], ["model_type"]);
  const nested = { model_type: "x", thinker_config: { audio_config: { model_type: "llama", head_dim: 64 } } };
  const audio = explain(pe.model(nested, { part: "thinker_config.audio_config" }));
  assert.equal(audio.find(({ code }) => code === "rotary").path, "thinker_config.audio_config.model_type");
});

test("compare: what differs, where, and how far it goes", () => {
  const a = pe.model(llama);
  assert.deepEqual(pe.compare(a, pe.model(llama)), { layerCounts: [32, 32], differing: [], notKnown: [] });
  const { layerCounts, differing } = pe.compare(a, pe.model({ ...llama, rope_theta: 10000 }), {
    distances: [0, 1, 64],
  });
  assert.deepEqual(layerCounts, [32, 32]);
  assert.equal(differing.length, 1);
  assert.equal(differing[0].layers, "0-31");
  assert.deepEqual(differing[0].differences, [{ what: "base", a: 500000, b: 10000 }]);
  const rotaries = [500000, 10000].map((base) => pe.rotary({ ...a.plans[0].rotary, base }));
  const expected = pe.rotaryDifference({ a: rotaries[0], b: rotaries[1], distances: [0, 1, 64] });
  assert.deepEqual(differing[0].effect, { distances: [0, 1, 64], ...expected });
  assert.equal(expected.angle[0], 0);
  assert.ok(expected.angle[2] > expected.angle[1] && expected.angle[1] > 0);
});

test("a type that is not listed, without a key about positions: not known, in explain and compare", () => {
  const unlisted = { model_type: "unlisted", n_embd: 768, n_head: 12, n_layer: 12, n_positions: 512 };
  const model = pe.model(unlisted);
  assert.deepEqual([model.encoding.type, model.plans, model.layers, model.ids.rule], ["unknown", [], [], null]);
  for (const language of ["en", "zh"]) {
    const findings = explain(model, { language });
    assert.deepEqual(findings[0].code, "unknown");
    assert.ok(
      findings.every(({ kind, code }) => kind === "risk" && ["unknown", "unknown-key", "known-unknown"].includes(code)),
    );
  }
  // Two of which nothing is known do not agree, nor do they differ.
  for (const [a, b] of [
    [model, pe.model({ ...unlisted, model_type: "other" })],
    [model, pe.model(llama)],
  ]) {
    const { differing, notKnown } = pe.compare(a, b);
    assert.deepEqual(differing, []);
    assert.equal(notKnown.length, 19);
  }
  // The keys' meaning is known, and nothing else is compared.
  const own = pe.compare(pe.model(llama), pe.model({ ...llama, model_type: "other", rope_theta: 10000 }));
  const ofCode = ["layout", "inverse", "mask", "reach", "temperature", "scale", "norm", "softcap", "sinks"];
  assert.deepEqual(own.notKnown, [
    "encoding",
    ...ofCode,
    "indexer",
    "compression",
    "rotatesOutputs",
    "secondEncodings",
  ]);
  assert.deepEqual(own.differing[0].differences, [{ what: "base", a: 500000, b: 10000 }]);
});

test("compare: layers that differ in the same way are one entry", () => {
  const rope = (base) => ({
    model_type: "gemma3_text",
    head_dim: 256,
    num_hidden_layers: 12,
    max_position_embeddings: 1024,
    rope_theta: base,
    sliding_window: 512,
  });
  const { differing } = pe.compare(pe.model(rope(1e6)), pe.model({ ...rope(1e5), sliding_window: 1024 }));
  assert.deepEqual(
    differing.map(({ layers, differences }) => [layers, differences.map(({ what }) => what)]),
    [
      ["0-4, 6-10", ["reach"]],
      ["5, 11", ["base"]],
    ],
  );
  assert.deepEqual(differing[1].effect.distances, [1, 4, 16, 64, 256, 1023]);
  assert.ok(differing[0].effect.angle.every((angle) => angle === 0));
  // Angles are the same, but the other way; dimensions are as many, but others.
  const opposite = pe.compare(pe.model(llama), pe.model({ ...llama, model_type: "nanochat" })).differing[0];
  assert.ok(opposite.differences.some(({ what }) => what === "inverse"));
  assert.equal(opposite.effect, null);
  const split = { model_type: "deepseek_v2", num_hidden_layers: 2, qk_rope_head_dim: 64, qk_nope_head_dim: 128 };
  const half = { model_type: "glm", head_dim: 128, num_hidden_layers: 2 };
  const places = pe.compare(pe.model(split), pe.model(half)).differing[0];
  assert.ok(places.differences.some(({ what }) => what === "dims"));
  assert.equal(places.effect, null);
  const none = pe.compare(pe.model({ model_type: "bloom", n_head: 16, hidden_size: 64, n_layer: 2 }), pe.model(llama));
  assert.equal(none.differing[0].effect, null);
  assert.deepEqual(none.layerCounts, [2, 32]);
});

test("explain: how traits are known comes last, in both languages; what is not known is a risk", () => {
  for (const language of ["en", "zh"]) {
    const findings = explain(pe.model({ ...qwen, model_type: "mine", rope_theta: 5e5 }), { language });
    const config = findings.find(({ code }) => code === "known-config");
    assert.equal(config.kind, "evidence");
    assert.match(config.sentence, /rope_theta/);
    assert.equal(findings.find(({ code }) => code === "known-unknown").kind, "risk");
    assert.ok(findings.every(({ sentence }) => !/undefined|null|NaN/.test(sentence)));
  }
});

const sizes = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 4, head_dim: 16 };
const noRope = [1, 1, 1, 0];
const relative = { model_type: "bert", position_embedding_type: "relative_key", max_position_embeddings: 128 };
const oss = { model_type: "gpt_oss", rope_parameters: { rope_type: "default", rope_theta: 150000 } };

// A finding's code, the key that says it, and what its sentences contain in English and Chinese.
for (const [code, config, path, en, zh] of [
  ["rotary", { model_type: "dbrx", attn_config: { rope_theta: 5e5 } }, "attn_config.rope_theta", /500000/, /500000/],
  ["rotary", { model_type: "chatglm", rope_ratio: 50 }, "rope_ratio", /layers 0-3/, /0-3/],
  ["layers-without", { model_type: "llama4_text", no_rope_layers: noRope }, "no_rope_layers", /1 of 4/, /4 层中有 1/],
  [
    "norm",
    { model_type: "cohere", use_qk_norm: true },
    "use_qk_norm",
    /normalized before .*layers 0-3/,
    /0-3.*之前归一化/,
  ],
  ["attention-factor", { model_type: "qwen3", rope_scaling: yarn }, "rope_scaling", /1\.138/, /1\.138/],
  ["norm", { model_type: "nanochat" }, "model_type", /normalized after /, /之后归一化/],
  ["softcap", { model_type: "gemma2" }, "model_type", /50 · tanh\(s \/ 50\).*layers 0-3/, /50 · tanh/],
  ["sinks", oss, "model_type", /layers 0-3/, /0-3/],
  ["shaw", relative, "position_embedding_type", /127.*transformers 4.*transformers 5/, /127.*transformers 4/],
  // A default is no key's.
  ["window", { model_type: "mistral" }, "model_type", /4096/, /4096/],
  [
    "window-both",
    { model_type: "gemma3_text", sliding_window: 6, use_bidirectional_attention: true },
    "sliding_window",
    /4 keys on either side/,
    /各看 4 个/,
  ],
])
  test(`explain: ${code} of ${config.model_type} names the key that says it`, () => {
    const [english] = found({ ...sizes, ...config }, code, { language: "en" });
    const [chinese] = found({ ...sizes, ...config }, code, { language: "zh" });
    assert.equal(english.path, path);
    assert.match(english.sentence, en);
    assert.match(chinese.sentence, zh);
  });

test("of a layer whose type has a name that is not the model's nothing is explained, and nothing compared", () => {
  const config = { ...sizes, model_type: "qwen3", sliding_window: 8 };
  const types = (second) => ["sliding_attention", second, "sliding_attention", second];
  const model = pe.model({ ...config, layer_types: types("x") });
  assert.deepEqual(
    model.layers.map(({ plan, reach }) => [plan, reach.type]),
    [0, 1, 2, 3].map((i) => (i % 2 === 0 ? [0, "all"] : ["unknown", "unknown"])),
  );
  assert.throws(() => model.layer(1), /^RangeError: config: "qwen3", expected a model whose use of/);
  const findings = explain(model);
  assert.ok(findings.some(({ code, path }) => code === "unknown-key" && path === "layer_types[1]"));
  assert.ok(findings.every(({ code }) => code !== "layers-without"));
  const { differing, notKnown } = pe.compare(model, pe.model({ ...config, layer_types: types("sliding_attention") }));
  assert.deepEqual(differing, []);
  assert.ok(notKnown.includes("encoding") && notKnown.includes("base"));
});

test("compare: norms differ, or are not known of one of both", () => {
  const [qwen3, llama3] = ["qwen3", "llama"].map((model_type) => pe.model({ ...sizes, model_type }));
  const { differences } = pe.compare(qwen3, llama3).differing[0];
  assert.deepEqual(
    differences.find(({ what }) => what === "norm"),
    { what: "norm", a: "before", b: null },
  );
  const { notKnown } = pe.compare(pe.model({ ...sizes, model_type: "mine", rope_theta: 1e4 }), llama3);
  for (const trait of ["norm", "softcap", "sinks"]) assert.ok(notKnown.includes(trait), trait);
  // Two encodings of which one is not known are not the same.
  const cog = { _class_name: "CogVideoXTransformer3DModel", attention_head_dim: 64, num_attention_heads: 48 };
  assert.ok(pe.compare(llama3, pe.model(cog)).notKnown.includes("encoding"));
});

test("with code that was not read, no sentence that rests on the type is a fact, in both languages", () => {
  const isHedged = { en: /\(assumed\)\.$/, zh: /（属假定）。$/ };
  const rows = JSON.parse(readFileSync(new URL("models.json", import.meta.url), "utf8")).filter(
    ({ refused }) => refused === undefined,
  );
  let count = 0;
  for (const { type, config } of rows)
    for (const language of ["en", "zh"]) {
      const ofType = pe.model({ ...config, model_type: type });
      const other = pe.model({ ...config, model_type: type, architectures: ["NoneOfItsOwn"] });
      const statements = (model) =>
        explain(model, { language })
          .filter(({ kind, path }) => ["does", "unusual"].includes(kind) && path.endsWith("model_type"))
          .map(({ sentence }) => isHedged[language].test(sentence));
      assert.ok(!statements(other).includes(false), `${type}: ${JSON.stringify(explain(other, { language }))}`);
      // The same statement of the type's own code is one, unless its layers or dimensions are assumed all the same.
      count += statements(ofType).filter((hedged) => !hedged).length;
    }
  assert.ok(count > 1000, `${count} statements of types`);
  // A type that is not listed: its rule's factor is its code's, whatever the rule is called.
  const scaled = { ...rows[0].config, hidden_size: 64, num_attention_heads: 2, head_dim: 32, num_hidden_layers: 2 };
  const yarn = { type: "yarn", factor: 4, original_max_position_embeddings: 64 };
  const [factor] = explain(pe.model({ ...scaled, model_type: "mine", rope_scaling: yarn })).filter(
    ({ code }) => code === "attention-factor",
  );
  assert.match(factor.sentence, isHedged.en);
});
