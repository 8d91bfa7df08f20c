// What bind.h calls in Emscripten's own library, which would also register every type that C++ and JavaScript could
// exchange, and link printf for its errors: the functions here take an address and give one (registry.js).

#include <emscripten/bind.h>

extern "C" void _embind_register_bindings(emscripten::internal::InitFunc* bindings) { bindings->init_func(); }
