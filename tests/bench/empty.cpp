#include <emscripten/bind.h>

// The flags of the shipped modules export it.
extern "C" void rotary_step() {}

EMSCRIPTEN_BINDINGS(empty) {
  emscripten::function("nothing", +[] {});
}
