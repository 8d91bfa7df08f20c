// llama.cpp, its converter from config.json included: what that leaves out the engine cannot know.

import { growth, own } from "./reading.js";
import {
  arithmeticOf,
  type EngineData,
  longBy,
  longFactorUnread,
  models,
  mscaleUnread,
  ruleUnknown,
  truncateUnread,
  unscaled,
  yarnFactorUnread,
} from "./rules.js";

const converter = "conversion/base.py";
const converterVersion = "00bd27a";

/**
 * What the context sets, whatever the file says: the converter writes mscale_all_dim for DeepSeek and Ministral 3 alone,
 * and mscale for none; DeepSeek's is taken for both.
 */
const yarnFactor: Parameters<typeof yarnFactorUnread>[0] = ({ factor, mscaleAllDim }, _, { type }) => {
  if (!mscaleAllDim) return growth(factor);
  if (/^(deepseek_v(2|3)|kimi_k2)$/.test(type)) return 1;
  return type === "ministral3" ? growth(factor) / growth(factor, mscaleAllDim) : growth(factor);
};
const context = "src/llama-context.cpp:76";

export const llamaCpp: EngineData = {
  name: "llama.cpp",
  project: "ggml-org/llama.cpp",
  version: "ec98e2002",
  facts: [
    [
      "angles",
      "float32. On the CPU the first angle is the position, and each is the one before it times base^(-2/d), divided by the pair's factor if there are factors; CUDA takes powers. Cosines and sines in float32, times the attention factor; the rotation in float32.",
      "ggml/src/ggml-cpu/ops.cpp:5829",
      "ggml d3cf1f1",
    ],
    [
      "caches",
      "No table. LongRoPE's list follows n_ctx_seq, once. When the context shifts, kept keys are rotated by the difference, and multiplied by the attention factor again.",
      "src/llama-kv-cache.cpp:1389",
    ],
    [
      "factor",
      "YaRN: 0.1 ln f + 1, divided by g(mscale_all_dim) where the file has that (DeepSeek, Ministral 3); attention_factor is converted, then overwritten; the ramp's ends are always rounded. DeepSeek's scores are multiplied by g(mscale_all_dim)².",
      context,
    ],
    [
      "layout",
      "By architecture. Queries and keys of Llama, Mistral and Mixtral are permuted when they are converted, and rotate interleaved.",
      "src/llama-model.cpp:7801",
    ],
    [
      "keys",
      "rope_parameters, else rope_scaling: those of full_attention, and the base of sliding_attention. Rules: linear, yarn, longrope and llama3 (a tensor of factors); a warning for another, and no scaling.",
      converter,
      converterVersion,
    ],
  ],
  rules: [
    {
      code: "attention-factor-unread",
      note: "YaRN's factor is set from the factor alone; the file's own is overwritten.",
      file: context,
      each: yarnFactorUnread(yarnFactor),
    },
    {
      code: "mscale-unread",
      note: "mscale is not converted, and mscale_all_dim for DeepSeek and Ministral 3 alone.",
      file: context,
      threads: ["ggml-org/llama.cpp#17945"],
      each: mscaleUnread(yarnFactor),
    },
    {
      code: "truncate-unread",
      note: "The ends of YaRN's ramp are always rounded.",
      file: "ggml/src/ggml.c:4375",
      version: "ggml d3cf1f1",
      each: truncateUnread,
    },
    {
      code: "rule-unknown",
      note: "The converter warns, and writes no scaling. HunYuan's class has the dynamic rule.",
      file: converter,
      version: converterVersion,
      each: (rotation, reading) =>
        !/^(hunyuan_v1|gemma4)/.test(reading.type) &&
        ruleUnknown(["default", "linear", "yarn", "longrope", "llama3"], unscaled)(rotation),
    },
    {
      code: "original-length-unread",
      note: "Llama 3's original length is the one beside the dictionary, or 8192.",
      file: "conversion/llama.py: generate_extra_tensors",
      version: "0274f0f",
      each: ({ scaling }, { text }) => {
        const length = own(text, "original_max_position_embeddings") ?? 8192;
        if (scaling.type !== "llama3" || typeof length !== "number" || length === scaling.originalLength) return;
        return {
          key: "original_max_position_embeddings",
          expected: scaling.originalLength,
          instead: length,
          change: (plan) => ({ ...plan, rotary: { ...plan.rotary, scaling: { ...scaling, originalLength: length } } }),
        };
      },
    },
    {
      code: "by-limit",
      note: "The long list is used at every length if n_ctx_seq exceeds the original length, else the short one.",
      file: "src/llama-model.cpp:7105",
      threads: ["ggml-org/llama.cpp#24875"],
      each: longBy("n_ctx_seq"),
    },
    {
      code: "factor-unread",
      note: "LongRoPE's attention factor is that of the two lengths.",
      file: "conversion/phi.py",
      version: "051139f",
      each: longFactorUnread,
    },
    {
      code: "keys-scaled-again",
      note: "Keys that a context shift rotates again are multiplied by the attention factor a second time.",
      file: "src/llama-kv-cache.cpp:1389",
      each: ({ plan }) =>
        plan.attentionFactor !== 1 && { expected: plan.attentionFactor, instead: plan.attentionFactor ** 2 },
    },
  ],
  reads: models(
    "llama4?(_text)? mistral mixtral ministral3 deepseek_v[23] kimi_k2 cohere2? olmo[23]? granite smollm3 ernie4_5 glm4 glm4_moe qwen2(_moe|_vl)? qwen3(_moe|_vl|_next)? gemma[23]? gemma3(_text|n) phi3 phimoe gpt_oss stablelm starcoder2 gpt_neox falcon exaone4 hunyuan_v1_(dense|moe) lfm2 minimax_m2 seed_oss",
  ),
  layouts: /^(?!(granite|smollm3|olmo|ministral3)$)/, // whether their weights are permuted was not read
  arithmetic: ({ dtype }) =>
    arithmeticOf(dtype, {
      steps: "products",
      cache: "float32",
      products: "float32",
      inputs: "float32",
      outputs: "float32",
    }),
};
