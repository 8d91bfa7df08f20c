#include "posenc/key_cache/kernels/q8_0.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "posenc/base/round16.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/key_cache/key_type.hpp"

namespace posenc {
namespace {

using Batch = xsimd::batch<float>;

constexpr std::size_t dims = dims_of_block(KeyType::q8_0), bytes = bytes_of(KeyType::q8_0, dims);
static_assert(dims % Batch::size == 0);

float widened(std::uint16_t bits) {
  const auto magnitude = static_cast<std::uint32_t>(bits & 0x7fff);
  const float value = magnitude < 0x7c00    ? std::bit_cast<float>(magnitude << 13) * 0x1p112f
                      : magnitude == 0x7c00 ? std::numeric_limits<float>::infinity()
                                            : std::numeric_limits<float>::quiet_NaN();
  return (bits & 0x8000) != 0 ? -value : value;
}

/// The largest magnitude; a NaN counts as none.
float largest(const float* values) {
  Batch most(0.0f);
  for (std::size_t i = 0; i < dims; i += Batch::size) {
    const Batch magnitude = xsimd::abs(Batch::load_unaligned(values + i));
    most = xsimd::select(magnitude > most, magnitude, most);
  }
  float all[Batch::size];
  most.store_unaligned(all);
  return *std::max_element(all, all + Batch::size);
}

void write_block(const float* in, std::byte* block) {
  const float d = largest(in) / 127;
  const float inverse = d != 0 ? 1 / d : 0;
  const std::uint16_t scale = nearest(format_of(DType::float16), d);
  std::memcpy(block, &scale, sizeof scale);
  // The remainder of a truncation is exact: adding 0.5 first would round.
  std::int8_t q[dims];
  for (std::size_t i = 0; i < dims; i += Batch::size) {
    const Batch x = Batch::load_unaligned(in + i) * Batch(inverse);
    const Batch magnitude = xsimd::abs(x);
    const Batch whole = xsimd::trunc(xsimd::select(magnitude <= Batch(127.5f), magnitude, Batch(0.0f)));
    const Batch rounded = xsimd::select(magnitude - whole >= Batch(0.5f), whole + Batch(1.0f), whole);
    float values[Batch::size];
    xsimd::select(magnitude <= Batch(127.5f), xsimd::copysign(rounded, x), Batch(0.0f)).store_unaligned(values);
    for (std::size_t j = 0; j < Batch::size; ++j) q[i + j] = static_cast<std::int8_t>(values[j]);
  }
  std::memcpy(block + sizeof scale, q, dims);
}

}  // namespace

void read_q8_0(const std::byte* blocks, std::size_t values, float* out) {
  for (std::size_t i = 0; i < values; i += dims, blocks += bytes) {
    std::uint16_t scale = 0;
    std::int8_t q[dims];
    std::memcpy(&scale, blocks, sizeof scale);
    std::memcpy(q, blocks + sizeof scale, dims);
    const float d = widened(scale);
    for (std::size_t j = 0; j < dims; ++j) out[i + j] = d * static_cast<float>(q[j]);
  }
}

void write_q8_0(const float* in, std::size_t values, std::byte* blocks) {
  for (std::size_t i = 0; i < values; i += dims, blocks += bytes) write_block(in + i, blocks);
}

}  // namespace posenc
