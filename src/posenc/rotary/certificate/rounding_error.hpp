#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "posenc/base/dtype.hpp"

namespace posenc {

/// The type that a step rounds to, the nearest value, ties to the even one. `exact` does not round.
enum class Rounding : std::uint8_t { exact, float32, float16, bfloat16 };

/// The type of values of a dtype.
[[nodiscard]] constexpr Rounding rounding_of(DType dtype) {
  constexpr Rounding of_dtype[]{Rounding::float32, Rounding::float16, Rounding::bfloat16};
  return of_dtype[static_cast<std::size_t>(dtype)];
}

/// An upper bound >= 0: the result of each operation is at least the next double above what it is rounded to. That of a
/// product below 2^-1022, where no error is, is rounded as usual.
struct Upper {
  double value = 0;
};

inline constexpr double next_above = 1 + 0x1p-52;  // x times it, rounded, is more than x

// Not inlined: the factor is nine bytes each time.
[[gnu::noinline]] inline Upper operator+(Upper a, Upper b) { return {(a.value + b.value) * next_above}; }

[[gnu::noinline]] inline Upper operator*(Upper a, Upper b) { return {a.value * b.value * next_above}; }

inline constexpr Upper sqrt_2{1.4142135623730952};

/// Significant bits, exponent of the smallest normal value, and largest value.
struct RoundingFormat {
  int digits;
  int least;
  double most;
};

inline constexpr int unrounded = 1024;

inline RoundingFormat format_of(Rounding type) {
  constexpr RoundingFormat formats[]{
      {unrounded, -1074, 0x1p1023}, {24, -126, 0x1p127}, {11, -14, 65504}, {8, -126, 0x1p127}};
  return formats[static_cast<std::size_t>(type)];
}

/// The largest relative error of a rounding.
inline Upper unit_of(Rounding type) {
  const int digits = format_of(type).digits;
  return {digits == unrounded ? 0 : std::ldexp(1, -digits)};
}

/// The exponent e of 2^(e-1) <= |x| < 2^e, where subnormal values have that of the smallest normal one.
inline int exponent_of(const RoundingFormat& format, double x) {
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return std::max(exponent, format.least + 1);
}

/// The largest error of rounding a value of magnitude `most` or less.
inline Upper rounding_error(Rounding type, Upper most) {
  const RoundingFormat format = format_of(type);
  if (most.value == 0 || format.digits == unrounded) return {};
  int exponent = exponent_of(format, most.value);
  // The largest is a power of two, and has no error.
  if (most.value == std::ldexp(0.5, exponent) && exponent > format.least + 1) --exponent;
  return {std::ldexp(0.5, exponent - format.digits)};
}

/// The nearest value of a type.
inline double rounded_to(Rounding type, double x) {
  const RoundingFormat format = format_of(type);
  if (format.digits >= 53) return x;
  const double shifter = std::ldexp(1.5, exponent_of(format, x) - format.digits + 52);
  return (x + shifter) - shifter;
}

}  // namespace posenc
