#include "posenc/base/error.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/error_code.hpp"

namespace posenc {
namespace {

std::string shortest(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

/// A parameter as a sentence has it: whole numbers with all of their digits.
std::string written(const ErrorValue& parameter) {
  if (const auto* const text = std::get_if<std::string>(&parameter)) return *text;
  const double number = std::get<double>(parameter);
  const bool is_whole = number == std::floor(number) && std::fabs(number) < 0x1p63;
  return is_whole ? decimal(static_cast<std::int64_t>(number)) : shortest(number);
}

}  // namespace

Error::Error(std::string about, ErrorValue given, const ErrorCode& which, std::initializer_list<ErrorParameter> details,
             std::string_view remark)
    : argument(std::move(about)), value(std::move(given)), code(&which), note(remark) {
  for (const auto& [number, text] : details)
    parameters.push_back(text.data() == nullptr ? ErrorValue(number) : ErrorValue(std::string(text)));
}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

std::string Error::expected() const {
  std::string text;
  std::string_view rest = code->sentence;
  for (const ErrorValue& parameter : parameters) {
    const std::size_t start = rest.find('{');
    text.append(rest.substr(0, start)).append(written(parameter));
    rest.remove_prefix(rest.find('}', start) + 1);
  }
  return text.append(rest).append(note);
}

std::string Error::message() const {
  const auto* const number = std::get_if<double>(&value);
  return argument + ": " + (number != nullptr ? shortest(*number) : std::get<std::string>(value)) + ", expected " +
         expected();
}

Error out_of_memory(std::size_t size) { return {"memory", static_cast<double>(size), expected::memory}; }

}  // namespace posenc
