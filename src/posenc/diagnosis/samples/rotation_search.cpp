#include "posenc/diagnosis/samples/rotation_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "posenc/diagnosis/laws/evidence.hpp"
#include "posenc/diagnosis/samples/law_residual.hpp"
#include "posenc/diagnosis/samples/pair_explanations.hpp"

namespace posenc::diagnosis {
namespace {

/// Readings that fit worse than the best by more are not looked at, to save time: no law makes up for so many bits.
constexpr double hopeless_bits = 64;

/// How many readings are explained, at most: each is a search of its own.
constexpr std::size_t most_readings = 5;

Expected<void> explain(const RotationQuestion& question, const HeadSamples& samples, const ReadingFit& fit,
                       std::size_t form, RotationAnswers& answers) {
  const SeenTurns seen = seen_turns(fit.reading, samples);
  const double lawless = seen.misfit + lawless_bits(seen.turns, std::max(fit.factor, 1.0));
  if (form == 0 || lawless < answers.lawless) answers.lawless = lawless;
  const std::vector<double> positions = positions_at(question.positions, question.axes, samples.tokens);
  auto explained = explain_pairs({.turns = &seen.turns,
                                  .positions = positions,
                                  .axes = question.axes,
                                  .reading = fit.reading,
                                  .dims = samples.dims,
                                  .lists = question.lists},
                                 *question.expected, question.expected_reading);
  if (!explained) return error_of(explained);
  for (Candidate& candidate : *explained) {
    candidate.form = form;
    candidate.surprise += seen.misfit;
    candidate.explanation.units = std::max(candidate.explanation.units, seen.units);
    candidate.explanation.ulps /= 2 * samples.after_type.rounding;
    answers.candidates.push_back(std::move(candidate));
  }
  return {};
}

/// That nothing was done: all dimensions are as they were.
Candidate not_rotated(const RotationQuestion& question, const HeadSamples& samples) {
  const SeenTurns seen = seen_turns({}, samples);
  const std::size_t dims = samples.dims / 2 * 2;
  const Reading reading = question.expected_reading.value_or(Reading{.first = 0, .count = dims});
  Candidate made{.surprise = seen.misfit, .cost = question.expected_reading ? mistake_bits : 0.0, .law = {}};
  made.explanation.units = seen.units;
  made.explanation.mistakes.push_back(Mistake::not_rotated);
  made.law.plan = {.dim = static_cast<std::int64_t>(reading.count), .layout = Layout::half};
  made.law.plan.scaling = scaling::Given{.frequencies = std::vector<double>(reading.pairs(), 0.0)};
  made.explanation.found = found_rotation(made.law, reading, samples.dims);
  return made;
}

}  // namespace

std::vector<ReadingFit> best_readings(const RotationQuestion& question, const HeadSamples& samples) {
  const ChangedDims changed = changed_dims(samples);
  std::vector<ReadingFit> fits;
  double best = std::numeric_limits<double>::infinity();
  for (const Reading& reading : possible_readings(samples.dims, changed, question.expected_reading)) {
    const ReadingFit fit = fit_of(reading, samples, best + hopeless_bits);
    best = std::min(best, fit.misfit);
    if (fit.misfit <= best + hopeless_bits) fits.push_back(fit);
    if (!changed.any) break;
  }
  std::erase_if(fits, [&](const ReadingFit& fit) { return fit.misfit > best + hopeless_bits; });
  const auto bits = [&](const ReadingFit& fit) {
    return fit.misfit + reading_cost(fit.reading, question.expected_reading, samples.dims);
  };
  std::ranges::sort(fits, {}, bits);
  if (fits.size() > most_readings) fits.resize(most_readings);
  return fits;
}

Expected<RotationAnswers> explain_readings(const RotationQuestion& question, const HeadSamples& samples,
                                           std::span<const ReadingFit> readings) {
  RotationAnswers answers;
  for (std::size_t form = 0; form < readings.size(); ++form)
    if (auto explained = explain(question, samples, readings[form], form, answers); !explained)
      return error_of(explained);
  const bool is_said = std::ranges::any_of(answers.candidates, [](const Candidate& candidate) {
    return std::ranges::count(candidate.explanation.mistakes, Mistake::not_rotated) != 0;
  });
  if (!is_said && !changed_dims(samples).any) answers.candidates.push_back(not_rotated(question, samples));
  return answers;
}

}  // namespace posenc::diagnosis
