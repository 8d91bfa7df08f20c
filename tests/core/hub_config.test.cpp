/// Configs of the shape and with the rotary parameters of well-known models. What each should give is written out here
/// and computed by the formulas of scaling_reference. The parameters were not fetched: they are those commonly known.

#include "posenc/hub_config.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "json.hpp"
#include "scaling_reference.hpp"
#include "testing.hpp"

using posenc::HubConfig;
using posenc::HubPlan;
using posenc::Layout;
using reference::Quad;
using testing::value_of;
namespace scaling = posenc::scaling;

namespace {

HubConfig read(std::string_view json) { return value_of(posenc::read_hub_config(testing::from_json(json))); }

struct Expectation {
  std::int64_t dim;
  std::int64_t rotary_dim;
  Layout layout;
  double base;
  posenc::Scaling scaling = {};
  std::string layer_type = {};
};

void check_plan(HubPlan plan, const Expectation& expected) {
  CHECK(plan.layer_type == expected.layer_type);
  CHECK(plan.rotary.dim == expected.dim);
  CHECK(plan.rotary.rotary_dim.value_or(plan.rotary.dim) == expected.rotary_dim);
  CHECK(plan.rotary.layout == expected.layout);
  // Rules that depend on the length, on both sides of it.
  for (const std::int64_t length : {std::int64_t{100}, std::int64_t{200000}}) {
    const auto exact = reference::scaled({.frequencies = {.dim = expected.rotary_dim, .base = expected.base},
                                          .scaling = expected.scaling,
                                          .length = length});
    CHECK(reference::double_ulp_error(plan.attention_factor, exact.attention_factor) <= 1);
    if (plan.rotary.layout == Layout::unnamed) plan.rotary.layout = Layout::half;
    plan.rotary.length = length;
    value_of(posenc::Rotary::make(plan.rotary));
    const auto made = value_of(
        posenc::Frequencies::make_scaled({.frequencies = {.dim = expected.rotary_dim, .base = plan.rotary.base},
                                          .scaling = plan.rotary.scaling,
                                          .length = length}));
    REQUIRE(made.count() == exact.frequencies.size());
    for (std::size_t i = 0; i < made.count(); ++i)
      CHECK(reference::double_ulp_error(made.radians(i), exact.frequencies[i]) <= 1);
  }
}

/// One plan, and nothing unknown.
void check_model(std::string_view json, const Expectation& expected) {
  const HubConfig config = read(json);
  CHECK(config.unknown_keys.empty());
  REQUIRE(config.plans.size() == 1);
  check_plan(config.plans[0], expected);
}

}  // namespace

TEST_CASE("hub config: Llama 2", "[hub]") {
  check_model(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
                  "max_position_embeddings": 4096, "rope_scaling": null})",
              {128, 128, Layout::half, 10000});
}

TEST_CASE("hub config: Llama 3.1, in the dictionaries of versions 4 and 5", "[hub]") {
  const Expectation expected{128, 128, Layout::half, 500000, scaling::Llama3{8, 1, 4, 8192}};
  check_model(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 500000.0,
                  "max_position_embeddings": 131072, "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0,
                  "high_freq_factor": 4.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"}})",
              expected);
  check_model(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": null,
                  "rope_parameters": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                  "original_max_position_embeddings": 8192, "rope_type": "llama3", "rope_theta": 500000.0}})",
              expected);
}

TEST_CASE("hub config: Llama 4, whose low and high factors are equal", "[hub]") {
  check_model(R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text", "hidden_size": 5120,
                  "num_attention_heads": 40, "head_dim": 128, "rope_theta": 500000.0, "rope_scaling": {"factor": 16.0,
                  "high_freq_factor": 1.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 8192,
                  "rope_type": "llama3"}}})",
              {128, 128, Layout::interleaved, 500000, scaling::Llama3{16, 1, 1, 8192}});
}

TEST_CASE("hub config: Mistral and Mixtral", "[hub]") {
  check_model(R"({"model_type": "mistral", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 10000.0})",
              {128, 128, Layout::half, 10000});
  check_model(R"({"model_type": "mixtral", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 1e6})",
              {128, 128, Layout::half, 1e6});
}

TEST_CASE("hub config: Qwen2.5 with YaRN, Qwen3", "[hub]") {
  check_model(R"({"model_type": "qwen2", "hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1000000.0,
                  "max_position_embeddings": 32768, "rope_scaling": {"factor": 4.0,
                  "original_max_position_embeddings": 32768, "type": "yarn"}})",
              {128, 128, Layout::half, 1e6, scaling::Yarn{.factor = 4, .original_length = 32768}});
  check_model(R"({"model_type": "qwen3", "hidden_size": 5120, "num_attention_heads": 64, "head_dim": 128,
                  "rope_theta": 1000000, "rope_scaling": null})",
              {128, 128, Layout::half, 1e6});
}

TEST_CASE("hub config: Qwen2-VL's sections, under the legacy name and the later one", "[hub]") {
  for (const std::string rope : {R"({"type": "mrope", "mrope_section": [16, 24, 24]})",
                                 R"({"type": "default", "rope_type": "default", "mrope_section": [16, 24, 24]})"}) {
    const std::string json =
        R"({"model_type": "qwen2_vl", "hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1000000.0,
            "rope_scaling": )" +
        rope + "}";
    check_model(json, {128, 128, Layout::half, 1e6});
    CHECK(read(json).plans[0].mrope_section == std::vector<std::int64_t>{16, 24, 24});
    CHECK_FALSE(read(json).plans[0].mrope_interleaved);
  }
}

TEST_CASE("hub config: Qwen3-VL's sections take turns", "[hub]") {
  const std::string_view json = R"({"model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text",
      "hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128, "rope_theta": 5000000,
      "rope_scaling": {"mrope_interleaved": true, "mrope_section": [24, 20, 20], "rope_type": "default"}}})";
  check_model(json, {128, 128, Layout::half, 5e6});
  CHECK(read(json).plans[0].mrope_section == std::vector<std::int64_t>{24, 20, 20});
  CHECK(read(json).plans[0].mrope_interleaved);
}

TEST_CASE("hub config: Phi-3 128k's LongRoPE, with the original length beside the dictionary", "[hub]") {
  // Lists of the published length; the values are the test's own.
  std::vector<double> short_factor;
  std::vector<double> long_factor;
  std::string short_text;
  std::string long_text;
  for (int i = 0; i < 48; ++i) {
    short_factor.push_back(1 + i / 32.0);
    long_factor.push_back(1 + i * 1.25);
    short_text += std::to_string(short_factor.back()) + ", ";
    long_text += std::to_string(long_factor.back()) + ", ";
  }
  for (std::size_t i = 0; i < 48; ++i) short_factor[i] = std::stod(std::to_string(short_factor[i]));
  for (const std::string name : {"su", "longrope"})
    check_model(R"({"model_type": "phi3", "hidden_size": 3072, "num_attention_heads": 32, "rope_theta": 10000.0,
                    "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
                    "rope_scaling": {"type": ")" +
                    name + R"(", "short_factor": [)" + short_text + R"(], "long_factor": [)" + long_text + "]}}",
                {96, 96, Layout::half, 10000, scaling::LongRope{32, 4096, short_factor, long_factor}});
}

TEST_CASE("hub config: DeepSeek-V3 rotates lanes apart, with YaRN", "[hub]") {
  check_model(R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_attention_heads": 128, "qk_rope_head_dim": 64,
                  "qk_nope_head_dim": 128, "rope_theta": 10000, "max_position_embeddings": 163840,
                  "rope_scaling": {"beta_fast": 32, "beta_slow": 1, "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0,
                  "original_max_position_embeddings": 4096, "type": "yarn"}})",
              {64, 64, Layout::deinterleaved, 10000,
               scaling::Yarn{.factor = 40, .original_length = 4096, .mscale = 1, .mscale_all_dim = 1}});
}

TEST_CASE("hub config: Gemma 3, of which the config leaves most to the model", "[hub]") {
  const HubConfig config = read(R"({"model_type": "gemma3", "text_config": {"hidden_size": 2560,
      "model_type": "gemma3_text", "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "sliding_window": 1024}})");
  REQUIRE(config.plans.size() == 2);
  check_plan(config.plans[0], {256, 256, Layout::half, 1e6, scaling::Linear{8}, "full_attention"});
  check_plan(config.plans[1], {256, 256, Layout::half, 10000, {}, "sliding_attention"});
}

TEST_CASE("hub config: Gemma 3 with a dictionary for each layer type", "[hub]") {
  const HubConfig config = read(R"({"model_type": "gemma3_text", "head_dim": 256, "rope_parameters": {
      "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
      "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0}}})");
  REQUIRE(config.plans.size() == 2);
  CHECK(config.unknown_keys.empty());
  check_plan(config.plans[0], {256, 256, Layout::half, 10000, {}, "sliding_attention"});
  check_plan(config.plans[1], {256, 256, Layout::half, 1e6, scaling::Linear{8}, "full_attention"});
}

TEST_CASE("hub config: ModernBERT's global and local bases", "[hub]") {
  for (const std::string bases : {R"("global_rope_theta": 160000.0, "local_rope_theta": 10000.0)",
                                  R"("rope_parameters": {"full_attention": {"rope_type": "default"},
                                                         "sliding_attention": {"rope_type": "default"}})"}) {
    const HubConfig config =
        read(R"({"model_type": "modernbert", "hidden_size": 768, "num_attention_heads": 12, )" + bases + "}");
    REQUIRE(config.plans.size() == 2);
    check_plan(config.plans[0], {64, 64, Layout::half, 160000, {}, "full_attention"});
    check_plan(config.plans[1], {64, 64, Layout::half, 10000, {}, "sliding_attention"});
  }
}

TEST_CASE("hub config: GPT-NeoX 20B and GPT-J 6B rotate some lanes", "[hub]") {
  check_model(R"({"model_type": "gpt_neox", "hidden_size": 6144, "num_attention_heads": 64, "rotary_pct": 0.25,
                  "rotary_emb_base": 10000})",
              {96, 24, Layout::half, 10000});
  check_model(R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64})",
              {256, 64, Layout::interleaved, 10000});
}

TEST_CASE("hub config: Phi-2 and StableLM 2 rotate some lanes", "[hub]") {
  check_model(R"({"model_type": "phi", "hidden_size": 2560, "num_attention_heads": 32, "partial_rotary_factor": 0.4,
                  "rope_theta": 10000.0, "rope_scaling": null})",
              {80, 32, Layout::half, 10000});
  check_model(R"({"model_type": "stablelm", "hidden_size": 2048, "num_attention_heads": 32,
                  "partial_rotary_factor": 0.25, "rope_theta": 10000})",
              {64, 16, Layout::half, 10000});
}

TEST_CASE("hub config: ChatGLM3, GLM-4 chat and GLM-4 rotate half of the lanes", "[hub]") {
  check_model(R"({"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "kv_channels": 128})",
              {128, 64, Layout::interleaved, 10000});
  check_model(R"({"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "kv_channels": 128,
                  "rope_ratio": 500})",
              {128, 64, Layout::interleaved, 5e6});
  check_model(R"({"model_type": "glm4", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128,
                  "partial_rotary_factor": 0.5, "rope_theta": 10000.0})",
              {128, 64, Layout::interleaved, 10000});
}

TEST_CASE("hub config: gpt-oss does not truncate YaRN's ramp", "[hub]") {
  check_model(R"({"model_type": "gpt_oss", "hidden_size": 2880, "num_attention_heads": 64, "head_dim": 64,
                  "rope_theta": 150000, "max_position_embeddings": 131072, "rope_scaling": {"beta_fast": 32.0,
                  "beta_slow": 1.0, "factor": 32.0, "original_max_position_embeddings": 4096, "rope_type": "yarn",
                  "truncate": false}})",
              {64, 64, Layout::half, 150000, scaling::Yarn{.factor = 32, .original_length = 4096, .truncate = false}});
}

TEST_CASE("hub config: Command R, InternLM2 with dynamic NTK, Hunyuan with alpha", "[hub]") {
  check_model(R"({"model_type": "cohere", "hidden_size": 8192, "num_attention_heads": 64, "rope_theta": 8000000.0})",
              {128, 128, Layout::interleaved, 8e6});
  check_model(R"({"model_type": "internlm2", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 1000000,
                  "max_position_embeddings": 32768, "rope_scaling": {"factor": 2.0, "type": "dynamic"}})",
              {128, 128, Layout::unnamed, 1e6, scaling::DynamicNtk{2, 32768}});
  const HubConfig config = read(R"({"model_type": "hunyuan", "head_dim": 128, "rope_theta": 10000.0,
      "rope_scaling": {"alpha": 1000.0, "beta_fast": 32, "factor": 1.0, "type": "dynamic"}})");
  check_plan(config.plans.at(0), {128, 128, Layout::unnamed, 10000, scaling::StaticNtk{1000}});
  CHECK(config.unknown_keys == std::vector<std::string>{"rope_scaling.beta_fast", "rope_scaling.factor"});
}

TEST_CASE("hub config: proportional turns a fraction of the pairs of the whole head", "[hub]") {
  const HubConfig config = read(R"({"model_type": "new", "head_dim": 256, "global_head_dim": 512, "rope_parameters": {
      "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000000.0},
      "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}, "other": null}})");
  REQUIRE(config.plans.size() == 2);
  check_plan(config.plans[0], {512, 512, Layout::unnamed, 1e6, scaling::Proportional{0.25, 1}, "full_attention"});
  check_plan(config.plans[1], {256, 256, Layout::unnamed, 10000, {}, "sliding_attention"});
}

TEST_CASE("hub config: which original length wins, and what stands in for a factor", "[hub]") {
  const auto rule_of = [](const std::string& beside, const std::string& inside) {
    const auto plan = read(R"({"head_dim": 64, "max_position_embeddings": 8192, )" + beside +
                           R"("rope_scaling": {"type": "yarn")" + inside + "}}")
                          .plans.at(0);
    return std::get<scaling::Yarn>(plan.rotary.scaling);
  };
  const std::string inside = R"(, "original_max_position_embeddings": 1024)";
  CHECK(rule_of(R"("original_max_position_embeddings": 2048, )", inside).original_length == 2048);
  CHECK(rule_of(R"("original_max_position_embeddings": 2048, )", inside).factor == 4);
  CHECK(rule_of("", inside).original_length == 1024);
  CHECK(rule_of("", inside + R"(, "factor": 3)").factor == 3);
  CHECK(rule_of("", "").original_length == 8192);
  CHECK(rule_of("", "").factor == 1);
  // With a dictionary for each layer type, its own wins.
  const auto nested = read(R"({"head_dim": 64, "original_max_position_embeddings": 2048, "rope_parameters": {
      "full_attention": {"rope_type": "yarn", "factor": 2, "original_max_position_embeddings": 1024}}})");
  CHECK(std::get<scaling::Yarn>(nested.plans.at(0).rotary.scaling).original_length == 1024);
}

TEST_CASE("hub config: keys that have no say are reported", "[hub]") {
  CHECK(read(R"({"head_dim": 64, "rope_scaling": {"type": "linear", "factor": 2, "finetuned": true, "beta_fast": 3}})")
            .unknown_keys == std::vector<std::string>{"rope_scaling.finetuned", "rope_scaling.beta_fast"});
  CHECK(read(R"({"head_dim": 64, "rope_parameters": {"full_attention": {"factr": 2}}})").unknown_keys ==
        std::vector<std::string>{"rope_parameters.full_attention.factr"});
}
