#pragma once

#include <cstddef>
#include <span>

#include "posenc/base/error.hpp"

namespace posenc {

/// Shapes of attention; heads are independent of each other.
struct AttentionShape {
  std::size_t queries = 0;
  std::size_t keys = 0;
  std::size_t dim = 0;        ///< of queries and keys
  std::size_t value_dim = 0;  ///< of values and the output
  std::size_t heads = 1;
};

/// What scores are multiplied by unless a caller wants another scale: 1 / sqrt(dim).
[[nodiscard]] double attention_scale(std::size_t dim);

/// What is added to the scores of each query and key.
struct AttentionBias {
  std::span<const float> values;  ///< [heads, queries, keys], finite or -infinity (masked); empty: none
  bool scaled = false;            ///< false: scale * Q K^T + bias; true: scale * (Q K^T + bias)
};

/// Scaled dot-product attention (Vaswani et al. 2017): weights = softmax(scale * Q K^T), output = weights V.
///
/// query: [heads, queries, dim]; key: [heads, keys, dim]; value: [heads, keys, value_dim]; weights:
/// [heads, queries, keys]; output: [heads, queries, value_dim]; all row-major. Everything between is in double, each
/// result is rounded once; the softmax subtracts its row's maximum, so that no finite scores overflow. A query whose
/// keys are all masked gets weights and outputs of 0. Errors: sizes that do not fit; a scale that is not finite; a bias
/// of NaN or +infinity; memory. Largest error: 1.2e-7 of a weight for scores up to 700 apart.
[[nodiscard]] Expected<void> attention(const AttentionShape& shape, double scale, std::span<const float> query,
                                       std::span<const float> key, std::span<const float> value,
                                       std::span<float> weights, std::span<float> output,
                                       const AttentionBias& bias = {});

}  // namespace posenc
