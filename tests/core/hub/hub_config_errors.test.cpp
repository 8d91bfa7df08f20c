#include <catch2/catch_test_macros.hpp>
#include <string>

#include "hub/json.hpp"
#include "posenc/hub/hub_config.hpp"
#include "testing/testing.hpp"

namespace {

void check_refused(const std::string& json, std::string_view path, std::string_view value) {
  INFO(json);
  testing::require_error(posenc::read_hub_config(testing::from_json(json)), path, value);
}

/// A valid config except for its rope dictionary.
void check_rope(const std::string& members, std::string_view path, std::string_view value) {
  check_refused(R"({"head_dim": 4, "max_position_embeddings": 4096, "rope_scaling": {)" + members + "}}", path, value);
}

}  // namespace

TEST_CASE("hub config: what is no config is an Error", "[hub]") {
  for (const std::string json : {"null", "4", "[]", "\"llama\"", "true"}) check_refused(json, "config", "");
  check_refused(R"({"rope_theta": 10000})", "head_dim", "none");
  check_refused(R"({"text_config": 3})", "text_config", "3");
  check_refused(R"({"text_config": {"rope_theta": 10000}})", "text_config.head_dim", "none");
  check_refused(R"({"head_dim": 4, "model_type": 7})", "model_type", "7");
}

TEST_CASE("hub config: what does not rotate is an Error", "[hub]") {
  check_refused(R"({"model_type": "falcon", "alibi": true, "head_dim": 64})", "alibi", "true");
  check_refused(R"({"model_type": "falcon", "alibi": 1, "head_dim": 64})", "alibi", "1");
  CHECK(posenc::read_hub_config(testing::from_json(R"({"model_type": "falcon", "alibi": false, "head_dim": 64})")));
}

TEST_CASE("hub config: wrong dimensions are an Error", "[hub]") {
  check_refused(R"({"rope_theta": 10000, "head_dim": "64"})", "head_dim", "\"64\"");
  check_refused(R"({"rope_theta": 10000, "head_dim": 6.5})", "head_dim", "6.5");
  check_refused(R"({"rope_theta": 10000, "head_dim": 0})", "head_dim", "0");
  check_refused(R"({"rope_theta": 10000, "head_dim": -64})", "head_dim", "-64");
  check_refused(R"({"rope_theta": 10000, "head_dim": 1e300})", "head_dim", "1e+300");
  check_refused(R"({"rope_theta": 10000, "head_dim": 7})", "head_dim", "7");
  check_refused(R"({"rope_theta": 10000, "hidden_size": 64})", "num_attention_heads", "none");
  check_refused(R"({"rope_theta": 10000, "hidden_size": 64, "num_attention_heads": 0})", "num_attention_heads", "0");
  check_refused(R"({"rope_theta": 10000, "hidden_size": 64, "num_attention_heads": 7})", "num_attention_heads", "7");
  check_refused(R"({"rope_theta": 10000, "hidden_size": 64, "num_attention_heads": null})", "num_attention_heads",
                "none");
  check_refused(R"({"model_type": "chatglm", "kv_channels": 6})", "kv_channels", "3");
  check_refused(R"({"model_type": "gptj", "head_dim": 32})", "head_dim", "64");
  check_refused(R"({"model_type": "deepseek_v3", "rope_interleave": 1})", "rope_interleave", "1");
  check_refused(R"({"rope_theta": 10000, "head_dim": 64, "rotary_dim": 80})", "rotary_dim", "80");
  check_refused(R"({"rope_theta": 10000, "head_dim": 64, "rotary_dim": 7})", "rotary_dim", "7");
  check_refused(R"({"rope_theta": 10000, "head_dim": 64, "partial_rotary_factor": 1.5})", "partial_rotary_factor",
                "1.5");
  check_refused(R"({"rope_theta": 10000, "head_dim": 64, "rotary_pct": -1})", "rotary_pct", "-1");
  check_refused(R"({"rope_theta": 10000, "head_dim": 64, "rotary_pct": 0})", "rotary_pct", "0");
  check_refused(R"({"rope_theta": 10000, "head_dim": 64, "rope_parameters": {"partial_rotary_factor": 3}})",
                "rope_parameters.partial_rotary_factor", "3");
}

TEST_CASE("hub config: a wrong base is an Error", "[hub]") {
  check_refused(R"({"head_dim": 64, "rope_theta": 0})", "rope_theta", "0");
  check_refused(R"({"head_dim": 64, "rope_theta": "1e4"})", "rope_theta", "\"1e4\"");
  check_refused(R"({"head_dim": 64, "rope_parameters": {"rope_theta": -1}})", "rope_parameters.rope_theta", "-1");
  check_refused(R"({"head_dim": 64, "rope_local_base_freq": -2})", "rope_local_base_freq", "-2");
  check_refused(R"({"head_dim": 64, "rope_ratio": -1})", "rope_ratio", "-10000");
}

TEST_CASE("hub config: an unknown rope type lists the known ones", "[hub]") {
  check_rope(R"("type": "ntk-aware")", "rope_scaling.type", "ntk-aware");
  check_rope(R"("rope_type": "Yarn", "type": "yarn")", "rope_scaling.rope_type", "Yarn");
  check_rope(R"("rope_type": 3)", "rope_scaling.rope_type", "3");
  check_rope(R"("factor": 2.0)", "rope_scaling.rope_type", "none");
  const auto result = posenc::read_hub_config(testing::from_json(R"({"head_dim": 4, "rope_scaling": {"type": "x"}})"));
  REQUIRE_FALSE(result.has_value());
  for (const char* known :
       {"default", "linear", "dynamic", "yarn", "longrope", "llama3", "proportional", "su", "mrope"})
    CHECK(result.error().expected().find(known) != std::string::npos);
}

TEST_CASE("hub config: wrong options of a rule are Errors by the key's path", "[hub]") {
  check_rope(R"("type": "linear")", "rope_scaling.factor", "none");
  check_rope(R"("type": "linear", "factor": null)", "rope_scaling.factor", "none");
  check_rope(R"("type": "linear", "factor": "2")", "rope_scaling.factor", "\"2\"");
  check_rope(R"("type": "linear", "factor": -2)", "rope_scaling.factor", "-2");
  check_rope(R"("type": "dynamic", "factor": 0)", "rope_scaling.factor", "0");
  check_rope(R"("type": "dynamic", "alpha": 0)", "rope_scaling.alpha", "0");
  check_rope(R"("type": "yarn", "factor": 2, "beta_fast": 0.5)", "rope_scaling.beta_fast", "0.5");
  check_rope(R"("type": "yarn", "factor": 2, "beta_slow": [1])", "rope_scaling.beta_slow", "a list");
  check_rope(R"("type": "yarn", "factor": 2, "truncate": 0)", "rope_scaling.truncate", "0");
  check_rope(R"("type": "yarn", "factor": 2, "mscale": -1)", "rope_scaling.mscale", "-1");
  check_rope(R"("type": "yarn", "factor": 2, "attention_factor": {})", "rope_scaling.attention_factor", "an object");
  check_rope(R"("type": "llama3", "factor": 2)", "rope_scaling.low_freq_factor", "none");
  check_rope(R"("type": "llama3", "factor": 2, "low_freq_factor": 1, "high_freq_factor": 4)",
             "rope_scaling.original_max_position_embeddings", "none");
  check_rope(R"("type": "llama3", "factor": 2, "low_freq_factor": 4, "high_freq_factor": 1,
                "original_max_position_embeddings": 8192)",
             "rope_scaling.high_freq_factor", "1");
  check_rope(R"("type": "longrope")", "rope_scaling.short_factor", "none");
  check_rope(R"("type": "longrope", "short_factor": [1, 1])", "rope_scaling.long_factor", "none");
  check_rope(R"("type": "longrope", "short_factor": [1, 1], "long_factor": [1])", "rope_scaling.long_factor",
             "1 values");
  check_rope(R"("type": "longrope", "short_factor": [1, 0], "long_factor": [1, 1])", "rope_scaling.short_factor[1]",
             "0");
  check_rope(R"("type": "longrope", "short_factor": [1, "a"], "long_factor": [1, 1])", "rope_scaling.short_factor[1]",
             "\"a\"");
  const std::string lists = R"("type": "longrope", "short_factor": [1, 1], "long_factor": [1, 1], )";
  check_rope(lists + R"("short_mscale": 1.1, "long_mscale": 1.2)", "rope_scaling.long_mscale", "1.2");
  check_rope(lists + R"("long_mscale": 1.2)", "rope_scaling.long_mscale", "1.2");
  check_rope(lists + R"("short_mscale": -1)", "rope_scaling.short_mscale", "-1");
  check_refused(R"({"head_dim": 4, "rope_scaling": {"type": "dynamic", "factor": 2,
                    "original_max_position_embeddings": 64}})",
                "max_position_embeddings", "none");
  check_rope(R"("type": "proportional", "partial_rotary_factor": 2)", "rope_scaling.partial_rotary_factor", "2");
  check_refused(R"({"head_dim": 4, "rope_scaling": {"type": "yarn", "factor": 2}})", "max_position_embeddings", "none");
  check_rope(R"("type": "ntk", "factor": 2)", "rope_scaling.type", "\"ntk\"");
  check_refused(R"({"model_type": "new", "head_dim": 4, "rope_scaling": {"type": "ntk", "factor": 2, "mixed_b": 1}})",
                "rope_scaling.mixed_b", "1");
}

TEST_CASE("hub config: wrong dictionaries and sections are Errors", "[hub]") {
  check_refused(R"({"head_dim": 4, "rope_scaling": 2})", "rope_scaling", "2");
  check_refused(R"({"head_dim": 4, "rope_parameters": {"full_attention": {}, "sliding_attention": 1}})",
                "rope_parameters.sliding_attention", "1");
  check_rope(R"("type": "mrope", "mrope_section": [1, 2])", "rope_scaling.mrope_section", "3");
  check_rope(R"("type": "mrope", "mrope_section": [2.5])", "rope_scaling.mrope_section", "2.5");
  check_rope(R"("type": "mrope", "mrope_section": 2)", "rope_scaling.mrope_section", "2");
  check_rope(R"("type": "mrope", "mrope_interleaved": "yes")", "rope_scaling.mrope_interleaved", "\"yes\"");
}
