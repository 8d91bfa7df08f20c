#pragma once

#include <cstddef>
#include <span>

#include "posenc/base/error.hpp"

namespace posenc {

/// An absolute encoding added to embeddings: out[b, p, :] = x[b, p, :] + table[p, :]. Any table [>= rows, dim] will do:
/// sinusoidal, learned, or printed in a book.
///
/// x and out: [batch, rows, dim], row-major; they may be the same memory. table: at least rows * dim values.
/// Errors: sizes that do not fit. Largest error: 0.5 ulp.
[[nodiscard]] Expected<void> add(std::span<const float> x, std::size_t rows, std::size_t dim,
                                 std::span<const float> table, std::span<float> out);

/// The table's gradient: d_table[p, :] = sum over b of d_out[b, p, :], in the order of b, in double, rounded once; rows
/// from `rows` on get 0. That of x is d_out itself.
///
/// d_out: [batch, rows, dim]; d_table: at least rows * dim values. Errors: sizes that do not fit.
/// Largest error: 0.501 ulp of the result + 2^-53 * batch * sum |d_out|.
[[nodiscard]] Expected<void> add_backward(std::span<const float> d_out, std::size_t rows, std::size_t dim,
                                          std::span<float> d_table);

}  // namespace posenc
