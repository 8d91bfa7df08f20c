#pragma once

#include <cmath>

namespace posenc {

/// e^x for x <= 0, in double. Largest error: 2 ulp; 0 below -745. IEEE operations only: no platform's libm is asked.
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

}  // namespace posenc
