#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

#include "posenc/base/error.hpp"

namespace posenc {

/// Which numbers an option may be. A struct of options has them in one table, beside its defaults:
///
///   struct T5Options {
///     std::int64_t buckets = 32;
///     static constexpr std::tuple ranges{ranged("buckets", &T5Options::buckets, whole_from(2, 4096))};
///   };
///
/// What check_ranges refuses, what tests try just outside, and what the published documentation calls the default all
/// come from there. Conditions on several options at once are checked by the function that has them.
struct OptionRange {
  double least, most;  ///< both included, unless it says otherwise
  bool is_whole = false;
  bool excludes_least = false;
  bool excludes_most = false;
};

inline constexpr double most_finite = std::numeric_limits<double>::max();

[[nodiscard]] consteval OptionRange whole_from(std::int64_t least, std::int64_t most) {
  return {static_cast<double>(least), static_cast<double>(most), true};
}
[[nodiscard]] consteval OptionRange from(double least, double most = most_finite) { return {least, most}; }
[[nodiscard]] consteval OptionRange from_to_below(double least, double bound) { return {least, bound, false, false, true}; }
[[nodiscard]] consteval OptionRange above(double bound, double most = most_finite) { return {bound, most, false, true}; }
/// All numbers of at most this magnitude.
[[nodiscard]] consteval OptionRange within(double most) { return {-most, most}; }
[[nodiscard]] consteval OptionRange any_finite() { return within(most_finite); }

/// A number of an options struct: how the caller knows it ("maxDistance", "scaling.factor"), and what it may be. One
/// that is optional may be left out.
template <class Options, class Member>
struct RangedOption {
  std::string_view name;
  Member Options::*member;
  OptionRange range;
};

template <class Options, class Member>
[[nodiscard]] consteval RangedOption<Options, Member> ranged(std::string_view name, Member Options::*member,
                                                             OptionRange range) {
  return {name, member, range};
}

[[nodiscard]] bool contains(const OptionRange& range, double value);
[[nodiscard]] bool contains(const OptionRange& range, std::int64_t value);
[[nodiscard]] inline bool contains(const OptionRange& range, std::uint64_t value) {
  return contains(range, static_cast<double>(value));
}
template <class Number>
[[nodiscard]] bool contains(const OptionRange& range, const std::optional<Number>& value) {
  return !value || contains(range, *value);
}

/// What is said of a number outside its range: "buckets: 1, expected a whole number from 2 to 4096".
[[nodiscard]] Error out_of_range(std::string_view name, double value, const OptionRange& range);

/// The error of the first option of the table that is out of its range.
template <class Options>
[[nodiscard]] Expected<void> check_ranges(const Options& options) {
  std::string_view name;
  const OptionRange* range = nullptr;
  double value = 0;
  const auto is_fine = [&](const auto& option) {
    const auto& given = options.*option.member;
    if (contains(option.range, given)) return true;
    name = option.name;
    range = &option.range;
    if constexpr (requires { given.value(); })
      value = static_cast<double>(*given);
    else
      value = static_cast<double>(given);
    return false;
  };
  if (std::apply([&](const auto&... option) { return (is_fine(option) && ...); }, Options::ranges)) return {};
  return std::unexpected(out_of_range(name, value, *range));
}

}  // namespace posenc
