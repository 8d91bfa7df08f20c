#include "posenc/rotary/kernels/token_rotation.hpp"

#include <algorithm>
#include <utility>

#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc {
namespace {

/// Beyond the caches several streams of reading and writing cost more than they save.
constexpr std::size_t largest_grouped_bytes = std::size_t{16} << 20;

template <class Order, std::size_t group>
void rotate_heads(Order order, float* const (&heads)[group], std::size_t count, AngleRow<float> angles) {
  if (count == group) return rotate_in_place(order, heads, angles);
  for (std::size_t i = 0; i < count; ++i) rotate_in_place(order, {heads[i]}, angles);
}

void gather(const float* head, std::size_t stride, std::size_t lanes, float* out) {
  for (std::size_t lane = 0; lane < lanes; ++lane) out[lane] = head[lane * stride];
}

void scatter(const float* in, std::size_t lanes, std::size_t stride, float* head) {
  for (std::size_t lane = 0; lane < lanes; ++lane) head[lane * stride] = in[lane];
}

}  // namespace

Expected<TokenRotation> TokenRotation::make(Layout layout, Direction direction, std::size_t rotary_dim,
                                            const SequenceShape& shape) {
  TokenRotation made;
  made.shape_ = &shape;
  made.pairs_ = rotary_dim / 2;
  made.together_ = shape.size() * sizeof(float) <= largest_grouped_bytes ? group : 1;
  made.layout_ = layout;
  made.direction_ = direction;
  const bool in_place = shape.lane_stride() == 1 && layout != Layout::deinterleaved;
  auto copy = AlignedArray<float>::make_unfilled(in_place ? 0 : 2 * rotary_dim);
  if (!copy) return std::unexpected(copy.error());
  made.copy_ = std::move(*copy);
  return made;
}

/// Heads whose lanes stand together, in place.
void TokenRotation::rotate(float* const (&heads)[group], std::size_t count, AngleRow<float> angles) const {
  if (layout_ == Layout::half)
    rotate_heads(HalfPairs{pairs_}, heads, count, angles);
  else
    rotate_heads(InterleavedPairs{pairs_}, heads, count, angles);
}

/// Any head, by way of a copy.
void TokenRotation::rotate_copy(float* head, std::size_t stride, AngleRow<float> angles) {
  const std::size_t lanes = 2 * pairs_;
  float* const copy = copy_.data();
  gather(head, stride, lanes, copy);
  float* const out = layout_ == Layout::deinterleaved ? copy + lanes : copy;
  if (layout_ != Layout::deinterleaved)
    rotate({copy}, 1, angles);
  else if (direction_ == Direction::forward)
    rotate_to<InterleavedPairs, HalfPairs>(copy, out, angles, pairs_);
  else
    rotate_to<HalfPairs, InterleavedPairs>(copy, out, angles, pairs_);
  scatter(out, lanes, stride, head);
}

void TokenRotation::operator()(float* x, std::size_t b, std::size_t s, AngleRow<float> angles) {
  const std::size_t stride = shape_->lane_stride();
  const bool in_place = copy_.size() == 0;
  float* heads[group];
  std::size_t count = 0;
  shape_->for_each_head(b, s, [&](std::size_t offset) {
    if (!in_place) return rotate_copy(x + offset, stride, angles);
    heads[count++] = x + offset;
    if (count < together_) return;
    rotate(heads, count, angles);
    count = 0;
  });
  if (count > 0) rotate(heads, count, angles);
}

}  // namespace posenc
