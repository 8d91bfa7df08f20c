import type { Value } from "../../core/state";
import type { state } from "./state";

/** Values of published config.json files: the keys that determine the rotation. */
export const examples: Readonly<
  Record<Exclude<Value<typeof state.configFamily>, "own">, { name: string; config: object }>
> = {
  llama3: {
    name: "Llama 3.1",
    config: {
      model_type: "llama",
      num_hidden_layers: 32,
      hidden_size: 4096,
      num_attention_heads: 32,
      rope_theta: 500000,
      max_position_embeddings: 131072,
      rope_scaling: {
        rope_type: "llama3",
        factor: 8,
        low_freq_factor: 1,
        high_freq_factor: 4,
        original_max_position_embeddings: 8192,
      },
    },
  },
  gemma3: {
    name: "Gemma 3",
    config: {
      model_type: "gemma3_text",
      num_hidden_layers: 34,
      sliding_window: 1024,
      query_pre_attn_scalar: 256,
      head_dim: 256,
      rope_parameters: {
        sliding_attention: { rope_type: "default", rope_theta: 10000 },
        full_attention: { rope_type: "linear", factor: 8, rope_theta: 1000000 },
      },
    },
  },
  phi3: {
    name: "Phi-3 128k",
    config: {
      model_type: "phi3",
      num_hidden_layers: 32,
      hidden_size: 3072,
      num_attention_heads: 32,
      rope_theta: 10000,
      max_position_embeddings: 131072,
      original_max_position_embeddings: 4096,
      rope_scaling: {
        type: "longrope",
        short_factor: [
          1.05, 1.05, 1.05, 1.1, 1.1, 1.1, 1.2500000000000002, 1.2500000000000002, 1.4000000000000004,
          1.4500000000000004, 1.5500000000000005, 1.8500000000000008, 1.9000000000000008, 2.000000000000001,
          2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001,
          2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001,
          2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001,
          2.000000000000001, 2.000000000000001, 2.000000000000001, 2.1000000000000005, 2.1000000000000005, 2.2,
          2.3499999999999996, 2.3499999999999996, 2.3499999999999996, 2.3499999999999996, 2.3999999999999995,
          2.3999999999999995, 2.6499999999999986, 2.6999999999999984, 2.8999999999999977, 2.9499999999999975,
          3.049999999999997, 3.049999999999997, 3.049999999999997,
        ],
        long_factor: [
          1.0299999713897705, 1.0499999523162842, 1.0499999523162842, 1.0799999237060547, 1.2299998998641968,
          1.2299998998641968, 1.2999999523162842, 1.4499999284744263, 1.5999999046325684, 1.6499998569488525,
          1.8999998569488525, 2.859999895095825, 3.68999981880188, 5.419999599456787, 5.489999771118164,
          5.489999771118164, 9.09000015258789, 11.579999923706055, 15.65999984741211, 15.769999504089355,
          15.789999961853027, 18.360000610351562, 21.989999771118164, 23.079999923706055, 30.009998321533203,
          32.35000228881836, 32.590003967285156, 35.56000518798828, 39.95000457763672, 53.840003967285156,
          56.20000457763672, 57.95000457763672, 59.29000473022461, 59.77000427246094, 59.920005798339844,
          61.190006256103516, 61.96000671386719, 62.50000762939453, 63.3700065612793, 63.48000717163086,
          63.48000717163086, 63.66000747680664, 63.850006103515625, 64.08000946044922, 64.760009765625,
          64.80001068115234, 64.81001281738281, 64.81001281738281,
        ],
      },
    },
  },
  qwen2vl: {
    name: "Qwen2-VL",
    config: {
      model_type: "qwen2_vl",
      num_hidden_layers: 28,
      hidden_size: 3584,
      num_attention_heads: 28,
      rope_theta: 1000000,
      rope_scaling: { type: "mrope", mrope_section: [16, 24, 24] },
    },
  },
  deepseek: {
    name: "DeepSeek-V3",
    config: {
      model_type: "deepseek_v3",
      num_hidden_layers: 61,
      hidden_size: 7168,
      num_attention_heads: 128,
      qk_rope_head_dim: 64,
      qk_nope_head_dim: 128,
      rope_theta: 10000,
      max_position_embeddings: 163840,
      rope_scaling: {
        type: "yarn",
        factor: 40,
        beta_fast: 32,
        beta_slow: 1,
        mscale: 1,
        mscale_all_dim: 1,
        original_max_position_embeddings: 4096,
      },
    },
  },
  modernbert: {
    name: "ModernBERT",
    config: {
      model_type: "modernbert",
      num_hidden_layers: 22,
      hidden_size: 768,
      num_attention_heads: 12,
      global_rope_theta: 160000,
      local_rope_theta: 10000,
    },
  },
  neox: {
    name: "GPT-NeoX",
    config: {
      model_type: "gpt_neox",
      num_hidden_layers: 44,
      hidden_size: 6144,
      num_attention_heads: 64,
      rotary_pct: 0.25,
      rotary_emb_base: 10000,
    },
  },
};
