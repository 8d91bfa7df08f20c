#include "posenc/base/range.hpp"

#include <cmath>
#include <string>

#include "posenc/base/error_code.hpp"

namespace posenc {
namespace {

ErrorParameter parameter_of(double bound, const RangeBound& written) {
  return written.text().empty() ? ErrorParameter(bound) : ErrorParameter(written.text());
}

}  // namespace

bool contains(const OptionRange& range, double value) {
  if (range.is_whole && value != std::floor(value)) return false;
  return (range.excludes_least ? value > range.least : value >= range.least) &&
         (range.excludes_most ? value < range.most : value <= range.most);
}

Error out_of_range(std::string_view name, double value, const OptionRange& range) {
  const bool is_open = range.most == most_finite;
  const ErrorParameter least = parameter_of(range.least, range.least_text);
  const ErrorParameter most = parameter_of(range.most, range.most_text);
  const auto wrong = [&](ErrorCode code, std::initializer_list<ErrorParameter> bounds) {
    return Error(std::string(name), value, code, bounds);
  };
  if (range.is_whole) return wrong(expected::whole_from_to, {least, most});
  if (range.excludes_most) return wrong(expected::at_least_below, {least, most});
  if (range.excludes_least)
    return is_open ? wrong(expected::finite_above, {least}) : wrong(expected::above_to, {least, most});
  if (range.least == -range.most)
    return is_open ? wrong(expected::finite, {}) : wrong(expected::finite_at_most, {most});
  return is_open ? wrong(expected::finite_at_least, {least}) : wrong(expected::from_to, {least, most});
}

Expected<void> check_each(const NamedRange* ranges, const double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (!contains(ranges[i].range, values[i]))
      return std::unexpected(out_of_range(ranges[i].name, values[i], ranges[i].range));
  return {};
}

double number_of(std::int64_t value) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (value == exact + 1) return 0x1p53 + 2;
  return value == -exact - 1 ? -0x1p53 - 2 : static_cast<double>(value);
}

}  // namespace posenc
