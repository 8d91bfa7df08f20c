#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/base/simd.hpp"

namespace posenc {

/// How the loops of a product are written: each step of the depth once, or four of them and other forms for matrices
/// that are read along rows or columns, in four times the code. The results are the same.
enum class Loops : std::uint8_t { compact, quick };

// A namespace of its own: a source that includes this is compiled together with others.
namespace panels {

/// Vectors of a panel: with four rows they make eight sums, and leave registers for what is multiplied.
inline constexpr std::size_t vectors = 2;

template <class T>
inline constexpr std::size_t width = vectors * xsimd::batch<T>::size;

/// Rows whose sums are kept in registers.
inline constexpr std::size_t tile_rows = 4;

/// So much of the depth is multiplied at once: a panel of it, and the rows beside it, stay in the nearest cache.
inline constexpr std::size_t depth_block = 512;
/// And so many rows: their part of `a` stays in the next cache while it meets each panel.
inline constexpr std::size_t row_block = 128;

/// Steps of the depth that are written out one after the other.
inline constexpr std::size_t steps = 4;

/// c (+)= a b for four rows of a and the first `count` vectors of a panel's columns. Where a has fewer `rows` the last
/// is taken again.
template <Loops loops, std::size_t count, class T, class A>
[[gnu::noinline]] void multiply_tile(std::size_t rows, std::size_t depth, const A* a, std::size_t row_stride,
                                     std::size_t column_stride, const T* panel, T* c, std::size_t c_stride,
                                     bool accumulate) {
  using Batch = xsimd::batch<T>;
  Batch sums[tile_rows][count];
  unrolled<tile_rows>([&](auto i) {
    unrolled<count>([&](auto j) {
      sums[i][j] = accumulate ? Batch::load_unaligned(c + i * c_stride + j * Batch::size) : Batch(T{0});
    });
  });
  const auto add_step = [&](auto k, auto value_of) {
    Batch factors[count];  // NOLINT(misc-const-correctness): written by what is unrolled
    unrolled<count>([&](auto j) { factors[j] = Batch::load_unaligned(panel + k * width<T> + j * Batch::size); });
    unrolled<tile_rows>([&](auto i) {
      const Batch factor(static_cast<T>(value_of(i)));
      unrolled<count>([&](auto j) { sums[i][j] = sums[i][j] + factor * factors[j]; });
    });
  };
  const auto row_of = [&](auto i) { return a + std::min<std::size_t>(i, rows - 1) * row_stride; };
  // Each step asks whether it was the last. Engines that compile WebAssembly put the loads of a block before its sums:
  // of several steps at once these would find no registers.
  const T* const end = panel + depth * width<T>;
  const auto ends_after = [&](auto k) { return panel + (k + 1) * width<T> == end; };
  if (loops == Loops::quick && column_stride == 1 && depth > 0) {
    const A* of_row[tile_rows];
    unrolled<tile_rows>([&](auto i) { of_row[i] = row_of(i); });
    while (!unrolled_until<steps>([&](auto k) {
      add_step(k, [&](auto i) { return of_row[i][k]; });
      return ends_after(k);
    })) {
      panel += steps * width<T>;
      unrolled<tile_rows>([&](auto i) { of_row[i] += steps; });
    }
  } else if (loops == Loops::quick && row_stride == 1 && rows >= tile_rows && depth > 0) {
    const A* of_step = a;
    while (!unrolled_until<steps>([&](auto k) {
      add_step(k, [&](auto i) { return of_step[i]; });
      of_step += column_stride;
      return ends_after(k);
    }))
      panel += steps * width<T>;
  } else {
    const A* of_row[tile_rows];
    unrolled<tile_rows>([&](auto i) { of_row[i] = row_of(i); });
    for (std::size_t k = 0; k < depth; ++k) {
      add_step(std::size_t{0}, [&](auto i) { return *of_row[i]; });
      unrolled<tile_rows>([&](auto i) { of_row[i] += column_stride; });
      panel += width<T>;
    }
  }
  unrolled<tile_rows>([&](auto i) {
    unrolled<count>([&](auto j) { canonical(sums[i][j]).store_unaligned(c + i * c_stride + j * Batch::size); });
  });
}

/// Multiplies up to four rows by up to all columns of a panel: all are multiplied, those that exist are written.
template <Loops loops, class T, class A>
void multiply_part(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a, const T* panel,
                   T* c, std::size_t c_stride, bool accumulate) {
  constexpr std::size_t lanes = xsimd::batch<T>::size;
  if (rows == tile_rows && columns >= width<T>)
    return multiply_tile<loops, vectors>(rows, depth, a.data, a.row_stride, a.column_stride, panel, c, c_stride,
                                         accumulate);
  if (loops == Loops::quick && rows == tile_rows && columns == lanes)
    return multiply_tile<loops, 1>(rows, depth, a.data, a.row_stride, a.column_stride, panel, c, c_stride, accumulate);
  T copy[tile_rows * width<T>] = {};
  const std::size_t count = std::min(columns, width<T>);
  if (accumulate)
    for (std::size_t i = 0; i < rows; ++i) std::copy_n(c + i * c_stride, count, copy + i * width<T>);
  multiply_tile<loops, vectors>(rows, depth, a.data, a.row_stride, a.column_stride, panel, copy, width<T>, accumulate);
  for (std::size_t i = 0; i < rows; ++i) std::copy_n(copy + i * width<T>, count, c + i * c_stride);
}

/// The first `count` columns of b as part of a panel.
template <Loops loops, class T, class B>
void pack_piece(std::size_t depth, std::size_t count, const Strided<const B>& b, T* panel) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t n = Batch::size;
  // How many vectors columns fill; where they do not, one goes by itself.
  const std::size_t filled = count >= width<T> ? vectors : loops == Loops::quick && count == n ? 1 : 0;
  std::size_t k = 0;
  if (filled > 0 && b.row_stride == 1) {
    // Columns that are rows in memory, such as keys: squares of them are transposed in registers.
    for (; k + n <= depth; k += n)
      for (std::size_t j = 0; j < width<T>; j += n) {
        xsimd::batch<T> square[n];
        if (loops == Loops::compact || j < filled * n)
          unrolled<n>([&](auto i) { square[i] = load_as<T>(b.at(k, j + i)); });
        else
          unrolled<n>([&](auto i) { square[i] = Batch(T{0}); });
        xsimd::transpose(square, square + n);
        unrolled<n>([&](auto i) { square[i].store_unaligned(panel + (k + i) * width<T> + j); });
      }
  } else if (filled > 0 && b.column_stride == 1) {
    for (; k < depth; ++k)
      unrolled<vectors>([&](auto v) {
        const Batch values = loops == Loops::compact || v < filled ? load_as<T>(b.at(k, v * n)) : Batch(T{0});
        values.store_unaligned(panel + k * width<T> + v * n);
      });
  }
  for (; k < depth; ++k) {
    T* const row = panel + k * width<T>;
    for (std::size_t j = 0; j < width<T>; ++j) row[j] = j < count ? static_cast<T>(*b.at(k, j)) : T{0};
  }
}

}  // namespace panels

/// pack_panels, by loops of this form.
template <Loops loops, class T, class B>
void pack_panels_by(std::size_t depth, std::size_t columns, const Strided<const B>& b, T* to) {
  for (std::size_t j = 0; j < columns; j += panels::width<T>)
    panels::pack_piece<loops>(depth, columns - j, b.from(0, j), to + j * depth);
}

/// multiply_panels, by loops of this form; where b was packed with more depth, by so much of it, `packed_depth`.
template <Loops loops, class T, class A>
void multiply_panels_by(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a,
                        const T* in_panels, std::size_t packed_depth, T* c, std::size_t c_stride, bool accumulate) {
  // A product of no depth is 0.
  for (std::size_t k = 0; k == 0 || k < depth; k += panels::depth_block)
    for (std::size_t i = 0; i < rows; i += panels::row_block)
      for (std::size_t j = 0; j < columns; j += panels::width<T>)
        for (std::size_t row = i; row < std::min(i + panels::row_block, rows); row += panels::tile_rows)
          panels::multiply_part<loops, T, A>(std::min(panels::tile_rows, rows - row),
                                             std::min(panels::depth_block, depth - k), columns - j, a.from(row, k),
                                             in_panels + j * packed_depth + k * panels::width<T>,
                                             c + row * c_stride + j, c_stride, accumulate || k > 0);
}

}  // namespace posenc
