#include "posenc/attention/attention.hpp"

#include <cmath>

#include "posenc/attention/kernels/batched_attention.hpp"
#include "posenc/attention/kernels/batched_backward.hpp"
#include "posenc/attention/kernels/check_scores.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

Expected<void> check_gradients(const BatchedAttentionShape& shape, const AttentionOptions& options,
                               const AttentionInputs& inputs, const AttentionGradients& gradients) {
  POSENC_TRY(check_wanted({{"gradients.query", gradients.query.size(), {inputs.query.size()}},
                           {"gradients.key", gradients.key.size(), {inputs.key.size()}},
                           {"gradients.value", gradients.value.size(), {inputs.value.size()}}}));
  return check_bias_gradient(shape, options, gradients.bias.size());
}

template <class T, class Terms = PairTerms>
Expected<void> attend_as(const BatchedAttentionShape& shape, const AttentionOptions& options,
                         const CachedAttentionInputs& inputs, std::span<float> weights, std::span<float> output) {
  if constexpr (Terms::is_lean)
    POSENC_TRY(check_lean(shape, options, inputs, weights.size(), output.size()));
  else
    POSENC_TRY(check_forward(shape, options, inputs, weights.size(), output.size()));
  // Without results products of extents may overflow.
  if (weights.empty() && output.empty()) return {};
  POSENC_TRY_LET(memory, ForwardMemory<T>::make(shape, !Terms::is_lean));
  attend<T, Terms>(shape, options, inputs, memory, weights, output);
  return {};
}

template <class T>
Expected<void> attend_backward_as(const BatchedAttentionShape& shape, const AttentionOptions& options,
                                  const AttentionInputs& inputs, std::span<const float> d_output,
                                  const AttentionGradients& gradients) {
  // Without outputs there are no gradients, and products of extents may overflow.
  POSENC_TRY_LET(memory,
                 d_output.empty() ? BackwardMemory<T>() : BackwardMemory<T>::make(shape, gradients.bias.size()));
  attend_backward<T>(shape, options, inputs, memory, d_output, gradients);
  return {};
}

}  // namespace

double attention_scale(std::size_t dim) { return 1 / std::sqrt(static_cast<double>(dim == 0 ? 1 : dim)); }

Expected<void> attention(const BatchedAttentionShape& shape, const AttentionOptions& options,
                         const CachedAttentionInputs& inputs, std::span<float> weights, std::span<float> output) {
  return options.precision == SumPrecision::exact ? attend_as<double>(shape, options, inputs, weights, output)
                                                  : attend_as<float>(shape, options, inputs, weights, output);
}

Expected<void> float32_attention(const BatchedAttentionShape& shape, const AttentionOptions& options,
                                 const CachedAttentionInputs& inputs, std::span<float> weights,
                                 std::span<float> output) {
  return attend_as<float, LeanTerms>(shape, options, inputs, weights, output);
}

Expected<void> attention(const AttentionShape& its_shape, double scale, std::span<const float> query,
                         std::span<const float> key, std::span<const float> value, std::span<float> weights,
                         std::span<float> output, const AttentionBias& bias, SumPrecision precision) {
  const auto& [queries, keys, dim, value_dim, heads] = its_shape;
  const AttentionOptions options{.scale = scale,
                                 .bias = bias.values,
                                 .bias_shape = {1, heads, queries, keys},
                                 .bias_scaled = bias.scaled,
                                 .precision = precision};
  return attention(BatchedAttentionShape{1, heads, heads, queries, keys, dim, value_dim}, options,
                   AttentionInputs{query, key, value}, weights, output);
}

Expected<void> attention_backward(const BatchedAttentionShape& shape, const AttentionOptions& options,
                                  const AttentionInputs& inputs, std::span<const float> d_output,
                                  const AttentionGradients& gradients) {
  POSENC_TRY(check_forward(shape, options, inputs, 0, d_output.size()));
  POSENC_TRY(check_gradients(shape, options, inputs, gradients));
  return options.precision == SumPrecision::exact
             ? attend_backward_as<double>(shape, options, inputs, d_output, gradients)
             : attend_backward_as<float>(shape, options, inputs, d_output, gradients);
}

}  // namespace posenc
