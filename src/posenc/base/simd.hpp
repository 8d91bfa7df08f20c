#pragma once

// Vectors as wide as the compiler may use. What sees them is built once more for every level of the processor, and must
// not meet what was built for another: a source that includes this, itself or by a header, is listed under one of the
// keywords with VECTORS in CMakeLists.txt.

#ifndef POSENC_VECTORS
#error "a source with vectors that is not under VECTORS in CMakeLists.txt"
#endif

#include <cstddef>
#include <limits>
#include <utility>
#include <xsimd/xsimd.hpp>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__SSE2__)
#include <immintrin.h>
#endif

namespace posenc {

/// Calls use(0), use(1), ..., use(count - 1), written out: in a kernel's loop that spares additions of addresses, and
/// an engine's check for interruption each.
template <std::size_t count, class Use>
[[gnu::always_inline]] inline void unrolled(const Use& use) {
  [&]<std::size_t... k>(std::index_sequence<k...>) { (use(k), ...); }(std::make_index_sequence<count>());
}

/// Calls until a call returns true; returns whether one did.
template <std::size_t count, class Use>
[[gnu::always_inline]] inline bool unrolled_until(const Use& use) {
  return
      [&]<std::size_t... k>(std::index_sequence<k...>) { return (use(k) || ...); }(std::make_index_sequence<count>());
}

/// NaN as the one quiet NaN without a sign; other values as they are.
template <class T>
xsimd::batch<T> canonical(const xsimd::batch<T>& x) {
  return xsimd::select(xsimd::isnan(x), xsimd::batch<T>(std::numeric_limits<T>::quiet_NaN()), x);
}

// Vectors of double rounded to float32 and written. xsimd has no conversion between lanes of different sizes, and no
// compiler makes the vector instruction out of a loop for WebAssembly.

/// Writes a and then b to 2 * batch<double>::size places.
inline void store_rounded(const xsimd::batch<double>& a, const xsimd::batch<double>& b, float* out) {
#if defined(__wasm_simd128__)
  const v128_t low = wasm_f32x4_demote_f64x2_zero(a.data), high = wasm_f32x4_demote_f64x2_zero(b.data);
  wasm_v128_store(out, wasm_i64x2_shuffle(low, high, 0, 2));
#elif defined(__AVX512F__)
  _mm256_storeu_ps(out, _mm512_cvtpd_ps(a.data));
  _mm256_storeu_ps(out + 8, _mm512_cvtpd_ps(b.data));
#elif defined(__AVX__)
  _mm_storeu_ps(out, _mm256_cvtpd_ps(a.data));
  _mm_storeu_ps(out + 4, _mm256_cvtpd_ps(b.data));
#elif defined(__SSE2__)
  _mm_storeu_ps(out, _mm_movelh_ps(_mm_cvtpd_ps(a.data), _mm_cvtpd_ps(b.data)));
#else
  constexpr std::size_t n = xsimd::batch<double>::size;
  double values[2 * n];
  a.store_unaligned(values);
  b.store_unaligned(values + n);
  unrolled<2 * n>([&](std::size_t i) { out[i] = static_cast<float>(values[i]); });
#endif
}

/// Writes a and b interleaved, the first lane of each, the second of each, ..., to 2 * batch<double>::size places.
inline void store_rounded_interleaved(const xsimd::batch<double>& a, const xsimd::batch<double>& b, float* out) {
#if defined(__wasm_simd128__)
  const v128_t first = wasm_f32x4_demote_f64x2_zero(a.data), second = wasm_f32x4_demote_f64x2_zero(b.data);
  wasm_v128_store(out, wasm_i32x4_shuffle(first, second, 0, 4, 1, 5));
#elif defined(__AVX512F__)
  // Within each 128 bits: 0 1, 4 5 and 2 3, 6 7 of the pairs.
  const __m256 first = _mm512_cvtpd_ps(a.data), second = _mm512_cvtpd_ps(b.data);
  const __m256 low = _mm256_unpacklo_ps(first, second), high = _mm256_unpackhi_ps(first, second);
  _mm256_storeu_ps(out, _mm256_permute2f128_ps(low, high, 0x20));
  _mm256_storeu_ps(out + 8, _mm256_permute2f128_ps(low, high, 0x31));
#elif defined(__AVX__)
  const __m128 first = _mm256_cvtpd_ps(a.data), second = _mm256_cvtpd_ps(b.data);
  _mm_storeu_ps(out, _mm_unpacklo_ps(first, second));
  _mm_storeu_ps(out + 4, _mm_unpackhi_ps(first, second));
#elif defined(__SSE2__)
  _mm_storeu_ps(out, _mm_unpacklo_ps(_mm_cvtpd_ps(a.data), _mm_cvtpd_ps(b.data)));
#else
  constexpr std::size_t n = xsimd::batch<double>::size;
  double values[2 * n];
  a.store_unaligned(values);
  b.store_unaligned(values + n);
  unrolled<n>([&](std::size_t i) {
    out[2 * i] = static_cast<float>(values[i]);
    out[2 * i + 1] = static_cast<float>(values[n + i]);
  });
#endif
}

inline void store_rounded(const xsimd::batch<double> (&values)[2], float* out) {
  store_rounded(values[0], values[1], out);
}

/// batch<double>::size floats, which doubles hold exactly.
inline xsimd::batch<double> load_widened(const float* from) {
#if defined(__wasm_simd128__)
  return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from));
#elif defined(__AVX512F__)
  return _mm512_cvtps_pd(_mm256_loadu_ps(from));
#elif defined(__AVX__)
  return _mm256_cvtps_pd(_mm_loadu_ps(from));
#elif defined(__SSE2__)
  return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
#else
  constexpr std::size_t n = xsimd::batch<double>::size;
  double values[n];
  unrolled<n>([&](std::size_t i) { values[i] = static_cast<double>(from[i]); });
  return xsimd::batch<double>::load_unaligned(values);
#endif
}

/// A vector of T from floats or from what it holds.
template <class T>
xsimd::batch<T> load_as(const T* from) {
  return xsimd::batch<T>::load_unaligned(from);
}
template <class T>
  requires(sizeof(T) == sizeof(double))
xsimd::batch<T> load_as(const float* from) {
  return load_widened(from);
}

/// Stores values that are rounded already.
inline void store_rounded(const xsimd::batch<float> (&values)[1], float* out) { values[0].store_unaligned(out); }
inline void store_rounded(const xsimd::batch<float> (&values)[2], float* out) {
  values[0].store_unaligned(out);
  values[1].store_unaligned(out + xsimd::batch<float>::size);
}

inline void store_rounded_interleaved(const xsimd::batch<float>& a, const xsimd::batch<float>& b, float* out) {
  xsimd::zip_lo(a, b).store_unaligned(out);
  xsimd::zip_hi(a, b).store_unaligned(out + xsimd::batch<float>::size);
}

}  // namespace posenc
