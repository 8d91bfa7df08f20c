#include "posenc/attention/kernels/matrix_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "posenc/base/simd.hpp"

namespace posenc {
namespace {

/// Vectors of a panel: with four rows they make eight sums, and leave registers for what is multiplied.
constexpr std::size_t vectors = 2;

template <class T>
constexpr std::size_t width = vectors * xsimd::batch<T>::size;

/// Rows whose sums are kept in registers.
constexpr std::size_t tile_rows = 4;

/// So much of the depth is multiplied at once: a panel of it, and the rows beside it, stay in the nearest cache.
constexpr std::size_t depth_block = 512;
/// And so many rows: their part of `a` stays in the next cache while it meets each panel.
constexpr std::size_t row_block = 128;

/// Steps of the depth that are written out one after the other.
constexpr std::size_t steps = 4;

/// c (+)= a b for four rows of a and the first `count` vectors of a panel's columns. Where a has fewer `rows` the last
/// is taken again.
template <std::size_t count, class T, class A>
[[gnu::noinline]] void multiply_tile(std::size_t rows, std::size_t depth, const Strided<const A>& a, const T* panel,
                                     T* c, std::size_t c_stride, bool accumulate) {
  using Batch = xsimd::batch<T>;
  Batch sums[tile_rows][count];
  unrolled<tile_rows>([&](auto i) {
    unrolled<count>([&](auto j) {
      sums[i][j] = accumulate ? Batch::load_unaligned(c + i * c_stride + j * Batch::size) : Batch(T{0});
    });
  });
  const auto add_step = [&](auto k, auto value_of) {
    Batch factors[count];
    unrolled<count>([&](auto j) { factors[j] = Batch::load_unaligned(panel + k * width<T> + j * Batch::size); });
    unrolled<tile_rows>([&](auto i) {
      const Batch factor(static_cast<T>(value_of(i)));
      unrolled<count>([&](auto j) { sums[i][j] = sums[i][j] + factor * factors[j]; });
    });
  };
  const T* const end = panel + depth * width<T>;
  // Each step asks whether it was the last. Engines that compile WebAssembly put the loads of a block before its sums:
  // of several steps at once these would find no registers.
  const auto ends_after = [&](auto k) { return panel + (k + 1) * width<T> == end; };
  const A* of_row[tile_rows];
  unrolled<tile_rows>([&](auto i) { of_row[i] = a.at(std::min<std::size_t>(i, rows - 1), 0); });
  if (a.column_stride == 1 && depth > 0) {
    while (!unrolled_until<steps>([&](auto k) {
      add_step(k, [&](auto i) { return of_row[i][k]; });
      return ends_after(k);
    })) {
      panel += steps * width<T>;
      unrolled<tile_rows>([&](auto i) { of_row[i] += steps; });
    }
  } else if (a.row_stride == 1 && rows >= tile_rows && depth > 0) {
    const A* of_step = a.data;
    while (!unrolled_until<steps>([&](auto k) {
      add_step(k, [&](auto i) { return of_step[i]; });
      of_step += a.column_stride;
      return ends_after(k);
    }))
      panel += steps * width<T>;
  } else {
    for (; panel != end; panel += width<T>) {
      add_step(std::size_t{0}, [&](auto i) { return *of_row[i]; });
      unrolled<tile_rows>([&](auto i) { of_row[i] += a.column_stride; });
    }
  }
  unrolled<tile_rows>([&](auto i) {
    unrolled<count>([&](auto j) { canonical(sums[i][j]).store_unaligned(c + i * c_stride + j * Batch::size); });
  });
}

/// The same for up to four rows and up to all columns of a panel: what is missing is multiplied and left out.
template <class T, class A>
void multiply_part(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a, const T* panel,
                   T* c, std::size_t c_stride, bool accumulate) {
  constexpr std::size_t lanes = xsimd::batch<T>::size;
  if (rows == tile_rows && columns >= width<T>)
    return multiply_tile<vectors>(rows, depth, a, panel, c, c_stride, accumulate);
  if (rows == tile_rows && columns == lanes) return multiply_tile<1>(rows, depth, a, panel, c, c_stride, accumulate);
  T copy[tile_rows * width<T>] = {};
  const std::size_t count = std::min(columns, width<T>);
  if (accumulate)
    for (std::size_t i = 0; i < rows; ++i) std::copy_n(c + i * c_stride, count, copy + i * width<T>);
  multiply_tile<vectors>(rows, depth, a, panel, copy, width<T>, accumulate);
  for (std::size_t i = 0; i < rows; ++i) std::copy_n(copy + i * width<T>, count, c + i * c_stride);
}

/// The first `count` columns of b as part of a panel.
template <class T, class B>
void pack_piece(std::size_t depth, std::size_t count, const Strided<const B>& b, T* panel) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t n = Batch::size;
  // How many vectors columns fill; where they do not, one goes by itself.
  const std::size_t filled = count >= width<T> ? vectors : count == n ? 1 : 0;
  std::size_t k = 0;
  if (filled > 0 && b.row_stride == 1) {
    // Columns that are rows in memory, such as keys: squares of them turned in registers.
    for (; k + n <= depth; k += n)
      unrolled<vectors>([&](auto v) {
        Batch square[n];
        unrolled<n>([&](auto i) { square[i] = v < filled ? load_as<T>(b.at(k, v * n + i)) : Batch(T{0}); });
        xsimd::transpose(square, square + n);
        unrolled<n>([&](auto i) { square[i].store_unaligned(panel + (k + i) * width<T> + v * n); });
      });
  } else if (filled > 0 && b.column_stride == 1) {
    for (; k < depth; ++k)
      unrolled<vectors>([&](auto v) {
        const Batch values = v < filled ? load_as<T>(b.at(k, v * n)) : Batch(T{0});
        values.store_unaligned(panel + k * width<T> + v * n);
      });
  }
  for (; k < depth; ++k) {
    T* const row = panel + k * width<T>;
    for (std::size_t j = 0; j < width<T>; ++j) row[j] = j < count ? static_cast<T>(*b.at(k, j)) : T{0};
  }
}

/// c (+)= a b for one element.
template <class T, class A, class B>
[[gnu::noinline]] void multiply_one(std::size_t depth, const Strided<const A>& a, const Strided<const B>& b, T& c,
                                    bool accumulate) {
  T sum = accumulate ? c : T{0};
  for (std::size_t k = 0; k < depth; ++k) sum += static_cast<T>(*a.at(0, k)) * static_cast<T>(*b.at(k, 0));
  c = std::isnan(sum) ? std::numeric_limits<T>::quiet_NaN() : sum;
}

/// How many rows of b are added at once where these stand together.
constexpr std::size_t row_group = 8;

/// c (+)= a b for one row of a and rows of b that stand together, such as values: a group of these in order of
/// memory, whole vectors of columns. A sum stays in a register for as many.
template <class T, class A, class B>
void multiply_along(std::size_t vector_count, const Strided<const A>& a, const Strided<const B>& b, T* c,
                    bool accumulate) {
  using Batch = xsimd::batch<T>;
  Batch factors[row_group];
  unrolled<row_group>([&](auto k) { factors[k] = Batch(static_cast<T>(*a.at(0, k))); });
  for (std::size_t j = 0; j < vector_count * Batch::size; j += Batch::size) {
    Batch sum = accumulate ? Batch::load_unaligned(c + j) : Batch(T{0});
    unrolled<row_group>([&](auto k) { sum = sum + factors[k] * load_as<T>(b.data + k * b.row_stride + j); });
    canonical(sum).store_unaligned(c + j);
  }
}

/// How many vectors of columns are summed at once where each column stands together.
constexpr std::size_t turned_vectors = 2;

/// One row of a against columns of b whose values stand together, such as keys: squares of these are turned in
/// registers.
template <class T, class A, class B>
void multiply_turned(std::size_t depth, const Strided<const A>& a, const Strided<const B>& b, T* c, bool accumulate) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t n = Batch::size;
  Batch sums[turned_vectors];
  unrolled<turned_vectors>([&](auto v) { sums[v] = accumulate ? Batch::load_unaligned(c + v * n) : Batch(T{0}); });
  std::size_t k = 0;
  for (; k + n <= depth; k += n)
    unrolled<turned_vectors>([&](auto v) {
      Batch square[n];
      unrolled<n>([&](auto i) { square[i] = load_as<T>(b.at(k, v * n + i)); });
      xsimd::transpose(square, square + n);
      unrolled<n>([&](auto i) { sums[v] = sums[v] + Batch(static_cast<T>(*a.at(0, k + i))) * square[i]; });
    });
  unrolled<turned_vectors>([&](auto v) { canonical(sums[v]).store_unaligned(c + v * n); });
  for (std::size_t j = 0; k < depth && j < turned_vectors * n; ++j)
    multiply_one(depth - k, a.from(0, k), b.from(k, j), c[j], true);
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
  for (std::size_t j = 0; j < columns; j += width<T>) pack_piece(depth, columns - j, b.from(0, j), panels + j * depth);
}

template <class T, class A>
void multiply_panels(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a,
                     const T* panels, T* c, std::size_t c_stride, bool accumulate) {
  // A product of no depth is 0.
  for (std::size_t k = 0; k == 0 || k < depth; k += depth_block)
    for (std::size_t i = 0; i < rows; i += row_block)
      for (std::size_t j = 0; j < columns; j += width<T>)
        for (std::size_t row = i; row < std::min(i + row_block, rows); row += tile_rows)
          multiply_part<T, A>(std::min(tile_rows, rows - row), std::min(depth_block, depth - k), columns - j,
                              a.from(row, k), panels + j * depth + k * width<T>, c + row * c_stride + j, c_stride,
                              accumulate || k > 0);
}

template <class T, class A, class B>
void multiply_unpacked(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a,
                       const Strided<const B>& b, T* c, std::size_t c_stride, bool accumulate) {
  constexpr std::size_t n = xsimd::batch<T>::size, turned = turned_vectors * n;
  std::size_t j = 0;
  if (b.column_stride == 1) {
    std::size_t k = 0;
    for (; k + row_group <= depth; k += row_group)
      for (std::size_t i = 0; i < rows; ++i)
        multiply_along<T, A, B>(columns / n, a.from(i, k), b.from(k, 0), c + i * c_stride, accumulate || k > 0);
    if (k > 0) {
      j = columns / n * n;
      for (std::size_t rest = 0; k < depth && rest < j; ++rest)
        for (std::size_t i = 0; i < rows; ++i)
          multiply_one<T, A, B>(depth - k, a.from(i, k), b.from(k, rest), c[i * c_stride + rest], true);
    }
  } else if (b.row_stride == 1) {
    for (; j + turned <= columns; j += turned)
      for (std::size_t i = 0; i < rows; ++i)
        multiply_turned<T, A, B>(depth, a.from(i, 0), b.from(0, j), c + i * c_stride + j, accumulate);
  }
  for (; j < columns; ++j)
    for (std::size_t i = 0; i < rows; ++i)
      multiply_one<T, A, B>(depth, a.from(i, 0), b.from(0, j), c[i * c_stride + j], accumulate);
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
