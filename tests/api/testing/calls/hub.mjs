/** A model's rule with everything that a config may say of it: what a plan may hold is learned from these. */
const configured = (rope_scaling) => (pe) => () =>
  pe.hubConfig({ model_type: "llama", head_dim: 4, rope_theta: 1e4, max_position_embeddings: 8192, rope_scaling });
/** Models, whose layers are objects of the module's. */
const models = {
  deepseek: {
    model_type: "deepseek_v32",
    num_hidden_layers: 2,
    qk_rope_head_dim: 2,
    qk_nope_head_dim: 2,
    index_head_dim: 4,
  },
  llama4: {
    text_config: { model_type: "llama4_text", head_dim: 4, num_hidden_layers: 4, max_position_embeddings: 64 },
  },
};
const shape = [2, 3, 4];

export const objects = {
  "model.layer": (pe) => pe.model(models.deepseek).layer(1),
};

const trained = { original_max_position_embeddings: 2048 };

export const others = {
  model: (pe) => () => pe.model(models.deepseek),
  "model llama4": (pe) => () => pe.model(models.llama4),
  explain:
    (pe, _, model = pe.model(models.llama4)) =>
    () =>
      pe.explain(model, { language: "zh", length: 128 }),
  compare:
    (pe, inputs, a = pe.model(models.llama4), b = pe.model({ ...models.deepseek, rope_theta: 5e5 })) =>
    () =>
      pe.compare(a, b, { distances: inputs.numbers(2), length: 32 }),
  queryTemperature: (pe, inputs) => () =>
    pe.queryTemperature(inputs.numbers(24), { shape, slope: 0.1, shift: 1, period: 2, seqAxis: 0, offset: 3 }),
  "modelLayer.apply":
    (pe, inputs, layer = objects["model.layer"](pe)) =>
    () =>
      layer.apply(inputs.numbers(24), inputs.numbers(4), { shape, keyShape: [2, 1, 2], offset: 3 }),
  "modelLayer.applyToOutputs":
    (pe, inputs, layer = objects["model.layer"](pe)) =>
    () =>
      layer.applyToOutputs(inputs.numbers(24), { shape, offset: 3 }),
  hubConfig: (pe) => () =>
    pe.hubConfig({ model_type: "llama", hidden_size: 64, num_attention_heads: 4, rope_theta: 5e5 }),
  "hubConfig alibi": (pe) => () => pe.hubConfig({ model_type: "bloom", n_head: 4, hidden_size: 16, n_layer: 2 }),
  "hubConfig t5": (pe) => () => pe.hubConfig({ model_type: "t5", num_heads: 4, d_model: 16, num_layers: 2 }),
  "hubConfig learned": (pe) => () =>
    pe.hubConfig({ model_type: "bert", hidden_size: 16, num_attention_heads: 4, num_hidden_layers: 2 }),
  "hubConfig layers": (pe) => () =>
    pe.hubConfig({ head_dim: 4, num_hidden_layers: 2, layer_types: ["full_attention", "linear_attention"] }),
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
