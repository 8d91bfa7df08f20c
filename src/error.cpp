#include "posenc/error.hpp"

#include <utility>

#include "check.hpp"

namespace posenc {
Error::Error(std::string about, std::variant<double, std::string> given, std::string wanted)
    : argument(std::move(about)), value(std::move(given)), expected(std::move(wanted)) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

std::string Error::message() const {
  const auto* const number = std::get_if<double>(&value);
  return argument + ": " + (number != nullptr ? decimal(*number) : std::get<std::string>(value)) + ", expected " +
         expected;
}

}  // namespace posenc
