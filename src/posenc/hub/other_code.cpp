#include <algorithm>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/hub/config_reader.hpp"

namespace posenc {
namespace {

/// How names of the classes of a type go on after it (modeling_auto.py).
constexpr std::string_view class_heads[]{"For",      "Model",   "LM",     "Encoder",    "With",   "Decoder", "Backbone",
                                         "Question", "MT",      "Vision", "Base",       "Text",   "Double",  "Context",
                                         "Talker",   "Thinker", "Lm",     "PreTrained", "Reader", "Audio"};

/// Types whose classes have another name.
constexpr struct {
  std::string_view type;
  std::string_view classes;
} class_names[]{{"hunyuan_v1_dense", "HunYuanDenseV1"},
                {"hunyuan_v1_moe", "HunYuanMoEV1"},
                {"kimi_k2", "DeepseekV3"},
                {"speech_to_text", "Speech2Text"}};

/// Whether the name of a class is a type's, in any case and without what separates words, and then one of
/// `class_heads`.
bool is_class_of(std::string_view type, std::string_view name) {
  for (const auto& [other, classes] : class_names)
    if (type == other) type = classes;
  for (const std::string_view part : {"_model", "_text", "_vision", "_encoder", "_decoder", "_ctc"})
    if (type.ends_with(part)) type.remove_suffix(part.size());
  const auto is_same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  while (!type.empty()) {
    const bool is_between = type.front() == '_' || type.front() == '-';
    if (!is_between && (name.empty() || !is_same(type.front(), name.front()))) return false;
    if (!is_between || name.starts_with('_')) name.remove_prefix(1);
    type.remove_prefix(1);
  }
  return name.empty() ||
         std::ranges::any_of(class_heads, [name](std::string_view head) { return name.starts_with(head); });
}

/// Whether `auto_map` names a file of a model that is not the one that was read.
bool has_other_file(const Section& section, const ModelType& type) {
  const ConfigValue* const map = section.object->find("auto_map");
  if (map == nullptr || map->object() == nullptr) return false;
  bool is_other = false;
  for (const auto& [key, value] : *map->object()) {
    const auto* const name = std::get_if<std::string>(&value.value);
    if (name == nullptr || has_part(key, "Tokenizer Processor Extractor")) continue;
    std::string file = name->substr(name->rfind("--") == name->npos ? 0 : name->rfind("--") + 2);
    file.resize(std::min(file.size(), file.find('.')));
    if (source_of(type).starts_with(file + ".py of ")) return false;
    is_other = true;
  }
  return is_other;
}

}  // namespace

std::vector<std::string> other_code_of(const TextConfig& config) {
  std::vector<std::string> paths;
  const auto& [whole, text, name, type, none] = config;
  if (!is_known(type) && type.encoding != TypeEncoding::unsupported) return paths;
  for (const Section* const section : {&whole, &text})
    if ((section == &whole || text.object != whole.object) && has_other_file(*section, type))
      paths.push_back(section->path + "auto_map");
  // transformers' MPT has ALiBi, whatever its keys say: what else they name is llm-foundry's.
  const ConfigValue* const attention = text.object->find("attn_config");
  for (const auto& [key, of_type] : {std::pair{"alibi", true}, std::pair{"rope", false}})
    if (const bool* const flag = value_at<bool>({.object = attention, .path = {}}, key);
        type.encoding == TypeEncoding::mpt && flag != nullptr && *flag != of_type)
      paths.push_back(text.path + "attn_config." + key);
  if (const auto* const classes = value_at<ConfigValue::List>(text, "architectures"))
    for (std::size_t i = 0; i < classes->size(); ++i)
      if (const auto* const given = std::get_if<std::string>(&classes->at(i).value);
          given != nullptr && !is_class_of(type.type, *given))
        paths.push_back(text.path + "architectures[" + decimal(i) + "]");
  return paths;
}

bool is_of_other_code(const ModelType& type, const ConfigMember& member) {
  const std::string_view key = member.key;
  const bool rotates = type.encoding == TypeEncoding::rotary;
  if (key == "partial_rotary_factor") return false;  // ignored by most, whoever wrote it
  if (!has_part(key, "alibi rotary rope relative_ bbox 2d_pos xpos position_embedding_type")) return false;
  // Off by a switch of its own, these have no effect.
  if (rotates && is_word("rope_theta rope_scaling rope_parameters", key)) return false;
  if (const auto* const number = std::get_if<double>(&member.value.value)) return *number != 0 && *number != 1;
  if (const auto* const word = std::get_if<std::string>(&member.value.value))
    return !rotates || !has_part(*word, "rope rotary");
  const auto* const flag = std::get_if<bool>(&member.value.value);
  if (flag == nullptr) return true;
  return has_part(key, "rope rotary") ? *flag != rotates && (*flag || key.starts_with("use_ro")) : *flag;
}

}  // namespace posenc
