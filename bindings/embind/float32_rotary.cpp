#include "posenc/rotary/float32_rotary.hpp"

#include "rotary.hpp"

namespace posenc::embind {
namespace {

val rotary_make_float32(double dim, const std::string& layout, double base, double rotary_dim,
                        const std::string& exponent, double exponent_dim, const val& scaling, double length) {
  const auto options = rotary_options(dim, layout, base, rotary_dim, exponent, exponent_dim, scaling, length);
  return options ? rotary_handle(make_float32_rotary(*options)) : failure(options.error());
}

}  // namespace

EMSCRIPTEN_BINDINGS(float32_rotary) { emscripten::function("rotaryMakeFloat32", &rotary_make_float32); }

}  // namespace posenc::embind
