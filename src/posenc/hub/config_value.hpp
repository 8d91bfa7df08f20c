#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace posenc {

struct ConfigMember;

/// A value of a parsed JSON document. The parser is the caller's.
struct ConfigValue {
  using List = std::vector<ConfigValue>;
  using Object = std::vector<ConfigMember>;
  using Any = std::variant<std::monostate, bool, double, std::string, List, Object>;

  // Out of line: all code that builds a document would otherwise carry copies of these.
  ConfigValue();
  ConfigValue(Any given);  // NOLINT(google-explicit-constructor): a number is a config value
  ConfigValue(const ConfigValue&);
  ConfigValue(ConfigValue&&) noexcept;
  ConfigValue& operator=(const ConfigValue&);
  ConfigValue& operator=(ConfigValue&&) noexcept;
  ~ConfigValue();

  /// Null is std::monostate.
  Any value;

  /// The member of an object; nullptr where there is none, where it is null, and where this is no object.
  [[nodiscard]] const ConfigValue* find(std::string_view key) const;

  /// Whether an object has a member of that name, even if it is null.
  [[nodiscard]] bool has(std::string_view key) const;

  [[nodiscard]] const Object* object() const { return std::get_if<Object>(&value); }

  /// As an error shows it: 1.5, "text", true, null, a list, an object.
  [[nodiscard]] std::variant<double, std::string> shown() const;
};

struct ConfigMember {
  std::string key;
  ConfigValue value;
};

}  // namespace posenc
