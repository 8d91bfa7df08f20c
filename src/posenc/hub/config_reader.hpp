#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/hub/config_value.hpp"
#include "posenc/hub/model_types.hpp"

namespace posenc {

/// An object of a config, or none, and the prefix of its keys' paths: "rope_scaling.".
struct Section {
  const ConfigValue* object = nullptr;
  std::string path;
};

struct TextConfig;

/// The value of a key if it has one of that kind: double, bool, std::string or a list. It is not noted as read.
template <class T>
[[nodiscard]] const T* value_at(const Section& section, std::string_view key) {
  const ConfigValue* const value = section.object != nullptr ? section.object->find(key) : nullptr;
  return value != nullptr ? std::get_if<T>(&value->value) : nullptr;
}

/// Whether a key has a list; without a key it has none.
[[nodiscard]] inline bool has_list(const Section& section, const char* key) {
  return key != nullptr && value_at<ConfigValue::List>(section, key) != nullptr;
}

/// Whether a key has one of some parts, or is one of some words, which spaces separate.
[[nodiscard]] bool has_part(std::string_view key, std::string_view parts);
[[nodiscard]] bool is_word(std::string_view words, std::string_view key);

/// Reads values by key and kind. It keeps the first error and finds nothing after it: the caller checks for the error
/// once, at the end. It records which values were read, and which key gave each option.
class ConfigReader {
 public:
  /// Fills the target and returns true if there is a value that is not null, that of the first of the keys, which
  /// spaces separate. Its kind has to be that of the target (a std::int64_t takes whole numbers). `option` is the
  /// core's name of it, empty if it has none.
  bool read(const Section& section, const char* keys, const char* option, double& target);
  bool read(const Section& section, const char* keys, const char* option, std::optional<double>& target);
  bool read(const Section& section, const char* keys, const char* option, std::int64_t& target);
  bool read(const Section& section, const char* keys, const char* option, std::vector<double>& target);
  bool read(const Section& section, const char* keys, bool& target, const char* option = "");
  bool read(const Section& section, const char* keys, std::string& target, const char* option = "");
  bool read(const Section& section, const char* keys, std::vector<std::string_view>& target, const char* option = "");

  /// The first of the keys that has a value, else the first.
  [[nodiscard]] std::string_view key_of(const Section& section, std::string_view keys) const;

  /// The object at a key; a section without object if there is none.
  Section object(const Section& section, std::string_view key, const char* option = "");
  /// The list at a key, its items of any kind; nullptr if there is none.
  const std::vector<ConfigValue>* list(const Section& section, const char* key, const char* option);
  /// Marks keys as read without using their values.
  void ignore(const Section& section, std::string_view keys);
  /// Notes that a key gave an option, without reading its value.
  void cite(const Section& section, std::string_view key, const char* option) {
    sources_.push_back({option, path_of(section, key)});
  }
  /// From here on keys of this section that few classes read are not read, but for these of a listed type's own class.
  void read_own_keys(const Section& section, const char* own) { limited_ = section.object, own_keys_ = own; }
  /// Whether a key is there with the value null.
  bool is_null(const Section& section, const char* key);

  /// Fails with the value of the first of the keys, "none" if they have none.
  void refuse(const Section& section, std::string_view keys, ErrorCode code,
              std::initializer_list<ErrorParameter> parameters = {}, std::string_view note = {});
  /// Fails with a number that is not a key's value: a sum, an item, how many there are.
  void refuse_number(const Section& section, std::string_view key, double value, ErrorCode code,
                     std::initializer_list<ErrorParameter> parameters = {}, std::string_view note = {});
  /// Refuses a number below 1, and a list without a number for each of `count` layers; there are many places.
  void refuse_below_one(const Section& section, std::string_view keys);
  void refuse_short(const Section& section, std::string_view key, std::size_t given, std::size_t count);
  void fail(Error error);
  /// Fails with an error of the core, its option replaced by the key that gave it.
  void fail_by_path(Error error);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  /// The number of keys that have given options.
  [[nodiscard]] std::size_t mark() const { return sources_.size(); }
  /// The path of the last key that gave an option since a mark; empty if none did.
  [[nodiscard]] std::string path_of_option(std::string_view option, std::size_t mark) const;

  /// Makes each key of the section that is not read an unknown one, whatever its name.
  void report(const Section& section);
  /// Adds a path to the unknown keys although it was read: that of a value which is not understood.
  void doubt(const Section& section, std::string_view key, std::size_t item);
  /// Adds the paths of values that are in doubt, and of the keys that were not read and are not null: in reported
  /// sections all of them, elsewhere, at every level, those whose name could concern positions or scores. Parts that
  /// are not on the way to the text are models of their own: their paths are added to `parts`, and none of their keys.
  void add_unknown_keys(const TextConfig& config, std::vector<std::string>& keys,
                        std::vector<std::string>& parts) const;

 private:
  static std::string path_of(const Section& section, std::string_view key);
  static std::string item_of(std::string path, std::size_t item);

  struct Source {
    std::string_view option;  ///< a literal of the caller
    std::string path;
  };

  const ConfigValue* find(const Section& section, std::string_view key, const char* option);
  /// The value at a key; nullptr where there is none, or where the model's class does not read the key.
  [[nodiscard]] const ConfigValue* find_shown(const Section& section, std::string_view key) const;
  template <class T>
  bool read_value(const Section& section, const char* keys, const char* option, T& target, ErrorCode kind);
  template <class T, class Item>
  bool read_list(const Section& section, const char* keys, const char* option, std::vector<Item>& target,
                 ErrorCode list_kind, ErrorCode kind);
  [[nodiscard]] const Source* source_of(std::string_view argument) const;

  [[nodiscard]] bool is_reported(const Section& section) const;
  [[nodiscard]] bool is_unread(const ConfigMember& member) const;
  struct Found {
    std::string_view text;  ///< the path of the text
    std::vector<std::string>& keys;
    std::vector<std::string>& parts;
  };
  void add_unread(const Section& section, int depth, const Found& found) const;

  std::optional<Error> error_;
  const ConfigValue* limited_ = nullptr;  ///< the section of which keys that few classes read are not read
  const char* own_keys_ = nullptr;        ///< but for these
  std::vector<const ConfigValue*> read_;
  std::vector<Section> reported_;
  std::vector<std::string> doubted_;
  std::vector<Source> sources_;
};

/// The config of a model's text, which models of several parts nest, and what its type fixes.
struct TextConfig {
  Section whole;
  Section text;  ///< all of it where nothing is nested
  std::string type_name;
  ModelType type;
  std::vector<std::string> other_code = {};  ///< paths of what names code that is not the one that was read
};

/// Whether heads have a part of their own that rotates (`qk_rope_head_dim`).
[[nodiscard]] bool is_split(const Section& section);

/// Finds the config of the text; `path` is that of the whole, where it is a part of another.
[[nodiscard]] TextConfig text_config(ConfigReader& reader, const ConfigValue& config, std::string_view path = {});

/// The paths of what names code that is not the one in which a type's row was read (`auto_map`, `architectures`).
[[nodiscard]] std::vector<std::string> other_code_of(const TextConfig& config);

/// Whether a key of which the type's class takes no notice is one that other classes' code of positions reads (of
/// ALiBi, rotation, relative distances, boxes), and does not say what the class does anyway.
[[nodiscard]] bool is_of_other_code(const ModelType& type, const ConfigMember& member);

}  // namespace posenc
