#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/base/check.hpp"
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

/// The value nearest to a double that is not NaN, ties to the even one: one rounding, which by way of float32 would be
/// two. What rounds beyond the largest becomes infinite.
[[nodiscard]] inline std::uint16_t nearest(const Format16& format, double x) {
  // As in words16.hpp: an addition rounds, in the place that the last bit has at this magnitude.
  constexpr std::uint64_t one_exponent = std::uint64_t{1} << 52;
  const int lost = 53 - format.digits;
  const std::uint64_t least = static_cast<std::uint64_t>(format.min_exponent + 1023) * one_exponent;
  const double magnitude = std::min(std::fabs(x), format.beyond);
  const std::uint64_t power = std::max(std::bit_cast<std::uint64_t>(magnitude) & (0x7ff * one_exponent), least);
  const std::uint64_t shifter = power + static_cast<std::uint64_t>(lost) * one_exponent;
  const std::uint64_t kept = std::bit_cast<std::uint64_t>(std::bit_cast<double>(shifter) + magnitude) - shifter;
  const std::uint64_t sign = std::bit_cast<std::uint64_t>(x) >> 48 & 0x8000;
  return static_cast<std::uint16_t>(((power - least) >> lost) + kept + sign);
}

/// out[i * stride] = the value nearest to factor * values[i].
inline void round_to_dtype(const Format16& format, double factor, std::span<const double> values, std::uint16_t* out,
                           std::size_t stride) {
  for (std::size_t i = 0; i < values.size(); ++i) out[i * stride] = nearest(format, factor * values[i]);
}

/// An Error unless |value|, by which sines and cosines are multiplied, is at most the type's largest value.
[[nodiscard]] inline Expected<void> check_holds(DType dtype, std::string_view argument, double value) {
  if (std::fabs(value) <= format_of(dtype).max) return {};
  return invalid_argument(argument, value, expected::dtype_range);
}

}  // namespace posenc
