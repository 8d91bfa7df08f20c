#include "posenc/diagnosis/samples/hypothesis_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"

namespace posenc::diagnosis {
namespace {

/// The most roundings of its own that a value has, beside what float32 leaves of it and of its angle.
double roundings_of(const PairRotations& rotations, std::span<const double> positions,
                    const RotationHypothesis& hypothesis, const StoredAs& stored) {
  double most = 0;
  auto angles = HypothesisAngles::make(hypothesis);
  if (!angles || stored.type.rounding <= float32_rounding) return most;
  const bool is_product = hypothesis.arithmetic == AngleArithmetic::product;
  const AngleArithmetic arithmetic = is_product ? AngleArithmetic::product : AngleArithmetic::float32;
  const RotationMap map(hypothesis);
  const std::size_t pairs = rotations.pairs;
  std::vector<double> cosines(pairs), sines(pairs), radians(pairs);
  for (std::size_t at = 0; at < rotations.units.size(); ++at) {
    const std::size_t i = at % pairs;
    if (i == 0 && !angles->write(positions[at / pairs], cosines.data(), sines.data(), radians.data())) return most;
    if (!std::isfinite(rotations.units[at])) continue;
    const auto [real, imaginary] = map(cosines[i], sines[i]);
    const double loose = loose_angle(arithmetic, radians[i], i, angles->radians()[i]);
    const double floor = explained_units * std::fabs(hypothesis.factor) * (float32_rounding + loose);
    for (const auto& [seen, right] : {std::pair{rotations.cosines[at], real}, {rotations.sines[at], imaginary}}) {
      const double unit = stored.type.unit(stored.amplitude * std::max(std::fabs(seen), std::fabs(right)));
      most = std::max(most, (std::fabs(seen - right) - floor) * stored.amplitude / unit);
    }
  }
  return most;
}

}  // namespace

void HypothesisResidual::add(const HypothesisResidual& other) {
  units = std::max(units, other.units);
  residual = std::max(residual, other.residual);
  roundings = std::max(roundings, other.roundings);
}

HypothesisResidual hypothesis_residual(PairRotations rotations, std::span<const double> positions,
                                       const RotationHypothesis& hypothesis, std::span<const std::int64_t> axis_of_pair,
                                       const StoredAs& stored) {
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
    const auto own = positions.subspan(axis * rotations.tokens, rotations.tokens);
    const RotationCosts scores(rotations, own);
    if (!scores.predict(hypothesis, predicted)) {
      made.units = std::numeric_limits<double>::infinity();
      continue;
    }
    const RotationFit fit = scores.fit(predicted, hypothesis);
    made.add(
        {.units = fit.units, .residual = fit.residual, .roundings = roundings_of(rotations, own, hypothesis, stored)});
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
  if (all.roundings > stored_roundings) diagnosis.verdict = std::max(diagnosis.verdict, Verdict::likely);
  if (first.units > explained_units) diagnosis.verdict = Verdict::none;
}

}  // namespace posenc::diagnosis
