#include "posenc/attention/attention.hpp"

#include <cmath>

#include "posenc/attention/kernels/attention_row.hpp"
#include "posenc/attention/kernels/batched_attention.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

Expected<void> check_inputs(const AttentionShape& shape, double scale, std::size_t query, std::size_t key,
                            std::size_t value, std::size_t weights, std::size_t output) {
  if (!std::isfinite(scale)) return wrong("scale", scale, {"a finite number"});
  for (auto&& checked : {check_extents("query", query, {shape.heads, shape.queries, shape.dim}),
                         check_extents("key", key, {shape.heads, shape.keys, shape.dim}),
                         check_extents("value", value, {shape.heads, shape.keys, shape.value_dim}),
                         check_extents("weights", weights, {shape.heads, shape.queries, shape.keys}),
                         check_extents("output", output, {shape.heads, shape.queries, shape.value_dim})})
    if (!checked) return checked;
  return {};
}

Expected<void> check_bias(const AttentionShape& shape, std::span<const float> bias) {
  if (bias.empty()) return {};
  if (auto checked = check_extents("bias", bias.size(), {shape.heads, shape.queries, shape.keys}); !checked)
    return checked;
  return check_scores("bias", bias);
}

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

double attention_scale(std::size_t dim) { return 1 / std::sqrt(static_cast<double>(dim == 0 ? 1 : dim)); }

Expected<void> attention(const AttentionShape& shape, double scale, std::span<const float> query,
                         std::span<const float> key, std::span<const float> value, std::span<float> weights,
                         std::span<float> output, const AttentionBias& bias) {
  if (auto checked = check_inputs(shape, scale, query.size(), key.size(), value.size(), weights.size(), output.size());
      !checked)
    return checked;
  if (auto checked = check_bias(shape, bias.values); !checked) return checked;
  auto row = AlignedArray<double>::make(shape.keys);
  if (!row) return std::unexpected(row.error());

  for (std::size_t at = 0; at < shape.heads * shape.queries; ++at) {
    const std::size_t first_key = at / shape.queries * shape.keys;
    for (std::size_t k = 0; k < shape.keys; ++k) {
      const double product = dot(query.data() + at * shape.dim, key.data() + (first_key + k) * shape.dim, shape.dim);
      const double added = bias.values.empty() ? 0 : static_cast<double>(bias.values[at * shape.keys + k]);
      // A masked score stays masked whatever the scale.
      (*row)[k] = added == masked_score ? added : bias.scaled ? scale * (product + added) : scale * product + added;
    }
    softmax(row->span());
    round_to(row->span(), weights.data() + at * shape.keys);
    for (std::size_t v = 0; v < shape.value_dim; ++v)
      output[at * shape.value_dim + v] =
          static_cast<float>(weighted_sum(row->span(), value.data(), first_key * shape.value_dim + v, shape.value_dim));
  }
  return {};
}

Expected<void> scaled_dot_product(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                                  const AttentionInputs& inputs, std::span<float> weights, std::span<float> output) {
  if (auto checked = check_forward(shape, options, inputs, weights.size(), output.size()); !checked) return checked;
  auto sums = ForwardSums::make(shape);
  if (!sums) return std::unexpected(sums.error());
  attend(shape, options, inputs, *sums, weights, output);
  return {};
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
