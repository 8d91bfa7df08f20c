#include "posenc/diagnosis/samples/ranking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <ranges>
#include <set>
#include <utility>
#include <variant>

#include "posenc/base/try.hpp"
#include "posenc/diagnosis/estimates/frequency_fit.hpp"
#include "posenc/diagnosis/hypotheses/discriminating_positions.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"

// std::log2 and std::exp2 are right here: bits of evidence are compared with thresholds, not kept.

namespace posenc::diagnosis {
namespace {

/// Positions are proposed up to this length, or twice as far as was sampled.
constexpr double usual_length = 4096;

/// From one position alone the rates of angles are not known: whole rotations may have been added to each.
constexpr std::size_t positions_for_rates = 2;

/// Rotations of unlike dimensions are distinguished anywhere but at 0.
constexpr std::array<double, 8> any_positions{1, 2, 3, 5, 8, 13, 21, 34};

/// Positions at which two hypotheses that are not the same differ.
constexpr std::array<double, 3> compared_positions{0, 1, 1000};

/// Rotations that are nearer than this are the same, computed in two ways.
constexpr double same_rotation = 1e-9;

/// Cosines and sines of a candidate at compared_positions; none where it cannot have them.
std::vector<double> compared_angles(const Candidate& candidate) {
  const std::size_t size = compared_positions.size() * static_cast<std::size_t>(candidate.hypothesis.plan.dim / 2);
  std::vector<double> made(2 * size);
  const std::span<double> both(made);
  if (!write_rotations(candidate.hypothesis, compared_positions, both.first(size), both.last(size))) made.clear();
  return made;
}

bool predict_same(const Candidate& a, const std::vector<double>& of_a, const Candidate& b,
                  const std::vector<double>& of_b) {
  if (a.form != b.form || a.variant != b.variant || a.hypothesis.arithmetic != b.hypothesis.arithmetic || of_a.empty())
    return false;
  return std::ranges::equal(of_a, of_b, [](double x, double y) { return std::fabs(x - y) <= same_rotation; });
}

/// Keeps the best of those that make the same rotations.
void drop_same(std::vector<Candidate>& sorted) {
  std::vector<std::vector<double>> rotations;
  rotations.reserve(sorted.size());
  for (const Candidate& candidate : sorted) rotations.push_back(compared_angles(candidate));
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < sorted.size(); ++j) {
    const auto is_same = [&](std::size_t i) { return predict_same(sorted[i], rotations[i], sorted[j], rotations[j]); };
    if (std::ranges::none_of(kept, is_same)) kept.push_back(j);
  }
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (kept[k] != k) sorted[k] = std::move(sorted[kept[k]]);
  sorted.erase(sorted.begin() + static_cast<std::ptrdiff_t>(kept.size()), sorted.end());
}

/// Whether b is a with angles that are computed less precisely.
bool is_coarser(const Candidate& a, const Candidate& b) {
  if (a.form != b.form || a.variant != b.variant) return false;
  if (a.hypothesis.arithmetic != AngleArithmetic::exact || b.hypothesis.arithmetic == AngleArithmetic::exact)
    return false;
  std::vector<Mistake> rest = b.explanation.mistakes;
  std::erase_if(rest, is_of_arithmetic);
  return rest == a.explanation.mistakes && a.hypothesis.plan.base == b.hypothesis.plan.base &&
         a.hypothesis.plan.scaling.index() == b.hypothesis.plan.scaling.index() &&
         a.hypothesis.negative == b.hypothesis.negative && a.hypothesis.exchanged == b.hypothesis.exchanged &&
         a.hypothesis.reciprocal == b.hypothesis.reciprocal;
}

/// Coarse arithmetic is named only where it shows: of angles that are as good as exact, nothing is to be known and
/// nothing to be done.
void drop_unseen_arithmetic(std::vector<Candidate>& sorted) {
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = sorted.size(); --j > i;)
      if (is_coarser(sorted[i], sorted[j])) sorted.erase(sorted.begin() + static_cast<std::ptrdiff_t>(j));
}

bool is_explained(const Candidate& candidate) { return candidate.explanation.units <= explained_units; }

/// Whether a library's own steps to frequencies in float32, or less, may make of the one what the other is.
bool are_loosely_same(const Candidate& a, const Candidate& b) {
  const RotationHypothesis &one = a.hypothesis, &other = b.hypothesis;
  if (a.form != b.form || a.variant != b.variant || one.arithmetic == AngleArithmetic::exact ||
      one.arithmetic != other.arithmetic || one.negative != other.negative || one.exchanged != other.exchanged ||
      one.first_position != other.first_position || one.reciprocal != other.reciprocal)
    return false;
  const std::vector<double> rates = radians_of(one.plan), others = radians_of(other.plan);
  const auto is_loosely = [&](double rate, double of_other) {
    const double angle = rate * one.position_scale;
    const double loose = loose_angle(AngleArithmetic::float32, angle, 0, rate);
    return std::fabs(angle - of_other * other.position_scale) <= explained_units * loose;
  };
  return std::ranges::equal(rates, others, is_loosely) &&
         std::fabs(one.factor - other.factor) <= explained_units * float32_rounding * std::fabs(one.factor);
}

/// Of two explanations between which only such steps decide, the one that is shorter to state is kept. Returns whether
/// it is the first now.
bool drop_loosely_same(std::vector<Candidate>& sorted) {
  bool is_first = false;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto is_shorter = [&](const Candidate& other) {
      return is_explained(other) && other.cost < sorted[i].cost && are_loosely_same(sorted[i], other);
    };
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(i);
    const auto shorter = std::find_if(at + 1, sorted.end(), is_shorter);
    if (shorter == sorted.end()) continue;
    std::rotate(at, shorter, shorter + 1);
    sorted.erase(at + 1);
    is_first = is_first || i == 0;
    --i;
  }
  return is_first;
}

/// How many different positions there are at which something rotates: not 0 on every axis.
std::size_t moved_positions(const SampledPositions& sampled) {
  const std::size_t tokens = sampled.values.size() / sampled.axes;
  std::set<std::vector<double>> found;
  for (std::size_t token = 0; token < tokens && found.size() < positions_for_rates; ++token) {
    std::vector<double> position;
    position.reserve(sampled.axes);
    for (std::size_t axis = 0; axis < sampled.axes; ++axis) position.push_back(sampled.values[axis * tokens + token]);
    if (std::ranges::any_of(position, [](double each) { return each != 0; })) found.insert(std::move(position));
  }
  return found.size();
}

/// The first candidate's bits over all others together: many that are a little worse are as doubtful as one.
double margin(const std::vector<Candidate>& candidates) {
  double others = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i)
    others += std::exp2(candidates[0].total() - candidates[i].total());
  return -std::log2(others);
}

/// Whether another candidate explains the values as well, and is wrong in one known way more at most: values that do
/// not show a mistake do not rule it out.
bool has_rival(const std::vector<Candidate>& sorted) {
  return std::any_of(sorted.begin() + 1, sorted.end(), [&](const Candidate& other) {
    return is_explained(other) && other.data_bits < sorted[0].data_bits + ambiguous_bits &&
           other.cost <= sorted[0].cost + mistake_bits;
  });
}

/// Whether another candidate, of the same arithmetic and no longer to state, leaves a smaller largest residual. Values
/// then have more noise than roundings cause, and the bits of many of them add up to a difference that is none. Or
/// whether one explains the values far better, and is only longer to state.
bool is_outdone(const std::vector<Candidate>& sorted) {
  return std::any_of(sorted.begin() + 1, sorted.end(), [&](const Candidate& other) {
    if (is_explained(other) && other.data_bits + outdone_bits < sorted[0].data_bits) return true;
    return other.hypothesis.arithmetic == sorted[0].hypothesis.arithmetic && other.cost <= sorted[0].cost &&
           other.explanation.units < sorted[0].explanation.units;
  });
}

/// Whether an explanation has frequencies of no law, which nobody stated: as many free numbers as pairs may be those of
/// an encoding that was not tried.
bool is_lawless(const Candidate& candidate, const Expectation& expected) {
  const auto* const given = std::get_if<scaling::Given>(&candidate.hypothesis.plan.scaling);
  if (given == nullptr || std::ranges::count(candidate.explanation.mistakes, Mistake::scaling_other) == 0) return false;
  if (expected.plan && std::holds_alternative<scaling::Given>(expected.plan->scaling)) return false;
  return std::ranges::any_of(given->frequencies, [](double frequency) { return frequency != 0; });
}

/// The nearest number of two digits: bases that people choose are such.
double two_digits(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return std::round(x / unit) * unit;
}

/// Whether frequencies are nearly those of `plan`, but not the same: powers of a root that was rounded to float32 drift
/// from the power itself by that rounding and the product's, once a pair.
bool drift_from(const std::vector<double>& frequencies, const RotaryOptions& plan, double position_scale) {
  constexpr double roundings_a_pair = 2, same = 1e-12;
  const std::vector<double> others = radians_of(plan);
  if (others.size() != frequencies.size()) return false;
  double most = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const double other = others[i] * position_scale, apart = std::fabs(frequencies[i] - other);
    const double drift = roundings_a_pair * static_cast<double>(i + 1) * float32_rounding;
    if (apart > drift * std::fabs(other)) return false;
    if (apart > 0) most = std::max(most, apart / std::fabs(other));
  }
  return most > same;
}

/// Whether what was found may be the plan that was expected, or the same plan by the base that was expected or by a
/// round one, with frequencies that drift from it. A base that was expected is no drift of another.
bool may_drift(const Candidate& candidate, const Expectation& expected) {
  RotaryOptions plan = candidate.hypothesis.plan;
  const double scale = candidate.hypothesis.position_scale;
  std::vector<double> frequencies = radians_of(plan);
  for (double& each : frequencies) each *= scale;
  const double stated = expected.plan ? expected.plan->base : two_digits(plan.base);
  for (const double base : {stated, plan.base == stated ? stated : two_digits(plan.base)}) {
    plan.base = base;
    if (drift_from(frequencies, plan, scale)) return true;
  }
  return expected.plan && drift_from(frequencies, *expected.plan, expected.position_scale);
}

/// Whether no frequency shows which base it is of: the first is 1 by any.
bool hides_base(const Candidate& candidate) {
  const std::vector<double> rates = radians_of(candidate.hypothesis.plan);
  return !rates.empty() && rates[0] != 0 &&
         std::ranges::none_of(rates | std::views::drop(1), [](double rate) { return rate != 0; });
}

Verdict verdict_of(const std::vector<Candidate>& sorted, double noise_bits) {
  if (sorted.empty() || !is_explained(sorted[0]) || sorted[0].total() > noise_bits) return Verdict::none;
  const double bits = margin(sorted);
  if (bits < ambiguous_bits) return Verdict::ambiguous;
  return bits < certain_bits ? Verdict::likely : Verdict::certain;
}

/// Moves the best into the diagnosis, each with its bits over the next.
void keep_best(std::vector<Candidate>& sorted, double noise_bits, Diagnosis& diagnosis, std::size_t most) {
  diagnosis.explanations.clear();
  for (std::size_t i = 0; i < std::min(sorted.size(), most); ++i) {
    const double next = i + 1 < sorted.size() ? sorted[i + 1].total() : noise_bits;
    sorted[i].explanation.bits = std::max(next - sorted[i].total(), 0.0);
    diagnosis.explanations.push_back(std::move(sorted[i].explanation));
  }
}

}  // namespace

double noise_model_bits(const PairRotations& rotations, double amplitude) {
  double bits = 0;
  for (const double unit : rotations.units)
    if (std::isfinite(unit)) bits += 2 * std::max(std::log2(2 * amplitude / unit), 0.0);
  return bits;
}

void RotationAnswers::add(std::vector<Candidate> explained, const SeenForm& seen) {
  noise_bits = std::min(noise_bits, seen.noise_bits);
  for (Candidate& candidate : explained) {
    candidate.form = seen.form;
    candidate.data_bits += seen.misfit;
    candidate.explanation.units = std::max(candidate.explanation.units, seen.units);
    candidate.explanation.ulps /= 2 * seen.rounding;
    candidates.push_back(std::move(candidate));
  }
}

void weigh(std::vector<Candidate> candidates, double noise_bits, Diagnosis& diagnosis, std::size_t most) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.total() < b.total(); });
  diagnosis.verdict = verdict_of(candidates, noise_bits);
  keep_best(candidates, noise_bits, diagnosis, most);
}

Expected<std::size_t> rank(std::vector<Candidate> candidates, double noise_bits, const SampledPositions& sampled,
                           const Expectation& expected, Diagnosis& diagnosis, std::size_t most) {
  std::ranges::sort(candidates, {}, &Candidate::total);
  drop_unseen_arithmetic(candidates);
  drop_same(candidates);
  const bool is_loose = drop_loosely_same(candidates);
  diagnosis.verdict = verdict_of(candidates, noise_bits);
  const std::size_t moved = moved_positions(sampled);
  if (diagnosis.verdict != Verdict::none && (moved == 0 || has_rival(candidates)))
    diagnosis.verdict = Verdict::ambiguous;
  const auto is_doubtful = [&] {
    return is_loose || moved < positions_for_rates || is_lawless(candidates[0], expected) || is_outdone(candidates) ||
           (!expected.plan && hides_base(candidates[0])) || may_drift(candidates[0], expected);
  };
  if (diagnosis.verdict == Verdict::certain && is_doubtful()) diagnosis.verdict = Verdict::likely;
  diagnosis.next.clear();
  if (diagnosis.verdict == Verdict::likely && moved < positions_for_rates)
    diagnosis.next.assign(any_positions.begin(), any_positions.end());
  if (diagnosis.verdict == Verdict::ambiguous) {
    double length = usual_length;
    for (const double position : sampled.values) length = std::max(length, 2 * std::fabs(position));
    for (std::size_t i = 1; i < candidates.size() && diagnosis.next.empty(); ++i) {
      if (candidates[i].hypothesis.plan.dim != candidates[0].hypothesis.plan.dim) continue;
      POSENC_TRY_LET(positions, discriminating_positions(candidates[0].hypothesis, candidates[i].hypothesis, length));
      diagnosis.next = std::move(positions);
    }
    if (diagnosis.next.empty()) diagnosis.next.assign(any_positions.begin(), any_positions.end());
  }
  const std::size_t form = candidates.empty() ? 0 : candidates[0].form;
  keep_best(candidates, noise_bits, diagnosis, most);
  if (!expected.arithmetic)
    for (Explanation& each : diagnosis.explanations) std::erase(each.mistakes, Mistake::angles_float32);
  return form;
}

void set_too_little(Diagnosis& diagnosis, bool has_positions) {
  diagnosis.verdict = Verdict::too_little;
  diagnosis.explanations.clear();
  diagnosis.next.clear();
  if (has_positions) diagnosis.next.assign(any_positions.begin(), any_positions.end());
}

}  // namespace posenc::diagnosis
