#pragma once

#include <cstddef>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/learning/pass.hpp"
#include "posenc/learning/product.hpp"

namespace posenc::learning {

/// A table that a matrix of each layer projects: table W^T, [rows, width], of which a head takes its dimensions. Its
/// gradient is gathered over heads and sequences, and goes to the table and the matrix once a pass.
class ProjectedRows {
 public:
  /// Errors: memory.
  [[nodiscard]] Expected<void> reserve(std::size_t layers, std::size_t rows, std::size_t width);

  /// Of a pass with so many rows, at most those reserved; its gradient is 0.
  void begin(std::size_t layers, std::size_t rows);
  /// table: [rows, width]; matrix: [width, width].
  void project(std::size_t layer, const float* table, const float* matrix);

  /// [rows, dimensions]
  [[nodiscard]] Strided<const float> of_head(const PassShape& shape, const HeadPlace& place) const {
    return row_major(projected_.data() + first_of(place.layer), width_).from(0, place.head * shape.dims());
  }
  [[nodiscard]] Strided<float> gradient_of_head(const PassShape& shape, const HeadPlace& place) {
    return row_major(gradient_.data() + first_of(place.layer), width_).from(0, place.head * shape.dims());
  }

  /// d_matrix += the gathered gradient times the table; d_table the same with the matrix.
  void add_to_matrix(std::size_t layer, const float* table, float* d_matrix);
  void add_to_table(std::size_t layer, const float* matrix, float* d_table);

 private:
  /// Where a layer's rows begin.
  [[nodiscard]] std::size_t first_of(std::size_t layer) const { return layer * rows_ * width_; }

  std::size_t rows_ = 0, width_ = 0;
  AlignedArray<float> projected_, gradient_;  ///< [layers, rows, width]
  Product product_;
};

}  // namespace posenc::learning
