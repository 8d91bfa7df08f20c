#pragma once

#include <optional>

#include "posenc/diagnosis/estimates/frequency_fit.hpp"
#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"

namespace posenc::diagnosis {

/// Holds what is assumed of the phases of rotations.
struct PhaseAssumptions {
  bool exchanged = false;
  std::optional<double> first_position = std::nullopt;  ///< where it is supposed; else it is estimated
  double relative_error = 0;                            ///< of angles, as PairPhases has it
};

/// The frequencies of all pairs, and what they have in common.
struct EstimatedFrequencies {
  FrequencySample sample;  ///< all >= 0 where they have one sign
  bool negative = false;
  double first_position = 0, first_error = 0;
};

/// The frequencies that explain the phases of all pairs (of all but a few, which are left out then), resolved across
/// pairs: the one of several candidates of a pair that continues the progression of those after it, whose frequencies
/// are smaller. None where there is no such assumed.
[[nodiscard]] std::optional<EstimatedFrequencies> estimate_frequencies(const RotationCosts& scores,
                                                                       const PhaseAssumptions& assumed);

}  // namespace posenc::diagnosis
