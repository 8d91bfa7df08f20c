#pragma once

#include <optional>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/mistake.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "posenc/diagnosis/samples/head_samples.hpp"
#include "posenc/diagnosis/samples/pairing.hpp"

namespace posenc::diagnosis {

/// What makes the two dimensions of a pair turn by angles of their own, so that it is no rotation.
struct UnequalAngles {
  Mistake mistake = Mistake::cache_form;  ///< or Mistake::exponent_by_dim
  double units = 0, residual = 0;         ///< the largest, as Explanation has them
  double bits = 0;                        ///< by which it explains the values
};

/// Compares all vectors with code that takes a cosine and a sine a dimension, of positions of one axis: a cache whose
/// form is that of code of the other layout, or frequencies with an exponent a dimension. Nothing where neither
/// explains them. Errors: memory.
[[nodiscard]] Expected<std::optional<UnequalAngles>> unequal_angles(const RotationSamples& samples,
                                                                    const Expectation& expected,
                                                                    const RotationAxes& axes,
                                                                    const HeadSamples& searched,
                                                                    const Pairing& pairing);

}  // namespace posenc::diagnosis
