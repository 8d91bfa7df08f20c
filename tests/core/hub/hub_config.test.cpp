/// Configs with the rotary parameters of published models. What each should give is written out here and computed by
/// the formulas of scaling_reference. Each test names the source of its parameters: a published config.json (of the
/// model itself, or of a copy or fine-tuned model that names it), a configuration_*.py of Hugging Face transformers, or
/// nowhere.

#include "posenc/hub/hub_config.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "frequencies/scaling_reference.hpp"
#include "hub/json.hpp"
#include "testing/testing.hpp"

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

// Llama-2-7b: not read; hidden size and heads are well known, and no other key matters.
TEST_CASE("hub config: Llama 2", "[hub]") {
  check_model(R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
                  "max_position_embeddings": 4096, "rope_scaling": null})",
              {128, 128, Layout::half, 10000});
}

// config.json of copies of Meta-Llama-3.1-8B (versions 4.43 to 4.46).
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

// Llama-4-Scout's rope_scaling as quoted in a test of another project; the rest: configuration_llama4.py.
TEST_CASE("hub config: Llama 4, whose low and high factors are equal", "[hub]") {
  check_model(R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text", "hidden_size": 5120,
                  "num_attention_heads": 40, "head_dim": 128, "rope_theta": 500000.0, "rope_scaling": {"factor": 16.0,
                  "high_freq_factor": 1.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 8192,
                  "rope_type": "llama3"}}})",
              {128, 128, Layout::interleaved, 500000, scaling::Llama3{16, 1, 1, 8192}});
}

// Sizes are well known; Mixtral's default base: configuration_mixtral.py.
TEST_CASE("hub config: Mistral and Mixtral", "[hub]") {
  check_model(R"({"model_type": "mistral", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 10000.0})",
              {128, 128, Layout::half, 10000});
  check_model(R"({"model_type": "mixtral", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 1e6})",
              {128, 128, Layout::half, 1e6});
  check_model(R"({"model_type": "mixtral", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": null})",
              {128, 128, Layout::half, 1e6});
}

// Qwen2.5-7B: not read; the dictionary is the one that its model card recommends. Qwen3-8B: a copy of its config.json.
TEST_CASE("hub config: Qwen2.5 with YaRN, Qwen3", "[hub]") {
  check_model(R"({"model_type": "qwen2", "hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1000000.0,
                  "max_position_embeddings": 32768, "rope_scaling": {"factor": 4.0,
                  "original_max_position_embeddings": 32768, "type": "yarn"}})",
              {128, 128, Layout::half, 1e6, scaling::Yarn{.factor = 4, .original_length = 32768}});
  check_model(R"({"model_type": "qwen3", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128,
                  "max_position_embeddings": 40960, "rope_theta": 1000000, "rope_scaling": null})",
              {128, 128, Layout::half, 1e6});
}

// config.json of Qwen2-VL-7B-Captioner-Relaxed, a fine-tuned Qwen2-VL-7B (version 4.45); "mrope" is the older name.
TEST_CASE("hub config: Qwen2-VL's sections, under the legacy name and the later one", "[hub]") {
  for (const std::string rope : {R"({"type": "mrope", "mrope_section": [16, 24, 24]})",
                                 R"({"type": "default", "rope_type": "default", "mrope_section": [16, 24, 24]})"}) {
    const std::string json =
        R"({"model_type": "qwen2_vl", "hidden_size": 3584, "num_attention_heads": 28, "rope_theta": 1000000.0,
            "rope_scaling": )" +
        rope + "}";
    check_model(json, {128, 128, Layout::half, 1e6});
    CHECK(read(json).plans[0].mrope_section == std::vector<std::int64_t>{16, 24, 24});
    CHECK_FALSE(read(json).plans[0].mrope_order == posenc::MropeOrder::interleaved);
  }
}

// config.json of a fine-tuned Qwen3-VL-32B (version 5.0), and its dictionary as version 4 writes it.
TEST_CASE("hub config: Qwen3-VL's sections are interleaved", "[hub]") {
  for (const std::string rope :
       {R"("rope_theta": 5000000, "rope_scaling": {"mrope_interleaved": true, "mrope_section": [24, 20, 20],
                                                   "rope_type": "default"})",
        R"("rope_parameters": {"mrope_interleaved": true, "mrope_section": [24, 20, 20], "rope_theta": 5000000,
                               "rope_type": "default"})"}) {
    const std::string json = R"({"model_type": "qwen3_vl", "hidden_size": 5120, "text_config": {"head_dim": 128,
        "model_type": "qwen3_vl_text", "hidden_size": 5120, "num_attention_heads": 64, )" +
                             rope + "}}";
    check_model(json, {128, 128, Layout::half, 5e6});
    CHECK(read(json).plans[0].mrope_section == std::vector<std::int64_t>{24, 20, 20});
    CHECK(read(json).plans[0].mrope_order == posenc::MropeOrder::interleaved);
  }
}

/// This is from the first revision of Phi-3-mini-128k-instruct, which Phi-3-vision-128k-instruct has too.
constexpr std::string_view phi3_short =
    "[1.05, 1.05, 1.05, 1.1, 1.1, 1.1, 1.2500000000000002, 1.2500000000000002,"
    "1.4000000000000004, 1.4500000000000004, 1.5500000000000005, 1.8500000000000008, 1.9000000000000008,"
    "2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001,"
    "2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001,"
    "2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001, 2.000000000000001,"
    "2.000000000000001, 2.1000000000000005, 2.1000000000000005, 2.2, 2.3499999999999996, 2.3499999999999996,"
    "2.3499999999999996, 2.3499999999999996, 2.3999999999999995, 2.3999999999999995, 2.6499999999999986,"
    "2.6999999999999984, 2.8999999999999977, 2.9499999999999975, 3.049999999999997, 3.049999999999997,"
    "3.049999999999997]";
constexpr std::string_view phi3_long =
    "[1.0299999713897705, 1.0499999523162842, 1.0499999523162842,"
    "1.0799999237060547, 1.2299998998641968, 1.2299998998641968, 1.2999999523162842, 1.4499999284744263,"
    "1.5999999046325684, 1.6499998569488525, 1.8999998569488525, 2.859999895095825, 3.68999981880188,"
    "5.419999599456787, 5.489999771118164, 5.489999771118164, 9.09000015258789, 11.579999923706055, 15.65999984741211,"
    "15.769999504089355, 15.789999961853027, 18.360000610351562, 21.989999771118164, 23.079999923706055,"
    "30.009998321533203, 32.35000228881836, 32.590003967285156, 35.56000518798828, 39.95000457763672,"
    "53.840003967285156, 56.20000457763672, 57.95000457763672, 59.29000473022461, 59.77000427246094,"
    "59.920005798339844, 61.190006256103516, 61.96000671386719, 62.50000762939453, 63.3700065612793, 63.48000717163086,"
    "63.48000717163086, 63.66000747680664, 63.850006103515625, 64.08000946044922, 64.760009765625, 64.80001068115234,"
    "64.81001281738281, 64.81001281738281]";

static std::vector<double> numbers(std::string_view json) {
  std::vector<double> numbers;
  const posenc::ConfigValue list = testing::from_json(json);
  for (const posenc::ConfigValue& item : std::get<posenc::ConfigValue::List>(list.value))
    numbers.push_back(std::get<double>(item.value));
  return numbers;
}

// config.json of Phi-3-mini-128k-instruct and copies of it. Version 5 reads "yarn" as Phi-3's older name for it.
TEST_CASE("hub config: Phi-3 128k's LongRoPE, with the original length beside the dictionary", "[hub]") {
  const Expectation expected{96, 96, Layout::half, 10000,
                             scaling::Longrope{32, 4096, numbers(phi3_short), numbers(phi3_long)}};
  for (const std::string name : {"su", "longrope", "yarn"})
    check_model(R"({"model_type": "phi3", "hidden_size": 3072, "num_attention_heads": 32, "rope_theta": 10000.0,
                    "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
                    "rope_scaling": {"type": ")" +
                    name + R"(", "short_factor": )" + std::string(phi3_short) + R"(, "long_factor": )" +
                    std::string(phi3_long) + "}}",
                expected);
}

// Phi-3.5-MoE-instruct's config.json; of its 64 values a list only the first 8, for heads of 16 dimensions. What the
// two factors do: modeling_phimoe.py.
TEST_CASE("hub config: Phi-3.5-MoE gives LongRoPE's attention factor under names of its own", "[hub]") {
  const std::string short_factor =
      "[1.0, 1.0399999618530273, 1.0399999618530273, 1.0399999618530273, 1.0499999523162842,"
      "1.0499999523162842, 1.0499999523162842, 1.0499999523162842]";
  const std::string long_factor =
      "[1.0199999809265137, 1.0299999713897705, 1.0399999618530273, 1.0499999523162842,"
      "1.0499999523162842, 1.0499999523162842, 1.059999942779541, 1.059999942779541]";
  check_model(R"({"model_type": "phimoe", "hidden_size": 512, "num_attention_heads": 32, "rope_theta": 10000.0,
                  "max_position_embeddings": 131072, "original_max_position_embeddings": 4096, "rope_scaling": {
                  "long_mscale": 1.243163121016122, "short_mscale": 1.243163121016122, "type": "longrope",
                  "original_max_position_embeddings": 4096, "short_factor": )" +
                  short_factor + R"(, "long_factor": )" + long_factor + "}}",
              {16, 16, Layout::half, 10000,
               scaling::Longrope{32, 4096, numbers(short_factor), numbers(long_factor), 1.243163121016122}});
}

// config.json of DeepSeek-V3 and copies; layout and flag: modular_deepseek_v3.py.
TEST_CASE("hub config: DeepSeek-V3 rotates dimensions apart, with YaRN", "[hub]") {
  check_model(R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_attention_heads": 128, "qk_rope_head_dim": 64,
                  "qk_nope_head_dim": 128, "rope_theta": 10000, "max_position_embeddings": 163840,
                  "rope_scaling": {"beta_fast": 32, "beta_slow": 1, "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0,
                  "original_max_position_embeddings": 4096, "type": "yarn"}})",
              {64, 64, Layout::deinterleaved, 10000,
               scaling::Yarn{.factor = 40, .original_length = 4096, .mscale = 1, .mscale_all_dim = 1}});
  check_model(R"({"model_type": "deepseek_v3", "rope_interleave": true})", {64, 64, Layout::deinterleaved, 10000});
  check_model(R"({"model_type": "deepseek_v3", "rope_interleave": false})", {64, 64, Layout::half, 10000});
}

// gemma-3-4b-it, as other projects quote it; the rest: configuration_gemma3.py.
TEST_CASE("hub config: Gemma 3, of which the config leaves most to the model", "[hub]") {
  const HubConfig config = read(R"({"model_type": "gemma3", "text_config": {"hidden_size": 2560,
      "model_type": "gemma3_text", "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "sliding_window": 1024}})");
  REQUIRE(config.plans.size() == 2);
  check_plan(config.plans[0], {256, 256, Layout::half, 1e6, scaling::Linear{8}, "full_attention"});
  check_plan(config.plans[1], {256, 256, Layout::half, 10000, {}, "sliding_attention"});
}

// Defaults of configuration_gemma3.py (version 5), which fills up what is missing.
TEST_CASE("hub config: Gemma 3 with a dictionary for each layer type", "[hub]") {
  const HubConfig config = read(R"({"model_type": "gemma3_text", "head_dim": 256, "rope_parameters": {
      "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
      "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0}}})");
  REQUIRE(config.plans.size() == 2);
  CHECK(config.unknown_keys.empty());
  check_plan(config.plans[0], {256, 256, Layout::half, 10000, {}, "sliding_attention"});
  check_plan(config.plans[1], {256, 256, Layout::half, 1e6, scaling::Linear{8}, "full_attention"});
  const HubConfig sparse = read(R"({"model_type": "gemma3_text", "rope_parameters": {
      "full_attention": {"rope_type": "linear", "factor": 8.0}, "sliding_attention": null}})");
  REQUIRE(sparse.plans.size() == 2);
  check_plan(sparse.plans[0], {256, 256, Layout::half, 1e6, scaling::Linear{8}, "full_attention"});
  check_plan(sparse.plans[1], {256, 256, Layout::half, 10000, {}, "sliding_attention"});
}

// gemma-3-1b-it: a quantised copy's config.json (version 4.50).
TEST_CASE("hub config: Gemma 3 1B names both bases and scales neither", "[hub]") {
  const HubConfig config = read(R"({"model_type": "gemma3_text", "head_dim": 256, "hidden_size": 1152,
      "num_attention_heads": 4, "max_position_embeddings": 32768, "rope_local_base_freq": 10000, "rope_scaling": null,
      "rope_theta": 1000000, "sliding_window": 512, "sliding_window_pattern": 6})");
  REQUIRE(config.plans.size() == 2);
  check_plan(config.plans[0], {256, 256, Layout::half, 1e6, {}, "full_attention"});
  check_plan(config.plans[1], {256, 256, Layout::half, 10000, {}, "sliding_attention"});
}

// modular_olmo3.py (version 5): a dictionary for all layers scales full attention alone.
TEST_CASE("hub config: OLMo 3 leaves sliding attention unscaled, at the same base", "[hub]") {
  const HubConfig config = read(R"({"model_type": "olmo3", "hidden_size": 4096, "num_attention_heads": 32,
      "rope_theta": 500000, "rope_scaling": {"rope_type": "yarn", "factor": 8.0, "attention_factor": 1.2,
      "beta_fast": 32, "beta_slow": 1, "original_max_position_embeddings": 8192}})");
  REQUIRE(config.plans.size() == 2);
  check_plan(config.plans[0],
             {128, 128, Layout::half, 500000,
              scaling::Yarn{.factor = 8, .original_length = 8192, .attention_factor = 1.2}, "full_attention"});
  check_plan(config.plans[1], {128, 128, Layout::half, 500000, {}, "sliding_attention"});
}

// config.json of ModernBERT-base and of a model with another local base; null and dictionaries: modeling and
// configuration files of modernbert (version 4) and modernbert_decoder (5). Layers 0, 3, 6, ... have full attention.
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
  const auto local_base = [](const std::string& members) {
    return read(R"({"model_type": "modernbert", "hidden_size": 768, "num_attention_heads": 12, )" + members + "}")
        .plans.at(1)
        .rotary.base;
  };
  CHECK(local_base(R"("global_rope_theta": 160000.0, "local_rope_theta": 160000.0)") == 160000);
  CHECK(local_base(R"("global_rope_theta": 20000.0, "local_rope_theta": null)") == 20000);
  CHECK(local_base(R"("local_rope_theta": null)") == 160000);
  // A key that ModernBERT does not have.
  CHECK(local_base(R"("global_rope_theta": 20000.0, "rope_theta": 3, "local_rope_theta": null)") == 20000);
  const HubConfig scaled = read(R"({"model_type": "modernbert", "hidden_size": 768, "num_attention_heads": 12,
      "rope_scaling": {"type": "linear", "factor": 2, "other": 1}})");
  REQUIRE(scaled.plans.size() == 2);
  check_plan(scaled.plans[0], {64, 64, Layout::half, 160000, scaling::Linear{2}, "full_attention"});
  check_plan(scaled.plans[1], {64, 64, Layout::half, 10000, scaling::Linear{2}, "sliding_attention"});
  CHECK(scaled.unknown_keys == std::vector<std::string>{"rope_scaling.other"});
}

// config.json of copies of gpt-neox-20b; gpt-j-6b as other projects quote it. Defaults: their configuration files.
TEST_CASE("hub config: GPT-NeoX 20B and GPT-J 6B rotate some dimensions", "[hub]") {
  check_model(R"({"model_type": "gpt_neox", "hidden_size": 6144, "num_attention_heads": 64, "rotary_pct": 0.25,
                  "rotary_emb_base": 10000})",
              {96, 24, Layout::half, 10000});
  check_model(R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64})",
              {256, 64, Layout::interleaved, 10000});
  check_model(R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16})", {256, 64, Layout::interleaved, 10000});
  check_model(R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": null})",
              {256, 256, Layout::interleaved, 10000});
}

// phi-2 as other projects quote it; StableLM 2: sizes not read, the fraction from configuration_stablelm.py.
TEST_CASE("hub config: Phi-2 and StableLM 2 rotate some dimensions", "[hub]") {
  check_model(R"({"model_type": "phi", "hidden_size": 2560, "num_attention_heads": 32, "partial_rotary_factor": 0.4,
                  "rope_theta": 10000.0, "rope_scaling": null})",
              {80, 32, Layout::half, 10000});
  check_model(R"({"model_type": "stablelm", "hidden_size": 2048, "num_attention_heads": 32,
                  "partial_rotary_factor": 0.25, "rope_theta": 10000})",
              {64, 16, Layout::half, 10000});
}

// config.json of chatglm3-6b, -32k and -128k, and of a model fine-tuned from GLM-4-9B-0414 (version 5.5).
TEST_CASE("hub config: ChatGLM3, GLM-4 chat and GLM-4 rotate half of the dimensions", "[hub]") {
  check_model(R"({"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "kv_channels": 128})",
              {128, 64, Layout::interleaved, 10000});
  check_model(R"({"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "kv_channels": 128,
                  "rope_ratio": 50})",
              {128, 64, Layout::interleaved, 5e5});
  check_model(R"({"model_type": "chatglm", "hidden_size": 4096, "num_attention_heads": 32, "kv_channels": 128,
                  "rope_ratio": 500})",
              {128, 64, Layout::interleaved, 5e6});
  check_model(R"({"model_type": "glm4", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128,
                  "partial_rotary_factor": 0.5, "rope_theta": 10000.0})",
              {128, 64, Layout::interleaved, 10000});
  check_model(R"({"model_type": "glm4", "hidden_size": 4096, "num_attention_heads": 32, "head_dim": 128,
                  "partial_rotary_factor": 0.5, "rope_parameters": {"partial_rotary_factor": 0.5,
                  "rope_theta": 10000.0, "rope_type": "default"}})",
              {128, 64, Layout::interleaved, 10000});
}

// configuration_gpt_oss.py, whose defaults are these.
TEST_CASE("hub config: gpt-oss does not truncate YaRN's ramp", "[hub]") {
  check_model(R"({"model_type": "gpt_oss", "hidden_size": 2880, "num_attention_heads": 64, "head_dim": 64,
                  "rope_theta": 150000, "max_position_embeddings": 131072, "rope_scaling": {"beta_fast": 32.0,
                  "beta_slow": 1.0, "factor": 32.0, "original_max_position_embeddings": 4096, "rope_type": "yarn",
                  "truncate": false}})",
              {64, 64, Layout::half, 150000, scaling::Yarn{.factor = 32, .original_length = 4096, .truncate = false}});
}

// Command R, internlm2_5-7b and Hunyuan-Large as other projects quote them. What dynamic NTK reads: version 5's
// modeling_rope_utils.py, which leaves an original length out of account.
TEST_CASE("hub config: Command R, InternLM2 with dynamic NTK, Hunyuan with alpha", "[hub]") {
  check_model(R"({"model_type": "cohere", "hidden_size": 8192, "num_attention_heads": 64, "rope_theta": 8000000.0})",
              {128, 128, Layout::interleaved, 8e6});
  check_model(R"({"model_type": "internlm2", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 1000000,
                  "max_position_embeddings": 32768, "rope_scaling": {"factor": 2.0, "type": "dynamic"}})",
              {128, 128, Layout::unnamed, 1e6, scaling::Dynamic{2, 32768}});
  const HubConfig extended = read(R"({"head_dim": 128, "max_position_embeddings": 32768, "rope_scaling": {
      "factor": 2.0, "type": "dynamic", "original_max_position_embeddings": 4096}})");
  check_plan(extended.plans.at(0), {128, 128, Layout::unnamed, 10000, scaling::Dynamic{2, 32768}});
  CHECK(extended.unknown_keys == std::vector<std::string>{"rope_scaling.original_max_position_embeddings"});
  const HubConfig config = read(R"({"model_type": "hunyuan", "head_dim": 128, "rope_theta": 10000.0,
      "rope_scaling": {"alpha": 1000.0, "beta_fast": 32, "factor": 1.0, "type": "dynamic"}})");
  check_plan(config.plans.at(0), {128, 128, Layout::unnamed, 10000, scaling::Ntk{1000}});
  CHECK(config.unknown_keys == std::vector<std::string>{"rope_scaling.beta_fast", "rope_scaling.factor"});
}

// The form of Gemma 4's dictionaries; the rule: version 5's modeling_rope_utils.py.
TEST_CASE("hub config: proportional rotates a fraction of the pairs of the whole head", "[hub]") {
  const HubConfig config = read(R"({"model_type": "mine", "head_dim": 256, "global_head_dim": 512, "rope_parameters": {
      "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000000.0},
      "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}, "other": null}})");
  REQUIRE(config.plans.size() == 2);
  check_plan(config.plans[0], {512, 512, Layout::unnamed, 1e6, scaling::Proportional{0.25, 1}, "full_attention"});
  check_plan(config.plans[1], {256, 256, Layout::unnamed, 10000, {}, "sliding_attention"});
}

TEST_CASE("hub config: the original length that takes precedence, and the ratio in place of a missing factor",
          "[hub]") {
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

TEST_CASE("hub config: keys without effect are reported", "[hub]") {
  CHECK(read(R"({"head_dim": 64, "rope_parameters": {"full_attention": {"rope_type": "yarn", "factor": 2,
                "original_max_position_embeddings": 4096, "truncate": false}}})")
            .unknown_keys == std::vector<std::string>{"rope_parameters.full_attention.truncate"});
  CHECK(read(R"({"head_dim": 64, "rope_scaling": {"type": "linear", "factor": 2, "finetuned": true, "beta_fast": 3}})")
            .unknown_keys == std::vector<std::string>{"rope_scaling.finetuned", "rope_scaling.beta_fast"});
  CHECK(read(R"({"head_dim": 64, "rope_parameters": {"full_attention": {"factr": 2}}})").unknown_keys ==
        std::vector<std::string>{"rope_parameters.full_attention.factr"});
}
