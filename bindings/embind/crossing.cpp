#include "crossing.hpp"

#include <array>
#include <variant>

namespace posenc::embind {
namespace {

/// The last error, which JavaScript reads after the call that made it. Its texts are copied to memory that is kept:
/// were the error itself kept, the heap would change with every call that fails.
struct Report {
  double number = 0;
  struct Text {
    double address = 0, size = 0;
  };
  std::array<Text, 3> texts;
  std::string all;
};

Report last;

void release(Address handle) { const std::unique_ptr<Held> ended(reinterpret_cast<Held*>(handle)); }

}  // namespace

Address report(const Expected<void>& result) {
  if (result) return 0;
  const Error& error = result.error();
  const auto* const number = std::get_if<double>(&error.value);
  const auto* const word = std::get_if<std::string>(&error.value);
  last.number = number != nullptr ? *number : 0;
  const std::array<std::string_view, 3> texts = {
      error.argument, word != nullptr ? std::string_view(*word) : std::string_view(), error.expected};
  last.all.clear();
  for (const std::string_view text : texts) last.all += text;
  auto address = reinterpret_cast<Address>(last.all.data());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    last.texts[i] = {static_cast<double>(address), static_cast<double>(texts[i].size())};
    address += texts[i].size();
  }
  return reinterpret_cast<Address>(&last);
}

EMSCRIPTEN_BINDINGS(crossing) { emscripten::function("release", &release); }

}  // namespace posenc::embind
