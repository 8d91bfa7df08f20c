#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace posenc {

/// What was wrong with one argument. Errors are values: nothing in the core throws, and nothing has been written to
/// an output when a function returns one.
struct Error {
  Error(std::string argument, std::variant<double, std::string> value, std::string expected);

  std::string argument;                     ///< name of the argument, as the caller knows it: "dim"
  std::variant<double, std::string> value;  ///< what it was: -3
  std::string expected;                     ///< what would have been right: "a whole number from 1 to 16777216"

  /// "dim: -3, expected a whole number from 1 to 16777216"
  [[nodiscard]] std::string message() const;

  // Out of line: every function that can fail would otherwise contain copies of these, a fifth of the module.
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error();
};

template <class T>
using Expected = std::expected<T, Error>;

/// An error on its way up, from which the caller's Expected is made in place.
template <class Source>
class PassedError {
 public:
  explicit PassedError(Source&& error) : error_(std::forward<Source>(error)) {}
  template <class T>
  operator Expected<T>() && {
    return Expected<T>(std::unexpect, std::forward<Source>(error_));
  }

 private:
  Source&& error_;
};

/// `return error_of(made);` where a step has failed: its error, moved, or copied from what is const.
template <class T>
[[nodiscard]] PassedError<Error> error_of(Expected<T>& failed) {
  return PassedError<Error>(std::move(failed.error()));
}
template <class T>
[[nodiscard]] PassedError<const Error&> error_of(const Expected<T>& failed) {
  return PassedError<const Error&>(failed.error());
}

/// What the word of an option means, or an Error that lists those there are. Specialised for each such option.
template <class Enum>
[[nodiscard]] Expected<Enum> from_name(std::string_view name);

/// "memory: <size>, expected as many values as fit into memory"
[[nodiscard]] Error out_of_memory(std::size_t size);

}  // namespace posenc
