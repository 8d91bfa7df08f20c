/// What is wrong in a config is named by its key's path, with its value.

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

#include "hub/json.hpp"
#include "posenc/hub/model.hpp"
#include "testing/testing.hpp"

namespace {

using posenc::ConfigValue;

void check_mistake(const ConfigValue& config, std::string_view path, std::string_view value) {
  testing::require_error(posenc::read_model(config), path, value);
}

}  // namespace

/// A row of errors.json is a config that is wrong, or its rule, the key's path and the value.
TEST_CASE("model errors: what is wrong is named by its path", "[hub]") {
  const ConfigValue all = testing::from_file("core/hub/errors.json");
  for (const char* const key : {"of_configs", "of_rules"})
    for (const ConfigValue& row : std::get<ConfigValue::List>(all.find(key)->value)) {
      const auto& items = std::get<ConfigValue::List>(row.value);
      if (items.size() == 1) continue;  // what the rows are about
      const bool is_rule = std::string_view(key) == "of_rules";
      const auto& path = std::get<std::string>(items[1].value);
      const auto& value = std::get<std::string>(items[2].value);
      INFO(path << ": " << value);
      ConfigValue config = items[0];
      if (is_rule)
        config = {
            ConfigValue::Object{{"head_dim", {4.0}}, {"max_position_embeddings", {4096.0}}, {"rope_scaling", config}}};
      check_mistake(config, (is_rule ? "rope_scaling." : "") + path, value);
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
    INFO(json);
    check_mistake(testing::from_json(json), path, shown);
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
