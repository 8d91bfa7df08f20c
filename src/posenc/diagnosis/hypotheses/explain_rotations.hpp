#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/hypotheses/mistaken_hypotheses.hpp"

namespace posenc::diagnosis {

/// So many explanations are listed at most: who reads more has not looked at the first.
inline constexpr std::size_t most_explanations = 8;

/// Predictions that differ by so few units at all positions are the same for these samples.
inline constexpr double indistinct_units = 2;

/// A hypothesis that may have made the rotations.
struct RotationExplanation {
  RotationHypothesis hypothesis;
  std::vector<Mistake> mistakes;  ///< by which it differs from what was expected, none where nothing was
  double data_bits = 0;           ///< of all rotations, in bits
  double cost = 0;                ///< of stating it, in bits
  double units = 0;               ///< the largest residual, in what its arithmetic could cause
  double residual = 0;            ///< the largest residual itself, |observed - predicted|
  /// The largest difference of what it and the first explanation predict, in units of the observations: the samples do
  /// not distinguish them where that is below indistinct_units.
  double apart = 0;
  bool is_estimated = false;  ///< it has numbers that were estimated from the rotations
  std::size_t variant = 0;    ///< which assignment of axes to pairs it is of, where positions have several axes

  [[nodiscard]] double total() const { return data_bits + cost; }
};

/// Finds hypotheses that may have made these rotations, the best first (least data_bits + cost), at most `most`.
/// Hypotheses whose plans give the same numbers are one. First come those that an expected plan and one or two known
/// mistakes make; then those that are estimated: frequencies are estimated pair by pair, resolved beyond whole
/// rotations between positions by several of these, and hypotheses fitted to them (base and denominator, rule with its
/// parameters, factor, sign, exchange, first position). A plan of rule "given" where there are frequencies but no
/// hypothesis. Errors: more pairs than any head has; memory.
[[nodiscard]] Expected<std::vector<RotationExplanation>> explain_rotations(const PairRotations& rotations,
                                                                           std::span<const double> positions,
                                                                           const RotationContext& context,
                                                                           std::size_t most = most_explanations);

}  // namespace posenc::diagnosis
