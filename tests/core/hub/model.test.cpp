/// A model is tested layer by layer. Numbers: modeling_*.py and configuration_*.py of the model named, of Hugging Face
/// transformers, version 5, of 17 August 2026 (copied in 8b-is/transformers at e8c4f0b7).

#include "posenc/hub/model.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>

#include "hub/json.hpp"
#include "testing/testing.hpp"

using posenc::Model;
using posenc::Reach;

namespace {

Model model_of(const std::string& model_type, const std::string& members) {
  const std::string json = R"({"model_type": ")" + model_type + R"(", )" + members + "}";
  INFO(json);
  return testing::value_of(posenc::read_model(testing::from_json(json)));
}

bool is_near(std::optional<double> value, double expected) {
  return value && std::fabs(*value - expected) <= 4e-16 * std::fabs(expected);
}

void refuse_model(const std::string& json, std::string_view path, std::string_view value) {
  testing::require_error(posenc::read_model(testing::from_json(json)), path, value);
}

}  // namespace

// Llama4TextAttention: layers without rotation have the temperature, those with it reach their own chunk.
TEST_CASE("model: Llama 4's chunks and temperature", "[hub]") {
  const std::string sizes =
      R"("hidden_size": 5120, "num_attention_heads": 40, "head_dim": 128, "num_hidden_layers": 4)";
  const Model model = model_of("llama4_text", sizes + R"(, "attn_temperature_tuning": true, "attn_scale": 0.2,
      "floor_scale": 4096, "attention_chunk_size": 8192)");
  REQUIRE(model.layers.size() == 2);
  CHECK(model.layers[0].plan == 0);
  CHECK(model.layers[0].reaches == Reach::chunk);
  CHECK(model.layers[0].reach == 8192);
  CHECK_FALSE(model.layers[0].temperature);
  CHECK_FALSE(model.layers[1].plan);
  CHECK(model.layers[1].reaches == Reach::all);
  REQUIRE(model.layers[1].temperature);
  CHECK(model.layers[1].temperature->slope == 0.2);
  CHECK(model.layers[1].temperature->shift == 1);
  CHECK(model.layers[1].temperature->period == 4096);
  CHECK(is_near(model.layers[0].score_scale, 1 / std::sqrt(128.0)));
  CHECK(model.config.unknown_keys.empty());
  CHECK_FALSE(model_of("llama4_text", sizes + R"(, "attn_temperature_tuning": false)").layers[1].temperature);
}

// get_llama_4_attn_scale in modeling_ministral3.py.
TEST_CASE("model: Ministral 3's temperature is in every layer", "[hub]") {
  const Model model = model_of("ministral3", R"("hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128,
      "num_hidden_layers": 34, "rope_parameters": {"type": "yarn", "rope_theta": 1000000.0, "factor": 16.0,
      "original_max_position_embeddings": 16384, "beta_fast": 32.0, "beta_slow": 1.0, "mscale_all_dim": 1.0,
      "mscale": 1.0, "llama_4_scaling_beta": 0.1}})");
  REQUIRE(model.layers.size() == 1);
  REQUIRE(model.layers[0].temperature);
  CHECK(model.layers[0].temperature->slope == 0.1);
  CHECK(model.layers[0].temperature->shift == 0);
  CHECK(model.layers[0].temperature->period == 16384);
  CHECK(is_near(model.layers[0].score_scale, 1 / std::sqrt(128.0)));
  CHECK(model.config.unknown_keys.empty());
}

// yarn_apply_mscale in modeling_deepseek_v3.py; g(40, 1) = 0.1 ln 40 + 1.
TEST_CASE("model: DeepSeek-V3's scale of the scores", "[hub]") {
  const std::string dims = R"("qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "num_hidden_layers": 61)";
  const std::string yarn = R"(, "rope_scaling": {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096,
      "mscale": 1.0, "mscale_all_dim": 1.0})";
  const double g = 1.3688879454113936;
  CHECK(is_near(model_of("deepseek_v3", dims + yarn).layers.at(0).score_scale, g * g / std::sqrt(192.0)));
  CHECK(is_near(model_of("deepseek_v3", dims).layers.at(0).score_scale, 1 / std::sqrt(192.0)));
  CHECK(is_near(model_of("deepseek_v2", dims + yarn).layers.at(0).score_scale, g * g / std::sqrt(192.0)));
}

// self.scaling in modeling_gemma2.py, _gemma3, _gemma4 and _granite; windows in their configuration files.
TEST_CASE("model: windows, and scales that the config names", "[hub]") {
  const Model gemma = model_of("gemma3_text", R"("head_dim": 128, "num_hidden_layers": 6, "sliding_window": 1024,
      "query_pre_attn_scalar": 168)");
  REQUIRE(gemma.layers.size() == 2);
  CHECK(gemma.layers[0].reaches == Reach::window);
  CHECK(gemma.layers[0].reach == 1024);
  CHECK(gemma.layers[0].plan == 1);
  CHECK(gemma.layers[1].reaches == Reach::all);
  CHECK(is_near(gemma.layers[1].score_scale, 1 / std::sqrt(168.0)));
  const Model open = model_of("gemma3_text", R"("head_dim": 128, "num_hidden_layers": 6, "sliding_window": null)");
  for (const posenc::ModelLayers& layers : open.layers) {
    CHECK(layers.reaches == Reach::all);
    CHECK(layers.reach == 0);
  }
  const std::string sizes = R"("hidden_size": 2048, "num_attention_heads": 32, "num_hidden_layers": 2)";
  CHECK(
      is_near(model_of("granite", sizes + R"(, "attention_multiplier": 0.015625)").layers.at(0).score_scale, 0.015625));
  CHECK(is_near(model_of("granite", sizes).layers.at(0).score_scale, 1));
  CHECK(is_near(model_of("llama", sizes).layers.at(0).score_scale, 0.125));
  CHECK_FALSE(model_of("one of your own", sizes + R"(, "rope_theta": 10000)").layers.at(0).score_scale);
}

TEST_CASE("model: what cannot be meant is an Error", "[hub]") {
  refuse_model(R"({"rope_theta": 10000})", "head_dim", "none");
  refuse_model(R"({"model_type": "llama4_text", "num_hidden_layers": 4, "attention_chunk_size": 0})",
               "attention_chunk_size", "0");
  refuse_model(R"({"model_type": "llama4_text", "num_hidden_layers": 4, "floor_scale": 0})", "floor_scale", "0");
  refuse_model(R"({"model_type": "llama4_text", "num_hidden_layers": 4, "attn_scale": "x"})", "attn_scale", "x");
}

namespace {

void check_dims(const posenc::HeadDims& dims, std::int64_t first, std::int64_t count, std::int64_t dim) {
  CHECK(dims.first == first);
  CHECK(dims.count == count);
  CHECK(dims.dim == dim);
}

}  // namespace

// torch.cat((q_pass, q_rot)) in modeling_deepseek_v3.py; apply_rotary_pos_emb in _deepseek_v4, _llama, _glm4_moe.
TEST_CASE("model: which dimensions of a head rotate", "[hub]") {
  const std::string split = R"("qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "num_hidden_layers": 2)";
  check_dims(model_of("deepseek_v3", split).layers.at(0).dims, 128, 64, 192);
  check_dims(model_of("deepseek_v4", R"("num_hidden_layers": 2, "layer_types": ["sliding_attention",
      "compressed_sparse_attention"])")
                 .layers.at(0)
                 .dims,
             448, 64, 512);
  const std::string sizes = R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 2)";
  check_dims(model_of("llama", sizes).layers.at(0).dims, 0, 128, 128);
  check_dims(model_of("glm4_moe", sizes).layers.at(0).dims, 0, 64, 128);
}

// The indexers' forward in modeling_deepseek_v32.py (halves, where its attention has interleaved pairs),
// _glm_moe_dsa, _deepseek_v4 and _minimax_m3_vl.
TEST_CASE("model: indexers have heads and a layout of their own", "[hub]") {
  const std::string split = R"("qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "num_hidden_layers": 2)";
  const Model deepseek = model_of("deepseek_v32", split + R"(, "index_head_dim": 128)");
  CHECK(deepseek.config.plans.at(0).rotary.layout == posenc::Layout::deinterleaved);
  REQUIRE(deepseek.layers.at(0).indexer);
  CHECK(deepseek.layers.at(0).indexer->layout == posenc::Layout::half);
  check_dims(deepseek.layers.at(0).indexer->dims, 0, 64, 128);
  CHECK(is_near(deepseek.layers.at(0).indexer->score_scale, 1 / std::sqrt(128.0)));
  const Model glm = model_of("glm_moe_dsa", split);
  REQUIRE(glm.layers.at(0).indexer);
  CHECK(glm.layers.at(0).indexer->layout == posenc::Layout::deinterleaved);
  CHECK_FALSE(model_of("deepseek_v3", split).layers.at(0).indexer);

  const Model v4 = model_of("deepseek_v4", R"("num_hidden_layers": 3, "layer_types": ["sliding_attention",
      "compressed_sparse_attention", "heavily_compressed_attention"], "compress_rates": {
      "heavily_compressed_attention": 64}, "sliding_window": 128)");
  REQUIRE(v4.layers.size() == 3);
  CHECK(v4.config.plans.at(*v4.layers[0].plan).layer_type == "main");
  CHECK(v4.config.plans.at(*v4.layers[1].plan).layer_type == "compress");
  CHECK_FALSE(v4.layers[0].indexer);
  REQUIRE(v4.layers[1].indexer);
  check_dims(v4.layers[1].indexer->dims, 64, 64, 128);
  CHECK_FALSE(v4.layers[2].indexer);
  CHECK(v4.layers[0].compression == 0);
  CHECK(v4.layers[1].compression == 4);
  CHECK(v4.layers[2].compression == 64);
  CHECK(v4.layers[0].rotates_outputs);
  CHECK_FALSE(deepseek.layers[0].rotates_outputs);
  refuse_model(
      R"({"model_type": "deepseek_v32", "qk_rope_head_dim": 64, "num_hidden_layers": 1, "index_head_dim": 32})",
      "index_head_dim", "32");
  refuse_model(R"({"model_type": "deepseek_v4", "num_hidden_layers": 1, "layer_types": ["heavily_compressed_attention"],
      "compress_rates": {"heavily_compressed_attention": 0}})",
               "compress_rates.heavily_compressed_attention", "0");
}

// get_rope_index in modeling_qwen2_5_vl.py and _qwen3_vl.
TEST_CASE("model: how tokens are numbered", "[hub]") {
  const std::string text = R"("text_config": {"model_type": "qwen2_5_vl_text", "hidden_size": 2048,
      "num_attention_heads": 16, "rope_parameters": {"rope_type": "default", "mrope_section": [16, 24, 24]}})";
  const std::string vision = R"(, "vision_config": {"spatial_merge_size": 2, "tokens_per_second": 2})";
  const Model qwen = model_of("qwen2_5_vl", text + vision);
  CHECK(qwen.model_type == "qwen2_5_vl_text");
  CHECK(qwen.ids.rule == "qwen2.5-vl");
  CHECK(qwen.ids.merge == 2);
  CHECK(qwen.ids.tokens_per_second == 2);
  CHECK(model_of("llama", R"("head_dim": 128)").ids.rule == "sequence");
  CHECK(model_of("one of your own", R"("head_dim": 128, "rope_scaling": {"rope_type": "default", "mrope_section":
      [16, 24, 24]})")
            .ids.rule.empty());
}

// 1e999 is JSON, and infinite.
TEST_CASE("model: numbers that are infinite are refused by their keys", "[hub]") {
  const std::string sizes = R"("hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, )";
  const auto refuse = [&](const std::string& type, const std::string& key, const std::string& value,
                          const std::string& path, const std::string& shown) {
    refuse_model(R"({"model_type": ")" + type + R"(", )" + sizes + "\"" + key + "\": " + value + "}", path, shown);
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
