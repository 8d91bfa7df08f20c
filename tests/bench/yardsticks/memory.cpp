// What reading memory once costs WebAssembly at least, and copying the rows of a bias. The yardsticks are a module of
// their own; nothing here is shipped.

#include <wasm_simd128.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace {

/// `count` is a multiple of 32.
void copy_vectors(float* to, const float* from, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 32)
    for (std::size_t k = 0; k < 32; k += 4) wasm_v128_store(to + i + k, wasm_v128_load(from + i + k));
}

}  // namespace

extern "C" {

[[clang::export_name("allocate")]] float* allocate(std::size_t count) {
  return static_cast<float*>(std::aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64));
}

[[clang::export_name("fill")]] void fill(float* to, std::size_t count) { std::memset(to, 1, count * sizeof(float)); }

// `count` is a multiple of 64.
[[clang::export_name("read")]] std::size_t read(const float* from, std::size_t count) {
  v128_t seen[8];
  for (v128_t& part : seen) part = wasm_i32x4_splat(0);
  for (std::size_t i = 0; i < count; i += 64)
#pragma clang loop unroll(full)
    for (std::size_t k = 0; k < 16; ++k) seen[k % 8] = wasm_v128_xor(seen[k % 8], wasm_v128_load(from + i + 4 * k));
  v128_t all = seen[0];
  for (int i = 1; i < 8; ++i) all = wasm_v128_xor(all, seen[i]);
  return static_cast<std::size_t>(wasm_i64x2_extract_lane(all, 0));
}

// A bias [heads, n, n] from values [heads, 2 n - 1] of key - query; n is a multiple of 32.
[[clang::export_name("biasRows")]] void bias_rows(float* to, const float* from, std::size_t heads, std::size_t n) {
  for (std::size_t head = 0; head < heads; ++head, from += 2 * n - 1)
    for (std::size_t query = 0; query < n; ++query, to += n) copy_vectors(to, from + n - 1 - query, n);
}
}
