#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "posenc/base/double_double.hpp"

namespace posenc {

/// 1 / (2k + 1), the coefficients of atanh.
inline constexpr auto odd_reciprocals = [] {
  std::array<double, 12> made{};
  for (std::size_t k = 0; k < made.size(); ++k) made[k] = 1 / (2.0 * static_cast<double>(k) + 1);
  return made;
}();

/// e^x for x <= 0, in double. Largest error: 2 ulp; 0 below -745. IEEE operations only: no platform's libm is used.
inline double exponential(double x) {
  if (!(x > -745)) return 0;
  const double exponent = std::floor(x * 1.4426950408889634 + 0.5);
  // ln 2 in two parts, the first short enough that its product with the exponent is exact.
  const double rest = (x - exponent * 0.693147180369123816490) - exponent * 1.90821492927058770002e-10;
  // |rest| < 0.35: the Taylor series to the 14th power leaves 1e-19.
  double series = 1;
  for (int k = 14; k >= 1; --k) series = series * rest / k + 1;
  return std::ldexp(series, static_cast<int>(exponent));
}

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
  for (std::size_t k = 11; k >= 1; --k) series = square * (series + odd_reciprocals[k]);
  return exponent * ln_2.high + (2 * s + (2 * s * series + exponent * ln_2.low));
}

/// ln(1 + x) for finite x >= 0, in double. Largest error: 3 ulp, also where x is tiny: what 1 + x loses by rounding is
/// added as the first term of its series.
inline double logarithm_1p(double x) {
  const DoubleDouble sum = sum_exact(1, x);
  return logarithm(sum.high) + sum.low / sum.high;
}

/// 1 / (1 + e^-x), in double. Largest error: 5 ulp; 0 and 1 at minus and plus infinity.
inline double sigmoid(double x) {
  const double power = exponential(x < 0 ? x : -x);
  return (x < 0 ? power : 1) / (1 + power);
}

}  // namespace posenc
