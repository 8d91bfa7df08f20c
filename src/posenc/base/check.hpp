#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "posenc/base/error.hpp"
#include "posenc/base/error_code.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/try.hpp"

namespace posenc {

/// An Error ready to be returned: the argument, what it was, and what was expected of it (error_code.hpp). `note`
/// follows the sentence: invalid_argument("dim", dim, expected::even, {}, ", for this preset").
[[nodiscard]] std::unexpected<Error> invalid_argument(std::string_view argument, double value, ErrorCode code,
                                                      std::initializer_list<ErrorParameter> parameters = {},
                                                      std::string_view note = {});
[[nodiscard]] std::unexpected<Error> invalid_argument(std::string_view argument, std::string value, ErrorCode code,
                                                      std::initializer_list<ErrorParameter> parameters = {},
                                                      std::string_view note = {});

/// Reports a condition of one place alone, whose English text is joined from `expected`.
[[nodiscard]] std::unexpected<Error> invalid_argument(std::string_view argument, double value,
                                                      std::initializer_list<std::string_view> expected);
[[nodiscard]] std::unexpected<Error> invalid_argument(std::string_view argument, std::string value,
                                                      std::initializer_list<std::string_view> expected);

[[nodiscard]] std::string decimal(std::int64_t number);
[[nodiscard]] std::string decimal(std::size_t number);

template <class Enum>
[[nodiscard]] Expected<Enum> from_name(std::span<const Name> names, std::string_view argument, std::string_view name) {
  POSENC_TRY_LET(meaning, meaning_of(names, argument, name));
  return static_cast<Enum>(meaning);
}

template <class Enum>
[[nodiscard]] std::string_view name_of(std::span<const Name> names, Enum enumerator) {
  return name_of(names, static_cast<int>(enumerator));
}

/// An Error unless `value` is in [least, most].
[[nodiscard]] Expected<void> check_whole(std::string_view argument, std::int64_t value, std::int64_t least,
                                         std::int64_t most);

/// An Error unless a span holds exactly rows * columns values (a product that may not fit into a size).
[[nodiscard]] Expected<void> check_size(std::string_view argument, std::size_t size, std::size_t rows,
                                        std::size_t columns = 1);

/// Checks a size against the product of any number of extents.
[[nodiscard]] Expected<void> check_extents(std::string_view argument, std::size_t size,
                                           std::initializer_list<std::size_t> extents);

/// An array's size, and the extents whose product it must be.
struct ArraySize {
  std::string_view argument;
  std::size_t size;
  std::initializer_list<std::size_t> extents;
};

/// check_extents of each, in order. One call instead of many keeps the caller small.
[[nodiscard]] Expected<void> check_arrays(std::initializer_list<ArraySize> arrays);

/// The same, but an array of size 0 counts as left out.
[[nodiscard]] Expected<void> check_wanted(std::initializer_list<ArraySize> arrays);

}  // namespace posenc
