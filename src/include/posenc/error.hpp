#pragma once

#include <expected>
#include <string>
#include <variant>

namespace posenc {

/// What was wrong with one argument. Errors are values: nothing in the core throws, and nothing has been written to
/// an output when a function returns one.
struct Error {
  std::string argument;                    ///< name of the argument, as the caller knows it: "dim"
  std::variant<double, std::string> value; ///< what it was: -3
  std::string expected;                    ///< what would have been right: "a whole number from 1 to 16777216"

  /// "dim: -3, expected a whole number from 1 to 16777216"
  [[nodiscard]] std::string message() const;
};

template <class T>
using Expected = std::expected<T, Error>;

}  // namespace posenc
