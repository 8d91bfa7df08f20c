#include "posenc/base/error.hpp"

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

Error::Error(std::string about, std::variant<double, std::string> given, std::string wanted)
    : argument(std::move(about)), value(std::move(given)), expected(std::move(wanted)) {}
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

Error out_of_memory(std::size_t size) {
  return {"memory", static_cast<double>(size), "as many values as fit into memory"};
}

}  // namespace posenc
