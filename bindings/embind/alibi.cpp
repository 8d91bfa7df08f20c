#include "posenc/relative/alibi.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

Expected<AlibiOptions> options(const std::string& slopes, const std::string& distance, double steepness) {
  const auto slopes_meaning = alibi_slopes_from_name(slopes);
  if (!slopes_meaning) return std::unexpected(slopes_meaning.error());
  const auto distance_meaning = alibi_distance_from_name(distance);
  if (!distance_meaning) return std::unexpected(distance_meaning.error());
  return AlibiOptions{*slopes_meaning, *distance_meaning, steepness};
}

val slopes_of(const std::string& slopes, double steepness, Address out, std::size_t heads) {
  const auto chosen = options(slopes, "symmetric", steepness);
  if (!chosen) return failure(chosen.error());
  return outcome(alibi_slopes(*chosen, values_at<float>(out, heads)));
}

val bias(const std::string& slopes, const std::string& distance, double steepness, Address shape,
         const std::string& future, Address out, std::size_t size) {
  const auto chosen = options(slopes, distance, steepness);
  if (!chosen) return failure(chosen.error());
  const auto meaning = future_from_name(future);
  if (!meaning) return failure(meaning.error());
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  return outcome(alibi_bias(*chosen, *positions, *meaning, values_at<float>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(alibi) {
  emscripten::function("alibiSlopes", &slopes_of);
  emscripten::function("alibiBias", &bias);
}

}  // namespace posenc::embind
