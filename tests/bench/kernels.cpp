// The core's rotation of one token called from WebAssembly itself, to measure what the bindings add. This is a module
// of its own; nothing here is shipped.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/rotary_step.hpp"

namespace {

using namespace posenc;

struct Decoder {
  std::unique_ptr<Rotary> rotary;
  RotaryStep step;
  SequenceShape shape;
  AlignedArray<float> x;
  double position = 0;
};

}  // namespace

extern "C" {

/// Makes the decoder of a token of [heads, dim] values, all 1; null where there is no memory.
[[clang::export_name("decoder")]] Decoder* decoder(bool half, std::int32_t heads, std::int32_t dim) {
  const std::array<std::int64_t, 3> extents{1, heads, dim};
  auto options = Rotary::make({.dim = dim, .layout = half ? Layout::half : Layout::interleaved});
  auto shape = SequenceShape::make(extents, {.sequence = 0});
  if (!options || !shape) return nullptr;
  auto rotary = std::make_unique<Rotary>(std::move(*options));
  auto step = RotaryStep::make(*rotary);
  auto x = AlignedArray<float>::make(shape->size());
  if (!step || !x) return nullptr;
  std::ranges::fill(x->span(), 1.0F);
  return new (std::nothrow) Decoder{std::move(rotary), std::move(*step), *shape, std::move(*x)};
}

/// Rotates the token `count` times, each time at another of 4096 positions; whether all went well.
[[clang::export_name("decode")]] bool decode(Decoder& made, std::int32_t count) {
  for (std::int32_t i = 0; i < count; ++i) {
    made.position += made.position < 4096 - 1597 ? 1597 : 1597 - 4096;
    if (!made.step.repeat(made.x.span(), made.shape, made.position)) return false;
  }
  return true;
}
}
