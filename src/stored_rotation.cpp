#include "stored_rotation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rotary_angles.hpp"
#include "rotate.hpp"
#include "stored_kernels.hpp"

namespace posenc {
Expected<StoredRotation> StoredRotation::make(Storage storage, Layout layout, Direction direction,
                                              std::size_t rotary_dim, const SequenceShape& shape) {
  StoredRotation made;
  made.shape_ = &shape;
  made.pairs_ = rotary_dim / 2;
  made.padded_ = (made.pairs_ + stored_block() - 1) / stored_block() * stored_block();
  made.storage_ = storage;
  made.layout_ = layout;
  made.direction_ = direction;
  auto ordered = AlignedArray<float>::make(2 * made.padded_);
  if (!ordered) return std::unexpected(ordered.error());
  auto wide = AlignedArray<float>::make(rotary_dim);
  if (!wide) return std::unexpected(wide.error());
  auto copy = AlignedArray<std::uint16_t>::make(2 * rotary_dim + 2 * stored_block());
  if (!copy) return std::unexpected(copy.error());
  made.ordered_ = std::move(*ordered);
  made.wide_ = std::move(*wide);
  made.copy_ = std::move(*copy);
  return made;
}

void StoredRotation::set(Turn turn) {
  turn_ = turn;
  turns_small_ = true;
  const std::size_t block = stored_block();
  const float scale = stored_scale(storage_);
  float* const cosines = ordered_.data();
  float* const sines = cosines + padded_;
  for (std::size_t i = 0; i < pairs_; ++i) {
    const float cosine = turn.cosines[i];
    const float sine = turn.sines[i];
    // Then lanes below 2^15 end below 65504.
    turns_small_ = turns_small_ && std::fabs(cosine) + std::fabs(sine) < 1.999f;
    const std::size_t in_block = i % block;
    const std::size_t to = layout_ == Layout::half ? i - in_block + in_block / 2 + in_block % 2 * (block / 2) : i;
    cosines[to] = cosine * scale;
    sines[to] = sine * scale;
  }
}

/// For any values: infinite ones, and those that may become so. The lanes stand as rotate_pairs takes them.
void StoredRotation::rotate_in_float32(std::uint16_t* head) {
  float* const wide = wide_.data();
  widen({storage_, {head, 2 * pairs_}}, wide);
  if (layout_ == Layout::half)
    rotate_in_place(Halves{pairs_}, {wide}, turn_);
  else
    rotate_in_place(Neighbours{pairs_}, {wide}, turn_);
  narrow(wide, {storage_, {head, 2 * pairs_}});
}

/// The rotated lanes stand together, in half or interleaved layout. What is too few for a block goes through one.
void StoredRotation::rotate_pairs(std::uint16_t* head) {
  const bool large_may_be = storage_ == Storage::float16 && !turns_small_;
  if (large_may_be || !stay_small(storage_, {head, 2 * pairs_})) return rotate_in_float32(head);
  const float* const cosines = ordered_.data();
  const float* const sines = cosines + padded_;
  const std::size_t block = stored_block();
  std::uint16_t* const last = copy_.data() + 4 * pairs_;
  if (layout_ == Layout::half) {
    const std::size_t whole = pairs_ / block * block;
    const std::size_t rest = pairs_ - whole;
    std::uint16_t* const second = head + pairs_;
    rotate_halves(storage_, head, second, cosines, sines, whole);
    if (rest == 0) return;
    std::copy_n(head + whole, rest, last);
    std::copy_n(second + whole, rest, last + block);
    rotate_halves(storage_, last, last + block, cosines + whole, sines + whole, block);
    std::copy_n(last, rest, head + whole);
    std::copy_n(last + block, rest, second + whole);
  } else {
    const std::size_t whole = 2 * pairs_ / block * block;
    const std::size_t rest = 2 * pairs_ - whole;
    rotate_neighbours(storage_, head, cosines, sines, whole / 2);
    if (rest == 0) return;
    std::copy_n(head + whole, rest, last);
    rotate_neighbours(storage_, last, cosines + whole / 2, sines + whole / 2, block / 2);
    std::copy_n(last, rest, head + whole);
  }
}

/// The rotated lanes stand together, in any layout. Deinterleaving moves whole values: before or after the rotation of
/// neighbours it makes no difference to them.
void StoredRotation::rotate(std::uint16_t* head) {
  if (layout_ != Layout::deinterleaved) return rotate_pairs(head);
  std::uint16_t* const copy = copy_.data() + 2 * pairs_;
  std::copy_n(head, 2 * pairs_, copy);
  if (direction_ == Direction::forward) {
    rotate_pairs(copy);
    for (std::size_t i = 0; i < pairs_; ++i) {
      head[i] = copy[2 * i];
      head[i + pairs_] = copy[2 * i + 1];
    }
  } else {
    for (std::size_t i = 0; i < pairs_; ++i) {
      head[2 * i] = copy[i];
      head[2 * i + 1] = copy[i + pairs_];
    }
    rotate_pairs(head);
  }
}

void StoredRotation::operator()(std::uint16_t* x, std::size_t b, std::size_t s, Turn turn) {
  set(turn);
  const std::size_t lanes = 2 * pairs_;
  const std::size_t stride = shape_->lane_stride();
  shape_->for_each_head(b, s, [=, this](std::size_t offset) {
    std::uint16_t* const head = x + offset;
    if (stride == 1) return rotate(head);
    std::uint16_t* const copy = copy_.data();
    for (std::size_t lane = 0; lane < lanes; ++lane) copy[lane] = head[lane * stride];
    rotate(copy);
    for (std::size_t lane = 0; lane < lanes; ++lane) head[lane * stride] = copy[lane];
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
