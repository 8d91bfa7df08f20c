// Departures of engines for configs of well-known models, and for some made up so that every row of the table occurs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { engines, table } from "posenc/engines";
import { load } from "posenc/full";

const pe = await load();

/** Configs of models, shortened to what concerns positions. */
const configs = JSON.parse(readFileSync(new URL("engines.json", import.meta.url), "utf8"));
const { llama31, qwen3, deepseekV3, deepseekV2, gemma3, gptOss, phi3, llama4, qwen2Vl, glm4, laguna, olmo3 } = configs;

const shape = (heads, headDim, layers = 4) => ({
  hidden_size: heads * headDim,
  num_attention_heads: heads,
  head_dim: headDim,
  num_hidden_layers: layers,
});
const yarn = (factor, originalLength, other = {}) => ({
  rope_type: "yarn",
  factor,
  original_max_position_embeddings: originalLength,
  ...other,
});

/** The departures that occurred in a test, by the engine's name and the row's note. */
const met = new Set();

const reports = (config, options) =>
  new Map(
    engines(pe.model(config), options).map((report) => {
      for (const { note } of report.departures) met.add(`${report.engine}: ${note}`);
      return [report.engine, report];
    }),
  );

const builder = "onnxruntime-genai";

/** The codes of the departures that are current, or past, engine by engine; those that have none are left out. */
const codesOf = (reported, isCurrent) =>
  Object.fromEntries(
    [...reported]
      .map(([name, { departures }]) => [name, departures.filter((one) => one.current === isCurrent)])
      .filter(([, some]) => some.length > 0)
      .map(([name, some]) => [name, some.map(({ code }) => code)]),
  );

/** The builder has a test of its own. */
const current = (config, options) =>
  codesOf(
    [...reports(config, options)].filter(([name]) => name !== builder),
    true,
  );
const past = (config) => codesOf(reports(config), false);
const departure = (config, engine, code) =>
  reports(config)
    .get(engine)
    .departures.find((one) => one.code === code);
const frequenciesOf = ({ rotary: { dim, base, scaling } }, length) => pe.frequencies({ dim, base, scaling, length });
const understood = (config, engine) => reports(config).get(engine).understands;

test("every row has the project, the version and the file in which it was read", () => {
  const names = [
    "transformers 4",
    "transformers 5",
    "vLLM",
    "SGLang",
    "llama.cpp",
    "mlx-lm",
    "candle",
    "transformers.js",
    "onnxruntime-genai",
  ];
  assert.deepEqual(
    table.map(({ name }) => name),
    names,
  );
  for (const { name, version, facts, departures } of table) {
    assert.ok(facts.length > 0 && version, name);
    for (const { note, source, topic = "" } of [...facts, ...departures]) {
      assert.match(note, /^[^ ].*[.:]$/s, `${name} ${topic}`);
      assert.match(source.project, /^[\w.-]+\/[\w.-]+$/, note);
      assert.match(source.version, /[0-9a-f]{7}|\d+\.\d+|#\d+/, note);
      assert.match(source.file, /\.(py|js|rs|c|cpp|rope|metal)\b/, note);
    }
    for (const { threads, versions, current } of departures) {
      for (const thread of threads) assert.match(thread, /^[\w.-]+\/[\w.-]+#\d+$/);
      assert.ok(versions.length > 0 && typeof current === "boolean");
    }
  }
});

test("well-known models: what the versions that were read depart in", () => {
  assert.deepEqual(current(llama31), {});
  assert.deepEqual(current(qwen3), { "llama.cpp": ["keys-scaled-again"], candle: ["scaling-unread"] });
  assert.deepEqual(current(deepseekV3), { candle: ["keys-required"] });
  assert.deepEqual(current(deepseekV2), { "transformers 4": ["score-scale"] });
  assert.deepEqual(current(gemma3), { candle: ["scaling-unread"] });
  assert.deepEqual(current(gptOss), {
    "llama.cpp": ["truncate-unread", "keys-scaled-again"],
    "mlx-lm": ["truncate-unread"],
  });
  assert.deepEqual(current(phi3), {
    vLLM: ["by-limit"],
    SGLang: ["by-batch"],
    "llama.cpp": ["by-limit", "keys-scaled-again"],
    "mlx-lm": ["always-long"],
    candle: ["inverted", "by-position", "factor-unread"],
  });
  assert.deepEqual(current({ model_type: "llama4", text_config: llama4 }), {});
  assert.deepEqual(current(llama4), { "mlx-lm": ["scaling-unread"] });
  assert.deepEqual(current(qwen2Vl), { "mlx-lm": ["sections-unread"] });
  assert.deepEqual(current(glm4), { candle: ["rounded-angles"] });
  assert.deepEqual(current(laguna), {
    "transformers 4": ["model-unknown"],
    vLLM: ["truncate-read"],
    SGLang: ["truncate-read"],
    "mlx-lm": ["attention-factor-unread"],
  });
  assert.deepEqual(current(olmo3), {
    SGLang: ["attention-factor-unread"],
    "llama.cpp": ["attention-factor-unread", "keys-scaled-again"],
    "mlx-lm": ["attention-factor-unread"],
  });
});

test("a fraction that the model's class ignores: some engines rotate fewer dimensions", () => {
  const partial = { model_type: "llama", head_dim: 128, hidden_size: 4096, partial_rotary_factor: 0.5 };
  const [sglang, vllm] = ["SGLang", "vLLM"].map((name) => reports(partial).get(name));
  for (const { understands, departures } of [sglang, vllm]) {
    assert.equal(understands[0].rotary.rotaryDim, 64);
    const { path, expected, instead } = departures.find(({ code }) => code === "fraction-read");
    assert.deepEqual([path, expected, instead], ["partial_rotary_factor", 128, 64]);
  }
  for (const own of [
    { ...partial, model_type: "phi" },
    { ...partial, partial_rotary_factor: 1 },
  ])
    assert.ok(
      [...reports(own).values()].every(({ departures }) => departures.every(({ code }) => code !== "fraction-read")),
    );
});

test("the builder of onnxruntime-genai: rules that it leaves out, and a ramp that it never rounds", () => {
  const codes = (config) =>
    reports(config)
      .get(builder)
      .departures.map(({ code }) => code);
  assert.deepEqual(codes(llama31), []);
  assert.deepEqual(codes(qwen3), ["scaling-unread"]);
  const spelt = (other) => ({ ...qwen3, rope_scaling: yarn(4, 32768, { beta_fast: 32, beta_slow: 1, ...other }) });
  assert.deepEqual(codes(spelt()), ["ramp-unrounded"]);
  assert.equal(understood(spelt(), builder)[0].rotary.scaling.truncate, false);
  assert.deepEqual(codes(spelt({ truncate: false, attention_factor: 1.5 })), ["attention-factor-unread"]);
  assert.equal(departure(spelt({ truncate: false, mscale: 2 }), builder, "mscale-unread").instead, 2);
  assert.deepEqual(codes(spelt({ truncate: false, mscale: 1, mscale_all_dim: 0.5 })), []);
  assert.deepEqual(codes(gptOss), ["scaling-unread"].slice(Number("beta_fast" in gptOss.rope_scaling)));
  assert.deepEqual(codes(gemma3), ["scaled-everywhere"]);
  assert.deepEqual(
    understood(gemma3, builder).map(({ rotary }) => [rotary.base, rotary.scaling]),
    pe.hubConfig(gemma3).plans.map(({ rotary }) => [rotary.base, { type: "linear", factor: 8 }]),
  );
  assert.deepEqual(codes(phi3), []);
  assert.deepEqual(codes({ ...llama31, model_type: "mistral" }), ["rule-unknown"]);
  assert.equal(understood(deepseekV3, builder), "refuses");
  const { rope_scaling, rope_theta, rope_local_base_freq, ...rest } = gemma3;
  const nested = {
    full_attention: { ...rope_scaling, rope_theta },
    sliding_attention: { rope_type: "default", rope_theta: 10000 },
  };
  assert.equal(understood({ ...rest, rope_parameters: nested }, builder), "not read");
  const sections = { ...qwen2Vl, model_type: "qwen2_5_vl" };
  assert.deepEqual(codes(sections), []);
  const scaled = { ...sections, rope_scaling: yarn(2, 32768, { mrope_section: [16, 24, 24] }) };
  assert.equal(understood(scaled, builder), "refuses");
  assert.equal(understood({ ...llama31, model_type: "granite" }, builder), "not read");
});

test("a rule of two names departs in vLLM and mlx-lm", () => {
  const both = { ...qwen3, rope_scaling: { type: "linear", ...qwen3.rope_scaling } };
  const { vLLM, "mlx-lm": mlx } = current(both);
  assert.deepEqual([vLLM, mlx], [["types-disagree"], ["types-disagree"]]);
  assert.equal(departure(both, "mlx-lm", "types-disagree").path, "rope_scaling.type");
});

test("departures of older versions are reported, and change nothing", () => {
  assert.deepEqual(past(llama31), {});
  assert.deepEqual(past(gptOss), { vLLM: ["truncate-unread"], SGLang: ["truncate-unread"] });
  assert.deepEqual(past(deepseekV2), { "transformers 5": ["score-scale"] });
  assert.deepEqual(past(olmo3), { "transformers 5": ["scaled-everywhere"], vLLM: ["attention-factor-unread"] });
  assert.deepEqual(past(laguna), {
    vLLM: ["attention-factor-unread"],
    SGLang: ["attention-factor-twice"],
  });
  // As sglang#33558 has it: 1.4852 in place of 2.2058, which is its square.
  const twice = structuredClone(laguna);
  twice.rope_parameters.full_attention.attention_factor = 1.4852030263919618;
  twice.rope_parameters.full_attention.factor = 128;
  const { expected, instead, versions, threads } = departure(twice, "SGLang", "attention-factor-twice");
  assert.equal(expected, 1.4852030263919618);
  assert.ok(Math.abs(instead - 2.2058) < 1e-4);
  assert.match(versions, /33558/);
  assert.deepEqual(threads, ["sgl-project/sglang#33558"]);
});

const given = { ...qwen3, rope_scaling: yarn(4, 32768, { attention_factor: 1.5 }) };
const [implied, pairFactor] = [0.1 * Math.log(4) + 1, (0.1 * Math.log(4) + 1) / (0.05 * Math.log(4) + 1)];
const pair = { ...qwen3, rope_scaling: yarn(4, 32768, { mscale: 1, mscale_all_dim: 0.5 }) };
const multiplied = { ...qwen3, rope_scaling: yarn(4, 32768, { attn_factor: 2 }) };
const longFactor = { ...phi3, rope_scaling: { ...phi3.rope_scaling, attention_factor: 2 } };
const longImplied = Math.sqrt(1 + Math.log(32) / Math.log(4096));
const { original_max_position_embeddings: original, ...phiRest } = phi3;
const inside = { ...phiRest, rope_scaling: { ...phi3.rope_scaling, original_max_position_embeddings: original } };
const renamed = { ...phi3, rope_scaling: { ...phi3.rope_scaling, type: undefined, rope_type: "longrope" } };
const minimax = { model_type: "minimax_m2", head_dim: 128, rotary_dim: 64, rope_theta: 5e6 };
const xdrope = { type: "xdrope", alpha: 1000, xdrope_section: [16, 16, 16, 16] };
const hunyuan = { model_type: "hunyuan_vl", head_dim: 128, max_position_embeddings: 32768, rope_scaling: xdrope };
const dbrx = { model_type: "dbrx", d_model: 6144, n_heads: 48, attn_config: { rope_theta: 500000 } };
const share = { rope_type: "proportional", factor: 2, partial_rotary_factor: 0.25, rope_theta: 1e4 };
const proportional = { model_type: "llama", ...shape(16, 128), rope_theta: 1e4, rope_scaling: share };
const shorter = { ...llama31, rope_scaling: { ...llama31.rope_scaling, original_max_position_embeddings: 4096 } };
const moved = ({ rope_scaling, rope_theta, ...rest }) => ({
  ...rest,
  rope_parameters: { ...rope_scaling, rope_theta },
});
const moe = { ...qwen3, model_type: "qwen3_moe" };
const wide = { ...llama31, hidden_size: 2048 };

test("departures: the key, what is meant, and what the engine takes", () => {
  const griffin = { model_type: "recurrent_gemma", head_dim: 256, partial_rotary_factor: 0.5 };
  for (const [config, engine, code, ...wanted] of [
    [given, "SGLang", "attention-factor-unread", "rope_scaling.attention_factor", 1.5, implied],
    [given, "llama.cpp", "attention-factor-unread", "rope_scaling.attention_factor", 1.5, implied],
    [given, "mlx-lm", "attention-factor-unread", "rope_scaling.attention_factor", 1.5, implied],
    [
      { ...qwen3, rope_scaling: yarn(4, 32768, { mscale: 2 }) },
      "mlx-lm",
      "mscale-unread",
      undefined,
      undefined,
      0.2 * Math.log(4) + 1,
    ],
    [multiplied, "SGLang", "attn-factor-read", undefined, implied, 2 * implied],
    [deepseekV2, "transformers 4", "score-scale", undefined, (1 + 0.075 * Math.log(40)) ** 2, undefined],
    [phi3, "vLLM", "by-limit", undefined, undefined, "max_model_len"],
    [phi3, "llama.cpp", "by-limit", undefined, undefined, "n_ctx_seq"],
    [longFactor, "vLLM", "factor-unread", undefined, 2, longImplied],
    [longFactor, "mlx-lm", "factor-unread", undefined, 2, longImplied],
    [inside, "transformers 4", "original-length-unread", undefined, 4096, undefined],
    [renamed, "mlx-lm", "keys-required", "rope_scaling.type", undefined, undefined],
    [renamed, "candle", "keys-required", "rope_scaling.type", undefined, undefined],
    [minimax, "transformers 5", "dims-unread", "rotary_dim", 64, 128],
    [griffin, "transformers 5", "dims-unread", "partial_rotary_factor", 128, 256],
    [hunyuan, "transformers 5", "sections-by-dimension", undefined, "pairs", "dims"],
    [dbrx, "transformers 5", "base-unread", "attn_config.rope_theta", 500000, 10000],
    [proportional, "llama.cpp", "rule-unknown", undefined, "proportional", "default"],
    [proportional, "vLLM", "factor-unread", undefined, 2, 1],
    [proportional, "SGLang", "factor-unread", undefined, 2, 1],
    [shorter, "llama.cpp", "original-length-unread", undefined, 4096, 8192],
    [moe, "mlx-lm", "scaling-unread", undefined, "yarn", "default"],
    [wide, "candle", "head-dim-unread", "head_dim", 128, 64],
  ]) {
    const { path, expected, instead } = departure(config, engine, code);
    for (const [i, value] of [path, expected, instead].entries()) {
      const what = `${engine} ${code}: ${value}, expected ${wanted[i]}`;
      if (typeof wanted[i] === "number") assert.ok(Math.abs(value / wanted[i] - 1) < 1e-12, what);
      else if (wanted[i] !== undefined) assert.equal(value, wanted[i], what);
    }
  }
  assert.equal(departure({ ...minimax, rotary_dim: 128 }, "transformers 5", "dims-unread"), undefined);
  assert.equal(departure(multiplied, "vLLM", "attn-factor-read").current, false);
});

test("what engines understand: the factor, base, rule or dimensions that they take, or nothing", () => {
  const rotaryOf = (config, engine) => understood(config, engine)[0].rotary;
  for (const engine of ["SGLang", "llama.cpp", "mlx-lm"]) {
    const [plan] = understood(given, engine);
    assert.equal(plan.attentionFactor, departure(given, engine, "attention-factor-unread").instead);
    assert.ok(Math.abs(frequenciesOf(plan).attentionFactor - implied) < 1e-12, engine);
  }
  for (const engine of ["transformers 4", "transformers 5", "vLLM"])
    assert.equal(understood(given, engine)[0].attentionFactor, 1.5);
  assert.ok(Math.abs(pe.hubConfig(pair).plans[0].attentionFactor - pairFactor) < 1e-12);
  assert.deepEqual(current(pair), { "llama.cpp": ["mscale-unread", "keys-scaled-again"], candle: ["scaling-unread"] });
  assert.deepEqual(past(pair), { vLLM: ["mscale-unread"], SGLang: ["mscale-unread"] });
  const deepseek = { ...deepseekV2.rope_scaling, attention_factor: 1.25, truncate: false };
  assert.deepEqual(current({ ...deepseekV2, rope_scaling: deepseek }), {
    "transformers 4": ["score-scale"],
    vLLM: ["truncate-unread", "attention-factor-unread"],
    SGLang: ["attention-factor-unread"],
    "llama.cpp": ["attention-factor-unread", "truncate-unread"],
    "mlx-lm": ["attention-factor-unread", "truncate-unread"],
    candle: ["attention-factor-unread", "truncate-unread"],
  });
  assert.deepEqual(rotaryOf(phi3, "mlx-lm").scaling.shortFactor, phi3.rope_scaling.long_factor);
  assert.deepEqual(rotaryOf(phi3, "candle").scaling.longFactor, Array(48).fill(0.5));
  assert.equal(understood(phi3, "candle")[0].attentionFactor, 1);
  for (const engine of ["vLLM", "SGLang", "llama.cpp", "mlx-lm"])
    assert.equal(
      understood(longFactor, engine)[0].attentionFactor,
      departure(longFactor, engine, "factor-unread").instead,
    );
  assert.equal(rotaryOf(minimax, "transformers 5").rotaryDim, 128);
  assert.equal(rotaryOf(dbrx, "transformers 5").base, 10000);
  assert.deepEqual(rotaryOf(proportional, "llama.cpp").scaling, { type: "default" });
  assert.equal(rotaryOf(proportional, "vLLM").scaling.factor, 1);
  assert.equal(rotaryOf(shorter, "llama.cpp").scaling.originalLength, 8192);
  assert.equal(understood(moe, "mlx-lm")[0].attentionFactor, 1);
  for (const engine of ["transformers 4", "mlx-lm", "candle"]) {
    const { base, scaling } = rotaryOf(moved(llama31), engine);
    assert.deepEqual([base, scaling], [1e4, { type: "default" }], engine);
  }
  for (const engine of ["transformers 5", "vLLM", "SGLang", "llama.cpp"])
    assert.equal(rotaryOf(moved(llama31), engine).base, 5e5, engine);
  for (const [config, engine, what] of [
    [inside, "transformers 4", "not read"],
    [hunyuan, "transformers 5", "not read"],
    [renamed, "mlx-lm", "refuses"],
    [renamed, "candle", "refuses"],
    [proportional, "transformers 4", "refuses"],
    [proportional, "candle", "refuses"],
    [{ ...llama31, rope_scaling: yarn(4, 8192) }, "candle", "refuses"],
    [moved(qwen3), "mlx-lm", "refuses"],
    [moved(qwen3), "candle", "refuses"],
    [{ ...moe, model_type: "qwen2_moe" }, "mlx-lm", "refuses"],
    [wide, "candle", "refuses"],
  ])
    assert.equal(understood(config, engine), what, `${config.model_type}, ${engine}`);
});

test("a dynamic rule has one base in vLLM, that of the longest length, 2 * 4096", () => {
  const dynamic = { ...llama31, max_position_embeddings: 4096, rope_scaling: { type: "dynamic", factor: 2 } };
  assert.deepEqual(current(dynamic), {
    vLLM: ["fixed-base"],
    SGLang: ["fixed-base"],
    "llama.cpp": ["rule-unknown"],
    candle: ["rule-unknown"],
  });
  const asked = frequenciesOf(pe.hubConfig(dynamic).plans[0], 8192).data;
  const made = frequenciesOf(understood(dynamic, "vLLM")[0]).data;
  for (const [i, value] of asked.entries()) assert.ok(Math.abs(made[i] / value - 1) < 1e-12);
});

test("a type with a name that every object has is none that is listed", () => {
  const config = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, rope_theta: 10000 };
  const codesOf = (model_type) => current({ ...config, model_type, partial_rotary_factor: 0.5 });
  for (const name of ["toString", "constructor", "__proto__"])
    assert.deepEqual(codesOf(name), codesOf("unheard"), name);
});

test("the arithmetic follows the model's dtype; what was not read has none", () => {
  const of = (config, options) =>
    Object.fromEntries([...reports(config, options)].map(([name, { arithmetic }]) => [name, arithmetic]));
  const transformers = (dtype) => ({ preset: "transformers", dtype });
  const ggml = { preset: "ggml", dtype: "float32" };
  const inBfloat16 = Object.fromEntries(
    ["transformers 4", "transformers 5", "vLLM", "SGLang", "candle"].map((name) => [name, transformers("bfloat16")]),
  );
  const none = { "mlx-lm": null, "transformers.js": null, "onnxruntime-genai": null };
  assert.deepEqual(of(llama31), { ...inBfloat16, "llama.cpp": ggml, ...none });
  assert.deepEqual(of(llama31, { dtype: "float16" }).vLLM, transformers("float16"));
  // Llama 4 rotates in float32 whatever its dtype; candle rounds GLM-4's angles to it.
  const llama4InBfloat16 = of({ ...llama4, torch_dtype: "bfloat16" });
  for (const version of ["transformers 4", "transformers 5"]) assert.equal(llama4InBfloat16[version], null);
  assert.deepEqual(of(llama4)["transformers 5"], transformers("float32"));
  assert.equal(of(glm4).candle, null);
  assert.deepEqual(of(glm4, { dtype: "float32" }).candle, transformers("float32"));
  assert.deepEqual(reports(glm4, { dtype: "float32" }).get("candle").departures, []);
});

test("what was not read is not claimed: models without rotation, and layouts", () => {
  const bert = { model_type: "bert", hidden_size: 768, num_attention_heads: 12, max_position_embeddings: 512 };
  for (const { understands, departures, arithmetic } of reports(bert).values())
    assert.deepEqual([understands, departures, arithmetic], ["not read", [], null]);
  assert.equal(understood(llama31, "transformers.js"), "not read");
  assert.equal(understood(gptOss, "candle"), "not read");
  assert.equal("layout" in understood(llama31, "SGLang")[0].rotary, false);
  assert.equal(understood(llama31, "transformers 5")[0].rotary.layout, "half");
});

test("certificates: of each plan, in an engine's own arithmetic", () => {
  const given = reports(llama31, { certify: pe.certify, length: 131072, dtype: "bfloat16" });
  for (const { engine, understands, arithmetic, certificates } of given.values()) {
    if (arithmetic === null) assert.equal(certificates, null, engine);
    else {
      const { preset, dtype } = arithmetic;
      const expected = understands.map(({ rotary }) =>
        pe.certify(rotary, { length: 131072, arithmetic: preset, dtype }),
      );
      assert.deepEqual(certificates, expected, engine);
    }
  }
  const [{ score }] = given.get("transformers 5").certificates;
  assert.equal(score.bound.toPrecision(3), "0.00407");
  assert.equal(reports(llama31).get("transformers 5").certificates, null);
});

test("the table cannot be written to, nor does what a report is changed to reach the next one", () => {
  const isFrozen = (value) =>
    typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
  assert.ok(isFrozen(table));
  for (const change of [() => table.pop(), () => (table[0].name = "x"), () => (table[0].facts[0].source.file = "x")])
    assert.throws(change, TypeError);
  const model = pe.model(llama31);
  const [wanted, made] = [JSON.stringify(engines(model)), engines(model)];
  const spoil = (value) => {
    for (const key of Object.keys(value)) {
      if (typeof value[key] === "object" && value[key] !== null) spoil(value[key]);
      else value[key] = "spoilt";
    }
  };
  for (const { departures, arithmetic } of made) spoil({ departures: [...departures], arithmetic });
  assert.equal(JSON.stringify(engines(pe.model(llama31))), wanted);
});

test("arguments of another kind are refused", () => {
  const model = pe.model(llama31);
  assert.throws(() => engines(null), /^TypeError: model: null, expected what model\(\) made/);
  assert.throws(() => engines(llama31), /^TypeError: model: /);
  assert.throws(() => engines(model, 1), /^TypeError: engines: 1, expected an object of options/);
  assert.throws(() => engines(model, { dtype: "float64" }), /^RangeError: dtype: "float64", expected /);
  assert.throws(() => engines(model, { certify: 1 }), /^TypeError: certify: 1/);
  assert.throws(() => engines(model, { certify: pe.certify }), /^TypeError: length: undefined/);
  assert.throws(
    () => engines(model, { nope: 1 }),
    /^TypeError: engines\.nope: 1, expected one of dtype, certify, length, language$/,
  );
  assert.throws(() => engines(model, { dtpye: "float16" }), /^TypeError: engines\.dtpye: .*, expected dtype /);
  const before = structuredClone({ ...model });
  engines(model);
  assert.deepEqual({ ...model }, before);
});

after(() => {
  const rows = table.flatMap(({ name, departures }) => departures.map(({ note }) => `${name}: ${note}`));
  assert.deepEqual(
    rows.filter((row) => !met.has(row)),
    [],
  );
});
