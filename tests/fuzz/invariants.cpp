#include "invariants.hpp"

#include <cstdio>
#include <cstdlib>

namespace fuzz {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

void check_error(const posenc::Error& error) {
  require(!error.argument.empty(), "an Error names an argument");
  require(!error.expected().empty(), "an Error says what was expected");
  require(error.message().find(error.argument) == 0, "a message begins with the argument");
  if (const auto* const text = std::get_if<std::string>(&error.value))
    require(!text->empty(), "an Error shows the value");
}

}  // namespace fuzz
