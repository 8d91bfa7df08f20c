#pragma once

#include <cstddef>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"

namespace posenc::diagnosis {

/// Positions at which the rotations of two hypotheses differ most, at most `most` of them, below `length`: what to
/// sample next. Errors: memory.
[[nodiscard]] Expected<std::vector<double>> discriminating_positions(const RotationHypothesis& a,
                                                                     const RotationHypothesis& b, double length,
                                                                     std::size_t most = 8);

}  // namespace posenc::diagnosis
