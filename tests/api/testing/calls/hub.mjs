const trained = { original_max_position_embeddings: 2048 };

/** A rule with everything that a config may say of it: what a plan may hold is learned from these. */
const ruled = (rope_scaling) => ({
  model_type: "llama",
  head_dim: 4,
  num_hidden_layers: 1,
  rope_theta: 1e4,
  max_position_embeddings: 8192,
  rope_scaling,
});

const configs = {
  llama: { model_type: "llama", hidden_size: 64, num_attention_heads: 4, rope_theta: 5e5 },
  alibi: { model_type: "bloom", n_head: 4, hidden_size: 16, n_layer: 2 },
  t5: { model_type: "t5", num_heads: 4, d_model: 16, num_layers: 2 },
  learned: { model_type: "bert", hidden_size: 16, num_attention_heads: 4, num_hidden_layers: 2 },
  sinusoidal: { model_type: "xglm", d_model: 16, attention_heads: 4, num_layers: 2 },
  none: { model_type: "mamba", hidden_size: 16, num_hidden_layers: 2 },
  layers: { head_dim: 4, num_hidden_layers: 2, layer_types: ["full_attention", "linear_attention"] },
  default: ruled({ rope_type: "default", unheard: 1 }),
  linear: ruled({ rope_type: "linear", factor: 2 }),
  ntk: ruled({ rope_type: "dynamic", alpha: 2 }),
  dynamic: ruled({ rope_type: "dynamic", factor: 2 }),
  yarn: ruled({
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
  longrope: ruled({
    ...trained,
    rope_type: "longrope",
    factor: 4,
    short_factor: [1, 1.5],
    long_factor: [2, 3],
    attention_factor: 1.2,
  }),
  llama3: ruled({
    ...trained,
    rope_type: "llama3",
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
  }),
  proportional: ruled({ rope_type: "proportional", factor: 2, partial_rotary_factor: 0.5 }),
  gemma3: {
    model_type: "gemma3_text",
    head_dim: 4,
    num_hidden_layers: 6,
    sliding_window: 8,
    rope_parameters: {
      full_attention: { rope_type: "linear", factor: 8, rope_theta: 1e6 },
      sliding_attention: { rope_type: "default", rope_theta: 1e4 },
    },
  },
  "qwen2-vl": {
    model_type: "qwen2_vl",
    hidden_size: 64,
    num_attention_heads: 4,
    num_hidden_layers: 1,
    rope_theta: 1e6,
    rope_scaling: { type: "mrope", mrope_section: [2, 3, 3], unheard: 1 },
    vision_config: { spatial_merge_size: 2, tokens_per_second: 2 },
  },
  phi3: {
    model_type: "phi3",
    head_dim: 4,
    rope_theta: 1e4,
    max_position_embeddings: 64,
    original_max_position_embeddings: 32,
    rope_scaling: { type: "longrope", short_factor: [1, 1.5], long_factor: [2, 3] },
  },
  deepseek: {
    model_type: "deepseek_v32",
    num_hidden_layers: 2,
    qk_rope_head_dim: 2,
    qk_nope_head_dim: 2,
    index_head_dim: 4,
  },
  "deepseek-v4": {
    model_type: "deepseek_v4",
    num_hidden_layers: 2,
    head_dim: 16,
    qk_rope_head_dim: 4,
    layer_types: ["sliding_attention", "compressed_sparse_attention"],
    sliding_window: 8,
  },
  parts: {
    text_config: { model_type: "llama", head_dim: 4, num_hidden_layers: 1 },
    vision_config: { model_type: "vit", hidden_size: 4 },
  },
  grid: {
    _class_name: "FluxTransformer2DModel",
    attention_head_dim: 8,
    num_layers: 1,
    axes_dims_rope: [2, 2, 4],
    rope_theta: 100,
  },
  unlisted: { model_type: "mine", head_dim: 4, num_hidden_layers: 2, rope_theta: 1e4, sliding_window: 8 },
  unknown: { model_type: "mine" },
  llama4: {
    text_config: {
      model_type: "llama4_text",
      head_dim: 4,
      num_hidden_layers: 4,
      max_position_embeddings: 64,
      attention_chunk_size: 8,
    },
  },
};
const { deepseek, llama4 } = configs;
const shape = [2, 3, 4];

export const objects = {
  "model.layer": (pe) => pe.model(deepseek).layer(1),
};

/** Lists each config with what the function makes of it. */
const readBy = (name) =>
  Object.fromEntries(
    Object.entries(configs).map(([config, given], i) => [
      i === 0 ? name : `${name} ${config}`,
      (pe) => () => pe[name](structuredClone(given)),
    ]),
  );

export const others = {
  ...readBy("hubConfig"),
  ...readBy("model"),
  compare:
    (pe, inputs, a = pe.model(llama4), b = pe.model({ ...deepseek, rope_theta: 5e5 })) =>
    () =>
      pe.compare(a, b, { distances: inputs.numbers(2), length: 32 }),
  queryTemperature: (pe, inputs) => (more) =>
    pe.queryTemperature(inputs.numbers(24), { shape, slope: 0.1, shift: 1, period: 1, seqAxis: 0, offset: 3, ...more }),
  "model.layer.apply":
    (pe, inputs, layer = objects["model.layer"](pe)) =>
    (more) =>
      layer.apply(inputs.numbers(24), inputs.numbers(4), {
        shape,
        seqAxis: 0,
        keyShape: [2, 1, 2],
        offset: 3,
        ...more,
      }),
  "model.layer.applyToOutputs":
    (pe, inputs, layer = objects["model.layer"](pe)) =>
    () =>
      layer.applyToOutputs(inputs.numbers(24), { shape, seqAxis: 0, offset: 3 }),
};
