#pragma once

#include <cstddef>
#include <span>

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

/// x: [rows, in]; y: [rows, out]. Sums in double, one rounding. Errors: sizes that do not fit.
/// Largest error: 0.501 ulp of the result + 2^-52 (in + 1) times its terms' sizes.
[[nodiscard]] Expected<void> linear(const LinearLayer& layer, const LinearExtents& extents, std::span<const float> x,
                                    std::span<float> y);

/// y = x W^T, as a linear layer without bias. x: [rows, in]; weight: [out, in]; y: [rows, out]; all row-major.
/// Sums in double, one rounding. Errors: sizes that do not fit.
/// Largest error: 0.501 ulp of the result + 2^-52 * in * sum |x_i w_i|.
[[nodiscard]] Expected<void> linear(std::span<const float> x, std::span<const float> weight, std::size_t in,
                                    std::span<float> y);

/// Where gradients go; empty: not wanted.
struct LinearGradients {
  std::span<float> x = {}, weight = {}, bias = {};
};

/// dx = dy W, dW = dy^T x, db = the rows of dy summed, in double and in the order of rows or outputs, rounded once.
/// Errors: sizes that do not fit; memory. Largest error: as above, over rows or outputs.
[[nodiscard]] Expected<void> linear_backward(const LinearLayer& layer, const LinearExtents& extents,
                                             std::span<const float> x, std::span<const float> dy,
                                             const LinearGradients& gradients);

}  // namespace posenc
