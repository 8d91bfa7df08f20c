#include <emscripten/bind.h>

EMSCRIPTEN_BINDINGS(empty) {
  emscripten::function("nothing", +[] {});
}
