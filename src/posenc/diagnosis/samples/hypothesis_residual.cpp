#include "posenc/diagnosis/samples/hypothesis_residual.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"

namespace posenc::diagnosis {

void HypothesisResidual::add(const HypothesisResidual& other) {
  units = std::max(units, other.units);
  residual = std::max(residual, other.residual);
}

HypothesisResidual hypothesis_residual(PairRotations rotations, std::span<const double> positions,
                                       const RotationHypothesis& hypothesis,
                                       std::span<const std::int64_t> axis_of_pair) {
  HypothesisResidual made;
  const std::vector<double> units = rotations.units;
  const std::size_t axes = axis_of_pair.empty() ? 1 : positions.size() / rotations.tokens;
  PredictedRotations predicted;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    // The pairs of other axes are unknown.
    for (std::size_t at = 0; !axis_of_pair.empty() && at < units.size(); ++at) {
      const bool has_axis = axis_of_pair[at % rotations.pairs] == static_cast<std::int64_t>(axis);
      rotations.units[at] = has_axis ? units[at] : std::numeric_limits<double>::infinity();
    }
    const RotationCosts scores(rotations, positions.subspan(axis * rotations.tokens, rotations.tokens));
    if (!scores.predict(hypothesis, predicted)) {
      made.units = std::numeric_limits<double>::infinity();
      continue;
    }
    const RotationFit fit = scores.fit(predicted, hypothesis);
    made.add({.units = fit.units, .residual = fit.residual});
  }
  return made;
}

std::vector<std::size_t> checked_tokens(std::size_t start, std::size_t count) {
  std::vector<std::size_t> made(std::min(tokens_a_check, count - start));
  std::iota(made.begin(), made.end(), start);
  return made;
}

std::vector<double> positions_at(std::span<const double> positions, std::size_t axes,
                                 std::span<const std::size_t> tokens) {
  std::vector<double> made;
  for (std::size_t axis = 0; axis < axes; ++axis)
    for (const std::size_t token : tokens)
      made.push_back(positions.empty() ? static_cast<double>(token)
                                       : positions[axis * (positions.size() / axes) + token]);
  return made;
}

void note_check(const HypothesisResidual& all, double rounding, Diagnosis& diagnosis) {
  Explanation& first = diagnosis.explanations.front();
  first.units = std::max(first.units, all.units);
  first.ulps = std::max(first.ulps, all.residual / (2 * rounding));
  if (first.units > explained_units) diagnosis.verdict = Verdict::none;
}

}  // namespace posenc::diagnosis
