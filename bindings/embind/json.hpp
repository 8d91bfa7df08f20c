#pragma once

// Values of JSON between JavaScript and the core, as doubles: the kind of a value, then its contents.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "calls.hpp"
#include "posenc/grid/mrope.hpp"
#include "posenc/hub/config_value.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc::embind {

/// The kind of a value, in front of its contents, as in js/base/json.ts. A list and an object go on to an end.
enum class Kind : std::uint8_t { end, none, no, yes, number, text, list, object };

/// Reads a value of JSON.
class Reader {
 public:
  explicit Reader(const double* from) : next_(from) {}

  // NOLINTNEXTLINE(misc-no-recursion): JavaScript nests no deeper than the core reads
  ConfigValue value() {
    switch (kind()) {
      case Kind::no:
        return {false};
      case Kind::yes:
        return {true};
      case Kind::number:
        return {*next_++};
      case Kind::text:
        return {text()};
      case Kind::list: {
        ConfigValue::List items;
        while (!ended()) items.push_back(value());
        return {std::move(items)};
      }
      case Kind::object: {
        ConfigValue::Object members;
        while (!ended()) {
          std::string key = (kind(), text());
          members.push_back({std::move(key), value()});
        }
        return {std::move(members)};
      }
      default:
        return {};
    }
  }

 private:
  Kind kind() { return static_cast<Kind>(static_cast<int>(*next_++)); }

  bool ended() {
    const bool is_end = *next_ == static_cast<double>(Kind::end);
    if (is_end) ++next_;
    return is_end;
  }

  std::string text() {
    std::string text(static_cast<std::size_t>(*next_++), '\0');
    for (char& byte : text) byte = static_cast<char>(static_cast<unsigned char>(*next_++));
    return text;
  }

  const double* next_;
};

/// Writes one. `Own` derives from it and writes what else a module has.
template <class Own>
class Writer {
 public:
  void write(Kind kind) { numbers.push_back(static_cast<double>(kind)); }
  void write(bool value) { write(value ? Kind::yes : Kind::no); }
  void write(double value) {
    write(Kind::number);
    numbers.push_back(value);
  }
  void write(std::int64_t value) { write(static_cast<double>(value)); }
  void write(std::string_view value) {
    write(Kind::text);
    numbers.push_back(static_cast<double>(value.size()));
    for (const char byte : value) numbers.push_back(static_cast<unsigned char>(byte));
  }
  template <class Item>
  void write(const std::vector<Item>& items) {
    write(Kind::list);
    for (const Item& item : items) own().write(item);
    write(Kind::end);
  }
  /// Writes a member of an object; an option without a value is left out.
  template <class Value>
  void member(std::string_view key, const Value& value) {
    write(key);
    own().write(value);
  }
  template <class Value>
  void member(std::string_view key, const std::optional<Value>& value) {
    if (value) member(key, *value);
  }
  /// One that is always there: null where it is empty.
  template <class Value>
  void member_or_null(std::string_view key, const Value& value) {
    write(key);
    value.empty() ? write(Kind::none) : own().write(value);
  }

  /// Null for what is not there.
  template <class Value>
  void member_or_null(std::string_view key, const std::optional<Value>& value) {
    write(key);
    value ? own().write(*value) : write(Kind::none);
  }

  void write(const Scaling& scaling) {
    write(Kind::object);
    member("type", name_of(scaling));
    const auto option = [this](const char* key, const auto& value, bool) { this->member(key, value); };
    Scaling rule = scaling;
    std::visit([&option](auto& made) { each_option(option, made); }, rule);
    write(Kind::end);
  }

  void write(const RotaryOptions& options) {
    write(Kind::object);
    member("dim", options.dim);
    if (options.layout != Layout::unnamed) member("layout", name_of(options.layout));
    member("base", options.base);
    member("rotaryDim", options.rotary_dim);
    // All that the library runs, not only what configs say.
    if constexpr (requires { Own::writes_whole_plans; }) {
      if (options.exponent != Exponent::paper) member("exponent", name_of(options.exponent));
      member("exponentDim", options.exponent_dim);
      member("length", options.length);
    }
    member("scaling", options.scaling);
    write(Kind::end);
  }

  /// As options of `mrope`.
  void write_mrope(const std::vector<std::int64_t>& sections, MropeOrder order) {
    write(Kind::object);
    member("sections", sections);
    member("order", std::string_view(order == MropeOrder::interleaved ? "interleaved"
                                     : order == MropeOrder::time_last ? "time-last"
                                                                      : "chunked"));
    write(Kind::end);
  }

  std::vector<double> numbers;

 private:
  Own& own() { return static_cast<Own&>(*this); }
};

/// Answers with a value that JavaScript reads, and then releases (js/base/json.ts).
template <class Own>
Expected<void> answer_with(const auto& in, const auto& value) {
  Own made;
  made.write(value);
  in.answer.address = static_cast<double>(reinterpret_cast<Address>(made.numbers.data()));
  in.answer.size = static_cast<double>(made.numbers.size());
  in.answer.handle = to_handle(std::move(made.numbers));
  return {};
}

}  // namespace posenc::embind
