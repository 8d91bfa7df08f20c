#include "posenc/attention/scaled_dot_product.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/attention/attention_row.hpp"
#include "posenc/attention/batched_attention.hpp"
#include "posenc/attention/dropped.hpp"
#include "posenc/attention/visible_keys.hpp"
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
  if (auto checked = check_dropout(options.dropout); !checked) return checked;
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
  if (auto checked = check_mask(options.mask, pairs); !checked) return checked;
  if (options.bias.empty()) return {};
  if (auto checked = check_pairs("bias", options.bias.size(), options.bias_shape, pairs); !checked) return checked;
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

Expected<void> scaled_dot_product(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                                  const AttentionInputs& inputs, std::span<float> weights, std::span<float> output) {
  if (auto checked = check_forward(shape, options, inputs, weights.size(), output.size()); !checked) return checked;
  auto sums = ForwardSums::make(shape);
  if (!sums) return std::unexpected(sums.error());
  attend(shape, options, inputs, *sums, weights, output);
  return {};
}

}  // namespace posenc
