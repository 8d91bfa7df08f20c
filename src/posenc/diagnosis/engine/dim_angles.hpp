#pragma once

#include <cstddef>
#include <vector>

#include "posenc/diagnosis/engine/comparison.hpp"
#include "posenc/diagnosis/mistake.hpp"

namespace posenc::diagnosis {

/// Rotations whose two dimensions of a pair have angles of their own, so that they are none: code that takes a cosine
/// and a sine a dimension, from a cache in another code's form, or with an exponent a dimension.
struct DimAngles {
  Mistake mistake = Mistake::cache_form;
  RotationHypothesis hypothesis;
  PairsOfDims pairs = {};
};

/// The angles by dimension that code may have where `hypothesis` was meant: with pairs of halves, or of neighbours.
[[nodiscard]] std::vector<DimAngles> dim_angles(const RotationHypothesis& hypothesis, bool has_halves);

}  // namespace posenc::diagnosis
