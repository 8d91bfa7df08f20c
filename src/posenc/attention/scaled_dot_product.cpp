#include "posenc/attention/scaled_dot_product.hpp"

#include "posenc/attention/kernels/batched_attention.hpp"
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
