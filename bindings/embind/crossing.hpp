#pragma once

// The one way from JavaScript into the core. Each function takes the address of a block, reads the struct that is
// written from its description (structs.mjs), and gives 0, or the address of a report of what was wrong
// (js/base/check.ts throws it). Memory is the caller's, but for objects that live on: their handle is an address, and
// `release` ends them. Nothing here decides what a value may be.

#include <emscripten/bind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "block.hpp"
#include "posenc/base/error.hpp"

/// Gives back the error of an Expected<void>, if it is one.
#define POSENC_TRY(...)                                                                       \
  do {                                                                                        \
    if (auto tried = (__VA_ARGS__); !tried) return std::unexpected(std::move(tried.error())); \
  } while (false)

/// Declares `name` with the value of an Expected, or gives back its error.
#define POSENC_TRY_LET(name, ...)                                       \
  auto name##_or = (__VA_ARGS__);                                       \
  if (!name##_or) return std::unexpected(std::move(name##_or.error())); \
  auto& name = *name##_or

namespace posenc::embind {

/// 0, or where the error stands until it is released: as doubles the value, if that is a number, and address and size
/// of three texts: the argument, the value where it is one, and what was expected.
[[nodiscard]] Address report(Expected<void> result);

template <class Call>
Call call_of(Expected<void> (*)(const Call&));

/// What JavaScript calls: the function with what its block holds.
template <auto function>
Address entered(Address start) {
  Block block(start);
  return report(function(decltype(call_of(function))(block)));
}

/// Exports a function under the name of its description.
template <auto function>
void expose() {
  emscripten::function(decltype(call_of(function))::name, &entered<function>);
}

/// What `release` ends.
struct Held {
  virtual ~Held() = default;
  Held() = default;
  Held(const Held&) = delete;
  Held(Held&&) = delete;
  Held& operator=(const Held&) = delete;
  Held& operator=(Held&&) = delete;
};

template <class T>
struct HeldObject : Held {
  explicit HeldObject(T made) : object(std::move(made)) {}
  T object;
};

/// Moves an object to the heap; its handle, which a double holds.
template <class T>
[[nodiscard]] double hold(T made) {
  Held* const held = new HeldObject<T>(std::move(made));
  return static_cast<double>(reinterpret_cast<Address>(held));
}

template <class T>
[[nodiscard]] T& held(Address handle) {
  return static_cast<HeldObject<T>*>(reinterpret_cast<Held*>(handle))->object;
}

/// An option keeps its default unless it was given.
template <class Option, class Value>
void set(Option& option, const std::optional<Value>& given) {
  if (given) option = *given;
}

/// The same for a word; the error lists those that there are.
template <class Option, class Enum>
[[nodiscard]] Expected<void> set(Option& option, const std::string& word,
                                 Expected<Enum> (*from_name)(std::string_view)) {
  if (word.empty()) return {};
  POSENC_TRY_LET(meaning, from_name(word));
  option = meaning;
  return {};
}

}  // namespace posenc::embind
