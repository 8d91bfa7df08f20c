#include "posenc/diagnosis/cache_diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/positions/read_positions.hpp"
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

/// The residual of all tokens by a hypothesis that some of them were searched for.
HypothesisResidual check_all(const CacheSamples& samples, const CacheView& searched, const FoundRotation& found) {
  HypothesisResidual made;
  for (std::size_t start = 0; start < searched.tokens; start += diagnosis::tokens_a_check) {
    CacheView view = view_tokens_like(samples, searched, diagnosis::checked_tokens(start, searched.tokens));
    const std::vector<double> positions = diagnosis::positions_at(samples.positions, samples.axes, view.chosen);
    const bool is_coarse = searched.type.rounding > diagnosis::float32_rounding;
    made.add({.units = view.units, .roundings = is_coarse ? view.units : 0});
    made.add(hypothesis_residual(std::move(view.rotations), positions, found.hypothesis, found.axis_of_pair,
                                 {.type = searched.type}));
  }
  return made;
}

/// The pairs of a cache: it has those of the expectation, as many as it shows.
diagnosis::Pairing pairing_of(const std::optional<diagnosis::Pairing>& expected, const CacheView& view) {
  diagnosis::Pairing made = expected.value_or(diagnosis::Pairing{});
  made.count = 2 * view.rotations.pairs;
  return made;
}

std::size_t head_dim_of(const Expectation& expected, const CacheView& view) {
  return std::max(2 * view.rotations.pairs, expected.plan ? static_cast<std::size_t>(expected.plan->dim) : 0U);
}

/// A cache's form, and the view of it that explains it, or else that fits best.
struct ReadCache {
  Diagnosis diagnosis;
  CacheView view;
};

Expected<ReadCache> read_cache(const CacheSamples& samples, const Expectation& expected,
                               diagnosis::HypothesisLists& lists) {
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
    return ReadCache{.diagnosis = std::move(made), .view = std::move(views.front())};
  }
  diagnosis::RotationAnswers answers;
  // The expected number of pairs first: a cache that is reversed around is one of other pairs.
  const auto bits_of = [&](const CacheView& view) {
    const bool is_expected = !pairing || view.rotations.pairs == pairing->pairs();
    return view.misfit + (is_expected ? 0 : diagnosis::mistake_bits);
  };
  std::ranges::sort(views, {}, bits_of);
  const double best = views.front().misfit;
  bool is_explained = false;
  for (std::size_t form = 0; form < views.size(); ++form) {
    const CacheView& view = views[form];
    if (view.misfit > best + diagnosis::hopeless_bits) break;
    const bool is_rotated =
        view.sequence_axis != views.front().sequence_axis || view.dims_axis != views.front().dims_axis;
    if (is_explained && is_rotated) continue;
    const std::vector<double> positions = diagnosis::positions_at(samples.positions, samples.axes, view.chosen);
    POSENC_TRY_LET(explained, diagnosis::explain_pairs({.rotations = &view.rotations,
                                                        .positions = positions,
                                                        .axes = samples.axes,
                                                        .pairing = pairing_of(pairing, view),
                                                        .dims = head_dim_of(expected, view),
                                                        .lists = &lists},
                                                       expected, pairing));
    const double length = diagnosis::common_length(view.rotations);
    // Lengths are in the hypothesis's data_bits already; the rest is not.
    const double rest = view.misfit - diagnosis::length_misfit(view.rotations, length);
    for (Candidate& candidate : explained) {
      is_explained = is_explained || candidate.explanation.units <= diagnosis::explained_units;
      std::get<FoundRotation>(candidate.explanation.found).form = view.form;
    }
    answers.add(std::move(explained),
                {.form = form,
                 .misfit = rest,
                 .units = view.units,
                 .noise_bits = diagnosis::noise_model_bits(view.rotations, std::max(length, 1.0)) + rest,
                 .rounding = type.rounding});
  }
  const std::vector<double> sampled = diagnosis::positions_at(samples.positions, samples.axes, views.front().chosen);
  POSENC_TRY_LET(form, diagnosis::rank(std::move(answers.candidates), answers.noise_bits, {sampled, samples.axes},
                                       expected, made));
  const CacheView& found = views[form];
  made.axes = {static_cast<std::int64_t>(found.sequence_axis), static_cast<std::int64_t>(found.dims_axis)};
  if (made.verdict != Verdict::none) {
    const auto& hypothesis = std::get<FoundRotation>(made.explanations.front().found);
    note_check(check_all(samples, found, hypothesis), type.rounding, made);
  }
  return ReadCache{.diagnosis = std::move(made), .view = found};
}

/// Some rows of an array, in their order.
SampledTensor rows_of(const SampledTensor& tensor, std::size_t axis, std::span<const std::size_t> rows,
                      std::vector<double>& values) {
  SampledTensor made{.values = {}, .shape = tensor.shape, .dtype = tensor.dtype};
  if (tensor.values.empty()) return made;
  const TensorAxes axes(tensor.shape);
  const std::size_t inner = axes.stride(axis), block = inner * axes.extent(axis);
  values.reserve(rows.size() * inner * (tensor.values.size() / block));
  for (std::size_t start = 0; start < tensor.values.size(); start += block)
    for (const std::size_t row : rows) tensor.values.append_to(values, start + row * inner, inner);
  made.shape[axis] = static_cast<std::int64_t>(rows.size());
  made.values = values;
  return made;
}

/// The rows that are not zeros.
std::vector<std::size_t> full_rows(const CacheSamples& samples, const CacheView& view) {
  std::vector<std::size_t> made;
  for (std::size_t row = 0; row < view.tokens; ++row) {
    std::vector<double> cosines, sines;
    const std::size_t one[]{row};
    rows_of(samples.cosines, view.sequence_axis, one, cosines);
    rows_of(samples.sines, view.sequence_axis, one, sines);
    if (!diagnosis::are_zeros(cosines) || !diagnosis::are_zeros(sines)) made.push_back(row);
  }
  return made;
}

/// The diagnosis of the rows that are not zeros; none where all or none are.
Expected<Diagnosis> diagnose_full_rows(const CacheSamples& samples, const Expectation& expected,
                                       const CacheView& view) {
  const std::vector<std::size_t> rows = full_rows(samples, view);
  if (rows.empty() || rows.size() == view.tokens) return Diagnosis{};
  std::vector<double> cosines, sines;
  const std::vector<double> positions = diagnosis::positions_at(samples.positions, samples.axes, rows);
  POSENC_TRY_LET(made, diagnose_cache({.cosines = rows_of(samples.cosines, view.sequence_axis, rows, cosines),
                                       .sines = rows_of(samples.sines, view.sequence_axis, rows, sines),
                                       .positions = positions,
                                       .axes = samples.axes},
                                      expected));
  for (Explanation& each : made.explanations) each.mistakes.push_back(Mistake::zero_rows);
  return made;
}

std::vector<double> given_positions(const CacheSamples& samples, const CacheView& view) {
  std::vector<double> made(samples.positions.begin(), samples.positions.end());
  if (!made.empty()) return made;
  made.resize(view.tokens);
  std::iota(made.begin(), made.end(), 0.0);
  return made;
}

/// The diagnosis of a cache whose rows are of other positions; none where they are not.
Expected<Diagnosis> diagnose_positions(const CacheSamples& samples, const Expectation& expected, const CacheView& view,
                                       diagnosis::HypothesisLists& lists,
                                       const std::optional<diagnosis::Pairing>& pairing) {
  const std::vector<double> positions = given_positions(samples, view);
  const auto rotations_of = [&](const diagnosis::Pairing&, std::vector<std::size_t> rows) {
    return view_tokens_like(samples, view, std::move(rows)).rotations;
  };
  POSENC_TRY_LET(read, diagnosis::read_positions({.positions = positions,
                                                  .axes = samples.axes,
                                                  .pairings = {pairing_of(pairing, view)},
                                                  .dims = head_dim_of(expected, view),
                                                  .lists = &lists,
                                                  .rotations_of = rotations_of},
                                                 expected));
  if (!read) return Diagnosis{};
  CacheSamples moved = samples;
  moved.positions = read->values;
  POSENC_TRY_LET(made, read_cache(moved, expected, lists));
  note_positions(*read, made.diagnosis);
  return std::move(made.diagnosis);
}

}  // namespace

Expected<Diagnosis> diagnose_cache(const CacheSamples& samples, const Expectation& expected) {
  diagnosis::HypothesisLists lists;
  POSENC_TRY_LET(made, read_cache(samples, expected, lists));
  auto& [found, view] = made;
  if (!expected.plan || found.verdict == Verdict::too_little) return std::move(found);
  if (found.verdict != Verdict::none) {
    const std::vector<double> positions = given_positions(samples, view);
    diagnosis::add_patterns({positions, samples.axes}, expected, found);
    return std::move(found);
  }
  POSENC_TRY_LET(pairing, diagnosis::expected_pairing(expected));
  POSENC_TRY_LET(full, diagnose_full_rows(samples, expected, view));
  if (full.verdict == Verdict::none) {
    POSENC_TRY_LET(moved, diagnose_positions(samples, expected, view, lists, pairing));
    full = std::move(moved);
  }
  if (full.verdict == Verdict::none || full.verdict == Verdict::too_little) return std::move(found);
  found.verdict = full.verdict;
  found.explanations = std::move(full.explanations);
  found.next = std::move(full.next);
  return std::move(found);
}

}  // namespace posenc
