#include <algorithm>
#include <utility>

#include "posenc/attention/attention_row.hpp"
#include "posenc/attention/batched_attention.hpp"
#include "posenc/attention/dropped.hpp"
#include "posenc/attention/visible_keys.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

Expected<void> check_gradients(const BatchedAttentionShape& shape, const PairShape& bias_shape,
                               const AttentionInputs& inputs, const AttentionGradients& gradients) {
  if (auto checked = check_wanted({{"gradients.query", gradients.query.size(), {inputs.query.size()}},
                                   {"gradients.key", gradients.key.size(), {inputs.key.size()}},
                                   {"gradients.value", gradients.value.size(), {inputs.value.size()}}});
      !checked)
    return checked;
  return check_bias_gradient(shape, bias_shape, gradients.bias.size());
}

}  // namespace

Expected<void> check_bias_gradient(const BatchedAttentionShape& shape, const PairShape& bias_shape, std::size_t size) {
  if (size == 0) return {};
  return check_pairs("gradients.bias", size, bias_shape, {shape.batch, shape.heads, shape.queries, shape.keys});
}

Expected<BackwardSums> BackwardSums::make(const BatchedAttentionShape& shape, std::size_t weights, std::size_t bias) {
  BackwardSums sums;
  if (weights == 0) return sums;
  for (const auto& [array, size] : {std::pair(&sums.query, shape.dim), std::pair(&sums.key, shape.keys * shape.dim),
                                    std::pair(&sums.value, shape.keys * shape.value_dim), std::pair(&sums.bias, bias),
                                    std::pair(&sums.row, shape.keys)}) {
    auto made = AlignedArray<double>::make(size);
    if (!made) return std::unexpected(made.error());
    *array = *std::move(made);
  }
  return sums;
}

void attend_backward(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                     const AttentionInputs& inputs, BackwardSums& sums, std::span<const float> weights,
                     std::span<const float> d_output, const AttentionGradients& gradients) {
  for (const auto gradient : {gradients.query, gradients.key, gradients.value, gradients.bias})
    std::ranges::fill(gradient, 0.0f);
  // Where there are weights no product of extents overflows.
  if (weights.empty()) return;
  const auto& [batch, heads, kv_heads, queries, keys, dim, value_dim] = shape;
  const PairStrides bias(options.bias_shape);
  const double bias_factor = options.bias_scaled ? options.scale : 1;
  const std::span<double> d_scores = sums.row.span();
  const std::span<double> d_key = sums.key.span();
  const std::span<double> d_value = sums.value.span();
  DropoutFactors factors(options.dropout);

  // The heads that share keys are adjacent, and so are their queries.
  const std::size_t sharers = heads / kv_heads * queries;
  for (std::size_t group = 0; group < batch * kv_heads; ++group) {
    const float* const key = inputs.key.data() + group * keys * dim;
    const float* const value = inputs.value.data() + group * keys * value_dim;
    std::ranges::fill(d_key, 0.0);
    std::ranges::fill(d_value, 0.0);
    for (std::size_t at = group * sharers; at < (group + 1) * sharers; ++at) {
      const float* const row = weights.data() + at * keys;
      const float* const query = inputs.query.data() + at * dim;
      const float* const d_out = d_output.data() + at * value_dim;
      for (std::size_t k = 0; k < keys; ++k) {
        d_scores[k] = 0;
        if (row[k] == 0) continue;
        const std::uint64_t pair = at * keys + k;
        add_multiple(factors.apply(static_cast<double>(row[k]), pair), d_out,
                     d_value.subspan(k * value_dim, value_dim));
        d_scores[k] = factors.apply(dot(d_out, value + k * value_dim, value_dim), pair);
      }
      softmax_gradient(row, d_scores);
      std::ranges::fill(sums.query.span(), 0.0);
      const std::size_t first_bias = bias.row(at / queries / heads, at / queries % heads, at % queries);
      for (std::size_t k = 0; k < keys; ++k) {
        if (row[k] == 0) continue;
        add_multiple(options.scale * d_scores[k], key + k * dim, sums.query.span());
        add_multiple(options.scale * d_scores[k], query, d_key.subspan(k * dim, dim));
        if (sums.bias.size() != 0) sums.bias[first_bias + k * bias.keys] += bias_factor * d_scores[k];
      }
      if (!gradients.query.empty()) round_to(sums.query.span(), gradients.query.data() + at * dim);
    }
    if (!gradients.key.empty()) round_to(d_key, gradients.key.data() + group * keys * dim);
    if (!gradients.value.empty()) round_to(d_value, gradients.value.data() + group * keys * value_dim);
  }
  round_to(sums.bias.span(), gradients.bias.data());
}

Expected<void> scaled_dot_product_backward(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                                           const AttentionInputs& inputs, std::span<const float> weights,
                                           std::span<const float> d_output, const AttentionGradients& gradients) {
  if (auto checked = check_backward(shape, options, inputs, weights.size(), d_output.size()); !checked) return checked;
  if (auto checked = check_gradients(shape, options.bias_shape, inputs, gradients); !checked) return checked;
  auto sums = BackwardSums::make(shape, weights.size(), gradients.bias.size());
  if (!sums) return std::unexpected(sums.error());
  attend_backward(shape, options, inputs, *sums, weights, d_output, gradients);
  return {};
}

}  // namespace posenc
