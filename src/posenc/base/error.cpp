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

/// A number as a sentence has it: whole ones with all of their digits.
std::string written(double number) {
  const bool is_whole = number == std::floor(number) && std::fabs(number) < 0x1p63;
  return is_whole ? decimal(static_cast<std::int64_t>(number)) : shortest(number);
}

}  // namespace

Error::Error(std::string about, ErrorValue given, ErrorCode which, std::initializer_list<ErrorParameter> details,
             std::string_view remark)
    : argument(std::move(about)), value(std::move(given)), code(which) {
  auto* next = parameters.begin();
  for (const auto& [number, text] : details) {
    *next++ = {number, texts.size(), text.size(), text.data() != nullptr};
    texts.append(text);
  }
  note_begin = texts.size();
  texts.append(remark);
}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

std::string Error::expected() const {
  std::string text;
  std::string_view rest = code.sentence();
  const auto* next = parameters.begin();
  for (std::size_t start = rest.find('{'); start < rest.size() && next != parameters.end(); start = rest.find('{')) {
    text.append(rest.substr(0, start));
    text.append(next->is_text ? std::string(text_of(*next)) : written(next->number));
    rest.remove_prefix(rest.find('}', start) + 1);
    ++next;
  }
  return text.append(rest).append(note());
}

std::string Error::message() const {
  const auto* const number = std::get_if<double>(&value);
  return argument + ": " + (number != nullptr ? shortest(*number) : std::get<std::string>(value)) + ", expected " +
         expected();
}

Error out_of_memory(std::size_t size) { return {"memory", static_cast<double>(size), expected::memory}; }

}  // namespace posenc
