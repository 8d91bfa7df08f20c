#include "hub/json.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace testing {
namespace {

using posenc::ConfigValue;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  ConfigValue value() {
    switch (peek()) {
      case '{':
        return object();
      case '[':
        return list();
      case '"':
        return {string()};
      case 't':
        return word("true", {true});
      case 'f':
        return word("false", {false});
      case 'n':
        return word("null", {});
      default:
        return number();
    }
  }

 private:
  char peek() {
    while (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == ',' || text_[at_] == ':') ++at_;
    return text_[at_];
  }

  ConfigValue word(std::string_view name, ConfigValue meaning) {
    at_ += name.size();
    return meaning;
  }

  std::string string() {
    std::string text;
    for (++at_; text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
      text += text_[at_];
    }
    ++at_;
    return text;
  }

  ConfigValue number() {
    const std::string digits(text_.substr(at_, text_.find_first_not_of("+-.0123456789eE", at_) - at_));
    at_ += digits.size();
    return {std::strtod(digits.c_str(), nullptr)};
  }

  ConfigValue list() {
    ConfigValue::List items;
    for (++at_; peek() != ']';) items.push_back(value());
    ++at_;
    return {std::move(items)};
  }

  ConfigValue object() {
    ConfigValue::Object members;
    for (++at_; peek() != '}';) {
      std::string key = string();
      peek();
      members.push_back({std::move(key), value()});
    }
    ++at_;
    return {std::move(members)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

posenc::ConfigValue from_json(std::string_view text) { return Parser(text).value(); }

posenc::ConfigValue from_file(const std::string& path) {
  std::ifstream file(POSENC_ROOT "/tests/" + path);
  REQUIRE(file.good());
  return from_json(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace testing
