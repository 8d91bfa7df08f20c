/** A model's rule with everything that a config may say of it: what a plan may hold is learned from these. */
const configured = (rope_scaling) => (pe) => () =>
  pe.hubConfig({ model_type: "llama", head_dim: 4, rope_theta: 1e4, max_position_embeddings: 8192, rope_scaling });
const trained = { original_max_position_embeddings: 2048 };

export const others = {
  hubConfig: (pe) => () =>
    pe.hubConfig({ model_type: "llama", hidden_size: 64, num_attention_heads: 4, rope_theta: 5e5 }),
  "hubConfig default": configured({ rope_type: "default" }),
  "hubConfig linear": configured({ rope_type: "linear", factor: 2 }),
  "hubConfig dynamic": configured({ rope_type: "dynamic", factor: 2 }),
  "hubConfig yarn": configured({
    ...trained,
    rope_type: "yarn",
    factor: 4,
    beta_fast: 32,
    beta_slow: 1,
    truncate: false,
    mscale: 1,
    mscale_all_dim: 0.5,
    attention_factor: 1.1,
  }),
  "hubConfig longrope": configured({
    ...trained,
    rope_type: "longrope",
    factor: 4,
    short_factor: [1, 1.5],
    long_factor: [2, 3],
    attention_factor: 1.2,
  }),
  "hubConfig llama3": configured({
    ...trained,
    rope_type: "llama3",
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
  }),
  "hubConfig proportional": configured({ rope_type: "proportional", factor: 2, partial_rotary_factor: 0.5 }),
  "hubConfig gemma3": (pe) => () =>
    pe.hubConfig({
      model_type: "gemma3_text",
      head_dim: 4,
      rope_parameters: {
        full_attention: { rope_type: "linear", factor: 8, rope_theta: 1e6 },
        sliding_attention: { rope_type: "default", rope_theta: 1e4 },
      },
    }),
  "hubConfig qwen2-vl": (pe) => () =>
    pe.hubConfig({
      model_type: "qwen2_vl",
      hidden_size: 64,
      num_attention_heads: 4,
      rope_theta: 1e6,
      rope_scaling: { type: "mrope", mrope_section: [2, 3, 3], unheard: 1 },
    }),
  "hubConfig phi3": (pe) => () =>
    pe.hubConfig({
      model_type: "phi3",
      head_dim: 4,
      rope_theta: 1e4,
      max_position_embeddings: 64,
      original_max_position_embeddings: 32,
      rope_scaling: { type: "longrope", short_factor: [1, 1.5], long_factor: [2, 3] },
    }),
};
