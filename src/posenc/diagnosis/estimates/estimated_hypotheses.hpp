#pragma once

#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_ranking.hpp"

namespace posenc::diagnosis {

/// Offers hypotheses that are estimated from the rotations, in place of listed ones. `list` has the hypotheses of
/// single mistakes, whose frequencies and names are tried first; it is empty where nothing was expected.
void offer_estimated(const RotationCosts& scores, const RotationContext& context, const HypothesisList& list,
                     HypothesisRanking& ranking);

}  // namespace posenc::diagnosis
