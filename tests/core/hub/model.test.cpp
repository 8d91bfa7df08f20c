/// What a model does layer by layer. Numbers: modeling_*.py and configuration_*.py of the model named, of Hugging Face
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
  CHECK(model.layers[1].temperature->offset == 1);
  CHECK(model.layers[1].temperature->period == 4096);
  CHECK(is_near(model.layers[0].score_scale, 1 / std::sqrt(128.0)));
  CHECK(model.config.unknown_keys.empty());
  CHECK_FALSE(model_of("llama4_text", sizes + R"(, "attn_temperature_tuning": false)").layers[1].temperature);
}

// get_llama_4_attn_scale in modeling_ministral3.py.
TEST_CASE("model: Ministral 3's temperature holds in every layer", "[hub]") {
  const Model model = model_of("ministral3", R"("hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128,
      "num_hidden_layers": 34, "rope_parameters": {"type": "yarn", "rope_theta": 1000000.0, "factor": 16.0,
      "original_max_position_embeddings": 16384, "beta_fast": 32.0, "beta_slow": 1.0, "mscale_all_dim": 1.0,
      "mscale": 1.0, "llama_4_scaling_beta": 0.1}})");
  REQUIRE(model.layers.size() == 1);
  REQUIRE(model.layers[0].temperature);
  CHECK(model.layers[0].temperature->slope == 0.1);
  CHECK(model.layers[0].temperature->offset == 0);
  CHECK(model.layers[0].temperature->period == 16384);
  CHECK(is_near(model.layers[0].score_scale, 1 / std::sqrt(128.0)));
  CHECK(model.config.unknown_keys.empty());
}

// yarn_apply_mscale in modeling_deepseek_v3.py; g(40, 1) = 0.1 ln 40 + 1.
TEST_CASE("model: DeepSeek-V3's scale of the scores", "[hub]") {
  const std::string lanes = R"("qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "num_hidden_layers": 61)";
  const std::string yarn = R"(, "rope_scaling": {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096,
      "mscale": 1.0, "mscale_all_dim": 1.0})";
  const double g = 1.3688879454113936;
  CHECK(is_near(model_of("deepseek_v3", lanes + yarn).layers.at(0).score_scale, g * g / std::sqrt(192.0)));
  CHECK(is_near(model_of("deepseek_v3", lanes).layers.at(0).score_scale, 1 / std::sqrt(192.0)));
  CHECK(is_near(model_of("deepseek_v2", lanes + yarn).layers.at(0).score_scale, g * g / std::sqrt(192.0)));
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
  const std::string sizes = R"("hidden_size": 2048, "num_attention_heads": 32, "num_hidden_layers": 2)";
  CHECK(
      is_near(model_of("granite", sizes + R"(, "attention_multiplier": 0.015625)").layers.at(0).score_scale, 0.015625));
  CHECK(is_near(model_of("granite", sizes).layers.at(0).score_scale, 1));
  CHECK(is_near(model_of("llama", sizes).layers.at(0).score_scale, 0.125));
  CHECK_FALSE(model_of("one of your own", sizes).layers.at(0).score_scale);
}

TEST_CASE("model: what cannot be meant is an Error", "[hub]") {
  refuse_model("{}", "head_dim", "none");
  refuse_model(R"({"model_type": "llama4_text", "num_hidden_layers": 4, "attention_chunk_size": 0})",
               "attention_chunk_size", "0");
  refuse_model(R"({"model_type": "llama4_text", "num_hidden_layers": 4, "floor_scale": 0})", "floor_scale", "0");
  refuse_model(R"({"model_type": "llama4_text", "num_hidden_layers": 4, "attn_scale": "x"})", "attn_scale", "x");
}
