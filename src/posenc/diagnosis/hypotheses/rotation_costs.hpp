#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"

namespace posenc::diagnosis {

/// The fit of a hypothesis to rotations.
struct RotationFit {
  double data_bits = std::numeric_limits<double>::infinity();
  double units = 0, residual = 0;  ///< as RotationExplanation has them
};

/// The prediction of one set of angles, [tokens, pairs] each.
struct PredictedRotations {
  std::vector<double> cosines, sines;
  std::vector<double> loose;  ///< by how much an angle may be off where libraries differ; empty for exact angles
};

/// The largest error that roundings and libraries may cause in the angle of a pair of this frequency.
[[nodiscard]] double loose_angle(AngleArithmetic arithmetic, double angle, std::size_t pair, double frequency);

/// How far an observed rotation is from a predicted one, across that and along it: an angle that is off moves the one,
/// and hardly the other.
struct TurnedResidual {
  double across = 0, along = 0;
};
[[nodiscard]] TurnedResidual turned_residual(const RotatedPair& observed, const RotatedPair& predicted);

/// The residual of a rotation whose angle may be off by `loose`, in what that and roundings of `unit` cause.
[[nodiscard]] double loose_units(const RotatedPair& observed, const RotatedPair& predicted, double unit, double loose);

/// By how much, along itself, a rotation of length 1 is shorter where its angle is off by explained_units of this; in
/// the same units.
[[nodiscard]] double shortening(double loose);

/// Weighs hypotheses by rotations that were observed.
class RotationCosts {
 public:
  /// `rotations` and `positions` must outlive this, and have sizes that fit.
  RotationCosts(const PairRotations& rotations, std::span<const double> positions)
      : rotations_(&rotations), positions_(positions) {}

  /// Predicts with a hypothesis's angles, whatever its factor, sign and exchange. Errors: those of HypothesisAngles.
  [[nodiscard]] Expected<void> predict(const RotationHypothesis& hypothesis, PredictedRotations& out) const;
  [[nodiscard]] Expected<void> predict(HypothesisAngles& angles, PredictedRotations& out) const;

  /// The fit of a hypothesis with these angles; given up, with infinite bits, from `bound` bits on.
  [[nodiscard]] RotationFit fit(const PredictedRotations& predicted, const RotationHypothesis& hypothesis,
                                double bound = std::numeric_limits<double>::infinity()) const;

  /// Whether a hypothesis's arithmetic may have made these rotations, by its exact angles: whether all but a few
  /// rotations are as near to what they predict as that arithmetic, coarse as it is, leaves them.
  [[nodiscard]] bool may_be_rounded(const PredictedRotations& exact, const RotationHypothesis& hypothesis,
                                    const HypothesisNumbers& numbers) const;

  /// The factor that fits best: a mean weighted by units.
  [[nodiscard]] double best_factor(const PredictedRotations& predicted, const RotationHypothesis& hypothesis) const;

  /// The largest difference of what two hypotheses predict, in units of the observations.
  [[nodiscard]] double apart(const PredictedRotations& a, const RotationHypothesis& of_a, const PredictedRotations& b,
                             const RotationHypothesis& of_b) const;

  [[nodiscard]] const PairRotations& rotations() const { return *rotations_; }
  [[nodiscard]] std::span<const double> positions() const { return positions_; }

 private:
  [[nodiscard]] RotationFit fit_exact(const PredictedRotations& predicted, const RotationHypothesis& hypothesis,
                                      double bound) const;
  [[nodiscard]] RotationFit fit_rounded(const PredictedRotations& predicted,
                                        const RotationHypothesis& hypothesis) const;

  const PairRotations* rotations_;
  std::span<const double> positions_;
};

}  // namespace posenc::diagnosis
