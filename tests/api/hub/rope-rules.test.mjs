// Configs of random keys against the rules of transformers' modeling_rope_utils.py (5.16), written here from their
// formulas: the inverse frequencies, the attention factor, and which key or default each number comes from.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/full";
import { random } from "../../robust/random.mjs";

const pe = await load();

/** The rope dictionary as the class's standardize_rope_params leaves it. */
function parametersOf(config) {
  const rope = { rope_theta: 10000, partial_rotary_factor: 1 };
  for (const key of ["rope_theta", "partial_rotary_factor"]) rope[key] = config[key] ?? rope[key];
  for (const [key, value] of Object.entries(config.rope_scaling ?? config.rope_parameters ?? {})) rope[key] = value;
  rope.rope_type ??= rope.type ?? "default";
  const length = "original_max_position_embeddings";
  rope[length] = config[length] ?? rope[length] ?? config.max_position_embeddings;
  return rope;
}

const mscaleOf = (factor, mscale = 1) => (factor <= 1 ? 1 : 0.1 * mscale * Math.log(factor) + 1);

/** Divides a frequency by at most `factor`: by how many turns it makes in the original length. */
function llama3(frequency, { factor, low_freq_factor: low, high_freq_factor: high, ...rope }) {
  const turns = (rope.original_max_position_embeddings * frequency) / (2 * Math.PI);
  if (turns > high) return frequency;
  if (turns < low) return frequency / factor;
  const smooth = (turns - low) / (high - low);
  return ((1 - smooth) * frequency) / factor + smooth * frequency;
}

function yarn(frequencies, dim, factor, { rope_theta: base, original_max_position_embeddings: length, ...rope }) {
  const place = (turns) => (dim * Math.log(length / (turns * 2 * Math.PI))) / (2 * Math.log(base));
  const [floor, ceil] = (rope.truncate ?? rope.truncate !== null) ? [Math.floor, Math.ceil] : [Number, Number];
  const low = Math.max(floor(place(rope.beta_fast || 32)), 0);
  const high = Math.min(ceil(place(rope.beta_slow || 1)), dim - 1);
  const { mscale, mscale_all_dim: all } = rope;
  const own = mscale && all ? mscaleOf(factor, mscale) / mscaleOf(factor, all) : mscaleOf(factor);
  return {
    attention: rope.attention_factor ?? own,
    frequencies: frequencies.map((frequency, i) => {
      const ramp = Math.min(Math.max((i - low) / (high - low || 0.001), 0), 1);
      return (frequency / factor) * ramp + frequency * (1 - ramp);
    }),
  };
}

function rule(config, length) {
  const rope = parametersOf(config);
  const head = config.head_dim ?? Math.floor(config.hidden_size / config.num_attention_heads);
  const dim = Math.floor(head * rope.partial_rotary_factor);
  const from = (base) => Array.from({ length: dim / 2 }, (_, i) => 1 / base ** ((2 * i) / dim));
  const frequencies = from(rope.rope_theta);
  const original = rope.original_max_position_embeddings;
  const factor = rope.factor ?? config.max_position_embeddings / original;
  const made = { attention: 1, frequencies };
  if (rope.rope_type === "linear") made.frequencies = frequencies.map((frequency) => frequency / factor);
  if (rope.rope_type === "llama3") made.frequencies = frequencies.map((frequency) => llama3(frequency, rope));
  if (rope.rope_type === "yarn") return yarn(frequencies, dim, factor, rope);
  if (rope.rope_type === "dynamic") {
    const trained = config.max_position_embeddings;
    const growth = (factor * Math.max(length, trained)) / trained - (factor - 1);
    made.frequencies = from(rope.rope_theta * growth ** (dim / (dim - 2)));
  }
  if (rope.rope_type === "longrope") {
    const divisors = length > original ? rope.long_factor : rope.short_factor;
    made.frequencies = frequencies.map((frequency, i) => frequency / divisors[i]);
    const own = factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original));
    made.attention = rope.attention_factor ?? own;
  }
  return made;
}

/** A config, and the length at which its frequencies are asked for. */
function drawn(next) {
  const one = (items) => items[next(items.length)];
  const maybe = (key, values) => (next(5) < 2 ? {} : { [key]: one(values) });
  const type = one(["default", "linear", "dynamic", "yarn", "longrope", "llama3"]);
  const head = one([16, 64, 80, 96, 128]);
  const plan = { ...maybe("rope_theta", [10000, 500000, 1e6]), ...maybe("partial_rotary_factor", [0.25, 0.5, 1]) };
  const original = () => maybe("original_max_position_embeddings", [2048, 4096, 8192]);
  const [isInside, isOriginalInside] = [next(2) === 0, type === "llama3" || next(2) === 0];
  const list = () => Array.from({ length: (head * (plan.partial_rotary_factor ?? 1)) / 2 }, () => 1 + next(4000) / 100);
  const factor = { factor: one([1, 1.5, 4, 8, 40]) };
  const own = {
    default: () => ({}),
    linear: () => factor,
    dynamic: () => factor,
    llama3: () => ({ ...factor, low_freq_factor: one([1, 2]), high_freq_factor: one([4, 7]) }),
    longrope: () => ({ ...maybe("factor", [1, 8, 32]), short_factor: list(), long_factor: list() }),
    yarn: () => ({
      ...{ ...maybe("factor", [2, 16, 40]), ...maybe("truncate", [true, false, null]) },
      ...{ ...maybe("beta_fast", [0, 16, 32, null]), ...maybe("beta_slow", [1, 2, 0]) },
      ...{ ...maybe("mscale", [0, 0.7, 1]), ...maybe("mscale_all_dim", [0, 0.7, 1]) },
    }),
  }[type]();
  const attention = type === "yarn" || type === "longrope" ? maybe("attention_factor", [1, 1.25, null]) : {};
  const scaled = ["yarn", "longrope", "llama3"].includes(type);
  const config = {
    ...(next(2) === 0 ? { head_dim: head, hidden_size: 999 } : { hidden_size: 12 * head, num_attention_heads: 12 }),
    max_position_embeddings: one([4096, 8192, 131072]),
    ...(isInside ? {} : plan),
    ...(scaled && (!isOriginalInside || next(4) === 0) ? original() : {}),
  };
  config[one(["rope_scaling", "rope_parameters"])] = {
    ...{ [one(["rope_type", "type"])]: type, ...own, ...attention, ...(isInside ? plan : {}) },
    ...(type === "llama3" ? { original_max_position_embeddings: 8192 } : {}),
    ...(scaled && isOriginalInside ? original() : {}),
  };
  return { config, length: one([1, 4096, 10000, 200000]) };
}

test("600 random configs have the frequencies and attention factors of transformers' rules", () => {
  const next = random(45);
  for (let i = 0; i < 600; ++i) {
    const { config, length } = drawn(next);
    const text = `${JSON.stringify(config)} at ${length}`;
    const { rotary, attentionFactor } = pe.hubConfig(config).plans[0];
    const { rotaryDim: dim, base, scaling } = rotary;
    const needsLength = ["dynamic", "longrope"].includes(scaling?.type);
    const { data } = pe.frequencies({ dim, base, scaling, ...(needsLength ? { length } : {}) });
    const expected = rule(config, length);
    assert.equal(data.length, expected.frequencies.length, text);
    for (const [at, frequency] of expected.frequencies.entries())
      assert.ok(Math.abs(data[at] / frequency - 1) < 1e-7, `${text}: ${at}: ${data[at]}, not ${frequency}`);
    assert.ok(Math.abs(attentionFactor / expected.attention - 1) < 1e-12, `${text}: ${attentionFactor}`);
  }
});
