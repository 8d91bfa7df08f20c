#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>

#include "posenc/base/error.hpp"

namespace posenc {

/// How a sentence has a bound that reads better as a text than as a number, "2^53", "1e30", "0.000001"; else "". It is
/// written while the library is compiled: printing doubles would double the smallest module.
class RangeBound {
  /// The n of base^n = size; -1 where there is none. Powers of ten are rounded.
  static constexpr int power_of(double base, double size) {
    int n = 0;
    for (; size > 1.5; ++n) size /= base;
    const double off = size < 1 ? 1 - size : size - 1;
    return off <= (base == 2 ? 0 : 1e-9) ? n : -1;
  }
  constexpr void append(auto... letters) { ((text_[size_++] = letters), ...); }
  constexpr void append_number(int number) {
    if (number > 99) append(static_cast<char>('0' + number / 100));
    if (number > 9) append(static_cast<char>('0' + number / 10 % 10));
    append(static_cast<char>('0' + number % 10));
  }

 public:
  constexpr explicit RangeBound(double bound) {
    const double size = bound < 0 ? -bound : bound;
    const bool is_finite = size < 1e300;
    const int twos = is_finite ? power_of(2, size) : 0, less = is_finite ? power_of(2, size + 1) : 0;
    const int tens = is_finite ? power_of(10, size) : 0, tenths = size > 0 && size < 1 ? power_of(10, 1 / size) : 0;
    const bool is_written = twos > 32 || less > 32 || tens > 15 || tenths > 3;
    if (is_written && bound < 0) append('-');
    if (twos > 32 || less > 32) {
      append('2', '^');
      append_number(twos > 32 ? twos : less);
      if (twos <= 32) append(' ', '-', ' ', '1');
    } else if (tens > 15) {
      append('1', 'e');
      append_number(tens);
    } else if (tenths > 3) {
      append('0', '.');
      for (int i = 1; i < tenths; ++i) append('0');
      append('1');
    }
  }

  [[nodiscard]] constexpr std::string_view text() const { return {text_, size_}; }

 private:
  char text_[11] = {};
  std::uint8_t size_ = 0;
};

/// Which numbers an option may be. A struct of options has them in one table, beside its defaults:
///
///   struct T5Options {
///     std::int64_t buckets = 32;
///     static constexpr std::tuple ranges{ranged("buckets", &T5Options::buckets, whole_from(2, 4096))};
///   };
///
/// What check_ranges refuses, what tests try just outside, and what the published documentation calls the default all
/// come from there. Conditions on several options at once are checked by the function that has them. Frequencies,
/// scaling rules, Rotary and Sinusoidal have their checks as code beside the table, which would cost the smallest
/// module 600 bytes; tests of the API compare the two, but for scaling rules, which are options within an option.
struct OptionRange {
  consteval OptionRange(double from, double to, bool whole = false, bool without_least = false,
                        bool without_most = false)
      : least(from),
        most(to),
        least_text(from),
        most_text(to),
        is_whole(whole),
        excludes_least(without_least),
        excludes_most(without_most) {}

  double least, most;  ///< both included, unless it says otherwise
  RangeBound least_text, most_text;
  bool is_whole, excludes_least, excludes_most;
};

inline constexpr double most_finite = std::numeric_limits<double>::max();

[[nodiscard]] consteval OptionRange whole_from(std::int64_t least, std::int64_t most) {
  return {static_cast<double>(least), static_cast<double>(most), true};
}
[[nodiscard]] consteval OptionRange from(double least, double most = most_finite) { return {least, most}; }
[[nodiscard]] consteval OptionRange from_to_below(double least, double bound) {
  return {least, bound, false, false, true};
}
[[nodiscard]] consteval OptionRange above(double bound, double most = most_finite) {
  return {bound, most, false, true};
}
/// All numbers of at most this magnitude.
[[nodiscard]] consteval OptionRange within(double most) { return {-most, most}; }
[[nodiscard]] consteval OptionRange any_finite() { return within(most_finite); }

/// A number of an options struct: how the caller knows it ("maxDistance", "scaling.factor"), and what it may be. One
/// that is optional may be left out.
template <class Options, class Member>
struct RangedOption {
  std::string_view name;
  Member Options::* member;
  OptionRange range;
};

template <class Options, class Member>
[[nodiscard]] consteval RangedOption<Options, Member> ranged(std::string_view name, Member Options::* member,
                                                             OptionRange range) {
  return {name, member, range};
}

[[nodiscard]] bool contains(const OptionRange& range, double value);

/// What is said of a number outside its range: "buckets: 1, expected a whole number from 2 to 4096".
[[nodiscard]] Error out_of_range(std::string_view name, double value, const OptionRange& range);

/// An option's name and range, whichever member it is of.
struct NamedRange {
  std::string_view name;
  OptionRange range;
};

/// The error of the first of `count` values that is out of its range.
[[nodiscard]] Expected<void> check_each(const NamedRange* ranges, const double* values, std::size_t count);

/// A number as a double; a whole one that is none becomes one that is larger, and no less out of range.
[[nodiscard]] double number_of(std::int64_t value);
[[nodiscard]] inline double number_of(std::uint64_t value) { return static_cast<double>(value); }
[[nodiscard]] inline double number_of(double value) { return value; }

/// The error of the first option of the table that is out of its range.
template <class Options>
[[nodiscard]] Expected<void> check_ranges(const Options& options) {
  return std::apply(
      [&]<class... Members>(const RangedOption<Options, Members>&... option) {
        static constexpr auto named = std::apply(
            [](const auto&... each) { return std::array<NamedRange, sizeof...(each)>{{{each.name, each.range}...}}; },
            Options::ranges);
        [[maybe_unused]] const auto number = [&](const auto& each) {
          const auto& member = options.*each.member;
          if constexpr (requires { member.has_value(); })
            return member ? number_of(*member) : each.range.excludes_least ? each.range.most : each.range.least;
          else
            return number_of(member);
        };
        const std::array<double, sizeof...(option)> values{number(option)...};
        return check_each(named.data(), values.data(), named.size());
      },
      Options::ranges);
}

}  // namespace posenc
