#pragma once

#include <cstddef>

#include "double_double.hpp"

namespace posenc {

/// The geometric progression base^(-steps i / denominator), in radians per position.
struct Progression {
  DoubleDouble ln_base;
  double steps = 2;
  double denominator = 1;

  /// Relative error 2^-92; 0 where it is below the smallest double, 1e200 where it is above that, which is of no use
  /// as a frequency but overflows nowhere.
  [[nodiscard]] DoubleDouble operator()(std::size_t i) const {
    const DoubleDouble exponent =
        ln_base * DoubleDouble{-steps * static_cast<double>(i), 0} / DoubleDouble{denominator, 0};
    if (exponent.high < -760) return {};
    return exponent.high > 460 ? DoubleDouble{1e200, 0} : exp(exponent);
  }

  /// The logarithm of the largest of `count` terms. The progression is monotone: that is the first, 1, or the last.
  [[nodiscard]] double ln_largest(std::size_t count) const {
    return -ln_base.high * steps * static_cast<double>(count - 1) / denominator;
  }
};

}  // namespace posenc
