#include "posenc/hub/config_value.hpp"

#include <utility>

namespace posenc {
namespace {

const ConfigMember* member_of(const ConfigValue::Object* members, std::string_view key) {
  if (members == nullptr) return nullptr;
  for (const ConfigMember& member : *members)
    if (member.key == key) return &member;
  return nullptr;
}

}  // namespace

ConfigValue::ConfigValue() = default;
ConfigValue::ConfigValue(Any given) : value(std::move(given)) {}
ConfigValue::ConfigValue(const ConfigValue&) = default;
ConfigValue::ConfigValue(ConfigValue&&) noexcept = default;
ConfigValue& ConfigValue::operator=(const ConfigValue&) = default;
ConfigValue& ConfigValue::operator=(ConfigValue&&) noexcept = default;
ConfigValue::~ConfigValue() = default;

const ConfigValue* ConfigValue::find(std::string_view key) const {
  const ConfigMember* const member = member_of(object(), key);
  return member == nullptr || std::holds_alternative<std::monostate>(member->value.value) ? nullptr : &member->value;
}

bool ConfigValue::has(std::string_view key) const { return member_of(object(), key) != nullptr; }

std::variant<double, std::string> ConfigValue::shown() const {
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  if (const auto* const text = std::get_if<std::string>(&value)) return "\"" + *text + "\"";
  if (const auto* const flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (std::holds_alternative<List>(value)) return "a list";
  return object() != nullptr ? "an object" : "null";
}

}  // namespace posenc
