#include "posenc/rotary/kernels/rotate.hpp"

#include <algorithm>

#include "posenc/base/simd.hpp"
#include "posenc/base/words16.hpp"

namespace posenc {
namespace {

using Batch = xsimd::batch<float>;

// Loops are over index i and, written out, over k vectors behind it: addresses then differ by constants, which cost
// nothing. Each kernel is a function of its own: in a larger one an engine has too few registers for its addresses. It
// is called by its address, or the optimiser of WebAssembly would put it where its one call is.

/// Calls use(i, k), k counting values too, for every whole vector; gives back how many values these hold. `together`
/// are in one pass of the loop.
template <std::size_t together, class Use>
[[gnu::always_inline]] inline std::size_t each_vector(std::size_t count, const Use& use) {
  std::size_t i = 0;
  if constexpr (together > 1)
    for (; i + together * Batch::size <= count; i += together * Batch::size)
      unrolled<together>([&](std::size_t k) { use(i, k * Batch::size); });
  for (; i + Batch::size <= count; i += Batch::size) use(i, 0);
  return i;
}

/// A pair, or a vector of them, rotated.
template <class T>
struct Rotated {
  T a, b;

  [[gnu::always_inline]] Rotated(T x, T y, T c, T s) : a(x * c - y * s), b(x * s + y * c) {}
};

/// The cosines and sines of a vector of pairs.
struct Rotation {
  Batch c, s;

  [[gnu::always_inline]] Rotation(AngleRow<float> angles, std::size_t i, std::size_t k)
      : c(Batch::load_unaligned(angles.cosines + i + k)), s(Batch::load_unaligned(angles.sines + i + k)) {}
  [[nodiscard, gnu::always_inline]] Rotated<Batch> operator()(Batch a, Batch b) const { return {a, b, c, s}; }
};

/// One vector of pairs of heads that are `stride` apart.
template <std::size_t heads>
[[gnu::always_inline]] inline void rotate_vector(HalfPairs order, float* dims, std::size_t stride,
                                                 AngleRow<float> angles, std::size_t i, std::size_t k) {
  const Rotation rotation(angles, i, k);
  float* first = dims + i;
  unrolled<heads>([&](std::size_t) {
    float* const second = first + order.pairs;
    const Rotated to = rotation(Batch::load_unaligned(first + k), Batch::load_unaligned(second + k));
    to.a.store_unaligned(first + k);
    to.b.store_unaligned(second + k);
    if constexpr (heads > 1) asm("" : "+r"(first));
    first += stride;
  });
}

#if XSIMD_WITH_EMULATED
/// Where vectors are arrays, dimensions that change places cost more than the arithmetic.
template <std::size_t heads>
[[gnu::always_inline]] inline void rotate_vector(InterleavedPairs, float* dims, std::size_t stride,
                                                 AngleRow<float> angles, std::size_t i, std::size_t k) {
  unrolled<Batch::size>([&](std::size_t j) {
    const float c = (angles.cosines + i)[k + j], s = (angles.sines + i)[k + j];
    unrolled<heads>([&](std::size_t head) {
      const std::size_t at = head * stride + 2 * i + 2 * (k + j);
      const Rotated to(dims[at], dims[at + 1], c, s);
      dims[at] = to.a;
      dims[at + 1] = to.b;
    });
  });
}
#else
struct Swapped {
  static constexpr unsigned get(unsigned dimension, unsigned) { return dimension ^ 1; }
};

/// The other dimension of every interleaved pair.
Batch swapped(Batch x) {
  return xsimd::swizzle(x, xsimd::make_batch_constant<std::uint32_t, Batch::arch_type, Swapped>());
}

/// x (c, c) + (b, a) (-s, s) for each pair x = (a, b).
template <std::size_t heads>
[[gnu::always_inline]] inline void rotate_vector(InterleavedPairs, float* dims, std::size_t stride,
                                                 AngleRow<float> angles, std::size_t i, std::size_t k) {
  const auto [c, s] = Rotation(angles, i, k);
  const Batch minus_s = Batch(-1) * s;
  const Batch cosines[]{xsimd::zip_lo(c, c), xsimd::zip_hi(c, c)};
  const Batch sines[]{xsimd::zip_lo(minus_s, s), xsimd::zip_hi(minus_s, s)};
  unrolled<heads>([&](std::size_t head) {
    float* const from = dims + head * stride + 2 * i;
    unrolled<2>([&](std::size_t j) {
      const Batch both = Batch::load_unaligned(from + 2 * k + j * Batch::size);
      (both * cosines[j] + swapped(both) * sines[j]).store_unaligned(from + 2 * k + j * Batch::size);
    });
  });
}
#endif

/// Pairs from index i on, one by one: what is too few for a vector. There is one of it for all kernels.
[[gnu::noinline]] void rotate_rest(const float* dims, float* out, std::size_t stride, std::size_t gap,
                                   AngleRow<float> angles, std::size_t i, std::size_t pairs) {
  for (; i < pairs; ++i) {
    const Rotated to(dims[i * stride], dims[i * stride + gap], angles.cosines[i], angles.sines[i]);
    out[i * stride] = to.a;
    out[i * stride + gap] = to.b;
  }
}

/// Describes what a kernel rotates.
struct Heads {
  HeadRun run;
  HeadRepeats repeats;
  std::size_t pairs;
  AngleRow<float> angles;
  std::size_t angle_stride;
  float* copy;
};

/// Calls use(dimensions of a head, angles) for every `together`-th head of all.
template <std::size_t together, class Use>
[[gnu::always_inline]] inline void each_head(const Heads& heads, const Use& use) {
  const HeadRun run = heads.run;
  const HeadRepeats repeats = heads.repeats;
  for (std::size_t time = 0; time < repeats.count; ++time) {
    float* dims = run.first + time * repeats.stride;
    AngleRow<float> angles{heads.angles.sines + time * repeats.angles, heads.angles.cosines + time * repeats.angles};
    for (std::size_t head = 0; head < run.count; head += together, dims += together * run.stride) {
      use(dims, angles);
      angles.cosines += heads.angle_stride;
      angles.sines += heads.angle_stride;
    }
  }
}

/// Heads that a kernel rotates, `together` at once; their number is a multiple of that. Several have the same angles.
template <std::size_t together, std::size_t vectors, class Order>
void rotate_in_place(const Heads& heads) {
  const std::size_t pairs = heads.pairs, stride = heads.run.stride;
  const Order order{pairs};
  each_head<together>(heads, [=](float* dims, const AngleRow<float>& angles) {
    const std::size_t i = each_vector<vectors>(
        pairs, [&](std::size_t at, std::size_t k) { rotate_vector<together>(order, dims, stride, angles, at, k); });
    if (i < pairs)
      for (std::size_t head = 0; head < together; ++head)
        rotate_rest(dims + head * stride, dims + head * stride, Order::stride, order.gap(), angles, i, pairs);
  });
}

#if !XSIMD_WITH_EMULATED
/// Interleaved heads with the same angles, one after another: two at once are streams of memory that some processors
/// do not read ahead. Cosines and sines of a piece of the pairs are made ready for all heads first.
void rotate_interleaved(const Heads& heads) {
  constexpr std::size_t piece = 64;
  const std::size_t pairs = heads.pairs, stride = heads.run.stride;
  alignas(Batch::arch_type::alignment()) float cosines[2 * piece], sines[2 * piece];
  for (std::size_t time = 0; time < heads.repeats.count; ++time) {
    const AngleRow<float> angles{heads.angles.sines + time * heads.repeats.angles,
                                 heads.angles.cosines + time * heads.repeats.angles};
    float* dims = heads.run.first + time * heads.repeats.stride;
    for (std::size_t first = 0; first < pairs; first += piece, dims += 2 * piece) {
      const std::size_t some = std::min(piece, pairs - first);
      const std::size_t whole = each_vector<1>(some, [&](std::size_t i, std::size_t) {
        const auto [c, s] = Rotation(angles, first + i, 0);
        const Batch minus_s = Batch(-1) * s;
        xsimd::zip_lo(c, c).store_aligned(cosines + 2 * i);
        xsimd::zip_hi(c, c).store_aligned(cosines + 2 * i + Batch::size);
        xsimd::zip_lo(minus_s, s).store_aligned(sines + 2 * i);
        xsimd::zip_hi(minus_s, s).store_aligned(sines + 2 * i + Batch::size);
      });
      for (std::size_t head = 0; head < heads.run.count; ++head) {
        float* const x = dims + head * stride;
        each_vector<4>(2 * whole, [&](std::size_t i, std::size_t k) {
          const Batch both = Batch::load_unaligned(x + i + k);
          const Batch c = Batch::load_aligned(cosines + i + k), s = Batch::load_aligned(sines + i + k);
          (both * c + swapped(both) * s).store_unaligned(x + i + k);
        });
        if (whole < some) rotate_rest(x - 2 * first, x - 2 * first, 2, 1, angles, first + whole, pairs);
      }
    }
  }
}
#endif

/// Few values, for which a call would take longer.
[[gnu::always_inline]] inline void copy_values(const float* from, std::size_t count, float* to) {
  std::size_t done = each_vector<1>(
      count, [&](std::size_t i, std::size_t k) { Batch::load_unaligned(from + i + k).store_unaligned(to + i + k); });
  for (; done < count; ++done) to[done] = from[done];
}

/// How many pairs that change places are rotated in vectors: none where these are arrays.
std::size_t in_vectors([[maybe_unused]] std::size_t pairs) {
#if XSIMD_WITH_EMULATED
  return 0;
#else
  return pairs / Batch::size * Batch::size;
#endif
}

/// Layout::deinterleaved: pairs are read interleaved and written as halves. The first half is written behind what has
/// been read; `second` holds the other until all is.
void deinterleave(const Heads& heads) {
  const std::size_t pairs = heads.pairs;
  float* const second = heads.copy;
  each_head<1>(heads, [=](float* dims, const AngleRow<float>& angles) {
    std::size_t done = each_vector<2>(in_vectors(pairs), [&](std::size_t i, std::size_t k) {
      const auto [a, b] = load_deinterleaved(dims + 2 * i + 2 * k);
      const Rotated to = Rotation(angles, i, k)(a, b);
      to.a.store_unaligned(dims + i + k);
      to.b.store_unaligned(second + i + k);
    });
    for (; done < pairs; ++done) {
      const Rotated to(dims[2 * done], dims[2 * done + 1], angles.cosines[done], angles.sines[done]);
      dims[done] = to.a;
      second[done] = to.b;
    }
    copy_values(second, pairs, dims + pairs);
  });
}

/// Back, from the last pair to the first.
void interleave(const Heads& heads) {
  const std::size_t pairs = heads.pairs, whole = in_vectors(pairs);
  float* const second = heads.copy;
  each_head<1>(heads, [=](float* dims, const AngleRow<float>& angles) {
    copy_values(dims + pairs, pairs, second);
    for (std::size_t i = pairs; i-- > whole;) {
      const Rotated to(dims[i], second[i], angles.cosines[i], angles.sines[i]);
      dims[2 * i] = to.a;
      dims[2 * i + 1] = to.b;
    }
    for (std::size_t i = whole; i > 0;) {
      i -= Batch::size;
      const Rotated to = Rotation(angles, i, 0)(Batch::load_unaligned(dims + i), Batch::load_unaligned(second + i));
      store_rounded_interleaved(to.a, to.b, dims + 2 * i);
    }
  });
}

using Kernel = decltype(&deinterleave);

/// Two heads of halves share the cosines and sines that are read; more of them would be more streams of memory than
/// they save.
constexpr std::size_t group = 2;
constexpr Kernel grouped_kernels[]{rotate_in_place<group, 1, HalfPairs>,
#if XSIMD_WITH_EMULATED
                                   rotate_in_place<group, 2, InterleavedPairs>};
#else
                                   rotate_interleaved};
#endif
constexpr Kernel kernels[]{rotate_in_place<1, 1, HalfPairs>, rotate_in_place<1, 2, InterleavedPairs>, deinterleave,
                           interleave};

/// Values in a row of one pair, each by an angle of its own or all by one.
template <bool own>
[[gnu::noinline]] void rotate_values(const float* a, const float* b, float* to_a, float* to_b, std::size_t count,
                                     const float* cosines, const float* sines) {
  const auto load = [](const float* from, std::size_t i) {
    return own ? Batch::load_unaligned(from + i) : Batch(*from);
  };
  std::size_t done = each_vector<2>(count, [&](std::size_t i, std::size_t k) {
    const Rotated to(Batch::load_unaligned(a + i + k), Batch::load_unaligned(b + i + k),
                     load(own ? cosines + i : cosines, k), load(own ? sines + i : sines, k));
    to.a.store_unaligned(to_a + i + k);
    to.b.store_unaligned(to_b + i + k);
  });
  for (; done < count; ++done) {
    const Rotated to(a[done], b[done], cosines[own ? done : 0], sines[own ? done : 0]);
    to_a[done] = to.a;
    to_b[done] = to.b;
  }
}

}  // namespace

void rotate_heads(const HeadRotation& rotation, const HeadRun& heads, const AngleRow<float>& angles,
                  std::size_t angle_stride, const HeadRepeats& repeats) {
  const bool reorders = rotation.layout == Layout::deinterleaved;
  const std::size_t kernel = reorders ? (rotation.direction == Direction::forward ? 2 : 3)
                                      : static_cast<std::size_t>(rotation.layout != Layout::half);
  Heads left{heads, repeats, rotation.pairs, angles, angle_stride, rotation.copy};
  if (!reorders && angle_stride == 0) {
    left.run.count = heads.count / group * group;
    grouped_kernels[kernel](left);
    left.run.first += left.run.count * heads.stride;
    left.run.count = heads.count - left.run.count;
  }
  if (left.run.count > 0) kernels[kernel](left);
}

void rotate_dims(const float* in, const DimPlaces& from, float* out, const DimPlaces& to, const DimBlock& block,
                 const AngleRow<float>& angles, std::size_t angle_stride) {
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
