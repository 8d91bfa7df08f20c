#include "posenc/attention/dropout.hpp"

#include "arguments.hpp"

namespace posenc::embind {
namespace {

/// p, seed, offset, training; x, which is changed in place.
val in_place(Address list) {
  Arguments in(list);
  const Dropout options = dropout_options(in);
  const auto x = in.array<float>();
  return outcome(dropout(options, x, x));
}

}  // namespace

EMSCRIPTEN_BINDINGS(dropout) { emscripten::function("dropout", &in_place); }

}  // namespace posenc::embind
