#include "sinusoidal.hpp"

namespace posenc::embind {
namespace {

Expected<void> sinusoidal(const calls::Sinusoidal& in) {
  POSENC_TRY_LET(made, sinusoid_of(in));
  Precision precision = Precision::exact;
  POSENC_TRY(set(precision, in.precision, precision_from_name));
  const auto count = static_cast<std::size_t>(in.length.value_or(0));
  return made.table(positions_of(in.positions, in.offset, count), in.out.as<float>(), precision);
}

}  // namespace

EMSCRIPTEN_BINDINGS(sinusoidal) { expose<&sinusoidal>(); }

}  // namespace posenc::embind
