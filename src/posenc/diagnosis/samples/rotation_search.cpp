#include "posenc/diagnosis/samples/rotation_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/samples/hypothesis_residual.hpp"
#include "posenc/diagnosis/samples/pair_explanations.hpp"

namespace posenc::diagnosis {
namespace {

/// So many pairings are explained at most: each is a search of its own.
constexpr std::size_t most_pairings = 5;

Expected<void> explain(const RotationQuestion& question, const HeadSamples& samples, const PairingFit& fit,
                       std::size_t form, RotationAnswers& answers) {
  const MeasuredRotations seen = measured_rotations(fit.pairing, samples);
  const std::vector<double> positions = positions_at(question.positions, question.axes, samples.tokens);
  POSENC_TRY_LET(explained, explain_pairs({.rotations = &seen.rotations,
                                           .positions = positions,
                                           .axes = question.axes,
                                           .pairing = fit.pairing,
                                           .dims = samples.dims,
                                           .lists = question.lists},
                                          *question.expected, question.expected_pairing));
  answers.add(std::move(explained),
              {.form = form,
               .misfit = seen.misfit,
               .units = seen.units,
               .noise_bits = seen.misfit + noise_model_bits(seen.rotations, std::max(fit.factor, 1.0)),
               .rounding = samples.after_type.rounding});
  return {};
}

/// The candidate that nothing was rotated: all dimensions are as they were.
Candidate not_rotated(const RotationQuestion& question, const HeadSamples& samples) {
  const MeasuredRotations seen = measured_rotations({}, samples);
  const std::size_t dims = samples.dims / 2 * 2;
  const Pairing pairing = question.expected_pairing.value_or(Pairing{.first = 0, .count = dims});
  Candidate made{.data_bits = seen.misfit, .cost = question.expected_pairing ? mistake_bits : 0.0, .hypothesis = {}};
  made.explanation.units = seen.units;
  made.explanation.mistakes.push_back(Mistake::not_rotated);
  made.hypothesis.plan = {.dim = static_cast<std::int64_t>(pairing.count), .layout = Layout::half};
  made.hypothesis.plan.scaling = scaling::Given{.frequencies = std::vector<double>(pairing.pairs(), 0.0)};
  made.explanation.found = found_rotation(made.hypothesis, pairing, samples.dims);
  return made;
}

}  // namespace

std::vector<PairingFit> best_pairings(const RotationQuestion& question, const HeadSamples& samples) {
  const ChangedDims changed = changed_dims(samples);
  std::vector<PairingFit> fits;
  double best = std::numeric_limits<double>::infinity();
  for (const Pairing& pairing : possible_pairings(samples.dims, changed, question.expected_pairing)) {
    const PairingFit fit = fit_of(pairing, samples, best + hopeless_bits);
    best = std::min(best, fit.misfit);
    if (fit.misfit <= best + hopeless_bits) fits.push_back(fit);
    if (!changed.any) break;
  }
  std::erase_if(fits, [&](const PairingFit& fit) { return fit.misfit > best + hopeless_bits; });
  const auto bits = [&](const PairingFit& fit) {
    return fit.misfit + pairing_cost(fit.pairing, question.expected_pairing, samples.dims);
  };
  std::ranges::sort(fits, {}, bits);
  if (fits.size() > most_pairings) fits.resize(most_pairings);
  return fits;
}

Expected<RotationAnswers> explain_pairings(const RotationQuestion& question, const HeadSamples& samples,
                                           std::span<const PairingFit> pairings) {
  RotationAnswers answers;
  for (std::size_t form = 0; form < pairings.size(); ++form)
    POSENC_TRY(explain(question, samples, pairings[form], form, answers));
  const bool is_listed = std::ranges::any_of(answers.candidates, [](const Candidate& candidate) {
    return std::ranges::count(candidate.explanation.mistakes, Mistake::not_rotated) != 0;
  });
  if (!is_listed && !changed_dims(samples).any) answers.candidates.push_back(not_rotated(question, samples));
  return answers;
}

}  // namespace posenc::diagnosis
