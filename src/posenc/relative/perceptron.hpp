#pragma once

#include <cstddef>
#include <span>

#include "posenc/base/error.hpp"

namespace posenc {

/// The small network inside FIRE and Swin's log-CPB: weight2 relu(weight1 x + bias1) + bias2. Matrices are row-major,
/// [out, in], as in torch.nn.Linear.
struct Perceptron {
  std::span<const float> weight1;  ///< [hidden, inputs]
  std::span<const float> bias1;    ///< [hidden]
  std::span<const float> weight2;  ///< [outputs, hidden]
  std::span<const float> bias2;    ///< [outputs]; empty: none

  /// Errors: sizes that do not fit, named "weight1", "bias1", "weight2" or "bias2"; hidden is bias1's size, >= 1.
  [[nodiscard]] Expected<void> check(std::size_t inputs, std::size_t outputs) const;
};

}  // namespace posenc
