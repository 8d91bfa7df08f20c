#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "posenc/base/double_double.hpp"

namespace posenc {

/// The geometric progression scale * base^(-steps i / denominator), in radians per position.
struct Progression {
  DoubleDouble ln_base;
  double steps = 2;
  DoubleDouble denominator{1, 0};
  double scale = 1;

  /// Relative error 2^-92; 0 where the power is below e^-1400, 1e200 where it is above e^460, which is of no use as a
  /// frequency but overflows nowhere.
  [[nodiscard]] DoubleDouble operator()(std::size_t i) const {
    const DoubleDouble term = power(i);
    return scale == 1 ? term : term * DoubleDouble{scale, 0};
  }

  /// The first terms. Most are the product of three powers rather than an exponential of their own: relative error
  /// 2^-90.
  void terms(std::span<DoubleDouble> out) const;

  /// The logarithm of the largest power of `count`. They are monotone: that is the first, 1, or the last.
  [[nodiscard]] double ln_largest(std::size_t count) const {
    return std::fmax(-ln_base.high * steps * static_cast<double>(count - 1) / denominator.high, 0);
  }

  /// The d of base^(-2i/d).
  [[nodiscard]] DoubleDouble dim() const { return denominator * DoubleDouble{2 / steps, 0}; }

 private:
  static constexpr double largest_ln = 460;

  [[nodiscard]] DoubleDouble power(std::size_t i) const {
    const DoubleDouble exponent = ln_base * DoubleDouble{-steps * static_cast<double>(i), 0} / denominator;
    if (exponent.high < -1400) return {};
    return exponent.high > largest_ln ? DoubleDouble{1e200, 0} : exp(exponent);
  }
};

}  // namespace posenc
