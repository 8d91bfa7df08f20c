#include "rotary_angles.hpp"

#include <algorithm>

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
  const double sign = direction == Direction::inverse ? -1 : 1;
  const auto by = static_cast<float>(factor);
  float* const cosines_out = rounded_.data();
  float* const sines_out = cosines_out + padded();
  for (std::size_t i = 0; i < padded(); ++i) cosines_out[i] = static_cast<float>(cosines()[i]) * by;
  for (std::size_t i = 0; i < padded(); ++i) sines_out[i] = static_cast<float>(sign * sines()[i]) * by;
  return {cosines_out, sines_out};
}

}  // namespace posenc
