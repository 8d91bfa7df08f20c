#include "crossing.hpp"
#include "posenc/relative/relative_sinusoidal.hpp"

namespace posenc::embind {
namespace {

val table(Address sinusoid, const std::string& sign, Address shape, Address out, std::size_t size) {
  const auto meaning = relative_sign_from_name(sign);
  if (!meaning) return failure(meaning.error());
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  return outcome(relative_sinusoid(object_at<Sinusoid>(sinusoid), *meaning, *positions, values_at<float>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(relative_sinusoid) { emscripten::function("relativeSinusoid", &table); }

}  // namespace posenc::embind
