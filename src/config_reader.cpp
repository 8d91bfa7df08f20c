#include "config_reader.hpp"

#include <algorithm>
#include <cmath>

namespace posenc {
namespace {

std::string path_of(const Section& section, std::string_view key) { return section.path + std::string(key); }

}  // namespace

void ConfigReader::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

void ConfigReader::wrong_kind(const Section& section, std::string_view key, const ConfigValue& value,
                              std::string_view expected) {
  fail({path_of(section, key), value.shown(), std::string(expected)});
}

const ConfigValue* ConfigReader::find(const Section& section, std::string_view key, std::string_view option) {
  if (section.object == nullptr || error_) return nullptr;
  read_.push_back(path_of(section, key));
  const ConfigValue* const value = section.object->find(key);
  if (value != nullptr && !option.empty()) sources_.insert(sources_.begin(), {std::string(option), read_.back()});
  return value;
}

std::optional<double> ConfigReader::number(const Section& section, std::string_view key, std::string_view option) {
  const ConfigValue* const value = find(section, key, option);
  if (value == nullptr) return {};
  if (const auto* const number = std::get_if<double>(&value->value)) return *number;
  wrong_kind(section, key, *value, "a number");
  return {};
}

std::optional<std::int64_t> ConfigReader::whole(const Section& section, std::string_view key, std::string_view option) {
  const auto read = number(section, key, option);
  if (!read) return {};
  if (std::floor(*read) == *read && std::fabs(*read) <= 9007199254740992.0) return static_cast<std::int64_t>(*read);
  fail({path_of(section, key), *read, "a whole number"});
  return {};
}

std::optional<bool> ConfigReader::flag(const Section& section, std::string_view key) {
  const ConfigValue* const value = find(section, key, {});
  if (value == nullptr) return {};
  if (const auto* const flag = std::get_if<bool>(&value->value)) return *flag;
  wrong_kind(section, key, *value, "true or false");
  return {};
}

std::optional<std::string> ConfigReader::text(const Section& section, std::string_view key, std::string_view option) {
  const ConfigValue* const value = find(section, key, option);
  if (value == nullptr) return {};
  if (const auto* const text = std::get_if<std::string>(&value->value)) return *text;
  wrong_kind(section, key, *value, "a string");
  return {};
}

std::vector<double> ConfigReader::numbers(const Section& section, std::string_view key, std::string_view option) {
  const ConfigValue* const value = find(section, key, option);
  if (value == nullptr) return {};
  const auto* const list = std::get_if<ConfigValue::List>(&value->value);
  if (list == nullptr) {
    wrong_kind(section, key, *value, "a list of numbers");
    return {};
  }
  std::vector<double> numbers;
  for (const ConfigValue& item : *list) {
    const auto* const number = std::get_if<double>(&item.value);
    if (number == nullptr) {
      wrong_kind(section, std::string(key) + "[" + std::to_string(numbers.size()) + "]", item, "a number");
      return {};
    }
    numbers.push_back(*number);
  }
  return numbers;
}

Section ConfigReader::object(const Section& section, std::string_view key) {
  const ConfigValue* const value = find(section, key, {});
  if (value == nullptr) return {};
  if (value->object() != nullptr) return {value, path_of(section, key) + "."};
  wrong_kind(section, key, *value, "an object");
  return {};
}

double ConfigReader::needed_number(const Section& section, std::string_view key, std::string_view option) {
  const auto read = number(section, key, option);
  if (!read) fail({path_of(section, key), "none", "a number"});
  return read.value_or(0);
}

Error ConfigReader::by_path(Error error) const {
  for (const auto& [option, path] : sources_)
    if (error.argument == option || error.argument.starts_with(option + "[")) {
      error.argument = path + error.argument.substr(option.size());
      return error;
    }
  if (error.argument != "rotaryDim") return error;
  error.argument = "dim";  // the model's own fraction of it
  return by_path(std::move(error));
}

void ConfigReader::unread(const Section& section, std::vector<std::string>& paths) const {
  if (section.object == nullptr) return;
  for (const ConfigMember& member : *section.object->object()) {
    std::string path = path_of(section, member.key);
    if (std::ranges::find(read_, path) == read_.end()) paths.push_back(std::move(path));
  }
}

}  // namespace posenc
