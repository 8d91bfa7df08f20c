#pragma once

#include <cstddef>

#include "posenc/base/simd.hpp"

namespace posenc {

/// The sum of a row, in an order that is the same at every width of a vector: sixteen sums of what stands sixteen
/// places apart, then a fixed tree of these. For sources under VECTORS.
template <class T>
class RowSum {
  using Batch = xsimd::batch<T>;

 public:
  static constexpr std::size_t parts = 16;
  static constexpr std::size_t vectors = parts / Batch::size;  ///< that make one step

  /// The next sixteen terms, of which this is vector v.
  void add(std::size_t v, const Batch& terms) { sums_[v] = sums_[v] + terms; }

  /// The sum; `rest` are fewer than sixteen terms after the others.
  [[nodiscard]] T total(const T* rest, std::size_t count) const {
    T sums[parts];
    for (std::size_t v = 0; v < vectors; ++v) sums_[v].store_unaligned(sums + v * Batch::size);
    for (std::size_t i = 0; i < count; ++i) sums[i] += rest[i];
    for (std::size_t half = parts / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
    return sums[0];
  }
  [[nodiscard]] T total() const { return total(nullptr, 0); }

 private:
  Batch sums_[vectors] = {};
};

}  // namespace posenc
