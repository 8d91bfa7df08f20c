#include "posenc/rotary/kernels/rotary_angles.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/simd.hpp"

namespace posenc {
namespace {

void multiply(float* x, std::size_t count, float by) {
  using Batch = xsimd::batch<float>;
  std::size_t i = 0;
  for (; i + Batch::size <= count; i += Batch::size) (Batch::load_unaligned(x + i) * Batch(by)).store_unaligned(x + i);
  for (; i < count; ++i) x[i] *= by;
}

}  // namespace

Expected<RotaryAngles> RotaryAngles::make(const Frequencies& frequencies, const AngleSource* source) {
  RotaryAngles made(frequencies, source);
  auto exact = AlignedArray<double>::make_unfilled(2 * made.padded());
  if (!exact) return error_of(exact);
  auto rounded = AlignedArray<float>::make_unfilled(2 * made.padded());
  if (!rounded) return error_of(rounded);
  auto rows = AngleRows::make(frequencies);
  if (!rows) return error_of(rows);
  made.rows_ = std::move(*rows);
  made.exact_ = std::move(*exact);
  made.rounded_ = std::move(*rounded);
  return made;
}

void RotaryAngles::set(double position) {
  if (source_ != nullptr) return source_->write(position, sines(), cosines());
  const AngleRows::Row row = rows_.at(position);
  std::copy_n(row.sines, padded(), sines());
  std::copy_n(row.cosines, padded(), cosines());
}

AngleRow<float> RotaryAngles::rounded(const AngleRow<double>& row, Direction direction, double factor) {
  using Batch = xsimd::batch<double>;
  static_assert(Frequencies::lane_block % (2 * Batch::size) == 0);
  float* const cosines_out = rounded_.data();
  float* const sines_out = cosines_out + padded();
  const Batch sign(direction == Direction::inverse ? -1 : 1);
  const auto load = [](const double* from) { return Batch::load_aligned(from); };
  for (std::size_t i = 0; i < padded(); i += 2 * Batch::size) {
    store_rounded(load(row.cosines + i), load(row.cosines + i + Batch::size), cosines_out + i);
    store_rounded(sign * load(row.sines + i), sign * load(row.sines + i + Batch::size), sines_out + i);
  }
  if (factor != 1) multiply(cosines_out, 2 * padded(), static_cast<float>(factor));
  return {.sines = sines_out, .cosines = cosines_out};
}

bool RotaryAngles::in_block(const PositionParts& parts, Direction direction) const {
  return has_block_ && parts.whole && parts.coarse == block_parts_.coarse && parts.middle == block_parts_.middle &&
         direction == block_direction_;
}

/// Errors: memory.
Expected<void> RotaryAngles::fill_block(const PositionParts& parts, Direction direction) {
  if (block_.size() == 0) {
    auto block = AlignedArray<float>::make_unfilled(SinusoidalRows::rows_of_block * rotary_dim());
    if (!block) return error_of(block);
    auto rows = SinusoidalRows::make(Lanes(Order::cosines_first, rotary_dim(), pairs()), rows_, 0, Precision::exact);
    if (!rows) return error_of(rows);
    block_ = std::move(*block);
    rows_of_block_ = std::move(*rows);
  }
  rows_of_block_.write_block(rows_, parts, 0, SinusoidalRows::rows_of_block, block_.data());
  const auto factor = static_cast<float>(frequencies_->attention_factor());
  const float sine_factor = direction == Direction::inverse ? -factor : factor;
  if (sine_factor != 1)
    for (std::size_t row = 0; row < block_.size(); row += rotary_dim()) {
      multiply(block_.data() + row, pairs(), factor);
      multiply(block_.data() + row + pairs(), pairs(), sine_factor);
    }
  block_parts_ = parts;
  block_direction_ = direction;
  has_block_ = true;
  return {};
}

AngleRow<float> RotaryAngles::at(double position, Direction direction) {
  const PositionParts parts = parts_of(position);
  if (!in_block(parts, direction)) {
    // A single position is quicker alone. Without memory for a block it goes without, slower.
    const bool goes_on = parts.whole && source_ == nullptr && position == last_ + 1;
    last_ = position;
    left_ = 1;
    if (!goes_on || !fill_block(parts, direction)) {
      const double factor = frequencies_->attention_factor();
      if (source_ == nullptr) return rounded(rows_.at(position), direction, factor);
      set(position);
      return rounded(direction, factor);
    }
  }
  last_ = position;
  const std::size_t row = SinusoidalRows::row_in_block(parts);
  left_ = SinusoidalRows::rows_of_block - row;
  const float* const cosines = block_.data() + row * rotary_dim();
  return {.sines = cosines + pairs(), .cosines = cosines};
}

AngleRun RotaryAngles::run(const Positions& positions, std::size_t i, std::size_t most, Direction direction) {
  AngleRun run{.first = at(positions[i], direction), .stride = rotary_dim()};
  while (run.tokens < std::min(left_, most) && positions[i + run.tokens] == last_ + 1) {
    ++last_;
    ++run.tokens;
  }
  return run;
}

Expected<void> rotate_tokens(RotaryAngles& angles, Layout layout, Direction direction, float* x,
                             const SequenceShape& shape, const Positions& positions, bool per_batch) {
  if (shape.size() == 0) return {};  // however many positions there are
  auto rotation = TokenRotation::make(layout, direction, angles.rotary_dim(), shape);
  if (!rotation) return error_of(rotation);
  rotation->all(x, per_batch,
                [&](std::size_t i, std::size_t most) { return angles.run(positions, i, most, direction); });
  return {};
}

}  // namespace posenc
