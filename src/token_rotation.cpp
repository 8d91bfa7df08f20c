#include "token_rotation.hpp"

#include <algorithm>
#include <utility>

#include "check.hpp"
#include "rotate.hpp"

namespace posenc {
namespace {

/// Reads and writes different memory, or the same where the layout keeps every pair in its place.
void rotate(Layout layout, Direction direction, const float* in, float* out, Turn turn, std::size_t pairs) {
  switch (layout) {
    case Layout::unnamed:
      return;
    case Layout::half:
      return rotate_head<Halves, Halves>(in, out, turn.cosines, turn.sines, pairs);
    case Layout::interleaved:
      return rotate_head<Neighbours, Neighbours>(in, out, turn.cosines, turn.sines, pairs);
    case Layout::deinterleaved:
      return direction == Direction::forward
                 ? rotate_head<Neighbours, Halves>(in, out, turn.cosines, turn.sines, pairs)
                 : rotate_head<Halves, Neighbours>(in, out, turn.cosines, turn.sines, pairs);
  }
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
  auto copy = AlignedArray<float>::make(2 * rotary_dim);
  if (!copy) return std::unexpected(copy.error());
  TokenRotation made;
  made.shape_ = &shape;
  made.pairs_ = rotary_dim / 2;
  made.layout_ = layout;
  made.direction_ = direction;
  made.copy_ = std::move(*copy);
  return made;
}

void TokenRotation::operator()(float* x, std::size_t b, std::size_t s, Turn turn) {
  const std::size_t lanes = 2 * pairs_;
  const std::size_t stride = shape_->lane_stride();
  const bool in_place = stride == 1 && layout_ != Layout::deinterleaved;
  float* const copy = copy_.data();
  shape_->for_each_head(b, s, [=, this](std::size_t offset) {
    float* const head = x + offset;
    float* const out = stride == 1 ? head : copy + lanes;
    if (!in_place) gather(head, stride, lanes, copy);
    rotate(layout_, direction_, in_place ? head : copy, out, turn, pairs_);
    if (stride != 1) scatter(out, lanes, stride, head);
  });
}

Expected<bool> check_positions_fit(const Positions& positions, const SequenceShape& shape) {
  const auto lists = positions.batch();
  if (lists && *lists != shape.batch())
    return wrong("positions", decimal(*lists) + " lists",
                 {decimal(shape.batch()), " lists: one for each index of the batch axis, or one for all"});
  if (const auto checked = check_size("positions", positions.count(), shape.sequence() * lists.value_or(1)); !checked)
    return std::unexpected(checked.error());
  return lists.has_value();
}

}  // namespace posenc
