#include "posenc/rotary/kernels/token_rotation16.hpp"

#include <algorithm>

#include "posenc/base/try.hpp"
#include "posenc/base/words16.hpp"

namespace posenc {
namespace {

FloatPair load_pair(const float* values) {
  return {Floats::load_aligned(values), Floats::load_aligned(values + Floats::size)};
}

FloatPair load_unaligned_pair(const float* values) {
  return {Floats::load_unaligned(values), Floats::load_unaligned(values + Floats::size)};
}

/// Cosines and sines as the kernels take them, whole blocks of each.
struct OrderedAngles {
  AngleRow<float> row;
  bool scaled = false;
};

/// Holds the pairs of a head, and how far one half is from the other.
struct Pairs16 {
  std::size_t count, gap;
};

/// Pairs (a, b), rotated.
struct RotatedPair {
  FloatPair a, b;

  RotatedPair(FloatPair x, FloatPair y, FloatPair c, FloatPair s)
      : a{x.low * c.low - y.low * s.low, x.high * c.high - y.high * s.high},
        b{x.low * s.low + y.low * c.low, x.high * s.high + y.high * c.high} {}
};

/// One block of pairs of Layout::half.
struct HalfBlock {
  Words first, second;

  static HalfBlock load(const std::uint16_t* values, std::size_t pairs) {
    return {load_words(values), load_words(values + pairs)};
  }
  void store(std::uint16_t* values, std::size_t pairs) const {
    store_words(first, values);
    store_words(second, values + pairs);
  }

  static constexpr std::size_t step = word_values;  ///< from block to block

  template <class Widen, class Narrow>
  [[nodiscard]] HalfBlock rotated(FloatPair c, FloatPair s, const Widen& widen, const Narrow& narrow) const {
    const RotatedPair to(widen(first), widen(second), c, s);
    return {narrow(to.a), narrow(to.b)};
  }
};

/// Holds an interleaved block: the dimensions of the first word vector and of the second.
struct InterleavedBlock {
  Words first, second;

  static InterleavedBlock load(const std::uint16_t* values, std::size_t) {
    return {load_words(values), load_words(values + word_values)};
  }
  void store(std::uint16_t* values, std::size_t) const {
    store_words(first, values);
    store_words(second, values + word_values);
  }

  static constexpr std::size_t step = 2 * word_values;

  template <class Widen, class Narrow>
  [[nodiscard]] InterleavedBlock rotated(FloatPair c, FloatPair s, const Widen& widen, const Narrow& narrow) const {
    const FloatPair x = widen(first);
    const FloatPair y = widen(second);
    const RotatedPair to({x.low, y.low}, {x.high, y.high}, c, s);
    return {narrow(FloatPair{to.a.low, to.b.low}), narrow(FloatPair{to.a.high, to.b.high})};
  }
};

/// For all values.
template <class T, class Block>
[[gnu::noinline]] void rotate_any(std::uint16_t* dims, std::size_t gap, FloatPair c, FloatPair s, float unscale) {
  const Floats by(unscale);
  Block::load(dims, gap).rotated(c * by, s * by, widen<T>, narrow<T>).store(dims, gap);
}

template <class T, class Block>
[[gnu::noinline]] void rotate_blocks(const Heads16& heads, const Pairs16& pairs, OrderedAngles angles) {
  for (std::size_t head = 0; head < heads.count; ++head) {
    std::uint16_t* dims = heads.first + head * heads.stride;
    for (std::size_t i = 0; i < pairs.count; i += word_values, dims += Block::step) {
      const FloatPair c = load_pair(angles.row.cosines + i);
      const FloatPair s = load_pair(angles.row.sines + i);
      Seen<T> seen;
      const Block rotated = Block::load(dims, pairs.gap).rotated(c, s, widen_small<T>, [&](FloatPair x) {
        return narrow_small<T>(x, seen);
      });
      if (seen.any_large()) [[unlikely]]
        rotate_any<T, Block>(dims, pairs.gap, c, s, 1 / small_scale<T>);
      else
        rotated.store(dims, pairs.gap);
    }
  }
}

template <class T, class Block>
void rotate_all(const Heads16& heads, const Pairs16& pairs, OrderedAngles angles) {
  if (angles.scaled) return rotate_blocks<T, Block>(heads, pairs, angles);
  for (std::size_t head = 0; head < heads.count; ++head)
    for (std::size_t i = 0; i < pairs.count; i += word_values) {
      rotate_any<T, Block>(heads.first + head * heads.stride + i / word_values * Block::step, pairs.gap,
                           load_pair(angles.row.cosines + i), load_pair(angles.row.sines + i), 1);
    }
}

template <class T>
void rotate_in(Layout layout, const Heads16& heads, const Pairs16& pairs, OrderedAngles angles) {
  layout == Layout::half ? rotate_all<T, HalfBlock>(heads, pairs, angles)
                         : rotate_all<T, InterleavedBlock>(heads, pairs, angles);
}

/// Pairs of each head, whole blocks, as Layout::half has them or else interleaved.
void rotate_heads16(DType dtype, Layout layout, const Heads16& heads, const Pairs16& pairs, OrderedAngles angles) {
  dtype == DType::float16 ? rotate_in<Float16>(layout, heads, pairs, angles)
                          : rotate_in<BFloat16>(layout, heads, pairs, angles);
}

/// How many values hold `pairs` in whole blocks.
std::size_t padded(std::size_t pairs) { return (pairs + word_values - 1) / word_values * word_values; }

/// Copies `count` runs of `size` values, `stride` apart in `from`, to runs `to_stride` apart.
void copy_runs(const std::uint16_t* from, std::size_t stride, std::uint16_t* to, std::size_t to_stride,
               std::size_t size, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::copy_n(from + i * stride, size, to + i * to_stride);
}

}  // namespace

Expected<TokenRotation16> TokenRotation16::make(DType dtype, Layout layout, Direction direction, std::size_t rotary_dim,
                                                const SequenceShape& shape) {
  TokenRotation16 made;
  made.shape_ = &shape;
  made.pairs_ = rotary_dim / 2;
  made.dtype_ = dtype;
  made.layout_ = layout;
  made.direction_ = direction;
  const std::size_t size = rotary_dim + 2 * word_values;
  POSENC_TRY(allocate({{made.ordered_, size}, {made.copy_, size}}));
  return made;
}

/// Puts the angles in the order of the kernels.
void TokenRotation16::set(AngleRow<float> angles) {
  // The kernels' fast way needs cosines and sines that can be scaled, and a rotation that does not shrink pairs by more
  // than half: then one dimension at least of what was an infinity or NaN ends large.
  const auto allowed = [](float c, float s) {
    const float square = c * c + s * s;
    return square > 0.55f && square < 0x1p28f;
  };
  bool scaled = dtype_ == DType::float16;
  for (std::size_t i = 0; i < pairs_ && scaled; ++i) scaled = allowed(angles.cosines[i], angles.sines[i]);
  const Floats by(scaled ? small_scale<Float16> : 1.0f);
  const auto order_block = [&](const float* from, float* to) {
    const FloatPair values = layout_ == Layout::half ? load_deinterleaved(from) : load_unaligned_pair(from);
    (values.low * by).store_aligned(to);
    (values.high * by).store_aligned(to + Floats::size);
  };
  const auto order_all = [&](const float* from, float* to) {
    const std::size_t whole = pairs_ / word_values * word_values;
    for (std::size_t i = 0; i < whole; i += word_values) order_block(from + i, to + i);
    if (whole == pairs_) return;
    float last[word_values]{};
    std::copy(from + whole, from + pairs_, last);
    order_block(last, to + whole);
  };
  order_all(angles.cosines, ordered_.data());
  order_all(angles.sines, ordered_.data() + padded(pairs_));
  scaled_ = scaled || dtype_ == DType::bfloat16;
}

/// Pairs too few for a block go through a padded one.
void TokenRotation16::rotate_together(const Heads16& heads) {
  constexpr std::size_t block = word_values;
  const std::size_t whole = pairs_ / block * block;
  const std::size_t rest = pairs_ - whole;
  const float* const cosines = ordered_.data();
  const float* const sines = cosines + padded(pairs_);
  rotate_heads16(dtype_, layout_, heads, {whole, pairs_}, {{sines, cosines}, scaled_});
  if (rest == 0) return;
  std::uint16_t* const last = copy_.data() + 2 * pairs_;
  const bool is_half = layout_ == Layout::half;
  const std::size_t runs = is_half ? 2 : 1;
  const std::size_t size = is_half ? rest : 2 * rest;
  const std::size_t at = is_half ? whole : 2 * whole;
  for (std::size_t i = 0; i < heads.count; ++i) {
    std::uint16_t* const dims = heads.first + i * heads.stride + at;
    copy_runs(dims, pairs_, last, block, size, runs);
    rotate_heads16(dtype_, layout_, {last, 0, 1}, {block, block}, {{sines + whole, cosines + whole}, scaled_});
    copy_runs(last, block, dims, pairs_, size, runs);
  }
}

/// One head whose dimensions are not contiguous, or not in the order they are rotated in. Deinterleaving moves whole
/// values: before or after the rotation of interleaved pairs it makes no difference to them.
void TokenRotation16::rotate_copy(std::uint16_t* head, std::size_t dim_stride) {
  const std::size_t dims = 2 * pairs_;
  const bool reorders = layout_ == Layout::deinterleaved;
  const bool reads_half = reorders && direction_ == Direction::inverse;
  const bool writes_half = reorders && direction_ == Direction::forward;
  // Where a dimension of the copy, whose pairs are rotated interleaved, is in Layout::half.
  const auto in_half = [this](std::size_t dimension) { return dimension / 2 + dimension % 2 * pairs_; };
  std::uint16_t* const copy = copy_.data();
  for (std::size_t dimension = 0; dimension < dims; ++dimension)
    copy[dimension] = head[(reads_half ? in_half(dimension) : dimension) * dim_stride];
  rotate_together({copy, 0, 1});
  for (std::size_t dimension = 0; dimension < dims; ++dimension)
    head[(writes_half ? in_half(dimension) : dimension) * dim_stride] = copy[dimension];
}

void TokenRotation16::rotate_token(std::uint16_t* x, std::size_t b, std::size_t s) {
  const std::size_t dim_stride = shape_->dim_stride();
  const bool together = dim_stride == 1 && layout_ != Layout::deinterleaved;
  shape_->for_each_run(b, s, [=, this](std::size_t offset, std::size_t count, std::size_t stride) {
    if (together) return rotate_together({x + offset, stride, count});
    for (std::size_t i = 0; i < count; ++i) rotate_copy(x + offset + i * stride, dim_stride);
  });
}

}  // namespace posenc
