#include "posenc/rotary/stored_rotation.hpp"

#include <algorithm>
#include <utility>

#include "posenc/rotary/rotary_angles.hpp"

namespace posenc {
namespace {

/// Copies `count` runs of `size` values, `stride` apart in `from`, to runs `to_stride` apart.
void copy_runs(const std::uint16_t* from, std::size_t stride, std::uint16_t* to, std::size_t to_stride,
               std::size_t size, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::copy_n(from + i * stride, size, to + i * to_stride);
}

}  // namespace

Expected<StoredRotation> StoredRotation::make(Storage storage, Layout layout, Direction direction,
                                              std::size_t rotary_dim, const SequenceShape& shape) {
  StoredRotation made;
  made.shape_ = &shape;
  made.pairs_ = rotary_dim / 2;
  made.storage_ = storage;
  made.layout_ = layout;
  made.direction_ = direction;
  auto ordered = AlignedArray<float>::make(rotary_dim + 2 * stored_block());
  if (!ordered) return std::unexpected(ordered.error());
  auto copy = AlignedArray<std::uint16_t>::make(rotary_dim + 2 * stored_block());
  if (!copy) return std::unexpected(copy.error());
  made.ordered_ = std::move(*ordered);
  made.copy_ = std::move(*copy);
  return made;
}

/// Heads whose rotated lanes are contiguous, as halves or adjacent pairs. A remainder too short for a block is copied
/// through one.
void StoredRotation::rotate_together(std::uint16_t* first, std::size_t count, std::size_t stride) {
  const std::size_t block = stored_block();
  const std::size_t whole = pairs_ / block * block;
  const std::size_t rest = pairs_ - whole;
  rotate(storage_, layout_, {first, count, stride, pairs_}, whole, turn_);
  if (rest == 0) return;
  const StoredTurn turn{turn_.cosines + whole, turn_.sines + whole, turn_.scaled};
  std::uint16_t* const last = copy_.data() + 2 * pairs_;
  const bool in_halves = layout_ == Layout::half;
  const std::size_t runs = in_halves ? 2 : 1;
  const std::size_t size = in_halves ? rest : 2 * rest;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t* const from = first + i * stride + (in_halves ? whole : 2 * whole);
    copy_runs(from, pairs_, last, block, size, runs);
    rotate(storage_, layout_, {last, 1, 0, block}, block, turn);
    copy_runs(last, block, from, pairs_, size, runs);
  }
}

/// One head whose lanes are not contiguous, or not in the order they are rotated in. Deinterleaving moves whole values:
/// it may come before or after the rotation of adjacent pairs.
void StoredRotation::rotate_apart(std::uint16_t* head, std::size_t lane_stride) {
  const std::size_t lanes = 2 * pairs_;
  const bool reorders = layout_ == Layout::deinterleaved;
  const bool reads_halves = reorders && direction_ == Direction::inverse;
  const bool writes_halves = reorders && direction_ == Direction::forward;
  // Where a lane of the copy, whose pairs are rotated as adjacent lanes, belongs in halves.
  const auto in_halves = [this](std::size_t lane) { return lane / 2 + lane % 2 * pairs_; };
  std::uint16_t* const copy = copy_.data();
  for (std::size_t lane = 0; lane < lanes; ++lane)
    copy[lane] = head[(reads_halves ? in_halves(lane) : lane) * lane_stride];
  rotate_together(copy, 1, 0);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    head[(writes_halves ? in_halves(lane) : lane) * lane_stride] = copy[lane];
}

void StoredRotation::rotate_token(std::uint16_t* x, std::size_t b, std::size_t s) {
  const std::size_t lane_stride = shape_->lane_stride();
  const bool together = lane_stride == 1 && layout_ != Layout::deinterleaved;
  shape_->for_each_run(b, s, [=, this](std::size_t offset, std::size_t count, std::size_t stride) {
    if (together) return rotate_together(x + offset, count, stride);
    for (std::size_t i = 0; i < count; ++i) rotate_apart(x + offset + i * stride, lane_stride);
  });
}

Expected<void> Rotary::apply(HalfSpan x, const SequenceShape& shape, const Positions& positions,
                             Direction direction) const {
  const auto per_batch = check_rotation(x.size(), shape, positions);
  if (!per_batch) return std::unexpected(per_batch.error());
  auto angles = RotaryAngles::make(*this);
  if (!angles) return std::unexpected(angles.error());
  auto rotation = StoredRotation::make(x.storage(), layout_, direction, rotary_dim(), shape);
  if (!rotation) return std::unexpected(rotation.error());
  rotation->all(x.bits().data(), *per_batch, [&](std::size_t i) { return angles->at(positions[i], direction); });
  return {};
}

}  // namespace posenc
