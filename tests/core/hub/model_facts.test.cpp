/// What a model's class does where its config names something, leaves it out, switches it off or misnames it. Each row
/// is a fact: a type and members of its config, and what is read (model_text.hpp). Files are configuration_*.py and
/// modeling_*.py of Hugging Face transformers at c49429ed1f (5.16.0.dev0), unless a comment names another.

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "hub/json.hpp"
#include "hub/model_text.hpp"
#include "posenc/hub/model_types.hpp"
#include "testing/testing.hpp"

namespace {

struct Fact {
  const char* type;     ///< "": the config has none
  const char* members;  ///< of the config
  const char* text;     ///< "trait value; trait value"
};

/// In a config of these facts the first of several members with a name counts: a row's replace these.
constexpr const char* four_layers =
    R"("hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 4, "head_dim": 16)";

std::string config_of(const Fact& fact, const char* more) {
  std::string json = "{";
  if (*fact.type != '\0') json += R"("model_type": ")" + std::string(fact.type) + "\", ";
  return json + fact.members + (*fact.members != '\0' && *more != '\0' ? ", " : "") + more + "}";
}

void check_fact(const Fact& fact, const char* more) {
  const std::string json = config_of(fact, more);
  INFO(json);
  const posenc::Model model = testing::value_of(posenc::read_model(testing::from_json(json)));
  std::string_view left = fact.text;
  while (!left.empty()) {
    const std::string_view item = left.substr(0, left.find("; "));
    left.remove_prefix(std::min(left.size(), item.size() + 2));
    const std::string_view trait = item.substr(0, item.find(' '));
    INFO(trait);
    CHECK(testing::text_of(model, trait) == item.substr(std::min(item.size(), trait.size() + 1)));
  }
}

/// With the sizes of `four_layers`.
constexpr Fact facts_of_four_layers[]{
    // Layers that do not rotate (no_rope_layers), with windows if use_sliding_window is true.
    {"smollm3", R"("use_sliding_window": false, "sliding_window": 8, "max_window_layers": 28)",
     "plan 3 0, 1 -; reach 4 all; unknown"},
    {"smollm3", R"("use_sliding_window": true, "sliding_window": null)", "reach 4 all"},
    {"smollm3", R"("no_rope_layers": [0, 1, 0, 1], "use_sliding_window": true, "sliding_window": 8)",
     "plan 1 -, 1 0, 1 -, 1 0; reach 1 8, 1 all, 1 8, 1 all"},
    {"smollm3", R"("no_rope_layers": [0, 0, 0, 0])", "encoding none"},
    {"llama4_text", R"("no_rope_layers": [])", "layers 3 chunked_attention, 1 full_attention; plan 3 0, 1 -"},

    // Windows that no key names.
    {"mistral", "", "reach 4 4096; how:reach source; source modeling_mistral.py; mask causal"},
    {"mistral", R"("sliding_window": null)", "reach 4 all"},
    {"mistral", R"("sliding_window": 64, "is_causal": false)",
     "mask bidirectional; reach 4 65; how:mask config is_causal"},
    {"gemma2", R"("sliding_window": null)", "reach 4 all"},
    {"qwen2", R"("num_hidden_layers": 30)", "layers 30 alike; reach 30 all"},
    {"qwen2", R"("num_hidden_layers": 30, "use_sliding_window": true, "sliding_window": null)", "reach 30 all"},
    {"qwen2", R"("use_sliding_window": false, "max_window_layers": 1, "sliding_window": 8)", "layers 4 alike"},

    // A window for each layer, half of it on either side of a query's own key.
    {"longformer", R"("attention_window": [32, 32, 64, 512])", "reach 2 17, 1 33, 1 257"},
    {"led", R"("num_hidden_layers": 2, "attention_window": [1024, 1024])", "reach 2 513"},

    // Switches and lists of layers with attention.
    {"recurrent_gemma", R"("block_types": ["recurrent", "windowed"])", "plan 1 -, 1 ?, 1 -, 1 ?"},
    {"granitemoehybrid", "", "encoding none; how:encoding source"},
    {"granitemoehybrid", R"("position_embedding_type": "nope", "rope_theta": 10000)", "encoding none"},
    {"granitemoehybrid",
     R"("position_embedding_type": "rope", "layer_types": ["mamba", "attention", "mamba", "mamba"])",
     "layers 1 mamba, 1 full_attention, 2 mamba; plan 1 -, 1 0, 2 -; plans half 16/16 10000"},
    {"granitemoehybrid",
     R"("position_embedding_type": "rope", "layers_block_type": ["mamba", "mamba", "attention", "mamba"])",
     "plan 2 -, 1 0, 1 -"},
    {"bamba", "", "encoding none; layers 4 linear_attention; plan 4 -; how:encoding source"},
    {"bamba", R"("attn_layer_indices": [])", "how:encoding config attn_layer_indices"},
    {"bamba", R"("attn_layer_indices": [2])",
     "layers 2 linear_attention, 1 full_attention, 1 linear_attention; plan 2 -, 1 0, 1 -; "
     "how:layers config attn_layer_indices"},
    {"lfm2", R"("full_attn_idxs": [1])", "plan 1 -, 1 0, 2 -"},
    {"lfm2_moe", "", "plan 4 ?"},
    {"lfm2_moe", R"("layer_types": ["conv", "full_attention", "conv", "conv"])", "plan 1 -, 1 0, 2 -"},
    {"jamba", "", "how:layers unknown; how:reach unknown; plan 4 -; encoding none"},
    {"nemotron_h", "", "how:layers unknown; how:reach unknown; plan 4 -; encoding none"},
    {"zamba", "", "how:layers unknown; how:reach unknown; plan 4 -"},
    {"jamba", R"("layers_block_type": ["mamba", "attention", "mamba", "mamba"])",
     "how:layers config layers_block_type"},
    {"nemotron_h", R"("layers_block_type": ["mamba", "attention", "mamba", "mamba"])",
     "how:layers config layers_block_type"},
    {"zamba", R"("layers_block_type": ["mamba", "attention", "mamba", "mamba"])",
     "how:layers config layers_block_type"},
    {"exaone4", R"("num_hidden_layers": 8, "sliding_window": 4096, "sliding_window_pattern": "LLLG")",
     "layers 3 sliding_attention, 1 full_attention, 3 sliding_attention, 1 full_attention; "
     "plan 3 0, 1 -, 3 0, 1 -"},
    {"gpt_neo", R"("attention_types": [[["global"], 4]])", "reach 4 all"},
    {"gpt_neo", R"("attention_types": [[["global", "far"], 2]])", "reach 1 all, 1 ?, 1 all, 1 ?"},

    // Layers without a window do not rotate, except the first dense ones.
    {"cohere2", R"("sliding_window": null)", "plan 4 -"},
    {"cohere2_moe", R"("num_hidden_layers": 8, "first_k_dense_replace": 2)",
     "reach 2 all, 3 4096, 1 all, 2 4096; plan 5 0, 1 -, 2 0"},
    {"cohere2_moe", R"("num_hidden_layers": 8, "first_k_dense_replace": 2, "prefix_dense_sliding_window_pattern": 2)",
     "reach 1 4096, 1 all, 3 4096, 1 all, 2 4096; plan 1 0, 1 -, 3 0, 1 -, 2 0"},
    {"cohere2_moe", R"("num_hidden_layers": 8, "first_k_dense_replace": 1, "sliding_window_pattern": 2)",
     "reach 1 all, 1 4096, 1 all, 1 4096, 1 all, 1 4096, 1 all, 1 4096; plan 2 0, 1 -, 1 0, 1 -, 1 0, 1 -, 1 0"},
    {"cohere2_moe", R"("layer_types": ["full_attention", "full_attention", "full_attention", "full_attention"])",
     "plan 4 -"},
    {"cohere2_moe",
     R"("layer_types": ["full_attention", "full_attention", "full_attention", "full_attention"],
        "first_k_dense_replace": 3)",
     "plan 3 0, 1 -"},
    {"cohere2_moe",
     R"("layer_types": ["full_attention", "full_attention", "full_attention", "full_attention"],
        "mlp_layer_types": ["sparse", "dense", "sparse", "sparse"])",
     "plan 1 -, 1 0, 2 -"},

    // DeepSeek-V4's compressed layers, as ratios or names.
    {"deepseek_v4", R"("compress_ratios": [0, 4, 128, 7])", "plan 1 0, 2 1, 1 ?; unknown compress_ratios[3]"},
    {"deepseek_v4",
     R"("layer_types": ["sliding_attention", "full_attention", "sliding_attention", "sliding_attention"])",
     "plan 1 0, 1 ?, 2 0"},

    // Cross-attention does not rotate (Llama 3.2 Vision).
    {"mllama_text_model", R"("num_hidden_layers": 40)",
     "plan 3 0, 1 -, 4 0, 1 -, 4 0, 1 -, 4 0, 1 -, 4 0, 1 -, 4 0, 1 -, 4 0, 1 -, 4 0, 1 -, 1 0"},
    {"mllama_text_model", R"("cross_attention_layers": [1])",
     "plan 1 0, 1 -, 2 0; norm 1 -, 1 before, 2 -; layers 1 full_attention, 1 cross_attention, 2 full_attention"},

    // Zamba 2 has nine hybrid layers of 54; of another number that is not known.
    {"zamba2", R"("use_mem_rope": true)", "plan 4 ?; reach 4 ?; encoding rotary; how:layers unknown"},
    {"zamba2", R"("use_mem_rope": true, "hybrid_layer_ids": [1])", "unknown hybrid_layer_ids"},
    {"zamba2",
     R"("use_mem_rope": true, "layers_block_type": ["mamba", "hybrid", "mamba", "mamba"], "hybrid_layer_ids": [1])",
     "plan 1 -, 1 0, 2 -; unknown"},
    {"zamba2",
     R"("use_mem_rope": true, "layers_block_type": ["mamba", "hybrid", "mamba", "mamba"], "use_long_context": true)",
     "unknown use_long_context"},
    {"zamba2", "", "encoding none; how:encoding source"},
    {"esm", "", "encoding learned 1026+2; how:encoding source"},
    {"olmo_hybrid", "", "how:encoding source"},

    // Windows need their switch, whatever layers are called.
    {"qwen2", R"("layer_types": ["full_attention", "sliding_attention", "x", "x"], "sliding_window": 8)",
     "reach 2 all, 2 ?"},
    {"qwen3",
     R"("layer_types": ["full_attention", "sliding_attention", "full_attention", "full_attention"],
        "sliding_window": 8, "use_sliding_window": false)",
     "reach 4 all"},
    {"qwen3_moe",
     R"("layer_types": ["full_attention", "sliding_attention", "full_attention", "full_attention"],
        "sliding_window": 8, "use_sliding_window": true)",
     "reach 1 all, 1 8, 2 all"},

    // Names of layers that the type's code takes no notice of: engines differ.
    {"llama",
     R"("sliding_window": 8, "layer_types": ["sliding_attention", "sliding_attention", "sliding_attention",
        "sliding_attention"])",
     "reach 4 ?; plan 4 0"},
    {"mistral",
     R"("sliding_window": 8, "layer_types": ["full_attention", "sliding_attention", "sliding_attention",
        "sliding_attention"])",
     "reach 1 ?, 3 8"},
    {"ministral",
     R"("sliding_window": 8, "layer_types": ["full_attention", "sliding_attention", "sliding_attention",
        "sliding_attention"])",
     "reach 1 all, 3 8"},
    {"qwen3", R"("layer_types": ["full_attention", "x", "conv", "x"])",
     "reach 1 all, 1 ?, 1 all, 1 ?; how:reach unknown"},
    {"mine",
     R"("rope_parameters": {"far": {"rope_type": "default", "rope_theta": 7},
        "full_attention": {"rope_type": "default"}}, "layer_types": ["far", "full_attention", "far", "far"])",
     "plan 1 0, 1 1, 2 0"},

    // A type that is not listed: only what its keys say is known.
    {"mine", R"("rope_theta": 5e5)",
     "encoding rotary; how:encoding config rope_theta; how:base@0 config rope_theta; how:reach unknown; how:mask "
     "unknown; how:scale unknown; how:temperature unknown; how:norm unknown; how:softcap unknown; how:sinks unknown; "
     "how:layout@0 unknown; how:dims@0 config head_dim; mask unknown; reach 4 ?; scale 4 ?"},
    {"new", "", "how:norm unknown; how:softcap unknown; how:sinks unknown"},
    {"mine", R"("rope_scaling": {"type": "linear", "factor": 2})", "how:base@0 assumed; plans 16/16 10000 linear 2"},
    {"mine", R"("rope_theta": 1e4, "sliding_window": 4096)", "reach 4 ?; unknown sliding_window"},
    {"mine",
     R"("rope_theta": 1e4, "sliding_window": 4096,
        "layer_types": ["sliding_attention", "full_attention", "other", "full_attention"])",
     "reach 1 4096, 1 all, 1 ?, 1 all; unknown layer_types[2]"},
    {"mine", R"("rope_theta": 1e4, "num_hidden_layers": 1, "layer_types": ["sliding_attention"], "sliding_window": 0)",
     "reach 1 ?"},
    {"mine", R"("rope_theta": 1e4, "num_hidden_layers": 1, "layer_types": ["sliding_attention"], "sliding_window": -1)",
     "reach 1 ?"},
    {"mine", R"("alibi": false)", "encoding unknown; how:encoding unknown"},
    {"mine", R"("use_rope": false, "rope_theta": 1e4)", "encoding unknown"},
    {"mine", R"("relative_attention": true)", "encoding unknown"},
    {"mine", R"("attn_config": {"clip_qkv": 8})", "encoding unknown"},
    {"mine", R"("rotary": false)", "encoding unknown"},
    {"mine", R"("qk_nope_head_dim": 64)", "encoding unknown"},
    {"mine", R"("use_rotary_embedding": false, "rope_theta": 1e4)", "encoding unknown"},
    {"mine", R"("use_nope": true, "rope_theta": 1e4)", "encoding unknown"},
    {"mine", R"("no_rope": true, "rope_theta": 1e4)", "encoding unknown"},
    {"mine", R"("use_rope": true)", "encoding rotary"},
    {"mine", R"("rope_theta": 1e4, "alibi": false)", "encoding rotary"},
    {"mine", R"("attn_config": {"rope": true})", "encoding rotary"},
    {"mine", R"("rotary_pct": 0.5)", "encoding rotary; plans 8/16 10000"},
    {"mine", R"("rope_scaling": null)", "encoding rotary"},
    {"mine", R"("position_embedding_type": "rope")", "encoding rotary"},
    {"mine", R"("position_embedding_type": "nope")", "encoding none"},
    {"mine", R"("mla_use_nope": true)", "encoding none"},
    {"mine", R"("rope_theta": 10000, "layer_types": ["mamba", "conv", "mamba", "conv"])", "encoding none"},
    {"mine", R"("n_positions": 512)", "encoding unknown; plans; layers"},
    // One position does not describe a cell of images or videos.
    {"some_vit", R"("patch_size": 14, "rope_theta": 10000)", "encoding unknown; plans"},
    {"falcon_ocr", R"("spatial_patch_size": 16, "rope_theta": 10000)", "encoding unknown"},
    {"", R"("_class_name": "BriaTransformer2DModel", "axes_dims_rope": [16, 56, 56], "attention_head_dim": 128)",
     "encoding unknown"},
    {"", R"("_class_name": "ZImageTransformer2DModel", "axes_dims": [32, 48, 48], "rope_theta": 256)",
     "encoding unknown"},

    // How traits are known; what the class fills in is its default.
    {"llama", R"("rope_theta": 5e5)",
     "how:base@0 config rope_theta; how:layout@0 numbers; how:scaling@0 source; how:mask source; how:layers numbers; "
     "how:reach numbers; how:scale numbers; source modeling_llama.py; ids sequence; how:ids assumed"},
    {"llama", "", "how:base@0 source"},
    {"open-llama", "", "how:layout@0 source; source modeling_open_llama.py of 5.0.0.dev0, d372b82754"},
    {"bert", "", "how:encoding numbers; how:scale assumed; source modeling_bert.py"},
    {"gpt_neox", R"("rotary_pct": 0.5)", "how:dims@0 config rotary_pct"},
    {"gemma2", "", "how:layers source; how:reach source; how:scale source"},
    {"gemma2", R"("sliding_window": 8, "query_pre_attn_scalar": 16)",
     "how:reach config sliding_window; how:scale config query_pre_attn_scalar; scale 4 1/√16"},
    {"gpt_oss", R"("rope_parameters": {"rope_type": "default"})",
     "how:layers source; how:reach source; how:scale numbers"},
    {"qwen2", "", "how:layers source; how:reach source; how:scale numbers"},
    {"qwen3_moe", "", "how:layers numbers; how:reach source; how:scale numbers"},
    {"cohere2", "", "how:layers source; how:reach source; how:scale numbers"},
    {"qwen3_next", "", "how:layers source; how:reach source; how:scale numbers"},
    {"recurrent_gemma", "", "how:layers source; how:reach source; how:scale numbers"},
    {"mllama_text_model", "", "how:layers source; how:reach source; how:scale numbers"},
    {"llama4_text", "", "how:layers source; how:reach source; how:scale numbers"},
    {"llama4_text", R"("no_rope_layers": [1, 1, 0, 0])", "how:layers config no_rope_layers; plan 2 0, 2 -"},
    {"granite", "", "how:layers numbers; how:reach numbers; how:scale source; scale 4 1"},
    {"granite", R"("attention_multiplier": 0.015625)", "how:scale config attention_multiplier; scale 4 1/√4096"},
    {"mixtral", "", "how:layers numbers; how:reach source; how:scale numbers"},
    {"gemma3_text", R"("sliding_window_pattern": 2)",
     "how:layers config sliding_window_pattern; how:reach source; how:scale source"},

    // Norms of queries and keys.
    {"qwen3", "", "norm 4 before; how:norm source; how:softcap source; how:sinks source; source modeling_qwen3.py"},
    {"llama", "", "norm 4 -; softcap 4 -; sinks 4 -; plans half 16/16 10000"},
    {"cohere", R"("use_qk_norm": true)", "norm 4 before; how:norm config use_qk_norm; unknown"},
    {"phi", R"("qk_layernorm": true)", "norm 4 before; how:norm config qk_layernorm; unknown"},
    {"llama4_text", R"("use_qk_norm": false)", "norm 4 -"},
    {"llama", R"("use_qk_norm": true)", "unknown use_qk_norm"},
    {"llama", R"("use_qk_norm": false)", "unknown"},
    {"hunyuan_v1_moe", R"("use_qk_norm": true)", "unknown"},
    {"qwen3", R"("use_qk_norm": false)", "unknown use_qk_norm"},
    {"idefics", R"("qk_layer_norms": true)", "norm 4 -; unknown qk_layer_norms"},
    {"mine", R"("rope_theta": 1e4, "qk_layernorm": true)", "unknown qk_layernorm"},

    // Caps of scores and attention sinks. Gemma 3 has the key of a cap and does not use it.
    {"gemma2", R"("attn_logit_softcapping": 30, "final_logit_softcapping": 30)",
     "softcap 4 30; how:softcap config attn_logit_softcapping; unknown"},
    {"gemma2", R"("attn_logit_softcapping": null)", "softcap 4 -"},
    {"gemma3_text", R"("attn_logit_softcapping": 30)", "softcap 4 -; unknown attn_logit_softcapping"},
    {"mimo_v2_flash",
     R"("head_dim": 192, "hybrid_layer_pattern": [0, 1, 1, 0], "sliding_window": 128,
        "add_swa_attention_sink_bias": true, "add_full_attention_sink_bias": false)",
     "sinks 1 -, 2 sinks, 1 -; unknown"},
    {"mimo_v2_flash",
     R"("head_dim": 192, "hybrid_layer_pattern": [0, 1, 1, 0], "sliding_window": 128,
        "add_swa_attention_sink_bias": false, "add_full_attention_sink_bias": true)",
     "sinks 1 sinks, 2 -, 1 sinks"},

    // Scales of scores, and Llama 4's switch of the temperature, which its first configs have as a number.
    {"gpt2", R"("num_hidden_layers": 3, "scale_attn_by_inverse_layer_idx": true)", "scale 1 1/√16, 1 1/√64, 1 1/√144"},
    {"one of your own", R"("rope_theta": 10000)", "scale 4 ?"},
    {"llama4_text", R"("attn_temperature_tuning": 4, "attn_scale": 0.1)", "temperature 3 -, 1 0.1/1/8192"},
    {"llama4_text", R"("attn_temperature_tuning": 0)", "temperature 4 -"},
    {"llama4_text", R"("attn_temperature_tuning": false)", "temperature 4 -"},
    {"llama4_text",
     R"("attn_temperature_tuning": true, "attn_scale": 0.2, "floor_scale": 4096, "attention_chunk_size": 64)",
     "temperature 3 -, 1 0.2/1/4096; reach 3 chunk 64, 1 all; scale 4 1/√16; plan 3 0, 1 -; unknown"},

    // A base for each layer: a plan for each type of layers, none where it is 0.
    {"granite_swa", R"("rope_theta": 5, "layer_rope_theta": [1e6, 1e4, 1e4, 1e4])",
     "plans full_attention half 16/16 1000000 | sliding_attention half 16/16 10000; unknown"},
    {"granite_swa", R"("layer_rope_theta": [0, 1e4, 1e4, 1e4])", "plan 1 -, 3 0"},

    // A mask of two sides, and windows of two sides (EmbeddingGemma, Gemma 4).
    {"gemma3_text", R"("num_hidden_layers": 6, "sliding_window": 512, "use_bidirectional_attention": true)",
     "mask bidirectional; reach 5 257, 1 all; how:mask config use_bidirectional_attention"},
    {"gemma4_text",
     R"("num_hidden_layers": 6, "sliding_window": 512, "use_bidirectional_attention": "all",
        "rope_parameters": {"sliding_attention": {"rope_theta": 1e4}, "full_attention": {"rope_theta": 1e6}})",
     "mask bidirectional; reach 5 257, 1 all; layers 5 sliding_attention, 1 full_attention"},
    {"gemma4_text",
     R"("num_hidden_layers": 6, "sliding_window": 512, "use_bidirectional_attention": "vision",
        "rope_parameters": {"sliding_attention": {"rope_theta": 1e4}, "full_attention": {"rope_theta": 1e6}})",
     "mask causal; reach 5 512, 1 all"},
    {"bert", R"("is_decoder": true)", "mask causal"},
    {"moonshine_streaming_encoder", R"("sliding_windows": [[16, 4]])",
     "encoding none; mask bidirectional; reach 4 ?; unknown sliding_windows"},

    // Keys that say what nothing reads.
    {"minimax_m3_vl_text", R"("rotary_dim": 16, "sparse_attention_config": {"sparse_attention_freq": [0, 0, 1, 1]})",
     "unknown sparse_attention_config.sparse_attention_freq"},
    {"llama",
     R"("rope_scaling": {"rope_type": "yarn", "type": "linear", "factor": 4, "original_max_position_embeddings": 32768})",
     "unknown rope_scaling.type"},
    {"llama",
     R"("rope_scaling": {"rope_type": "yarn", "type": "yarn", "factor": 4, "original_max_position_embeddings": 32768})",
     "unknown; plans half 16/16 10000 yarn 4/32768"},
};

/// With no other members.
constexpr Fact facts_as_given[]{
    // Rules by all their keys; null and, of YaRN's ramp, 0 are their defaults, of truncate null is false
    // (modeling_rope_utils.py). In a dictionary for one layer type truncate is not read.
    {"",
     R"("head_dim": 4, "rope_theta": 5, "rope_parameters": {"rope_type": "yarn", "rope_theta": 7, "factor": 3,
        "original_max_position_embeddings": 64, "beta_fast": 16, "beta_slow": 2, "truncate": false, "mscale": 0.5,
        "mscale_all_dim": 0.25, "attention_factor": 0.75})",
     "plans 4/4 7 yarn 3/64 from 16 to 2 mscale 0.5 all 0.25 given 0.75 untruncated; factors 0.75; unknown rope_theta"},
    {"",
     R"("head_dim": 4, "max_position_embeddings": 256, "rope_scaling": {"type": "yarn", "factor": null, "beta_fast": 0,
        "beta_slow": 0, "original_max_position_embeddings": 64, "truncate": null, "attention_factor": null})",
     "plans 4/4 10000 yarn 4/64 untruncated; factors 1.13862943611199; unknown"},
    {"",
     R"("head_dim": 4, "max_position_embeddings": 256, "rope_scaling": {"type": "yarn", "factor": 4, "truncate": true,
        "mscale": 0.707, "mscale_all_dim": 1.0})",
     "plans 4/4 10000 yarn 4/256 mscale 0.707 all 1; factors 0.964326914892074"},
    {"",
     R"("head_dim": 4, "rope_parameters": {"full_attention": {"rope_type": "yarn", "factor": 2, "truncate": false,
        "original_max_position_embeddings": 64}, "sliding_attention": {"rope_type": "linear", "factor": 2}})",
     "plans full_attention 4/4 10000 yarn 2/64 | sliding_attention 4/4 10000 linear 2"},
    {"",
     R"("head_dim": 4, "max_position_embeddings": 64, "rope_scaling": {"rope_type": "longrope", "factor": 8,
        "original_max_position_embeddings": 32, "short_factor": [1, 2], "long_factor": [3, 4], "attention_factor": 1.5})",
     "plans 4/4 10000 longrope 8/32 1+2 3+4 given 1.5; factors 1.5; unknown"},
    {"",
     R"("head_dim": 4, "rope_scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 2, "high_freq_factor": 5,
        "original_max_position_embeddings": 32})",
     "plans 4/4 10000 llama3 8/32 from 2 to 5; factors 1; unknown"},
    {"", R"("head_dim": 8, "rope_scaling": {"type": "proportional", "factor": 2, "partial_rotary_factor": 0.5})",
     "plans 8/8 10000 proportional 0.5/2; unknown"},
    {"", R"("head_dim": 8, "partial_rotary_factor": 0.25, "rope_scaling": {"type": "linear", "factor": 2.5})",
     "plans 2/8 10000 linear 2.5; unknown"},
    {"", R"("head_dim": 8, "partial_rotary_factor": 0.25, "rope_parameters": {"partial_rotary_factor": 0.5})",
     "plans 4/8 10000"},
    {"", R"("head_dim": 8, "partial_rotary_factor": null, "rope_theta": 500)", "plans 8/8 500; unknown"},

    // Published configs: config.json of the model or of copies and fine-tuned models that name it, or as other projects
    // quote it.
    {"llama",
     R"("hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 4096, "rope_scaling": null)",
     "plans half 128/128 10000; unknown; factors 1"},
    {"llama",
     R"("hidden_size": 4096, "num_attention_heads": 32, "head_dim": null, "rope_parameters": {"factor": 8.0,
        "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192,
        "rope_type": "llama3", "rope_theta": 500000.0})",
     "plans half 128/128 500000 llama3 8/8192 from 1 to 4; unknown"},
    {"mixtral", R"("hidden_size": 4096, "num_attention_heads": 32, "head_dim": null)",
     "plans half 128/128 1000000; unknown"},
    {"qwen2_vl",
     R"("hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1000000.0, "rope_scaling": {"type": "mrope",
        "mrope_section": [16, 24, 24]})",
     "plans half 128/128 1000000 16+24+24; unknown"},
    {"qwen2_vl",
     R"("hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1000000.0, "rope_scaling": {"type": "default",
        "rope_type": "default", "mrope_section": [16, 24, 24]})",
     "plans half 128/128 1000000 16+24+24; unknown"},
    {"qwen3_vl",
     R"("hidden_size": 5120, "text_config": {"head_dim": 128, "model_type": "qwen3_vl_text", "rope_theta": 5000000,
        "rope_scaling": {"mrope_interleaved": true, "mrope_section": [24, 20, 20], "rope_type": "default"}})",
     "plans half 128/128 5000000 24+20+20 interleaved sections; unknown"},
    {"qwen3_vl",
     R"("hidden_size": 5120, "text_config": {"head_dim": 128, "model_type": "qwen3_vl_text", "rope_parameters":
        {"mrope_interleaved": true, "mrope_section": [24, 20, 20], "rope_theta": 5000000, "rope_type": "default"}})",
     "plans half 128/128 5000000 24+20+20 interleaved sections; unknown"},
    // Phi-3 128k, with the original length beside the dictionary; version 5 reads "yarn" as its older name.
    {"phi3",
     R"("head_dim": 4, "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
        "rope_scaling": {"type": "su", "short_factor": [1.05, 1.1], "long_factor": [1.03, 64.8]})",
     "plans half 4/4 10000 longrope 32/4096 1.05+1.1 1.03+64.8; unknown; factors 1.19023807142381"},
    {"phi3",
     R"("head_dim": 4, "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
        "rope_scaling": {"type": "yarn", "short_factor": [1.05, 1.1], "long_factor": [1.03, 64.8]})",
     "plans half 4/4 10000 longrope 32/4096 1.05+1.1 1.03+64.8; unknown"},
    // Phi-3.5-MoE gives LongRoPE's attention factor under names of its own (modeling_phimoe.py).
    {"phimoe",
     R"("head_dim": 4, "rope_theta": 10000.0, "max_position_embeddings": 131072, "rope_scaling": {"type": "longrope",
        "long_mscale": 1.243163121016122, "short_mscale": 1.243163121016122, "original_max_position_embeddings": 4096,
        "short_factor": [1.0, 1.04], "long_factor": [1.02, 1.03]})",
     "plans half 4/4 10000 longrope 32/4096 1+1.04 1.02+1.03 given 1.24316312101612; unknown; factors "
     "1.24316312101612"},
    {"deepseek_v3",
     R"("qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "rope_theta": 10000, "rope_scaling": {"beta_fast": 32,
        "beta_slow": 1, "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0, "original_max_position_embeddings": 4096,
        "type": "yarn"})",
     "plans deinterleaved 64/64 10000 yarn 40/4096 mscale 1 all 1; unknown; factors 1"},
    {"deepseek_v3", R"("rope_interleave": true)", "plans deinterleaved 64/64 10000"},
    {"deepseek_v3", R"("rope_interleave": false)", "plans half 64/64 10000; how:layout@0 config rope_interleave"},
    {"gemma3_text",
     R"("head_dim": 256, "rope_parameters": {"sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0}})",
     "plans sliding_attention half 256/256 10000 | full_attention half 256/256 1000000 linear 8; unknown"},
    {"gemma3_text",
     R"("rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0}, "sliding_attention": null})",
     "plans full_attention half 256/256 1000000 linear 8 | sliding_attention half 256/256 10000"},
    {"gemma3_text",
     R"("head_dim": 256, "rope_local_base_freq": 20000, "rope_scaling": null, "rope_theta": 1000000,
        "sliding_window": 512, "sliding_window_pattern": 6)",
     "plans full_attention half 256/256 1000000 | sliding_attention half 256/256 20000; unknown"},
    // A dictionary for all layers scales full attention alone (modular_olmo3.py).
    {"olmo3",
     R"("hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 500000, "rope_scaling": {"rope_type": "yarn",
        "factor": 8.0, "attention_factor": 1.2, "original_max_position_embeddings": 8192})",
     "plans full_attention half 128/128 500000 yarn 8/8192 given 1.2 | sliding_attention half 128/128 500000; factors "
     "1.2 1"},
    {"modernbert", R"("head_dim": 64, "global_rope_theta": 170000.0, "local_rope_theta": 11000.0)",
     "plans full_attention half 64/64 170000 | sliding_attention half 64/64 11000; unknown"},
    {"modernbert",
     R"("head_dim": 64, "rope_parameters": {"full_attention": {"rope_type": "default"},
        "sliding_attention": {"rope_type": "default"}})",
     "plans full_attention half 64/64 160000 | sliding_attention half 64/64 10000"},
    {"modernbert", R"("head_dim": 64, "global_rope_theta": 20000.0, "rope_theta": 3, "local_rope_theta": null)",
     "plans full_attention half 64/64 20000 | sliding_attention half 64/64 20000"},
    {"modernbert", R"("head_dim": 64, "local_rope_theta": null)",
     "plans full_attention half 64/64 160000 | sliding_attention half 64/64 160000"},
    {"modernbert", R"("head_dim": 64, "rope_scaling": {"type": "linear", "factor": 2, "other": 1})",
     "plans full_attention half 64/64 160000 linear 2 | sliding_attention half 64/64 10000 linear 2; "
     "unknown rope_scaling.other"},
    {"gptj", R"("n_embd": 4096, "n_head": 16, "rotary_dim": 32)", "plans interleaved 32/256 10000; unknown"},
    {"gptj", R"("n_embd": 4096, "n_head": 16)", "plans interleaved 64/256 10000; unknown"},
    {"gptj", R"("n_embd": 4096, "n_head": 16, "rotary_dim": null)", "plans interleaved 256/256 10000; unknown"},
    {"chatglm", R"("hidden_size": 4096, "num_attention_heads": 32, "kv_channels": 128)",
     "plans interleaved 64/128 10000; unknown"},
    {"chatglm", R"("kv_channels": 128, "rope_ratio": 50)",
     "plans interleaved 64/128 500000; unknown; how:base@0 config rope_ratio"},
    {"mine",
     R"("head_dim": 256, "global_head_dim": 512, "rope_parameters": {"full_attention": {"rope_type": "proportional",
        "partial_rotary_factor": 0.25, "rope_theta": 1000000.0}, "sliding_attention": {"rope_type": "default",
        "rope_theta": 10000.0}, "other": null})",
     "plans full_attention 512/512 1000000 proportional 0.25/1 | sliding_attention 256/256 10000"},

    // convert_rope_params_to_dict: rope_scaling wins unless it is empty, and then the base of rope_parameters is lost.
    {"qwen3",
     R"("head_dim": 128, "rope_theta": 1000000, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
        "original_max_position_embeddings": 32768}, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6})",
     "plans half 128/128 1000000 yarn 4/32768; unknown rope_parameters"},
    {"qwen3",
     R"("head_dim": 128, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
        "original_max_position_embeddings": 32768}, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6})",
     "plans half 128/128 10000 yarn 4/32768; unknown rope_parameters"},
    {"qwen3",
     R"("head_dim": 128, "rope_scaling": {}, "rope_parameters": {"rope_type": "yarn", "factor": 4.0,
        "original_max_position_embeddings": 32768})",
     "plans half 128/128 10000 yarn 4/32768"},
    {"qwen3",
     R"("head_dim": 128, "rope_scaling": null, "rope_parameters": {"rope_type": "yarn", "factor": 4.0,
        "original_max_position_embeddings": 32768})",
     "plans half 128/128 10000 yarn 4/32768"},

    // Learned and sinusoidal tables: rows, and the row of position 0.
    {"bert", R"("max_position_embeddings": 512, "position_embedding_type": "absolute")",
     "encoding learned 512+0; plans; unknown"},
    {"bert", R"("hidden_size": 768)", "encoding learned 512+0; unknown"},
    {"roberta", R"("max_position_embeddings": 514, "pad_token_id": 1)", "encoding learned 514+2; unknown"},
    {"gpt2", R"("n_positions": 1000)", "encoding learned 1000+0; unknown"},
    {"opt", R"("max_position_embeddings": 2048)", "encoding learned 2050+2; unknown"},
    {"bart", R"("d_model": 1024, "max_position_embeddings": 1024)", "encoding learned 1026+2; unknown"},
    {"xglm", R"("d_model": 1024)", "encoding sinusoidal +2"},
    {"data2vec-text", R"("max_position_embeddings": 514)", "encoding learned 514+2"},
    {"lilt", R"("hidden_size": 768)", "encoding learned 512+1"},
    {"lilt", R"("pad_token_id": 1)", "encoding learned 512+2"},
    {"nllb-moe", R"("pad_token_id": 5)", "encoding sinusoidal +6"},
    {"whisper", R"("d_model": 384, "max_target_positions": 224)", "encoding learned 224+0; unknown"},
    {"xlm", R"("emb_dim": 2048)", "encoding learned 512+0"},
    {"xlm", R"("sinusoidal_embeddings": true)", "encoding sinusoidal +0"},
    {"trocr", R"("use_learned_position_embeddings": true)", "encoding learned 514+2"},
    {"trocr", R"("use_learned_position_embeddings": false)", "encoding sinusoidal +2"},
    // BertSelfAttention of 4.53.3.
    {"bert", R"("max_position_embeddings": 128, "position_embedding_type": "relative_key")",
     "encoding shaw 127; how:encoding config position_embedding_type"},
    {"bert", R"("max_position_embeddings": 128, "position_embedding_type": "relative_key_query")",
     "encoding shaw 127 of keys"},
    {"roberta", R"("position_embedding_type": "relative_key")", "encoding shaw 511"},
    // ESM-1b has the table and ESM-2 rotates.
    {"esm", R"("hidden_size": 1280, "num_attention_heads": 20, "position_embedding_type": "absolute")",
     "encoding learned 1026+2; plans"},
    {"esm", R"("hidden_size": 1280, "num_attention_heads": 20, "position_embedding_type": "rotary")",
     "encoding rotary; plans half 64/64 10000"},

    // ALiBi (llm-foundry: alibi_bias_max is the exponent of the last slope) and T5's buckets.
    {"bloom", R"("hidden_size": 14336, "n_head": 112)", "encoding alibi 112 paper 8 linear; plans"},
    {"falcon", R"("hidden_size": 2048, "num_attention_heads": 32, "alibi": true)", "encoding alibi 32 paper 8 linear"},
    {"falcon", R"("head_dim": 64, "alibi": false)", "encoding rotary"},
    {"mpt", R"("d_model": 4096, "n_heads": 32, "attn_config": {"alibi": true, "alibi_bias_max": 16})",
     "encoding alibi 32 mpt 16 linear"},
    {"mpt", R"("n_heads": 32, "max_seq_len": 4096, "attn_config": {"alibi": false})", "encoding learned 4096+0"},
    {"mpt", R"("n_heads": 32, "attn_config": {"alibi": false})", "encoding learned 2048+0"},
    {"mpt", R"("d_model": 4096, "n_heads": 32, "attn_config": {"alibi": false, "rope": true, "rope_theta": 5e5})",
     "encoding rotary; plans 128/128 500000"},
    {"t5", R"("d_model": 512, "num_heads": 8)", "encoding t5 8 32 128; plans"},
    {"umt5", R"("num_heads": 6, "relative_attention_num_buckets": 64, "relative_attention_max_distance": 256)",
     "encoding t5 6 64 256"},
    {"", R"("llm_config": {"n_heads": 8, "attn_config": {"alibi": true}})", "encoding alibi 8 mpt 8 linear"},

    // Grids, as rotary_grid's presets.
    {"", R"("_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 56, 56], "attention_head_dim": 128)",
     "encoding grid flux 128 16+56+56; type FluxTransformer2DModel"},
    {"dinov3_vit", R"("hidden_size": 384, "num_attention_heads": 6, "rope_theta": 100)", "encoding grid dinov3 64 100"},
    {"", R"("_class_name": "CogVideoXTransformer3DModel", "attention_head_dim": 64)", "encoding unknown"},
    {"",
     R"("_class_name": "CogVideoXTransformer3DModel", "attention_head_dim": 64, "use_rotary_positional_embeddings": true)",
     "encoding grid cogvideox 64"},

    // Nothing rotates, or all although another key denies it. Kimi Linear: mlx-lm d78bf58e, models/kimi_linear.py.
    {"nemotron_h", R"("hybrid_override_pattern": "M-M-M*-")", "encoding none"},
    {"zamba2", R"("hidden_size": 64, "num_attention_heads": 4, "use_mem_rope": true)", "plans half 32/32 10000"},
    {"kimi_linear", R"("num_hidden_layers": 27, "mla_use_nope": true, "head_dim": 72, "rope_theta": 10000.0)",
     "encoding none; layers 27 alike; plan 27 -; unknown rope_theta"},
    {"olmo_hybrid",
     R"("hidden_size": 3840, "num_attention_heads": 30, "num_hidden_layers": 32, "rope_parameters": null,
        "rope_theta": null)",
     "encoding none; plan 32 -"},

    // A dictionary for each layer type, null or filled up with the class's bases; one for all layers.
    {"gemma3_text", R"("rope_parameters": {"full_attention": null})",
     "plans full_attention half 256/256 1000000 | sliding_attention half 256/256 10000; unknown"},
    {"gemma3_text", R"("rope_parameters": {"full_attention": null, "sliding_attention": {}})",
     "plans sliding_attention half 256/256 10000 | full_attention half 256/256 1000000; unknown"},
    {"gemma3_text", R"("rope_parameters": {"full_attention": null, "sliding_attention": null})",
     "plans full_attention half 256/256 1000000 | sliding_attention half 256/256 10000; unknown"},
    {"llama", R"("head_dim": 128, "rotary_pct": 0.25, "rope_theta": 5e5, "rotary_emb_base": 20000)",
     "plans half 128/128 500000"},
    // standardize_rope_params: the length beside dictionaries of layer types does not count.
    {"modernbert",
     R"("head_dim": 64, "original_max_position_embeddings": 4096, "rope_scaling": {"rope_type": "yarn", "factor": 2,
        "original_max_position_embeddings": 2048})",
     "plans full_attention half 64/64 160000 yarn 2/2048 | sliding_attention half 64/64 10000 yarn 2/2048"},
    {"llama",
     R"("head_dim": 64, "original_max_position_embeddings": 4096, "rope_scaling": {"rope_type": "yarn", "factor": 2,
        "original_max_position_embeddings": 2048})",
     "plans half 64/64 10000 yarn 2/4096"},
    // Laguna's dictionaries: mlx-lm d78bf58e, tests/test_models.py; the key left over is made up.
    {"laguna",
     R"("head_dim": 128, "rope_parameters": {"rope_theta": 500000.0, "full_attention": {"rope_type": "yarn",
        "rope_theta": 500000.0, "factor": 8.0, "original_max_position_embeddings": 4096, "partial_rotary_factor": 0.5},
        "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 1.0}})",
     "plans full_attention half 64/128 500000 yarn 8/4096 | sliding_attention half 128/128 10000; "
     "unknown rope_parameters.rope_theta"},
    {"laguna",
     R"("head_dim": 128, "rope_parameters": {"rope_type": "default", "factor": 2.0, "full_attention": {},
        "sliding_attention": {}})",
     "unknown rope_parameters.rope_type rope_parameters.factor"},

    // M-RoPE's sections: XD-RoPE has another name; interleaved ones leave time the pairs that are left over, and more
    // than every third pair are not there to be had.
    {"hunyuan_vl",
     R"("head_dim": 128, "max_position_embeddings": 32768, "rope_theta": 10000,
        "rope_scaling": {"type": "xdrope", "alpha": 1000.0, "xdrope_section": [16, 16, 16, 16]})",
     "plans half 128/128 10000 ntk 1000 16+16+16+16; unknown"},
    {"", R"("head_dim": 72, "rope_scaling": {"mrope_section": [8, 12, 12], "mrope_interleaved": true})",
     "plans 72/72 10000 12+12+12 interleaved sections; ids"},
    {"", R"("head_dim": 128, "rope_scaling": {"mrope_section": [16, 24, 24], "mrope_interleaved": true})",
     "plans 128/128 10000 22+21+21 interleaved sections"},
    {"qwen2_5_vl",
     R"("text_config": {"model_type": "qwen2_5_vl_text", "head_dim": 128, "rope_parameters": {"rope_type": "default",
        "mrope_section": [16, 24, 24]}}, "vision_config": {"spatial_merge_size": 2, "tokens_per_second": 2})",
     "type qwen2_5_vl_text; path text_config.; ids qwen2.5-vl 2 2; how:ids source; "
     "plans half 128/128 1000000 16+24+24"},

    // Keys at the top. MiMo-V2-Flash: mlx-lm d78bf58e, models/mimo_v2_flash.py. The configs of stablelm_epoch, Qwen-1
    // and
    // Qwen2.5-1M were not read: these are keys that they are known to have.
    {"mimo_v2_flash",
     R"("head_dim": 192, "num_hidden_layers": 8, "rope_theta": 5000000, "swa_rope_theta": 10000,
        "partial_rotary_factor": 0.334, "hybrid_layer_pattern": [0, 1, 1, 1, 1, 0, 1, 1])",
     "plans full_attention half 64/192 5000000 | sliding_attention half 64/192 10000; unknown; "
     "layers 1 full_attention, 4 sliding_attention, 1 full_attention, 2 sliding_attention"},
    {"phi3small", R"("head_dim": 128, "rope_embedding_base": 1000000)", "plans 128/128 1000000"},
    {"stablelm_epoch", R"("head_dim": 80, "rope_pct": 0.25)", "plans 20/80 10000"},
    {"dbrx", R"("d_model": 6144, "n_heads": 48, "attn_config": {"rope_theta": 500000})", "plans half 128/128 500000"},
    {"qwen",
     R"("kv_channels": 128, "rotary_emb_base": 10000, "rotary_pct": 1.0, "use_dynamic_ntk": true, "use_logn_attn": true)",
     "unknown use_dynamic_ntk use_logn_attn"},
    {"qwen2",
     R"("head_dim": 128, "rope_theta": 1e7, "dual_chunk_attention_config": {"chunk_size": 262144, "local_size": 8192,
        "original_max_position_embeddings": 262144})",
     "unknown dual_chunk_attention_config"},
    {"llama",
     R"("head_dim": 128, "no_rope_layers": [1, 2], "no_rope_layer_interval": 4, "sliding_window_pattern": 6,
        "compress_rope_theta": 160000)",
     "unknown no_rope_layers no_rope_layer_interval sliding_window_pattern compress_rope_theta"},
    {"llama", R"("hidden_size": 256, "num_attention_heads": 4, "kv_channels": 32)", "plans half 64/64 10000"},
    {"llama", R"("head_dim": 64, "rope_parameters": {"rotary_emb_base": {}})",
     "plans rotary_emb_base half 64/64 10000"},
    {"jetmoe", R"("hidden_size": 256, "num_attention_heads": 4, "kv_channels": 32)", "plans half 32/32 10000"},
    // Without the number of layers their keys are not unknown.
    {"llama4_text", R"("head_dim": 16, "attn_temperature_tuning": true, "use_qk_norm": false)", "unknown"},
    // Layers that predict further tokens are listed after these.
    {"", R"("rope_theta": 10000, "head_dim": 64, "num_hidden_layers": 1, "layer_types": ["full_attention", "mtp"])",
     "layers 1 full_attention"},

    // Parts of configs, and keys without effect at every level (configuration_qwen2_5_omni.py).
    {"outer",
     R"("rope_theta": 3, "thinker_config": {"model_type": "inner", "position_id_per_seconds": 25, "text_config":
        {"model_type": "qwen2", "head_dim": 128, "rope_theta": 1e6, "layers": [{"rope": {"base": 2}}, 3]},
        "vision_config": {"rope_theta": 100, "hidden": 4}}, "max_position_embeddings": 5, "alibi": null)",
     "plans half 128/128 1000000; path thinker_config.text_config.; unknown rope_theta "
     "thinker_config.position_id_per_seconds thinker_config.text_config.layers[0].rope "
     "thinker_config.vision_config.rope_theta"},
    {"", R"("llm_config": {"model_type": "internlm2", "head_dim": 128, "rope_theta": 1e6})",
     "plans half 128/128 1000000"},
    {"tts", R"("talker_config": {"model_type": "llama", "head_dim": 64})", "path talker_config.; type llama"},
    {"encoder-decoder",
     R"("encoder": {"model_type": "bert", "hidden_size": 64}, "decoder": {"model_type": "gpt2", "n_head": 4})",
     "type gpt2; path decoder.; parts encoder"},
    {"qwen2_5_vl",
     R"("text_config": {"model_type": "qwen2_5_vl_text", "head_dim": 16}, "vision_config": {"model_type": "qwen2_5_vl",
        "depth": 2, "window_size": 112})",
     "parts vision_config; unknown"},
    {"llama", R"("text_config": {"model_type": "llama", "head_dim": 64, "rope_parameters": {"rope_theta": 7}})",
     "how:base@0 config text_config.rope_parameters.rope_theta; how:scaling@0 config text_config.rope_parameters"},
    // A wrapper's text of Llama without sizes has those of its class (LLaVA 1.5).
    {"llava", R"("text_config": {"model_type": "llama", "max_position_embeddings": 4096})",
     "plans half 128/128 10000; how:dims@0 source"},

    // Split heads: which dimensions rotate. A fraction beside qk_rope_head_dim refers to the whole head.
    {"mistral4", R"("qk_nope_head_dim": 64, "qk_rope_head_dim": 64, "rope_parameters": {"partial_rotary_factor": 0.5})",
     "plans deinterleaved 64/64 10000"},
    {"glm4_moe_lite", R"("qk_nope_head_dim": 64, "qk_rope_head_dim": 64, "partial_rotary_factor": 1.0)",
     "plans deinterleaved 64/64 10000"},
    {"deepseek_v3", R"("qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "num_hidden_layers": 2)",
     "dims 2 128+64/192; indexer 2 -; outputs 2 -; scale 2 1/√192"},
    // DeepSeek-OCR: without MLA its heads are Llama's.
    {"deepseek_vl_v2",
     R"("language_config": {"model_type": "deepseek_v2", "hidden_size": 1280, "num_attention_heads": 10,
        "num_hidden_layers": 12, "use_mla": false, "qk_rope_head_dim": 0, "qk_nope_head_dim": 0, "v_head_dim": 0,
        "kv_lora_rank": null})",
     "plans half 128/128 10000; dims 12 0+128/128; how:layout@0 numbers; source modeling_llama.py"},
    // yarn_apply_mscale; g(40, 1) = 0.1 ln 40 + 1, and the scale is g² / √192.
    {"deepseek_v3",
     R"("qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "num_hidden_layers": 61, "rope_scaling": {"type": "yarn",
        "factor": 40, "original_max_position_embeddings": 4096, "mscale": 1.0, "mscale_all_dim": 1.0})",
     "scale 61 0.13523377886088"},
    // get_llama_4_attn_scale in modeling_ministral3.py.
    {"ministral3",
     R"("head_dim": 128, "num_hidden_layers": 34, "rope_parameters": {"type": "yarn", "rope_theta": 1000000.0,
        "factor": 16.0, "original_max_position_embeddings": 16384, "beta_fast": 32.0, "beta_slow": 1.0,
        "mscale_all_dim": 1.0, "mscale": 1.0, "llama_4_scaling_beta": 0.1})",
     "temperature 34 0.1/0/16384; scale 34 1/√128; unknown; plans half 128/128 1000000 yarn 16/16384 mscale 1 all 1"},
    {"gemma3_text", R"("head_dim": 128, "num_hidden_layers": 6, "sliding_window": 1024, "query_pre_attn_scalar": 168)",
     "reach 5 1024, 1 all; plan 5 1, 1 0; scale 6 1/√168"},

    // Indexers have heads and a layout of their own: halves where DeepSeek-V3.2's attention has interleaved pairs.
    {"deepseek_v4",
     R"("num_hidden_layers": 3, "layer_types": ["sliding_attention", "compressed_sparse_attention",
        "heavily_compressed_attention"], "compress_rates": {"heavily_compressed_attention": 64}, "sliding_window": 128)",
     "plans main interleaved 64/64 10000 | compress interleaved 64/64 160000; plan 1 0, 2 1; dims 3 448+64/512; "
     "indexer 1 -, 1 interleaved 64+64/128 1/√128, 1 -; compression 1 0, 1 4, 1 64; outputs 3 back"},
    // The published DeepSeek-V4-Flash's keys, as a test of another project quotes them: YaRN on one of both bases.
    {"deepseek_v4",
     R"("head_dim": 512, "num_hidden_layers": 6, "rope_theta": 10000, "compress_rope_theta": 80000,
        "qk_rope_head_dim": 64, "partial_rotary_factor": 0.125, "compress_ratios": [0, 0, 4, 128, 4, 128, 0],
        "rope_scaling": {"factor": 16, "original_max_position_embeddings": 65536, "type": "yarn"})",
     "plans main interleaved 64/64 10000 | compress interleaved 64/64 80000 yarn 16/65536 given 1; unknown; plan 2 0, "
     "4 1; "
     "layers 2 sliding_attention, 1 compressed_sparse_attention, 1 heavily_compressed_attention, 1 "
     "compressed_sparse_attention, 1 heavily_compressed_attention"},

    // Rules that a model's class knows under a name of its own.
    {"hunyuan",
     R"("head_dim": 128, "rope_scaling": {"alpha": 1000.0, "beta_fast": 32, "factor": 1.0, "type": "dynamic"})",
     "plans 128/128 10000 ntk 1000; unknown rope_scaling.beta_fast rope_scaling.factor"},
    // gte's NTK: base times f, and all frequencies divided by f^(2 / d), here 8^(2/64).
    {"new", R"("head_dim": 64, "rope_theta": 20000, "rope_scaling": {"type": "ntk", "factor": 8})",
     "plans half 64/64 160000 linear 1.06714040067682"},
    {"", R"("head_dim": 64, "rope_scaling": {"type": "linear", "factor": 2, "finetuned": true, "beta_fast": 3})",
     "unknown rope_scaling.finetuned rope_scaling.beta_fast"},
    {"", R"("head_dim": 64, "rope_parameters": {"full_attention": {"factr": 2}})",
     "unknown rope_parameters.full_attention.factr"},
    {"",
     R"("head_dim": 64, "rope_parameters": {"full_attention": {"rope_type": "yarn", "factor": 2,
        "original_max_position_embeddings": 4096, "truncate": false}})",
     "unknown rope_parameters.full_attention.truncate"},
    {"",
     R"("head_dim": 128, "max_position_embeddings": 32768, "rope_scaling": {"factor": 2.0, "type": "dynamic",
        "original_max_position_embeddings": 4096})",
     "plans 128/128 10000 dynamic 2/32768; unknown rope_scaling.original_max_position_embeddings; length 32768"},

    // The original length that takes precedence, and the ratio in place of a missing factor.
    {"",
     R"("head_dim": 64, "max_position_embeddings": 8192, "original_max_position_embeddings": 2048,
        "rope_scaling": {"type": "yarn", "original_max_position_embeddings": 1024})",
     "plans 64/64 10000 yarn 4/2048"},
    {"",
     R"("head_dim": 64, "max_position_embeddings": 8192,
        "rope_scaling": {"type": "yarn", "factor": 3, "original_max_position_embeddings": 1024})",
     "plans 64/64 10000 yarn 3/1024"},
    {"", R"("head_dim": 64, "max_position_embeddings": 8192, "rope_scaling": {"type": "yarn"})",
     "plans 64/64 10000 yarn 1/8192"},
    {"",
     R"("head_dim": 64, "original_max_position_embeddings": 2048, "rope_parameters": {"full_attention":
        {"rope_type": "yarn", "factor": 2, "original_max_position_embeddings": 1024}})",
     "plans full_attention 64/64 10000 yarn 2/1024"},
};

/// Defaults of which no fixture has the numbers (model_numbers.test.cpp), with the sizes of `four_layers` but
/// `head_dim`.
constexpr Fact facts_of_defaults[]{
    {"chatglm", "", "plans interleaved 8/16 10000"},
    {"decision_transformer", "", "encoding learned 4096+0"},
    {"dpr", "", "encoding learned 512+0"},
    {"ernie_m", "", "encoding learned 514+2"},
    {"gptsan-japanese", "", "encoding learned 1280+0"},
    {"kimi_k2", "", "plans deinterleaved 64/64 10000; scale 4 1/√192"},
    {"layoutlmv2", "", "encoding learned 512+0"},
    {"mistral4", R"("rope_parameters": {"rope_type": "default"})", "plans deinterleaved 64/64 10000; scale 4 1/√128"},
    {"open-llama", "", "plans half 16/16 10000"},
    {"qdqbert", "", "encoding learned 512+0"},
    {"realm", "", "encoding learned 512+0"},
    {"recurrent_gemma", "", "plans half 8/16 10000"},
    {"retribert", "", "encoding learned 512+0"},
    {"timesfm2_5", "", "plans half 80/80 10000"},
    {"trajectory_transformer", "", "encoding learned 249+0"},
    {"xlm-prophetnet", "", "encoding learned 512+1"},
};

}  // namespace

TEST_CASE("model facts: what classes and keys say of layers and scores", "[hub]") {
  for (const Fact& fact : facts_of_four_layers) check_fact(fact, four_layers);
}

TEST_CASE("model facts: what classes and keys say of encodings and plans", "[hub]") {
  for (const Fact& fact : facts_as_given) check_fact(fact, "");
}

TEST_CASE("model facts: what classes have by default", "[hub]") {
  for (const Fact& fact : facts_of_defaults)
    check_fact(fact, R"("hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 4)");
}

TEST_CASE("model facts: of a layer whose type has a name that is not the model's nothing is known", "[hub]") {
  for (const char* const type : {"qwen3", "gemma2", "olmo3", "cohere2", "llama", "mine"})
    for (const std::string name : {"x", "local_attention", "hybrid_mamba", "cross_attention", "window_attention"}) {
      const std::string members = R"("rope_theta": 1e4, "sliding_window": 8, "layer_types": ["sliding_attention", ")" +
                                  name + R"(", "sliding_attention", ")" + name + R"("])";
      INFO(type << ": " << members);
      const auto model = testing::value_of(
          posenc::read_model(testing::from_json(config_of({type, members.c_str(), ""}, four_layers))));
      REQUIRE(model.layers.size() == 4);
      CHECK(model.layers[0].layers.is_known);
      CHECK_FALSE(model.layers[1].layers.is_known);
      CHECK(model.layers[1].reaches == posenc::Reach::unknown);
      CHECK_FALSE(model.layers[3].score_scale);
      CHECK(testing::text_of(model, "unknown").find("layer_types[1]") != std::string::npos);
      CHECK(testing::text_of(model, "how:layers") == "unknown");
    }
}

TEST_CASE("model facts: a listed type's class ignores keys of other classes", "[hub]") {
  for (const char* const type : {"llama", "qwen3", "deepseek_v3", "olmo2"})
    for (const char* const key :
         {R"("alibi": true)", R"("position_embedding_type": "alibi")", R"("position_embedding_type": "nope")",
          R"("attn_config": {"alibi": true})", R"("attn_config": {"rope_theta": 7})", R"("mla_use_nope": true)",
          R"("rotary_emb_base": 7)", R"("rope_ratio": 50)", R"("global_rope_theta": 7)", R"("rotary_pct": 0.5)",
          R"("rope_pct": 0.5)", R"("rope_local_base_freq": 7)", R"("swa_rope_theta": 7)"}) {
      const std::string members = std::string(R"("rope_theta": 5e5, )") + key;
      INFO(type << ": " << members);
      const auto own = testing::value_of(
          posenc::read_model(testing::from_json(config_of({type, members.c_str(), ""}, four_layers))));
      const auto plain = testing::value_of(
          posenc::read_model(testing::from_json(config_of({type, R"("rope_theta": 5e5)", ""}, four_layers))));
      for (const char* const trait : {"plans", "layers", "plan", "encoding"})
        CHECK(testing::text_of(own, trait) == testing::text_of(plain, trait));
      CHECK(own.config.unknown_keys.size() == 1);
    }
}

TEST_CASE("model facts: keys of scales, windows, caps, sinks and spans are reported, or harmless by name", "[hub]") {
  const auto is_unknown = [](const char* type, const std::string& member) {
    const std::string members = R"("rope_theta": 1e4, )" + member;
    INFO(type << ": " << members);
    const auto model =
        testing::value_of(posenc::read_model(testing::from_json(config_of({type, members.c_str(), ""}, four_layers))));
    return model.config.unknown_keys.size() == 1;
  };
  for (const std::string key : {"attn_logit_softcapping",
                                "attn_logit_soft_cap",
                                "max_attn_value",
                                "attention_sink_size",
                                "num_sink_tokens",
                                "attn_span",
                                "qk_scale_factor",
                                "key_multiplier",
                                "attn_temperature_len",
                                "query_scale",
                                "scale_base",
                                "use_xpos",
                                "qk_norm_eps",
                                "qk_ln",
                                "attention_multiplier",
                                "attn_output_multiplier",
                                "attention_window",
                                "rel_extent",
                                "log_scaling_n_floor",
                                "attn_type_list",
                                "block_configs",
                                "layer_group_size",
                                "full_attention_interval",
                                "sliding_window_size",
                                "use_bidirectional_attention",
                                "softmax_scale",
                                "attention_span"})
    for (const char* const type : {"mine", "llama"}) {
      CAPTURE(type, key);
      CHECK(is_unknown(type, '"' + key + "\": 3"));
    }
  for (const std::string key :
       {"final_logit_softcapping", "router_logit_softcapping", "moe_router_logit_softcapping", "logit_scale",
        "logits_soft_cap", "scale_embedding", "scale_emb", "scale_depth", "layer_scale_init_value", "hc_sinkhorn_iters",
        "shared_expert_sink", "route_scale", "attention_value_scale", "rescale_prenorm_residual",
        "scale_attention_softmax_in_fp32", "kv_cache_quant_window", "quant_scale"}) {
    CAPTURE(key);
    CHECK_FALSE(is_unknown("mine", '"' + key + "\": 3"));
  }
  // How numbers are stored concerns no position, at any depth.
  for (const std::string key :
       {"quantization_config", "quantization", "quantize_config", "hf_quant_config", "compression_config"}) {
    CAPTURE(key);
    CHECK_FALSE(is_unknown("llama", '"' + key + R"(": {"scale_fmt": "ue8m0", "window": 3, "model_type": "x",
        "num_hidden_layers": 3, "config_groups": {"group_0": {"input_activations": {"sliding_window": 3}}}})"));
  }
}

TEST_CASE("model facts: an encoding that is not one of the library's is refused with the reason", "[hub]") {
  for (const posenc::ModelType& row : posenc::model_types()) {
    if (row.encoding != posenc::TypeEncoding::unsupported) continue;
    INFO(row.type);
    const auto read = posenc::read_model(testing::from_json(R"({"model_type": ")" + std::string(row.type) + "\"}"));
    REQUIRE(!read);
    REQUIRE(row.note != nullptr);
    CHECK(read.error().expected().ends_with(row.note));
  }
}
