#include "posenc/attention/alibi_slope.hpp"

#include <bit>
#include <cmath>
#include <span>

#include "posenc/base/array_maths.hpp"
#include "posenc/base/double_double.hpp"

namespace posenc {

double alibi_slope(double exponent) {
  const double whole = std::floor(exponent);
  double slope = ln_2.high * (whole - exponent);
  exponentials(std::span(&slope, 1));
  return std::ldexp(slope, -static_cast<int>(whole));
}

double alibi_share(std::size_t h, std::size_t heads) {
  const std::size_t lower = std::bit_floor(heads);
  const bool extra = h >= lower;
  return static_cast<double>(extra ? 2 * (h - lower) + 1 : h + 1) / static_cast<double>(extra ? 2 * lower : lower);
}

}  // namespace posenc
