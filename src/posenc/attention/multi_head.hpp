#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/linear.hpp"
#include "posenc/base/error.hpp"

namespace posenc {

struct HeadsShape {
  std::size_t batch = 1, heads = 1, rows = 0, dim = 0;
};

/// [batch, rows, heads * dim] to [batch, heads, rows, dim]: a copy with two axes swapped. Errors: sizes that do not
/// fit.
[[nodiscard]] Expected<void> split_heads(const HeadsShape& shape, std::span<const float> x, std::span<float> out);

/// [batch, heads, rows, dim] to [batch, rows, heads * dim]: split_heads undone, and its gradient.
[[nodiscard]] Expected<void> merge_heads(const HeadsShape& shape, std::span<const float> x, std::span<float> out);

/// The heads' shape, and the widths of what goes into the layers and comes out of them.
struct MultiHeadShape {
  BatchedAttentionShape attention;
  std::size_t query_width = 0;  ///< d_model
  std::size_t key_width = 0;
  std::size_t value_width = 0;
  std::size_t out_width = 0;
};

/// W^Q, W^K, W^V and W^O. The layers' outputs are the heads one after the other: W^Q is [heads * dim, query_width], its
/// rows h * dim ... being the W_h^Q of the formula, transposed.
struct MultiHeadLayers {
  LinearLayer query;  ///< [heads * dim, query_width]
  LinearLayer key;    ///< [kv_heads * dim, key_width]
  LinearLayer value;  ///< [kv_heads * value_dim, value_width]
  LinearLayer out;    ///< [out_width, heads * value_dim]
};

struct MultiHeadInputs {
  std::span<const float> query;                              ///< [batch, queries, query_width]
  std::optional<std::span<const float>> key = std::nullopt;  ///< [batch, keys, key_width]; none: query (self-attention)
  std::optional<std::span<const float>> value =
      std::nullopt;  ///< [batch, keys, value_width]; none: what the keys are made of
};

/// Intermediate results of forward, which backward reads.
template <class T>
struct MultiHeadSaved {
  std::span<T> query;    ///< [batch, heads, queries, dim]
  std::span<T> key;      ///< [batch, kv_heads, keys, dim]
  std::span<T> value;    ///< [batch, kv_heads, keys, value_dim]
  std::span<T> context;  ///< [batch, queries, heads * value_dim]: the heads' outputs, concatenated
};

/// Multi-head attention (Vaswani et al. 2017): head_h = attention(Q W_h^Q, K W_h^K, V W_h^V), output =
/// concat(head_1, ..., head_n) W^O. Each step's result is rounded to float32 once; each equals what `linear` and
/// `attention` give. For rotary encodings call those yourself and rotate between them.
///
/// weights: [batch, heads, queries, keys], before dropout; empty: not wanted. output: [batch, queries, out_width].
/// options.precision is that of the layers too. Errors: sizes that do not fit, an input left out whose extents would
/// differ
/// ("keys", "keyWidth", "valueWidth"); those of attention; memory.
[[nodiscard]] Expected<void> multi_head_attention(const MultiHeadShape& shape, const MultiHeadLayers& layers,
                                                  const AttentionOptions& options, const MultiHeadInputs& inputs,
                                                  const MultiHeadSaved<float>& saved, std::span<float> weights,
                                                  std::span<float> output);

/// Gradients; empty: not computed.
struct LayerGradients {
  std::span<float> weight = {}, bias = {};
};

struct MultiHeadGradients {
  /// Gradients of the inputs. One that was left out adds to that of the input taken for it, and stays empty.
  std::span<float> query_input = {}, key_input = {}, value_input = {};
  LayerGradients query = {}, key = {}, value = {}, out = {};
  std::span<float> bias = {};  ///< of the scores' bias
};

/// The gradients of multi_head_attention from what it saved and the gradient of its output. Errors: as above.
[[nodiscard]] Expected<void> multi_head_backward(const MultiHeadShape& shape, const MultiHeadLayers& layers,
                                                 const AttentionOptions& options, const MultiHeadInputs& inputs,
                                                 const MultiHeadSaved<const float>& saved,
                                                 std::span<const float> d_output, const MultiHeadGradients& gradients);

}  // namespace posenc
