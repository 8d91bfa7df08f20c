/// What is wrong in a config is named by its key's path, with its value.

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

#include "hub/json.hpp"
#include "posenc/hub/model.hpp"
#include "testing/testing.hpp"

namespace {

struct Mistake {
  const char* json;
  const char* path;
  const char* value;
};

void check_mistake(const std::string& json, const Mistake& mistake) {
  INFO(json);
  testing::require_error(posenc::read_model(testing::from_json(json)), mistake.path, mistake.value);
}

constexpr Mistake mistakes[]{
    {"null", "config", ""},
    {"4", "config", ""},
    {"[]", "config", ""},
    {"\"llama\"", "config", ""},
    {"true", "config", ""},
    {R"({"text_config": 3})", "text_config", "3"},
    {R"({"text_config": {"rope_theta": 10000}})", "text_config.head_dim", "none"},
    {R"({"llm_config": {"model_type": "llama", "head_dim": 64, "rope_theta": -1}})", "llm_config.rope_theta", "-1"},
    {R"({"head_dim": 4, "model_type": 7})", "model_type", "7"},
    {R"({"model_type": "deberta-v2", "hidden_size": 768})", "model_type", "deberta-v2"},

    // Encodings.
    {R"({"model_type": "falcon", "alibi": true, "head_dim": 64})", "alibi", "true"},
    {R"({"model_type": "falcon", "alibi": 1, "head_dim": 64})", "alibi", "1"},
    {R"({"model_type": "bert", "position_embedding_type": "relative"})", "position_embedding_type", "relative"},
    {R"({"model_type": "bert-generation", "position_embedding_type": "relative_key"})", "position_embedding_type",
     "relative_key"},
    {R"({"model_type": "distilbert", "position_embedding_type": "relative_key"})", "position_embedding_type",
     "relative_key"},
    {R"({"model_type": "gpt2", "position_embedding_type": "relative_key"})", "position_embedding_type", "relative_key"},
    {R"({"head_dim": 64, "position_embedding_type": "relative_key"})", "position_embedding_type", "relative_key"},
    {R"({"model_type": "whisper", "max_target_positions": 0})", "max_target_positions", "0"},
    {R"({"model_type": "bloom"})", "n_head", "none"},
    {R"({"model_type": "mpt"})", "alibi", "none"},
    {R"({"model_type": "mpt", "n_heads": 8, "attn_config": {"alibi_bias_max": 0}})", "attn_config.alibi_bias_max", "0"},

    // Dimensions.
    {R"({"rope_theta": 10000})", "head_dim", "none"},
    {R"({"rope_theta": 10000, "head_dim": "64"})", "head_dim", "\"64\""},
    {R"({"rope_theta": 10000, "head_dim": 6.5})", "head_dim", "6.5"},
    {R"({"rope_theta": 10000, "head_dim": 0})", "head_dim", "0"},
    {R"({"rope_theta": 10000, "head_dim": -64})", "head_dim", "-64"},
    {R"({"rope_theta": 10000, "head_dim": 1e300})", "head_dim", "1e+300"},
    {R"({"rope_theta": 10000, "head_dim": 7})", "head_dim", "7"},
    {R"({"rope_theta": 10000, "hidden_size": 64})", "num_attention_heads", "none"},
    {R"({"rope_theta": 10000, "hidden_size": 64, "num_attention_heads": 0})", "num_attention_heads", "0"},
    {R"({"rope_theta": 10000, "hidden_size": 64, "num_attention_heads": 7})", "num_attention_heads", "7"},
    {R"({"rope_theta": 10000, "hidden_size": 64, "num_attention_heads": null})", "num_attention_heads", "none"},
    {R"({"text_config": {"model_type": "qwen2"}})", "text_config.head_dim", "none"},
    {R"({"model_type": "chatglm", "kv_channels": 6})", "kv_channels", "3"},
    {R"({"model_type": "gptj", "head_dim": 32})", "head_dim", "64"},
    {R"({"model_type": "deepseek_v3", "rope_interleave": 1})", "rope_interleave", "1"},
    {R"({"rope_theta": 10000, "head_dim": 64, "rotary_dim": 80})", "rotary_dim", "80"},
    {R"({"rope_theta": 10000, "head_dim": 64, "rotary_dim": 7})", "rotary_dim", "7"},
    {R"({"rope_theta": 10000, "head_dim": 64, "partial_rotary_factor": 1.5})", "partial_rotary_factor", "1.5"},
    {R"({"rope_theta": 10000, "head_dim": 20, "partial_rotary_factor": 0.25})", "partial_rotary_factor", "5"},
    {R"({"rope_theta": 10000, "head_dim": 64, "rotary_pct": -1})", "rotary_pct", "-1"},
    {R"({"rope_theta": 10000, "head_dim": 64, "rotary_pct": 0})", "rotary_pct", "0"},
    {R"({"rope_theta": 10000, "head_dim": 64, "rope_parameters": {"partial_rotary_factor": 3}})",
     "rope_parameters.partial_rotary_factor", "3"},
    {R"({"model_type": "youtu", "qk_nope_head_dim": 64, "qk_rope_head_dim": 64, "partial_rotary_factor": 0.25})",
     "partial_rotary_factor", "0.25"},
    {R"({"model_type": "deepseek_v32", "qk_rope_head_dim": 64, "num_hidden_layers": 1, "index_head_dim": 32})",
     "index_head_dim", "32"},

    // Bases.
    {R"({"head_dim": 64, "rope_theta": 0})", "rope_theta", "0"},
    {R"({"head_dim": 64, "rope_theta": "1e4"})", "rope_theta", "\"1e4\""},
    {R"({"head_dim": 64, "rope_parameters": {"rope_theta": -1}})", "rope_parameters.rope_theta", "-1"},
    {R"({"head_dim": 64, "rope_local_base_freq": -2})", "rope_local_base_freq", "-2"},
    {R"({"head_dim": 64, "rope_ratio": -1})", "rope_ratio", "-10000"},
    {R"({"model_type": "granite_swa", "head_dim": 64, "num_hidden_layers": 4, "layer_rope_theta": [1e6, 1e4]})",
     "layer_rope_theta", "2"},
    {R"({"model_type": "granite_swa", "head_dim": 64, "num_hidden_layers": 4, "layer_rope_theta": [1, 2, 3, 2]})",
     "layer_rope_theta", "3"},

    // Dictionaries: of the wrong kind, missing where only the class knows the rule, or beside another.
    {R"({"head_dim": 4, "rope_scaling": 2})", "rope_scaling", "2"},
    {R"({"head_dim": 4, "rope_parameters": {"full_attention": {}, "sliding_attention": 1}})",
     "rope_parameters.sliding_attention", "1"},
    {R"({"model_type": "gemma3_text", "rope_scaling": {"rope_type": "linear", "factor": 8},
         "rope_parameters": {"full_attention": {}}})",
     "rope_scaling", "an object"},
    {R"({"model_type": "gemma4_text", "num_hidden_layers": 6, "rope_parameters": {"full_attention": null,
         "sliding_attention": {"rope_theta": 1e4}}})",
     "rope_parameters.full_attention", "none"},
    {R"({"model_type": "gemma4_text", "num_hidden_layers": 6})", "rope_parameters", "none"},
    {R"({"head_dim": 128, "model_type": "ministral3"})", "rope_parameters", "none"},
    {R"({"head_dim": 128, "model_type": "mistral4"})", "rope_parameters", "none"},
    {R"({"head_dim": 128, "model_type": "gpt_oss"})", "rope_parameters", "none"},
    {R"({"head_dim": 128, "model_type": "cwm"})", "rope_parameters", "none"},
    {R"({"head_dim": 4, "rope_scaling": {"type": "dynamic", "factor": 2, "original_max_position_embeddings": 64}})",
     "max_position_embeddings", "none"},
    {R"({"head_dim": 4, "rope_scaling": {"type": "yarn", "factor": 2}})", "max_position_embeddings", "none"},
    {R"({"model_type": "new", "head_dim": 4, "rope_scaling": {"type": "ntk", "factor": 2, "mixed_b": 1}})",
     "rope_scaling.mixed_b", "1"},

    // Sections.
    {R"({"head_dim": 72, "rope_scaling": {"mrope_section": [8, 12, 12]}})", "rope_scaling.mrope_section", "32"},
    {R"({"head_dim": 72, "rope_scaling": {"mrope_section": [13, 12, 12], "mrope_interleaved": true}})",
     "rope_scaling.mrope_section", "37"},
    {R"({"model_type": "hunyuan_vl", "head_dim": 128, "rope_scaling": {"type": "xdrope", "alpha": 2,
         "xdrope_section": [16, 16, 16]}})",
     "rope_scaling.xdrope_section", "48"},

    // Layers, what they reach, their scores.
    {R"({"rope_theta": 10000, "head_dim": 64, "num_hidden_layers": 2, "layer_types": ["full_attention"]})",
     "layer_types", "1"},
    {R"({"rope_theta": 10000, "head_dim": 64, "layer_types": [1]})", "layer_types[0]", "1"},
    {R"({"rope_theta": 10000, "head_dim": 64, "layer_types": "full_attention"})", "layer_types", "full_attention"},
    {R"({"rope_theta": 10000, "head_dim": 64, "num_hidden_layers": 2.5})", "num_hidden_layers", "2.5"},
    {R"({"rope_theta": 10000, "head_dim": 64, "num_hidden_layers": 1e300})", "num_hidden_layers", "1e+300"},
    {R"({"rope_theta": 10000, "head_dim": 64, "num_hidden_layers": -1})", "num_hidden_layers", "-1"},
    {R"({"rope_theta": 10000, "head_dim": 64, "layer_types": ["full_attention", "sliding_attention"],
         "rope_parameters": {"full_attention": {}}})",
     "rope_parameters.sliding_attention", "none"},
    {R"({"model_type": "llama4_text", "num_hidden_layers": 2, "no_rope_layers": [1]})", "no_rope_layers", "1"},
    {R"({"model_type": "llama4_text", "num_hidden_layers": 2, "no_rope_layer_interval": 0})", "no_rope_layer_interval",
     "0"},
    {R"({"model_type": "llama4_text", "num_hidden_layers": 4, "attention_chunk_size": 0})", "attention_chunk_size",
     "0"},
    {R"({"model_type": "llama4_text", "num_hidden_layers": 4, "floor_scale": 0})", "floor_scale", "0"},
    {R"({"model_type": "llama4_text", "num_hidden_layers": 4, "attn_scale": "x"})", "attn_scale", "x"},
    {R"({"model_type": "cohere2", "head_dim": 64, "num_hidden_layers": 2, "sliding_window_pattern": -3})",
     "sliding_window_pattern", "-3"},
    {R"({"model_type": "cohere2_moe", "num_hidden_layers": 8, "first_k_dense_replace": 2,
         "prefix_dense_sliding_window_pattern": 0})",
     "prefix_dense_sliding_window_pattern", "0"},
    {R"({"model_type": "exaone4", "head_dim": 64, "num_hidden_layers": 8, "sliding_window_pattern": "LXG"})",
     "sliding_window_pattern", "\"LXG\""},
    {R"({"model_type": "gpt_neo", "num_layers": 4, "attention_types": [["global", 4]]})", "attention_types", "a list"},
    {R"({"model_type": "gpt_neo", "num_layers": 4, "attention_types": "global"})", "attention_types", "global"},
    {R"({"model_type": "gpt_neo", "num_layers": 4, "attention_types": [[["global"], 2]]})", "attention_types", "2"},
    {R"({"model_type": "longformer", "num_hidden_layers": 4, "attention_window": [32, 32]})", "attention_window", "2"},
    {R"({"model_type": "longformer", "num_hidden_layers": 4, "attention_window": [32, 0, 32, 32]})", "attention_window",
     "0"},
    {R"({"model_type": "cohere", "head_dim": 64, "num_hidden_layers": 4, "use_qk_norm": 1})", "use_qk_norm", "1"},
    {R"({"model_type": "gemma2", "num_hidden_layers": 4, "attn_logit_softcapping": 0})", "attn_logit_softcapping", "0"},
    {R"({"model_type": "deepseek_v4", "num_hidden_layers": 1, "layer_types": ["heavily_compressed_attention"],
         "compress_rates": {"heavily_compressed_attention": 0}})",
     "compress_rates.heavily_compressed_attention", "0"},
};

/// Members of the rope dictionary of a config that is otherwise valid; paths are below "rope_scaling.".
constexpr Mistake mistakes_of_rules[]{
    {R"("type": "ntk-aware")", "type", "ntk-aware"},
    {R"("rope_type": "Yarn", "type": "yarn")", "rope_type", "Yarn"},
    {R"("rope_type": 3)", "rope_type", "3"},
    {R"("factor": 2.0)", "rope_type", "none"},
    {R"("type": "linear")", "factor", "none"},
    {R"("type": "linear", "factor": null)", "factor", "none"},
    {R"("type": "linear", "factor": "2")", "factor", "\"2\""},
    {R"("type": "linear", "factor": -2)", "factor", "-2"},
    {R"("type": "dynamic", "factor": 0)", "factor", "0"},
    {R"("type": "dynamic", "alpha": 0)", "alpha", "0"},
    {R"("type": "yarn", "factor": 2, "beta_fast": 0.5)", "beta_fast", "0.5"},
    {R"("type": "yarn", "factor": 2, "beta_slow": [1])", "beta_slow", "a list"},
    {R"("type": "yarn", "factor": 2, "truncate": 0)", "truncate", "0"},
    {R"("type": "yarn", "factor": 2, "mscale": -1)", "mscale", "-1"},
    {R"("type": "yarn", "factor": 2, "attention_factor": {})", "attention_factor", "an object"},
    {R"("type": "llama3", "factor": 2)", "low_freq_factor", "none"},
    {R"("type": "llama3", "factor": 2, "low_freq_factor": 1, "high_freq_factor": 4)",
     "original_max_position_embeddings", "none"},
    {R"("type": "llama3", "factor": 2, "low_freq_factor": 4, "high_freq_factor": 1,
        "original_max_position_embeddings": 8192)",
     "high_freq_factor", "1"},
    {R"("type": "longrope")", "short_factor", "none"},
    {R"("type": "longrope", "short_factor": [1, 1])", "long_factor", "none"},
    {R"("type": "longrope", "short_factor": [1, 1], "long_factor": [1])", "long_factor", "1 values"},
    {R"("type": "longrope", "short_factor": [1, 0], "long_factor": [1, 1])", "short_factor[1]", "0"},
    {R"("type": "longrope", "short_factor": [1, "a"], "long_factor": [1, 1])", "short_factor[1]", "\"a\""},
    {R"("type": "longrope", "short_factor": [1, 1], "long_factor": [1, 1], "short_mscale": 1.1, "long_mscale": 1.2)",
     "long_mscale", "1.2"},
    {R"("type": "longrope", "short_factor": [1, 1], "long_factor": [1, 1], "long_mscale": 1.2)", "long_mscale", "1.2"},
    {R"("type": "longrope", "short_factor": [1, 1], "long_factor": [1, 1], "short_mscale": -1)", "short_mscale", "-1"},
    {R"("type": "proportional", "partial_rotary_factor": 2)", "partial_rotary_factor", "2"},
    {R"("type": "ntk", "factor": 2)", "type", "\"ntk\""},
    {R"("type": "mrope", "mrope_section": [1, 2])", "mrope_section", "3"},
    {R"("type": "mrope", "mrope_section": [2.5])", "mrope_section", "2.5"},
    {R"("type": "mrope", "mrope_section": 2)", "mrope_section", "2"},
    {R"("type": "mrope", "mrope_interleaved": "yes")", "mrope_interleaved", "\"yes\""},
};

}  // namespace

TEST_CASE("model errors: what is wrong is named by its path", "[hub]") {
  for (const Mistake& mistake : mistakes) check_mistake(mistake.json, mistake);
  for (const Mistake& mistake : mistakes_of_rules) {
    const std::string path = std::string("rope_scaling.") + mistake.path;
    check_mistake(
        R"({"head_dim": 4, "max_position_embeddings": 4096, "rope_scaling": {)" + std::string(mistake.json) + "}}",
        {mistake.json, path.c_str(), mistake.value});
  }
}

TEST_CASE("model errors: keys of a part are named with its path", "[hub]") {
  const auto read = posenc::read_model(testing::from_json(R"({"head_dim": 64, "rope_theta": 0})"), "encoder_config.");
  testing::require_error(read, "encoder_config.rope_theta", "0");
}

TEST_CASE("model errors: an unknown rope type lists the known ones", "[hub]") {
  const auto result = posenc::read_model(testing::from_json(R"({"head_dim": 4, "rope_scaling": {"type": "x"}})"));
  REQUIRE_FALSE(result.has_value());
  for (const char* const known :
       {"default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional", "su", "mrope"})
    CHECK(result.error().expected().find(known) != std::string::npos);
}

// 1e999 is JSON, and infinite.
TEST_CASE("model errors: numbers that are infinite are refused by their keys", "[hub]") {
  const auto refuse = [](const std::string& type, const std::string& key, const std::string& value,
                         const std::string& path, const std::string& shown) {
    const std::string json =
        R"({"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "model_type": ")" + type + R"(", ")" +
        key + "\": " + value + "}";
    check_mistake(json, {json.c_str(), path.c_str(), shown.c_str()});
  };
  for (const auto& [number, shown] : {std::pair{"1e999", "inf"}, {"-1e999", "-inf"}}) {
    for (const auto& [type, key] : {std::pair{"llama4_text", "attn_scale"},
                                    {"llama4_text", "floor_scale"},
                                    {"granite", "attention_multiplier"},
                                    {"gemma2", "query_pre_attn_scalar"},
                                    {"gemma2", "attn_logit_softcapping"},
                                    {"llama", "rope_theta"},
                                    {"phi", "partial_rotary_factor"},
                                    {"llama", "max_position_embeddings"},
                                    {"mistral", "sliding_window"}})
      refuse(type, key, number, key, shown);
    refuse("llama", "rope_scaling", std::string(R"({"type": "linear", "factor": )") + number + "}",
           "rope_scaling.factor", shown);
    refuse("granite_swa", "layer_rope_theta", std::string("[10000, ") + number + "]", "layer_rope_theta[1]", shown);
  }
}
