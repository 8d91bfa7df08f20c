#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/laws/law_list.hpp"
#include "posenc/diagnosis/laws/turn_angles.hpp"
#include "posenc/diagnosis/laws/turns.hpp"

namespace posenc::diagnosis {

/// How well a law fits turns.
struct TurnFit {
  double surprise = std::numeric_limits<double>::infinity();
  double units = 0, residual = 0;  ///< as TurnExplanation has them
};

/// What one set of angles predicts, [tokens, pairs] each.
struct PredictedTurns {
  std::vector<double> cosines, sines;
  std::vector<double> loose;  ///< by how much an angle may be off where libraries differ; empty for exact angles
};

/// How far roundings and libraries may move the angle of a pair that has this frequency.
[[nodiscard]] double loose_angle(AngleArithmetic arithmetic, double angle, std::size_t pair, double frequency);

/// Weighs laws by turns that were observed.
class TurnScores {
 public:
  /// `turns` and `positions` must outlive this, and have sizes that fit.
  TurnScores(const Turns& turns, std::span<const double> positions) : turns_(&turns), positions_(positions) {}

  /// What a law's angles predict, whatever its factor, sign and exchange. Errors: those of TurnAngles.
  [[nodiscard]] Expected<void> predict(const TurnLaw& law, PredictedTurns& out) const;
  [[nodiscard]] Expected<void> predict(TurnAngles& angles, PredictedTurns& out) const;

  /// The fit of a law with these angles; given up, with infinite surprise, from `bound` bits on.
  [[nodiscard]] TurnFit fit(const PredictedTurns& predicted, const TurnLaw& law,
                            double bound = std::numeric_limits<double>::infinity()) const;

  /// Whether a law's arithmetic may have made these turns, by its exact angles: whether all but a few turns are as near
  /// to what they predict as that arithmetic, coarse as it is, leaves them.
  [[nodiscard]] bool may_be_rounded(const PredictedTurns& exact, const TurnLaw& law, const LawNumbers& numbers) const;

  /// The factor that fits best: a mean weighted by units.
  [[nodiscard]] double best_factor(const PredictedTurns& predicted, const TurnLaw& law) const;

  /// The largest difference of what two laws predict, in units of the observations.
  [[nodiscard]] double apart(const PredictedTurns& a, const TurnLaw& of_a, const PredictedTurns& b,
                             const TurnLaw& of_b) const;

  [[nodiscard]] const Turns& turns() const { return *turns_; }
  [[nodiscard]] std::span<const double> positions() const { return positions_; }

 private:
  [[nodiscard]] TurnFit fit_exact(const PredictedTurns& predicted, const TurnLaw& law, double bound) const;
  [[nodiscard]] TurnFit fit_rounded(const PredictedTurns& predicted, const TurnLaw& law) const;

  const Turns* turns_;
  std::span<const double> positions_;
};

}  // namespace posenc::diagnosis
