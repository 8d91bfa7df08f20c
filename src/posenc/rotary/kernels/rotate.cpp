#include "posenc/rotary/kernels/rotate.hpp"

#include "posenc/base/simd.hpp"
#include "posenc/base/words16.hpp"

namespace posenc {
namespace {

using Batch = xsimd::batch<float>;

/// Calls use(i) for every whole vector, and gives back how many values these hold; `together` in one pass of the loop.
template <std::size_t together, class Use>
[[gnu::always_inline]] inline std::size_t each_vector(std::size_t count, const Use& use) {
  std::size_t i = 0;
  if constexpr (together > 1)
    for (; i + together * Batch::size <= count; i += together * Batch::size)
      unrolled<together>([&](std::size_t k) { use(i + k * Batch::size); });
  for (; i + Batch::size <= count; i += Batch::size) use(i);
  return i;
}

/// The same pairs of a group of heads, from the first head's lanes on.
struct Group {
  float* lanes;
  std::size_t stride;
};

/// One vector of pairs of every head, from pair i on.
template <std::size_t heads>
[[gnu::always_inline]] inline void rotate_vector(HalfPairs order, Group x, AngleRow<float> angles, std::size_t i) {
  const Batch c = Batch::load_unaligned(angles.cosines + i), s = Batch::load_unaligned(angles.sines + i);
  unrolled<heads>([&](std::size_t head) {
    float* const first = x.lanes + head * x.stride + i;
    float* const second = first + order.pairs;
    const Batch a = Batch::load_unaligned(first), b = Batch::load_unaligned(second);
    (a * c - b * s).store_unaligned(first);
    (a * s + b * c).store_unaligned(second);
  });
}

#if XSIMD_WITH_EMULATED
/// The same; where vectors are arrays, lanes that change places cost more than the arithmetic.
template <std::size_t heads>
[[gnu::always_inline]] inline void rotate_vector(InterleavedPairs, Group x, AngleRow<float> angles, std::size_t i) {
  unrolled<Batch::size>([&](std::size_t k) {
    unrolled<heads>([&](std::size_t head) {
      float* const pair = x.lanes + head * x.stride + 2 * (i + k);
      const float a = pair[0], b = pair[1];
      pair[0] = a * angles.cosines[i + k] - b * angles.sines[i + k];
      pair[1] = a * angles.sines[i + k] + b * angles.cosines[i + k];
    });
  });
}
#else
struct Swapped {
  static constexpr unsigned get(unsigned lane, unsigned) { return lane ^ 1; }
};

/// The other lane of every interleaved pair.
Batch swapped(Batch x) {
  return xsimd::swizzle(x, xsimd::make_batch_constant<std::uint32_t, Batch::arch_type, Swapped>());
}

/// The same: x (c, c) + (b, a) (-s, s) for each pair x = (a, b).
template <std::size_t heads>
[[gnu::always_inline]] inline void rotate_vector(InterleavedPairs, Group x, AngleRow<float> angles, std::size_t i) {
  const Batch c = Batch::load_unaligned(angles.cosines + i), s = Batch::load_unaligned(angles.sines + i);
  const Batch minus_s = Batch(-1) * s;
  const Batch cosines[]{xsimd::zip_lo(c, c), xsimd::zip_hi(c, c)};
  const Batch sines[]{xsimd::zip_lo(minus_s, s), xsimd::zip_hi(minus_s, s)};
  unrolled<heads>([&](std::size_t head) {
    unrolled<2>([&](std::size_t k) {
      float* const at = x.lanes + head * x.stride + 2 * i + k * Batch::size;
      const Batch both = Batch::load_unaligned(at);
      (both * cosines[k] + swapped(both) * sines[k]).store_unaligned(at);
    });
  });
}
#endif

/// Pairs from index i on, one by one: what is too few for a vector. There is one of it for all kernels.
[[gnu::noinline]] void rotate_rest(float* lanes, std::size_t stride, std::size_t gap, AngleRow<float> angles,
                                   std::size_t i, std::size_t pairs) {
  for (; i < pairs; ++i) {
    const float a = lanes[i * stride];
    const float b = lanes[i * stride + gap];
    lanes[i * stride] = a * angles.cosines[i] - b * angles.sines[i];
    lanes[i * stride + gap] = a * angles.sines[i] + b * angles.cosines[i];
  }
}

/// Some heads at once, `together` vectors of each in one pass of the loop.
template <std::size_t heads, std::size_t together, class Order>
[[gnu::always_inline]] inline void rotate_group(Order order, Group x, AngleRow<float> angles) {
  const std::size_t i =
      each_vector<together>(order.pairs, [&](std::size_t at) { rotate_vector<heads>(order, x, angles, at); });
  if (i < order.pairs)
    unrolled<heads>([&](std::size_t head) {
      rotate_rest(x.lanes + head * x.stride, Order::stride, order.gap(), angles, i, order.pairs);
    });
}

template <class Order, std::size_t together>
void rotate_run(Order order, HeadRun heads, AngleRow<float> angles, std::size_t angle_stride, bool grouped) {
  constexpr std::size_t group = 4;
  std::size_t head = 0;
  if (grouped && angle_stride == 0)
    for (; head + group <= heads.count; head += group)
      rotate_group<group, 1>(order, Group{heads.first + head * heads.stride, heads.stride}, angles);
  for (; head < heads.count; ++head)
    rotate_group<1, together>(order, Group{heads.first + head * heads.stride, 0},
                              {angles.sines + head * angle_stride, angles.cosines + head * angle_stride});
}

/// A pair, or a vector of them, rotated.
template <class T>
struct Rotated {
  T a, b;

  [[gnu::always_inline]] Rotated(T x, T y, T c, T s) : a(x * c - y * s), b(x * s + y * c) {}
};

/// Few values, for which a call would take longer.
[[gnu::always_inline]] inline void copy_values(const float* from, std::size_t count, float* to) {
  std::size_t i =
      each_vector<4>(count, [&](std::size_t at) { Batch::load_unaligned(from + at).store_unaligned(to + at); });
  for (; i < count; ++i) to[i] = from[i];
}

/// How many pairs that change places are rotated in vectors: none where these are arrays.
std::size_t in_vectors([[maybe_unused]] std::size_t pairs) {
#if XSIMD_WITH_EMULATED
  return 0;
#else
  return pairs / Batch::size * Batch::size;
#endif
}

/// One head of Layout::deinterleaved: pairs are read interleaved and written as halves. The first half is written
/// behind what has been read; `second` holds the other until all is.
void deinterleave(float* lanes, std::size_t pairs, AngleRow<float> angles, float* second) {
  const std::size_t whole = each_vector<4>(in_vectors(pairs), [&](std::size_t i) {
    const auto [a, b] = load_deinterleaved(lanes + 2 * i);
    const Rotated to(a, b, Batch::load_unaligned(angles.cosines + i), Batch::load_unaligned(angles.sines + i));
    to.a.store_unaligned(lanes + i);
    to.b.store_unaligned(second + i);
  });
  for (std::size_t i = whole; i < pairs; ++i) {
    const Rotated to(lanes[2 * i], lanes[2 * i + 1], angles.cosines[i], angles.sines[i]);
    lanes[i] = to.a;
    second[i] = to.b;
  }
  copy_values(second, pairs, lanes + pairs);
}

/// Back, from the last pair to the first.
void interleave(float* lanes, std::size_t pairs, AngleRow<float> angles, float* second) {
  copy_values(lanes + pairs, pairs, second);
  const std::size_t whole = in_vectors(pairs);
  for (std::size_t i = pairs; i-- > whole;) {
    const Rotated to(lanes[i], second[i], angles.cosines[i], angles.sines[i]);
    lanes[2 * i] = to.a;
    lanes[2 * i + 1] = to.b;
  }
  each_vector<4>(whole, [&](std::size_t done) {
    const std::size_t i = whole - Batch::size - done;
    const Rotated to(Batch::load_unaligned(lanes + i), Batch::load_unaligned(second + i),
                     Batch::load_unaligned(angles.cosines + i), Batch::load_unaligned(angles.sines + i));
    store_rounded_interleaved(to.a, to.b, lanes + 2 * i);
  });
}

/// Values in a row of one pair, each by an angle of its own or all by one.
template <bool own>
void rotate_values(const float* a, const float* b, float* to_a, float* to_b, std::size_t count, const float* cosines,
                   const float* sines) {
  const auto load = [](const float* from, std::size_t at) {
    return own ? Batch::load_unaligned(from + at) : Batch(*from);
  };
  std::size_t k = each_vector<2>(count, [&](std::size_t at) {
    const Rotated to(Batch::load_unaligned(a + at), Batch::load_unaligned(b + at), load(cosines, at), load(sines, at));
    to.a.store_unaligned(to_a + at);
    to.b.store_unaligned(to_b + at);
  });
  for (; k < count; ++k) {
    const Rotated to(a[k], b[k], cosines[own ? k : 0], sines[own ? k : 0]);
    to_a[k] = to.a;
    to_b[k] = to.b;
  }
}

}  // namespace

void rotate_heads(const HeadRotation& rotation, HeadRun heads, AngleRow<float> angles, std::size_t angle_stride) {
  if (rotation.layout == Layout::half)
    return rotate_run<HalfPairs, 4>({rotation.pairs}, heads, angles, angle_stride, rotation.grouped);
  if (rotation.layout == Layout::interleaved)
    return rotate_run<InterleavedPairs, 2>({rotation.pairs}, heads, angles, angle_stride, rotation.grouped);
  for (std::size_t head = 0; head < heads.count; ++head) {
    float* const lanes = heads.first + head * heads.stride;
    const AngleRow<float> row{angles.sines + head * angle_stride, angles.cosines + head * angle_stride};
    if (rotation.direction == Direction::forward)
      deinterleave(lanes, rotation.pairs, row, rotation.copy);
    else
      interleave(lanes, rotation.pairs, row, rotation.copy);
  }
}

void rotate_lanes(const float* in, LanePlaces from, float* out, LanePlaces to, LaneBlock block, AngleRow<float> angles,
                  std::size_t angle_stride) {
  for (std::size_t i = 0; i < block.pairs; ++i, in += from.stride, out += to.stride) {
    const float* const cosines = angles.cosines + i * angle_stride;
    const float* const sines = angles.sines + i * angle_stride;
    if (block.in_columns)
      rotate_values<true>(in, in + from.gap, out, out + to.gap, block.count, cosines, sines);
    else
      for (std::size_t t = 0; t < block.tokens; ++t)
        rotate_values<false>(in + t * from.token, in + t * from.token + from.gap, out + t * to.token,
                             out + t * to.token + to.gap, block.count, cosines + t, sines + t);
  }
}

}  // namespace posenc
