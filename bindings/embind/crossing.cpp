#include "crossing.hpp"

#include <array>
#include <variant>

namespace posenc::embind {
namespace {

/// The last error, which JavaScript reads after the call that made it.
struct Report {
  double number = 0;
  struct Text {
    double address = 0, size = 0;
  };
  std::array<Text, 3> texts;
  std::optional<Error> error;
};

Report last;

void release(Address handle) {
  if (handle == reinterpret_cast<Address>(&last)) return last.error.reset();
  const std::unique_ptr<Held> ended(reinterpret_cast<Held*>(handle));
}

}  // namespace

Address report(Expected<void> result) {
  if (result) return 0;
  const Error& error = last.error.emplace(std::move(result.error()));
  const auto* const number = std::get_if<double>(&error.value);
  const auto* const word = std::get_if<std::string>(&error.value);
  last.number = number != nullptr ? *number : 0;
  const std::array<const std::string*, 3> texts = {&error.argument, word, &error.expected};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string* const text = texts[i];
    last.texts[i] = text == nullptr ? Report::Text{}
                                    : Report::Text{static_cast<double>(reinterpret_cast<Address>(text->data())),
                                                   static_cast<double>(text->size())};
  }
  return reinterpret_cast<Address>(&last);
}

EMSCRIPTEN_BINDINGS(crossing) { emscripten::function("release", &release); }

}  // namespace posenc::embind
