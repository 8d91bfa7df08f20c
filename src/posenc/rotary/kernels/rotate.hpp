#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "posenc/base/check.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/frequencies/angles.hpp"

namespace posenc {

/// An Error unless rotary_dim is even and in 2 ... dim.
[[nodiscard]] inline Expected<void> check_rotary_dim(std::int64_t rotary_dim, std::int64_t dim) {
  if (rotary_dim >= 2 && rotary_dim <= dim && rotary_dim % 2 == 0) return {};
  return wrong("rotaryDim", static_cast<double>(rotary_dim), {"an even number from 2 to dim (", decimal(dim), ")"});
}

/// Where the pairs of a head stand in Layout::half and Layout::interleaved: pair i is lanes first(i), second(i).
struct HalfPairs {
  std::size_t pairs;
  static constexpr std::size_t stride = 1;
  [[nodiscard]] std::size_t gap() const { return pairs; }
  [[nodiscard]] std::size_t first(std::size_t i) const { return i; }
  [[nodiscard]] std::size_t second(std::size_t i) const { return i + pairs; }
};
struct InterleavedPairs {
  std::size_t pairs;
  static constexpr std::size_t stride = 2;
  [[nodiscard]] std::size_t gap() const { return 1; }
  [[nodiscard]] std::size_t first(std::size_t i) const { return 2 * i; }
  [[nodiscard]] std::size_t second(std::size_t i) const { return 2 * i + 1; }
};

namespace rotate_detail {

using Batch = xsimd::batch<float>;

struct Swapped {
  static constexpr unsigned get(unsigned lane, unsigned) { return lane ^ 1; }
};

/// The other lane of every interleaved pair.
inline Batch swapped(Batch x) {
  return xsimd::swizzle(x, xsimd::make_batch_constant<std::uint32_t, Batch::arch_type, Swapped>());
}

/// One vector of pairs of every head, from pair i on.
template <std::size_t heads>
void rotate_vector(HalfPairs order, float* const (&x)[heads], AngleRow<float> angles, std::size_t i) {
  const Batch c = Batch::load_unaligned(angles.cosines + i), s = Batch::load_unaligned(angles.sines + i);
  unrolled<heads>([&](std::size_t head) {
    float* const first = x[head] + i;
    float* const second = x[head] + order.pairs + i;
    const Batch a = Batch::load_unaligned(first), b = Batch::load_unaligned(second);
    (a * c - b * s).store_unaligned(first);
    (a * s + b * c).store_unaligned(second);
  });
}

#if XSIMD_WITH_EMULATED
template <class Order>
void rotate_pair(Order order, float* head, AngleRow<float> angles, std::size_t i) {
  float& first = head[order.first(i)];
  float& second = head[order.second(i)];
  const float a = first;
  const float b = second;
  first = a * angles.cosines[i] - b * angles.sines[i];
  second = a * angles.sines[i] + b * angles.cosines[i];
}

/// The same; where vectors are arrays, lanes that change places cost more than the arithmetic.
template <std::size_t heads>
void rotate_vector(InterleavedPairs order, float* const (&x)[heads], AngleRow<float> angles, std::size_t i) {
  unrolled<Batch::size>(
      [&](std::size_t k) { unrolled<heads>([&](std::size_t head) { rotate_pair(order, x[head], angles, i + k); }); });
}
#else
/// The same: x (c, c) + (b, a) (-s, s) for each pair x = (a, b).
template <std::size_t heads>
void rotate_vector(InterleavedPairs, float* const (&x)[heads], AngleRow<float> angles, std::size_t i) {
  const Batch c = Batch::load_unaligned(angles.cosines + i), s = Batch::load_unaligned(angles.sines + i);
  const Batch minus_s = Batch(-1) * s;
  const Batch cosines[]{xsimd::zip_lo(c, c), xsimd::zip_hi(c, c)};
  const Batch sines[]{xsimd::zip_lo(minus_s, s), xsimd::zip_hi(minus_s, s)};
  unrolled<heads>([&](std::size_t head) {
    unrolled<2>([&](std::size_t k) {
      float* const at = x[head] + 2 * i + k * Batch::size;
      const Batch both = Batch::load_unaligned(at);
      (both * cosines[k] + swapped(both) * sines[k]).store_unaligned(at);
    });
  });
}
#endif

}  // namespace rotate_detail

/// The lanes of pair i, i * stride and `gap` behind it, for any order.
struct PairPlaces {
  std::size_t stride, gap;
};

/// Rotates pairs from index i on, one by one, from their places in `in` to those in `out`: the same memory and places,
/// or memory that does not overlap. Out of line: there is one of it for all kernels.
[[gnu::noinline]] inline void rotate_pairs(const float* in, PairPlaces from, float* out, PairPlaces to,
                                           AngleRow<float> angles, std::size_t i, std::size_t pairs) {
  for (; i < pairs; ++i) {
    const float a = in[i * from.stride];
    const float b = in[i * from.stride + from.gap];
    out[i * to.stride] = a * angles.cosines[i] - b * angles.sines[i];
    out[i * to.stride + to.gap] = a * angles.sines[i] + b * angles.cosines[i];
  }
}

/// How many vectors of each head are rotated in one pass of the loop: what was measured to be worth its code.
template <class Order, std::size_t heads>
inline constexpr std::size_t vectors_together = std::is_same_v<Order, HalfPairs> || heads == 1 ? 2 : 1;

/// Rotates every pair of some heads, all by the same angles, in place. Several at a time are read and written at once.
template <class Order, std::size_t heads>
void rotate_in_place(Order order, float* const (&rotated)[heads], AngleRow<float> angles) {
  using rotate_detail::Batch;
  constexpr std::size_t together = vectors_together<Order, heads>;
  float* x[heads];  // a copy, which no store can change
  unrolled<heads>([&](std::size_t head) { x[head] = rotated[head]; });
  std::size_t i = 0;
  for (; i + together * Batch::size <= order.pairs; i += together * Batch::size)
    unrolled<together>([&](std::size_t k) { rotate_detail::rotate_vector(order, x, angles, i + k * Batch::size); });
  for (; i + Batch::size <= order.pairs; i += Batch::size) rotate_detail::rotate_vector(order, x, angles, i);
  const PairPlaces places{Order::stride, order.gap()};
  if (i < order.pairs)
    unrolled<heads>([&](std::size_t head) { rotate_pairs(x[head], places, x[head], places, angles, i, order.pairs); });
}

/// Rotates every pair of one head: reads pairs where From says, writes them where To says, to other memory.
template <class From, class To>
void rotate_to(const float* in, float* out, AngleRow<float> angles, std::size_t pairs) {
  rotate_pairs(in, {From::stride, From{pairs}.gap()}, out, {To::stride, To{pairs}.gap()}, angles, 0, pairs);
}

}  // namespace posenc
