#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "posenc/relative/relative_position.hpp"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace posenc {

/// Copies a row of `size` values of four bytes to where it does not overlap. In WebAssembly it is a loop of vectors:
/// some processors' instruction for the copy of memory takes twice as long for rows of kilobytes that are not aligned
/// alike.
template <class T>
inline void copy_bias_row(const T* from, std::size_t size, T* to) {
  static_assert(sizeof(T) == 4);
#if defined(__wasm_simd128__)
  constexpr std::size_t vector = 4, together = 8 * vector;
  std::size_t i = 0;
  for (; i + together <= size; i += together)
    for (std::size_t k = 0; k < together; k += vector) wasm_v128_store(to + i + k, wasm_v128_load(from + i + k));
  for (; i < size; ++i) to[i] = from[i];
#else
  std::memcpy(to, from, size * sizeof(T));
#endif
}

/// A bias of key - query alone is one line of values a head, and every row of the full form a slice of it, one entry
/// of `inner` values further to the left than the row before. Writes `rows` rows of `row` values to `out`, of which the
/// first is at `first` in its line: rows are copied, never computed.
template <class T>
void write_diagonal_rows(const T* first, std::size_t rows, std::size_t row, std::size_t inner, T* out) {
  for (std::size_t i = 0; i < rows; ++i) copy_bias_row(first - i * inner, row, out + i * row);
}

/// How many entries of the compact form a bias computes: those that follow are masked.
[[nodiscard]] inline std::size_t kept_distances(const RelativePositions& positions, Future future) {
  const std::size_t distances = positions.distances();
  if (future == Future::keep || distances == 0) return distances;
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(1 - positions.distance(0), 0, static_cast<std::int64_t>(distances)));
}

/// The sizes |d| of the relative positions that are kept, from the least to the largest. A bias that depends on them
/// alone is computed once for each, and not again on the other side of the query.
class DistanceSizes {
 public:
  DistanceSizes(const RelativePositions& positions, Future future)
      : first_(positions.distances() == 0 ? 0 : positions.distance(0)), kept_(kept_distances(positions, future)) {
    if (kept_ == 0) return;
    const std::int64_t last = positions.distance(kept_ - 1);
    least_ = first_ > 0 ? first_ : last < 0 ? -last : 0;
    count_ = static_cast<std::size_t>(std::max(-first_, last) - least_ + 1);
  }

  [[nodiscard]] std::int64_t least() const { return least_; }
  [[nodiscard]] std::size_t count() const { return count_; }

  /// Writes one head's line of the compact form from the values of the sizes.
  void write(std::span<const float> values, std::span<float> line) const {
    for (std::size_t c = 0; c < kept_; ++c) {
      const std::int64_t distance = first_ + static_cast<std::int64_t>(c);
      line[c] = values[static_cast<std::size_t>((distance < 0 ? -distance : distance) - least_)];
    }
    std::ranges::fill(line.subspan(kept_), -std::numeric_limits<float>::infinity());
  }

 private:
  std::int64_t first_, least_ = 0;
  std::size_t kept_, count_ = 0;
};

}  // namespace posenc
