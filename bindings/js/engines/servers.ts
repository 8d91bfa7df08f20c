// vLLM and SGLang, whose layers for rotation have the same descent.

import { growth, type Json, own, type Reading, yarnFactor } from "./reading.js";
import {
  arithmeticOf,
  type Each,
  type EngineData,
  fixedBase,
  longBy,
  longFactorUnread,
  mscaleUnread,
  proportionalFactorUnread,
  truncateUnread,
  yarnFactorUnread,
} from "./rules.js";

const inVllm = (file: string) => `vllm/model_executor/layers/rotary_embedding/${file}`;
const inSglang = (file: string) => `python/sglang/srt/layers/rotary_embedding/${file}`;

/** DeepSeek's attention, where vLLM makes deepseek_yarn of any rule but "default". */
const isDeepseek = ({ type }: Reading) => /^(deepseek_v(2|3|32)|kimi_k2)$/.test(type);
const forDeepseek =
  (each: Each): Each =>
  (rotation, reading) =>
    isDeepseek(reading) && each(rotation, reading);
const forOthers =
  (each: Each): Each =>
  (rotation, reading) =>
    !isDeepseek(reading) && each(rotation, reading);

/** What multiplies YaRN's factor, by a name that transformers does not know. */
const multiplierOf = (keys: Json): number => {
  const given = own(keys, "attn_factor");
  return typeof given === "number" ? given : 1;
};

const attnFactorRead: Each = ({ scaling, plan, keys }) => {
  const instead = plan.attentionFactor * multiplierOf(keys);
  return (
    scaling.type === "yarn" &&
    instead !== plan.attentionFactor && {
      key: "attn_factor",
      expected: plan.attentionFactor,
      instead,
      change: (one) => ({
        ...one,
        attentionFactor: instead,
        rotary: { ...one.rotary, scaling: { ...scaling, attentionFactor: instead } },
      }),
    }
  );
};
const attnFactorThread = "deepseek-ai/DeepSeek-R1#684";

export const vllm: EngineData = {
  name: "vLLM",
  project: "vllm-project/vllm",
  version: "0cd5784",
  facts: [
    [
      "angles",
      "1 / base^(2i/d), positions, their product, cosines and sines in float32; the linear rule divides positions by its factor. In PyTorch pairs rotate in the activations' dtype; kernels were not read.",
      inVllm("base.py: _compute_cos_sin_cache"),
      "072d10a",
    ],
    [
      "caches",
      "One table in the model's dtype, of max_position_embeddings rows; for YaRN and the dynamic rule of factor times the original length. LongRoPE has both tables, and max_model_len settles at start which is used. Kept keys are not rotated again.",
      inVllm("base.py: __init__"),
      "072d10a",
    ],
    [
      "factor",
      "YaRN: attention_factor, else mscale and mscale_all_dim if neither is 0, else 0.1 ln f + 1; truncate. DeepSeek: g(mscale) / g(mscale_all_dim), and scores times g(mscale_all_dim)². LongRoPE: short_mscale, long_mscale, else by the lengths.",
      inVllm("yarn_scaling_rope.py: __init__"),
    ],
    [
      "layout",
      "is_neox_style, by the model's file: false for DeepSeek; true for Llama 4, whose weights are permuted when they are loaded.",
      "vllm/model_executor/models/deepseek_v2.py: DeepseekV2Attention",
      "002d607",
    ],
    [
      "keys",
      "Those of transformers 5, which it needs; su is longrope, mrope is default. Rules: default, linear, ntk, dynamic, yarn, longrope, llama3, proportional, deepseek_yarn and some of single models; ValueError for another, and where rope_type and type disagree.",
      "vllm/transformers_utils/config.py: patch_legacy_rope_type",
      "0036026",
    ],
  ],
  rules: [
    {
      code: "attention-factor-unread",
      note: "get_rope passed attn_factor on, but not attention_factor: 0.1 ln f + 1 took its place.",
      file: inVllm("__init__.py: get_rope"),
      version: "926c71f",
      threads: ["vllm-project/vllm#46280", "vllm-project/vllm#48351"],
      versions: "0.25.0 and before",
      isPast: true,
      each: forOthers(yarnFactorUnread(({ factor }, { keys }) => growth(factor) * multiplierOf(keys))),
    },
    {
      code: "mscale-unread",
      note: "get_rope passed neither mscale nor mscale_all_dim on for YaRN: 0.1 ln f + 1 took their place.",
      file: inVllm("__init__.py: get_rope"),
      version: "926c71f",
      threads: ["vllm-project/vllm#48621", "vllm-project/vllm#48623"],
      versions: "0.25.0 and before",
      isPast: true,
      each: forOthers(mscaleUnread(({ factor }) => growth(factor))),
    },
    {
      code: "attn-factor-read",
      note: "attn_factor multiplied YaRN's factor; transformers does not know this key.",
      file: inVllm("yarn_scaling_rope.py: __init__"),
      version: "ffdc985",
      threads: [attnFactorThread],
      versions: "926c71f, ffdc985",
      isPast: true,
      each: attnFactorRead,
    },
    {
      code: "truncate-unread",
      note: "The ends of YaRN's ramp were always rounded.",
      file: inVllm("common.py: yarn_find_correction_range"),
      version: "002d181",
      threads: ["vllm-project/vllm#27722", "vllm-project/vllm#28244"],
      versions: "0.11.0",
      isPast: true,
      each: forOthers(truncateUnread),
    },
    {
      code: "truncate-unread",
      note: "deepseek_yarn is not given truncate: the ramp's ends are rounded.",
      file: inVllm("__init__.py: get_rope"),
      each: forDeepseek(truncateUnread),
    },
    {
      code: "attention-factor-unread",
      note: "deepseek_yarn is given mscale and mscale_all_dim alone: g(mscale) / g(mscale_all_dim), 1 and 0 by default.",
      file: inVllm("deepseek_scaling_rope.py: __init__"),
      version: "7bc8d40",
      each: forDeepseek(
        yarnFactorUnread(
          (scaling) => growth(scaling.factor, scaling.mscale) / growth(scaling.factor, scaling.mscaleAllDim ?? 0),
        ),
      ),
    },
    {
      code: "factor-unread",
      note: "LongRoPE's attention factor is that of the two lengths, or short_mscale and long_mscale.",
      file: inVllm("phi3_long_rope_scaled_rope.py: __init__"),
      version: "63c2b7a",
      each: longFactorUnread,
    },
    {
      code: "by-limit",
      note: "The long list is used at every length if max_model_len exceeds the original length, else the short one.",
      file: inVllm("phi3_long_rope_scaled_rope.py: __init__"),
      version: "63c2b7a",
      each: longBy("max_model_len"),
    },
    {
      code: "fixed-base",
      note: "One table, with the base of factor times the trained length, serves all lengths.",
      file: inVllm("dynamic_ntk_scaling_rope.py: _compute_cos_sin_cache"),
      version: "50feac9",
      each: fixedBase,
    },
    {
      code: "factor-unread",
      note: "Gemma4RotaryEmbedding has no factor.",
      file: inVllm("gemma4_rope.py: _compute_inv_freq"),
      version: "41c5903",
      each: proportionalFactorUnread,
    },
  ],
  layouts: /^(deepseek_v(2|3|32)|kimi_k2|llama4(_text)?|gpt_oss)$/,
  arithmetic: ({ dtype }) => arithmeticOf(dtype),
};

/** mscale and mscale_all_dim if both are there, be they 0. */
const sglangFactor: Parameters<typeof yarnFactorUnread>[0] = ({ factor, mscale, mscaleAllDim }, { keys }) =>
  (mscale === undefined || mscaleAllDim === undefined
    ? growth(factor)
    : growth(factor, mscale) / growth(factor, mscaleAllDim)) * multiplierOf(keys);

export const sglang: EngineData = {
  name: "SGLang",
  project: "sgl-project/sglang",
  version: "108c36c",
  facts: [
    [
      "angles",
      "As vLLM: float32 up to cosines and sines. In PyTorch these are cast to the activations' dtype, in which pairs rotate; kernels were not read.",
      inSglang("base.py: _compute_cos_sin_cache"),
      "0099dee",
    ],
    [
      "caches",
      "One table, in float32 on CUDA, ROCm and XPU (LongRoPE's in the model's dtype) and in the model's dtype elsewhere, which grows on demand. LongRoPE: the whole batch takes the long table once one position exceeds the original length; kept keys are not rotated again.",
      inSglang("base.py: __init__"),
      "0099dee",
    ],
    [
      "factor",
      "YaRN: mscale and mscale_all_dim if both are there, else 0.1 ln f + 1, times attn_factor; truncate. deepseek_yarn: g(mscale) / g(mscale_all_dim). LongRoPE: short_mscale, long_mscale, else by the lengths.",
      inSglang("yarn.py: __init__"),
      "0b1fd02",
    ],
    ["layout", "is_neox_style, by the model's file; true by default.", inSglang("factory.py: get_rope")],
    [
      "keys",
      "rope_parameters, else rope_theta and rope_scaling. Rules: default, linear, dynamic, yarn, deepseek_yarn, longrope, llama3, proportional; ValueError for another, and for a dictionary that names none. A missing length or factor is logged and replaced.",
      inSglang("factory.py: get_rope"),
    ],
  ],
  rules: [
    {
      code: "attention-factor-unread",
      note: "YaRN goes by mscale and attn_factor alone; only Laguna's file turns attention_factor into that.",
      file: inSglang("factory.py: get_rope"),
      each: (rotation, reading) => reading.type !== "laguna" && yarnFactorUnread(sglangFactor)(rotation, reading),
    },
    {
      code: "attention-factor-twice",
      note: "Laguna's attention_factor was passed as attn_factor, which multiplies 0.1 ln f + 1.",
      file: inSglang("yarn.py: __init__"),
      version: "8448045",
      threads: ["sgl-project/sglang#33558"],
      versions: "before #33558 (August 2026)",
      isPast: true,
      each: (rotation, reading) =>
        reading.type === "laguna" &&
        yarnFactorUnread((scaling, { plan }) => yarnFactor(scaling) * plan.attentionFactor)(rotation, reading),
    },
    {
      code: "mscale-unread",
      note: "YaRN was given neither mscale nor mscale_all_dim: 0.1 ln f + 1 took their place.",
      file: inSglang("factory.py: get_rope"),
      version: "eb047c1",
      threads: ["sgl-project/sglang#22711"],
      versions: "eb047c1 (April 2026)",
      isPast: true,
      each: forOthers(mscaleUnread(({ factor }) => growth(factor))),
    },
    {
      code: "attn-factor-read",
      note: "attn_factor multiplies YaRN's factor; transformers does not know this key.",
      file: inSglang("yarn.py: __init__"),
      version: "0b1fd02",
      threads: [attnFactorThread],
      each: attnFactorRead,
    },
    {
      code: "truncate-unread",
      note: "The ends of YaRN's ramp were always rounded.",
      file: inSglang("yarn.py"),
      version: "before #14270",
      threads: ["sgl-project/sglang#14270"],
      versions: "before #14270 (December 2025)",
      isPast: true,
      each: forOthers(truncateUnread),
    },
    {
      code: "factor-unread",
      note: "LongRoPE's attention factor is that of the two lengths, or short_mscale and long_mscale.",
      file: inSglang("rope_variant.py: Phi3LongRoPEScaledRotaryEmbedding"),
      version: "0b1fd02",
      each: longFactorUnread,
    },
    {
      code: "by-batch",
      note: "The long list is used for a whole batch if one position exceeds the original length L; at position L itself the table's next row is read, which is that of position 0.",
      file: inSglang("rope_variant.py: Phi3LongRoPEScaledRotaryEmbedding.forward"),
      version: "0b1fd02",
      each: longBy("largest position of the batch"),
    },
    {
      code: "fixed-base",
      note: "One table, with the base of factor times the trained length, serves all lengths.",
      file: inSglang("rope_variant.py: DynamicNTKScalingRotaryEmbedding"),
      version: "0b1fd02",
      each: fixedBase,
    },
    {
      code: "factor-unread",
      note: "Gemma4RotaryEmbedding has no factor.",
      file: inSglang("rope_variant.py: Gemma4RotaryEmbedding"),
      version: "0b1fd02",
      each: proportionalFactorUnread,
    },
  ],
  layouts: /^gpt_oss$/,
  arithmetic: ({ dtype }) => arithmeticOf(dtype),
};
