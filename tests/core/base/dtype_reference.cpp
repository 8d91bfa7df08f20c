#include "base/dtype_reference.hpp"

#include <algorithm>

namespace reference {

Format16::Format16(int fraction_bits, int bias)
    : infinity_(static_cast<std::uint16_t>(0x7fff >> fraction_bits << fraction_bits)) {
  const int ones = 1 << fraction_bits;
  for (int pattern = 0; pattern <= infinity_; ++pattern) {
    const int exponent = pattern / ones;
    const int significand = exponent == 0 ? pattern : pattern % ones + ones;
    Quad value = significand;
    const int power = std::max(exponent, 1) - bias - fraction_bits;
    for (int i = 0; i < power; ++i) value *= 2;
    for (int i = 0; i > power; --i) value /= 2;
    magnitudes_.push_back(value);
  }
}

Quad Format16::value(std::uint16_t pattern) const {
  const Quad value = magnitudes_.at(pattern & 0x7fff);
  return pattern & 0x8000 ? -value : value;
}

std::uint16_t Format16::nearest(Quad x) const {
  const Quad size = std::min(magnitude(x), magnitudes_.back());
  const auto above = static_cast<std::size_t>(std::ranges::lower_bound(magnitudes_, size) - magnitudes_.begin());
  std::size_t found = above;
  if (above > 0) {
    const Quad up = magnitudes_[above] - size;
    const Quad down = size - magnitudes_[above - 1];
    if (down < up || (down == up && above % 2 != 0)) found = above - 1;
  }
  return static_cast<std::uint16_t>(found | (x < 0 ? 0x8000u : 0u));
}

template <>
const Format16& Format16::of<posenc::Float16>() {
  static const Format16 format(10, 15);
  return format;
}

template <>
const Format16& Format16::of<posenc::BFloat16>() {
  static const Format16 format(7, 127);
  return format;
}

}  // namespace reference
