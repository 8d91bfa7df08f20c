#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"

namespace posenc {

/// A learned bias: out[h, pair] = table[ids[pair], h]. Whatever the ids mean: T5's buckets, Shaw's clipped distances,
/// the pairs of a Swin window.
///
/// ids: [pairs]; table: [rows, heads]; out: [heads, pairs]. Errors: sizes that do not fit; an id outside the table;
/// memory.
[[nodiscard]] Expected<void> table_bias(std::span<const std::int32_t> ids, std::size_t heads,
                                        std::span<const float> table, std::span<float> out);

/// The table's gradient from that of the bias: d_table[r, h] is the sum of d_bias[h, pair] over the pairs whose id is
/// r, in the order of pairs, in double, rounded once. Errors: as above.
/// Largest error: 0.501 ulp of the result + 2^-53 * pairs * sum |d_bias|.
[[nodiscard]] Expected<void> table_bias_backward(std::span<const std::int32_t> ids, std::size_t heads,
                                                 std::span<const float> d_bias, std::span<float> d_table);

}  // namespace posenc
