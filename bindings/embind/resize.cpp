#include "posenc/learned/resize.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

/// grids: the address of four doubles, the old height and width and the new ones.
val resize(Address table, std::size_t size, double dim, Address grids, const std::string& interpolation, bool antialias,
           bool align_corners, double prefix, Address out, std::size_t out_size) {
  const auto meaning = interpolation_from_name(interpolation);
  if (!meaning) return failure(meaning.error());
  const auto extents = extents_at(grids, 4);
  return outcome(resize_table(values_at<const float>(table, size), whole(dim), {extents[0], extents[1]},
                              {extents[2], extents[3]}, {*meaning, antialias, align_corners, whole(prefix)},
                              values_at<float>(out, out_size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(resize) { emscripten::function("tableResize", &resize); }

}  // namespace posenc::embind
