#pragma once

#include <cmath>
#include <cstddef>

#include "double_double.hpp"

namespace posenc {

/// ln x for finite x > 0, in double. Largest error: 2 ulp. IEEE operations only; much faster than the log of
/// double_double.hpp.
inline double logarithm(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 atanh s with s = (m - 1) / (m + 1), |s| < 0.172: the terms after s^23 / 23 are below 2^-64 of s.
  const double s = (mantissa - 1) / (mantissa + 1);
  const double square = s * s;
  double series = 0;
  for (std::size_t k = 11; k >= 1; --k) series = square * (series + odd_reciprocals[k].high);
  return exponent * ln_2.high + (2 * s + (2 * s * series + exponent * ln_2.low));
}

/// ln(1 + x) for finite x >= 0, in double. Largest error: 2 ulp, also where x is tiny: what 1 + x loses by rounding is
/// added as the first term of its series.
inline double logarithm_1p(double x) {
  const DoubleDouble sum = sum_exact(1, x);
  return (log(sum.high) + DoubleDouble{sum.low / sum.high, 0}).high;
}

}  // namespace posenc
