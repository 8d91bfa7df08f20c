#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "posenc/base/simd.hpp"

namespace posenc {

// Functions of each lane of a vector of float or double, without libm: IEEE operations and additions to exponents, in
// an order that no width changes. What is said of errors is in units of the last place (ulp) of the result; a square
// root is xsimd's, which IEEE has rounded already.

namespace vector_maths {

template <class T>
using Bits = xsimd::batch<std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;

template <class T>
struct Constants;

template <>
struct Constants<float> {
  static constexpr int mantissa = 23, bias = 127;
  static constexpr float whole = 0x1.8p23f;  ///< what is added to it is rounded to a whole number, in its last bits
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
  /// Between these e^x is a normal number, with room for the steps below.
  static constexpr float smallest = -86.64f, largest = 89;
  static constexpr float certain = 10;  ///< where tanh is 1
  /// (e^r - 1 - r) / r^2 to 2^-28 of e^r for |r| < 0.347, by Remez' algorithm.
  static constexpr float exponential[] = {0.499999934135f, 0.166665201102f, 0.0416683937827f, 0.00836878027770f,
                                          0.00138144962715f};
  static constexpr int atanh_terms = 5;
};

template <>
struct Constants<double> {
  static constexpr int mantissa = 52, bias = 1023;
  static constexpr double whole = 0x1.8p52;
  static constexpr double ln2_high = 0.693147180369123816490, ln2_low = 1.90821492927058770002e-10;
  static constexpr double smallest = -707.7, largest = 710;
  static constexpr double certain = 22;
  /// To 2^-57.9.
  static constexpr double exponential[] = {
      0.50000000000000107148,   0.16666666666666410303,    0.041666666666529250619,    0.0083333333334956112269,
      0.0013888888943904717274, 0.00019841269504725255241, 0.000024801492782381045215, 2.7557587434060949325e-6,
      2.7630371471122607819e-7, 2.499992075455897496e-8};
  static constexpr int atanh_terms = 11;
};

/// e^x = 2 * half * (1 + rest).
template <class T>
struct Power {
  xsimd::batch<T> half, rest;
};

template <class T>
Power<T> power(const xsimd::batch<T>& x) {
  using C = Constants<T>;
  const xsimd::batch<T> shifted = x * xsimd::batch<T>(T(1.4426950408889634)) + xsimd::batch<T>(C::whole);
  const xsimd::batch<T> exponent = shifted - xsimd::batch<T>(C::whole);
  // The first part of ln 2 is short enough that its product is exact.
  const xsimd::batch<T> r = (x - exponent * xsimd::batch<T>(C::ln2_high)) - exponent * xsimd::batch<T>(C::ln2_low);
  constexpr std::size_t terms = std::size(C::exponential);
  xsimd::batch<T> series(C::exponential[terms - 1]);
  unrolled<terms - 1>([&](auto k) { series = series * r + xsimd::batch<T>(C::exponential[terms - 2 - k]); });
  // The bits of `whole` leave the number when they are moved.
  const Bits<T> moved = (xsimd::bitwise_cast<typename Bits<T>::value_type>(shifted) << C::mantissa) +
                        Bits<T>(typename Bits<T>::value_type{C::bias - 1} << C::mantissa);
  return {xsimd::bitwise_cast<T>(moved), r + r * r * series};
}

}  // namespace vector_maths

/// Computes what `exponential` gives, for x <= 0 and NaN.
template <class T>
xsimd::batch<T> exponential_to_one(const xsimd::batch<T>& x) {
  const auto [half, rest] = vector_maths::power<T>(x);
  const xsimd::batch<T> power = (xsimd::batch<T>(2) + (rest + rest)) * half;
  return xsimd::select(x < xsimd::batch<T>(vector_maths::Constants<T>::smallest), xsimd::batch<T>(0), power);
}

/// e^x. Largest error: 1 ulp; infinity from 88.73 (710 in double) on; 0 below -86.64 (-707.7), where it is less than
/// 2^-124.9 (2^-1020.9). NaN remains NaN.
template <class T>
xsimd::batch<T> exponential(const xsimd::batch<T>& x) {
  const xsimd::batch<T> largest(vector_maths::Constants<T>::largest);
  return exponential_to_one<T>(xsimd::select(x > largest, largest, x));
}

/// ln x for normal x > 0. Largest error: 2 ulp.
template <class T>
xsimd::batch<T> logarithm(const xsimd::batch<T>& x) {
  using C = vector_maths::Constants<T>;
  using Whole = typename vector_maths::Bits<T>::value_type;
  using Bits = vector_maths::Bits<T>;
  const Bits root = xsimd::bitwise_cast<Whole>(xsimd::batch<T>(T(0.70710678118654752)));
  const Bits one(Whole{C::bias} << C::mantissa);
  const Bits moved = xsimd::bitwise_cast<Whole>(x) + (one - root);
  // 2^mantissa + the exponent, as a number.
  const Bits exponent_bits = (moved >> C::mantissa) + Bits(Whole{C::bias + C::mantissa} << C::mantissa);
  constexpr T offset = static_cast<T>(Whole{1} << C::mantissa) + T(C::bias);
  const xsimd::batch<T> exponent = xsimd::bitwise_cast<T>(exponent_bits) - xsimd::batch<T>(offset);
  const Bits part = moved & Bits((Whole{1} << C::mantissa) - 1);
  const xsimd::batch<T> m = xsimd::bitwise_cast<T>(part + root);
  // ln m = 2 atanh s, |s| < 0.172.
  const xsimd::batch<T> s = (m - xsimd::batch<T>(1)) / (m + xsimd::batch<T>(1));
  const xsimd::batch<T> square = s * s;
  xsimd::batch<T> series(0);
  unrolled<C::atanh_terms>(
      [&](auto k) { series = square * (series + xsimd::batch<T>(T(1) / T(2 * (C::atanh_terms - int(k)) + 1))); });
  const xsimd::batch<T> twice = s + s;
  return exponent * xsimd::batch<T>(C::ln2_high) + (twice + (twice * series + exponent * xsimd::batch<T>(C::ln2_low)));
}

/// ln(1 + x) for x >= 0 below infinity. Largest error: 3 ulp, also where x is tiny: what 1 + x loses is added as the
/// first term of its series.
template <class T>
xsimd::batch<T> logarithm_1p(const xsimd::batch<T>& x) {
  const xsimd::batch<T> sum = xsimd::batch<T>(1) + x;
  const xsimd::batch<T> added = sum - xsimd::batch<T>(1);
  const xsimd::batch<T> lost = (xsimd::batch<T>(1) - (sum - added)) + (x - added);
  return logarithm<T>(sum) + lost / sum;
}

/// 1 / (1 + e^-x). Largest error: 3 ulp; 0 below -86.64 (-707.7).
template <class T>
xsimd::batch<T> sigmoid(const xsimd::batch<T>& x) {
  const auto negative = x < xsimd::batch<T>(0);
  const xsimd::batch<T> power = exponential_to_one<T>(xsimd::min(x, xsimd::batch<T>(0) - x));
  return xsimd::select(negative, power, xsimd::batch<T>(1)) / (xsimd::batch<T>(1) + power);
}

/// Largest error: 3 ulp, also near 0.
template <class T>
xsimd::batch<T> hyperbolic_tangent(const xsimd::batch<T>& x) {
  using C = vector_maths::Constants<T>;
  const auto negative = x < xsimd::batch<T>(0);
  const xsimd::batch<T> size = xsimd::select(negative, xsimd::batch<T>(0) - x, x);
  const xsimd::batch<T> within = xsimd::select(size > xsimd::batch<T>(C::certain), xsimd::batch<T>(C::certain), size);
  const auto [half, rest] = vector_maths::power<T>(within + within);
  // e^2x - 1, which has all its bits.
  const xsimd::batch<T> scale = half + half;
  const xsimd::batch<T> less_one = (scale - xsimd::batch<T>(1)) + scale * rest;
  const xsimd::batch<T> tangent = less_one / (less_one + xsimd::batch<T>(2));
  return xsimd::select(negative, xsimd::batch<T>(0) - tangent, tangent);
}

}  // namespace posenc
