#include "crossing.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc::embind {
namespace {

val sinusoid_shift_matrix(Address sinusoid, double by, Address out) {
  const auto& made = object_at<Sinusoid>(sinusoid);
  return outcome(made.shift_matrix(by, values_at<float>(out, made.dim() * made.dim())));
}

val sinusoid_shift(Address sinusoid, double by, Address table, std::size_t size) {
  return outcome(object_at<Sinusoid>(sinusoid).shift(by, values_at<float>(table, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(sinusoid_shift) {
  emscripten::function("sinusoidShiftMatrix", &sinusoid_shift_matrix);
  emscripten::function("sinusoidShift", &sinusoid_shift);
}

}  // namespace posenc::embind
