#include "posenc/error.hpp"

#include <array>
#include <charconv>

namespace posenc {
namespace {

std::string shortest(double value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace

std::string Error::message() const {
  const auto* const number = std::get_if<double>(&value);
  return argument + ": " + (number != nullptr ? shortest(*number) : std::get<std::string>(value)) + ", expected " +
         expected;
}

}  // namespace posenc
