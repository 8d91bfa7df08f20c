// RoPE in place as plain nested loops over [seq, heads, dim], cosines and sines [seq, dim / 2] ready. Which shape is
// best depends on where the data lies: several heads a pass in the cache, one after another in memory beyond it.

#include <wasm_simd128.h>

#include <cstddef>

namespace {

// Dimensions i and i + dim / 2 of `heads_at_once` heads, `vectors` vectors of each: dim is a multiple of 8 * vectors.
template <std::size_t heads_at_once, std::size_t vectors>
void rotate_half(float* x, const float* cos, const float* sin, std::size_t seq, std::size_t heads, std::size_t dim) {
  const std::size_t pairs = dim / 2;
  for (std::size_t token = 0; token < seq; ++token, cos += pairs, sin += pairs)
    for (std::size_t head = 0; head < heads; head += heads_at_once, x += heads_at_once * dim)
      for (std::size_t i = 0; i < pairs; i += 4 * vectors) {
        v128_t c[vectors], s[vectors];
#pragma clang loop unroll(full)
        for (std::size_t k = 0; k < vectors; ++k) {
          c[k] = wasm_v128_load(cos + i + 4 * k);
          s[k] = wasm_v128_load(sin + i + 4 * k);
        }
#pragma clang loop unroll(full)
        for (std::size_t at = 0; at < heads_at_once; ++at)
#pragma clang loop unroll(full)
          for (std::size_t k = 0; k < vectors; ++k) {
            float* first = x + at * dim + i + 4 * k;
            const v128_t a = wasm_v128_load(first), b = wasm_v128_load(first + pairs);
            wasm_v128_store(first, wasm_f32x4_sub(wasm_f32x4_mul(a, c[k]), wasm_f32x4_mul(b, s[k])));
            wasm_v128_store(first + pairs, wasm_f32x4_add(wasm_f32x4_mul(a, s[k]), wasm_f32x4_mul(b, c[k])));
          }
      }
}

// Dimensions 2i and 2i + 1, by tables that have each pair twice: (cos, cos) and (-sin, sin), [seq, dim].
template <std::size_t heads_at_once, std::size_t vectors>
void rotate_interleaved(float* x, const float* cos, const float* sin, std::size_t seq, std::size_t heads,
                        std::size_t dim) {
  for (std::size_t token = 0; token < seq; ++token, cos += dim, sin += dim)
    for (std::size_t head = 0; head < heads; head += heads_at_once, x += heads_at_once * dim)
      for (std::size_t i = 0; i < dim; i += 4 * vectors) {
        v128_t c[vectors], s[vectors];
#pragma clang loop unroll(full)
        for (std::size_t k = 0; k < vectors; ++k) {
          c[k] = wasm_v128_load(cos + i + 4 * k);
          s[k] = wasm_v128_load(sin + i + 4 * k);
        }
#pragma clang loop unroll(full)
        for (std::size_t at = 0; at < heads_at_once; ++at)
#pragma clang loop unroll(full)
          for (std::size_t k = 0; k < vectors; ++k) {
            float* here = x + at * dim + i + 4 * k;
            const v128_t a = wasm_v128_load(here), other = wasm_i32x4_shuffle(a, a, 1, 0, 3, 2);
            wasm_v128_store(here, wasm_f32x4_add(wasm_f32x4_mul(a, c[k]), wasm_f32x4_mul(other, s[k])));
          }
      }
}

}  // namespace

extern "C" {

[[clang::export_name("halfHeads")]] void half_heads(float* x, const float* cos, const float* sin, std::size_t seq,
                                                    std::size_t heads, std::size_t dim) {
  rotate_half<4, 1>(x, cos, sin, seq, heads, dim);
}

[[clang::export_name("halfVectors")]] void half_vectors(float* x, const float* cos, const float* sin, std::size_t seq,
                                                        std::size_t heads, std::size_t dim) {
  rotate_half<1, 4>(x, cos, sin, seq, heads, dim);
}

[[clang::export_name("interleavedHeads")]] void interleaved_heads(float* x, const float* cos, const float* sin,
                                                                  std::size_t seq, std::size_t heads, std::size_t dim) {
  rotate_interleaved<4, 2>(x, cos, sin, seq, heads, dim);
}

[[clang::export_name("interleavedVectors")]] void interleaved_vectors(float* x, const float* cos, const float* sin,
                                                                      std::size_t seq, std::size_t heads,
                                                                      std::size_t dim) {
  rotate_interleaved<1, 8>(x, cos, sin, seq, heads, dim);
}
}
