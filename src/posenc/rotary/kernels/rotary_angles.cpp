#include "posenc/rotary/kernels/rotary_angles.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/simd.hpp"

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
  static_assert(Frequencies::lane_block % (2 * Batch::size) == 0);
  const auto at = [&](std::size_t i) { return Batch(factor) * Batch::load_aligned(values + i); };
  for (std::size_t i = 0; i < count; i += 2 * Batch::size) store_rounded(at(i), at(i + Batch::size), out + i);
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
  write_rounded(row, direction, factor, rounded_.data(), padded());
  return {.sines = rounded_.data() + padded(), .cosines = rounded_.data()};
}

/// Cosines, and sines `count` behind them: whole vectors, so that up to padded() values are written of each.
void RotaryAngles::write_rounded(const AngleRow<double>& row, Direction direction, double factor, float* out,
                                 std::size_t count) const {
  round_scaled(row.cosines, padded(), factor, out);
  round_scaled(row.sines, padded(), direction == Direction::inverse ? -factor : factor, out + count);
}

bool RotaryAngles::in_block(const PositionParts& parts, Direction direction) const {
  return has_block_ && parts.whole && parts.coarse == block_parts_.coarse && parts.middle == block_parts_.middle &&
         direction == block_direction_;
}

/// Errors: memory.
Expected<void> RotaryAngles::fill_block(const PositionParts& parts, Direction direction) {
  constexpr std::size_t rows = SinusoidalRows::rows_of_block;
  if (block_.size() == 0) {
    // The last vector of the last row may pass its end.
    auto block = AlignedArray<float>::make_unfilled(rows * rotary_dim() + Frequencies::lane_block);
    if (!block) return error_of(block);
    auto made = SinusoidalRows::make(Lanes(Order::cosines_first, rotary_dim(), pairs()), rows_, 0, Precision::exact);
    if (!made) return error_of(made);
    block_ = std::move(*block);
    rows_of_block_ = std::move(*made);
  }
  const double factor = frequencies_->attention_factor();
  if (factor == 1) {
    rows_of_block_.write_block(rows_, parts, 0, rows, block_.data());
    for (std::size_t row = 0; direction == Direction::inverse && row < rows; ++row)
      negate(block_.data() + row * rotary_dim() + pairs(), pairs());
  } else {
    float* row = block_.data();
    const double centre = parts.coarse + parts.middle;
    for (double fine = -PositionParts::reach; fine <= PositionParts::reach; ++fine, row += rotary_dim())
      write_rounded(rows_.at(centre + fine), direction, factor, row, pairs());
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
