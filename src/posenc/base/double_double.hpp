#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace posenc {

/// The unevaluated sum of two doubles, high + low with |low| <= ulp(high) / 2: about 106 bits.
/// Only IEEE additions and multiplications, in an order the compiler must keep (no contraction to FMA, no fast math):
/// the same bits on every machine. Algorithms: Dekker (1971), Knuth (TAOCP 2, 4.2.2).
struct DoubleDouble {
  double high = 0;
  double low = 0;
};

/// high has at most 26 significant bits, low at most 26 more: products of such halves are exact.
/// Valid for |x| < 2^996.
constexpr DoubleDouble split(double x) {
  const double scaled = 134217729.0 * x;  // 2^27 + 1
  const double high = scaled - (scaled - x);
  return {high, x - high};
}

constexpr DoubleDouble sum_exact(double a, double b) {
  const double sum = a + b;
  const double b_seen = sum - a;
  return {sum, (a - (sum - b_seen)) + (b - b_seen)};
}

/// The same, in fewer steps, where |a| >= |b| or a = 0.
constexpr DoubleDouble sum_exact_ordered(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

constexpr DoubleDouble product_exact(double a, double b) {
  const DoubleDouble as = split(a);
  const DoubleDouble bs = split(b);
  const double product = a * b;
  return {product, ((as.high * bs.high - product) + as.high * bs.low + as.low * bs.high) + as.low * bs.low};
}

/// Relative error 2^-104 of the larger operand.
constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = sum_exact(a.high, b.high);
  const DoubleDouble low = sum_exact(a.low, b.low);
  const DoubleDouble sum = sum_exact_ordered(high.high, high.low + low.high);
  return sum_exact_ordered(sum.high, sum.low + low.low);
}

constexpr DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }

/// Relative error 2^-104 of the larger operand.
constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

/// Relative error 2^-102.
constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = product_exact(a.high, b.high);
  return sum_exact_ordered(high.high, high.low + (a.high * b.low + a.low * b.high));
}

/// Relative error 2^-100.
constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double first = a.high / b.high;
  const DoubleDouble rest = a + b * DoubleDouble{-first, 0};
  const double second = rest.high / b.high;
  const DoubleDouble rest_of_rest = rest + b * DoubleDouble{-second, 0};
  const DoubleDouble quotient = sum_exact_ordered(first, second);
  return quotient + DoubleDouble{rest_of_rest.high / b.high, 0};
}

inline constexpr DoubleDouble ln_2{0.69314718055994529, 2.3190468138462996e-17};
inline constexpr DoubleDouble cycles_per_radian{0.15915494309189535, -9.8393383375912429e-18};
inline constexpr DoubleDouble radians_per_cycle{6.2831853071795862, 2.4492935982947064e-16};

// Coefficients of series, made by the first call: as constants they would be a fiftieth of the download.

/// 1 / (2k + 1), those of atanh.
[[gnu::noinline]] inline auto make_odd_reciprocals() {
  std::array<DoubleDouble, 25> made;
  for (std::size_t k = 0; k < made.size(); ++k)
    made[k] = DoubleDouble{1, 0} / DoubleDouble{2.0 * static_cast<double>(k) + 1, 0};
  return made;
}

/// 1 / k!, those of the exponential series.
[[gnu::noinline]] inline auto make_factorial_reciprocals() {
  std::array<DoubleDouble, 28> made;
  made[0] = {1, 0};
  for (std::size_t k = 1; k < made.size(); ++k) made[k] = made[k - 1] / DoubleDouble{static_cast<double>(k), 0};
  return made;
}

/// The series of these coefficients at x. Terms from `small` on are so small that double holds them.
template <std::size_t small, std::size_t n>
constexpr DoubleDouble series_at(DoubleDouble x, const std::array<DoubleDouble, n>& coefficients) {
  double tail = coefficients[n - 1].high;
  for (std::size_t k = n - 1; k > small; --k) tail = x.high * tail + coefficients[k - 1].high;
  DoubleDouble sum{tail, 0};
  for (std::size_t k = small; k > 0; --k) sum = x * sum + coefficients[k - 1];
  return sum;
}

/// ln x for finite x > 0. Relative error 2^-98.
inline DoubleDouble log(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // exact, as is ldexp below: no rounding that could differ by platform
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 atanh s with s = (m - 1) / (m + 1), |s| < 0.172: 24 terms reach 2^-120, and those from the 11th on are
  // below 2^-55 together.
  const DoubleDouble s = DoubleDouble{mantissa - 1, 0} / sum_exact(mantissa, 1);
  static const auto coefficients = make_odd_reciprocals();
  const DoubleDouble series = series_at<10>(s * s, coefficients);
  return DoubleDouble{static_cast<double>(exponent), 0} * ln_2 + DoubleDouble{2, 0} * s * series;
}

/// ln x for x > 0. Absolute error 2^-104 beyond that of log(x.high).
inline DoubleDouble log(DoubleDouble x) { return log(x.high) + DoubleDouble{x.low / x.high, 0}; }

/// The square root of x > 0: one Newton step from the root of its high part. Relative error 2^-100.
inline DoubleDouble square_root(DoubleDouble x) {
  const double root = std::sqrt(x.high);
  const DoubleDouble rest = x - product_exact(root, root);
  return sum_exact_ordered(root, rest.high / (2 * root));
}

/// The largest whole number <= x.
inline DoubleDouble floor(DoubleDouble x) {
  const double high = std::floor(x.high);
  if (high != x.high) return {high, 0};
  return sum_exact_ordered(high, std::floor(x.low));
}

/// e^x for -2000 < x < 700. Relative error 2^-92.
inline DoubleDouble exp(DoubleDouble x) {
  const double exponent = std::floor(x.high / ln_2.high + 0.5);
  const DoubleDouble rest = x + DoubleDouble{-exponent, 0} * ln_2;
  // |rest| < 0.35: the Taylor series to the 27th power reaches 2^-125, and powers from the 14th on are below 2^-57.
  static const auto coefficients = make_factorial_reciprocals();
  const DoubleDouble series = series_at<14>(rest, coefficients);
  const int shift = static_cast<int>(exponent);
  return {std::ldexp(series.high, shift), std::ldexp(series.low, shift)};
}

}  // namespace posenc
