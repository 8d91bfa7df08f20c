#pragma once

#include <cstddef>
#include <cstdint>
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

template <class T>
[[nodiscard]] Words load_words(const T* values) {
  return xsimd::bitwise_cast<std::int32_t>(xsimd::batch<std::uint16_t>::load_unaligned(&values->bits));
}

template <class T>
void store_words(Words words, T* values) {
  xsimd::bitwise_cast<std::uint16_t>(words).store_unaligned(&values->bits);
}

namespace detail {

inline Words bits_of(Floats x) { return xsimd::bitwise_cast<std::int32_t>(x); }
inline Floats floats_of(Words bits) { return xsimd::bitwise_cast<float>(bits); }
inline Words shifted_right(Words x, int by) {
  return xsimd::bitwise_cast<std::int32_t>(xsimd::bitwise_cast<std::uint32_t>(x) >> by);
}

/// Of a float32.
inline constexpr std::int32_t exponent_bits = 0x7f800000, magnitude_bits = 0x7fffffff, one_exponent = 1 << 23;

/// The float16 in the upper half of each word.
inline Floats widened_float16(Words words) {
  // Sign, exponent and fraction in a float32's places: 2^-112 of the value, but for the infinities and NaN.
  const Words placed = (words >> 3) & Words(static_cast<std::int32_t>(0x8fffe000));
  const Words is_special =
      xsimd::select((placed & Words(0x0f800000)) == Words(0x0f800000), Words(exponent_bits), Words(0));
  return floats_of(bits_of(floats_of(placed) * Floats(0x1p112f)) | is_special);
}

/// The float16 nearest to each value, without its sign.
inline Words narrowed_to_float16(Words bits) {
  const Words magnitude = bits & Words(magnitude_bits);
  const Words nan = xsimd::select(magnitude > Words(exponent_bits),
                                  Words(0x200) | (shifted_right(bits, 13) & Words(0x3ff)), Words(0));
  const Words bounded = xsimd::min(magnitude, Words(0x47800000));  // 2^16, the least that has no place
  // Added to 2^13 of its own power of two, or of the smallest normal's, a value loses the bits that a float16 lacks,
  // rounded by the addition; what it keeps stands in the sum's lowest bits.
  const Words power = xsimd::max(bounded & Words(exponent_bits), Words(113 * one_exponent));
  const Words shifter = power + Words(13 * one_exponent);
  const Words kept = bits_of(floats_of(shifter) + floats_of(bounded)) - shifter;
  return (shifted_right(power - Words(113 * one_exponent), 13) + kept) | nan;
}

/// The bits of each value rounded to the 16 upper ones; what is below is left over.
inline Words rounded_to_bfloat16(Floats x) {
  const Words bits = bits_of(x);
  const Words rounded = bits + (Words(0x7fff) + (shifted_right(bits, 16) & Words(1)));
  return xsimd::select(xsimd::batch_bool_cast<std::int32_t>(x == x), rounded, bits | Words(0x400000));
}

}  // namespace detail

template <class T>
[[nodiscard]] FloatPair widen(Words words) {
  if constexpr (std::is_same_v<T, Float16>)
    return {detail::widened_float16(words << 16), detail::widened_float16(words)};
  else
    return {detail::floats_of(words << 16), detail::floats_of(words & Words(static_cast<std::int32_t>(0xffff0000)))};
}

template <class T>
[[nodiscard]] Words narrow(FloatPair x) {
  using namespace detail;
  constexpr std::int32_t upper = static_cast<std::int32_t>(0xffff0000);
  if constexpr (std::is_same_v<T, Float16>) {
    const Words low = bits_of(x.low);
    const Words high = bits_of(x.high);
    const Words magnitudes = narrowed_to_float16(low) | (narrowed_to_float16(high) << 16);
    const Words signs =
        (shifted_right(low, 16) & Words(0x8000)) | (high & Words(static_cast<std::int32_t>(0x80000000)));
    return magnitudes | signs;
  } else {
    return shifted_right(rounded_to_bfloat16(x.low), 16) | (rounded_to_bfloat16(x.high) & Words(upper));
  }
}

}  // namespace posenc
