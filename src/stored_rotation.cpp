#include "stored_rotation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rotary_angles.hpp"
#include "rotate.hpp"
#include "stored_words.hpp"

namespace posenc {
namespace {

/// Whole vectors, whatever the number of pairs: what is too many is 0.
std::size_t padded(std::size_t pairs) { return (pairs + word_values - 1) / word_values * word_values; }

FloatPair rotated_first(const FloatPair& a, const FloatPair& b, const FloatPair& cosines, const FloatPair& sines) {
  return {a.low * cosines.low - b.low * sines.low, a.high * cosines.high - b.high * sines.high};
}

FloatPair rotated_second(const FloatPair& a, const FloatPair& b, const FloatPair& cosines, const FloatPair& sines) {
  return {a.low * sines.low + b.low * cosines.low, a.high * sines.high + b.high * cosines.high};
}

FloatPair load_pair(const float* values) {
  return {Floats::load_aligned(values), Floats::load_aligned(values + Floats::size)};
}

/// Pair i is first[i], second[i]; `pairs` is a multiple of word_values. Cosines and sines stand as the words' halves
/// do: in every word_values of them the even ones, then the odd ones.
template <class T>
[[gnu::noinline]] void rotate_halves(T* first, T* second, const float* cosines, const float* sines, std::size_t pairs) {
  for (std::size_t i = 0; i < pairs; i += word_values) {
    const FloatPair a = widen_small<T>(load_words(first + i));
    const FloatPair b = widen_small<T>(load_words(second + i));
    const FloatPair c = load_pair(cosines + i);
    const FloatPair s = load_pair(sines + i);
    store_words(narrow_small<T>(rotated_first(a, b, c, s)), first + i);
    store_words(narrow_small<T>(rotated_second(a, b, c, s)), second + i);
  }
}

/// Pair i is one word: head[2i], head[2i + 1]; `pairs` is a multiple of Words::size.
template <class T>
[[gnu::noinline]] void rotate_neighbours(T* head, const float* cosines, const float* sines, std::size_t pairs) {
  for (std::size_t i = 0; i < pairs; i += Words::size) {
    const auto [a, b] = widen_small<T>(load_words(head + 2 * i));
    const Floats c = Floats::load_aligned(cosines + i);
    const Floats s = Floats::load_aligned(sines + i);
    store_words(narrow_small<T>({a * c - b * s, a * s + b * c}), head + 2 * i);
  }
}

}  // namespace

template <HalfStorage T>
Expected<StoredRotation<T>> StoredRotation<T>::make(Layout layout, Direction direction, std::size_t rotary_dim,
                                                    const SequenceShape& shape) {
  StoredRotation made;
  made.shape_ = &shape;
  made.pairs_ = rotary_dim / 2;
  made.layout_ = layout;
  made.direction_ = direction;
  auto ordered = AlignedArray<float>::make(2 * padded(made.pairs_));
  if (!ordered) return std::unexpected(ordered.error());
  auto wide = AlignedArray<float>::make(rotary_dim);
  if (!wide) return std::unexpected(wide.error());
  auto copy = AlignedArray<T>::make(2 * rotary_dim);
  if (!copy) return std::unexpected(copy.error());
  made.ordered_ = std::move(*ordered);
  made.wide_ = std::move(*wide);
  made.copy_ = std::move(*copy);
  return made;
}

template <HalfStorage T>
void StoredRotation<T>::set(Turn turn) {
  turn_ = turn;
  turns_small_ = true;
  float* const cosines = ordered_.data();
  float* const sines = cosines + padded(pairs_);
  for (std::size_t i = 0; i < pairs_; ++i) {
    const float cosine = turn.cosines[i];
    const float sine = turn.sines[i];
    // Then lanes below 2^15 end below 65504.
    turns_small_ = turns_small_ && std::fabs(cosine) + std::fabs(sine) < 1.999f;
    const std::size_t in_block = i % word_values;
    const std::size_t to = layout_ == Layout::half ? i - in_block + in_block / 2 + in_block % 2 * Floats::size : i;
    cosines[to] = cosine * small_scale<T>;
    sines[to] = sine * small_scale<T>;
  }
}

/// The same for any values: infinite ones, and those that may become so.
template <HalfStorage T>
void StoredRotation<T>::rotate_in_float32(T* head) {
  const std::span<T> lanes(head, 2 * pairs_);
  float* const wide = wide_.data();
  // Their sizes are the same: neither conversion can fail.
  static_cast<void>(convert(std::span<const T>(lanes), wide_.span()));
  if (layout_ == Layout::half)
    rotate_head<Halves, Halves>(wide, wide, turn_.cosines, turn_.sines, pairs_);
  else
    rotate_head<Neighbours, Neighbours>(wide, wide, turn_.cosines, turn_.sines, pairs_);
  static_cast<void>(convert(std::span<const float>(wide_.span()), lanes));
}

/// The rotated lanes stand together, in half or interleaved layout.
template <HalfStorage T>
void StoredRotation<T>::rotate_pairs(T* head) {
  if constexpr (std::is_same_v<T, Float16>)
    if (!turns_small_ || !all_small(head, 2 * pairs_)) return rotate_in_float32(head);
  const float* const cosines = ordered_.data();
  const float* const sines = cosines + padded(pairs_);
  T last[2 * word_values]{};
  if (layout_ == Layout::half) {
    const std::size_t whole = pairs_ / word_values * word_values;
    const std::size_t rest = pairs_ - whole;
    T* const second = head + pairs_;
    rotate_halves(head, second, cosines, sines, whole);
    if (rest == 0) return;
    std::copy_n(head + whole, rest, last);
    std::copy_n(second + whole, rest, last + word_values);
    rotate_halves(last, last + word_values, cosines + whole, sines + whole, word_values);
    std::copy_n(last, rest, head + whole);
    std::copy_n(last + word_values, rest, second + whole);
  } else {
    const std::size_t whole = pairs_ / Words::size * Words::size;
    const std::size_t rest = pairs_ - whole;
    rotate_neighbours(head, cosines, sines, whole);
    if (rest == 0) return;
    std::copy_n(head + 2 * whole, 2 * rest, last);
    rotate_neighbours(last, cosines + whole, sines + whole, Words::size);
    std::copy_n(last, 2 * rest, head + 2 * whole);
  }
}

/// The rotated lanes stand together, in any layout. Deinterleaving moves whole values: before or after the rotation of
/// neighbours it makes no difference to them.
template <HalfStorage T>
void StoredRotation<T>::rotate(T* head) {
  if (layout_ != Layout::deinterleaved) return rotate_pairs(head);
  T* const copy = copy_.data() + 2 * pairs_;
  std::copy_n(head, 2 * pairs_, copy);
  if (direction_ == Direction::forward) {
    rotate_pairs(copy);
    for (std::size_t i = 0; i < pairs_; ++i) {
      head[i] = copy[2 * i];
      head[i + pairs_] = copy[2 * i + 1];
    }
  } else {
    for (std::size_t i = 0; i < pairs_; ++i) {
      head[2 * i] = copy[i];
      head[2 * i + 1] = copy[i + pairs_];
    }
    rotate_pairs(head);
  }
}

template <HalfStorage T>
void StoredRotation<T>::operator()(T* x, std::size_t b, std::size_t s, Turn turn) {
  set(turn);
  const std::size_t lanes = 2 * pairs_;
  const std::size_t stride = shape_->lane_stride();
  shape_->for_each_head(b, s, [=, this](std::size_t offset) {
    T* const head = x + offset;
    if (stride == 1) return rotate(head);
    T* const copy = copy_.data();
    for (std::size_t lane = 0; lane < lanes; ++lane) copy[lane] = head[lane * stride];
    rotate(copy);
    for (std::size_t lane = 0; lane < lanes; ++lane) head[lane * stride] = copy[lane];
  });
}

template <HalfStorage T>
Expected<void> Rotary::apply(std::span<T> x, const SequenceShape& shape, const Positions& positions,
                             Direction direction) const {
  const auto per_batch = check_rotation(x.size(), shape, positions);
  if (!per_batch) return std::unexpected(per_batch.error());
  auto angles = RotaryAngles::make(*this);
  if (!angles) return std::unexpected(angles.error());
  auto rotation = StoredRotation<T>::make(layout_, direction, rotary_dim(), shape);
  if (!rotation) return std::unexpected(rotation.error());
  rotation->all(x.data(), *per_batch, [&](std::size_t i) { return angles->at(positions[i], direction); });
  return {};
}

template Expected<void> Rotary::apply(std::span<Float16>, const SequenceShape&, const Positions&, Direction) const;
template Expected<void> Rotary::apply(std::span<BFloat16>, const SequenceShape&, const Positions&, Direction) const;

}  // namespace posenc
