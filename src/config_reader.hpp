#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "posenc/config_value.hpp"
#include "posenc/error.hpp"

namespace posenc {

/// An object of a config, or none, and the path that stands before its keys: "rope_scaling.".
struct Section {
  const ConfigValue* object = nullptr;
  std::string path;
};

/// Reads values by key and kind. The first thing that is wrong is kept, and every later reading gives nothing: the one
/// who reads asks for the error once, at the end. Remembers what was read, and where each option came from.
class ConfigReader {
 public:
  /// The value, if there is one that is not null. Another kind is wrong. `option` is the core's name of it.
  std::optional<double> number(const Section& section, std::string_view key, std::string_view option = {});
  std::optional<std::int64_t> whole(const Section& section, std::string_view key, std::string_view option = {});
  std::optional<bool> flag(const Section& section, std::string_view key);
  std::optional<std::string> text(const Section& section, std::string_view key, std::string_view option = {});
  std::vector<double> numbers(const Section& section, std::string_view key, std::string_view option = {});
  /// An object or nothing.
  Section object(const Section& section, std::string_view key);

  /// The same, and wrong where it is missing.
  double needed_number(const Section& section, std::string_view key, std::string_view option);

  void fail(Error error);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  /// An error of the core's with its option replaced by the key that gave it.
  [[nodiscard]] Error by_path(Error error) const;

  /// The keys of a section that nobody read, with their paths.
  void unread(const Section& section, std::vector<std::string>& paths) const;

 private:
  const ConfigValue* find(const Section& section, std::string_view key, std::string_view option);
  void wrong_kind(const Section& section, std::string_view key, const ConfigValue& value, std::string_view expected);

  std::optional<Error> error_;
  std::vector<std::string> read_;
  std::vector<std::pair<std::string, std::string>> sources_;  ///< option, path
};

}  // namespace posenc
