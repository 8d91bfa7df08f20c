#pragma once

#include <cstddef>
#include <vector>

#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"
#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"

namespace posenc::diagnosis {

/// The best of many explanations of the same rotations.
class HypothesisRanking {
 public:
  /// `scores` must outlive this.
  HypothesisRanking(const RotationCosts& scores, std::size_t most) : scores_(&scores), most_(most) {}

  /// Weighs a hypothesis whose angles predict this, and keeps it where it is among the best.
  void offer(const RotationHypothesis& hypothesis, const std::vector<Mistake>& mistakes, double cost,
             const PredictedRotations& predicted, bool is_estimated = false);

  /// All that are kept, the best first.
  [[nodiscard]] const std::vector<RotationExplanation>& kept() const { return kept_; }

  /// The units of the best explanation so far; infinite where there is none.
  [[nodiscard]] double units() const;

  /// The explanations, the best first. One that says the same as a better one does for these samples is left out,
  /// where it differs in the arithmetic alone, or was estimated. Errors: memory.
  [[nodiscard]] Expected<std::vector<RotationExplanation>> finish();

 private:
  [[nodiscard]] double bound() const;

  const RotationCosts* scores_;
  std::size_t most_;
  std::vector<RotationExplanation> kept_;
};

}  // namespace posenc::diagnosis
