#include "posenc/learning/encodings/parts/projected_rows.hpp"

#include <algorithm>
#include <utility>

namespace posenc::learning {

Expected<void> ProjectedRows::reserve(std::size_t layers, std::size_t rows, std::size_t width) {
  for (AlignedArray<float>* const array : {&projected_, &gradient_}) {
    auto made = AlignedArray<float>::make_unfilled(layers * rows * width);
    if (!made) return error_of(made);
    *array = *std::move(made);
  }
  auto product = Product::make({{width, width}, {rows, width}});
  if (!product) return error_of(product);
  product_ = *std::move(product);
  width_ = width;
  return {};
}

void ProjectedRows::begin(std::size_t layers, std::size_t rows) {
  rows_ = rows;
  std::fill_n(gradient_.data(), layers * rows * width_, 0.0f);
}

void ProjectedRows::project(std::size_t layer, const float* table, const float* matrix) {
  product_.set(rows_, width_, width_, row_major(table, width_), transposed(row_major(matrix, width_)),
               projected_.data() + first_of(layer), width_);
}

void ProjectedRows::add_to_matrix(std::size_t layer, const float* table, float* d_matrix) {
  const auto gradient = row_major<const float>(gradient_.data() + first_of(layer), width_);
  product_.add(width_, rows_, width_, transposed(gradient), row_major(table, width_), d_matrix, width_);
}

void ProjectedRows::add_to_table(std::size_t layer, const float* matrix, float* d_table) {
  const auto gradient = row_major<const float>(gradient_.data() + first_of(layer), width_);
  product_.add(rows_, width_, width_, gradient, row_major(matrix, width_), d_table, width_);
}

}  // namespace posenc::learning
