/// What a model's class does where its config names something, leaves it out, switches it off or misnames it. Each row
/// of facts.json is one: a type and members of its config, and what is read (model_text.hpp). Files are
/// configuration_*.py and modeling_*.py of Hugging Face transformers at c49429ed1f (5.16.0.dev0), unless a comment
/// names another.

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "hub/json.hpp"
#include "hub/model_text.hpp"
#include "posenc/hub/model_types.hpp"
#include "testing/testing.hpp"

namespace {

using posenc::ConfigValue;

/// In a config of these facts the first of several members with a name counts: a row's replace these.
constexpr const char* sizes = R"({"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 4})";
constexpr const char* four_layers =
    R"({"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 4, "head_dim": 16})";

/// A config of a type ("": none) with members, and then more.
ConfigValue config_of(const std::string& type, const ConfigValue& members, const char* more) {
  ConfigValue::Object all;
  if (!type.empty()) all.push_back({"model_type", {type}});
  const ConfigValue others = testing::from_json(more);
  for (const ConfigValue* const from : {&members, &others})
    all.insert(all.end(), from->object()->begin(), from->object()->end());
  return {std::move(all)};
}

ConfigValue config_of(const std::string& type, const std::string& members, const char* more) {
  return config_of(type, testing::from_json("{" + members + "}"), more);
}

void check_fact(const ConfigValue& config, std::string_view left) {
  const posenc::Model model = testing::value_of(posenc::read_model(config));
  testing::check_said_by_keys(config);
  while (!left.empty()) {
    const std::string_view item = left.substr(0, left.find("; "));
    left.remove_prefix(std::min(left.size(), item.size() + 2));
    const std::string_view trait = item.substr(0, item.find(' '));
    INFO(trait);
    CHECK(testing::text_of(model, trait) == item.substr(std::min(item.size(), trait.size() + 1)));
  }
}

/// Checks the rows of facts.json below a key: ["what they are about"], or [type, members, "trait value; trait value"].
void check_facts(const char* key, const char* more) {
  const ConfigValue all = testing::from_file("core/hub/facts.json");
  std::string about;
  for (const ConfigValue& row : std::get<ConfigValue::List>(all.find(key)->value)) {
    const auto& items = std::get<ConfigValue::List>(row.value);
    const auto& first = std::get<std::string>(items[0].value);
    if (items.size() == 1) about = first;
    if (items.size() == 1) continue;
    const auto& text = std::get<std::string>(items[2].value);
    INFO(about << " " << first << ": " << text);
    check_fact(config_of(first, items[1], more), text);
  }
}

}  // namespace

TEST_CASE("model facts: what classes and keys say of layers and scores", "[hub]") {
  check_facts("of_four_layers", four_layers);
}

TEST_CASE("model facts: what classes and keys say of encodings and plans", "[hub]") { check_facts("as_given", "{}"); }

TEST_CASE("model facts: what classes have by default", "[hub]") { check_facts("of_defaults", sizes); }

TEST_CASE("model facts: of a layer whose type has a name that is not the model's nothing is known", "[hub]") {
  for (const char* const type : {"qwen3", "gemma2", "olmo3", "cohere2", "llama", "mine"})
    for (const std::string name : {"x", "local_attention", "hybrid_mamba", "cross_attention", "window_attention"}) {
      const std::string members = R"("rope_theta": 1e4, "sliding_window": 8, "layer_types": ["sliding_attention", ")" +
                                  name + R"(", "sliding_attention", ")" + name + R"("])";
      INFO(type << ": " << members);
      const auto model = testing::value_of(posenc::read_model(config_of(type, members, four_layers)));
      REQUIRE(model.layers.size() == 4);
      CHECK(model.layers[0].layers.is_known);
      CHECK_FALSE(model.layers[1].layers.is_known);
      CHECK(model.layers[1].reaches == posenc::Reach::unknown);
      CHECK_FALSE(model.layers[3].score_scale);
      CHECK(testing::text_of(model, "unknown").find("layer_types[1]") != std::string::npos);
      CHECK(testing::text_of(model, "how:layers") == "unknown");
    }
}

TEST_CASE("model facts: the default rule of these classes ignores a fraction", "[hub]") {
  for (const char* const type : {"llama", "mistral", "qwen2", "qwen3", "olmo2", "granite", "gemma", "cohere"})
    check_fact(config_of(type, R"("partial_rotary_factor": 0.5)", four_layers),
               "unknown partial_rotary_factor; dims 4 0+16/16; code");
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
      const auto own = testing::value_of(posenc::read_model(config_of(type, members, four_layers)));
      const auto plain = testing::value_of(posenc::read_model(config_of(type, R"("rope_theta": 5e5)", four_layers)));
      for (const char* const trait : {"plans", "layers", "plan", "encoding"})
        CHECK(testing::text_of(own, trait) == testing::text_of(plain, trait));
      CHECK(own.config.unknown_keys.size() == 1);
    }
}

TEST_CASE("model facts: keys of scales, windows, caps, sinks and spans are reported, or harmless by name", "[hub]") {
  const auto is_unknown = [](const char* type, const std::string& member) {
    const std::string members = R"("rope_theta": 1e4, )" + member;
    INFO(type << ": " << members);
    const auto model = testing::value_of(posenc::read_model(config_of(type, members, four_layers)));
    return model.config.unknown_keys.size() == 1;
  };
  const ConfigValue all = testing::from_file("core/hub/facts.json");
  for (const ConfigValue& key : std::get<ConfigValue::List>(all.find("reported_keys")->value))
    for (const char* const type : {"mine", "llama"}) {
      CAPTURE(type, std::get<std::string>(key.value));
      CHECK(is_unknown(type, '"' + std::get<std::string>(key.value) + "\": 3"));
    }
  for (const ConfigValue& key : std::get<ConfigValue::List>(all.find("harmless_keys")->value)) {
    CAPTURE(std::get<std::string>(key.value));
    CHECK_FALSE(is_unknown("mine", '"' + std::get<std::string>(key.value) + "\": 3"));
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
