#pragma once

// Applies a function to every value of an array, in vectors: in float32, or in double and rounded once.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "posenc/base/simd.hpp"

namespace posenc {

/// A vector's worth of float32.
inline constexpr std::size_t piece_size = xsimd::batch<float>::size;

/// Works in double.
struct Doubles {
  using Batch = xsimd::batch<double>;

  Batch low, high;

  template <class T>
  [[nodiscard]] static Doubles load(const T* from) {
    return {load_as<double>(from), load_as<double>(from + Batch::size)};
  }
  void store(float* to) const { store_rounded(low, high, to); }
  void store(double* to) const {
    low.store_unaligned(to);
    high.store_unaligned(to + Batch::size);
  }

  friend Doubles operator+(const Doubles& a, const Doubles& b) { return {a.low + b.low, a.high + b.high}; }
  friend Doubles operator-(const Doubles& a, const Doubles& b) { return {a.low - b.low, a.high - b.high}; }
  friend Doubles operator*(const Doubles& a, const Doubles& b) { return {a.low * b.low, a.high * b.high}; }
  friend Doubles operator*(double factor, const Doubles& a) { return {Batch(factor) * a.low, Batch(factor) * a.high}; }
  friend Doubles operator/(const Doubles& a, const Doubles& b) { return {a.low / b.low, a.high / b.high}; }
};

/// Calls use(arrays + i ...) for i = 0, n, 2n, ... below size: for n values each. Those left over are copied to arrays
/// of n and, where they may have changed, back.
template <std::size_t n = piece_size, class Use, class... T>
void for_pieces(std::size_t size, const Use& use, T*... arrays) {
  const std::size_t whole = size / n * n;
  for (std::size_t i = 0; i < whole; i += n) use((arrays + i)...);
  if (whole == size) return;
  const auto use_last = [&](auto... last) {
    (std::copy(arrays + whole, arrays + size, last.begin()), ...);
    use(last.data()...);
    const auto back = [&]<class To>(const auto& from, To* to) {
      if constexpr (!std::is_const_v<To>) std::copy_n(from.begin(), size - whole, to + whole);
    };
    (back(last, arrays), ...);
  };
  use_last(std::array<std::remove_const_t<T>, n>{}...);
}

/// out = a + b; out may be a or b.
inline void add_values(std::size_t size, const float* a, const float* b, float* out) {
  using Batch = xsimd::batch<float>;
  const auto add = [&](std::size_t i) {
    (Batch::load_unaligned(a + i) + Batch::load_unaligned(b + i)).store_unaligned(out + i);
  };
  constexpr std::size_t vectors = 8;
  std::size_t i = 0;
  for (; i + vectors * piece_size <= size; i += vectors * piece_size)
    unrolled<vectors>([&](std::size_t k) { add(i + k * piece_size); });
  for (; i + piece_size <= size; i += piece_size) add(i);
  for (; i < size; ++i) out[i] = a[i] + b[i];
}

/// sums += values
inline void add_to_sums(std::size_t size, const float* values, double* sums) {
  std::size_t i = 0;
  for (; i + piece_size <= size; i += piece_size) (Doubles::load(sums + i) + Doubles::load(values + i)).store(sums + i);
  for (; i < size; ++i) sums[i] += static_cast<double>(values[i]);
}

inline void round_values(std::size_t size, const double* values, float* out) {
  for_pieces(size, [](const double* from, float* to) { Doubles::load(from).store(to); }, values, out);
}

/// A row of a table. For short ones a call for the copy of memory takes longer than they do.
inline void copy_row(const float* from, std::size_t size, float* to) {
  if (size >= 32) {
    std::memcpy(to, from, size * sizeof(float));
    return;
  }
  for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
}

}  // namespace posenc
