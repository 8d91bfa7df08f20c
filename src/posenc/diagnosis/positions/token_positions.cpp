#include "posenc/diagnosis/positions/token_positions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "posenc/diagnosis/engine/ordering.hpp"

// std::atan2 and its like are right here: the positions that they give are simulated and compared.

namespace posenc::diagnosis {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

/// An angle that may be off by more than this says nothing of the position.
constexpr double largest_phase_error = 1;

/// A position is known up to whole turns of the slowest pair: at most so many are tried.
constexpr double most_turns = 4096;

/// Where more whole positions are within the error of an estimate, several explain the rotations.
constexpr double most_whole = 64;

/// A token that may have more positions than this says nothing of them.
constexpr std::size_t most_read = 1024;

/// Where more readings of all tokens are possible than this, more would not say more.
constexpr std::size_t most_together = 4;

/// Two pairs whose estimates differ by more than their errors are not of one position; a little more, for roundings.
constexpr double position_slack = 1e-6;

/// A pair of one token: its angle but for whole turns, and what that may be off by.
struct Phase {
  std::size_t pair;
  double rate, angle, error;
};

std::vector<Phase> phases_of(const Measured& measured, std::size_t i, const HypothesisNumbers& numbers,
                             std::span<const std::int64_t> axis_of_pair, std::int64_t axis) {
  std::vector<Phase> made;
  for (std::size_t pair = 0; pair < measured.pairs; ++pair) {
    const std::size_t at = measured.at(i, pair);
    if ((!axis_of_pair.empty() && axis_of_pair[pair] != axis) || !std::isfinite(measured.error[at])) continue;
    double real = measured.real[at], imaginary = measured.imaginary[at];
    if (numbers.exchanged) std::swap(real, imaginary);
    const double rate = numbers.rates[pair];
    const double angle = std::atan2(imaginary / numbers.factor, real / numbers.factor) - rate * numbers.first_position;
    // A little more than the arc of the error.
    made.push_back({pair, rate, angle, 1.2 * measured.error[at] / std::fabs(numbers.factor)});
  }
  sort_by(made, [](const Phase& phase) { return std::fabs(phase.rate); });
  return made;
}

double loose_of(const Phase& phase, double position) {
  return loose_rate(AngleArithmetic::exact, false, phase.pair, phase.rate) * std::fabs(position * phase.rate);
}

bool fits(const Measured& measured, std::size_t i, std::span<const Phase> phases, const HypothesisNumbers& numbers,
          double position) {
  for (const Phase& phase : phases) {
    const std::size_t at = measured.at(i, phase.pair);
    const double angle = phase.rate * (position + numbers.first_position);
    double real = numbers.factor * std::cos(angle), imaginary = numbers.factor * std::sin(angle);
    if (numbers.exchanged) std::swap(real, imaginary);
    const double reach = measured.error[at] + std::fabs(numbers.factor) * (loose_of(phase, position) + 1e-12);
    if (std::hypot(measured.real[at] - real, measured.imaginary[at] - imaginary) > reach) return false;
  }
  return true;
}

/// Positions that the phases leave: each whole turn of the slowest pair, narrowed by the faster ones.
std::optional<std::vector<double>> candidates(std::span<const Phase> phases, double farthest) {
  const auto is_useful = [](const Phase& phase) { return phase.rate != 0 && phase.error < largest_phase_error; };
  const auto slowest = std::ranges::find_if(phases, is_useful);
  std::vector<double> made;
  if (slowest == phases.end()) return std::nullopt;
  const double turns = std::ceil(farthest * std::fabs(slowest->rate) / whole_turn);
  if (turns > most_turns) return std::nullopt;
  const auto most = static_cast<int>(turns);
  for (int whole = -most; whole <= most; ++whole) {
    double position = (slowest->angle + whole * whole_turn) / slowest->rate;
    double error = (slowest->error + loose_of(*slowest, position)) / std::fabs(slowest->rate);
    bool is_left = true;
    for (auto phase = slowest + 1; is_left && phase != phases.end(); ++phase) {
      if (!is_useful(*phase)) continue;
      const double own = (phase->error + loose_of(*phase, position)) / std::fabs(phase->rate);
      if (error * std::fabs(phase->rate) > largest_phase_error) break;
      const double missing = std::round((position * phase->rate - phase->angle) / whole_turn);
      const double estimate = (phase->angle + missing * whole_turn) / phase->rate;
      is_left = std::fabs(estimate - position) <= error + own + position_slack;
      if (own < error) position = estimate, error = own;
    }
    if (!is_left || std::fabs(position) > farthest + 1) continue;
    const double first = std::ceil(position - error - position_slack),
                 last = std::floor(position + error + position_slack);
    if (last - first > most_whole) return std::nullopt;
    for (int i = 0; first + i <= last; ++i) made.push_back(first + i + 0.0);  // never -0
    made.push_back(position);
  }
  return made;
}

}  // namespace

double reading_reach(const HypothesisNumbers& numbers, const Places& places) {
  constexpr double multiple = 4, least = 4096, most = 0x1p40;
  double slowest = std::numeric_limits<double>::infinity();
  for (const double rate : numbers.rates)
    if (rate != 0) slowest = std::min(slowest, std::fabs(rate));
  double reach = std::max(least, whole_turn / slowest / 2);
  for (const double position : places.positions) reach = std::max(reach, multiple * std::fabs(position));
  return std::min(std::floor(reach), most);
}

std::optional<std::vector<double>> read_position(const Measured& measured, std::size_t i,
                                                 const HypothesisNumbers& numbers,
                                                 std::span<const std::int64_t> axis_of_pair, std::int64_t axis,
                                                 double likely, double farthest) {
  const std::vector<Phase> phases = phases_of(measured, i, numbers, axis_of_pair, axis);
  const auto tried = candidates(phases, farthest);
  std::vector<double> found;
  if (!tried) return std::nullopt;
  if (fits(measured, i, phases, numbers, likely)) found.push_back(likely);
  for (const double position : *tried) {
    // One that is not whole is tried where no whole one fits.
    if (!found.empty() && (position != std::floor(position) || std::ranges::find(found, position) != found.end()))
      continue;
    if (fits(measured, i, phases, numbers, position)) found.push_back(position);
    if (found.size() > most_read) return std::nullopt;
  }
  return found;
}

std::vector<std::vector<double>> read_together(std::span<const double> given,
                                               std::span<const std::vector<double>> possible) {
  const auto has = [&](std::size_t token, double position) {
    return std::ranges::find(possible[token], position) != possible[token].end();
  };
  std::vector<std::vector<double>> made;
  if (std::ranges::all_of(possible, [](const auto& each) { return each.size() == 1; })) {
    made.emplace_back();
    made.front().reserve(possible.size());
    for (const std::vector<double>& each : possible) made.front().push_back(each.front());
    return made;
  }
  for (std::size_t from = 0; from < given.size() && made.empty(); ++from) {
    for (const double first : possible[from])
      for (const bool is_one : {false, true}) {
        const auto at = [&](std::size_t token) {
          return token < from ? given[token] : is_one ? first : given[token] + (first - given[from]);
        };
        std::size_t token = from;
        while (token < given.size() && has(token, at(token))) ++token;
        if (token < given.size() || made.size() == most_together) continue;
        std::vector<double>& positions = made.emplace_back();
        positions.reserve(given.size());
        for (token = 0; token < given.size(); ++token) positions.push_back(at(token));
      }
    if (!has(from, given[from])) break;
  }
  return made;
}

}  // namespace posenc::diagnosis
