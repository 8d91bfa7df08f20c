#include "posenc/relative/kerple.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

val bias(const std::string& kernel, Address r1, std::size_t r1_size, Address r2, std::size_t r2_size, Address shape,
         const std::string& future, Address out, std::size_t size) {
  const auto kernel_meaning = kerple_kernel_from_name(kernel);
  if (!kernel_meaning) return failure(kernel_meaning.error());
  const auto meaning = future_from_name(future);
  if (!meaning) return failure(meaning.error());
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  return outcome(
      kerple_bias({*kernel_meaning, values_at<const float>(r1, r1_size), values_at<const float>(r2, r2_size)},
                  *positions, *meaning, values_at<float>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(kerple) { emscripten::function("kerpleBias", &bias); }

}  // namespace posenc::embind
