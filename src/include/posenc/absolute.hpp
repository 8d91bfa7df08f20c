#pragma once

#include <cstddef>
#include <span>

#include "posenc/error.hpp"

namespace posenc {

/// An absolute encoding added to embeddings: out[b, p, :] = x[b, p, :] + table[p, :]. Any table [>= rows, dim] will do:
/// sinusoidal, learned, or printed in a book.
///
/// x and out: [batch, rows, dim], row-major; they may be the same memory. table: at least rows * dim values.
/// Errors: sizes that do not fit. Largest error: 0.5 ulp.
[[nodiscard]] Expected<void> add_absolute(std::span<const float> x, std::size_t rows, std::size_t dim,
                                          std::span<const float> table, std::span<float> out);

}  // namespace posenc
