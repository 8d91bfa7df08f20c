#include "posenc/error.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace posenc {
namespace {

std::string shortest(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace

Error::Error(std::string argument_, std::variant<double, std::string> value_, std::string expected_)
    : argument(std::move(argument_)), value(std::move(value_)), expected(std::move(expected_)) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

std::string Error::message() const {
  const auto* const number = std::get_if<double>(&value);
  return argument + ": " + (number != nullptr ? shortest(*number) : std::get<std::string>(value)) + ", expected " +
         expected;
}

}  // namespace posenc
