#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/attention/sum_precision.hpp"
#include "posenc/base/error.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

/// Clipped relative ids, clamp(key - query, -max_distance, max_distance) + max_distance, in compact form [distances]
/// (Shaw, Uszkoreit and Vaswani 2018, "Self-Attention with Relative Position Representations").
/// Errors: max_distance outside 0 ... max_positions, named "maxDistance"; a size of `out` that differs.
[[nodiscard]] Expected<void> shaw_ids(const RelativePositions& positions, std::int64_t max_distance,
                                      std::span<std::int32_t> out);

struct ShawInputs {
  std::size_t dim = 0;        ///< of queries and keys
  std::size_t value_dim = 0;  ///< of values and the output
  double scale = 1;
  std::int64_t max_distance = 0;
  Future future = Future::keep;
  std::span<const float> query;        ///< [heads, queries, dim]
  std::span<const float> key;          ///< [heads, keys, dim]
  std::span<const float> value;        ///< [heads, keys, value_dim]
  std::span<const float> key_table;    ///< [2 max_distance + 1, dim], shared by the heads; empty: none
  std::span<const float> value_table;  ///< [2 max_distance + 1, value_dim], shared by the heads; empty: none
  SumPrecision precision = SumPrecision::float32;
};

/// Attention with Shaw's tables: weights = softmax(scale q_i (k_j + a_ij)), output = sum of weights (v_j + b_ij), where
/// a and b are the tables' rows of the pair's id. q_i a is computed once for each row of the table that a block of
/// queries needs, and weights of keys that share a row are summed up before they meet it: in memory there are a few
/// rows of scores, not queries * keys vectors.
///
/// weights: [heads, queries, keys]; empty: not wanted. output: [heads, queries, value_dim]. Masks, NaN and infinities
/// as in attention, whose bits these are without tables. Sums in float32 or, for `exact`, in double, where
/// each result is rounded once; those of values and of their table are added before they are divided by the sum of
/// powers. Errors: sizes that do not fit; a scale that is not finite; max_distance; memory. Largest error,
/// exact: 1.2e-7 of a weight; of an output 1.2e-7 sum of |weight| (|v_j| + |b_ij|). float32: those of
/// attention, where S is the largest of a row's sums of |scale q_i| (|k_j| + |a_ij|), with |v_j| + |b_ij| for
/// |value| and 2 (max_distance + 1) u more of an output.
[[nodiscard]] Expected<void> shaw_attention(const RelativePositions& positions, const ShawInputs& inputs,
                                            std::span<float> weights, std::span<float> output);

/// Where gradients go: shaped as what they are the gradients of. Empty: not wanted.
struct ShawGradients {
  std::span<float> query = {}, key = {}, value = {}, key_table = {}, value_table = {};
};

/// The gradients of shaw_attention, from its inputs and the gradient of its output; the weights are computed again, by
/// blocks. Sums as forward's; the tables' run over heads, queries and keys, in this order. Errors: as above.
/// Largest error, exact: 1.8e-7 of the sizes of a gradient's terms. float32: that of attention_backward, with
/// heads * queries for queries where a table is concerned.
[[nodiscard]] Expected<void> shaw_backward(const RelativePositions& positions, const ShawInputs& inputs,
                                           std::span<const float> d_output, const ShawGradients& gradients);

}  // namespace posenc
