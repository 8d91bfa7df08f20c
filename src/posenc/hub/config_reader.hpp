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

/// Reads values by key and kind. It keeps the first error and finds nothing after it: the caller checks for the error
/// once, at the end. It records which values were read, and which key gave each option.
class ConfigReader {
 public:
  /// Fills the target and returns true if there is a value that is not null. Its kind has to be that of the target (a
  /// std::int64_t takes whole numbers). `option` is the core's name of it, empty if it has none.
  bool read(const Section& section, const char* key, const char* option, double& target);
  bool read(const Section& section, const char* key, const char* option, std::optional<double>& target);
  bool read(const Section& section, const char* key, const char* option, std::int64_t& target);
  bool read(const Section& section, const char* key, const char* option, std::vector<double>& target);
  bool read(const Section& section, const char* key, bool& target);
  bool read(const Section& section, const char* key, std::string& target);
  bool read(const Section& section, const char* key, std::vector<std::string>& target);

  /// The object at a key; a section without object if there is none.
  Section object(const Section& section, std::string_view key);
  /// Marks a key as read without using its value.
  void ignore(const Section& section, std::string_view key) { find(section, key, ""); }
  /// Whether a key is there with the value null.
  bool is_null(const Section& section, const char* key);

  void refuse(const Section& section, std::string_view key, ErrorValue value, ErrorCode code,
              std::initializer_list<ErrorParameter> parameters = {}, std::string_view note = {});
  void refuse(const Section& section, std::string_view key, const ConfigValue& value, ErrorCode code,
              std::initializer_list<ErrorParameter> parameters = {}, std::string_view note = {});
  void fail(Error error);
  /// Fails with an error of the core, its option replaced by the key that gave it.
  void fail_by_path(Error error);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  /// Makes each key of the section that is not read an unknown one, whatever its name.
  void report(const Section& section);
  /// Paths of the keys that were not read and are not null: in reported sections all of them, elsewhere, at every
  /// level, those whose name could concern positions.
  [[nodiscard]] std::vector<std::string> unknown_keys(const Section& whole) const;

 private:
  static std::string path_of(const Section& section, std::string_view key);

  struct Source {
    std::string_view option;  ///< a literal of the caller
    std::string path;
  };

  const ConfigValue* find(const Section& section, std::string_view key, const char* option);
  template <class T>
  bool read_value(const Section& section, const char* key, const char* option, T& target, ErrorCode kind);
  template <class T>
  bool read_list(const Section& section, const char* key, const char* option, std::vector<T>& target,
                 ErrorCode list_kind, ErrorCode kind);
  [[nodiscard]] const Source* source_of(std::string_view argument) const;

  [[nodiscard]] bool is_unread(const ConfigMember& member) const;
  void add_unread(const Section& section, int depth, std::vector<std::string>& paths) const;

  std::optional<Error> error_;
  std::vector<const ConfigValue*> read_;
  std::vector<Section> reported_;
  std::vector<Source> sources_;
};

/// The config of a model's text, which models of several parts nest, and what its type fixes.
struct TextConfig {
  Section whole;
  Section text;  ///< all of it where nothing is nested
  std::string type_name;
  const ModelType* type;
};

[[nodiscard]] TextConfig text_config(ConfigReader& reader, const ConfigValue& config);

}  // namespace posenc
