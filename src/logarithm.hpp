#pragma once

#include "double_double.hpp"

namespace posenc {

/// ln(1 + x) for finite x >= 0, in double. Largest error: 2 ulp, also where x is tiny: what 1 + x loses by rounding is
/// added as the first term of its series.
inline double logarithm_1p(double x) {
  const DoubleDouble sum = sum_exact(1, x);
  return (log(sum.high) + DoubleDouble{sum.low / sum.high, 0}).high;
}

}  // namespace posenc
