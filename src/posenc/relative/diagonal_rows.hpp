#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/error.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

/// What depends on key - query alone is one line of values a head, and every row of the full form a slice of it, one
/// entry further to the left than the row before. Rows are therefore copied, never computed.
class DiagonalRows {
 public:
  /// For rows of `row` elements, of which `inner` make an entry, in an output of `size` elements; all are 4 bytes wide.
  /// Error: no memory for a tile.
  [[nodiscard]] static Expected<DiagonalRows> make(std::size_t row, std::size_t inner, std::size_t size);

  /// Writes `rows` rows to `out`, of which the first is at `first` in its line.
  template <class T>
  void write(const T* first, std::size_t rows, T* out) {
    static_assert(sizeof(T) == width);
    write_bytes(reinterpret_cast<const std::byte*>(first), rows, reinterpret_cast<std::byte*>(out));
  }

 private:
  static constexpr std::size_t width = 4;

  DiagonalRows(std::size_t row, std::size_t step, AlignedArray<std::byte> tile)
      : row_(row), step_(step), tile_(std::move(tile)) {}

  void write_bytes(const std::byte* first, std::size_t rows, std::byte* out);
  void copy_rows(const std::byte* first, std::size_t rows, std::byte* out) const;

  std::size_t row_, step_;        ///< in bytes
  AlignedArray<std::byte> tile_;  ///< of a block of rows, for outputs that the caches do not hold
};

/// Writes a bias in compact form, [heads, distances]: value(head, distance), a double rounded here, once.
template <class Value>
[[nodiscard]] Expected<void> write_compact(const RelativePositions& positions, Future future, std::span<float> out,
                                           const Value& value) {
  const std::size_t distances = positions.distances();
  if (auto checked = check_size("out", out.size(), positions.heads(), distances); !checked) return checked;
  if (out.empty()) return {};
  for (std::size_t h = 0; h < positions.heads(); ++h)
    for (std::size_t c = 0; c < distances; ++c) {
      const std::int64_t distance = positions.distance(c);
      out[h * distances + c] = future == Future::mask && distance > 0 ? -std::numeric_limits<float>::infinity()
                                                                      : static_cast<float>(value(h, distance));
    }
  return {};
}

}  // namespace posenc
