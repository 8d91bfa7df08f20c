#include "rotary_angles.hpp"

#include <algorithm>
#include <xsimd/xsimd.hpp>

#include "rounded_store.hpp"

namespace posenc {

Expected<RotaryAngles> RotaryAngles::make(const Rotary& rotary) {
  RotaryAngles made(rotary);
  auto exact = AlignedArray<double>::make(2 * made.padded());
  if (!exact) return std::unexpected(exact.error());
  auto rounded = AlignedArray<float>::make(2 * made.padded());
  if (!rounded) return std::unexpected(rounded.error());
  auto rows = AngleRows::make(rotary.frequencies());
  if (!rows) return std::unexpected(rows.error());
  made.rows_ = std::move(*rows);
  made.exact_ = std::move(*exact);
  made.rounded_ = std::move(*rounded);
  return made;
}

void RotaryAngles::set(double position) {
  if (rotary_->angles_ != nullptr) return rotary_->angles_(*rotary_, position, sines(), cosines());
  const AngleRows::Row row = rows_.at(position);
  std::copy_n(row.sines, padded(), sines());
  std::copy_n(row.cosines, padded(), cosines());
}

Turn RotaryAngles::rounded(Direction direction, double factor) {
  using Batch = xsimd::batch<double>;
  static_assert(Frequencies::lane_block % (2 * Batch::size) == 0);
  float* const cosines_out = rounded_.data();
  float* const sines_out = cosines_out + padded();
  const Batch sign(direction == Direction::inverse ? -1 : 1);
  const auto load = [](const double* from) { return Batch::load_aligned(from); };
  for (std::size_t i = 0; i < padded(); i += 2 * Batch::size) {
    store_rounded(load(cosines() + i), load(cosines() + i + Batch::size), cosines_out + i);
    store_rounded(sign * load(sines() + i), sign * load(sines() + i + Batch::size), sines_out + i);
  }
  const auto by = static_cast<float>(factor);
  if (by == 1) return {cosines_out, sines_out};
  for (std::size_t i = 0; i < 2 * padded(); ++i) rounded_[i] *= by;
  return {cosines_out, sines_out};
}

}  // namespace posenc
