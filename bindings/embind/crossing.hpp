#pragma once

// What every binding shares: how values, objects and errors cross between JavaScript and the core.
//
// Memory is the caller's: addresses are what malloc gave. A function that can fail returns `undefined` (or a handle)
// when all went well, and otherwise the error as an object { argument, value, expected }, which the TypeScript side
// throws. Handles are addresses of core objects; `...Free` ends them. Nothing here decides anything.

#include <emscripten/bind.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/frequencies/positions.hpp"
#include "posenc/learned/table_rows.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc::embind {

using emscripten::val;
using Address = std::uintptr_t;

[[nodiscard]] val failure(const Error& error);

/// `undefined`, or the error.
[[nodiscard]] val outcome(const Expected<void>& result);

/// Moves a made object to the heap and gives its address, or the error.
template <class T>
[[nodiscard]] val handle(Expected<T> made) {
  if (!made) return failure(made.error());
  return val(reinterpret_cast<Address>(new T(std::move(*made))));
}

template <class T>
[[nodiscard]] T& object_at(Address address) {
  return *reinterpret_cast<T*>(address);
}

template <class T>
void free_object(Address address) {
  const std::unique_ptr<T> ended(&object_at<T>(address));
}

template <class T>
[[nodiscard]] std::span<T> values_at(Address address, std::size_t count) {
  return {reinterpret_cast<T*>(address), count};
}

/// A JavaScript array.
template <class T>
[[nodiscard]] val array_of(const std::vector<T>& values) {
  val array = val::array();
  for (const T& value : values) {
    if constexpr (std::is_arithmetic_v<T>)
      array.call<void>("push", static_cast<double>(value));
    else
      array.call<void>("push", value);
  }
  return array;
}

/// A list of positions where there is one, else `count` positions from `offset` on. NaN lists: one for all rows of a
/// batch; otherwise `count` numbers are that many lists.
[[nodiscard]] Positions positions_at(Address list, std::size_t count, double offset,
                                     double lists = std::numeric_limits<double>::quiet_NaN());

/// The same for rows of a table.
[[nodiscard]] TableRows table_rows_at(Address ids, std::size_t count, double offset);

/// The edge hands over whole numbers as doubles, which hold every safe integer.
[[nodiscard]] std::int64_t whole(double number);

/// NaN stands for an option that was not given.
[[nodiscard]] std::optional<std::int64_t> whole_if_given(double number);

[[nodiscard]] std::optional<double> number_if_given(double number);

/// An empty name stands for an option that was not given.
template <class Enum>
[[nodiscard]] Expected<std::optional<Enum>> name_if_given(Expected<Enum> (*from_name)(std::string_view),
                                                          const std::string& name) {
  if (name.empty()) return std::optional<Enum>();
  auto meaning = from_name(name);
  if (!meaning) return std::unexpected(std::move(meaning.error()));
  return std::optional<Enum>(*meaning);
}

/// The edge hands over shapes as doubles.
[[nodiscard]] std::vector<std::int64_t> extents_at(Address shape, std::size_t rank);

[[nodiscard]] Expected<FrequencyOptions> frequency_options(double dim, double base, const std::string& exponent,
                                                           double shift, double scale);

/// From four doubles: heads, queries, keys, query offset.
[[nodiscard]] Expected<RelativePositions> relative_positions_at(Address shape);

}  // namespace posenc::embind
