#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/hub/config_value.hpp"

namespace posenc {

/// An object of a config, or none, and the path that stands before its keys: "rope_scaling.".
struct Section {
  const ConfigValue* object = nullptr;
  std::string path;
};

/// Reads values by key and kind. The first error is kept, and every later reading gives nothing: the
/// caller checks for the error once, at the end. Remembers what was read, and where each option came from.
class ConfigReader {
 public:
  /// Fills the target, if there is a value that is not null, and tells whether there was. The target's type says which
  /// kind it has to be (a std::int64_t takes whole numbers); another one is wrong. `option` is the core's name of it.
  bool read(const Section& section, const char* key, const char* option, double& target);
  bool read(const Section& section, const char* key, const char* option, std::optional<double>& target);
  bool read(const Section& section, const char* key, const char* option, std::int64_t& target);
  bool read(const Section& section, const char* key, const char* option, std::vector<double>& target);
  bool read(const Section& section, const char* key, bool& target);
  bool read(const Section& section, const char* key, std::string& target);
  bool read(const Section& section, const char* key, std::vector<std::string>& target);

  /// An object or nothing.
  Section object(const Section& section, std::string_view key);
  /// Takes a key for read, whose value has no say.
  void pass(const Section& section, std::string_view key) { find(section, key, ""); }
  /// Whether a key is there, with null for a value.
  bool is_null(const Section& section, const char* key);

  void refuse(const Section& section, std::string_view key, double value, std::string_view expected);
  void refuse(const Section& section, std::string_view key, const ConfigValue& value, std::string_view expected);
  void refuse_missing(const Section& section, std::string_view key, std::string_view expected);
  void fail(Error error);
  /// Fails with an error of the core's, its option replaced by the key that gave it.
  void fail_by_path(Error error);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  /// From now on each key of the section that nobody reads is unknown.
  void report(const Section& section);
  /// The keys that were not read and are not null, as paths: those of reported sections, and of the rest, at every
  /// level, those whose name could concern positions.
  [[nodiscard]] std::vector<std::string> unknown_keys(const Section& whole) const;

 private:
  static std::string path_of(const Section& section, std::string_view key);

  struct Source {
    std::string_view option;  ///< as this reader's callers write it: a literal
    std::string path;
  };

  const ConfigValue* find(const Section& section, std::string_view key, const char* option);
  [[nodiscard]] const Source* source_of(std::string_view argument) const;

  [[nodiscard]] bool is_unread(const ConfigMember& member) const;
  void add_unread(const Section& section, int depth, std::vector<std::string>& paths) const;

  std::optional<Error> error_;
  std::vector<const ConfigValue*> read_;
  std::vector<Section> reported_;
  std::vector<Source> sources_;
};

/// Where the config of models of several parts has that of their text, however deep; else all of it.
[[nodiscard]] Section text_section(ConfigReader& reader, const Section& whole);

}  // namespace posenc
