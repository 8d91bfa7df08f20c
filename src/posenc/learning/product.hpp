#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/base/aligned_array.hpp"

namespace posenc::learning {

/// What need not be computed of a product of square matrices, queries by keys, where no query sees a later key.
enum class Spared : std::uint8_t {
  nothing,
  result,  ///< above the diagonal c is not wanted: it is written in part
  upper,   ///< above the diagonal a is 0
  lower,   ///< below it, as that matrix transposed is
};

/// c = a b or c += a b in float32: each element one chain over the depth, in order, from 0 or from what c has. b is
/// copied into panels first, in room that is made once.
class Product {
 public:
  struct Extents {
    std::size_t depth, columns;
  };

  /// For matrices b of these extents and those with as few columns and no more depth. Errors: memory.
  [[nodiscard]] static Expected<Product> make(std::initializer_list<Extents> extents);

  /// a: [rows, depth]; b: [depth, columns]; c: [rows, columns] with rows `stride` apart.
  void set(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const float>& a,
           const Strided<const float>& b, float* c, std::size_t stride, Spared spared = Spared::nothing) {
    multiply(rows, depth, columns, a, b, c, stride, false, spared);
  }
  void add(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const float>& a,
           const Strided<const float>& b, float* c, std::size_t stride, Spared spared = Spared::nothing) {
    multiply(rows, depth, columns, a, b, c, stride, true, spared);
  }

 private:
  void multiply(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const float>& a,
                const Strided<const float>& b, float* c, std::size_t stride, bool adds, Spared spared);

  AlignedArray<float> panels_;
};

}  // namespace posenc::learning
