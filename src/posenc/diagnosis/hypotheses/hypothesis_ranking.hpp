#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"
#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"
#include "posenc/diagnosis/hypotheses/shortlist.hpp"

namespace posenc::diagnosis {

/// The best of many explanations of the same rotations.
class HypothesisRanking {
 public:
  /// `costs` must outlive this.
  HypothesisRanking(const RotationCosts& costs, std::size_t most) : costs_(&costs), most_(most), best_(most + spare) {}

  /// Keeps an explanation whose angles predict this, where it is among the best: with the cost and residuals that the
  /// rotations give it.
  void offer(RotationExplanation made, const PredictedRotations& predicted);

  /// All that are kept, the best first.
  [[nodiscard]] const std::vector<RotationExplanation>& kept() const { return best_.kept(); }

  /// The units of the best explanation so far; infinite where there is none.
  [[nodiscard]] double units() const;

  /// Whether the best is a mistake that other numbers may mimic: values are as coarse as those of 16 bits.
  [[nodiscard]] bool may_be_mimicked() const;

  /// Whether estimated explanations have to be looked for: the best one leaves more than a rounding, or may be
  /// mimicked.
  [[nodiscard]] bool needs_estimates() const { return units() > one_rounding || may_be_mimicked(); }

  /// Writes what an explanation predicts, and returns whether it can.
  using Predict = std::function<bool(const RotationExplanation&, PredictedRotations&)>;

  /// The explanations, the best first. One that these samples do not distinguish from a better one is left out if it
  /// has the same mistakes and was estimated or has another arithmetic; with `merges_equal`, or the same predictions.
  /// So is one that was estimated where the better one has no mistake.
  [[nodiscard]] std::vector<RotationExplanation> finish(const Predict& predict, bool merges_equal = false) &&;

 private:
  /// Explanations that are kept beyond those asked for: some are left out in the end.
  static constexpr std::size_t spare = 24;

  const RotationCosts* costs_;
  std::size_t most_;
  Shortlist<RotationExplanation> best_;
};

}  // namespace posenc::diagnosis
