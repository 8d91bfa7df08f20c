#pragma once

#include <cstddef>
#include <span>

#include "posenc/attention/attention_mask.hpp"
#include "posenc/attention/dropout.hpp"
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

/// Shapes of attention over a batch. heads / kv_heads adjacent heads share their keys and values: grouped queries
/// (Ainslie et al. 2023), and with kv_heads = 1 multi-query attention.
struct BatchedAttentionShape {
  std::size_t batch = 1;
  std::size_t heads = 1;     ///< of queries and the output
  std::size_t kv_heads = 1;  ///< of keys and values, a divisor of heads
  std::size_t queries = 0;
  std::size_t keys = 0;
  std::size_t dim = 0;        ///< of queries and keys
  std::size_t value_dim = 0;  ///< of values and the output
};

struct ScaledDotProductOptions {
  double scale = 1;
  /// What is added to the scores, of bias_shape: finite, or -infinity for a masked pair; empty: none.
  std::span<const float> bias = {};
  PairShape bias_shape = {};
  bool bias_scaled = false;  ///< false: scale * Q K^T + bias; true: scale * (Q K^T + bias)
  AttentionMask mask = {};
  Dropout dropout = {};  ///< of the weights; `first` counts from weights[0]
};

struct AttentionInputs {
  std::span<const float> query;  ///< [batch, heads, queries, dim]
  std::span<const float> key;    ///< [batch, kv_heads, keys, dim]
  std::span<const float> value;  ///< [batch, kv_heads, keys, value_dim]
};

/// Scaled dot-product attention (Vaswani et al. 2017) with masks, a bias, dropout, a batch and shared keys:
/// weights = softmax(scale * Q K^T + bias), output = dropout(weights) V.
///
/// weights: [batch, heads, queries, keys], as they are before dropout; output: [batch, heads, queries, value_dim]; all
/// row-major. Between inputs and results everything is in double, each result is rounded once. A query that sees no key
/// gets weights and outputs of 0; a key of weight 0 does not contribute to an output, whatever its value. The same bits
/// on every machine, and the same as `attention` where both apply.
/// Errors: sizes that do not fit; kv_heads that does not divide heads ("kvHeads"); a scale that is not finite; a bias
/// of NaN or +infinity; those of AttentionMask and Dropout; memory. Largest error: 1.2e-7 of a weight for scores up to
/// 700 apart, 1.2e-7 sum of |weight value| of an output.
[[nodiscard]] Expected<void> scaled_dot_product(const BatchedAttentionShape& shape,
                                                const ScaledDotProductOptions& options, const AttentionInputs& inputs,
                                                std::span<float> weights, std::span<float> output);

/// Where gradients go: shaped as what they are the gradients of. Empty: not wanted.
struct AttentionGradients {
  std::span<float> query = {}, key = {}, value = {};
  std::span<float> bias = {};  ///< of bias_shape: summed over what shares it
};

/// The gradients of scaled_dot_product, from the weights it gave and the gradient of its output. Of `options` it reads
/// scale, bias_shape, bias_scaled and dropout: masks show in the weights. Sums in double, in one order, rounded once.
/// Errors: as above. Largest error: 1.8e-7 of the sizes of a gradient's terms, |w dw| and |w| sum of |w dw| being two:
/// the weights have been rounded.
[[nodiscard]] Expected<void> scaled_dot_product_backward(const BatchedAttentionShape& shape,
                                                         const ScaledDotProductOptions& options,
                                                         const AttentionInputs& inputs, std::span<const float> weights,
                                                         std::span<const float> d_output,
                                                         const AttentionGradients& gradients);

}  // namespace posenc
