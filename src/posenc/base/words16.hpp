#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "posenc/base/dtype.hpp"
#include "posenc/base/simd.hpp"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace posenc {

// Kernels take 16-bit values as they lie in memory, two in a 32-bit word: the first in its lower half. Words become
// float32 vectors of the lower and of the upper values, and back, by shifts and masks alone: no lane changes its place.

using Words = xsimd::batch<std::int32_t>;
using Shorts = xsimd::batch<std::uint16_t>;
using Floats = xsimd::batch<float>;

inline constexpr std::size_t word_values = 2 * Words::size;  ///< 16-bit values in a vector of words

struct FloatPair {
  Floats low;
  Floats high;
};

[[nodiscard]] inline FloatPair operator*(FloatPair x, Floats by) { return {x.low * by, x.high * by}; }

[[nodiscard]] inline Words load_words(const std::uint16_t* values) {
  return xsimd::bitwise_cast<std::int32_t>(xsimd::batch<std::uint16_t>::load_unaligned(values));
}

inline void store_words(Words words, std::uint16_t* values) {
  xsimd::bitwise_cast<std::uint16_t>(words).store_unaligned(values);
}

// Memory has a word's two values interleaved, as it has a complex number's two parts.
using Complex = xsimd::batch<std::complex<float>>;

[[nodiscard]] inline FloatPair load_deinterleaved(const float* from) {
  const auto values = Complex::load_unaligned(reinterpret_cast<const std::complex<float>*>(from));
  return {values.real(), values.imag()};
}

inline void store_interleaved(FloatPair values, float* to) {
  Complex(values.low, values.high).store_unaligned(reinterpret_cast<std::complex<float>*>(to));
}

namespace detail {

/// These belong to float32.
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

/// The float16 nearest to each magnitude of at most 2^16, plus 126 * 2^10.
///
/// Added to 2^13 of its own power of two, or of the smallest normal's, a value loses the bits that a float16 lacks,
/// rounded by the addition; what it keeps is in the sum's lowest bits.
inline Words narrowed_magnitude(Words magnitude) {
  const Words power = xsimd::max(magnitude & Words(exponent_bits), Words(113 * one_exponent));
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
  return (narrowed_magnitude(bounded) - Words(126 << 10)) | nan;
}

/// The even 16-bit lanes of one vector and the odd ones of another: of every word the lower half and the upper.
inline Words joined(Words lower, Words upper) {
#if defined(__wasm_simd128__)
  return Words(wasm_i16x8_shuffle(lower.data, upper.data, 0, 9, 2, 11, 4, 13, 6, 15));
#else
  return (lower & Words(0xffff)) | (upper & Words(upper_half));
#endif
}

/// The upper halves of two vectors in one of words, and the lower halves.
inline Words joined_upper(Words low, Words high) { return joined(shifted_right(low, 16), high); }
inline Words joined_lower(Words low, Words high) { return joined(low, high << 16); }

inline Shorts shorts_of(Words words) { return xsimd::bitwise_cast<std::uint16_t>(words); }
inline Words words_of(Shorts shorts) { return xsimd::bitwise_cast<std::int32_t>(shorts); }

inline bool any_above(Shorts values, std::uint16_t limit) {
  const Shorts excess = xsimd::ssub(values, Shorts(limit));
#if defined(__wasm_simd128__)
  return wasm_v128_any_true(excess.data);
#else
  return xsimd::any(excess != Shorts(std::uint16_t{0}));
#endif
}

inline bool any_nan(FloatPair x) { return xsimd::any(xsimd::isnan(x.low) | xsimd::isnan(x.high)); }

inline Words bfloat16_of(Floats x) {
  const Words bits = bits_of(x);
  const Words rounded = (bits + Words(0x7fff)) + (shifted_right(bits, 16) & Words(1));
  const auto nan = xsimd::batch_bool_cast<std::int32_t>(xsimd::isnan(x));
  return xsimd::select(nan, bits | Words(0x400000), rounded);
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
    return joined_upper(bfloat16_of(x.low), bfloat16_of(x.high));
  }
}

// The same, faster, for most values. Of float16 they give and take float32 values that are small_scale too small, or as
// they are: an exact power of two, which may be multiplied with anything between.

template <class T>
inline constexpr float small_scale = std::is_same_v<T, Float16> ? 0x1p112f : 1.0f;

/// Infinities and NaN of float16 become finite: 2^16 and more, as their bits follow those of the finite ones.
template <class T>
[[nodiscard]] FloatPair widen_small(Words words) {
  using namespace detail;
  if constexpr (std::is_same_v<T, Float16>)
    return {floats_of(placed_float16(words << 16)), floats_of(placed_float16(words))};
  else
    return widen<T>(words);
}

/// Remembers what narrow_small was given, to tell afterwards whether it was right.
template <class T>
class Seen;

template <>
class Seen<Float16> {
 public:
  void exponents(Shorts of_values) { largest_ = xsimd::max(largest_, of_values); }
  /// Whether any was 2^15 or more in magnitude, or NaN.
  [[nodiscard]] bool any_large() const { return detail::any_above(largest_, (127 + 14) << 7); }

 private:
  Shorts largest_{std::uint16_t{0}};
};

template <>
class Seen<BFloat16> {
 public:
  [[nodiscard]] static constexpr bool any_large() { return false; }
};

/// Float16: for values below 2^16 in magnitude. BFloat16: not for a NaN whose lower bits are not 0, which arithmetic
/// does not make of widened values.
template <class T>
[[nodiscard, gnu::always_inline]] inline Words narrow_small(FloatPair x, Seen<T>& seen) {
  using namespace detail;
  if constexpr (std::is_same_v<T, Float16>) {
    // As narrowed_magnitude, and what can be is done on the upper halves of both vectors at once. The 1.5 times a power
    // of two that is added holds either sign without a carry.
    constexpr std::uint16_t least = 113 << 7;
    const Shorts upper = shorts_of(joined_upper(bits_of(x.low), bits_of(x.high)));
    const Shorts exponents = upper & Shorts(std::uint16_t{0x7f80});
    seen.exponents(exponents);
    const Shorts above_least = xsimd::ssub(exponents, Shorts(least));
    const Words shifters = words_of(above_least + Shorts(std::uint16_t{least + (13 << 7) + 0x40}));
    const Floats low = x.low + floats_of(shifters << 16);
    const Floats high = x.high + floats_of(shifters & Words(upper_half));
    const auto kept = xsimd::bitwise_cast<std::int16_t>(joined_lower(bits_of(low), bits_of(high)));
    const Shorts magnitudes = xsimd::bitwise_cast<std::uint16_t>(xsimd::abs(kept)) + (above_least << 3);
    return words_of(magnitudes | (upper & Shorts(std::uint16_t{0x8000})));
  } else {
    // Half of the last bit added rounds; what was a tie has lower bits of 0 now, and loses an odd last bit.
    const Words low = bits_of(x.low) + Words(0x8000);
    const Words high = bits_of(x.high) + Words(0x8000);
    const Shorts even_if_tie = xsimd::sadd(shorts_of(joined_lower(low, high)), Shorts(std::uint16_t{0xfffe}));
    return joined_upper(low, high) & words_of(even_if_tie);
  }
}

}  // namespace posenc
