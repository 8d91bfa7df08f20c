// The core's rotation called from WebAssembly itself, to tell what the bindings add to it. A module of its own; nothing
// here is shipped.

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <utility>

#include "posenc/rotary.hpp"
#include "posenc/rotary_cache.hpp"

namespace {

using namespace posenc;

struct Rotation {
  Rotary rotary;
  SequenceShape shape;
  AlignedArray<float> x, cosines, sines;
  double position = 0;
};

}  // namespace

extern "C" {

/// A rotation of [seq, heads, dim] values, all 1, its cosines and sines ready; null when it cannot be made.
[[clang::export_name("rotation")]] Rotation* rotation(bool half, std::int32_t seq, std::int32_t heads,
                                                      std::int32_t dim) {
  const std::array<std::int64_t, 3> extents{seq, heads, dim};
  auto rotary = Rotary::make({.dim = dim, .layout = half ? Layout::half : Layout::interleaved});
  auto shape = SequenceShape::make(extents);
  if (!rotary || !shape) return nullptr;
  auto x = AlignedArray<float>::make(shape->size());
  const std::size_t angles = shape->sequence() * shape->dim() / 2;
  auto cosines = AlignedArray<float>::make(angles);
  auto sines = AlignedArray<float>::make(angles);
  if (!x || !cosines || !sines) return nullptr;
  std::ranges::fill(x->span(), 1.0F);
  if (!rotary->cache(Positions::range(shape->sequence()), cosines->span(), sines->span())) return nullptr;
  return new (std::nothrow) Rotation{std::move(*rotary), *shape, std::move(*x), std::move(*cosines), std::move(*sines)};
}

/// Rotates all tokens by the cosines and sines that are ready; whether that went well.
[[clang::export_name("rotate")]] bool rotate(Rotation& made) {
  const RotaryCache cache{.rotary_dim = static_cast<std::int64_t>(made.shape.dim()),
                          .cosines = std::as_const(made.cosines).span(),
                          .sines = std::as_const(made.sines).span()};
  return rotate_with_cache(cache, made.rotary.layout(), made.x.span(), made.shape,
                           Positions::range(made.shape.sequence()))
      .has_value();
}

/// Rotates the same token `count` times, each time at another of 4096 positions; whether all went well.
[[clang::export_name("decode")]] bool decode(Rotation& made, std::int32_t count) {
  for (std::int32_t i = 0; i < count; ++i) {
    made.position += made.position < 4096 - 1597 ? 1597 : 1597 - 4096;
    if (!made.rotary.apply(made.x.span(), made.shape, Positions::range(1, made.position))) return false;
  }
  return true;
}
}
