#include "posenc/rotary/kernels/rotary_angles.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

void negate(float* x, std::size_t count) {
  using Batch = xsimd::batch<float>;
  std::size_t i = 0;
  for (; i + Batch::size <= count; i += Batch::size) (-Batch::load_unaligned(x + i)).store_unaligned(x + i);
  for (; i < count; ++i) x[i] = -x[i];
}

/// Values times a factor, rounded once; as many as fill whole vectors.
void round_scaled(const double* values, std::size_t count, double factor, float* out) {
  using Batch = xsimd::batch<double>;
  static_assert(Frequencies::dim_block % (2 * Batch::size) == 0);
  const auto at = [&](std::size_t i) { return Batch(factor) * Batch::load_aligned(values + i); };
  for (std::size_t i = 0; i < count; i += 2 * Batch::size) store_rounded(at(i), at(i + Batch::size), out + i);
}

}  // namespace

Expected<RotaryAngles> RotaryAngles::make(const Frequencies& frequencies, const AngleSource* source) {
  RotaryAngles made(frequencies, source);
  const std::size_t size = 2 * made.padded();
  POSENC_TRY(allocate({{made.exact_, size}, {made.rounded_, size}}, Fill::none));
  POSENC_TRY_LET(rows, AngleRows::make(frequencies));
  made.rows_ = std::move(rows);
  return made;
}

AngleRow<double> RotaryAngles::exact(double position) {
  if (source_ == nullptr) return rows_.at(position);
  source_->write(position, sines(), cosines());
  return {sines(), cosines()};
}

void RotaryAngles::set(double position) {
  const AngleRow<double> row = exact(position);
  if (row.sines == sines()) return;
  std::copy_n(row.sines, padded(), sines());
  std::copy_n(row.cosines, padded(), cosines());
}

AngleRow<float> RotaryAngles::rounded(const AngleRow<double>& row, Direction direction, double factor) {
  float* const cosines_out = rounded_.data();
  float* const sines_out = cosines_out + padded();
  round_scaled(row.cosines, padded(), factor, cosines_out);
  round_scaled(row.sines, padded(), direction == Direction::inverse ? -factor : factor, sines_out);
  return {.sines = sines_out, .cosines = cosines_out};
}

bool RotaryAngles::in_block(const PositionParts& parts, Direction direction) const {
  return has_block_ && parts.whole && parts.coarse == block_parts_.coarse && parts.middle == block_parts_.middle &&
         direction == block_direction_;
}

/// Errors: memory.
Expected<void> RotaryAngles::fill_block(const PositionParts& parts, Direction direction) {
  if (block_.size() == 0) {
    POSENC_TRY_LET(block, AlignedArray<float>::make_unfilled(SinusoidalRows::rows_of_block * rotary_dim()));
    POSENC_TRY_LET(rows,
                   SinusoidalRows::make(Dims(Order::cosines_first, rotary_dim(), pairs()), rows_, 0, Precision::exact));
    block_ = std::move(block);
    rows_of_block_ = std::move(rows);
  }
  // A factor multiplies doubles, of which there are none in a block that is written at once.
  const double factor = frequencies_->attention_factor();
  if (factor == 1) rows_of_block_.write_block(rows_, parts, 0, SinusoidalRows::rows_of_block, block_.data());
  double position = parts.coarse + parts.middle - PositionParts::reach;
  for (std::size_t row = 0; row < block_.size(); row += rotary_dim(), ++position) {
    float* const cosines = block_.data() + row;
    if (factor != 1) {
      const AngleRow<float> made = rounded(rows_.at(position), direction, factor);
      std::copy_n(made.cosines, pairs(), cosines);
      std::copy_n(made.sines, pairs(), cosines + pairs());
    } else if (direction == Direction::inverse) {
      negate(cosines + pairs(), pairs());
    }
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
    if (!goes_on || !fill_block(parts, direction))
      return rounded(exact(position), direction, frequencies_->attention_factor());
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
  POSENC_TRY_LET(rotation, TokenRotation::make(layout, direction, angles.rotary_dim(), shape));
  rotation.all(x, per_batch,
               [&](std::size_t i, std::size_t most) { return angles.run(positions, i, most, direction); });
  return {};
}

}  // namespace posenc
