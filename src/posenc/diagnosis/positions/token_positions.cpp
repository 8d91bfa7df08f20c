#include "posenc/diagnosis/positions/token_positions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"

// std::atan2 and std::log2 are right here: positions that they give are compared by exact rotations.

namespace posenc::diagnosis {
namespace {

/// An angle that may be off by more than this says nothing of the position.
constexpr double largest_error = 1;

/// A position is known up to whole turns of the slowest pair: at most so many are tried.
constexpr std::int64_t most_turns = 4096;

/// Where more whole positions are within the error of an estimate, several explain the rotations.
constexpr std::int64_t most_whole = 64;

/// Two pairs whose estimates differ by more than their errors are not of one position; a little more, for roundings.
constexpr double position_slack = 1e-6;

}  // namespace

PositionReader::PositionReader(const RotationHypothesis& hypothesis, HypothesisAngles angles, AngleArithmetic loosest,
                               double farthest)
    : hypothesis_(hypothesis),
      angles_(std::move(angles)),
      loosest_(loosest),
      farthest_(farthest),
      cosines_(angles_.pairs()),
      sines_(angles_.pairs()),
      radians_(angles_.pairs()) {}

Expected<PositionReader> PositionReader::make(const RotationHypothesis& hypothesis, AngleArithmetic loosest,
                                              double farthest) {
  POSENC_TRY_LET(angles, HypothesisAngles::make(hypothesis));
  return PositionReader(hypothesis, std::move(angles), loosest, farthest);
}

std::vector<PositionReader::Phase> PositionReader::phases_of(const PairRotations& rotations, std::size_t token,
                                                             std::span<const std::int64_t> axis_of_pair,
                                                             std::int64_t axis) const {
  std::vector<Phase> made;
  const RotationMap map(hypothesis_);
  for (std::size_t pair = 0; pair < rotations.pairs; ++pair) {
    const std::size_t at = token * rotations.pairs + pair;
    const double frequency = angles_.radians()[pair] * hypothesis_.position_scale;
    const double error = explained_units * rotations.units[at] / std::fabs(map.factor);
    if ((!axis_of_pair.empty() && axis_of_pair[pair] != axis) || !std::isfinite(rotations.units[at])) continue;
    double real = rotations.cosines[at], imaginary = rotations.sines[at];
    if (map.exchanged) std::swap(real, imaginary);
    const double angle = std::atan2(imaginary / map.sine_factor, real / map.factor) -
                         angles_.radians()[pair] * hypothesis_.first_position;
    made.push_back({.pair = pair, .frequency = frequency, .angle = angle, .error = error});
  }
  std::ranges::sort(made, {}, [](const Phase& phase) { return std::fabs(phase.frequency); });
  return made;
}

/// Positions that the phases leave: each whole turn of the slowest pair, narrowed by the faster ones.
std::vector<double> PositionReader::candidates(std::span<const Phase> phases) const {
  const auto is_useful = [](const Phase& phase) { return phase.frequency != 0 && phase.error < largest_error; };
  const auto slowest = std::ranges::find_if(phases, is_useful);
  std::vector<double> made;
  if (slowest == phases.end()) return made;
  constexpr double turn = 2 * std::numbers::pi;
  const double reach = std::ceil(farthest_ * std::fabs(slowest->frequency) / turn);
  if (reach > static_cast<double>(most_turns)) return made;
  const auto turns = static_cast<std::int64_t>(reach);
  for (std::int64_t whole = -turns; whole <= turns; ++whole) {
    double position = (slowest->angle + static_cast<double>(whole) * turn) / slowest->frequency;
    double error = slowest->error / std::fabs(slowest->frequency);
    bool fits = true;
    for (auto phase = slowest + 1; fits && phase != phases.end(); ++phase) {
      if (!is_useful(*phase)) continue;
      const double loose = loose_angle(loosest_, position * phase->frequency, phase->pair, phase->frequency);
      const double own = (phase->error + loose) / std::fabs(phase->frequency);
      if (error * std::fabs(phase->frequency) > largest_error) break;
      const double missing = std::round((position * phase->frequency - phase->angle) / turn);
      const double estimate = (phase->angle + missing * turn) / phase->frequency;
      fits = std::fabs(estimate - position) <= error + own + position_slack;
      if (own < error) position = estimate, error = own;
    }
    if (!fits || std::fabs(position) > farthest_ + 1) continue;
    const double first = std::ceil(position - error - position_slack);
    const double last = std::floor(position + error + position_slack);
    if (last - first > static_cast<double>(most_whole)) return {};
    for (std::int64_t step = 0; step <= most_whole && first + static_cast<double>(step) <= last; ++step)
      made.push_back(first + static_cast<double>(step) + 0.0);  // never -0
    made.push_back(position);
  }
  return made;
}

Expected<PositionReader::Fit> PositionReader::fit(const PairRotations& rotations, std::size_t token,
                                                  std::span<const Phase> phases, double position) {
  Fit made{.is_explained = true};
  // A position that the arithmetic cannot have explains nothing.
  if (!angles_.write(position, cosines_.data(), sines_.data(), radians_.data())) return Fit{};
  const RotationMap map(hypothesis_);
  for (const Phase& phase : phases) {
    const std::size_t at = token * rotations.pairs + phase.pair;
    const RotatedPair rotated = map(cosines_[phase.pair], sines_[phase.pair]);
    const RotatedPair observed{rotations.cosines[at], rotations.sines[at]};
    const double loose = loose_angle(loosest_, radians_[phase.pair], phase.pair, angles_.radians()[phase.pair]);
    made.units = std::max(made.units, loose_units(observed, rotated, rotations.units[at], loose));
    made.residual = std::max(
        {made.residual, std::fabs(observed.real - rotated.real), std::fabs(observed.imaginary - rotated.imaginary)});
  }
  made.is_explained = made.units <= explained_units;
  return made;
}

void PositionReader::note(std::span<const Phase> phases, const Fit& fit) {
  // One position of all that were looked for, and an angle a pair that it has to have.
  bits_ -= std::log2(2 * farthest_);
  for (const Phase& phase : phases) bits_ += std::max(-std::log2(phase.error), 0.0);
  units_ = std::max(units_, fit.units);
  residual_ = std::max(residual_, fit.residual);
}

Expected<std::optional<double>> PositionReader::read(const PairRotations& rotations, std::size_t token,
                                                     std::span<const std::int64_t> axis_of_pair, std::int64_t axis,
                                                     double likely) {
  const std::vector<Phase> phases = phases_of(rotations, token, axis_of_pair, axis);
  std::vector<double> tried = candidates(phases);
  std::optional<double> found;
  Fit best;
  tried.insert(tried.begin(), likely);
  for (const double position : tried) {
    // One that is not whole is tried where no whole one explains the rotations.
    if (found && (position == *found || position != std::floor(position))) continue;
    POSENC_TRY_LET(made, fit(rotations, token, phases, position));
    if (!made.is_explained) continue;
    if (found) return std::optional<double>{};
    found = position, best = made;
  }
  if (found && !phases.empty()) note(phases, best);
  return found;
}

}  // namespace posenc::diagnosis
