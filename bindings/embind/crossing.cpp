#include "crossing.hpp"

#include <variant>

namespace posenc::embind {

val outcome(const Expected<void>& result) {
  if (result) return val::undefined();
  const Error& error = result.error();
  val object = val::object();
  object.set("argument", error.argument);
  if (const auto* const number = std::get_if<double>(&error.value))
    object.set("value", *number);
  else
    object.set("value", std::get<std::string>(error.value));
  object.set("expected", error.expected);
  return object;
}

namespace {

void release(Address handle) { const std::unique_ptr<Held> ended(reinterpret_cast<Held*>(handle)); }

}  // namespace

EMSCRIPTEN_BINDINGS(crossing) { emscripten::function("release", &release); }

}  // namespace posenc::embind
