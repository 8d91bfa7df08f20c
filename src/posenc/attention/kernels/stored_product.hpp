#pragma once

#include <cstddef>

#include "posenc/attention/kernels/matrix_product.hpp"
#include "posenc/attention/kernels/stored_rows.hpp"

namespace posenc {

// Products of few rows, such as those of a query that is decoded, with a b that is read where it is, once and in the
// order of memory: some of its stored rows at a time are copied, and multiplied while they are in the nearest cache.
// Elements of c are the chains of matrix_product.hpp. Instantiated for float and double.

/// How many values of T the functions below need beside the operands, where stored rows have this width.
template <class T>
[[nodiscard]] std::size_t stored_scratch(std::size_t row_width);

/// c (+)= a b where the rows of b are stored, such as values: [depth, b.width], of any depth but 0. `is_fast`: rows of
/// 16 bits have code of their own, which gives the same bits.
template <class T, bool is_fast = true>
void multiply_stored_rows(std::size_t rows, std::size_t depth, const Strided<const T>& a, const StoredRows& b, T* c,
                          std::size_t c_stride, bool accumulate, T* scratch);

/// c (+)= a b where the columns of b are stored, such as keys: [columns, b.width].
template <class T, bool is_fast = true>
void multiply_stored_columns(std::size_t rows, std::size_t columns, const Strided<const T>& a, const StoredRows& b,
                             T* c, std::size_t c_stride, bool accumulate, T* scratch);

}  // namespace posenc
