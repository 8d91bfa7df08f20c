#include "posenc/relative/sandwich.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

val bias(double dim, double base, const std::string& indices, Address shape, const std::string& future, Address out,
         std::size_t size) {
  const auto indices_meaning = sandwich_indices_from_name(indices);
  if (!indices_meaning) return failure(indices_meaning.error());
  const auto meaning = future_from_name(future);
  if (!meaning) return failure(meaning.error());
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  return outcome(
      sandwich_bias({whole(dim), base, *indices_meaning}, *positions, *meaning, values_at<float>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(sandwich) { emscripten::function("sandwichBias", &bias); }

}  // namespace posenc::embind
