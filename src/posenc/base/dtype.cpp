#include "posenc/base/dtype.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/base/words16.hpp"

namespace posenc {
namespace {

template <class T>
void convert_block(const std::uint16_t* from, float* to) {
  const Words words = load_words(from);
  if constexpr (std::is_same_v<T, Float16>)
    if (!detail::any_above(detail::shorts_of(words & Words(0x7fff7fff)), 0x7bff)) [[likely]]
      return store_interleaved(widen_small<T>(words) * Floats(small_scale<T>), to);
  store_interleaved(widen<T>(words), to);
}

#if XSIMD_WITH_EMULATED
// Where vectors are arrays, words16.hpp's steps for one value: what they do for all at once would take longer.

template <class T>
std::uint16_t narrowed(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if constexpr (std::is_same_v<T, BFloat16>)
    return static_cast<std::uint16_t>((std::isnan(x) ? bits | 0x400000 : bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  const std::uint32_t magnitude = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
  const bool is_normal = magnitude - 0x38800000 < 0x47800000 - 0x38800000;
  if (is_normal)
    return static_cast<std::uint16_t>((magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13 | sign);
  if (std::isnan(x)) return static_cast<std::uint16_t>(sign | 0x7e00 | (bits >> 13 & 0x3ff));
  const std::uint32_t bounded = std::min(magnitude, std::uint32_t{0x47800000});
  const std::uint32_t power = std::max(bounded & 0x7f800000, std::uint32_t{113 << 23}), shifter = power + (13 << 23);
  const float sum = std::bit_cast<float>(shifter) + std::bit_cast<float>(bounded);
  const std::uint32_t kept = std::bit_cast<std::uint32_t>(sum) - shifter;
  return static_cast<std::uint16_t>((kept + (shifter >> 13) - (126 << 10)) | sign);
}

template <class T>
void convert_block(const float* from, std::uint16_t* to) {
  for (std::size_t i = 0; i < word_values; ++i) to[i] = narrowed<T>(from[i]);
}
#else
template <class T>
void convert_block(const float* from, std::uint16_t* to) {
  const FloatPair values = load_deinterleaved(from);
  Seen<T> seen;
  const Words words = narrow_small<T>(values, seen);
  const bool wrong = std::is_same_v<T, Float16> ? seen.any_large() : detail::any_nan(values);
  store_words(wrong ? narrow<T>(values) : words, to);
}
#endif

template <class From, class To>
[[gnu::noinline]] void convert_blocks(DType dtype, const From* from, To* to, std::size_t size) {
  if (dtype == DType::float16)
    for (std::size_t i = 0; i < size; i += word_values) convert_block<Float16>(from + i, to + i);
  else
    for (std::size_t i = 0; i < size; i += word_values) convert_block<BFloat16>(from + i, to + i);
}

/// A remainder too short for a block is copied through one.
template <class From, class To>
void convert_all(DType dtype, const From* from, To* to, std::size_t size) {
  const std::size_t whole = size / word_values * word_values;
  From last[word_values]{};
  To converted[word_values];
  std::copy(from + whole, from + size, last);
  convert_blocks(dtype, from, to, whole);
  if (whole == size) return;
  convert_blocks(dtype, last, converted, word_values);
  std::copy_n(converted, size - whole, to + whole);
}

}  // namespace

Expected<void> convert(ConstSpan16 from, std::span<float> to) {
  POSENC_TRY(check_size("to", to.size(), from.size()));
  convert_all(from.dtype(), from.bits().data(), to.data(), from.size());
  return {};
}

Expected<void> convert(std::span<const float> from, Span16 to) {
  POSENC_TRY(check_size("to", to.size(), from.size()));
  convert_all(to.dtype(), from.data(), to.bits().data(), to.size());
  return {};
}

}  // namespace posenc
