#include "posenc/attention/kernels/matrix_product.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "posenc/base/simd.hpp"

namespace posenc {
namespace {

/// Vectors of a panel: with four rows they make eight sums, and leave registers for what is multiplied.
constexpr std::size_t vectors = 2;

template <class T>
constexpr std::size_t width = vectors * xsimd::batch<T>::size;

/// Rows times panels of what is kept in registers.
constexpr std::size_t tile_rows = 4, row_panels = 4;

/// So much of the depth is multiplied at once: a panel of it, and the rows beside it, stay in the nearest cache.
constexpr std::size_t depth_block = 512;
/// And so many rows: their part of `a` stays in the next cache while it meets each panel.
constexpr std::size_t row_block = 128;

template <class T>
xsimd::batch<T> canonical(const xsimd::batch<T>& x) {
  return xsimd::select(x == x, x, xsimd::batch<T>(std::numeric_limits<T>::quiet_NaN()));
}

/// b as the kernel reads it: the vectors of row k and panel p from data + k * step + p * panel_stride on.
template <class T>
struct Panels {
  const T* data;
  std::size_t step, panel_stride;
};

/// c (+)= a b for `rows` rows and `panels` panels, all of their columns.
template <std::size_t rows, std::size_t panels, class T, class A>
void multiply_tile(std::size_t depth, const Strided<const A>& a, const Panels<T>& b, T* c, std::size_t c_stride,
                   bool accumulate) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t columns = panels * vectors;
  Batch sums[rows][columns];
  unrolled<rows>([&](auto i) {
    unrolled<columns>([&](auto j) {
      sums[i][j] = accumulate ? Batch::load_unaligned(c + i * c_stride + j * Batch::size) : Batch(T{0});
    });
  });
  const A* of_row[rows];
  unrolled<rows>([&](auto i) { of_row[i] = a.at(i, 0); });
  const T* from = b.data;
  for (std::size_t k = 0; k < depth; ++k) {
    Batch factors[columns];
    unrolled<columns>([&](auto j) {
      factors[j] = Batch::load_unaligned(from + j / vectors * b.panel_stride + j % vectors * Batch::size);
    });
    unrolled<rows>([&](auto i) {
      const Batch factor(static_cast<T>(*of_row[i]));
      of_row[i] += a.column_stride;
      unrolled<columns>([&](auto j) { sums[i][j] = sums[i][j] + factor * factors[j]; });
    });
    from += b.step;
  }
  unrolled<rows>([&](auto i) {
    unrolled<columns>([&](auto j) { canonical(sums[i][j]).store_unaligned(c + i * c_stride + j * Batch::size); });
  });
}

/// The same of which only the first `columns` columns are there: by way of a copy of c.
template <std::size_t rows, std::size_t panels, class T, class A>
void multiply_part(std::size_t depth, std::size_t columns, const Strided<const A>& a, const Panels<T>& b, T* c,
                   std::size_t c_stride, bool accumulate) {
  constexpr std::size_t most = panels * width<T>;
  if (columns >= most) return multiply_tile<rows, panels>(depth, a, b, c, c_stride, accumulate);
  T copy[rows * most] = {};
  if (accumulate)
    for (std::size_t i = 0; i < rows; ++i) std::copy_n(c + i * c_stride, columns, copy + i * most);
  multiply_tile<rows, panels>(depth, a, b, copy, most, accumulate);
  for (std::size_t i = 0; i < rows; ++i) std::copy_n(copy + i * most, columns, c + i * c_stride);
}

/// Rows in fours against one panel; a row that is left over, as all of few, against one panel as well.
template <class T, class A>
void multiply_rows(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a,
                   const Panels<T>& b, T* c, std::size_t c_stride, bool accumulate) {
  std::size_t i = 0;
  for (; i + tile_rows <= rows; i += tile_rows)
    multiply_part<tile_rows, 1>(depth, columns, a.from(i, 0), b, c + i * c_stride, c_stride, accumulate);
  for (; i < rows; ++i) multiply_part<1, 1>(depth, columns, a.from(i, 0), b, c + i * c_stride, c_stride, accumulate);
}

/// b[k, column ... column + count - 1] as part of a panel.
template <class T, class B>
void pack_piece(std::size_t depth, std::size_t count, const Strided<const B>& b, T* panel) {
  constexpr std::size_t n = xsimd::batch<T>::size;
  std::size_t k = 0;
  if constexpr (std::is_same_v<T, B> && n <= 8) {
    // Columns that are rows in memory, such as keys: squares of them turned in registers.
    if (b.row_stride == 1 && count == width<T>)
      for (; k + n <= depth; k += n)
        for (std::size_t j = 0; j < width<T>; j += n) {
          xsimd::batch<T> square[n];
          for (std::size_t i = 0; i < n; ++i) square[i] = xsimd::batch<T>::load_unaligned(b.at(k, j + i));
          xsimd::transpose(square, square + n);
          for (std::size_t i = 0; i < n; ++i) square[i].store_unaligned(panel + (k + i) * width<T> + j);
        }
  }
  for (; k < depth; ++k) {
    T* const row = panel + k * width<T>;
    for (std::size_t j = 0; j < width<T>; ++j) row[j] = j < count ? static_cast<T>(*b.at(k, j)) : T{0};
  }
}

}  // namespace

template <class T>
std::size_t panel_width() {
  return width<T>;
}

template <class T>
std::size_t panels_size(std::size_t depth, std::size_t columns) {
  return (columns + width<T> - 1) / width<T> * width<T> * depth;
}

template <class T, class B>
void pack_panels(std::size_t depth, std::size_t columns, const Strided<const B>& b, T* panels) {
  for (std::size_t j = 0; j < columns; j += width<T>)
    pack_piece(depth, std::min(width<T>, columns - j), b.from(0, j), panels + j * depth);
}

template <class T, class A>
void multiply_panels(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a,
                     const T* panels, T* c, std::size_t c_stride, bool accumulate) {
  // A product of no depth is 0.
  for (std::size_t k = 0; k == 0 || k < depth; k += depth_block)
    for (std::size_t i = 0; i < rows; i += row_block)
      for (std::size_t j = 0; j < columns; j += width<T>)
        multiply_rows<T, A>(std::min(row_block, rows - i), std::min(depth_block, depth - k), columns - j, a.from(i, k),
                            {panels + j * depth + k * width<T>, width<T>, 0}, c + i * c_stride + j, c_stride,
                            accumulate || k > 0);
}

template <class T, class A, class B>
void multiply_unpacked(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a,
                       const Strided<const B>& b, T* c, std::size_t c_stride, bool accumulate) {
  constexpr std::size_t most = row_panels * width<T>, piece = 32;
  const bool in_place = std::is_same_v<T, B> && b.column_stride == 1;
  for (std::size_t k = 0; k == 0 || k < depth; k += piece) {
    const std::size_t deep = std::min(piece, depth - k);
    for (std::size_t j = 0; j < columns; j += most) {
      const std::size_t count = std::min(most, columns - j);
      T copy[piece * most];
      Panels<T> from{copy, width<T>, piece * width<T>};
      bool read = false;
      if constexpr (std::is_same_v<T, B>) {
        read = in_place && count == most;
        if (read) from = {b.at(k, j), b.row_stride, width<T>};
      }
      for (std::size_t p = 0; p < (read ? 0 : row_panels) && p * width<T> < count; ++p)
        pack_piece(deep, std::min(width<T>, count - p * width<T>), b.from(k, j + p * width<T>),
                   copy + p * piece * width<T>);
      for (std::size_t i = 0; i < rows; ++i)
        multiply_part<1, row_panels>(deep, count, a.from(i, k), from, c + i * c_stride + j, c_stride,
                                     accumulate || k > 0);
    }
  }
}

template std::size_t panel_width<float>();
template std::size_t panel_width<double>();
template std::size_t panels_size<float>(std::size_t, std::size_t);
template std::size_t panels_size<double>(std::size_t, std::size_t);
template void pack_panels(std::size_t, std::size_t, const Strided<const float>&, float*);
template void pack_panels(std::size_t, std::size_t, const Strided<const float>&, double*);
template void pack_panels(std::size_t, std::size_t, const Strided<const double>&, double*);
template void multiply_panels(std::size_t, std::size_t, std::size_t, const Strided<const float>&, const float*, float*,
                              std::size_t, bool);
template void multiply_panels(std::size_t, std::size_t, std::size_t, const Strided<const float>&, const double*,
                              double*, std::size_t, bool);
template void multiply_panels(std::size_t, std::size_t, std::size_t, const Strided<const double>&, const double*,
                              double*, std::size_t, bool);
template void multiply_unpacked(std::size_t, std::size_t, std::size_t, const Strided<const float>&,
                                const Strided<const float>&, float*, std::size_t, bool);
template void multiply_unpacked(std::size_t, std::size_t, std::size_t, const Strided<const float>&,
                                const Strided<const float>&, double*, std::size_t, bool);
template void multiply_unpacked(std::size_t, std::size_t, std::size_t, const Strided<const double>&,
                                const Strided<const float>&, double*, std::size_t, bool);

}  // namespace posenc
