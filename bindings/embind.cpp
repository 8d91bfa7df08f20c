// The crossing between JavaScript and the core. It converts and forwards; it decides nothing.
//
// Memory is the caller's: addresses are what malloc gave. A function that can fail returns `undefined` (or a handle)
// when all went well, and otherwise the error as an object { argument, value, expected }, which the TypeScript side
// throws. Handles are addresses of core objects; `…Free` ends them.

#include <emscripten/bind.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "posenc/absolute.hpp"
#include "posenc/attention.hpp"
#include "posenc/frequencies.hpp"
#include "posenc/positions.hpp"
#include "posenc/rotary.hpp"
#include "posenc/sinusoid.hpp"

namespace {

using emscripten::val;
using Address = std::uintptr_t;

val failure(const posenc::Error& error) {
  val object = val::object();
  object.set("argument", error.argument);
  if (const auto* const number = std::get_if<double>(&error.value))
    object.set("value", *number);
  else
    object.set("value", std::get<std::string>(error.value));
  object.set("expected", error.expected);
  return object;
}

val outcome(const posenc::Expected<void>& result) { return result ? val::undefined() : failure(result.error()); }

/// Moves a made object to the heap and gives its address, or the error.
template <class T>
val handle(posenc::Expected<T> made) {
  if (!made) return failure(made.error());
  return val(reinterpret_cast<Address>(new T(std::move(*made))));
}

template <class T>
T& object_at(Address address) {
  return *reinterpret_cast<T*>(address);
}

template <class T>
void free_object(Address address) {
  const std::unique_ptr<T> ended(&object_at<T>(address));
}

template <class T>
std::span<T> values_at(Address address, std::size_t count) {
  return {reinterpret_cast<T*>(address), count};
}

/// A list of positions where there is one, else `count` positions from `offset` on.
posenc::Positions positions_at(Address list, std::size_t count, double offset) {
  return list != 0 ? posenc::Positions::list(values_at<const double>(list, count))
                   : posenc::Positions::range(count, offset);
}

/// The edge hands over whole numbers as doubles, which hold every safe integer.
std::int64_t whole(double number) { return static_cast<std::int64_t>(number); }

/// NaN stands for an option that was not given.
std::optional<std::int64_t> whole_if_given(double number) {
  return std::isnan(number) ? std::nullopt : std::optional(whole(number));
}

posenc::Expected<posenc::FrequencyOptions> frequency_options(double dim, double base, const std::string& exponent) {
  const auto meaning = posenc::exponent_from_name(exponent);
  if (!meaning) return std::unexpected(meaning.error());
  return posenc::FrequencyOptions{whole(dim), base, *meaning};
}

val frequencies_make(double dim, double base, const std::string& exponent) {
  const auto options = frequency_options(dim, base, exponent);
  return options ? handle(posenc::Frequencies::make(*options)) : failure(options.error());
}

std::size_t frequencies_count(Address frequencies) { return object_at<posenc::Frequencies>(frequencies).count(); }

void frequencies_radians(Address frequencies, Address out) {
  const auto& made = object_at<posenc::Frequencies>(frequencies);
  const auto radians = values_at<double>(out, made.count());
  for (std::size_t i = 0; i < radians.size(); ++i) radians[i] = made.radians(i);
}

val sinusoid_make(double dim, double base, const std::string& exponent, const std::string& order) {
  const auto frequencies = frequency_options(dim, base, exponent);
  if (!frequencies) return failure(frequencies.error());
  const auto meaning = posenc::order_from_name(order);
  if (!meaning) return failure(meaning.error());
  return handle(posenc::Sinusoid::make({*frequencies, *meaning}));
}

val sinusoid_table(Address sinusoid, Address list, std::size_t count, double offset, Address out) {
  const auto& made = object_at<posenc::Sinusoid>(sinusoid);
  return outcome(made.table(positions_at(list, count, offset), values_at<float>(out, count * made.dim())));
}

val rotary_make(double dim, const std::string& layout, double base, double rotary_dim, const std::string& exponent) {
  const auto layout_meaning = posenc::layout_from_name(layout);
  if (!layout_meaning) return failure(layout_meaning.error());
  const auto exponent_meaning = posenc::exponent_from_name(exponent);
  if (!exponent_meaning) return failure(exponent_meaning.error());
  return handle(
      posenc::Rotary::make({whole(dim), *layout_meaning, base, whole_if_given(rotary_dim), *exponent_meaning}));
}

std::size_t rotary_rotary_dim(Address rotary) { return object_at<posenc::Rotary>(rotary).rotary_dim(); }

val rotary_cache(Address rotary, Address list, std::size_t count, double offset, Address cosines, Address sines) {
  const auto& made = object_at<posenc::Rotary>(rotary);
  const std::size_t size = count * (made.rotary_dim() / 2);
  return outcome(
      made.cache(positions_at(list, count, offset), values_at<float>(cosines, size), values_at<float>(sines, size)));
}

/// `shape` holds `rank` doubles. Without a list, positions run from `offset` over the sequence axis.
val rotary_apply(Address rotary, Address x, std::size_t size, Address shape, std::size_t rank, double sequence_axis,
                 Address list, std::size_t count, double offset, bool inverse) {
  std::int64_t extents[32];
  if (rank > std::size(extents)) return failure({"shape", std::to_string(rank) + " axes", "at most 32 axes"});
  for (std::size_t i = 0; i < rank; ++i) extents[i] = whole(values_at<const double>(shape, rank)[i]);
  const auto made = posenc::SequenceShape::make({extents, rank}, whole_if_given(sequence_axis));
  if (!made) return failure(made.error());
  const auto positions = positions_at(list, list != 0 ? count : made->sequence(), offset);
  return outcome(object_at<posenc::Rotary>(rotary).apply(
      values_at<float>(x, size), *made, positions, inverse ? posenc::Direction::inverse : posenc::Direction::forward));
}

val absolute_add(Address x, std::size_t size, std::size_t rows, std::size_t dim, Address table,
                 std::size_t table_size) {
  return outcome(posenc::add_absolute(values_at<const float>(x, size), rows, dim,
                                      values_at<const float>(table, table_size), values_at<float>(x, size)));
}

val linear(Address x, std::size_t rows, std::size_t in, Address weight, std::size_t out, Address y) {
  return outcome(posenc::linear(values_at<const float>(x, rows * in), values_at<const float>(weight, out * in), in,
                                values_at<float>(y, rows * out)));
}

val attention(std::size_t queries, std::size_t keys, std::size_t dim, std::size_t value_dim, double scale,
              Address query, Address key, Address value, Address weights, Address output) {
  return outcome(
      posenc::attention({queries, keys, dim, value_dim}, scale, values_at<const float>(query, queries * dim),
                        values_at<const float>(key, keys * dim), values_at<const float>(value, keys * value_dim),
                        values_at<float>(weights, queries * keys), values_at<float>(output, queries * value_dim)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(posenc) {
  emscripten::function("frequenciesMake", &frequencies_make);
  emscripten::function("frequenciesCount", &frequencies_count);
  emscripten::function("frequenciesRadians", &frequencies_radians);
  emscripten::function("frequenciesFree", &free_object<posenc::Frequencies>);
  emscripten::function("sinusoidMake", &sinusoid_make);
  emscripten::function("sinusoidTable", &sinusoid_table);
  emscripten::function("sinusoidFree", &free_object<posenc::Sinusoid>);
  emscripten::function("rotaryMake", &rotary_make);
  emscripten::function("rotaryDim", &rotary_rotary_dim);
  emscripten::function("rotaryCache", &rotary_cache);
  emscripten::function("rotaryApply", &rotary_apply);
  emscripten::function("rotaryFree", &free_object<posenc::Rotary>);
  emscripten::function("absoluteAdd", &absolute_add);
  emscripten::function("linear", &linear);
  emscripten::function("attention", &attention);
}
