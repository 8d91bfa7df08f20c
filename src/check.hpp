#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "posenc/error.hpp"

namespace posenc {

/// The vocabulary of one option: its names, and what each means.
template <class Meaning, std::size_t n>
using Names = std::array<std::pair<std::string_view, Meaning>, n>;

inline void append_quoted(std::string& text, std::string_view name) {
  text += '"';
  text += name;
  text += '"';
}

/// The meaning of `name`, or an Error that lists the names there are.
template <class Meaning, std::size_t n>
[[nodiscard]] Expected<Meaning> from_name(const Names<Meaning, n>& names, std::string_view argument,
                                          std::string_view name) {
  Error error{std::string(argument), "", ""};
  for (const auto& [known, meaning] : names) {
    if (known == name) return meaning;
    error.expected += error.expected.empty() ? "one of " : ", ";
    append_quoted(error.expected, known);
  }
  append_quoted(std::get<std::string>(error.value), name);
  return std::unexpected(std::move(error));
}

/// An Error unless `value` is in [least, most].
[[nodiscard]] inline Expected<void> check_whole(std::string_view argument, std::int64_t value, std::int64_t least,
                                                std::int64_t most) {
  if (value >= least && value <= most) return {};
  return std::unexpected(Error{std::string(argument), static_cast<double>(value),
                               "a whole number from " + std::to_string(least) + " to " + std::to_string(most)});
}

/// An Error unless a span holds exactly rows * columns values (a product that may not fit into a size).
[[nodiscard]] inline Expected<void> check_size(std::string_view argument, std::size_t size, std::size_t rows,
                                               std::size_t columns = 1) {
  const bool fits = rows == 0 || columns == 0 ? size == 0 : size / rows == columns && size % rows == 0;
  if (fits) return {};
  const std::string shape = std::to_string(rows) + (columns == 1 ? "" : " * " + std::to_string(columns));
  return std::unexpected(Error{std::string(argument), static_cast<double>(size), shape + " values"});
}

}  // namespace posenc
