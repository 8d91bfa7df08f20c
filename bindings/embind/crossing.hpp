#pragma once

// The one way from JavaScript into the core. A call is a block of doubles, one after the other, in the order of the
// function's description (js/base/block.ts). structs.mjs writes from the descriptions a struct for each call, which is
// read from its block, and what exports it; a module has a function `run` for each of its structs. A call gives 0, or
// the address of a report of what was wrong (js/base/check.ts throws it). Memory is the caller's, but for objects that
// live on: their handle is an address, and `release` ends them. Nothing here decides what a value may be.

#include <emscripten/bind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/positions.hpp"

namespace posenc::embind {

using Address = std::uintptr_t;

/// An array of the call's, of whatever type its function takes.
struct Array {
  Address address;
  std::size_t size;

  template <class T>
  [[nodiscard]] std::span<T> as() const {
    return {reinterpret_cast<T*>(address), size};
  }
  template <class T>
  operator std::span<T>() const {
    return as<T>();
  }
  [[nodiscard]] bool is_given() const { return address != 0; }
};

/// A tensor, whose values fit its shape.
struct Tensor : Array {
  std::span<const double> shape;

  /// The extent of an axis, counted from the end; 1 where there is none.
  [[nodiscard]] std::size_t extent(std::size_t from_end) const;
  /// The product of the extents of all but the last `axes`.
  [[nodiscard]] std::size_t batch(std::size_t axes) const;
};

/// A list of positions, or none; `lists` says how many rows of a batch it is for, where each has its own.
struct PositionList : Array {
  std::optional<std::int64_t> lists;
};

/// Values of any dtype, which is named.
struct Stored : Array {
  std::string_view dtype;
};

/// A tensor of any dtype, which is named.
struct StoredTensor : Tensor {
  std::string_view dtype;

  /// Its contents.
  [[nodiscard]] Expected<ConstStored> values() const;
};

class Block {
 public:
  explicit Block(Address start) : next_(reinterpret_cast<double*>(start)) {}

  // Out of line: a struct with many members would otherwise be several times as large.
  [[nodiscard]] double number();
  [[nodiscard]] std::int64_t whole();
  [[nodiscard]] bool flag();
  /// One that was left out is NaN.
  [[nodiscard]] std::optional<double> number_if_given();
  [[nodiscard]] std::optional<std::int64_t> whole_if_given();
  [[nodiscard]] std::optional<bool> flag_if_given();
  /// A list's length and then its numbers, which are in the block itself.
  [[nodiscard]] std::span<const double> list();
  [[nodiscard]] std::span<const std::int64_t> extents();
  [[nodiscard]] std::string_view word();
  /// One that was left out is empty.
  [[nodiscard]] std::optional<std::string_view> word_if_given();
  /// Address 0 for one that was left out.
  [[nodiscard]] Array array();
  [[nodiscard]] Address handle();
  [[nodiscard]] Tensor tensor();
  [[nodiscard]] std::vector<Tensor> tensors();
  [[nodiscard]] Stored stored();
  [[nodiscard]] StoredTensor stored_tensor();
  [[nodiscard]] PositionList positions();
  [[nodiscard]] double& answer();
  /// A list of groups of options.
  template <class Group>
  [[nodiscard]] std::vector<Group> groups() {
    std::vector<Group> all;
    for (std::int64_t count = whole(); count > 0; --count) all.emplace_back(*this);
    return all;
  }

 private:
  double* next_;
};

/// 0, or the address of a report of the error, which js/base/check.ts reads; it lives until it is released.
[[nodiscard]] Address report(Expected<void> result);

/// The function that JavaScript calls, with the address of a block.
template <class Call, Expected<void> (*function)(const Call&)>
Address entered(Address start) {
  Block block(start);
  return report(function(Call(block)));
}

/// Exports a function under the name of its description.
template <class Call, Expected<void> (*function)(const Call&)>
void expose() {
  emscripten::function(Call::name, &entered<Call, function>);
}

/// An object that lives until JavaScript releases it.
struct Owned {
  void (*end)(Owned*);
};

template <class T>
struct OwnedObject : Owned {
  T object;
};

/// Moves an object to the heap and returns its handle: its address, as a double.
template <class T>
[[nodiscard]] double to_handle(T made) {
  Owned* const owned = new OwnedObject<T>{
      {[](Owned* ended) { const std::unique_ptr<OwnedObject<T>> object(static_cast<OwnedObject<T>*>(ended)); }},
      std::move(made)};
  return static_cast<double>(reinterpret_cast<Address>(owned));
}

/// The object of a handle that to_handle<T> made.
template <class T>
[[nodiscard]] T& from_handle(Address handle) {
  return static_cast<OwnedObject<T>*>(reinterpret_cast<Owned*>(handle))->object;
}

// How an option of the core's is set from one of a call's. It keeps its default unless one was given.

template <class Option, class Value>
  requires std::is_arithmetic_v<Value>
void set(Option& option, Value value) {
  option = static_cast<Option>(value);
}

template <class Option, class Value>
  requires std::is_arithmetic_v<Value>
void set(Option& option, const std::optional<Value>& given) {
  if (given) set(option, *given);
}

template <class T>
void set(std::span<T>& option, const Array& array) {
  option = array;
}

/// A text, in UTF-8.
inline void set(std::string_view& option, const Array& array) {
  const auto bytes = array.as<const char>();
  option = {bytes.data(), bytes.size()};
}

inline void set(std::vector<double>& option, const Array& array) {
  const auto values = array.as<const double>();
  option.assign(values.begin(), values.end());
}

inline void set(std::vector<std::int64_t>& option, std::span<const std::int64_t> values) {
  option.assign(values.begin(), values.end());
}

/// A word; the error lists those that there are.
template <class Enum>
  requires std::is_enum_v<Enum>
[[nodiscard]] Expected<void> set(Enum& option, std::string_view word) {
  POSENC_TRY_LET(meaning, from_name<Enum>(word));
  option = meaning;
  return {};
}

template <class Enum>
[[nodiscard]] Expected<void> set(std::optional<Enum>& option, std::string_view word) {
  return set(option.emplace(), word);
}

/// A word whose meaning the core looks up later.
[[nodiscard]] inline Expected<void> set(std::string& option, std::string_view word) {
  option = word;
  return {};
}

template <class Option>
[[nodiscard]] Expected<void> set(Option& option, const std::optional<std::string_view>& given) {
  return given ? set(option, *given) : Expected<void>{};
}

/// A rule: one of several types, each with options of its own.
template <class Rule>
[[nodiscard]] Expected<void> set(Rule& option, const Expected<Rule>& read) {
  if (!read) return error_of(read);
  option = *read;
  return {};
}

/// A group of options, to which the core has a struct too.
template <class Group, class Fields>
  requires requires(Group& group, const Fields& in) { fill(group, in); }
[[nodiscard]] Expected<void> set(Group& option, const Fields& in) {
  return fill(option, in);
}

template <class Group, class Fields>
  requires requires(Group& group, const Fields& in) { fill(group, in); }
[[nodiscard]] Expected<void> set(Group& option, const std::optional<Fields>& given) {
  return given ? fill(option, *given) : Expected<void>{};
}

/// The name of an option.
template <std::size_t size>
struct OptionName {
  consteval OptionName(const char (&name)[size]) { std::copy_n(name, size, of); }
  char of[size];
};

/// Options that the function itself handles, by name.
template <OptionName... names>
struct Handled {};

template <OptionName option, class Elsewhere>
constexpr bool is_among = false;
template <OptionName option, OptionName... names>
constexpr bool is_among<option, Handled<names...>> = ((std::string_view(option.of) == names.of) || ...);

// structs.mjs writes for each struct of a call, and for each that calls share,
//
//   template <class... Elsewhere, class Options>
//   Expected<void> fill(Options& options, const Struct& in);
//
// which sets the options of one of the core's structs that have the same names. An option that the core's struct does
// not have is an error of the compiler's unless the caller names who handles it: fill<Handled<"heads">>(...) where
// the function does, fill<calls::BiasFields>(...) where all of these go to another.
#define POSENC_FILL(option)                                                                   \
  if constexpr (!(is_among<#option, Elsewhere> || ...)) {                                     \
    static_assert(requires { options.option; }, #option " is an option that nobody handles"); \
    if constexpr (std::is_void_v<decltype(set(options.option, in.option))>) {                 \
      set(options.option, in.option);                                                         \
    } else {                                                                                  \
      POSENC_TRY(set(options.option, in.option));                                             \
    }                                                                                         \
  }

#define POSENC_FILL_SHARED(Fields)                                           \
  if constexpr (!(std::is_same_v<Fields, Elsewhere> || ...)) {               \
    POSENC_TRY(fill<Elsewhere...>(options, static_cast<const Fields&>(in))); \
  }

/// The options of the core's that a call gives. Inlined, so that they are made where they are used.
template <class Options, class... Elsewhere, class Call>
[[nodiscard, gnu::always_inline]] inline Expected<Options> filled(const Call& in) {
  Options options;
  POSENC_TRY(fill<Elsewhere...>(options, in));
  return options;
}

/// The list of positions where there is one, else `count` of them from the offset on.
[[nodiscard]] Positions positions_of(const PositionList& list, std::optional<double> offset, std::size_t count);

/// The positions of a call's options `positions` and `offset`, `count` of them.
template <class Call>
[[nodiscard]] Positions positions_of(const Call& in, std::size_t count) {
  return positions_of(in.positions, in.offset, count);
}

/// The positions of a call whose `length` is their number.
template <class Call>
[[nodiscard]] Positions positions_of(const Call& in) {
  return positions_of(in.positions, in.offset, static_cast<std::size_t>(in.length.value_or(0)));
}

/// Calls `write` with the values of a result in the dtype that was named, float32 by default.
template <class Write>
[[nodiscard]] Expected<void> write_as(const std::optional<std::string_view>& dtype, const Array& out,
                                      const Write& write) {
  auto storage = DType::float32;
  POSENC_TRY(set(storage, dtype));
  if (storage == DType::float32) return write(out.as<float>());
  return write(Span16(storage, out.as<std::uint16_t>()));
}

}  // namespace posenc::embind
