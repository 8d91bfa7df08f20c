#pragma once

#include <span>
#include <vector>

#include "posenc/diagnosis/estimates/frequency_fit.hpp"
#include "posenc/diagnosis/hypotheses/mistaken_hypotheses.hpp"

namespace posenc::diagnosis {

/// Whether frequencies are all `scale` times others.
struct ScaledMatch {
  bool matches = false;
  double scale = 1;  ///< 1 or a short number within the uncertainty
  double error = 0;  ///< of the scale that fits best
};
[[nodiscard]] ScaledMatch scaled_match(const FrequencySample& sample, std::span<const double> rates);

/// Appends the mistakes by which a hypothesis that was estimated differs from the expected one; `names_plan`: its
/// plan's too, where that does not come from a mistake that is named already.
void name_differences(const RotationHypothesis& hypothesis, const RotationContext& context, bool names_plan,
                      std::vector<Mistake>& mistakes);

}  // namespace posenc::diagnosis
