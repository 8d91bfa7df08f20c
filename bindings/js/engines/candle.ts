// candle's models (candle-transformers), each with a rotation of its own.

import type { Scaling } from "../types/frequencies.js";
import { growth, own } from "./reading.js";
import {
  arithmeticOf,
  based,
  type EngineData,
  keysUnread,
  longBy,
  models,
  ruleUnknown,
  truncateUnread,
  unscaled,
  withScaling,
  yarnFactorUnread,
} from "./rules.js";

const model = (name: string) => `candle-transformers/src/models/${name}.rs`;

/** Models that round positions and frequencies to their dtype before they multiply them. */
const isRounded = models("qwen2(_moe)? mixtral gemma2? gemma3(_text)? olmo2? starcoder2 stablelm glm4 phi3");
const inFloat32 = models("llama qwen3(_moe)? mistral smollm3 granite granitemoehybrid deepseek_v[23] helium lfm2");

/** The rule that a model's file has beside the default one; the others read none, whatever the config says. */
const rules: { readonly [type: string]: Scaling["type"] } = {
  llama: "llama3",
  granite: "llama3",
  granitemoehybrid: "llama3",
  phi3: "longrope",
  deepseek_v2: "yarn",
  deepseek_v3: "yarn",
};
const required: { readonly [rule: string]: readonly string[] } = {
  longrope: ["type", "short_factor", "long_factor"],
  yarn: ["type", "original_max_position_embeddings", "beta_fast", "beta_slow", "mscale", "mscale_all_dim"],
};
const hasNoHeadDim = models("llama granite granitemoehybrid smollm3 phi3");
const inverses = (factors: ArrayLike<number>): number[] => Array.from(factors, (factor) => 1 / factor);
const bases: { readonly [type: string]: number } = { llama: 1e4, granite: 1e4, granitemoehybrid: 1e4 };

export const candle: EngineData = {
  name: "candle",
  project: "huggingface/candle",
  version: "0.11.0 (2a13b0f)",
  facts: [
    [
      "angles",
      "1 / base^(2i/d) in float32. Llama, Qwen3, Mistral, SmolLM3, Granite and DeepSeek-V2 go on in float32 up to cosines and sines; Qwen2, Mixtral, Gemma, OLMo, Phi-3 and GLM-4 round frequencies and positions to the model's dtype first, and multiply in it.",
      `${model("qwen2")}:55`,
    ],
    [
      "caches",
      "One table of max_position_embeddings rows in the model's dtype; kept keys are not rotated again.",
      model("llama"),
    ],
    [
      "factor",
      "YaRN in DeepSeek-V2 alone: g(mscale) / g(mscale_all_dim), and scores times g(mscale_all_dim)². Phi-3's LongRoPE has no factor.",
      `${model("deepseek2")}:515`,
    ],
    [
      "layout",
      "By the model's file: rope_i (interleaved) in DeepSeek-V2, GLM-4 and Helium, rope (half) elsewhere.",
      "candle-nn/src/rotary_emb.rs",
    ],
    [
      "keys",
      "rope_theta; rope_scaling in five files, each with one rule: the config of another does not parse. The other files do not read rope_scaling, and none reads rope_parameters.",
      `${model("llama")}:14`,
    ],
  ],
  rules: [
    {
      code: "keys-unread",
      note: "rope_parameters is not read: the base is the class's default, or rope_theta is missing.",
      file: model("qwen3"),
      once: keysUnread(({ type }) => (type === "lfm2" ? "not read" : bases[type] ? based(bases[type]) : "refuses")),
    },
    {
      code: "rule-unknown",
      note: "A file that has one rule does not parse the config of another.",
      file: `${model("llama")}:14`,
      each: (rotation, { type }) =>
        rules[type] !== undefined && ruleUnknown(["default", rules[type]], "refuses")(rotation),
    },
    {
      code: "keys-required",
      note: "The dictionary of Phi-3, and of DeepSeek-V2, must have all the keys that its file reads.",
      file: `${model("deepseek2")}:310`,
      each: ({ scaling, keys }, { type }) => {
        if (scaling.type === "default") return;
        const key = required[rules[type] ?? ""]?.find((name) => own(keys, name) === undefined);
        return key !== undefined && { key, expected: true, instead: "error", change: "refuses" };
      },
    },
    {
      code: "keys-required",
      note: "DeepSeek-V3's scores of experts (sigmoid) are refused.",
      file: `${model("deepseek2")}:237`,
      once: ({ type }) =>
        type === "deepseek_v3" && { path: "scoring_func", expected: "sigmoid", instead: "error", change: "refuses" },
    },
    {
      code: "scaling-unread",
      note: "This model's file does not read rope_scaling.",
      file: model("qwen3"),
      each: ({ scaling }, { type }) =>
        rules[type] === undefined &&
        scaling.type !== "default" && {
          key: "rope_type",
          expected: scaling.type,
          instead: "default",
          change: unscaled,
        },
    },
    {
      code: "head-dim-unread",
      note: "Dimensions are those of hidden_size / num_attention_heads: weights of another shape do not load.",
      file: model("llama"),
      once: ({ text, type }) => {
        const [dims, hidden, heads] = ["head_dim", "hidden_size", "num_attention_heads"].map((key) => own(text, key));
        if (typeof dims !== "number" || typeof hidden !== "number" || typeof heads !== "number") return;
        const instead = Math.floor(hidden / heads);
        if (!hasNoHeadDim.test(type) || instead === dims) return;
        return { path: "head_dim", expected: dims, instead, change: "refuses" };
      },
    },
    {
      code: "attention-factor-unread",
      note: "DeepSeek-V2's YaRN takes mscale and mscale_all_dim alone.",
      file: `${model("deepseek2")}:446`,
      each: yarnFactorUnread(
        ({ factor, mscale, mscaleAllDim }) => growth(factor, mscale) / growth(factor, mscaleAllDim),
      ),
    },
    {
      code: "truncate-unread",
      note: "The ends of YaRN's ramp are always rounded.",
      file: `${model("deepseek2")}:370`,
      each: truncateUnread,
    },
    {
      code: "inverted",
      note: "Phi-3's frequencies are multiplied by LongRoPE's factors, which divide them.",
      file: `${model("phi3")}:100`,
      each: ({ scaling, plan }) =>
        scaling.type === "longrope" && {
          key: "long_factor",
          expected: "divisors",
          instead: "multipliers",
          change: withScaling(
            { ...scaling, shortFactor: inverses(scaling.shortFactor), longFactor: inverses(scaling.longFactor) },
            plan.attentionFactor,
          ),
        },
    },
    {
      code: "by-position",
      note: "Phi-3's table has the short list up to the original length and the long one beyond it; without that length beside the dictionary, the short one.",
      file: `${model("phi3")}:104`,
      each: longBy("position"),
    },
    {
      code: "factor-unread",
      note: "Phi-3's LongRoPE has no attention factor.",
      file: model("phi3"),
      each: ({ scaling, plan }) =>
        scaling.type === "longrope" &&
        plan.attentionFactor !== 1 && {
          expected: plan.attentionFactor,
          instead: 1,
          change: withScaling({ ...scaling, attentionFactor: 1 }, 1),
        },
    },
    {
      code: "rounded-angles",
      note: "Frequencies and positions are rounded to the model's dtype before they are multiplied, and so are the angles.",
      file: `${model("qwen2")}:55`,
      threads: ["huggingface/candle#3520"],
      once: ({ type, dtype }) =>
        dtype !== "float32" && isRounded.test(type) && { path: "dtype", expected: "float32", instead: dtype },
    },
  ],
  reads: new RegExp(`${isRounded.source}|${inFloat32.source}`),
  arithmetic: ({ type, dtype }) =>
    arithmeticOf(
      dtype,
      isRounded.test(type) ? { frequencies: dtype, positions: dtype, angles: dtype, sines: dtype } : {},
    ),
};
