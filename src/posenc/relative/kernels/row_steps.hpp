#pragma once

#include <cstddef>

#include "posenc/attention/kernels/row_sum.hpp"
#include "posenc/base/simd.hpp"

namespace posenc {

// Adds up rows of scores and weights. For sources under VECTORS. Not inlined: each would be several copies in the
// download.

/// to[k] += from[k]
template <class T>
[[gnu::noinline]] void add_row(const T* from, std::size_t count, T* to) {
  using Batch = xsimd::batch<T>;
  std::size_t k = 0;
  for (; k + 4 * Batch::size <= count; k += 4 * Batch::size)
    unrolled<4>([&](auto v) {
      T* const at = to + k + v * Batch::size;
      (Batch::load_unaligned(at) + Batch::load_unaligned(from + k + v * Batch::size)).store_unaligned(at);
    });
  for (; k < count; ++k) to[k] += from[k];
}

/// to[k] += value
template <class T>
[[gnu::noinline]] void add_value(T value, std::size_t count, T* to) {
  using Batch = xsimd::batch<T>;
  const Batch values(value);
  std::size_t k = 0;
  for (; k + 4 * Batch::size <= count; k += 4 * Batch::size)
    unrolled<4>([&](auto v) {
      T* const at = to + k + v * Batch::size;
      (Batch::load_unaligned(at) + values).store_unaligned(at);
    });
  for (; k < count; ++k) to[k] += value;
}

/// to[k] += factor * from[k]: of rows that are often short.
template <class T>
[[gnu::noinline]] void add_multiple(T factor, const T* from, std::size_t count, T* to) {
  using Batch = xsimd::batch<T>;
  const Batch factors(factor);
  std::size_t k = 0;
  for (; k + Batch::size <= count; k += Batch::size)
    (Batch::load_unaligned(to + k) + factors * Batch::load_unaligned(from + k)).store_unaligned(to + k);
  for (; k < count; ++k) to[k] += factor * from[k];
}

/// The sum of a row, in RowSum's order.
template <class T>
[[nodiscard, gnu::noinline]] T sum_of_row(const T* values, std::size_t count) {
  using Batch = xsimd::batch<T>;
  RowSum<T> sum;
  std::size_t k = 0;
  for (; k + RowSum<T>::parts <= count; k += RowSum<T>::parts)
    unrolled<RowSum<T>::vectors>([&](auto v) { sum.add(v, Batch::load_unaligned(values + k + v * Batch::size)); });
  return sum.total(values + k, count - k);
}

/// The sum of a[k] b[k], in RowSum's order.
template <class T>
[[nodiscard, gnu::noinline]] T product_of_rows(const T* a, const T* b, std::size_t count) {
  using Batch = xsimd::batch<T>;
  RowSum<T> sum;
  std::size_t k = 0;
  for (; k + RowSum<T>::parts <= count; k += RowSum<T>::parts)
    unrolled<RowSum<T>::vectors>([&](auto v) {
      const std::size_t at = k + v * Batch::size;
      sum.add(v, Batch::load_unaligned(a + at) * Batch::load_unaligned(b + at));
    });
  T rest[RowSum<T>::parts];
  for (std::size_t i = 0; k + i < count; ++i) rest[i] = a[k + i] * b[k + i];
  return sum.total(rest, count - k);
}

}  // namespace posenc
