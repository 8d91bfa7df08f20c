#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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
};

/// Attention with Shaw's tables: weights = softmax(scale q_i (k_j + a_ij)), output = sum of weights (v_j + b_ij), where
/// a and b are the tables' rows of the pair's id. In memory there is one row of scores, not queries * keys vectors.
///
/// weights: [heads, queries, keys]; output: [heads, queries, value_dim]. In double, each result rounded once; a query
/// whose keys are all masked gets weights and outputs of 0. Largest error of a weight: 1.2e-7 of it.
/// Errors: sizes that do not fit; a scale that is not finite; max_distance; memory.
[[nodiscard]] Expected<void> shaw_attention(const RelativePositions& positions, const ShawInputs& inputs,
                                            std::span<float> weights, std::span<float> output);

/// Where gradients go: shaped as what they are the gradients of. Empty: not wanted.
struct ShawGradients {
  std::span<float> query = {}, key = {}, value = {}, key_table = {}, value_table = {};
};

/// The gradients of shaw_attention, from the weights it gave and the gradient of its output. `future` is not read:
/// masks show in the weights. Sums in double, in one order (the tables' over heads, queries and keys), rounded once.
/// Errors: as above. Largest error: 1.2e-7 of the sum of a gradient's terms, taken by size: the weights were rounded.
[[nodiscard]] Expected<void> shaw_backward(const RelativePositions& positions, const ShawInputs& inputs,
                                           std::span<const float> weights, std::span<const float> d_output,
                                           const ShawGradients& gradients);

}  // namespace posenc
