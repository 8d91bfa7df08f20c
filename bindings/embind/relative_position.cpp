#include "posenc/relative/relative_position.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

val offsets(Address shape, Address out, std::size_t size) {
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  return outcome(relative_offsets(*positions, values_at<std::int32_t>(out, size)));
}

template <class T>
val expand(Address shape, std::size_t inner, Address compact, std::size_t compact_size, Address out, std::size_t size) {
  const auto positions = relative_positions_at(shape);
  if (!positions) return failure(positions.error());
  return outcome(
      expand_relative(*positions, inner, values_at<const T>(compact, compact_size), values_at<T>(out, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(relative_position) {
  emscripten::function("relativeOffsets", &offsets);
  emscripten::function("relativeExpand", &expand<float>);
  emscripten::function("relativeExpandIds", &expand<std::int32_t>);
}

}  // namespace posenc::embind
