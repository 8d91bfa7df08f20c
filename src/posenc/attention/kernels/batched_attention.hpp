#pragma once

#include <cstddef>
#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/base/aligned_array.hpp"

namespace posenc {

// scaled_dot_product in three steps: checks, then memory, then work that cannot fail. Multi-head attention writes
// between them, and needs them apart.

/// All that forward checks.
[[nodiscard]] Expected<void> check_forward(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                                           const AttentionInputs& inputs, std::size_t weights, std::size_t output);

/// All that backward checks, but for its gradients.
[[nodiscard]] Expected<void> check_backward(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                                            const AttentionInputs& inputs, std::size_t weights, std::size_t d_output);

/// An Error unless the bias's gradient, where it is wanted, has the bias's shape, and that fits.
[[nodiscard]] Expected<void> check_bias_gradient(const BatchedAttentionShape& shape, const PairShape& bias_shape,
                                                 std::size_t size);

/// Memory of forward: one query's weights and its output.
struct ForwardSums {
  AlignedArray<double> row, output;
  [[nodiscard]] static Expected<ForwardSums> make(const BatchedAttentionShape& shape);
};

void attend(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options, const AttentionInputs& inputs,
            ForwardSums& sums, std::span<float> weights, std::span<float> output);

/// Memory of backward: sums that the queries which read the same keys share.
struct BackwardSums {
  AlignedArray<double> query, key, value, bias, row;
  /// Without weights there is nothing to sum: `weights` is their number.
  [[nodiscard]] static Expected<BackwardSums> make(const BatchedAttentionShape& shape, std::size_t weights,
                                                   std::size_t bias);
};

void attend_backward(const BatchedAttentionShape& shape, const ScaledDotProductOptions& options,
                     const AttentionInputs& inputs, BackwardSums& sums, std::span<const float> weights,
                     std::span<const float> d_output, const AttentionGradients& gradients);

}  // namespace posenc
