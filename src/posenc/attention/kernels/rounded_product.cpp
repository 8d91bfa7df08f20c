#include "posenc/attention/kernels/rounded_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "posenc/attention/kernels/stored_product.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// A part's panels have as many values at most, and so have its sums: both stay in a cache.
constexpr std::size_t most_values = std::size_t{1} << 16;
constexpr std::size_t most_deep = 2048;
/// Fewer rows read b without packing it: a panel would be used once.
constexpr std::size_t few = 4;
/// A multiple of every panel's width; most_values / most_deep.
constexpr std::size_t least_columns = 32;

std::size_t whole(std::size_t columns) {
  return (std::min(columns, most_deep) + least_columns - 1) / least_columns * least_columns;
}

/// The extents of a part: rows in fours, and of `a` no more values either.
struct Parts {
  Parts(std::size_t all_depth, std::size_t all_columns)
      : depth(std::clamp(all_depth, std::size_t{1}, most_deep)),
        columns(std::clamp(most_values / depth / least_columns * least_columns, least_columns,
                           whole(std::max(all_columns, std::size_t{1})))),
        rows(most_values / std::max(columns, depth) / 4 * 4) {}

  std::size_t depth, columns, rows;
};

/// a, [rows, depth], row by row in double: widened once, and not for each panel that it meets.
void widen(std::size_t rows, std::size_t depth, const Strided<const float>& a, double* out) {
  constexpr std::size_t n = xsimd::batch<double>::size;
  for (std::size_t i = 0; i < rows; ++i) {
    double* const row = out + i * depth;
    std::size_t k = 0;
    if (a.column_stride == 1)
      for (; k + n <= depth; k += n) load_widened(a.at(i, k)).store_unaligned(row + k);
    for (; k < depth; ++k) row[k] = static_cast<double>(*a.at(i, k));
  }
}

/// c + bias, rounded, for one row.
void finish(std::size_t columns, const float* c, const float* bias, float* out) {
  if (bias == nullptr) return;
  using Batch = xsimd::batch<float>;
  std::size_t j = 0;
  for (; j + Batch::size <= columns; j += Batch::size)
    canonical(Batch::load_unaligned(c + j) + Batch::load_unaligned(bias + j)).store_unaligned(out + j);
  for (; j < columns; ++j) out[j] = canonical(Batch(c[j]) + Batch(bias[j])).get(0);
}

void finish(std::size_t columns, const double* c, const float* bias, float* out) {
  using Batch = xsimd::batch<double>;
  constexpr std::size_t n = Batch::size;
  const auto sum_at = [&](std::size_t j) {
    return canonical(Batch::load_unaligned(c + j) + (bias == nullptr ? Batch(-0.0) : load_widened(bias + j)));
  };
  std::size_t j = 0;
  for (; j + 2 * n <= columns; j += 2 * n) store_rounded(sum_at(j), sum_at(j + n), out + j);
  for (; j < columns; ++j) {
    const double sum = bias == nullptr ? c[j] : c[j] + static_cast<double>(bias[j]);
    out[j] = std::isnan(sum) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(sum);
  }
}

}  // namespace

template <class T>
Expected<RoundedProduct<T>> RoundedProduct<T>::make(std::initializer_list<Extents> extents) {
  std::size_t panels = 0, sums = 0, left = 0;
  for (const auto& [rows, depth, columns] : extents) {
    const std::size_t deep = std::min(depth, most_deep), high = std::min(rows, most_values);
    panels = std::max(panels, std::min(most_values, whole(columns) * deep));
    panels = std::max(panels, stored_scratch<T>(std::min(most_deep, std::max(deep, columns))));
    sums = std::max(sums, std::min(most_values, whole(columns) * high));
    left = std::max(left, std::min(most_values, high * deep));
  }
  const bool widens = std::is_same_v<T, double>;
  RoundedProduct made;
  POSENC_TRY(allocate({{made.memory_, widens ? panels + sums + left : panels}}, Fill::none));
  made.sums_ = panels;
  made.left_ = panels + sums;
  return made;
}

template <class T>
void RoundedProduct<T>::operator()(std::size_t rows, std::size_t columns, std::span<const Term> terms,
                                   const float* bias, float* out, std::size_t stride) {
  std::size_t deepest = 0;
  for (const Term& term : terms) deepest = std::max(deepest, term.depth);
  const Parts parts(deepest, columns);
  const bool pack_once = terms.size() == 1 && deepest <= parts.depth;
  T* const panels = memory_.data();
  for (std::size_t j = 0; j < columns; j += parts.columns)
    for (std::size_t i = 0; i < rows; i += parts.rows) {
      const std::size_t width = std::min(parts.columns, columns - j), height = std::min(parts.rows, rows - i);
      float* const to = out + i * stride + j;
      T* sums = panels + sums_;
      std::size_t sums_stride = width;
      if constexpr (std::is_same_v<T, float>) {
        sums = to;
        sums_stride = stride;
      }
      bool accumulate = false;
      const auto multiply = [&](std::size_t deep, Strided<const T> a, const Strided<const float>& b) {
        const bool more = std::exchange(accumulate, true);
        if (rows < few && b.column_stride == 1)
          return multiply_stored_rows<T>(height, deep, a, {b.data, width, b.row_stride}, sums, sums_stride, more,
                                         panels);
        if (rows < few && b.row_stride == 1)
          return multiply_stored_columns<T>(height, width, a, {b.data, deep, b.column_stride}, sums, sums_stride, more,
                                            panels);
        if (!pack_once || i == 0) pack_panels<T, float>(deep, width, b, panels);
        multiply_panels<T, T>(height, deep, width, a, panels, sums, sums_stride, more);
      };
      for (const Term& term : terms)
        for (std::size_t k = 0; k < term.depth; k += parts.depth) {
          const std::size_t deep = std::min(parts.depth, term.depth - k);
          const auto a = term.a.from(i, k);
          if constexpr (std::is_same_v<T, float>) {
            multiply(deep, a, term.b.from(k, j));
          } else {
            widen(height, deep, a, panels + left_);
            multiply(deep, {panels + left_, deep, 1}, term.b.from(k, j));
          }
        }
      // The sum of no products.
      if (!accumulate) multiply(0, {}, {});
      for (std::size_t row = 0; row < height; ++row)
        finish(width, sums + row * sums_stride, bias == nullptr ? nullptr : bias + j, to + row * stride);
    }
}

template class RoundedProduct<float>;
template class RoundedProduct<double>;

}  // namespace posenc
