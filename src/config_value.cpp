#include "posenc/config_value.hpp"

namespace posenc {

const ConfigValue* ConfigValue::find(std::string_view key) const {
  const Object* const members = object();
  if (members == nullptr) return nullptr;
  for (const ConfigMember& member : *members)
    if (member.key == key) return std::holds_alternative<std::monostate>(member.value.value) ? nullptr : &member.value;
  return nullptr;
}

std::variant<double, std::string> ConfigValue::shown() const {
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  if (const auto* const text = std::get_if<std::string>(&value)) return "\"" + *text + "\"";
  if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (std::holds_alternative<List>(value)) return "a list";
  return object() != nullptr ? "an object" : "null";
}

}  // namespace posenc
