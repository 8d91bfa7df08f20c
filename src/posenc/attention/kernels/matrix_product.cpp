#include "posenc/attention/kernels/matrix_product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "posenc/attention/kernels/panel_loops.hpp"
#include "posenc/base/simd.hpp"

namespace posenc {
namespace {

using panels::width;

/// c (+)= a b for one element.
template <class T, class A, class B>
[[gnu::noinline]] void multiply_one(std::size_t depth, const Strided<const A>& a, const Strided<const B>& b, T& c,
                                    bool accumulate) {
  T sum = accumulate ? c : T{0};
  for (std::size_t k = 0; k < depth; ++k) sum += static_cast<T>(*a.at(0, k)) * static_cast<T>(*b.at(k, 0));
  c = std::isnan(sum) ? std::numeric_limits<T>::quiet_NaN() : sum;
}

/// How many contiguous rows of b are added at once.
constexpr std::size_t row_group = 8;

/// c (+)= a b for one row of a and contiguous rows of b, such as values: a group of these in order of memory, whole
/// vectors of columns. A sum stays in a register for one group.
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

/// How many vectors of contiguous columns are summed at once.
constexpr std::size_t transposed_vectors = 2;

/// c (+)= a b for one row of a and contiguous columns of b, such as keys: squares of them are transposed in registers.
template <class T, class A, class B>
void multiply_transposed(std::size_t depth, const Strided<const A>& a, const Strided<const B>& b, T* c,
                         bool accumulate) {
  using Batch = xsimd::batch<T>;
  constexpr std::size_t n = Batch::size;
  Batch sums[transposed_vectors];
  unrolled<transposed_vectors>([&](auto v) { sums[v] = accumulate ? Batch::load_unaligned(c + v * n) : Batch(T{0}); });
  std::size_t k = 0;
  for (; k + n <= depth; k += n)
    unrolled<transposed_vectors>([&](auto v) {
      Batch square[n];
      unrolled<n>([&](auto i) { square[i] = load_as<T>(b.at(k, v * n + i)); });
      xsimd::transpose(square, square + n);
      unrolled<n>([&](auto i) { sums[v] = sums[v] + Batch(static_cast<T>(*a.at(0, k + i))) * square[i]; });
    });
  unrolled<transposed_vectors>([&](auto v) { canonical(sums[v]).store_unaligned(c + v * n); });
  for (std::size_t j = 0; k < depth && j < transposed_vectors * n; ++j)
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
  pack_panels_by<Loops::compact>(depth, columns, b, panels);
}

template <class T, class A>
void multiply_panels(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a,
                     const T* in_panels, T* c, std::size_t c_stride, bool accumulate) {
  multiply_panels_by<Loops::compact>(rows, depth, columns, a, in_panels, depth, c, c_stride, accumulate);
}

template <class T, class A, class B>
void multiply_unpacked(std::size_t rows, std::size_t depth, std::size_t columns, const Strided<const A>& a,
                       const Strided<const B>& b, T* c, std::size_t c_stride, bool accumulate) {
  constexpr std::size_t n = xsimd::batch<T>::size, step = transposed_vectors * n;
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
    for (; j + step <= columns; j += step)
      for (std::size_t i = 0; i < rows; ++i)
        multiply_transposed<T, A, B>(depth, a.from(i, 0), b.from(0, j), c + i * c_stride + j, accumulate);
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
