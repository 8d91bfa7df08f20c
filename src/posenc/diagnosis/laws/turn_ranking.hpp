#pragma once

#include <cstddef>
#include <vector>

#include "posenc/diagnosis/laws/explain_turns.hpp"
#include "posenc/diagnosis/laws/turn_scores.hpp"

namespace posenc::diagnosis {

/// The best of many explanations of the same turns.
class TurnRanking {
 public:
  /// `scores` must outlive this.
  TurnRanking(const TurnScores& scores, std::size_t most) : scores_(&scores), most_(most) {}

  /// Weighs a law whose angles predict this, and keeps it where it is among the best.
  void offer(const TurnLaw& law, const std::vector<Mistake>& mistakes, double cost, const PredictedTurns& predicted,
             bool is_estimated = false);

  /// All that are kept, the best first.
  [[nodiscard]] const std::vector<TurnExplanation>& kept() const { return kept_; }

  /// The units of the best explanation so far; infinite where there is none.
  [[nodiscard]] double units() const;

  /// The explanations, the best first. One that says the same as a better one does for these samples is left out,
  /// where it differs in the arithmetic alone, or was estimated. Errors: memory.
  [[nodiscard]] Expected<std::vector<TurnExplanation>> finish();

 private:
  [[nodiscard]] double bound() const;

  const TurnScores* scores_;
  std::size_t most_;
  std::vector<TurnExplanation> kept_;
};

}  // namespace posenc::diagnosis
