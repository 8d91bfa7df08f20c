// The least that arithmetic can cost: multiplying and adding in registers.

#include <wasm_simd128.h>

#include <cstddef>

extern "C" {

// Thirteen chains: with fewer, units that multiply and add in six cycles wait, and with the two factors V8 has no
// register left. The result only keeps the work from being left out.
[[clang::export_name("multiplyAdd")]] float multiply_add(std::size_t operations) {
  constexpr int chains = 13, steps = 8;
  v128_t sums[chains];
  for (int i = 0; i < chains; ++i) sums[i] = wasm_f32x4_splat(static_cast<float>(i));
  const v128_t factor = wasm_f32x4_splat(0.5F), term = wasm_f32x4_splat(1);
  for (std::size_t done = 0; done < operations; done += std::size_t{chains * steps * 4 * 2})
#pragma clang loop unroll(full)
    for (int step = 0; step < steps; ++step)
#pragma clang loop unroll(full)
      for (v128_t& sum : sums) sum = wasm_f32x4_add(wasm_f32x4_mul(sum, factor), term);
  v128_t all = sums[0];
  for (int i = 1; i < chains; ++i) all = wasm_f32x4_add(all, sums[i]);
  return wasm_f32x4_extract_lane(all, 0);
}
}
