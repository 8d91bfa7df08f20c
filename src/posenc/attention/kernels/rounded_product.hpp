#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/base/aligned_array.hpp"

namespace posenc {

/// out = the sum of the products a b, + a bias for each column; rounded to float32 at the end where T, the type of the
/// sums, is double. Of any size: it goes by parts, with buffers for one. Each element is one chain over its
/// products and their depths in order, then the bias.
template <class T>
class RoundedProduct {
 public:
  /// rows x columns, and the largest depth.
  struct Extents {
    std::size_t rows, depth, columns;
  };
  struct Term {
    std::size_t depth;
    Strided<const float> a, b;  ///< [rows, depth] and [depth, columns]
  };

  /// For products of these extents and those that have none larger. Errors: memory.
  [[nodiscard]] static Expected<RoundedProduct> make(std::initializer_list<Extents> extents);

  /// `bias`: [columns], or null. out: [rows, columns] with rows `stride` apart; apart from the operands.
  void operator()(std::size_t rows, std::size_t columns, std::span<const Term> terms, const float* bias, float* out,
                  std::size_t stride);

  void operator()(std::size_t rows, std::size_t columns, const Term& term, const float* bias, float* out,
                  std::size_t stride) {
    (*this)(rows, columns, std::span(&term, 1), bias, out, stride);
  }

 private:
  AlignedArray<T> memory_;           ///< panels; where T is double also sums, and the part of `a`
  std::size_t sums_ = 0, left_ = 0;  ///< where these begin
};

}  // namespace posenc
