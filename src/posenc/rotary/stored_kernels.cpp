#include "posenc/rotary/stored_kernels.hpp"

#include <algorithm>

#include "posenc/base/stored_words.hpp"

namespace posenc {
namespace {

FloatPair load_pair(const float* values) {
  return {Floats::load_aligned(values), Floats::load_aligned(values + Floats::size)};
}

FloatPair load_unaligned_pair(const float* values) {
  return {Floats::load_unaligned(values), Floats::load_unaligned(values + Floats::size)};
}

/// Pairs (a, b), rotated.
struct Rotated {
  FloatPair a, b;

  Rotated(FloatPair x, FloatPair y, FloatPair c, FloatPair s)
      : a{x.low * c.low - y.low * s.low, x.high * c.high - y.high * s.high},
        b{x.low * s.low + y.low * c.low, x.high * s.high + y.high * c.high} {}
};

/// One block of pairs in halves.
struct InHalves {
  Words first, second;

  static InHalves load(const std::uint16_t* values, std::size_t pairs) {
    return {load_words(values), load_words(values + pairs)};
  }
  void store(std::uint16_t* values, std::size_t pairs) const {
    store_words(first, values);
    store_words(second, values + pairs);
  }

  static constexpr std::size_t step = word_values;  ///< from block to block

  template <class Widen, class Narrow>
  [[nodiscard]] InHalves rotated(FloatPair c, FloatPair s, const Widen& widen, const Narrow& narrow) const {
    const Rotated to(widen(first), widen(second), c, s);
    return {narrow(to.a), narrow(to.b)};
  }
};

/// The same for interleaved pairs: of the first word vector and of the second.
struct InTurns {
  Words first, second;

  static InTurns load(const std::uint16_t* values, std::size_t) {
    return {load_words(values), load_words(values + word_values)};
  }
  void store(std::uint16_t* values, std::size_t) const {
    store_words(first, values);
    store_words(second, values + word_values);
  }

  static constexpr std::size_t step = 2 * word_values;

  template <class Widen, class Narrow>
  [[nodiscard]] InTurns rotated(FloatPair c, FloatPair s, const Widen& widen, const Narrow& narrow) const {
    const FloatPair x = widen(first);
    const FloatPair y = widen(second);
    const Rotated to({x.low, y.low}, {x.high, y.high}, c, s);
    return {narrow(FloatPair{to.a.low, to.b.low}), narrow(FloatPair{to.a.high, to.b.high})};
  }
};

/// For all values.
template <class T, class Block>
[[gnu::noinline]] void rotate_any(std::uint16_t* values, std::size_t pairs, FloatPair c, FloatPair s, float unscale) {
  const Floats by(unscale);
  Block::load(values, pairs).rotated(c * by, s * by, widen<T>, narrow<T>).store(values, pairs);
}

template <class T, class Block>
[[gnu::noinline]] void rotate_blocks(const StoredHeads& heads, std::size_t pairs, StoredTurn turn) {
  for (std::size_t head = 0; head < heads.count; ++head) {
    std::uint16_t* values = heads.first + head * heads.stride;
    for (std::size_t i = 0; i < pairs; i += word_values, values += Block::step) {
      const FloatPair c = load_pair(turn.cosines + i);
      const FloatPair s = load_pair(turn.sines + i);
      Seen<T> seen;
      const Block rotated = Block::load(values, heads.pairs).rotated(c, s, widen_small<T>, [&](FloatPair x) {
        return narrow_small<T>(x, seen);
      });
      if (seen.any_large()) [[unlikely]]
        rotate_any<T, Block>(values, heads.pairs, c, s, 1 / small_scale<T>);
      else
        rotated.store(values, heads.pairs);
    }
  }
}

template <class T, class Block>
void rotate_all(const StoredHeads& heads, std::size_t pairs, StoredTurn turn) {
  if (turn.scaled) return rotate_blocks<T, Block>(heads, pairs, turn);
  for (std::size_t head = 0; head < heads.count; ++head)
    for (std::size_t i = 0; i < pairs; i += word_values)
      rotate_any<T, Block>(heads.first + head * heads.stride + i / word_values * Block::step, heads.pairs,
                           load_pair(turn.cosines + i), load_pair(turn.sines + i), 1);
}

template <class T>
void rotate_in(Layout layout, const StoredHeads& heads, std::size_t pairs, StoredTurn turn) {
  layout == Layout::half ? rotate_all<T, InHalves>(heads, pairs, turn) : rotate_all<T, InTurns>(heads, pairs, turn);
}

}  // namespace

std::size_t stored_block() { return word_values; }

StoredTurn order_turn(Storage storage, Layout layout, Turn turn, std::size_t pairs, float* ordered) {
  float* const ordered_sines = ordered + (pairs + word_values - 1) / word_values * word_values;
  // The kernels' fast way needs cosines and sines that can be scaled, and a rotation that does not shrink pairs by more
  // than half: then one lane at least of what was an infinity or NaN ends large.
  const auto allowed = [](float c, float s) {
    const float square = c * c + s * s;
    return square > 0.55f && square < 0x1p28f;
  };
  bool scaled = storage == Storage::float16;
  for (std::size_t i = 0; i < pairs && scaled; ++i) scaled = allowed(turn.cosines[i], turn.sines[i]);
  const Floats by(scaled ? small_scale<Float16> : 1.0f);
  const auto order = [&](const float* from, float* to) {
    const FloatPair values = layout == Layout::half ? load_apart(from) : load_unaligned_pair(from);
    (values.low * by).store_aligned(to);
    (values.high * by).store_aligned(to + Floats::size);
  };
  const auto order_all = [&](const float* from, float* to) {
    const std::size_t whole = pairs / word_values * word_values;
    for (std::size_t i = 0; i < whole; i += word_values) order(from + i, to + i);
    if (whole == pairs) return;
    float last[word_values]{};
    std::copy(from + whole, from + pairs, last);
    order(last, to + whole);
  };
  order_all(turn.cosines, ordered);
  order_all(turn.sines, ordered_sines);
  return {ordered, ordered_sines, scaled || storage == Storage::bfloat16};
}

void rotate(Storage storage, Layout layout, const StoredHeads& heads, std::size_t pairs, StoredTurn turn) {
  storage == Storage::float16 ? rotate_in<Float16>(layout, heads, pairs, turn)
                              : rotate_in<BFloat16>(layout, heads, pairs, turn);
}

}  // namespace posenc
