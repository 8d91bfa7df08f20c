#include "posenc/base/range.hpp"

#include <cmath>
#include <cstdint>
#include <string>

#include "posenc/base/check.hpp"
#include "posenc/base/error_code.hpp"

namespace posenc {
namespace {

/// A bound that reads better as a text, "2^53", "1e30" or "0.000001", which a number would not have; else "".
std::string bound_text(double bound) {
  const double size = std::fabs(bound);
  int exponent = 0;
  for (const double less : {0.0, 1.0})
    if (std::frexp(size + less, &exponent) == 0.5 && exponent > 33)
      return (bound < 0 ? "-2^" : "2^") + decimal(std::int64_t{exponent} - 1) + (less == 0 ? "" : " - 1");
  if (size != 0 && size < 1e-3) {
    const std::string millionths = decimal(static_cast<std::int64_t>(std::round(size * 1e6)));
    return std::string(bound < 0 ? "-0." : "0.") + std::string(6 - millionths.size(), '0') + millionths;
  }
  if (size < 1e15) return {};
  // Such bounds are powers of ten. Printing any double would bring a table that is larger than the whole module.
  std::int64_t tens = 0;
  for (double rest = size; rest > 1.5; rest /= 10) ++tens;
  return (bound < 0 ? "-1e" : "1e") + decimal(tens);
}

ErrorParameter parameter_of(double bound, const std::string& text) {
  return text.empty() ? ErrorParameter(bound) : ErrorParameter(text);
}

}  // namespace

bool contains(const OptionRange& range, double value) {
  if (range.is_whole && value != std::floor(value)) return false;
  return (range.excludes_least ? value > range.least : value >= range.least) &&
         (range.excludes_most ? value < range.most : value <= range.most);
}

bool contains(const OptionRange& range, std::int64_t value) {
  // Every bound of a whole number is exact, but not every number of 64 bits beside it.
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  return value >= -exact && value <= exact && contains(range, static_cast<double>(value));
}

Error out_of_range(std::string_view name, double value, const OptionRange& range) {
  const std::string least_text = bound_text(range.least), most_text = bound_text(range.most);
  const ErrorParameter least = parameter_of(range.least, least_text), most = parameter_of(range.most, most_text);
  const bool is_open = range.most == most_finite;
  const auto wrong = [&](ErrorCode code, std::initializer_list<ErrorParameter> bounds) {
    return Error(std::string(name), value, code, bounds);
  };
  if (range.is_whole) return wrong(expected::whole_from_to, {least, most});
  if (range.excludes_most) return wrong(expected::at_least_below, {least, most});
  if (range.excludes_least)
    return is_open ? wrong(expected::finite_above, {least}) : wrong(expected::above_to, {least, most});
  if (range.least == -range.most) return is_open ? wrong(expected::finite, {}) : wrong(expected::finite_at_most, {most});
  return is_open ? wrong(expected::finite_at_least, {least}) : wrong(expected::from_to, {least, most});
}

}  // namespace posenc
