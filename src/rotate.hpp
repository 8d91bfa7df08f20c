#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <xsimd/xsimd.hpp>

#include "posenc/rotary.hpp"

namespace posenc {

/// Where the pairs of a head stand: pair i is lanes first(i), second(i).
struct Halves {
  std::size_t pairs;
  [[nodiscard]] std::size_t first(std::size_t i) const { return i; }
  [[nodiscard]] std::size_t second(std::size_t i) const { return i + pairs; }
};
struct Neighbours {
  std::size_t pairs;
  [[nodiscard]] std::size_t first(std::size_t i) const { return 2 * i; }
  [[nodiscard]] std::size_t second(std::size_t i) const { return 2 * i + 1; }
};

namespace rotate_detail {

using Batch = xsimd::batch<float>;

struct Swapped {
  static constexpr unsigned get(unsigned lane, unsigned) { return lane ^ 1; }
};

/// Whether lanes change places at less cost than the arithmetic: not where vectors are arrays.
#if XSIMD_WITH_EMULATED
inline constexpr bool moves_lanes = false;
#else
inline constexpr bool moves_lanes = true;
#endif

/// The other lane of every pair of neighbours.
inline Batch swapped(Batch x) {
  return xsimd::swizzle(x, xsimd::make_batch_constant<std::uint32_t, Batch::arch_type, Swapped>());
}

/// Whole vectors of halves; returns the pairs that are done.
inline std::size_t rotate_halves(const float* in, float* out, const float* cosines, const float* sines,
                                 std::size_t pairs) {
  std::size_t i = 0;
  for (; i + Batch::size <= pairs; i += Batch::size) {
    const Batch a = Batch::load_unaligned(in + i), b = Batch::load_unaligned(in + pairs + i);
    const Batch c = Batch::load_unaligned(cosines + i), s = Batch::load_unaligned(sines + i);
    (a * c - b * s).store_unaligned(out + i);
    (a * s + b * c).store_unaligned(out + pairs + i);
  }
  return i;
}

/// The same for neighbours: x (c, c) + (b, a) (-s, s) for each pair x = (a, b).
inline std::size_t rotate_neighbours(const float* in, float* out, const float* cosines, const float* sines,
                                     std::size_t pairs) {
  std::size_t i = 0;
  for (; i + Batch::size <= pairs; i += Batch::size) {
    const Batch c = Batch::load_unaligned(cosines + i), s = Batch::load_unaligned(sines + i), minus_s = Batch(-1) * s;
    const Batch first = Batch::load_unaligned(in + 2 * i), second = Batch::load_unaligned(in + 2 * i + Batch::size);
    const Batch low = first * xsimd::zip_lo(c, c) + swapped(first) * xsimd::zip_lo(minus_s, s);
    const Batch high = second * xsimd::zip_hi(c, c) + swapped(second) * xsimd::zip_hi(minus_s, s);
    low.store_unaligned(out + 2 * i);
    high.store_unaligned(out + 2 * i + Batch::size);
  }
  return i;
}

}  // namespace rotate_detail

/// Rotates every pair of one head: reads pairs where From says, writes them where To says. `in` and `out` are the same
/// memory or do not overlap; when From and To differ they must not overlap.
template <class From, class To>
void rotate_head(const float* in, float* out, const float* cosines, const float* sines, std::size_t pairs) {
  const From from{pairs};
  const To to{pairs};
  std::size_t i = 0;
  if constexpr (std::is_same_v<From, Halves> && std::is_same_v<To, Halves>)
    i = rotate_detail::rotate_halves(in, out, cosines, sines, pairs);
  else if constexpr (std::is_same_v<From, Neighbours> && std::is_same_v<To, Neighbours> && rotate_detail::moves_lanes)
    i = rotate_detail::rotate_neighbours(in, out, cosines, sines, pairs);
  for (; i < pairs; ++i) {
    const float a = in[from.first(i)];
    const float b = in[from.second(i)];
    out[to.first(i)] = a * cosines[i] - b * sines[i];
    out[to.second(i)] = a * sines[i] + b * cosines[i];
  }
}

}  // namespace posenc
