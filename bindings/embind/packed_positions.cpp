#include "posenc/frequencies/packed_positions.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

val packed(Address boundaries, std::size_t count, Address out, std::size_t size) {
  return outcome(packed_positions(extents_at(boundaries, count), values_at<std::int32_t>(out, size)));
}

val masked(Address mask, std::size_t size, std::size_t sequence, std::int32_t padding, Address out) {
  return outcome(
      mask_positions(values_at<const std::int32_t>(mask, size), sequence, padding, values_at<std::int32_t>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(packed_positions) {
  emscripten::function("packedPositions", &packed);
  emscripten::function("maskPositions", &masked);
}

}  // namespace posenc::embind
