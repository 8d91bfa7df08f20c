#pragma once

#include <cstddef>
#include <span>

#include "posenc/attention/sum_precision.hpp"
#include "posenc/base/error.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

/// Transformer-XL's relative shift of x [heads, queries, width], out of place: a column of zeros is put on the left,
/// [queries, width + 1] is read as [width + 1, queries], its first row is dropped, and the rest read as
/// [queries, width] again.
///
/// With width = keys and columns from the farthest key before the last query to the query itself (the paper's code),
/// entries to the right of the query's own key belong to other rows and must be masked. With width = queries + keys -
/// 1, the compact form's columns, the first `keys` columns of the result are entry [i, j] of relative position j - i.
/// Errors: sizes that differ.
[[nodiscard]] Expected<void> relative_shift(std::size_t heads, std::size_t queries, std::size_t width,
                                            std::span<const float> x, std::span<float> out);

struct TransformerXlInputs {
  std::size_t dim = 0;        ///< of queries, keys and relative vectors
  std::size_t value_dim = 0;  ///< of values and the output
  double scale = 1;
  Future future = Future::keep;
  std::span<const float> query;          ///< [heads, queries, dim]
  std::span<const float> key;            ///< [heads, keys, dim]
  std::span<const float> value;          ///< [heads, keys, value_dim]
  std::span<const float> relative;       ///< R W_kR, [heads, distances, dim]; from the farthest key before a query on
  std::span<const float> content_bias;   ///< u, [heads, dim]
  std::span<const float> position_bias;  ///< v, [heads, dim]
  SumPrecision precision = SumPrecision::float32;
};

/// Attention of Transformer-XL (Dai et al. 2019): weights = softmax(scale ((q_i + u) k_j + (q_i + v) r_ij)), output =
/// weights V, where r_ij is the relative vector of its relative position. Its memory is keys before the first query:
/// query_offset of them.
///
/// weights: [heads, queries, keys]; empty: not wanted. output: [heads, queries, value_dim]. Masks, NaN and infinities
/// as in attention. A score is three sums in float32 or, for `exact`, in double, each a chain over dim: q_i
/// k_j, then + u k_j, then + (q_i + v) r_ij; with `exact` each result is rounded once. Errors: sizes that do not fit; a
/// scale that is not finite; memory. Largest error, exact: 1.2e-7 of a weight, 1.2e-7 sum of |weight value| of an
/// output. float32: those of attention, where S is the largest of a row's sums of |scale| ((|q_i| + |u|) |k_j|
/// + (|q_i| + |v|) |r_ij|).
[[nodiscard]] Expected<void> transformer_xl_attention(const RelativePositions& positions,
                                                      const TransformerXlInputs& inputs, std::span<float> weights,
                                                      std::span<float> output);

}  // namespace posenc
