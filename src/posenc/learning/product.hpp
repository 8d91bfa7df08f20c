#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/base/aligned_array.hpp"

namespace posenc::learning {

/// The triangle that a product of square matrices, queries by keys, skips where no query sees a later key.
enum class SkippedTriangle : std::uint8_t {
  none,
  result,  ///< c is not wanted above the diagonal: it is written in part
  upper,   ///< a is 0 above the diagonal
  lower,   ///< a is 0 below the diagonal, as the transpose of such a matrix is
};

/// Products of matrices in float32: each element is one chain over the depth, in order, from 0 or from what c has. b is
/// copied into panels first, in a buffer that is allocated once.
class Product {
 public:
  struct Extents {
    std::size_t depth, columns;
  };

  /// For matrices b of these extents and those with as few columns and no more depth. Errors: memory.
  [[nodiscard]] static Expected<Product> make(std::initializer_list<Extents> extents);

  /// c = a b; a: [rows, depth]; b: [depth, columns]; c: [rows, columns] with rows `stride` apart.
  void multiply(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const float>& a,
                const Strided<const float>& b, float* c, std::size_t stride,
                SkippedTriangle skipped = SkippedTriangle::none) {
    compute(rows, depth, columns, a, b, c, stride, false, skipped);
  }
  /// c += a b
  void multiply_add(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const float>& a,
                    const Strided<const float>& b, float* c, std::size_t stride,
                    SkippedTriangle skipped = SkippedTriangle::none) {
    compute(rows, depth, columns, a, b, c, stride, true, skipped);
  }

 private:
  void compute(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const float>& a,
               const Strided<const float>& b, float* c, std::size_t stride, bool adds, SkippedTriangle skipped);

  AlignedArray<float> panels_;
};

}  // namespace posenc::learning
