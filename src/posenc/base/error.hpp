#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <expected>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace posenc {

/// Describes what an argument should have been (error_code.hpp lists them all): a name for programs, and an English
/// sentence with the names of its parameters in braces, "a whole number from {least} to {most}".
struct ErrorCode {
  struct Listed {};  ///< keeps a list of texts from being taken for a code

  constexpr ErrorCode(Listed, const char* name_and_sentence) : text(name_and_sentence) {}

  [[nodiscard]] constexpr std::string_view name() const { return std::string_view(text).substr(0, bar()); }
  [[nodiscard]] constexpr std::string_view sentence() const { return std::string_view(text).substr(bar() + 1); }

  const char* text;  ///< "whole|a whole number": one constant, of which a program has those that it uses

 private:
  [[nodiscard]] constexpr std::size_t bar() const { return std::string_view(text).find('|'); }
};

/// The value that was wrong: a number or a text.
using ErrorValue = std::variant<double, std::string>;

/// A parameter on its way into an Error.
struct ErrorParameter {
  template <class Number>
    requires std::integral<Number> || std::floating_point<Number>
  constexpr ErrorParameter(Number value) : number(static_cast<double>(value)) {}
  constexpr ErrorParameter(std::string_view value) : text(value) {}
  constexpr ErrorParameter(const char* value) : text(value) {}
  ErrorParameter(const std::string& value) : text(value) {}

  double number = 0;
  std::string_view text = {};  ///< of a number: none
};

/// Says what was wrong with one argument. Errors are values: nothing in the core throws, and nothing has been written
/// to an output when a function returns one.
struct Error {
  Error(std::string argument, ErrorValue value, ErrorCode code, std::initializer_list<ErrorParameter> parameters = {},
        std::string_view note = {});

  std::string argument;  ///< name of the argument, as the caller knows it: "dim"
  ErrorValue value;      ///< what it was: -3; "none" where it is missing, and words in quotation marks
  ErrorCode code;

  /// A number, or a part of `texts`: a list of strings would be copied by code of its own.
  struct Parameter {
    double number = 0;
    std::size_t begin = 0, size = 0;
    bool is_text = false;
  };
  std::array<Parameter, 3> parameters;  ///< of the code's sentence, in their order
  std::size_t note_begin = 0;
  std::string texts;  ///< of the parameters, then the note

  [[nodiscard]] std::string_view text_of(const Parameter& parameter) const {
    return {texts.data() + parameter.begin, parameter.size};
  }
  /// Returns what follows the sentence where it applies to some arguments only, or "".
  [[nodiscard]] std::string_view note() const { return {texts.data() + note_begin, texts.size() - note_begin}; }

  /// Returns what would have been right: "a whole number from 1 to 16777216".
  [[nodiscard]] std::string expected() const;

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

/// The error of a step that failed, moved from it, or copied from a const one.
template <class T>
[[nodiscard]] PassedError<Error> error_of(Expected<T>& failed) {
  return PassedError<Error>(std::move(failed.error()));
}
template <class T>
[[nodiscard]] PassedError<const Error&> error_of(const Expected<T>& failed) {
  return PassedError<const Error&>(failed.error());
}

/// "memory: <size>, expected as many values as fit into memory"
[[nodiscard]] Error out_of_memory(std::size_t size);

}  // namespace posenc
