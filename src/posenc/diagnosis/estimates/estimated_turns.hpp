#pragma once

#include "posenc/diagnosis/laws/explain_turns.hpp"
#include "posenc/diagnosis/laws/law_list.hpp"
#include "posenc/diagnosis/laws/turn_ranking.hpp"

namespace posenc::diagnosis {

/// Offers the laws that the turns themselves say: estimated, not listed. `list` has the laws of single mistakes, whose
/// frequencies and names are tried first; it is empty where nothing was expected.
void offer_estimated(const TurnScores& scores, const TurnContext& context, const LawList& list, TurnRanking& ranking);

}  // namespace posenc::diagnosis
