#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "posenc/storage.hpp"

namespace posenc {

// Kernels take 16-bit values as they lie in memory, two in a 32-bit word: the first in its lower half. Words become
// float32 vectors of the lower and of the upper values, and back, by shifts and masks alone: no lane changes its place.

using Words = xsimd::batch<std::int32_t>;
using Floats = xsimd::batch<float>;

inline constexpr std::size_t word_values = 2 * Words::size;  ///< 16-bit values in a vector of words

struct FloatPair {
  Floats low;
  Floats high;
};

[[nodiscard]] inline Words load_words(const std::uint16_t* values) {
  return xsimd::bitwise_cast<std::int32_t>(xsimd::batch<std::uint16_t>::load_unaligned(values));
}

inline void store_words(Words words, std::uint16_t* values) {
  xsimd::bitwise_cast<std::uint16_t>(words).store_unaligned(values);
}

namespace detail {

/// Of a float32.
inline constexpr std::int32_t exponent_bits = 0x7f800000, magnitude_bits = 0x7fffffff, one_exponent = 1 << 23;
inline constexpr auto sign_bit = static_cast<std::int32_t>(0x80000000);
inline constexpr auto upper_half = static_cast<std::int32_t>(0xffff0000);

inline Words bits_of(Floats x) { return xsimd::bitwise_cast<std::int32_t>(x); }
inline Floats floats_of(Words bits) { return xsimd::bitwise_cast<float>(bits); }
inline Words shifted_right(Words x, int by) {
  return xsimd::bitwise_cast<std::int32_t>(xsimd::bitwise_cast<std::uint32_t>(x) >> by);
}

/// Sign, exponent and fraction of the float16 in the upper half of each word, in a float32's places: 2^-112 of its
/// value, but for infinities and NaN.
inline Words placed_float16(Words words) { return (words >> 3) & Words(static_cast<std::int32_t>(0x8fffe000)); }

inline Floats widened_float16(Words words) {
  const Words placed = placed_float16(words);
  const Words exponent(0x0f800000);
  const Words special = xsimd::select((placed & exponent) == exponent, Words(exponent_bits), Words(0));
  return floats_of(bits_of(floats_of(placed) * Floats(0x1p112f)) | special);
}

/// The float16 nearest to each magnitude below 2^16 * 2^scale, divided by 2^scale; plus (126 + scale) * 2^10.
///
/// Added to 2^13 of its own power of two, or of the smallest normal's, a value loses the bits that a float16 lacks,
/// rounded by the addition; what it keeps stands in the sum's lowest bits.
template <int scale>
Words narrowed_magnitude(Words magnitude) {
  const Words power = xsimd::max(magnitude & Words(exponent_bits), Words((113 + scale) * one_exponent));
  const Words shifter = power + Words(13 * one_exponent);
  const Words kept = bits_of(floats_of(shifter) + floats_of(magnitude)) - shifter;
  return kept + shifted_right(shifter, 13);
}

/// The float16 nearest to each value, without its sign.
inline Words narrowed_to_float16(Words bits) {
  const Words magnitude = bits & Words(magnitude_bits);
  const Words quiet = Words(0x200) | (shifted_right(bits, 13) & Words(0x3ff));
  const Words nan = xsimd::select(magnitude > Words(exponent_bits), quiet, Words(0));
  const Words bounded = xsimd::min(magnitude, Words(0x47800000));  // 2^16, the least that has no place
  return (narrowed_magnitude<0>(bounded) - Words(126 << 10)) | nan;
}

/// The upper halves of two vectors in one of words.
inline Words joined_upper(Words low, Words high) { return shifted_right(low, 16) | (high & Words(upper_half)); }

/// Each value rounded to its upper 16 bits; what is below is left over. Not for a NaN whose lower bits are not 0.
inline Words rounded_to_upper(Floats x) {
  const Words bits = bits_of(x);
  return (bits + Words(0x7fff)) + (shifted_right(bits, 16) & Words(1));
}

inline Words rounded_to_bfloat16(Floats x) {
  return xsimd::select(xsimd::batch_bool_cast<std::int32_t>(x == x), rounded_to_upper(x), bits_of(x) | Words(0x400000));
}

}  // namespace detail

template <class T>
[[nodiscard]] FloatPair widen(Words words) {
  using namespace detail;
  if constexpr (std::is_same_v<T, Float16>)
    return {widened_float16(words << 16), widened_float16(words)};
  else
    return {floats_of(words << 16), floats_of(words & Words(upper_half))};
}

template <class T>
[[nodiscard]] Words narrow(FloatPair x) {
  using namespace detail;
  const Words low = bits_of(x.low);
  const Words high = bits_of(x.high);
  if constexpr (std::is_same_v<T, Float16>) {
    const Words signs = (shifted_right(low, 16) & Words(0x8000)) | (high & Words(sign_bit));
    return narrowed_to_float16(low) | (narrowed_to_float16(high) << 16) | signs;
  } else {
    return joined_upper(rounded_to_bfloat16(x.low), rounded_to_bfloat16(x.high));
  }
}

// The same, faster, for values that are multiplied between and stay small: what multiplies them must have been
// multiplied by small_scale, a power of two, which spares both ends their own.

template <class T>
inline constexpr float small_scale = std::is_same_v<T, Float16> ? 0x1p114f : 1.0f;

/// Whether all of these float16 are below 2^15 in magnitude.
[[nodiscard]] inline bool all_small(std::span<const std::uint16_t> values) {
  using Lanes = xsimd::batch<std::int16_t>;
  const std::size_t whole = values.size() / Lanes::size * Lanes::size;
  Lanes largest(0);
  for (std::size_t i = 0; i < whole; i += Lanes::size) {
    const auto lanes = xsimd::bitwise_cast<std::int16_t>(xsimd::batch<std::uint16_t>::load_unaligned(&values[i]));
    largest = xsimd::max(largest, lanes & Lanes(0x7fff));
  }
  bool small = !xsimd::any(largest > Lanes(0x77ff));
  for (const std::uint16_t value : values.subspan(whole)) small = small && (value & 0x7fff) <= 0x77ff;
  return small;
}

template <class T>
[[nodiscard]] FloatPair widen_small(Words words) {
  using namespace detail;
  if constexpr (std::is_same_v<T, Float16>)
    return {floats_of(placed_float16(words << 16)), floats_of(placed_float16(words))};
  else
    return widen<T>(words);
}

/// For BFloat16 a NaN must be one that arithmetic made of widened values: its lower bits are 0.
template <class T>
[[nodiscard]] Words narrow_small(FloatPair x) {
  using namespace detail;
  if constexpr (std::is_same_v<T, Float16>) {
    const Words low = bits_of(x.low);
    const Words high = bits_of(x.high);
    const Words signs = (shifted_right(low, 16) & Words(0x8000)) | (high & Words(sign_bit));
    // The scale of 4 makes the excess 2^17, which the halves of a word do not see.
    const Words low_magnitude = narrowed_magnitude<2>(low & Words(magnitude_bits)) & Words(0xffff);
    return low_magnitude | (narrowed_magnitude<2>(high & Words(magnitude_bits)) << 16) | signs;
  } else {
    return joined_upper(rounded_to_upper(x.low), rounded_to_upper(x.high));
  }
}

}  // namespace posenc
