#include "rotary_angles.hpp"

#include "double_double.hpp"

namespace posenc {
namespace {

/// x less its nearest whole number, for |x| < 2^51: exact.
double fraction(double x) {
  constexpr double shifter = 6755399441055744.0;  // 1.5 * 2^52: adding it leaves no bits for a fraction
  return x - ((x + shifter) - shifter);
}

/// An angle of at most 2^53 radians in turns, less whole ones. Both products with a half of 1 / (2 pi) are exact.
double turns(float radians) {
  const DoubleDouble halves = split(turns_per_radian.high);
  const double angle = radians;
  return fraction(angle * halves.high) + (fraction(angle * halves.low) + angle * turns_per_radian.low);
}

}  // namespace

Expected<RotaryAngles> RotaryAngles::make(const Rotary& rotary) {
  RotaryAngles made(rotary);
  auto exact = AlignedArray<double>::make(2 * made.padded());
  if (!exact) return std::unexpected(exact.error());
  auto rounded = AlignedArray<float>::make(2 * made.padded());
  if (!rounded) return std::unexpected(rounded.error());
  made.exact_ = std::move(*exact);
  made.rounded_ = std::move(*rounded);
  return made;
}

void RotaryAngles::set(double position) {
  const std::span<const float> frequencies = rotary_->float32_frequencies();
  if (frequencies.empty()) return sines_and_cosines(rotary_->frequencies(), position, sines(), cosines());
  for (std::size_t i = 0; i < frequencies.size(); ++i)
    sines()[i] = turns(frequencies[i] * static_cast<float>(position));
  sines_and_cosines(sines(), padded(), sines(), cosines());
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
