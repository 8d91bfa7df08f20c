#include "posenc/base/check.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "posenc/base/try.hpp"

namespace posenc {
namespace {

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text.append(part);
  return text;
}

/// std::to_string brings a table with it that is larger than all it is needed for here.
std::string digits(std::uint64_t number) {
  char text[20];
  char* first = std::end(text);
  do *--first = static_cast<char>('0' + number % 10);
  while ((number /= 10) > 0);
  return {first, std::end(text)};
}

std::string listed(std::span<const Name> names) {
  std::string text;
  for (const Name& known : names) text += joined({text.empty() ? "\"" : ", \"", known.name, "\""});
  return text;
}

}  // namespace

std::unexpected<Error> invalid_argument(std::string_view argument, double value, ErrorCode code,
                                        std::initializer_list<ErrorParameter> parameters, std::string_view note) {
  return std::unexpected(Error{std::string(argument), value, code, parameters, note});
}

std::unexpected<Error> invalid_argument(std::string_view argument, std::string value, ErrorCode code,
                                        std::initializer_list<ErrorParameter> parameters, std::string_view note) {
  return std::unexpected(Error{std::string(argument), std::move(value), code, parameters, note});
}

std::unexpected<Error> invalid_argument(std::string_view argument, double value,
                                        std::initializer_list<std::string_view> expected) {
  return invalid_argument(argument, value, expected::other, {joined(expected)});
}

std::unexpected<Error> invalid_argument(std::string_view argument, std::string value,
                                        std::initializer_list<std::string_view> expected) {
  return invalid_argument(argument, std::move(value), expected::other, {joined(expected)});
}

std::string decimal(std::int64_t number) {
  const auto magnitude = static_cast<std::uint64_t>(number);
  return number < 0 ? "-" + digits(0 - magnitude) : digits(magnitude);
}

std::string decimal(std::size_t number) { return digits(number); }

Expected<int> meaning_of(std::span<const Name> names, std::string_view argument, std::string_view name) {
  for (const Name& known : names)
    if (known.name == name) return known.meaning;
  return invalid_argument(argument, joined({"\"", name, "\""}), expected::one_of, {listed(names)});
}

std::string_view name_of(std::span<const Name> names, int meaning) {
  for (const Name& known : names)
    if (known.meaning == meaning) return known.name;
  return "";
}

Expected<void> check_whole(std::string_view argument, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return {};
  return invalid_argument(argument, static_cast<double>(value), expected::whole_from_to, {least, most});
}

Expected<void> check_size(std::string_view argument, std::size_t size, std::size_t rows, std::size_t columns) {
  if (columns != 1) return check_extents(argument, size, {rows, columns});
  if (size == rows) return {};
  return check_extents(argument, size, {rows});
}

Expected<void> check_extents(std::string_view argument, std::size_t size, std::initializer_list<std::size_t> extents) {
  // Divided and not multiplied: a product may not fit into a size.
  bool fits = std::ranges::find(extents, std::size_t{0}) == extents.end();
  if (!fits && size == 0) return {};
  std::size_t rest = size;
  for (const std::size_t extent : extents) {
    fits = fits && rest % extent == 0;
    if (fits) rest /= extent;
  }
  if (fits && rest == 1) return {};
  std::string product;
  for (const std::size_t extent : extents) product += joined({product.empty() ? "" : " * ", decimal(extent)});
  return invalid_argument(argument, static_cast<double>(size), expected::values, {product});
}

Expected<void> check_arrays(std::initializer_list<ArraySize> arrays) {
  for (const ArraySize& array : arrays) POSENC_TRY(check_extents(array.argument, array.size, array.extents));
  return {};
}

Expected<void> check_wanted(std::initializer_list<ArraySize> arrays) {
  for (const ArraySize& array : arrays)
    if (array.size != 0) POSENC_TRY(check_extents(array.argument, array.size, array.extents));
  return {};
}

}  // namespace posenc
