// Defines what bind.h calls. Emscripten's own library would also register every type that C++ and JavaScript could
// exchange, and link printf for its errors: the functions here take an address and give one (registry.js).

#include <emscripten/bind.h>

extern "C" void _embind_register_bindings(emscripten::internal::InitFunc* bindings) { bindings->init_func(); }
