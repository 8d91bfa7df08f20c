#pragma once

#include <cstddef>
#include <span>

#include "posenc/base/error.hpp"

namespace posenc {

/// An absolute encoding added to embeddings: out[b, p, i, :] = x[b, p, i, :] + table[p, :]. Any table [>= rows, dim]
/// will do: sinusoidal, learned, or printed in a book.
///
/// x and out: [batch, rows, inner, dim], row-major; they may be the same memory. table: at least rows * dim values.
/// Errors: sizes that do not fit. Largest error: 0.5 ulp.
[[nodiscard]] Expected<void> add(std::span<const float> x, std::size_t rows, std::size_t dim,
                                 std::span<const float> table, std::span<float> out, std::size_t inner = 1);

/// The table's gradient: d_table[p, :] = sum over b and i of d_out[b, p, i, :], in their order, in double, rounded
/// once; rows from `rows` on get 0. That of x is d_out itself.
///
/// d_out: [batch, rows, inner, dim]; d_table: at least rows * dim values. Errors: sizes that do not fit.
/// Largest error: 0.501 ulp of the result + 2^-53 * batch * inner * sum |d_out|.
[[nodiscard]] Expected<void> add_backward(std::span<const float> d_out, std::size_t rows, std::size_t dim,
                                          std::span<float> d_table, std::size_t inner = 1);

}  // namespace posenc
