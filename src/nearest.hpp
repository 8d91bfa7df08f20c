#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "posenc/error.hpp"
#include "posenc/storage.hpp"

namespace posenc {

/// The T nearest to a double that is not NaN, ties to the even one: one rounding, which by way of float32 would be two.
/// What rounds beyond T's largest value becomes infinite.
template <class T>
[[nodiscard]] inline T nearest(double x) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(x);
  } else {
    // As in stored_words.hpp: an addition rounds, in the place that T's last bit has at this magnitude.
    constexpr int lost = 53 - T::digits;
    constexpr std::uint64_t power_one = std::uint64_t{1} << 52;
    constexpr std::uint64_t least = static_cast<std::uint64_t>(T::min_exponent + 1023) * power_one;
    constexpr double beyond = T::max + T::max / ((1 << T::digits) - 1);  // the next power of two
    const double magnitude = std::min(std::fabs(x), beyond);
    const auto bits = std::bit_cast<std::uint64_t>(magnitude);
    const std::uint64_t power = std::max(bits & (0x7ff * power_one), least);
    const std::uint64_t shifter = power + lost * power_one;
    const std::uint64_t kept = std::bit_cast<std::uint64_t>(std::bit_cast<double>(shifter) + magnitude) - shifter;
    const std::uint64_t sign = std::bit_cast<std::uint64_t>(x) >> 48 & 0x8000;
    return T{static_cast<std::uint16_t>(((power - least) >> lost) + kept + sign)};
  }
}

/// An Error unless |value|, by which sines and cosines are multiplied, is at most `largest`: a T's.
[[nodiscard]] Expected<void> check_holds(double largest, std::string_view argument, double value);

}  // namespace posenc
