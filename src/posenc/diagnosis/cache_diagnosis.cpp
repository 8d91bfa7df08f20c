#include "posenc/diagnosis/cache_diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/samples/cache_forms.hpp"
#include "posenc/diagnosis/samples/hypothesis_residual.hpp"
#include "posenc/diagnosis/samples/pair_explanations.hpp"
#include "posenc/diagnosis/samples/pair_lengths.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"

namespace posenc {
namespace {

using diagnosis::CacheView;
using diagnosis::Candidate;
using diagnosis::HypothesisResidual;

/// Forms that fit worse than the best by more are not looked at, and of the others not more than these.
constexpr double hopeless_view_bits = 64;
constexpr std::size_t most_views = 4;

/// The residual of all tokens by a hypothesis that some of them were searched for.
HypothesisResidual check_all(const CacheSamples& samples, const CacheView& searched, const FoundRotation& found) {
  HypothesisResidual made;
  if (searched.chosen.size() == searched.tokens) return made;
  for (std::size_t start = 0; start < searched.tokens; start += diagnosis::tokens_a_check) {
    CacheView view = view_tokens_like(samples, searched, diagnosis::checked_tokens(start, searched.tokens));
    const std::vector<double> positions = diagnosis::positions_at(samples.positions, samples.axes, view.chosen);
    made.add({.units = view.units});
    made.add(hypothesis_residual(std::move(view.rotations), positions, found.hypothesis, found.axis_of_pair));
  }
  return made;
}

}  // namespace

Expected<Diagnosis> diagnose_cache(const CacheSamples& samples, const Expectation& expected) {
  if (samples.axes == 0 || samples.positions.size() % samples.axes != 0 ||
      (samples.axes > 1 && samples.positions.empty()))
    return invalid_argument("positions", static_cast<double>(samples.positions.size()),
                            {"a position a token, of every axis"});
  POSENC_TRY(diagnosis::check_positions(samples.positions, samples.positions.size()));
  POSENC_TRY_LET(pairing, diagnosis::expected_pairing(expected));
  POSENC_TRY_LET(views, diagnosis::cache_views(samples, samples.positions.size() / samples.axes));
  POSENC_TRY_LET(type, diagnosis::stored_type_of(samples.cosines, "cos"));

  Diagnosis made;
  made.dtype = type.name;
  if (diagnosis::are_zeros(samples.cosines.values) && diagnosis::are_zeros(samples.sines.values)) {
    diagnosis::set_too_little(made, true);
    return made;
  }
  std::vector<Candidate> candidates;
  double noise_bits = 0;
  // The expected number of pairs first: a cache that is reversed around is one of other pairs.
  const auto bits_of = [&](const CacheView& view) {
    const bool is_expected = !pairing || view.rotations.pairs == pairing->pairs();
    return view.misfit + (is_expected ? 0 : diagnosis::mistake_bits);
  };
  std::ranges::sort(views, {}, bits_of);
  const double best = views.front().misfit;
  bool is_explained = false;
  diagnosis::HypothesisLists lists;
  for (std::size_t form = 0; form < std::min(views.size(), most_views); ++form) {
    const CacheView& view = views[form];
    if (view.misfit > best + hopeless_view_bits) break;
    const bool is_rotated =
        view.sequence_axis != views.front().sequence_axis || view.dims_axis != views.front().dims_axis;
    if (is_explained && is_rotated) continue;
    const std::vector<double> positions = diagnosis::positions_at(samples.positions, samples.axes, view.chosen);
    diagnosis::Pairing seen = pairing.value_or(diagnosis::Pairing{});
    seen.count = 2 * view.rotations.pairs;
    const std::size_t head_dim =
        std::max(seen.count, expected.plan ? static_cast<std::size_t>(expected.plan->dim) : std::size_t{0});
    POSENC_TRY_LET(explained, diagnosis::explain_pairs({.rotations = &view.rotations,
                                                        .positions = positions,
                                                        .axes = samples.axes,
                                                        .pairing = seen,
                                                        .dims = head_dim,
                                                        .lists = &lists},
                                                       expected, pairing));
    const double length = diagnosis::common_length(view.rotations);
    // Lengths are in the hypothesis's data_bits already; the rest is not.
    const double rest = view.misfit - diagnosis::length_misfit(view.rotations, length);
    for (Candidate& candidate : explained) {
      candidate.form = form;
      is_explained = is_explained || candidate.explanation.units <= diagnosis::explained_units;
      candidate.data_bits += rest;
      candidate.explanation.units = std::max(candidate.explanation.units, view.units);
      candidate.explanation.ulps /= 2 * type.rounding;
      std::get<FoundRotation>(candidate.explanation.found).form = view.form;
      candidates.push_back(std::move(candidate));
    }
    const double bits = diagnosis::noise_model_bits(view.rotations, std::max(length, 1.0)) + rest;
    noise_bits = form == 0 ? bits : std::min(noise_bits, bits);
  }
  const std::vector<double> sampled = diagnosis::positions_at(samples.positions, samples.axes, views.front().chosen);
  POSENC_TRY_LET(form, diagnosis::rank(std::move(candidates), noise_bits, {sampled, samples.axes}, expected, made));
  const CacheView& found = views[form];
  made.axes = {static_cast<std::int64_t>(found.sequence_axis), static_cast<std::int64_t>(found.dims_axis)};
  if (made.verdict == Verdict::none) return made;
  const auto& hypothesis = std::get<FoundRotation>(made.explanations.front().found);
  note_check(check_all(samples, found, hypothesis), type.rounding, made);
  return made;
}

}  // namespace posenc
