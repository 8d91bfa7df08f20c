#pragma once

#include <cstddef>
#include <span>

#include "posenc/attention/sum_precision.hpp"
#include "posenc/base/error.hpp"

namespace posenc {

/// A linear layer, y = x W^T + b, as torch.nn.Linear stores it.
struct LinearLayer {
  std::span<const float> weight;     ///< [out, in]
  std::span<const float> bias = {};  ///< [out]; empty: none
};

struct LinearExtents {
  std::size_t rows = 0, in = 0, out = 0;
};

/// x: [rows, in]; y: [rows, out], apart from all that is read. Each y is one sum in the order of `in`, then the bias.
/// NaN is the one quiet NaN without a sign. Errors: sizes that do not fit; memory. Largest error, with sizes = the sum
/// of |x_i w_i| and |bias|:
///
///   exact:   0.501 ulp of the result + 2^-52 (in + 1) sizes;
///   float32: 2^-24 (in + 2) sizes, as long as no product is below 2^-126.
[[nodiscard]] Expected<void> linear(const LinearLayer& layer, const LinearExtents& extents, SumPrecision precision,
                                    std::span<const float> x, std::span<float> y);

/// Computes it without bias, from the sizes: x [rows, in], weight [out, in].
[[nodiscard]] Expected<void> linear(std::span<const float> x, std::span<const float> weight, std::size_t in,
                                    SumPrecision precision, std::span<float> y);

/// Computes it without bias in float32, with the same largest error, for a module that has to be small: weight [out,
/// in], x [rows, in], y [rows, out]. Weights are packed whatever the rows: of a large matrix fewer than four take about
/// twice as long as above. Errors: sizes that do not fit; memory.
[[nodiscard]] Expected<void> packed_linear(std::span<const float> weight, const LinearExtents& extents,
                                           std::span<const float> x, std::span<float> y);

/// Gradients; empty: not computed.
struct LinearGradients {
  std::span<float> x = {}, weight = {}, bias = {};
};

/// dx = dy W, dW = dy^T x, db = the rows of dy summed, in the order of outputs or rows. Errors: sizes that do not fit;
/// memory. Largest error: as above, over outputs or rows.
[[nodiscard]] Expected<void> linear_backward(const LinearLayer& layer, const LinearExtents& extents,
                                             SumPrecision precision, std::span<const float> x,
                                             std::span<const float> dy, const LinearGradients& gradients);

}  // namespace posenc
