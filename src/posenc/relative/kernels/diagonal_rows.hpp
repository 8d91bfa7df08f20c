#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

/// A bias of key - query alone is one line of values a head, and every row of the full form a slice of it, one entry
/// further to the left than the row before. Rows are therefore copied, never computed.
class DiagonalRows {
 public:
  /// For rows of `row` elements, of which `inner` make an entry, in an output of `size` elements; all are 4 bytes wide.
  /// Error: no memory for a tile.
  [[nodiscard]] static Expected<DiagonalRows> make(std::size_t row, std::size_t inner, std::size_t size);

  /// Writes `rows` rows to `out`, of which the first is at `first` in its line.
  template <class T>
  void write(const T* first, std::size_t rows, T* out) {
    static_assert(sizeof(T) == width);
    const auto* const from = reinterpret_cast<const std::byte*>(first);
    write_rows(rows, reinterpret_cast<std::byte*>(out),
               [&](std::size_t i, std::byte* to) { std::memcpy(to, from - i * step_, row_); });
  }

  /// Writes `rows` rows to `out`: copy(i, to) copies row i.
  template <class Copy>
  void write_rows(std::size_t rows, std::byte* out, const Copy& copy) {
    const std::size_t block = tile_.size() == 0 ? rows : tile_.size() / row_;
    for (std::size_t row = 0; row < rows; row += block) {
      const std::size_t count = std::min(block, rows - row);
      std::byte* const to = tile_.size() == 0 ? out + row * row_ : tile_.data();
      for (std::size_t i = 0; i < count; ++i) copy(row + i, to + i * row_);
      if (tile_.size() != 0) std::memcpy(out + row * row_, to, count * row_);
    }
  }

 private:
  static constexpr std::size_t width = 4;

  DiagonalRows(std::size_t row, std::size_t step, AlignedArray<std::byte> tile)
      : row_(row), step_(step), tile_(std::move(tile)) {}

  std::size_t row_, step_;        ///< in bytes
  AlignedArray<std::byte> tile_;  ///< of a block of rows, for outputs that the caches do not hold
};

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
