#include "stored_kernels.hpp"

#include <algorithm>
#include <complex>

#include "stored_words.hpp"

namespace posenc {
namespace {

FloatPair load_pair(const float* values) {
  return {Floats::load_aligned(values), Floats::load_aligned(values + Floats::size)};
}

template <class T>
void halves(std::uint16_t* first, std::uint16_t* second, const float* cosines, const float* sines, std::size_t pairs) {
  for (std::size_t i = 0; i < pairs; i += word_values) {
    const FloatPair a = widen_small<T>(load_words(first + i));
    const FloatPair b = widen_small<T>(load_words(second + i));
    const FloatPair c = load_pair(cosines + i);
    const FloatPair s = load_pair(sines + i);
    store_words(narrow_small<T>({a.low * c.low - b.low * s.low, a.high * c.high - b.high * s.high}), first + i);
    store_words(narrow_small<T>({a.low * s.low + b.low * c.low, a.high * s.high + b.high * c.high}), second + i);
  }
}

template <class T>
void neighbours(std::uint16_t* values, const float* cosines, const float* sines, std::size_t pairs) {
  for (std::size_t i = 0; i < pairs; i += Words::size) {
    const auto [a, b] = widen_small<T>(load_words(values + 2 * i));
    const Floats c = Floats::load_aligned(cosines + i);
    const Floats s = Floats::load_aligned(sines + i);
    store_words(narrow_small<T>({a * c - b * s, a * s + b * c}), values + 2 * i);
  }
}

// Memory has a word's two values as neighbours, as it has a complex number's two parts.
using Neighbours = xsimd::batch<std::complex<float>>;

template <class T>
void convert_block(const std::uint16_t* from, float* to) {
  const auto [low, high] = widen<T>(load_words(from));
  Neighbours(low, high).store_unaligned(reinterpret_cast<std::complex<float>*>(to));
}

template <class T>
void convert_block(const float* from, std::uint16_t* to) {
  const auto values = Neighbours::load_unaligned(reinterpret_cast<const std::complex<float>*>(from));
  store_words(narrow<T>({values.real(), values.imag()}), to);
}

template <class From, class To>
[[gnu::noinline]] void convert_blocks(Storage storage, const From* from, To* to, std::size_t size) {
  if (storage == Storage::float16)
    for (std::size_t i = 0; i < size; i += word_values) convert_block<Float16>(from + i, to + i);
  else
    for (std::size_t i = 0; i < size; i += word_values) convert_block<BFloat16>(from + i, to + i);
}

/// What is too few for a block goes through one.
template <class From, class To>
void convert_all(Storage storage, const From* from, To* to, std::size_t size) {
  const std::size_t whole = size / word_values * word_values;
  From last[word_values]{};
  To converted[word_values];
  std::copy(from + whole, from + size, last);
  convert_blocks(storage, from, to, whole);
  if (whole == size) return;
  convert_blocks(storage, last, converted, word_values);
  std::copy_n(converted, size - whole, to + whole);
}

}  // namespace

void widen(ConstHalfSpan from, float* to) { convert_all(from.storage(), from.bits().data(), to, from.size()); }
void narrow(const float* from, HalfSpan to) { convert_all(to.storage(), from, to.bits().data(), to.size()); }

std::size_t stored_block() { return word_values; }

float stored_scale(Storage storage) {
  return storage == Storage::float16 ? small_scale<Float16> : small_scale<BFloat16>;
}

bool stay_small(Storage storage, std::span<const std::uint16_t> values) {
  return storage != Storage::float16 || all_small(values);
}

void rotate_halves(Storage storage, std::uint16_t* first, std::uint16_t* second, const float* cosines,
                   const float* sines, std::size_t pairs) {
  if (storage == Storage::float16)
    halves<Float16>(first, second, cosines, sines, pairs);
  else
    halves<BFloat16>(first, second, cosines, sines, pairs);
}

void rotate_neighbours(Storage storage, std::uint16_t* values, const float* cosines, const float* sines,
                       std::size_t pairs) {
  if (storage == Storage::float16)
    neighbours<Float16>(values, cosines, sines, pairs);
  else
    neighbours<BFloat16>(values, cosines, sines, pairs);
}

}  // namespace posenc
