#pragma once

#include <cstddef>
#include <span>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"

namespace posenc::learning {

/// The perceptron inside FIRE, weight2 relu(weight1 x + bias1) + bias2, of many inputs x, in float32. Inputs are taken
/// 16 at a time, whatever the width of vectors: what is summed over them are 16 sums beside each other, added up at the
/// end.
class PairPerceptron {
 public:
  /// Arrays of inputs are this many values long, or a multiple.
  static constexpr std::size_t together = 16;

  /// Where the first of each stands: weight1 and bias1 [hidden], weight2 [outputs, hidden], bias2 [outputs].
  template <class T>
  struct Arrays {
    T *weight1, *bias1, *weight2, *bias2;
  };

  /// Errors: memory.
  [[nodiscard]] static Expected<PairPerceptron> make(std::size_t hidden, std::size_t outputs);

  /// out: [outputs, x.size()], an output's values `stride` apart from those of the next.
  void write(const Arrays<const float>& parameters, std::span<const float> x, float* out, std::size_t stride);

  /// From d_out, which is laid out like out, writes d_x, and adds to the sums that are the parameters' gradients.
  void gather(const Arrays<const float>& parameters, std::span<const float> x, const float* d_out, std::size_t stride,
              float* d_x);
  /// Adds the sums to `gradients`; they are 0 afterwards.
  void add_gathered(const Arrays<float>& gradients);

 private:
  std::size_t hidden_ = 0, outputs_ = 0;
  AlignedArray<float> units_;  ///< [hidden, together]
  AlignedArray<float> sums_;   ///< the same of each of weight1, bias1, weight2, bias2
};

}  // namespace posenc::learning
