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

/// Where more positions than this are left, they are not looked at.
constexpr std::size_t most_left = std::size_t{1} << 14;

/// A token that may have more positions than this says nothing of them.
constexpr std::size_t most_read = 1024;

/// Positions that are nearer than this, relative to them, are one.
constexpr double same_position = 1e-12;

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

double loose_of(const Phase& phase, double position, AngleArithmetic arithmetic) {
  const double angle = std::fabs(position * phase.rate);
  return loose_rate(AngleArithmetic::exact, false, phase.pair, phase.rate) * angle +
         coarse_angle(arithmetic, angle, position);
}

bool fits(const Measured& measured, std::size_t i, std::span<const Phase> phases, const HypothesisNumbers& numbers,
          double position) {
  for (const Phase& phase : phases) {
    const std::size_t at = measured.at(i, phase.pair);
    const double angle = phase.rate * (position + numbers.first_position);
    double real = numbers.factor * std::cos(angle), imaginary = numbers.factor * std::sin(angle);
    if (numbers.exchanged) std::swap(real, imaginary);
    const double reach =
        measured.error[at] + std::fabs(numbers.factor) * (loose_of(phase, position, numbers.arithmetic) + 1e-12);
    if (std::hypot(measured.real[at] - real, measured.imaginary[at] - imaginary) > reach) return false;
  }
  return true;
}

struct Candidates {
  std::vector<double> near;     ///< whole positions, and those a whole number away from the one given
  std::vector<double> middles;  ///< of the intervals
};

/// Positions that the phases leave: each pair cuts what slower ones left into its whole turns.
std::optional<Candidates> candidates(std::span<const Phase> phases, AngleArithmetic arithmetic, double given,
                                     const ReadingRange& range) {
  struct Range {
    double low, high;
  };
  const double centre = range.is_around ? given : 0;
  std::vector<Range> left{{centre - range.reach - 1, centre + range.reach + 1}};
  bool is_cut = false;
  for (const Phase& phase : phases) {
    if (phase.rate == 0 || phase.error >= largest_phase_error) continue;
    const double rate = std::fabs(phase.rate), angle = phase.rate < 0 ? -phase.angle : phase.angle;
    std::vector<Range> next;
    for (const Range& each : left) {
      const double far = std::max(std::fabs(each.low), std::fabs(each.high));
      const double error = (phase.error + loose_of(phase, far, arithmetic)) / rate + position_slack;
      if (error * rate > std::numbers::pi) {
        next.push_back(each);
        continue;
      }
      is_cut = true;
      const double first = std::ceil(((each.low - error) * rate - angle) / whole_turn);
      const double last = std::floor(((each.high + error) * rate - angle) / whole_turn);
      if (last - first + static_cast<double>(next.size()) > static_cast<double>(most_left)) return std::nullopt;
      for (int k = 0; first + k <= last; ++k) {
        const double middle = (angle + (first + k) * whole_turn) / rate;
        const Range cut{std::max(each.low, middle - error), std::min(each.high, middle + error)};
        if (cut.low <= cut.high) next.push_back(cut);
      }
    }
    left = std::move(next);
  }
  if (!is_cut) return std::nullopt;
  Candidates made;
  const double part = given - std::floor(given);
  for (const Range& each : left) {
    if (each.high - each.low + static_cast<double>(made.near.size()) > static_cast<double>(most_left))
      return std::nullopt;
    for (const double behind : {0.0, part}) {
      const double first = std::ceil(each.low - behind), last = std::floor(each.high - behind);
      for (int i = 0; first + i <= last; ++i) made.near.push_back(first + i + behind + 0.0);  // never -0
      if (part == 0) break;
    }
    made.middles.push_back((each.low + each.high) / 2);
  }
  return made;
}

/// The positions that an arithmetic of 16 bits has, from 0 on and back, but the smallest: all others are one of these.
Candidates rounded_positions(AngleArithmetic arithmetic, double given, const ReadingRange& range) {
  const double steps = arithmetic == AngleArithmetic::bfloat16 ? 256 : 2048, centre = range.is_around ? given : 0;
  Candidates made;
  double position = 0, step = 0x1p-7;
  while (position <= std::fabs(centre) + range.reach) {
    for (const double each : {position, -position})
      if (std::fabs(each - centre) <= range.reach) made.near.push_back(each + 0.0);  // never -0
    step *= position >= steps * step ? 2 : 1, position += step;
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
                                                 double likely, const ReadingRange& range,
                                                 FunctionRef<bool(double)> explains) {
  const std::vector<Phase> phases = phases_of(measured, i, numbers, axis_of_pair, axis);
  auto tried = candidates(phases, numbers.arithmetic, likely, range);
  if (!tried && is_of_16_bits(numbers.arithmetic)) tried = rounded_positions(numbers.arithmetic, likely, range);
  if (!tried) return std::nullopt;
  std::vector<double> found;
  bool is_any_near = false;
  const auto add_near = [&](double position) {
    if (found.size() > most_read || !fits(measured, i, phases, numbers, position)) return;
    is_any_near = true;
    if (explains(position)) found.push_back(position);
  };
  add_near(likely);
  for (const double position : tried->near)
    if (position != likely) add_near(position);
  // The middle of what is left is where a number is looked for: off by half of it, it need not explain a value.
  for (const double position : tried->middles)
    if (!is_any_near && found.size() <= most_read && fits(measured, i, phases, numbers, position))
      found.push_back(position);
  if (found.size() > most_read) return std::nullopt;
  sort_by(found, [&](double position) { return std::fabs(position - likely); });
  return found;
}

std::vector<std::vector<double>> read_together(std::span<const double> given,
                                               std::span<const std::optional<std::vector<double>>> possible) {
  const std::size_t tokens = given.size();
  std::vector<std::vector<double>> made;
  std::vector<double> values;
  for (const auto& each : possible)
    if (each && each->size() == 1) values.push_back(each->front());
  if (values.size() == tokens) return {values};
  values.assign(given.begin(), given.end());
  const auto is_possible = [&](std::size_t token) {
    const auto is_value = [&](double each) {
      return std::fabs(each - values[token]) <= same_position * std::max(1.0, std::fabs(each));
    };
    return !possible[token] || std::ranges::any_of(*possible[token], is_value);
  };
  for (std::size_t from = 0; from < tokens && made.empty(); ++from) {
    // Tokens in front of it are where they should be.
    if (from > 0) values[from - 1] = given[from - 1];
    if (from > 0 && !is_possible(from - 1)) break;
    // The first token from there on that tells its position tells those of all.
    std::size_t telling = from;
    while (telling < tokens && !possible[telling]) ++telling;
    if (telling == tokens) return {{given.begin(), given.end()}};
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): it is the first that is there
    for (const double first : *possible[telling])
      for (const bool is_one : {false, true}) {
        for (std::size_t token = from; token < tokens; ++token)
          values[token] = is_one ? first : given[token] + (first - given[telling]);
        std::size_t token = from;
        while (token < tokens && is_possible(token)) ++token;
        if (token == tokens && made.size() < most_together && std::ranges::find(made, values) == made.end())
          made.push_back(values);
      }
  }
  return made;
}

}  // namespace posenc::diagnosis
