#pragma once

#include <cstddef>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"

namespace posenc::learning {

/// Rows divided by their lengths: x / sqrt(|x|^2 + 1e-6 dimensions), and the gradient of these.
class UnitRows {
 public:
  /// Errors: memory.
  [[nodiscard]] Expected<void> reserve(std::size_t dims);

  /// x, units: [rows, dimensions]; inverses: [rows], which the gradient reads.
  void divide(std::size_t rows, const float* x, float* units, float* inverses) const;
  /// d_x += the gradient of x.
  void gradient(std::size_t rows, const float* x, const float* inverses, const float* d_units, float* d_x);

 private:
  AlignedArray<float> gain_;    ///< 1 / sqrt(dimensions) in every dimension: by it root mean square norms are lengths
  AlignedArray<float> d_gain_;  ///< that nobody asks for
};

}  // namespace posenc::learning
