#pragma once

#include <cstddef>

namespace posenc {

// Products of matrices, c = a b, by panels: groups of neighbouring columns of b, copied so that they are read in order.
//
// Each element of c is one chain over the depth, in order, from 0 or from what c has; each product and each sum is
// rounded (no FMA). Lanes of vectors are columns of c. So no bit depends on the width of vectors, on how a caller cuts
// rows, columns or depth, or on what a matrix is part of. NaN is written as the one quiet NaN without a sign.
//
// T, the type of sums: float, or double, in which products of two floats are exact. Arrays of the result must not
// overlap the operands.

/// A matrix in memory: element [i, j] is data[i * row_stride + j * column_stride]. Where there is no data the
/// strides are 0.
template <class T>
struct Strided {
  T* data;
  std::size_t row_stride, column_stride;

  [[nodiscard]] T* at(std::size_t i, std::size_t j) const { return data + i * row_stride + j * column_stride; }
  /// The part that begins with element [i, j].
  [[nodiscard]] Strided from(std::size_t i, std::size_t j) const { return {at(i, j), row_stride, column_stride}; }
};

/// Row-major, `columns` values a row.
template <class T>
Strided<T> row_major(T* data, std::size_t columns) {
  return {data, columns, 1};
}

template <class T>
Strided<T> transposed(const Strided<T>& matrix) {
  return {matrix.data, matrix.column_stride, matrix.row_stride};
}

/// How many columns a panel has: it takes depth * panel_width values of T, in order of depth.
template <class T>
[[nodiscard]] std::size_t panel_width();

/// How many values of T the panels of a [depth, columns] matrix take. A caller whose columns come in blocks of a
/// multiple of panel_width has them at multiples of depth.
template <class T>
[[nodiscard]] std::size_t panels_size(std::size_t depth, std::size_t columns);

/// b, [depth, columns], as panels; zeros beyond the last column. Instantiated for (float, float), (double, float),
/// (double, double).
template <class T, class B>
void pack_panels(std::size_t depth, std::size_t columns, const Strided<const B>& b, T* panels);

/// c = a b, or c += a b; a: [rows, depth], c: [rows, columns] with rows `c_stride` apart. For four rows and more; fewer
/// go one by one. Instantiated for the same types.
template <class T, class A>
void multiply_panels(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a,
                     const T* panels, T* c, std::size_t c_stride, bool accumulate);

}  // namespace posenc
