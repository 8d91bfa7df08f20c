#include "posenc/attention/kernels/batched_attention.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/attention/attention_mask.hpp"
#include "posenc/attention/dropout.hpp"
#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

/// The scores of one query; `bias` is its row, or null.
void write_scores(const ScaledDotProductOptions& options, const float* query, const float* keys, std::size_t dim,
                  const VisibleKeys& visible, const float* bias, std::size_t bias_stride, std::span<double> scores) {
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const double added = bias == nullptr ? 0 : static_cast<double>(bias[k * bias_stride]);
    // A masked score stays masked whatever the scale.
    scores[k] = masked_score;
    if (!visible[k] || added == masked_score) continue;
    const double product = dot(query, keys + k * dim, dim);
    scores[k] = options.bias_scaled ? options.scale * (product + added) : options.scale * product + added;
  }
}

}  // namespace

Expected<void> check_backward(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                              const AttentionInputs& inputs, std::size_t weights, std::size_t d_output) {
  const auto& [batch, heads, kv_heads, queries, keys, dim, value_dim] = shape;
  if (!std::isfinite(options.scale)) return wrong("scale", options.scale, {"a finite number"});
  if (kv_heads == 0 ? heads != 0 : heads % kv_heads != 0)
    return wrong("kvHeads", static_cast<double>(kv_heads), {"a divisor of ", decimal(heads), " heads"});
  if (auto checked = options.dropout.check(); !checked) return checked;
  return check_arrays({{"query", inputs.query.size(), {batch, heads, queries, dim}},
                       {"key", inputs.key.size(), {batch, kv_heads, keys, dim}},
                       {"value", inputs.value.size(), {batch, kv_heads, keys, value_dim}},
                       {"weights", weights, {batch, heads, queries, keys}},
                       {"output", d_output, {batch, heads, queries, value_dim}}});
}

Expected<void> check_forward(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                             const AttentionInputs& inputs, std::size_t weights, std::size_t output) {
  if (auto checked = check_backward(shape, options, inputs, weights, output); !checked) return checked;
  const PairShape pairs{shape.batch, shape.heads, shape.queries, shape.keys};
  if (auto checked = options.mask.check(pairs); !checked) return checked;
  if (options.bias.empty()) return {};
  if (auto checked = options.bias_shape.check("bias", options.bias.size(), pairs); !checked) return checked;
  return check_scores("bias", options.bias);
}

Expected<ForwardSums> ForwardSums::make(const BatchedAttentionShape& shape) {
  auto row = AlignedArray<double>::make(shape.keys);
  if (!row) return std::unexpected(row.error());
  auto output = AlignedArray<double>::make(shape.value_dim);
  if (!output) return std::unexpected(output.error());
  return ForwardSums{*std::move(row), *std::move(output)};
}

void attend(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options, const AttentionInputs& inputs,
            ForwardSums& sums, std::span<float> weights, std::span<float> output) {
  // Where there are weights or outputs the number of queries does not overflow.
  if (weights.empty() && output.empty()) return;
  const auto& [batch, heads, kv_heads, queries, keys, dim, value_dim] = shape;
  const PairStrides bias(options.bias_shape);
  const std::span<double> row = sums.row.span();
  DropoutFactors factors(options.dropout);
  for (std::size_t at = 0; at < batch * heads * queries; ++at) {
    const std::size_t i = at % queries;
    const std::size_t h = at / queries % heads;
    const std::size_t b = at / queries / heads;
    const std::size_t first_key = (b * kv_heads + h / (heads / kv_heads)) * keys;
    write_scores(options, inputs.query.data() + at * dim, inputs.key.data() + first_key * dim, dim,
                 VisibleKeys(options.mask, keys, b, h, i),
                 options.bias.empty() ? nullptr : options.bias.data() + bias.row(b, h, i), bias.keys, row);
    softmax(row);
    round_to(row, weights.data() + at * keys);
    std::ranges::fill(sums.output.span(), 0.0);
    for (std::size_t k = 0; k < keys; ++k) {
      const double weight = factors.active() ? factors.apply(row[k], at * keys + k) : row[k];
      if (weight != 0) add_multiple(weight, inputs.value.data() + (first_key + k) * value_dim, sums.output.span());
    }
    round_to(sums.output.span(), output.data() + at * value_dim);
  }
}

Expected<void> check_bias_gradient(const BatchedAttentionShape& shape, const PairShape& bias_shape, std::size_t size) {
  if (size == 0) return {};
  return bias_shape.check("gradients.bias", size, {shape.batch, shape.heads, shape.queries, shape.keys});
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

}  // namespace posenc
