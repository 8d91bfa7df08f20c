#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/dtype.hpp"

namespace posenc {

/// Holds what rounding to a type of 16 bits has to know of it.
struct Format16 {
  int digits;        ///< significant bits
  int min_exponent;  ///< of the smallest normal value
  double max;
  double beyond;  ///< the power of two above it
};

[[nodiscard]] constexpr Format16 format_of(DType dtype) {
  return dtype == DType::float16 ? Format16{11, -14, 65504, 65536} : Format16{8, -126, 0x1.fep127, 0x1p128};
}

/// A rounding to 16 bits of |x|, not NaN, ties to even: one rounding, which by way of float32 would be two.
struct Rounding16 {
  static constexpr std::uint64_t one_exponent = std::uint64_t{1} << 52;
  int lost;
  std::uint64_t least;
  double magnitude;
  std::uint64_t power, shifter;
  double rounded;

  /// As in words16.hpp: an addition rounds, in the place that the last bit has at this magnitude.
  Rounding16(const Format16& format, double x)
      : lost(53 - format.digits),
        least(static_cast<std::uint64_t>(format.min_exponent + 1023) * one_exponent),
        magnitude(std::min(std::fabs(x), format.beyond)),
        power(std::max(std::bit_cast<std::uint64_t>(magnitude) & (0x7ff * one_exponent), least)),
        shifter(power + static_cast<std::uint64_t>(lost) * one_exponent),
        rounded(std::bit_cast<double>(shifter) + magnitude) {}

  [[nodiscard]] std::uint16_t bits() const {
    return static_cast<std::uint16_t>(((power - least) >> lost) + std::bit_cast<std::uint64_t>(rounded) - shifter);
  }

  /// Whether it could be another within `error` of x, or x of the other sign.
  [[nodiscard]] bool is_in_doubt(double error) const {
    const auto place = std::bit_cast<double>(shifter);
    return magnitude <= error || std::fabs(0x1p-53 * place - std::fabs(magnitude - (rounded - place))) <= error;
  }
};

/// The value nearest to x; what rounds beyond the largest becomes infinite.
[[nodiscard]] inline std::uint16_t nearest(const Format16& format, double x) {
  const std::uint64_t sign = std::bit_cast<std::uint64_t>(x) >> 48 & 0x8000;
  return static_cast<std::uint16_t>(Rounding16(format, x).bits() + sign);
}

/// x in double, but odd where it is not exact: a rounding to fewer bits is then that of x.
[[nodiscard]] inline double rounded_to_odd(const DoubleDouble& x) {
  const auto bits = std::bit_cast<std::uint64_t>(x.high);
  if (x.low == 0 || (bits & 1) != 0) return x.high;
  return std::bit_cast<double>(std::signbit(x.low) == std::signbit(x.high) ? bits + 1 : bits - 1);
}

/// out[i * stride] = the value nearest to factor * values[i], which have errors of 1e-14; `exact` gives value i as a
/// DoubleDouble, where that error could matter.
template <class Exact>
void round_to_dtype(const Format16& format, double factor, std::span<const double> values, std::uint16_t* out,
                    std::size_t stride, const Exact& exact) {
  const double error = 1.1e-14 * std::fabs(factor);
  for (std::size_t i = 0; i < values.size(); ++i) {
    double x = factor * values[i];
    if (Rounding16(format, x).is_in_doubt(error)) x = rounded_to_odd(DoubleDouble{factor, 0} * exact(i));
    out[i * stride] = nearest(format, x);
  }
}

/// An Error unless |value|, by which sines and cosines are multiplied, is at most the type's largest value.
[[nodiscard]] inline Expected<void> check_holds(DType dtype, std::string_view argument, double value) {
  if (std::fabs(value) <= format_of(dtype).max) return {};
  return invalid_argument(argument, value, expected::dtype_range);
}

}  // namespace posenc
