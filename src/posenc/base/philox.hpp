#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace posenc {

/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011, "Parallel Random Numbers: As Easy as 1, 2, 3"): 128 random bits
/// that depend on nothing but the counter and the key, so that any part of a random table can be made on its own.
[[nodiscard]] inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                                         std::array<std::uint32_t, 2> key) {
  // Written out, rounds of several counters take more registers than there are.
#pragma GCC unroll 1
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t even = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t odd = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(odd >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(odd),
               static_cast<std::uint32_t>(even >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(even)};
    key[0] += 0x9E3779B9;  // the golden ratio's fraction
    key[1] += 0xBB67AE85;  // that of the square root of 3
  }
  return counter;
}

/// The words of four counters, one after the other: `first`, and those whose first word is 1, 2 and 3 more, which must
/// not overflow. Side by side they take a third of the time.
inline void write_philox(const std::array<std::uint32_t, 4>& first, std::array<std::uint32_t, 2> key,
                         std::uint32_t (&words)[16]) {
#if defined(__wasm_simd128__)
  v128_t a = wasm_i32x4_add(wasm_u32x4_splat(first[0]), wasm_u32x4_const(0, 1, 2, 3)), b = wasm_u32x4_splat(first[1]);
  v128_t c = wasm_u32x4_splat(first[2]), d = wasm_u32x4_splat(first[3]);
  // Factors that the compiler knew, or could widen before the loop, would make it multiply by i64x2.mul, ten of the
  // engine's instructions.
  static constexpr std::uint32_t factors[]{0xD2511F53, 0xD2511F53, 0xD2511F53, 0xD2511F53,
                                           0xCD9E8D57, 0xCD9E8D57, 0xCD9E8D57, 0xCD9E8D57};
  const std::uint32_t* unknown = factors;
  for (int round = 0; round < 10; ++round) {
    asm("" : "+r"(unknown));
    const v128_t m = wasm_v128_load(unknown), n = wasm_v128_load(unknown + 4);
    const v128_t even[]{wasm_u64x2_extmul_low_u32x4(a, m), wasm_u64x2_extmul_high_u32x4(a, m)};
    const v128_t odd[]{wasm_u64x2_extmul_low_u32x4(c, n), wasm_u64x2_extmul_high_u32x4(c, n)};
    a = wasm_v128_xor(wasm_v128_xor(wasm_i32x4_shuffle(odd[0], odd[1], 1, 3, 5, 7), b), wasm_u32x4_splat(key[0]));
    b = wasm_i32x4_shuffle(odd[0], odd[1], 0, 2, 4, 6);
    c = wasm_v128_xor(wasm_v128_xor(wasm_i32x4_shuffle(even[0], even[1], 1, 3, 5, 7), d), wasm_u32x4_splat(key[1]));
    d = wasm_i32x4_shuffle(even[0], even[1], 0, 2, 4, 6);
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  const v128_t ab[]{wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7)};
  const v128_t cd[]{wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), wasm_i32x4_shuffle(c, d, 2, 6, 3, 7)};
  for (std::size_t k = 0; k < 2; ++k) {
    wasm_v128_store(words + 8 * k, wasm_i64x2_shuffle(ab[k], cd[k], 0, 2));
    wasm_v128_store(words + 8 * k + 4, wasm_i64x2_shuffle(ab[k], cd[k], 1, 3));
  }
#else
  std::uint32_t* to = words;
  for (std::uint32_t k = 0; k < 4; ++k, to += 4) {
    const auto of_one = philox({first[0] + k, first[1], first[2], first[3]}, key);
    std::ranges::copy(of_one, to);
  }
#endif
}

}  // namespace posenc
