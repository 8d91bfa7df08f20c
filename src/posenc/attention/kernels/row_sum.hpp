#pragma once

#include <cstddef>

#include "posenc/base/simd.hpp"

namespace posenc {

/// The sum of a row, in an order that is the same at every width of a vector: sixteen sums of values sixteen
/// indices apart, then a fixed tree of these. For sources under VECTORS.
template <class T>
class RowSum {
  using Batch = xsimd::batch<T>;

 public:
  static constexpr std::size_t parts = 16;
  static constexpr std::size_t vectors = parts / Batch::size;  ///< that make one step

  /// The next sixteen terms, of which this is vector v.
  void add(std::size_t v, const Batch& terms) { sums_[v] = sums_[v] + terms; }

  [[nodiscard]] T total() const {
    T lanes[Batch::size];
    folded<vectors>(sums_).store_unaligned(lanes);
    return folded<Batch::size>(lanes);
  }
  /// The sum; `rest` are fewer than sixteen terms after the others.
  [[nodiscard]] T total(const T* rest, std::size_t count) const {
    T last[parts] = {};
    for (std::size_t i = 0; i < count; ++i) last[i] = rest[i];
    RowSum all = *this;
    unrolled<vectors>([&](std::size_t v) { all.add(v, Batch::load_unaligned(last + v * Batch::size)); });
    return all.total();
  }

 private:
  /// The tree: of as many terms the second half is added to the first, until one is left.
  template <std::size_t count, class Term>
  static Term folded(const Term* terms) {
    if constexpr (count == 1) {
      return terms[0];
    } else {
      Term sums[count / 2];
      unrolled<count / 2>([&](std::size_t i) { sums[i] = terms[i] + terms[i + count / 2]; });
      return folded<count / 2>(sums);
    }
  }

  Batch sums_[vectors] = {};
};

}  // namespace posenc
