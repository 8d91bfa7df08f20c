// Hugging Face transformers, versions 4 and 5, and the one in JavaScript.

import { dictionary, growth, own } from "./reading.js";
import {
  arithmeticOf,
  based,
  type Change,
  type Each,
  type EngineData,
  keysUnread,
  models,
  ruleUnknown,
} from "./rules.js";

const project = "huggingface/transformers";
const utils = "src/transformers/modeling_rope_utils.py";
const model = (name: string) => `src/transformers/models/${name}/modeling_${name}.py`;

/** These multiply complex numbers, or floats, in float32. */
const inFloat32 = /^(llama4(_text)?|deepseek_v2|cohere2?)$/;

const arithmetic: EngineData["arithmetic"] = ({ type, dtype }) =>
  arithmeticOf(dtype, inFloat32.test(type) ? { cache: "float32", products: "float32" } : {});

/** DeepSeek's score scale without g(mscale_all_dim)². */
const scoreScale =
  (types: RegExp): Each =>
  ({ scaling, keys }, { type }) => {
    const m = own(keys, "mscale_all_dim");
    if (scaling.type !== "yarn" || typeof m !== "number" || !types.test(type)) return;
    return { key: "mscale_all_dim", expected: growth(scaling.factor, m) ** 2, instead: 1 };
  };

const shared = [
  [
    "caches",
    "No table: cosines and sines are computed in each forward pass. The dynamic rule and LongRoPE go by the largest position of the pass plus one; Phi-3 drops its kept keys when LongRoPE's lists change, other models keep them as they are.",
    utils,
  ],
  [
    "layout",
    "By the model's file: rotate_half; repeat_interleave or complex pairs where it is interleaved; DeepSeek-V3 takes dimensions apart first (rope_interleave).",
    model("deepseek_v3"),
  ],
] as const;

/** Defaults of classes that take `rope_theta` only. */
const bases: { readonly [type: string]: number } = { llama: 10_000, qwen3: 10_000 };

/** Of the models whose rotation is known here, those that CONFIG_MAPPING has not. */
const newer = models(
  "afmoe axk[12] cohere2_moe cwm deepseek_v32 deepseek_v4 eurobert exaone_moe gemma4(_text)? glm4_moe_lite glm_moe_dsa",
  "hy_v3 hyperclovax jais2 jina_embeddings_v3 laguna lfm2_moe mellum mimo_v2_flash minicpm3 minimax_m2 ministral3",
  "mistral4 nanochat nemotron_h nomic_bert olmo_hybrid qwen3_5(_moe)?(_text)? solar_open youtu zaya",
);

export const transformers4: EngineData = {
  name: "transformers 4",
  project,
  version: "4.57.6 (753d611)",
  facts: [
    [
      "angles",
      "1 / base^(2i/d), positions, their product, cosines and sines in float32; then cosines and sines are cast to the activations' dtype, in which the pairs are rotated. Llama 4 and DeepSeek-V2 rotate complex numbers in float32.",
      `${model("llama")}:97`,
    ],
    ...shared,
    [
      "factor",
      "YaRN: attention_factor, else mscale and mscale_all_dim if neither is 0, else 0.1 ln f + 1; truncate, beta_fast, beta_slow. LongRoPE: attention_factor, else by the lengths. DeepSeek-V3 multiplies the scale of scores by g(mscale_all_dim)², DeepSeek-V2 does not.",
      `${utils}:307`,
    ],
    [
      "keys",
      "rope_theta, rope_scaling and partial_rotary_factor beside the others, rope_local_base_freq (Gemma 3); rope_parameters is not read. Rules: default, linear, dynamic, yarn, longrope, llama3; KeyError for another. Llama 4 takes any rope_scaling for llama3.",
      `${utils}:521`,
    ],
  ],
  rules: [
    {
      code: "model-unknown",
      note: "A model of version 5: ValueError, unless its repository brings code.",
      file: "src/transformers/models/auto/configuration_auto.py:1364",
      once: ({ type }) =>
        newer.test(type) && { path: "model_type", expected: type, instead: "error", change: "refuses" },
    },
    {
      code: "keys-unread",
      note: "rope_parameters is kept as an attribute that nothing reads: the base is the class's default, nothing is scaled.",
      file: "src/transformers/models/qwen3/configuration_qwen3.py:170",
      threads: ["vllm-project/vllm#42624"],
      once: keysUnread(({ type }) => (bases[type] === undefined ? "not read" : based(bases[type]))),
    },
    {
      code: "rule-unknown",
      note: "ROPE_INIT_FUNCTIONS has no such rule: KeyError.",
      file: `${utils}:521`,
      each: ruleUnknown(["default", "linear", "dynamic", "ntk", "yarn", "longrope", "llama3"], "refuses"),
    },
    {
      code: "original-length-unread",
      note: "LongRoPE's original length is read beside the dictionary alone; without it the trained length counts.",
      file: `${utils}:430`,
      each: ({ scaling, keys }, { text }) =>
        scaling.type === "longrope" &&
        own(keys, "original_max_position_embeddings") !== undefined &&
        own(text, "original_max_position_embeddings") === undefined && {
          key: "original_max_position_embeddings",
          expected: scaling.originalLength,
          instead: "max_position_embeddings",
          change: "not read",
        },
    },
    {
      code: "score-scale",
      note: "DeepSeek-V2's scores are not multiplied by g(mscale_all_dim)².",
      file: model("deepseek_v2"),
      threads: ["huggingface/transformers#47435"],
      versions: "4.57.6; 5.0.0 to 5.14.1",
      each: scoreScale(/^deepseek_v2$/),
    },
  ],
  arithmetic,
};

export const transformers5: EngineData = {
  name: "transformers 5",
  project,
  version: "5.16.0.dev0 (c49429e)",
  facts: [
    [
      "angles",
      "As in 4: float32 up to cosines and sines, which are cast to the activations' dtype before the rotation.",
      `${model("llama")}:122`,
    ],
    ...shared,
    [
      "factor",
      "As in 4; of nested dictionaries truncate is read from the outer one. The scale of scores is multiplied by g(mscale_all_dim)² in DeepSeek-V3, and since 5.15.0 in DeepSeek-V2 and Mistral 4.",
      `${utils}:474`,
    ],
    [
      "keys",
      "rope_scaling wins over rope_parameters, which may have a dictionary a layer type; rope_theta and partial_rotary_factor beside them fill gaps. Rules: default, linear, dynamic, yarn, longrope, llama3, proportional; KeyError for another.",
      `${utils}:744`,
    ],
  ],
  rules: [
    {
      code: "dims-unread",
      note: "MiniMax M2's rotary_dim and RecurrentGemma's partial_rotary_factor are not read: all dimensions of a head rotate.",
      file: `${model("minimax_m2")}:179, ${model("recurrent_gemma")}`,
      each: ({ plan }, { type }) => {
        const { dim, rotaryDim = dim } = plan.rotary;
        if (rotaryDim === dim || !/^(minimax_m2|recurrent_gemma)$/.test(type)) return;
        const path = type === "minimax_m2" ? "rotary_dim" : "partial_rotary_factor";
        const change: Change = (one) => ({ ...one, rotary: { ...one.rotary, rotaryDim: dim } });
        return { path, expected: rotaryDim, instead: dim, change };
      },
    },
    {
      code: "base-unread",
      note: "DBRX: the base is that of rope_parameters, and attn_config.rope_theta has no say.",
      file: `${model("dbrx")}:75`,
      each: ({ plan }, { type, text }) => {
        const base = own(dictionary(own(text, "attn_config")) ?? {}, "rope_theta");
        if (type !== "dbrx" || base === undefined || plan.rotary.base !== base) return;
        return { path: "attn_config.rope_theta", expected: Number(base), instead: 10_000, change: based(10_000) };
      },
    },
    {
      code: "sections-by-dimension",
      note: "HunYuan-VL's sections are doubled and count dimensions, not pairs: the dimensions of a pair have different axes, and are not rotated.",
      file: `${model("hunyuan_vl")}:484`,
      each: ({ plan }, { type }) =>
        plan.mrope !== null &&
        /^hunyuan_vl(_text)?$/.test(type) && {
          key: "mrope_section",
          expected: "pairs",
          instead: "dims",
          change: "not read",
        },
    },
    {
      code: "scaled-everywhere",
      note: "OLMo 3: one rotation for all layers, so that sliding layers are scaled too.",
      file: model("olmo3"),
      version: "5.12.0",
      threads: ["huggingface/transformers#45945"],
      versions: "5.0.0 to 5.12",
      isPast: true,
      each: ({ scaling, plan }, { type, rotations }) => {
        const other = rotations.find((one) => one.scaling.type !== "default");
        return (
          type === "olmo3" &&
          plan.layerType === "sliding_attention" &&
          scaling.type === "default" &&
          other !== undefined && { key: "rope_type", expected: "default", instead: other.scaling.type }
        );
      },
    },
    {
      code: "score-scale",
      note: "The scores of DeepSeek-V2 and Mistral 4 are not multiplied by g(mscale_all_dim)².",
      file: model("deepseek_v2"),
      version: "5.14.1",
      threads: ["huggingface/transformers#47435"],
      versions: "5.0.0 to 5.14.1",
      isPast: true,
      each: scoreScale(/^(deepseek_v2|mistral4)$/),
    },
  ],
  arithmetic,
};

const inJavaScript = "packages/transformers/src/models/modeling_utils.js:1522";

export const transformersJs: EngineData = {
  name: "transformers.js",
  project: "huggingface/transformers.js",
  version: "4.2.0 (5ed4c5c)",
  facts: [
    [
      "angles",
      "Computed by the exported ONNX graph, which differs from file to file; positions are the running count of the mask less one, unless the graph counts them itself.",
      inJavaScript,
    ],
    ["keys", "No key of a rotation is read: what the exporter made of them stays.", inJavaScript],
  ],
  rules: [],
  reads: /^$/,
  arithmetic: () => null,
};
