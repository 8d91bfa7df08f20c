#include "posenc/hub/config_reader.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr double largest_whole = 9007199254740992.0;

// Words are separated by spaces: as lists of texts they would have an address and a size each.

/// Parts of the names of keys that concern positions.
constexpr std::string_view position_parts =
    "rope rotary xpos position theta yarn ntk alibi nope relative layer_type block_type _pattern logn pos_emb "
    "dual_chunk long_context attention_freq attn_temperature scaling_beta attn_layer hybrid_layer window "
    "rel_extent log_scaling "
    "attn_type attention_types block_configs layer_group full_attention cross_attention_layers bidirectional "
    "axes_dim span pre_attn_scalar bbox";

/// Parts of those that concern scores.
constexpr std::string_view score_parts =
    "scale softcap soft_cap logit_cap max_attn sink qk_norm qk_l key_multiplier attention_multiplier attn_output_mul";

/// Parts by which such a key is about embeddings, the last logits, weights or layers.
constexpr std::string_view other_parts =
    "emb logit_scale logits_soft final_ rout expert sinkhorn value_scale init depth rescale layer_scale noise "
    "fp32 norm_type";

/// Keys with a part of positions that concern no encoding: lengths and numbers of dimensions.
constexpr std::string_view other_keys =
    "max_position_embeddings max_decoder_position_embeddings max_source_positions "
    "n_positions bbox_cost bbox_loss_coefficient qk_nope_head_dim mlp_layer_types activation_sparsity_pattern";

/// Parts of keys that concern how numbers are stored, whatever is inside them.
constexpr std::string_view storage_parts = "quant compression_config";

/// Keys that few classes read; the others ignore them, whatever the name promises.
constexpr std::string_view few_keys =
    "alibi attn_config mla_use_nope rotary_emb_base rope_embedding_base global_rope_theta rope_ratio "
    "rotary_pct rope_pct kv_channels embed_dim";

/// The deepest level that is searched: configs of nested models have three.
constexpr int deepest = 8;

/// Whether one of the words fulfils a condition.
template <class Condition>
bool any_word(std::string_view words, Condition&& condition) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    if (condition(word)) return true;
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return false;
}

/// 1e999 is JSON, and infinite.
bool is_finite(double number) { return std::isfinite(number); }
bool is_finite(const std::string& /*text*/) { return true; }

bool concerns_encoding(std::string_view key) {
  if (is_word(other_keys, key)) return false;
  return has_part(key, position_parts) || (has_part(key, score_parts) && !has_part(key, other_parts));
}

/// Whether an object is the config of a model: encoders and decoders of wrappers have one each.
bool is_part(const ConfigValue& value) {
  constexpr const char* keys[]{"model_type",          "num_hidden_layers", "num_layers", "n_layer",
                               "num_attention_heads", "num_heads",         "n_head",     "depth",
                               "hidden_size"};
  return value.object() != nullptr &&
         std::ranges::any_of(keys, [&](const char* key) { return value.find(key) != nullptr; });
}

}  // namespace

bool is_word(std::string_view words, std::string_view key) {
  return any_word(words, [key](std::string_view word) { return word == key; });
}

bool has_part(std::string_view key, std::string_view parts) {
  return any_word(parts, [key](std::string_view part) { return key.find(part) != key.npos; });
}

std::string_view ConfigReader::key_of(const Section& section, std::string_view keys) const {
  if (section.object == nullptr || find_shown(section, keys) != nullptr) return keys;  // one of the config's own
  std::string_view found = keys.substr(0, keys.find(' '));
  any_word(keys, [&](std::string_view key) {
    const bool is_there = find_shown(section, key) != nullptr;
    if (is_there) found = key;
    return is_there;
  });
  return found;
}

void ConfigReader::ignore(const Section& section, std::string_view keys) {
  any_word(keys, [&](std::string_view key) {
    find(section, key, "");
    return false;
  });
}

std::string ConfigReader::path_of(const Section& section, std::string_view key) {
  std::string path = section.path;
  path += key;
  return path;
}

std::string ConfigReader::item_of(std::string path, std::size_t item) {
  path += '[';
  path += decimal(item);
  path += ']';
  return path;
}

void ConfigReader::doubt(const Section& section, std::string_view key, std::size_t item) {
  doubted_.push_back(item_of(path_of(section, key), item));
}

void ConfigReader::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

[[gnu::noinline]] void ConfigReader::refuse(const Section& section, std::string_view keys, ErrorCode code,
                                            std::initializer_list<ErrorParameter> parameters, std::string_view note) {
  const std::string_view key = key_of(section, keys);
  const ConfigValue* const value = section.object != nullptr ? section.object->find(key) : nullptr;
  fail({path_of(section, key), value != nullptr ? value->shown() : "none", code, parameters, note});
}

[[gnu::noinline]] void ConfigReader::refuse_number(const Section& section, std::string_view key, double value,
                                                   ErrorCode code, std::initializer_list<ErrorParameter> parameters,
                                                   std::string_view note) {
  fail({path_of(section, key), value, code, parameters, note});
}

[[gnu::noinline]] void ConfigReader::refuse_below_one(const Section& section, std::string_view keys) {
  refuse(section, keys, expected::at_least, {1});
}

[[gnu::noinline]] void ConfigReader::refuse_short(const Section& section, std::string_view key, std::size_t given,
                                                  std::size_t count) {
  if (given < count) refuse_number(section, key, static_cast<double>(given), expected::layer_numbers, {count});
}

const ConfigValue* ConfigReader::find(const Section& section, std::string_view key, const char* option) {
  if (section.object == nullptr || error_) return nullptr;
  const ConfigValue* const value = find_shown(section, key);
  if (value == nullptr) return nullptr;
  read_.push_back(value);
  if (*option != '\0') sources_.push_back({option, path_of(section, key)});
  return value;
}

const ConfigValue* ConfigReader::find_shown(const Section& section, std::string_view key) const {
  const bool is_hidden = section.object == limited_ && is_word(few_keys, key) && !is_word(own_keys_, key);
  return is_hidden ? nullptr : section.object->find(key);
}

bool ConfigReader::is_null(const Section& section, const char* key) {
  return section.object != nullptr && find(section, key, "") == nullptr && section.object->has(key);
}

template <class T>
bool ConfigReader::read_value(const Section& section, const char* keys, const char* option, T& target, ErrorCode kind) {
  const std::string_view key = key_of(section, keys);
  const ConfigValue* const value = find(section, key, option);
  if (value == nullptr) return false;
  if (const auto* const read = std::get_if<T>(&value->value))
    target = *read;
  else
    refuse(section, key, kind);
  return true;
}

template <class T, class Item>
bool ConfigReader::read_list(const Section& section, const char* keys, const char* option, std::vector<Item>& target,
                             ErrorCode list_kind, ErrorCode kind) {
  const std::string_view key = key_of(section, keys);
  const ConfigValue* const value = find(section, key, option);
  if (value == nullptr) return false;
  const auto* const list = std::get_if<ConfigValue::List>(&value->value);
  if (list == nullptr) refuse(section, key, list_kind);
  if (list == nullptr) return true;
  for (const ConfigValue& item : *list) {
    const auto* const read = std::get_if<T>(&item.value);
    if (read == nullptr || !is_finite(*read)) {
      fail({item_of(path_of(section, key), target.size()), item.shown(), kind});
      break;
    }
    target.push_back(*read);
  }
  return true;
}

bool ConfigReader::read(const Section& section, const char* keys, const char* option, double& target) {
  if (!read_value(section, keys, option, target, expected::number)) return false;
  if (!is_finite(target)) refuse(section, key_of(section, keys), expected::finite);
  return true;
}

bool ConfigReader::read(const Section& section, const char* keys, const char* option, std::optional<double>& target) {
  double number = 0;
  if (!read(section, keys, option, number)) return false;
  target = number;
  return true;
}

bool ConfigReader::read(const Section& section, const char* keys, const char* option, std::int64_t& target) {
  double number = 0;
  if (!read(section, keys, option, number)) return false;
  if (std::floor(number) == number && std::fabs(number) <= largest_whole)
    target = static_cast<std::int64_t>(number);
  else
    refuse(section, keys, expected::whole);
  return true;
}

bool ConfigReader::read(const Section& section, const char* keys, bool& target, const char* option) {
  return read_value(section, keys, option, target, expected::flag);
}

bool ConfigReader::read(const Section& section, const char* keys, std::string& target, const char* option) {
  return read_value(section, keys, option, target, expected::string);
}

bool ConfigReader::read(const Section& section, const char* keys, const char* option, std::vector<double>& target) {
  return read_list<double>(section, keys, option, target, expected::list_of_numbers, expected::finite);
}

bool ConfigReader::read(const Section& section, const char* keys, std::vector<std::string_view>& target,
                        const char* option) {
  return read_list<std::string>(section, keys, option, target, expected::list_of_strings, expected::string);
}

const std::vector<ConfigValue>* ConfigReader::list(const Section& section, const char* key, const char* option) {
  const ConfigValue* const value = find(section, key, option);
  if (value == nullptr) return nullptr;
  const auto* const items = std::get_if<ConfigValue::List>(&value->value);
  if (items == nullptr) refuse(section, key, expected::counted_types);
  return items;
}

Section ConfigReader::object(const Section& section, std::string_view key, const char* option) {
  const ConfigValue* const value = find(section, key, option);
  if (value == nullptr) return {};
  if (value->object() != nullptr) return {value, path_of(section, key) + "."};
  refuse(section, key, expected::object);
  return {};
}

std::string ConfigReader::path_of_option(std::string_view option, std::size_t mark) const {
  for (std::size_t i = sources_.size(); i-- > mark;)
    if (sources_[i].option == option) return sources_[i].path;
  return {};
}

const ConfigReader::Source* ConfigReader::source_of(std::string_view argument) const {
  // The latest one counts: a plan's options come after those of the plans before it.
  for (std::size_t i = sources_.size(); i-- > 0;) {
    const std::string_view option = sources_[i].option;
    const bool is_item = argument.size() > option.size() && argument[option.size()] == '[';
    if (argument == option || (is_item && argument.starts_with(option))) return &sources_[i];
  }
  return nullptr;
}

void ConfigReader::fail_by_path(Error error) {
  const Source* source = source_of(error.argument);
  // Without a key, the rotated dimensions are a fraction of those of the head.
  if (source == nullptr && error.argument == "rotaryDim") {
    error.argument = "dim";
    source = source_of(error.argument);
  }
  if (source != nullptr) error.argument.replace(0, source->option.size(), source->path);
  fail(std::move(error));
}

bool ConfigReader::is_reported(const Section& section) const {
  return std::ranges::find(reported_, section.object, &Section::object) != reported_.end();
}

void ConfigReader::report(const Section& section) {
  if (section.object != nullptr && !is_reported(section)) reported_.push_back(section);
}

void ConfigReader::add_unknown_keys(const TextConfig& config, std::vector<std::string>& keys,
                                    std::vector<std::string>& parts) const {
  for (const std::string& path : doubted_) keys.push_back(path);
  for (const Section& section : reported_)
    for (const ConfigMember& member : *section.object->object())
      if (is_unread(member)) keys.push_back(path_of(section, member.key));
  add_unread(config.whole, 0, {config.text.path, keys, parts});
  // An object may have a key twice, and a section may be one that was doubted.
  std::set<std::string> named;
  std::erase_if(keys, [&](const std::string& key) { return !named.insert(key).second; });
}

bool ConfigReader::is_unread(const ConfigMember& member) const {
  const bool is_null = std::holds_alternative<std::monostate>(member.value.value);
  return !is_null && std::ranges::find(read_, &member.value) == read_.end();
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as `deepest`
void ConfigReader::add_unread(const Section& section, int depth, const Found& found) const {
  if (depth == deepest) return;
  if (const auto* const list = std::get_if<ConfigValue::List>(&section.object->value))
    for (std::size_t i = 0; i < list->size(); ++i)
      if (list->at(i).object() != nullptr)
        add_unread({&list->at(i), item_of(section.path.substr(0, section.path.size() - 1), i) + "."}, depth + 1, found);
  if (section.object->object() == nullptr || is_reported(section)) return;
  for (const ConfigMember& member : *section.object->object()) {
    if (has_part(member.key, storage_parts)) continue;
    const std::string path = path_of(section, member.key);
    const bool is_on_way = found.text.starts_with(path + ".");
    if (!is_on_way && is_part(member.value))
      found.parts.push_back(path);
    else if (!concerns_encoding(member.key))
      add_unread({&member.value, path + "."}, depth + 1, found);
    else if (is_unread(member))
      found.keys.push_back(path);
  }
}

namespace {

/// From the fifth on those of wrappers, whose member of this name is the text's only if it is a config.
constexpr const char* text_keys[]{"text_config",   "llm_config", "language_config", "thinker_config",
                                  "talker_config", "vlm_config", "decoder"};

Section text_of(ConfigReader& reader, Section section) {
  for (int depth = 0; depth < 4 && !reader.error(); ++depth) {
    Section text;
    for (const char* const& key : text_keys) {
      if (text.object != nullptr) break;
      const ConfigValue* const value = section.object->find(key);
      if (&key < text_keys + 4 || (value != nullptr && is_part(*value))) text = reader.object(section, key);
    }
    if (text.object == nullptr) break;
    section = std::move(text);
  }
  return section;
}

}  // namespace

bool is_split(const Section& section) {
  const auto* const number = value_at<double>(section, "qk_rope_head_dim");
  return number != nullptr ? *number != 0 : section.object != nullptr && section.object->find("qk_rope_head_dim");
}

TextConfig text_config(ConfigReader& reader, const ConfigValue& config, std::string_view path) {
  Section whole{&config, std::string(path)};
  Section text = text_of(reader, whole);
  std::string name;
  if (!reader.read(text, "model_type", name)) reader.read(whole, "model_type _class_name", name);  // of diffusers
  ModelType type = model_type_of(name);
  // A vision tower whose type is that of the whole (Qwen2-VL's), or which is given alone.
  const auto has_any = [&](std::initializer_list<const char*> keys) {
    return std::ranges::any_of(keys, [&](const char* key) { return text.object->find(key) != nullptr; });
  };
  const ModelType tower = model_type_of(name + "_vision");
  const bool is_alone =
      is_known(tower) && has_any({"depth", "embed_dim", "patch_size"}) && !has_any({"num_hidden_layers", "vocab_size"});
  if (is_alone || (text.path.ends_with("vision_config.") && type.encoding != TypeEncoding::grid && is_known(type))) {
    name = is_known(tower) ? name + "_vision" : std::string();
    type = tower;
  }
  bool has_mla = true;
  if (type.without_mla != nullptr && reader.read(text, "use_mla", has_mla) && !has_mla)
    type = model_type_of(type.without_mla);
  TextConfig made{std::move(whole), std::move(text), std::move(name), type};
  made.other_code = other_code_of(made);
  // A rotation in place of a table: nothing of that class is known but what its keys say (Jina's of BERT).
  constexpr const char* key = "position_embedding_type";
  const auto* const word = value_at<std::string>(made.text, key);
  if (type.encoding == TypeEncoding::learned && word != nullptr && has_part(*word, "rope rotary alibi nope")) {
    made.type = {.mask = type.mask};
    made.other_code.push_back(made.text.path + key);
  }
  if (!made.type.type.empty()) reader.read_own_keys(made.text, made.type.own_keys);
  return made;
}

}  // namespace posenc
