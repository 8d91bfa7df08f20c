#include "crossing.hpp"

#include <cmath>
#include <variant>

namespace posenc::embind {

val failure(const Error& error) {
  val object = val::object();
  object.set("argument", error.argument);
  if (const auto* const number = std::get_if<double>(&error.value))
    object.set("value", *number);
  else
    object.set("value", std::get<std::string>(error.value));
  object.set("expected", error.expected);
  return object;
}

val outcome(const Expected<void>& result) { return result ? val::undefined() : failure(result.error()); }

Positions positions_at(Address list, std::size_t count, double offset, double lists) {
  if (list == 0) return Positions::range(count, offset);
  const auto values = values_at<const double>(list, count);
  return std::isnan(lists) ? Positions::list(values) : Positions::lists(values, static_cast<std::size_t>(lists));
}

TableRows table_rows_at(Address ids, std::size_t count, double offset) {
  return ids != 0 ? TableRows::list(values_at<const std::int32_t>(ids, count), whole(offset))
                  : TableRows::range(count, whole(offset));
}

std::int64_t whole(double number) { return static_cast<std::int64_t>(number); }

std::optional<std::int64_t> whole_if_given(double number) {
  return std::isnan(number) ? std::nullopt : std::optional(whole(number));
}

std::optional<double> number_if_given(double number) {
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

std::vector<std::int64_t> extents_at(Address shape, std::size_t rank) {
  std::vector<std::int64_t> extents;
  for (const double extent : values_at<const double>(shape, rank)) extents.push_back(whole(extent));
  return extents;
}

Expected<FrequencyOptions> frequency_options(double dim, double base, const std::string& exponent, double shift,
                                             double scale) {
  const auto meaning = exponent_from_name(exponent);
  if (!meaning) return std::unexpected(meaning.error());
  return FrequencyOptions{whole(dim), base, *meaning, shift, scale};
}

Expected<RelativePositions> relative_positions_at(Address shape) {
  const auto extents = values_at<const double>(shape, 4);
  return RelativePositions::make({whole(extents[0]), whole(extents[1]), whole(extents[2]), whole(extents[3])});
}

}  // namespace posenc::embind
