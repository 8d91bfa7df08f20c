// mlx-lm, where each model's file decides what of a config it reads, by the outer `model_type`.

import { growth, own } from "./reading.js";
import {
  based,
  type EngineData,
  keysUnread,
  longBy,
  longFactorUnread,
  models,
  mscaleUnread,
  truncateUnread,
  unscaled,
  yarnFactorUnread,
} from "./rules.js";

const utils = "mlx_lm/models/rope_utils.py";

const yarnFactor: Parameters<typeof yarnFactorUnread>[0] = ({ factor, mscale, mscaleAllDim }) =>
  growth(factor, mscale) / growth(factor, mscaleAllDim ?? 0);

/** Models whose files have an nn.RoPE without scaling. */
const isPlain = models(
  "qwen[23]_moe glm4(_moe)? mixtral gemma2? cohere2? starcoder2 stablelm phi olmo gpt_neox minimax helium recurrent_gemma mimo_v2_flash llama4_text dbrx",
);

/** Models that read `rope_parameters`. */
const isNew = models("exaone_moe gemma4(_text)? glm_moe_dsa laguna lfm2(_moe)? mellum ministral3 qwen3_5(_moe)?");

/** What the others' classes have in its place; where there is no default, they cannot be made. */
const bases: { readonly [model: string]: number } = {
  llama: 1e4,
  mistral: 1e4,
  mixtral: 1e6,
  qwen2: 1e6,
  qwen2_moe: 1e6,
  phi3: 1e4,
  gpt_oss: 15e4,
  gemma2: 1e4,
  cohere2: 5e4,
  starcoder2: 1e5,
  deepseek_v2: 1e4,
  deepseek_v3: 1e4,
  kimi_k2: 1e4,
};
const refusing = models(
  "qwen3(_moe|_next)? llama4(_text)? glm4(_moe)? olmo3 stablelm granite exaone4 ernie4_5 helium recurrent_gemma mimo_v2_flash minimax",
);
const layouts = models(
  "llama4? mistral qwen2(_moe|_vl)? qwen3(_moe)? glm4(_moe)? mixtral gemma2? gemma3(_text)? gpt_oss phi3 deepseek_v[23] kimi_k2 olmo3 granite cohere2? starcoder2",
);

export const mlxLm: EngineData = {
  name: "mlx-lm",
  project: "ml-explore/mlx-lm",
  version: "0.32.0 (d78bf58)",
  facts: [
    [
      "angles",
      "In MLX's kernel: powers of two, positions, products, fast cosines and sines in float32. Its fallback casts float32 cosines and sines to the activations' dtype. The linear rule divides positions by its factor.",
      "mlx/backend/metal/kernels/rope.metal",
      "ml-explore/mlx 496890d",
    ],
    [
      "caches",
      "No table; the dynamic rule goes by the current length. Kept keys are not rotated again.",
      `${utils}:261`,
    ],
    [
      "factor",
      "YaRN: g(mscale) / g(mscale_all_dim), 1 and 0 by default, multiplies queries and keys before they rotate. LongRoPE: by the two lengths. DeepSeek-V3's scores are multiplied by g(mscale_all_dim)².",
      `${utils}:128`,
    ],
    ["layout", "traditional, by the model's file: true is interleaved.", "mlx_lm/models/deepseek_v3.py"],
    [
      "keys",
      "rope_theta and rope_scaling; rope_parameters in a few models. Rules: default, linear, dynamic, llama3, yarn, longrope, proportional, mrope; ValueError for another. Many models do not read rope_scaling.",
      `${utils}:357`,
    ],
  ],
  rules: [
    {
      code: "keys-unread",
      note: "from_dict drops rope_parameters: the base is the class's default, or an argument is missing (TypeError).",
      file: "mlx_lm/models/base.py: BaseModelArgs.from_dict",
      once: (reading) => {
        const { model } = reading;
        const base = bases[model];
        const change = base !== undefined ? based(base) : refusing.test(model) ? "refuses" : "not read";
        return !isNew.test(model) && keysUnread(() => change)(reading);
      },
    },
    {
      code: "keys-required",
      note: 'Phi-3 needs "type" and "long_factor" in rope_scaling: ValueError.',
      file: "mlx_lm/models/phi3.py:36",
      each: ({ keys, scaling }, { model }) => {
        const missing = ["type", "long_factor"].find((key) => own(keys, key) === undefined);
        if (model !== "phi3" || scaling.type === "default" || missing === undefined) return;
        return { key: missing, expected: true, instead: "error", change: "refuses" };
      },
    },
    {
      code: "scaling-unread",
      note: "This model's file does not read rope_scaling; Qwen2-MoE's refuses all rules but the linear one.",
      file: "mlx_lm/models/qwen3_moe.py",
      each: ({ scaling }, { model }) => {
        if (scaling.type === "default" || !isPlain.test(model)) return;
        const refuses = model === "qwen2_moe" && scaling.type !== "linear";
        return {
          key: "rope_type",
          expected: scaling.type,
          instead: refuses ? "error" : "default",
          change: refuses ? "refuses" : unscaled,
        };
      },
    },
    {
      code: "attention-factor-unread",
      note: "YaRN's factor follows mscale and mscale_all_dim alone.",
      file: `${utils}:308`,
      threads: ["ml-explore/mlx-lm#1507"],
      each: yarnFactorUnread(yarnFactor),
    },
    {
      code: "mscale-unread",
      note: "Where one of mscale and mscale_all_dim is missing or 0, 1 and 0 stand in for it.",
      file: `${utils}:308`,
      each: mscaleUnread(yarnFactor),
    },
    {
      code: "truncate-unread",
      note: "The ends of YaRN's ramp are always rounded.",
      file: `${utils}:308`,
      each: truncateUnread,
    },
    {
      code: "sections-unread",
      note: "Positions are one number; sections, which are alike for text, have no effect.",
      file: utils,
      each: ({ plan }) =>
        plan.mrope !== null && {
          key: "mrope_section",
          expected: true,
          instead: false,
          change: (one) => ({ ...one, mrope: null }),
        },
    },
    {
      code: "always-long",
      note: "LongRoPE's long list is used at every length.",
      file: `${utils}:49`,
      threads: ["ml-explore/mlx-lm#660"],
      each: longBy("long", (scaling) => ({ ...scaling, shortFactor: scaling.longFactor })),
    },
    {
      code: "factor-unread",
      note: "LongRoPE's attention factor is that of the two lengths.",
      file: `${utils}:49`,
      each: (rotation, reading) => reading.model !== "phimoe" && longFactorUnread(rotation, reading),
    },
  ],
  reads: new RegExp(`${layouts.source}|${isPlain.source}|${isNew.source}|${refusing.source}|^(deepseek_v32|phimoe)$`),
  by: "model",
  layouts,
  arithmetic: () => null,
};
