// Engines are given keys and flags to do what a model does, and their caches take so many bytes. Expected keys and flags
// were written from a reading of the engines' sources.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { engines, fetchNotes, keyCache, settings, table } from "posenc/engines";
import { load } from "posenc/full";

const pe = await load();

/** Shortened to what concerns positions and caches; layers are as many as they have. */
const shortened = JSON.parse(readFileSync(new URL("engines.json", import.meta.url), "utf8"));
const llama31 = { ...shortened.llama31, num_hidden_layers: 32, num_key_value_heads: 8 };
const qwen3 = {
  model_type: "qwen3",
  hidden_size: 4096,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  head_dim: 128,
  num_hidden_layers: 36,
  rope_theta: 1e6,
  rope_scaling: null,
  max_position_embeddings: 40960,
  torch_dtype: "bfloat16",
};
const gemma3 = {
  ...shortened.gemma3,
  num_hidden_layers: 34,
  num_attention_heads: 8,
  num_key_value_heads: 4,
  sliding_window: 1024,
  torch_dtype: "bfloat16",
};
const deepseekV3 = { ...shortened.deepseekV3, kv_lora_rank: 512, v_head_dim: 128, torch_dtype: "bfloat16" };
const qwen25Vl = {
  model_type: "qwen2_5_vl",
  hidden_size: 3584,
  num_attention_heads: 28,
  num_key_value_heads: 4,
  num_hidden_layers: 28,
  rope_theta: 1e6,
  max_position_embeddings: 128000,
  torch_dtype: "bfloat16",
  rope_scaling: { type: "mrope", mrope_section: [16, 24, 24] },
};

const targets = ["llama.cpp", "vllm", "sglang", "transformers", "transformers-4", "mlx", "onnx", "candle"];
const of = (config, target, options = {}) => settings(pe.model(config), { for: target, ...options });
const each = (config, options) => Object.fromEntries(targets.map((target) => [target, of(config, target, options)]));
const statuses = (config, options) =>
  Object.fromEntries(Object.entries(each(config, options)).map(([target, { status }]) => [target, status]));
const all = (status, others = {}) => ({ ...Object.fromEntries(targets.map((target) => [target, status])), ...others });
const reasons = ({ departures }) => departures.map(({ code }) => code);

/** YaRN's g. */
const growth = (factor) => 0.1 * Math.log(factor) + 1;

const isNear = (value, expected) => assert.ok(Math.abs(value / expected - 1) < 1e-12, `${value}, expected ${expected}`);

test("each engine's settings have the file and the version in which they were read", () => {
  for (const [target, { engine, version, source, note }] of Object.entries(each(llama31))) {
    assert.ok(
      table.some((one) => one.name === engine && one.version === version),
      target,
    );
    assert.match(source.project, /^[\w.-]+\/[\w.-]+$/);
    assert.match(source.version, /[0-9a-f]{7}|\d+\.\d+/);
    assert.match(source.file, /\.(py|cpp|rs)\b/);
    assert.match(note, /^[^ ].*\.$/s);
  }
});

test("Llama 3.1: its own config is enough; GGUF has the rule in a tensor", () => {
  assert.deepEqual(statuses(llama31), all("as-is"));
  const rule = { factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 };
  for (const target of ["vllm", "sglang", "transformers"]) {
    const { keys, flags } = of(llama31, target);
    assert.deepEqual(keys, { rope_parameters: { rope_type: "llama3", ...rule, rope_theta: 500000 } }, target);
    assert.deepEqual(flags, [], target);
  }
  for (const target of ["transformers-4", "mlx", "onnx", "candle"]) {
    const { keys } = of(llama31, target);
    assert.deepEqual(keys, { rope_theta: 500000, rope_scaling: { rope_type: "llama3", ...rule } }, target);
  }
  const { keys, flags, isGguf } = of(llama31, "llama.cpp");
  assert.ok(isGguf);
  assert.deepEqual(Object.keys(keys), ["llama.rope.freq_base", "llama.rope.dimension_count", "rope_freqs.weight"]);
  assert.deepEqual(flags, ["--rope-freq-base", "500000"]);
});

test("Qwen3 for 131072 tokens: YaRN with factor 4 over 32768, as its documentation has it", () => {
  const made = each(qwen3, { length: 131072 });
  assert.deepEqual(statuses(qwen3, { length: 131072 }), all("write", { onnx: "cannot", candle: "cannot" }));
  const rule = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32768 };
  const written = { rope_parameters: { ...rule, rope_theta: 1e6 } };
  assert.deepEqual(made.transformers.keys, written);
  assert.deepEqual(made["transformers-4"].keys, { rope_theta: 1e6, rope_scaling: rule });
  assert.deepEqual(made.mlx.keys, { rope_theta: 1e6, rope_scaling: rule });
  assert.deepEqual(made.vllm.flags, ["--hf-overrides", JSON.stringify(written), "--max-model-len", "131072"]);
  assert.deepEqual(made.sglang.flags, [
    "--json-model-override-args",
    JSON.stringify(written),
    "--context-length",
    "131072",
  ]);
  assert.equal(
    made["llama.cpp"].flags.join(" "),
    "--rope-freq-base 1000000 --rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 32768 -c 131072",
  );
  assert.deepEqual(made["llama.cpp"].keys, {
    "qwen3.rope.freq_base": 1e6,
    "qwen3.rope.dimension_count": 128,
    "qwen3.rope.scaling.type": "yarn",
    "qwen3.rope.scaling.factor": 4,
    "qwen3.rope.scaling.original_context_length": 32768,
  });
  assert.deepEqual(reasons(made.onnx), ["ramp-unrounded"]);
  assert.deepEqual(reasons(made.candle), ["scaling-unread"]);
  const { change, plans } = made.vllm;
  assert.deepEqual(change, {
    length: 131072,
    own: 40960,
    rule: "yarn",
    factor: 4,
    originalLength: 32768,
    source: { project: "QwenLM/Qwen3", version: "7a2f61f", file: "docs/source/deployment/vllm.md: Context Length" },
  });
  // The plan is that of the config with these keys.
  const [plan] = pe.model({ ...qwen3, rope_scaling: rule }).plans;
  const frequenciesOf = ({ rotary: { dim, base, scaling } }) => pe.frequencies({ dim, base, scaling });
  assert.deepEqual(frequenciesOf(plan), frequenciesOf(plans[0]));
});

test("Gemma 3: two rotations; the builder of ONNX scales the local one, too, and candle none", () => {
  const made = each(gemma3);
  assert.deepEqual(statuses(gemma3), all("as-is", { onnx: "cannot", candle: "cannot" }));
  const rule = { rope_type: "linear", factor: 8 };
  for (const target of ["vllm", "sglang", "transformers", "transformers-4", "mlx"])
    assert.deepEqual(made[target].keys, { rope_theta: 1e6, rope_local_base_freq: 10000, rope_scaling: rule }, target);
  assert.deepEqual(made["llama.cpp"].keys, {
    "gemma3.rope.freq_base": 1e6,
    "gemma3.rope.dimension_count": 256,
    "gemma3.rope.freq_base_swa": 10000,
    "gemma3.rope.scaling.type": "linear",
    "gemma3.rope.scaling.factor": 8,
  });
  assert.equal(made["llama.cpp"].flags.join(" "), "--rope-freq-base 1000000 --rope-scaling linear --rope-scale 8");
  assert.deepEqual(reasons(made.onnx), ["scaled-everywhere"]);
  assert.deepEqual(reasons(made.candle), ["scaling-unread", "rounded-angles"]);
  // Twice as far: the rule of the layers that see all keys.
  const { change, keys, plans } = of(gemma3, "transformers", { length: 262144 });
  assert.deepEqual([change.rule, change.factor, change.own], ["linear", 16, 131072]);
  assert.deepEqual(keys.rope_scaling, { rope_type: "linear", factor: 16 });
  assert.deepEqual(plans.find(({ rotary }) => rotary.base === 10000).rotary.scaling, { type: "default" });
});

test("DeepSeek-V3: its dictionary; candle refuses its experts, ONNX has no builder", () => {
  const made = each(deepseekV3);
  assert.deepEqual(statuses(deepseekV3), all("as-is", { onnx: "cannot", candle: "cannot" }));
  const rule = { factor: 40, original_max_position_embeddings: 4096, mscale: 1, mscale_all_dim: 1 };
  assert.deepEqual(made.vllm.keys, { rope_parameters: { rope_type: "yarn", ...rule, rope_theta: 10000 } });
  assert.deepEqual(made.mlx.keys, { rope_theta: 10000, rope_scaling: { rope_type: "yarn", ...rule } });
  const gguf = made["llama.cpp"].keys;
  assert.equal(gguf["deepseek2.rope.scaling.yarn_log_multiplier"], 0.1);
  assert.equal(gguf["deepseek2.rope.dimension_count"], 64);
  assert.deepEqual(reasons(made.onnx), ["model-unknown"]);
  assert.deepEqual(reasons(made.candle), ["keys-required"]);
  // DeepSeek-V2's scores lack a factor in transformers 4.
  assert.equal(of(shortened.deepseekV2, "transformers-4").status, "cannot");
  assert.equal(of(shortened.deepseekV2, "transformers").status, "as-is");
});

test("Qwen2.5-VL: sections as they are named; candle's code was not read", () => {
  const made = each(qwen25Vl);
  assert.deepEqual(statuses(qwen25Vl), all("as-is", { candle: "not known" }));
  const sections = { type: "mrope", mrope_section: [16, 24, 24] };
  assert.deepEqual(made.vllm.keys, { rope_parameters: { ...sections, rope_theta: 1e6 } });
  assert.deepEqual(made.mlx.keys, { rope_theta: 1e6, rope_scaling: sections });
  assert.deepEqual(reasons(made.mlx), ["sections-unread"]);
  assert.deepEqual(made["llama.cpp"].keys["qwen2vl.rope.dimension_sections"], [16, 24, 24, 0]);
  assert.equal(made["llama.cpp"].flags.join(" "), "--rope-freq-base 1000000 --rope-scaling none");
  // In a config whose text is a part of it keys stay there.
  const { model_type, ...text } = qwen25Vl;
  const nested = { model_type, text_config: { model_type: "qwen2_5_vl_text", ...text } };
  const { keys, flags } = of(nested, "vllm", { length: 256000 });
  const rule = { rope_type: "yarn", factor: 2, original_max_position_embeddings: 128000, mrope_section: [16, 24, 24] };
  assert.deepEqual(keys, { text_config: { rope_parameters: { ...rule, rope_theta: 1e6 } } });
  assert.deepEqual(flags.slice(0, 2), ["--hf-overrides", JSON.stringify(keys)]);
  assert.deepEqual(reasons(of(nested, "onnx", { length: 256000 })), ["rule-unknown"]);
});

test("an attention factor goes by the key that an engine reads", () => {
  const rule = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32768, attention_factor: 1.5 };
  const given = { ...qwen3, rope_scaling: rule };
  const made = each(given);
  const { plans } = made.vllm;
  assert.equal(plans[0].attentionFactor, 1.5);
  for (const target of ["vllm", "transformers", "transformers-4"]) assert.equal(made[target].status, "as-is", target);
  for (const target of ["sglang", "mlx", "llama.cpp"]) assert.equal(made[target].status, "write", target);
  // mlx-lm and SGLang have the ratio of g(mscale) and g(mscale_all_dim), g(m) = 0.1 m ln f + 1; llama.cpp multiplies g(1).
  isNear(made.mlx.keys.rope_scaling.mscale, 0.5 / (growth(4) - 1));
  assert.equal(made.mlx.keys.rope_scaling.mscale_all_dim, 0);
  isNear(made.sglang.keys.rope_parameters.mscale, 0.5 / (growth(4) - 1));
  assert.equal(made.sglang.keys.rope_parameters.mscale_all_dim, 0);
  isNear(Number(made["llama.cpp"].flags.at(-1).split("=float:")[1]), 1.5 / growth(4));
  assert.deepEqual(reasons(made["llama.cpp"]), ["keys-scaled-again"]);
  // ONNX: a ramp that is not rounded, and mscale alone is the factor itself.
  const unrounded = { ...given, rope_scaling: { ...rule, truncate: false } };
  const { status, keys } = of(unrounded, "onnx");
  assert.equal(status, "write");
  assert.equal(keys.rope_scaling.mscale, 1.5);
  assert.equal(of(unrounded, "llama.cpp").status, "cannot");
});

test("keys that an engine does not read where they are go where it does", () => {
  const { rope_theta, rope_scaling, ...rest } = llama31;
  const moved = { ...rest, rope_parameters: { ...rope_scaling, rope_theta } };
  for (const target of ["transformers-4", "mlx", "candle"]) {
    const { status, keys } = of(moved, target);
    assert.equal(status, "write", target);
    assert.deepEqual(keys, { rope_theta, rope_scaling: { rope_type: "llama3", ...rope_scaling } }, target);
  }
  for (const target of ["vllm", "sglang", "transformers"]) assert.equal(of(moved, target).status, "as-is", target);
});

test("a type that disagrees with rope_type: mlx-lm goes by type, vLLM refuses; both can be told", () => {
  const llama3 = { rope_type: "llama3", factor: 4, low_freq_factor: 1, high_freq_factor: 4 };
  for (const rule of [{ rope_type: "yarn", factor: 4 }, llama3]) {
    const given = { ...qwen3, rope_scaling: { type: "linear", ...rule, original_max_position_embeddings: 32768 } };
    const reports = Object.fromEntries(engines(pe.model(given)).map((report) => [report.engine, report]));
    const [plan] = reports["mlx-lm"].understands;
    assert.deepEqual([plan.rotary.scaling, plan.attentionFactor], [{ type: "linear", factor: 4 }, 1]);
    assert.equal(reports.vLLM.understands, "refuses");
    for (const name of ["transformers 4", "transformers 5", "SGLang"])
      assert.equal(reports[name].understands[0].rotary.scaling.type, rule.rope_type, name);
    for (const [target, dictionary] of [
      ["mlx", "rope_scaling"],
      ["vllm", "rope_parameters"],
    ]) {
      const { status, keys } = of(given, target);
      assert.equal(status, "write");
      assert.equal("type" in keys[dictionary], false);
    }
  }
  // Names of the same rule do not disagree, and other names are not known.
  const departures = (rope_scaling, model = qwen25Vl) =>
    engines(pe.model({ ...model, rope_scaling })).flatMap((report) =>
      report.departures.filter(({ code }) => code === "types-disagree").map(({ instead }) => [report.engine, instead]),
    );
  assert.deepEqual(departures({ ...qwen25Vl.rope_scaling, rope_type: "default" }), []);
  assert.deepEqual(departures({ type: "default", rope_type: "linear", factor: 2 }, qwen3), [
    ["vLLM", "error"],
    ["mlx-lm", "default"],
  ]);
});

test("lengths: the model's own, one that its rule reads, and those for which no factor is known", () => {
  const own = of(llama31, "vllm", { length: 131072 });
  assert.deepEqual([own.status, own.change.rule, own.flags], ["as-is", "none", ["--max-model-len", "131072"]]);
  const longer = of(llama31, "vllm", { length: 131073 });
  assert.deepEqual([longer.status, longer.change.rule, longer.keys, longer.flags], ["not known", "not known", {}, []]);
  // A published config for more than its max_position_embeddings.
  const recipe = { ...qwen3, rope_scaling: { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32768 } };
  assert.equal(of(recipe, "vllm", { length: 131072 }).change.rule, "none");
  const { change, plans } = of(recipe, "vllm", { length: 262144 });
  assert.deepEqual([change.rule, change.factor, change.originalLength], ["yarn", 8, 32768]);
  assert.ok(Math.abs(plans[0].attentionFactor - (0.1 * Math.log(8) + 1)) < 1e-12);
  const deepseek = of(deepseekV3, "mlx", { length: 327680 });
  assert.equal(deepseek.keys.rope_scaling.factor, 80);
  assert.equal(deepseek.plans[0].attentionFactor, 1);
  // Tables of max_position_embeddings rows.
  const linear = { ...llama31, rope_scaling: { rope_type: "linear", factor: 2 } };
  assert.equal(of(linear, "onnx", { length: 262144 }).keys.max_position_embeddings, 262144);
  assert.equal(of({ ...qwen3, max_position_embeddings: undefined }, "mlx", { length: 4096 }).change.rule, "not known");
  // Encodings of another kind, and types of which nothing is known.
  for (const config of [
    { model_type: "bert", hidden_size: 64, num_attention_heads: 2 },
    { model_type: "unlisted", n_embd: 64 },
  ])
    assert.equal(of(config, "vllm").status, "not known");
});

test("certificates are those of the plans that are meant, in the engine's arithmetic", () => {
  const { certificates, plans } = of(qwen3, "vllm", { length: 131072, certify: pe.certify });
  const expected = pe.certify(plans[0].rotary, { length: 131072, dtype: "bfloat16", arithmetic: "transformers" });
  assert.deepEqual(certificates, [expected]);
  assert.equal(of(qwen3, "mlx", { length: 131072, certify: pe.certify }).certificates, null, "not read");
  assert.equal(of(qwen3, "vllm").certificates, null);
});

test("notes are there in Chinese, too, once they are fetched", async () => {
  const isChinese = (note) => /\p{Script=Han}/u.test(note);
  const notes = JSON.parse(
    readFileSync(new URL("../../../bindings/js/engines/notes.zh.json", import.meta.url), "utf8"),
  );
  assert.ok(!isChinese(of(qwen3, "vllm", { language: "zh" }).note), "not fetched yet");
  const fetched = await fetchNotes("zh");
  const left = new Set(Object.keys(notes));
  for (const { departures, facts } of table) {
    for (const { note } of [...departures, ...facts])
      assert.ok(isChinese(notes[note]) && (left.delete(note) || true), note);
    for (const { note } of facts) assert.equal(fetched[note], notes[note]);
  }
  for (const target of targets) {
    const chinese = of(qwen3, target, { language: "zh" });
    assert.ok(
      [chinese, ...chinese.departures].every(({ note }) => isChinese(note)),
      target,
    );
    const english = of(qwen3, target);
    assert.deepEqual([chinese.note, chinese.keys], [notes[english.note], english.keys]);
    left.delete(english.note);
  }
  assert.deepEqual([...left], [], "none is left over");
  for (const { departures } of engines(pe.model(qwen3), { language: "zh" }))
    assert.ok(departures.every(({ note }) => isChinese(note)));
  assert.throws(() => of(qwen3, "vllm", { language: "fr" }), /^RangeError: language: "fr", expected "en" or "zh"/);
});

test("keyCache: heads, latent vectors, windows, shared layers and states", () => {
  const cache = (config, options) => keyCache(pe.model(config), options);
  // 8 heads of 128, keys and values, 2 bytes.
  const llama = cache(llama31, { length: 131072 });
  assert.deepEqual(llama.layers, [
    { layers: "0-31", count: 32, kind: "keys-values", bytesPerToken: 4096, most: null, bytes: 32 * 4096 * 131072 },
  ]);
  assert.deepEqual([llama.bytesPerToken, llama.bytes, llama.dtype], [131072, 17179869184, "bfloat16"]);
  assert.equal(cache(llama31, { dtype: "float32" }).bytesPerToken, 262144);
  assert.equal(cache(llama31).bytes, null);
  // 512 + 64 numbers; expanded 128 heads of 192 and 128.
  const deepseek = cache(deepseekV3, { length: 1000 });
  assert.deepEqual([deepseek.layers[0].kind, deepseek.layers[0].bytesPerToken], ["latent", 1152]);
  assert.equal(deepseek.bytes, 61 * 1152 * 1000);
  assert.equal(deepseek.expandedBytes, 61 * 128 * (192 + 128) * 2 * 1000);
  // 29 of 34 layers keep 1024 tokens at most.
  const gemma = cache(gemma3, { length: 131072 });
  assert.deepEqual(
    gemma.layers.map(({ count, most, bytesPerToken }) => [count, most, bytesPerToken]),
    [
      [29, 1024, 4096],
      [5, null, 4096],
    ],
  );
  assert.equal(gemma.bytes, 4096 * (29 * 1024 + 5 * 131072));
  assert.equal(gemma.bytesPerToken, 5 * 4096);
  assert.equal(cache(gemma3, { length: 100 }).bytes, 4096 * 34 * 100);
  // Llama's class has as many key heads as query heads by default; Gemma 3's has 4, which a config need not say.
  assert.equal(cache({ ...llama31, num_key_value_heads: undefined }).bytesPerToken, 4 * 131072);
  assert.equal(cache({ ...gemma3, num_key_value_heads: undefined }).missing, "num_key_value_heads");
  // Values may have a size of their own: 8 heads of 128 and 64.
  assert.equal(cache({ ...llama31, v_head_dim: 64 }).layers[0].bytesPerToken, 8 * (128 + 64) * 2);
  const shared = cache({ ...llama31, num_hidden_layers: 4, num_kv_shared_layers: 1 });
  assert.deepEqual(
    shared.layers.map(({ layers, kind, bytesPerToken }) => [layers, kind, bytesPerToken]),
    [
      ["0-2", "keys-values", 4096],
      ["3", "shared", 0],
    ],
  );
  const bert = { model_type: "bert", hidden_size: 64, num_attention_heads: 2, num_hidden_layers: 2 };
  assert.deepEqual(
    [cache(bert, { length: 10 }).layers, cache(bert, { length: 10 }).bytes],
    [[], 0],
    "encoders keep nothing",
  );
  const own = cache({ ...llama31, model_type: "one of your own" }, { length: 10 });
  assert.deepEqual([own.layers[0].bytesPerToken, own.bytes], [4096, null], "its windows are not known");
  const types = ["linear_attention", "linear_attention", "linear_attention", "full_attention"];
  const next = cache({ ...qwen3, model_type: "qwen3_next", num_hidden_layers: 4, layer_types: types, head_dim: 256 });
  assert.deepEqual(
    next.layers.map(({ layers, kind }) => [layers, kind]),
    [
      ["0-2", "state"],
      ["3", "keys-values"],
    ],
  );
  assert.deepEqual(
    [
      cache({ ...llama31, num_hidden_layers: undefined }).missing,
      cache({ ...llama31, num_hidden_layers: undefined }).layers,
    ],
    ["num_hidden_layers", []],
  );
});

test("keys for transformers, of every model by its own code: read back they are the plans that were meant", () => {
  const models = JSON.parse(readFileSync(new URL("models.json", import.meta.url), "utf8"));
  const merged = (config, { text_config, ...keys }) => {
    const { rope_scaling, ...rest } = config;
    const whole = { ...("rope_parameters" in keys ? rest : config), ...keys };
    return text_config ? { ...whole, text_config: merged(config.text_config, text_config) } : whole;
  };
  const numbersOf = ({ rotary, attentionFactor, mrope }) => {
    const { dim, rotaryDim = dim, base, scaling } = rotary;
    const { data } = pe.frequencies({ dim: rotaryDim, base, scaling, length: 10000 });
    return JSON.stringify([dim, rotaryDim, mrope, [attentionFactor, ...data].map((x) => x.toPrecision(12))]);
  };
  let count = 0;
  for (const { type, config: given } of models.filter(({ refused }) => !refused)) {
    const config = { model_type: type, ...given };
    for (const length of [undefined, 10_000_000]) {
      const { status, keys, plans } = of(config, "transformers", length === undefined ? {} : { length });
      for (const target of targets) of(config, target, length === undefined ? {} : { length });
      if (status !== "as-is" && status !== "write") continue;
      const read = pe.model(merged(config, keys)).plans;
      assert.deepEqual(read.map(numbersOf), plans.map(numbersOf), `${type} ${length}`);
      count++;
    }
    keyCache(pe.model(config), { length: 4096 });
  }
  assert.ok(count > 120, `${count}`);
});

test("arguments of another kind are refused, and nothing is changed", () => {
  const model = pe.model(qwen3);
  const before = structuredClone({ ...model });
  each(qwen3, { length: 131072 });
  settings(model, { for: "mlx", length: 131072 });
  keyCache(model, { length: 10 });
  assert.deepEqual({ ...model }, before);
  assert.throws(() => settings(null, { for: "vllm" }), /^TypeError: model: null, expected what model\(\) made/);
  assert.throws(() => settings(qwen3, { for: "vllm" }), /^TypeError: model: /);
  assert.throws(() => settings(model), /^TypeError: settings: undefined, expected an object of options/);
  assert.throws(() => settings(model, { for: "vllm", lenght: 8 }), /^TypeError: settings\.lenght: 8, expected length /);
  assert.throws(() => keyCache(model, { lenght: 8 }), /^TypeError: keyCache\.lenght: 8, expected length /);
  assert.throws(() => settings(model, {}), /^RangeError: for: undefined, expected one of |^TypeError: for/);
  assert.throws(() => settings(model, { for: "ollama" }), /^RangeError: for: "ollama", expected one of .*"llama.cpp"/);
  for (const length of [0, -1, 1.5, Number.NaN, 2 ** 41, "8"])
    assert.throws(() => settings(model, { for: "vllm", length }), /^(Range|Type)Error: length: /, `${length}`);
  assert.throws(() => settings(model, { for: "vllm", certify: pe.certify }), /^TypeError: length: undefined/);
  assert.throws(() => keyCache(model, { dtype: "float64" }), /^RangeError: dtype: "float64", expected /);
  assert.throws(() => keyCache({}), /^TypeError: model: /);
  // Keys with the names of Object's members are keys of a config.
  const odd = JSON.parse(
    `{"__proto__": {"x": 1}, "constructor": 1, "rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 32768}`,
  );
  assert.equal(of({ ...qwen3, rope_scaling: odd }, "vllm").status, "as-is");
});
