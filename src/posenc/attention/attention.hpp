#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/attention/attention_mask.hpp"
#include "posenc/attention/dropout.hpp"
#include "posenc/attention/sum_precision.hpp"
#include "posenc/base/dtype.hpp"
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

/// The scale of scores unless a caller gives another: 1 / sqrt(dim).
[[nodiscard]] double attention_scale(std::size_t dim);

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

struct AttentionOptions {
  double scale = 1;
  /// The bias that is added to scores, of bias_shape: finite, or -infinity for a masked pair; empty: none.
  std::span<const float> bias = {};
  PairShape bias_shape = {};
  BiasForm bias_form = BiasForm::full;
  bool bias_scaled = false;  ///< false: scale * Q K^T + bias; true: scale * (Q K^T + bias)
  /// ALiBi (Press, Smith and Lewis 2022): - slope |j - (query_offset + i)| is added to the score of query i and key j,
  /// with the bits of relative/alibi.hpp's paper slopes and symmetric distances; not scaled.
  bool alibi = false;
  AttentionMask mask = {};
  Dropout dropout = {};  ///< of the weights; `first` counts from weights[0]
  SumPrecision precision = SumPrecision::float32;
};

struct AttentionInputs {
  std::span<const float> query;  ///< [batch, heads, queries, dim]
  std::span<const float> key;    ///< [batch, kv_heads, keys, dim]
  std::span<const float> value;  ///< [batch, kv_heads, keys, value_dim]
};

/// The order of the axes of queries and the output, or of keys and values.
enum class CacheAxes : std::uint8_t {
  heads_first,     ///< [batch, heads, sequence, dim]
  sequence_first,  ///< [batch, sequence, heads, dim]
};

/// Keys and values as they lie in a cache, which may have memory for more than there are: the first `keys` count, and
/// the others are not read.
struct CachedAttentionInputs {
  CachedAttentionInputs(std::span<const float> query_values, ConstStored keys, ConstStored values,
                        std::optional<std::size_t> its_capacity = {}, CacheAxes its_axes = CacheAxes::heads_first)
      : query(query_values), key(keys), value(values), capacity(its_capacity), axes(its_axes) {}
  CachedAttentionInputs(const AttentionInputs& in) : CachedAttentionInputs(in.query, in.key, in.value) {}

  std::span<const float> query;         ///< [batch, heads, queries, dim]
  ConstStored key;                      ///< with `axes`
  ConstStored value;                    ///< likewise, of value_dim
  std::optional<std::size_t> capacity;  ///< as many as there are keys by default
  CacheAxes axes;
  CacheAxes query_axes = CacheAxes::heads_first;  ///< of the query and the output
  /// Which of the cache's sequences each row of the batch reads; empty: the batch has as many, in their order.
  std::span<const std::int64_t> sequences = {};
  std::size_t cache_batch = 0;  ///< how many sequences there are, where `sequences` says which
};

/// Scaled dot-product attention (Vaswani et al. 2017) with masks, a bias, dropout, a batch and shared keys:
/// weights = softmax(scale * Q K^T + bias), output = dropout(weights) V.
///
/// weights: [batch, heads, queries, keys], as they are before dropout; empty: not wanted, and then nothing of that size
/// is in memory. output: [batch, heads, queries, value_dim]; all row-major. A query that sees no key gets weights and
/// outputs of 0. A key whose power e^(score - largest) is 0, as each masked one's is, does not contribute to an output,
/// whatever its value. A query that sees a score of NaN or +infinity (from what it or a key holds, or from a sum that
/// overflows) has NaN for its outputs and for the weights of all keys that it sees; a score of -infinity counts as
/// masked. NaN is always the one quiet NaN without a sign. The same bits on every machine, for every slice of queries,
/// and with or without weights.
///
/// A score is one chain over dim, of the scaled query, then + bias; the sum of a row's powers is sixteen chains over
/// the keys and a tree of these; an output is one chain over the keys, divided by that sum: in float32, or in double
/// for `exact`, where each result is rounded once. A block of keys that is masked for a whole block of queries is
/// skipped, causal or not. Keys and values of 16 bits are widened, which is exact.
///
/// Errors: sizes that do not fit; more keys than the capacity ("keys"); kv_heads that does not divide heads
/// ("kvHeads"); a scale that is not finite; a bias of NaN or +infinity; those of AttentionMask and Dropout; memory.
/// Largest error, exact: 1.2e-7 of a weight for scores up to 700 apart, 1.2e-7 sum of |weight value| of an output.
/// float32, with u = 2^-24 and S the largest of a row's sums of |scale query key| + |bias|: of a weight
/// (2 (dim + 4) S + keys / 16 + 16) u of it, for scores up to 80 apart; of an output as much, and keys u more, of the
/// sum of |weight value|.
[[nodiscard]] Expected<void> attention(const BatchedAttentionShape& shape, const AttentionOptions& options,
                                       const CachedAttentionInputs& inputs, std::span<float> weights,
                                       std::span<float> output);

/// attention in float32, whatever the options say, without dropout and masks of pairs, and with a bias of [heads,
/// queries, keys] alone: the same bits by less code, some slower for many queries, keys of 16 bits and masks that hide
/// many keys.
[[nodiscard]] Expected<void> float32_attention(const BatchedAttentionShape& shape, const AttentionOptions& options,
                                               const CachedAttentionInputs& inputs, std::span<float> weights,
                                               std::span<float> output);

/// The bias that is added to the scores of queries and keys.
struct AttentionBias {
  std::span<const float> values;  ///< [heads, queries, keys], finite or -infinity (masked); empty: none
  bool scaled = false;            ///< false: scale * Q K^T + bias; true: scale * (Q K^T + bias)
};

/// attention without a batch, masks and dropout: the same bits and Errors.
[[nodiscard]] Expected<void> attention(const AttentionShape& shape, double scale, std::span<const float> query,
                                       std::span<const float> key, std::span<const float> value,
                                       std::span<float> weights, std::span<float> output,
                                       const AttentionBias& bias = {}, SumPrecision precision = SumPrecision::float32);

/// Gradients, each with the shape of its array. Empty: not computed.
struct AttentionGradients {
  std::span<float> query = {}, key = {}, value = {};
  std::span<float> bias = {};  ///< of bias_shape: summed over what shares it, and a compact one over its diagonals
};

/// The gradients of attention, from its inputs and the gradient of its output; the weights are computed again,
/// by blocks, with the same bits. Sums in the order of the queries or keys, in float32 or double as forward's. A pair
/// of weight 0 moves nothing, whatever its key and value. Errors: as above. Largest error, exact: 1.8e-7 of the sizes
/// of a gradient's terms, |w dw| and |w| sum of |w dw| being two. float32: twice that of forward's weights, and
/// (queries + keys + value_dim + 16) u more, of these sizes.
[[nodiscard]] Expected<void> attention_backward(const BatchedAttentionShape& shape, const AttentionOptions& options,
                                                const AttentionInputs& inputs, std::span<const float> d_output,
                                                const AttentionGradients& gradients);

}  // namespace posenc
