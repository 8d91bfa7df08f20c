#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/mistake.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "posenc/diagnosis/samples/head_samples.hpp"
#include "posenc/diagnosis/samples/pairing.hpp"

namespace posenc::diagnosis {

/// Rotations whose two dimensions of a pair have angles of their own, so that they are none.
struct UnequalAngles {
  Mistake mistake = Mistake::cache_form;  ///< or Mistake::exponent_by_dim
  double units = 0, residual = 0;         ///< the largest, as Explanation has them
  double bits = 0;                        ///< by which it explains the values
};

/// Angles that are wrong by dimension: a hypothesis, and which of its pairs each rotated dimension has.
struct DimAngles {
  Mistake mistake = Mistake::cache_form;
  RotationHypothesis hypothesis;
  std::vector<std::size_t> pair_of_dim;
};

/// The angles that code has which takes a cosine and a sine a dimension: from a cache in the form of the other layout's
/// code, and with an exponent a dimension where the plan has no scaling rule. There is a plan.
[[nodiscard]] std::vector<DimAngles> possible_dim_angles(const Expectation& expected, const Pairing& pairing);

/// Compares all vectors with code that takes a cosine and a sine a dimension, of positions of one axis: a cache whose
/// form is that of code of the other layout, or frequencies with an exponent a dimension. Nothing where neither
/// explains them. Errors: memory.
[[nodiscard]] Expected<std::optional<UnequalAngles>> unequal_angles(const RotationSamples& samples,
                                                                    const Expectation& expected,
                                                                    const RotationAxes& axes,
                                                                    const HeadSamples& searched,
                                                                    const Pairing& pairing);

}  // namespace posenc::diagnosis
