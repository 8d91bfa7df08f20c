#include "posenc/relative/fire.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

val bias(double c, double threshold, double epsilon, Address weight1, std::size_t weight1_size, Address bias1,
         std::size_t bias1_size, Address weight2, std::size_t weight2_size, Address bias2, std::size_t bias2_size,
         Address shape, const std::string& future, bool compact, Address out, std::size_t size) {
  const auto meaning = future_from_name(future);
  if (!meaning) return failure(meaning.error());
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  const FireOptions options{c,
                            threshold,
                            epsilon,
                            {values_at<const float>(weight1, weight1_size), values_at<const float>(bias1, bias1_size),
                             values_at<const float>(weight2, weight2_size), values_at<const float>(bias2, bias2_size)}};
  return outcome((compact ? fire_bias_compact : fire_bias)(options, *positions, *meaning, values_at<float>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(fire) { emscripten::function("fireBias", &bias); }

}  // namespace posenc::embind
