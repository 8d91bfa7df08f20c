/// Models published since the middle of 2025. Unless their name says otherwise the numbers are the defaults of
/// configuration_MODEL.py, by which transformers fills up a config, and the verdict (layout, dimensions, which layers
/// rotate) was read in modeling_MODEL.py beside it: Hugging Face transformers, version 5, of 17 August 2026 (copied in
/// 8b-is/transformers at e8c4f0b7); MODEL is the model_type without "_text".

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "hub/json.hpp"
#include "posenc/base/check.hpp"
#include "posenc/hub/hub_config.hpp"
#include "testing/testing.hpp"

using posenc::HubConfig;

namespace {

struct PublishedModel {
  const char* model_type;
  const char* name;
  const char* members;
  const char* verdict;
};

/// The encoding; for each plan its layer type, layout, dimensions, rotated dimensions, base and rule; how many layers
/// rotate.
std::string verdict_of(const HubConfig& config) {
  std::string verdict(posenc::name_of(config.encoding));
  for (const posenc::HubPlan& plan : config.plans) {
    const posenc::RotaryOptions& rotary = plan.rotary;
    verdict += " | " + plan.layer_type + (plan.layer_type.empty() ? "" : " ") +
               std::string(posenc::name_of(rotary.layout)) + " " + posenc::decimal(rotary.dim) + "/" +
               posenc::decimal(rotary.rotary_dim.value_or(rotary.dim)) + " " +
               posenc::decimal(static_cast<std::int64_t>(rotary.base));
    const std::string rule(posenc::name_of(rotary.scaling));
    if (rule != "default") verdict += " " + rule;
    if (plan.inverse) verdict += " inverse";
  }
  std::int64_t all = 0;
  std::int64_t rotating = 0;
  for (const posenc::HubLayers& layers : config.layers) {
    all += layers.count;
    if (plan_of(config, layers) != nullptr) rotating += layers.count;
  }
  return verdict + " | " + posenc::decimal(rotating) + " of " + posenc::decimal(all);
}

constexpr PublishedModel published_models[]{
    {"smollm3", "SmolLM3, one in four without",
     R"("hidden_size": 2048, "num_attention_heads": 16, "num_hidden_layers": 36)",
     "rotary | half 128/128 2000000 | 27 of 36"},
    {"ernie4_5", "ERNIE-4.5-0.3B",
     R"("hidden_size": 1024, "num_attention_heads": 16, "num_hidden_layers": 18, "head_dim": 128)",
     "rotary | interleaved 128/128 500000 | 18 of 18"},
    {"ernie4_5_moe", "ERNIE-4.5-21B-A3B", R"("hidden_size": 2560, "num_attention_heads": 20, "num_hidden_layers": 28)",
     "rotary | interleaved 128/128 500000 | 28 of 28"},
    {"exaone4", "EXAONE 4.0",
     R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32, "sliding_window": 4096, "sliding_window_pattern": 4)",
     "rotary | half 128/128 10000 | 24 of 32"},
    {"exaone_moe", "K-EXAONE",
     R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32, "sliding_window": 4096, "sliding_window_pattern": 4)",
     "rotary | half 128/128 10000 | 24 of 32"},
    {"seed_oss", "Seed-OSS-36B",
     R"("hidden_size": 4096, "num_attention_heads": 80, "num_hidden_layers": 64, "head_dim": 128)",
     "rotary | half 128/128 10000 | 64 of 64"},
    {"apertus", "Apertus-8B", R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32)",
     "rotary | half 128/128 12000000 | 32 of 32"},
    {"arcee", "AFM-4.5B",
     R"("hidden_size": 2560, "num_attention_heads": 32, "num_hidden_layers": 32, "head_dim": null)",
     "rotary | half 80/80 10000 | 32 of 32"},
    {"qwen3_next", "Qwen3-Next",
     R"("hidden_size": 2048, "num_attention_heads": 16, "num_hidden_layers": 48, "head_dim": 256, "full_attention_interval": 4)",
     "rotary | half 256/64 10000 | 12 of 48"},
    {"qwen3_5_text", "Qwen3.5-27B",
     R"("hidden_size": 4096, "num_attention_heads": 16, "num_hidden_layers": 32, "head_dim": 256)",
     "rotary | half 256/64 10000 | 8 of 32"},
    {"qwen3_5_moe_text", "Qwen3.5-35B-A3B",
     R"("hidden_size": 2048, "num_attention_heads": 16, "num_hidden_layers": 40, "head_dim": 256)",
     "rotary | half 256/64 10000 | 10 of 40"},
    {"qwen3_vl_text", "Qwen3-VL-4B",
     R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32, "head_dim": 128)",
     "rotary | half 128/128 500000 | 32 of 32"},
    {"hunyuan_v1_dense", "Hunyuan-7B",
     R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32, "head_dim": null)",
     "rotary | half 128/128 10000 | 32 of 32"},
    {"hunyuan_v1_moe", "Hunyuan-A13B",
     R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32, "head_dim": null)",
     "rotary | half 128/128 10000 | 32 of 32"},
    {"hy_v3", "Hy3-preview",
     R"("hidden_size": 4096, "num_attention_heads": 64, "num_hidden_layers": 80, "head_dim": 128)",
     "rotary | half 128/128 11158840 | 80 of 80"},
    {"lfm2", "LFM2-1.2B, of whose class the sizes are",
     R"("hidden_size": 2560, "num_attention_heads": 32, "num_hidden_layers": 4, "layer_types": ["conv", "conv", "full_attention", "conv"])",
     "rotary | half 80/80 1000000 | 1 of 4"},
    {"lfm2_moe", "LFM2-8B-A1B, likewise",
     R"("hidden_size": 2048, "num_attention_heads": 32, "num_hidden_layers": 4, "layer_types": ["conv", "full_attention", "conv", "full_attention"])",
     "rotary | half 64/64 1000000 | 2 of 4"},
    {"falcon_h1", "Falcon-H1", R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32)",
     "rotary | half 128/128 10000 | 32 of 32"},
    {"minimax_m2", "MiniMax-M2",
     R"("hidden_size": 3072, "num_attention_heads": 48, "num_hidden_layers": 62, "head_dim": 128, "rotary_dim": 64)",
     "rotary | half 128/64 5000000 | 62 of 62"},
    {"olmo3", "Olmo-3-7B",
     R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32, "sliding_window": 4096)",
     "rotary | full_attention half 128/128 500000 | sliding_attention half 128/128 500000 | 32 of 32"},
    {"flex_olmo", "FlexOlmo-7x7B-1T", R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32)",
     "rotary | half 128/128 500000 | 32 of 32"},
    {"olmo_hybrid", "Olmo-Hybrid, whose converter writes both nulls",
     R"("hidden_size": 3840, "num_attention_heads": 30, "num_hidden_layers": 32, "rope_parameters": null, "rope_theta": null)",
     "none | 0 of 32"},
    {"ministral3", "Ministral 3",
     R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 34, "head_dim": 128,
     "rope_parameters": {"type": "yarn", "rope_theta": 1000000.0, "factor": 16.0, "beta_fast": 32.0, "beta_slow": 1.0,
     "original_max_position_embeddings": 16384, "mscale_all_dim": 1.0, "mscale": 1.0})",
     "rotary | half 128/128 1000000 yarn | 34 of 34"},
    {"mistral4", "Mistral 4",
     R"("hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 36, "qk_rope_head_dim": 64, "qk_nope_head_dim": 64,
     "rope_parameters": {"type": "yarn", "rope_theta": 10000.0, "factor": 128.0,
     "original_max_position_embeddings": 8192, "mscale_all_dim": 1.0, "mscale": 1.0, "partial_rotary_factor": 0.5})",
     "rotary | deinterleaved 64/64 10000 yarn | 36 of 36"},
    {"afmoe", "Trinity",
     R"("hidden_size": 2048, "num_attention_heads": 16, "num_hidden_layers": 32, "head_dim": 128, "global_attn_every_n_layers": 4)",
     "rotary | half 128/128 10000 | 24 of 32"},
    {"mimo_v2_flash", "MiMo-V2-Flash",
     R"("hidden_size": 4096, "num_attention_heads": 64, "num_hidden_layers": 48, "head_dim": 192, "rope_parameters": {
     "full_attention": {"rope_type": "default", "rope_theta": 5000000.0, "partial_rotary_factor": 0.334},
     "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.334}})",
     "rotary | full_attention half 192/64 5000000 | sliding_attention half 192/64 10000 | 48 of 48"},
    {"glm4_moe_lite", "GLM-4.7-Flash",
     R"("hidden_size": 2048, "num_attention_heads": 20, "num_hidden_layers": 47, "qk_rope_head_dim": 64, "qk_nope_head_dim": 192, "rope_interleave": true)",
     "rotary | deinterleaved 64/64 10000 | 47 of 47"},
    {"glm_moe_dsa", "GLM-5",
     R"("hidden_size": 6144, "num_attention_heads": 64, "num_hidden_layers": 78, "qk_rope_head_dim": 64, "qk_nope_head_dim": 192, "head_dim": 64)",
     "rotary | deinterleaved 64/64 10000 | 78 of 78"},
    {"glm4_moe", "GLM-4.5: mlx-lm d78bf58e, tests/test_models.py",
     R"("hidden_size": 128, "num_attention_heads": 4, "num_hidden_layers": 4, "head_dim": 32, "rope_theta": 1000, "rope_scaling": null, "partial_rotary_factor": 0.5)",
     "rotary | half 32/16 1000 | 4 of 4"},
    {"solar_open", "Solar-Open-100B",
     R"("hidden_size": 4096, "num_attention_heads": 64, "num_hidden_layers": 48, "head_dim": 128)",
     "rotary | half 128/128 1000000 | 48 of 48"},
    {"youtu", "Youtu-LLM-2B",
     R"("hidden_size": 2048, "num_attention_heads": 16, "num_hidden_layers": 32, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "rope_interleave": true)",
     "rotary | deinterleaved 64/64 10000 | 32 of 32"},
    {"axk1", "A.X-K1",
     R"("hidden_size": 7168, "num_attention_heads": 64, "num_hidden_layers": 61, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128)",
     "rotary | deinterleaved 64/64 10000 | 61 of 61"},
    {"longcat_flash", "LongCat-Flash-Chat",
     R"("hidden_size": 6144, "num_attention_heads": 64, "num_hidden_layers": 56, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "head_dim": 64)",
     "rotary | deinterleaved 64/64 10000000 | 56 of 56"},
    {"kimi_linear", "Kimi-Linear-48B-A3B, by mlx-lm d78bf58e, models/kimi_linear.py",
     R"("hidden_size": 2304, "num_attention_heads": 32, "num_hidden_layers": 27, "mla_use_nope": true)",
     "none | 0 of 27"},
    {"deepseek_v4", "DeepSeek-V4-Flash",
     R"("hidden_size": 4096, "num_attention_heads": 64, "num_hidden_layers": 43, "head_dim": 512, "qk_rope_head_dim": 64, "max_position_embeddings": 1048576,
     "compress_rope_theta": 160000, "rope_theta": 10000, "rope_scaling": {"beta_fast": 32, "beta_slow": 1, "factor": 16,
     "original_max_position_embeddings": 65536, "type": "yarn"})",
     "rotary | main interleaved 64/64 10000 | compress interleaved 64/64 160000 yarn | 43 of 43"},
    {"laguna", "Laguna: mlx-lm d78bf58e, tests/test_models.py",
     R"("hidden_size": 128, "num_attention_heads": 4, "num_hidden_layers": 4, "head_dim": 32,
     "layer_types": ["full_attention", "sliding_attention", "sliding_attention", "sliding_attention"], "rope_parameters": {
     "full_attention": {"rope_type": "yarn", "rope_theta": 500000.0, "factor": 8.0, "beta_slow": 1.0, "beta_fast": 32.0,
     "original_max_position_embeddings": 4096, "partial_rotary_factor": 0.5},
     "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 1.0}})",
     "rotary | full_attention half 32/16 500000 yarn | sliding_attention half 32/32 10000 | 4 of 4"},
    {"mellum", "Mellum2-12B-A2.5B",
     R"("hidden_size": 2304, "num_attention_heads": 32, "num_hidden_layers": 28, "head_dim": 128, "rope_parameters": {
     "full_attention": {"rope_type": "default", "rope_theta": 500000.0},
     "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})",
     "rotary | full_attention half 128/128 500000 | sliding_attention half 128/128 10000 | 28 of 28"},
    {"gemma4_text", "Gemma 4 E2B",
     R"("hidden_size": 2304, "num_attention_heads": 8, "num_hidden_layers": 30, "head_dim": 256, "global_head_dim": 512, "rope_parameters": {
     "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}, "full_attention": {
     "rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000000.0}})",
     "rotary | sliding_attention half 256/256 10000 | "
     "full_attention half 512/512 1000000 proportional | 30 of 30"},
    {"gemma3n_text", "Gemma 3n E4B",
     R"("hidden_size": 2048, "num_attention_heads": 8, "num_hidden_layers": 35, "head_dim": 256)",
     "rotary | full_attention half 256/256 1000000 | sliding_attention half 256/256 10000 | 35 of 35"},
    {"zaya", "ZAYA1-8B",
     R"("hidden_size": 2048, "num_attention_heads": 8, "num_hidden_layers": 40, "head_dim": 128, "rope_parameters": {
     "hybrid": {"rope_type": "default", "rope_theta": 5000000.0, "partial_rotary_factor": 0.5},
     "hybrid_sliding": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}})",
     "rotary | hybrid half 128/64 5000000 | hybrid_sliding half 128/64 10000 | 40 of 40"},
    {"dots1", "dots.llm1", R"("hidden_size": 4608, "num_attention_heads": 32, "num_hidden_layers": 62)",
     "rotary | half 144/144 10000 | 62 of 62"},
    {"cwm", "CWM",
     R"("hidden_size": 6144, "num_attention_heads": 48, "num_hidden_layers": 64, "head_dim": 128, "rope_parameters": {"rope_theta": 1000000.0, "factor": 16.0,
     "high_freq_factor": 4.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"})",
     "rotary | half 128/128 1000000 llama3 | 64 of 64"},
    {"jais2", "Jais-2-8B",
     R"("hidden_size": 3328, "num_attention_heads": 26, "num_hidden_layers": 32, "head_dim": null)",
     "rotary | half 128/128 10000 | 32 of 32"},
    {"nemotron_h", "Nemotron-H: mlx-lm d78bf58e, tests/test_models.py",
     R"("hidden_size": 128, "num_attention_heads": 8, "num_hidden_layers": 4, "hybrid_override_pattern": ["*", "M", "*", "M"])",
     "none | 0 of 4"},
    {"granitemoehybrid", "Granite 4 hybrid: mlx-lm d78bf58e, tests/test_models.py",
     R"("hidden_size": 128, "num_attention_heads": 8, "num_hidden_layers": 4, "layer_types": ["mamba", "attention", "mamba", "attention"], "rope_theta": 1000.0)",
     "none | 0 of 4"},
    {"nanochat", "nanochat-d32", R"("hidden_size": 768, "num_attention_heads": 6, "num_hidden_layers": 12)",
     "rotary | half 128/128 10000 inverse | 12 of 12"},
};

}  // namespace

TEST_CASE("hub models: of each published one the encoding, the plans and the layers that rotate", "[hub]") {
  for (const PublishedModel& model : published_models) {
    INFO(model.model_type << ", " << model.name);
    const std::string json = R"({"model_type": ")" + std::string(model.model_type) +
                             R"(", "max_position_embeddings": 131072, )" + model.members + "}";
    const HubConfig config = testing::value_of(posenc::read_hub_config(testing::from_json(json)));
    CHECK(verdict_of(config) == model.verdict);
    if (!config.plans.empty()) CHECK(config.unknown_keys.empty());
  }
}
