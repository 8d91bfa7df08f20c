#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"

namespace posenc::diagnosis {

/// Reads the position of each token back from its rotations, by a hypothesis of all but the positions.
class PositionReader {
 public:
  /// `farthest` is the largest position that is looked for, of either sign; `loosest` the arithmetic whose errors are
  /// permitted. Errors: those of HypothesisAngles::make.
  [[nodiscard]] static Expected<PositionReader> make(const RotationHypothesis& hypothesis, AngleArithmetic loosest,
                                                     double farthest);

  /// The position of one token on one axis, by the pairs that `axis_of_pair` gives this axis: whole where a whole one
  /// explains them, and `likely` where that one does. Nothing where no position explains the rotations, or more than
  /// one. Errors: memory.
  [[nodiscard]] Expected<std::optional<double>> read(const PairRotations& rotations, std::size_t token,
                                                     std::span<const std::int64_t> axis_of_pair, std::int64_t axis,
                                                     double likely);

  /// The evidence of all positions so far, in bits beyond a guess.
  [[nodiscard]] double bits() const { return bits_; }
  /// The largest residual of all positions so far, as RotationExplanation has them.
  [[nodiscard]] double units() const { return units_; }
  [[nodiscard]] double residual() const { return residual_; }

 private:
  /// A pair of one token: its angle but for whole turns, and what that may be off by.
  struct Phase {
    std::size_t pair = 0;
    double frequency = 0, angle = 0, error = 0;
  };

  /// How well a position explains a token's rotations.
  struct Fit {
    bool is_explained = false;
    double units = 0, residual = 0;
  };

  PositionReader(const RotationHypothesis& hypothesis, HypothesisAngles angles, AngleArithmetic loosest,
                 double farthest);

  [[nodiscard]] std::vector<Phase> phases_of(const PairRotations& rotations, std::size_t token,
                                             std::span<const std::int64_t> axis_of_pair, std::int64_t axis) const;
  [[nodiscard]] Expected<Fit> fit(const PairRotations& rotations, std::size_t token, std::span<const Phase> phases,
                                  double position);
  [[nodiscard]] std::vector<double> candidates(std::span<const Phase> phases) const;
  void note(std::span<const Phase> phases, const Fit& fit);

  RotationHypothesis hypothesis_;
  HypothesisAngles angles_;
  AngleArithmetic loosest_;
  double farthest_;
  std::vector<double> cosines_, sines_, radians_;
  double bits_ = 0, units_ = 0, residual_ = 0;
};

}  // namespace posenc::diagnosis
