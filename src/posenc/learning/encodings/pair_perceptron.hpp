#pragma once

#include <cstddef>
#include <span>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"

namespace posenc::learning {

/// The perceptron inside FIRE, weight2 relu(weight1 x + bias1) + bias2, of many inputs x, in float32. It takes 16
/// inputs at a time, whatever the width of vectors: sums over inputs are 16 partial sums, added up at the end.
class PairPerceptron {
 public:
  /// The size of an array of inputs is a multiple of this.
  static constexpr std::size_t together = 16;

  /// The parameters, or their gradients: weight1 and bias1 [hidden], weight2 [outputs, hidden], bias2 [outputs].
  template <class T>
  struct Arrays {
    T *weight1, *bias1, *weight2, *bias2;
  };

  /// Errors: memory.
  [[nodiscard]] static Expected<PairPerceptron> make(std::size_t hidden, std::size_t outputs);

  /// Writes out, [outputs, x.size()], with rows `stride` apart.
  void write(const Arrays<const float>& parameters, std::span<const float> x, float* out, std::size_t stride);

  /// Writes d_x from d_out, which has the layout of out, and adds to the sums that are the parameters' gradients.
  void gather(const Arrays<const float>& parameters, std::span<const float> x, const float* d_out, std::size_t stride,
              float* d_x);
  /// Adds the sums to `gradients`; they are 0 afterwards.
  void add_gathered(const Arrays<float>& gradients);

 private:
  std::size_t hidden_ = 0, outputs_ = 0;
  AlignedArray<float> units_;  ///< [hidden, together]
  AlignedArray<float> sums_;   ///< partial sums of the gradients of weight1, bias1, weight2, bias2
};

}  // namespace posenc::learning
