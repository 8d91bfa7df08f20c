#include "posenc/attention/kernels/stored_product.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "posenc/attention/kernels/panel_loops.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/words16.hpp"

namespace posenc {
namespace {

using panels::width;

/// Fewer rows of a than these meet b's as they are, one by one; more meet panels of it, which take a while to pack.
constexpr std::size_t few_rows = 16;

/// How many contiguous rows of b are added at once.
constexpr std::size_t row_group = 8;

/// So many stored rows are copied, and then multiplied while the nearest cache has them: whole groups, and panels.
template <class T>
constexpr std::size_t stored_rows = std::max(row_group, width<T>);

template <class T>
void make_canonical(std::size_t size, T* values) {
  for (std::size_t i = 0; i < size; ++i)
    if (std::isnan(values[i])) values[i] = std::numeric_limits<T>::quiet_NaN();
}

/// c += factor times a row of b.
template <class T, class B>
void add_multiple(std::size_t columns, T factor, const B* row, T* c) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t n = Batch::size, at_once = 8;
  const Batch factors(factor);
  const auto add = [&](std::size_t j) {
    (Batch::load_unaligned(c + j) + factors * load_as<T>(row + j)).store_unaligned(c + j);
  };
  std::size_t j = 0;
  for (; j + at_once * n <= columns; j += at_once * n) unrolled<at_once>([&](auto v) { add(j + v * n); });
  for (; j < columns; ++j) c[j] += factor * static_cast<T>(row[j]);
}

/// c (+)= a b for one row of a and as many columns of b as a panel has, [width, depth] in memory: squares of products
/// are transposed in registers, and then summed in order.
template <class T>
void add_dot_products(std::size_t depth, const T* a, const T* b, T* c, bool accumulate) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t n = Batch::size;
  Batch sums[panels::vectors];
  unrolled<panels::vectors>([&](auto v) { sums[v] = accumulate ? Batch::load_unaligned(c + v * n) : Batch(T{0}); });
  for (std::size_t k = 0; k < depth; k += n) {
    const auto factors = Batch::load_unaligned(a + k);
    unrolled<panels::vectors>([&](auto v) {
      Batch square[n];
      unrolled<n>([&](auto i) { square[i] = factors * Batch::load_unaligned(b + (v * n + i) * depth + k); });
      xsimd::transpose(square, square + n);
      unrolled<n>([&](auto i) { sums[v] = sums[v] + square[i]; });
    });
  }
  unrolled<panels::vectors>([&](auto v) { canonical(sums[v]).store_unaligned(c + v * n); });
}

// Rows of 16 bits are multiplied as they are in memory, two values in a word, and widened in registers: float16 to
// values that are small_scale too small, which the factors of a make up for. Both are exact, unless a factor becomes
// infinite or a value was: then these functions stop, and the others go on.

#if XSIMD_WITH_EMULATED
// Where vectors are arrays, what has one type cannot be read as another.
template <class T>
constexpr bool has_words = false;
#else
template <class T>
constexpr bool has_words = std::is_same_v<T, float>;
#endif

/// Panels of words that are multiplied at once: their sums are four chains beside each other.
constexpr std::size_t word_panels = 2;

/// The stored columns of 16 bits that are multiplied at once.
constexpr std::size_t word_columns = word_panels * width<float>;

/// factors = a times small_scale, as many as there are; whether all are finite.
template <class H>
bool scale_factors(std::size_t count, const Strided<const float>& a, float* factors) {
  float sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += std::fabs(factors[k] = *a.at(0, k) * small_scale<H>);
  return std::is_same_v<H, BFloat16> || sum <= std::numeric_limits<float>::max();
}

/// Copies rows of 16 bits as they are; whether widen_small is right for all.
template <class H>
bool copy_words(const StoredRows& rows, std::size_t first, std::size_t count, std::uint16_t* to) {
  constexpr std::size_t at_once = 4;
  const auto* from = static_cast<const std::uint16_t*>(rows.data) + first * rows.stride;
  const std::size_t together = rows.stride == rows.width ? count : 1, size = together * rows.width;
  Shorts largest(std::uint16_t{0});  // NOLINT(misc-const-correctness): written by what is unrolled
  const auto copy = [&](std::size_t i) {
    const Words words = load_words(from + i);
    store_words(words, to + i);
    if constexpr (std::is_same_v<H, Float16>)
      largest = xsimd::max(largest, detail::shorts_of(words & Words(0x7fff7fff)));
  };
  for (std::size_t row = 0; row < count; row += together, from += rows.stride, to += rows.width) {
    std::size_t i = 0;
    for (; i + at_once * word_values <= size; i += at_once * word_values)
      unrolled<at_once>([&](auto k) { copy(i + k * word_values); });
    for (; i < size; i += word_values) copy(i);
  }
  return !detail::any_above(largest, 0x7bff);
}

/// c (+)= a b for one row of scaled factors and panels of words, each [size, width].
template <class H>
void add_word_products(std::size_t size, const float* factors, const float* words, float* c, bool accumulate) {
  constexpr std::size_t n = Floats::size, count = word_panels * panels::vectors;
  Floats sums[count];  // NOLINT(misc-const-correctness): written by what is unrolled
  unrolled<count>([&](auto v) { sums[v] = accumulate ? Floats::load_unaligned(c + v * n) : Floats(0.0f); });
  for (std::size_t k = 0; k < size; ++k) {
    const Floats low(factors[2 * k]), high(factors[2 * k + 1]);
    unrolled<count>([&](auto v) {
      const float* const panel = words + v / panels::vectors * size * width<float> + v % panels::vectors * n;
      const FloatPair values =
          widen_small<H>(xsimd::bitwise_cast<std::int32_t>(Floats::load_unaligned(panel + k * width<float>)));
      sums[v] = sums[v] + low * values.low;
      sums[v] = sums[v] + high * values.high;
    });
  }
  unrolled<count>([&](auto v) { canonical(sums[v]).store_unaligned(c + v * n); });
}

/// Adds a group of rows of words times their scaled factors to sums of lower and of upper values.
template <class H>
void add_word_multiples(std::size_t columns, const float* factors, const std::uint16_t* words, float* low,
                        float* high) {
  for (std::size_t j = 0; j < columns; j += word_values) {
    FloatPair sums{Floats::load_unaligned(low + j / 2), Floats::load_unaligned(high + j / 2)};
    unrolled<row_group>([&](auto k) {
      const FloatPair moved = widen_small<H>(load_words(words + k * columns + j)) * Floats(factors[k]);
      sums = {sums.low + moved.low, sums.high + moved.high};
    });
    sums.low.store_unaligned(low + j / 2);
    sums.high.store_unaligned(high + j / 2);
  }
}

/// The first columns of multiply_stored_columns, by words; how many.
template <class H>
std::size_t multiply_word_columns(std::size_t rows, std::size_t columns, const Strided<const float>& a,
                                  const StoredRows& b, float* c, std::size_t c_stride, bool accumulate,
                                  float* scratch) {
  const std::size_t depth = b.width;
  if (rows >= few_rows || depth % word_values != 0) return 0;
  float* const factors = scratch;
  float* const words = factors + few_rows * depth;
  float* const to_panels = words + word_columns * depth / 2;
  for (std::size_t i = 0; i < rows; ++i)
    if (!scale_factors<H>(depth, a.from(i, 0), factors + i * depth)) return 0;
  std::size_t j = 0;
  for (; j + word_columns <= columns; j += word_columns) {
    if (!copy_words<H>(b, j, word_columns, reinterpret_cast<std::uint16_t*>(words))) break;
    pack_panels<float, float>(depth / 2, word_columns, transposed(row_major<const float>(words, depth / 2)), to_panels);
    for (std::size_t i = 0; i < rows; ++i)
      add_word_products<H>(depth / 2, factors + i * depth, to_panels, c + i * c_stride + j, accumulate);
  }
  return j;
}

/// The first rows of multiply_stored_rows, by words; how many.
template <class H>
std::size_t multiply_word_rows(std::size_t rows, std::size_t depth, const Strided<const float>& a, const StoredRows& b,
                               float* c, std::size_t c_stride, bool accumulate, float* scratch) {
  const std::size_t columns = b.width, half = columns / 2;
  if (rows >= few_rows || columns % word_values != 0) return 0;
  float* const sums = scratch;
  auto* const words = reinterpret_cast<std::uint16_t*>(sums + few_rows * columns);
  std::fill_n(sums, rows * columns, 0.0f);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < (accumulate ? half : 0); ++j) {
      sums[i * columns + j] = c[i * c_stride + 2 * j];
      sums[i * columns + half + j] = c[i * c_stride + 2 * j + 1];
    }
  std::size_t k = 0;
  for (; k + row_group <= depth; k += row_group) {
    float factors[few_rows][row_group];
    bool is_right = copy_words<H>(b, k, row_group, words);
    for (std::size_t i = 0; i < rows; ++i) is_right = scale_factors<H>(row_group, a.from(i, k), factors[i]) && is_right;
    if (!is_right) break;
    for (std::size_t i = 0; i < rows; ++i)
      add_word_multiples<H>(columns, factors[i], words, sums + i * columns, sums + i * columns + half);
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < half; j += Floats::size)
      store_interleaved({canonical(Floats::load_unaligned(sums + i * columns + j)),
                         canonical(Floats::load_unaligned(sums + i * columns + half + j))},
                        c + i * c_stride + 2 * j);
  return k;
}

}  // namespace

template <class T>
std::size_t stored_scratch(std::size_t row_width) {
  return (stored_rows<T> + width<T>)*(2 * row_width + width<T>);
}

template <class T, bool is_fast>
void multiply_stored_rows(std::size_t rows, std::size_t depth, const Strided<const T>& a, const StoredRows& b, T* c,
                          std::size_t c_stride, bool accumulate, T* scratch) {
  const std::size_t columns = b.width;
  T* const to_panels = scratch + stored_rows<T> * columns;
  std::size_t k = 0;
  if constexpr (is_fast && has_words<T>) {
    if (b.dtype == DType::float16) k = multiply_word_rows<Float16>(rows, depth, a, b, c, c_stride, accumulate, scratch);
    if (b.dtype == DType::bfloat16)
      k = multiply_word_rows<BFloat16>(rows, depth, a, b, c, c_stride, accumulate, scratch);
  }
  for (; k < depth; k += stored_rows<T>) {
    const std::size_t count = std::min(stored_rows<T>, depth - k);
    const bool is_wide = b.dtype == DType::float32;
    if (!is_wide || rows >= few_rows) read_rows(b, k, count, scratch);
    if (rows >= few_rows) {
      pack_panels<T, T>(count, columns, row_major<const T>(scratch, columns), to_panels);
      multiply_panels<T, T>(rows, count, columns, a.from(0, k), to_panels, c, c_stride, accumulate || k > 0);
      continue;
    }
    // A row at a time, and c in the nearest cache: memory is then read as fast as it can be.
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t i = 0; i < rows; ++i) {
        T* const to = c + i * c_stride;
        if (!accumulate && k + row == 0) std::fill_n(to, columns, T{0});
        const T factor = *a.at(i, k + row);
        if (is_wide)
          add_multiple(columns, factor, static_cast<const float*>(b.data) + (k + row) * b.stride, to);
        else
          add_multiple(columns, factor, scratch + row * columns, to);
      }
  }
  for (std::size_t i = 0; i < (rows < few_rows ? rows : 0); ++i) make_canonical(columns, c + i * c_stride);
}

template <class T, bool is_fast>
void multiply_stored_columns(std::size_t rows, std::size_t columns, const Strided<const T>& a, const StoredRows& b,
                             T* c, std::size_t c_stride, bool accumulate, T* scratch) {
  if (rows == 0) return;  // c may be null then
  const std::size_t depth = b.width;
  T* const to_panels = scratch + stored_rows<T> * depth;
  std::size_t j = 0;
  if constexpr (is_fast && has_words<T>) {
    if (b.dtype == DType::float16)
      j = multiply_word_columns<Float16>(rows, columns, a, b, c, c_stride, accumulate, scratch);
    if (b.dtype == DType::bfloat16)
      j = multiply_word_columns<BFloat16>(rows, columns, a, b, c, c_stride, accumulate, scratch);
  }
  for (; j < columns; j += stored_rows<T>) {
    const std::size_t count = std::min(stored_rows<T>, columns - j);
    read_rows(b, j, count, scratch);
    if (rows < few_rows && count % width<T> == 0 && depth % xsimd::batch<T>::size == 0 && a.column_stride == 1) {
      for (std::size_t panel = 0; panel < count; panel += width<T>)
        for (std::size_t i = 0; i < rows; ++i)
          add_dot_products<T>(depth, a.at(i, 0), scratch + panel * depth, c + i * c_stride + j + panel, accumulate);
    } else {
      pack_panels<T, T>(depth, count, transposed(row_major<const T>(scratch, depth)), to_panels);
      multiply_panels<T, T>(rows, depth, count, a, to_panels, c + j, c_stride, accumulate);
    }
  }
}

template std::size_t stored_scratch<float>(std::size_t);
template std::size_t stored_scratch<double>(std::size_t);
template void multiply_stored_rows<float, true>(std::size_t, std::size_t, const Strided<const float>&,
                                                const StoredRows&, float*, std::size_t, bool, float*);
template void multiply_stored_rows<float, false>(std::size_t, std::size_t, const Strided<const float>&,
                                                 const StoredRows&, float*, std::size_t, bool, float*);
template void multiply_stored_rows<double, true>(std::size_t, std::size_t, const Strided<const double>&,
                                                 const StoredRows&, double*, std::size_t, bool, double*);
template void multiply_stored_columns<float, true>(std::size_t, std::size_t, const Strided<const float>&,
                                                   const StoredRows&, float*, std::size_t, bool, float*);
template void multiply_stored_columns<float, false>(std::size_t, std::size_t, const Strided<const float>&,
                                                    const StoredRows&, float*, std::size_t, bool, float*);
template void multiply_stored_columns<double, true>(std::size_t, std::size_t, const Strided<const double>&,
                                                    const StoredRows&, double*, std::size_t, bool, double*);

}  // namespace posenc
