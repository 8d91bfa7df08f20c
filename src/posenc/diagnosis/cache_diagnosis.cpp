#include "posenc/diagnosis/cache_diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/diagnosis/laws/evidence.hpp"
#include "posenc/diagnosis/laws/law_list.hpp"
#include "posenc/diagnosis/samples/cache_forms.hpp"
#include "posenc/diagnosis/samples/law_residual.hpp"
#include "posenc/diagnosis/samples/pair_explanations.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"
#include "posenc/diagnosis/samples/turn_samples.hpp"

namespace posenc {
namespace {

using diagnosis::CacheView;
using diagnosis::Candidate;
using diagnosis::LawResidual;

/// Forms that fit worse than the best by more are not looked at, and of the others not more than these.
constexpr double hopeless_view_bits = 64;
constexpr std::size_t most_views = 4;

/// What all tokens say of a law that some of them were searched for.
LawResidual check_all(const CacheSamples& samples, const CacheView& searched, const FoundRotation& found) {
  LawResidual made;
  if (searched.chosen.size() == searched.tokens) return made;
  for (std::size_t start = 0; start < searched.tokens; start += diagnosis::tokens_a_check) {
    CacheView view = view_others(samples, searched, diagnosis::checked_tokens(start, searched.tokens));
    const std::vector<double> positions = diagnosis::positions_at(samples.positions, samples.axes, view.chosen);
    made.add({.units = view.units});
    made.add(law_residual(std::move(view.turns), positions, found.law, found.axis_of_pair));
  }
  return made;
}

}  // namespace

Expected<Diagnosis> diagnose_cache(const CacheSamples& samples, const Expectation& expected) {
  if (samples.axes == 0 || samples.positions.size() % samples.axes != 0 ||
      (samples.axes > 1 && samples.positions.empty()))
    return invalid_argument("positions", static_cast<double>(samples.positions.size()),
                            {"a position a token, of every axis"});
  if (auto checked = diagnosis::check_positions(samples.positions, samples.positions.size()); !checked)
    return error_of(checked);
  const auto reading = diagnosis::expected_reading(expected);
  if (!reading) return error_of(reading);
  auto views = diagnosis::cache_views(samples, samples.positions.size() / samples.axes);
  if (!views) return error_of(views);
  const auto type = diagnosis::stored_type_of(samples.cosines, "cos");
  if (!type) return error_of(type);

  Diagnosis made;
  made.dtype = type->name;
  std::vector<Candidate> candidates;
  double lawless = 0;
  // The expected number of pairs first: a cache that is turned around is one of other pairs.
  const auto bits_of = [&](const CacheView& view) {
    const bool is_expected = !*reading || view.turns.pairs == (*reading)->pairs();
    return view.misfit + (is_expected ? 0 : diagnosis::mistake_bits);
  };
  std::ranges::sort(*views, {}, bits_of);
  const double best = views->front().misfit;
  bool is_explained = false;
  diagnosis::LawLists lists;
  for (std::size_t form = 0; form < std::min(views->size(), most_views); ++form) {
    const CacheView& view = (*views)[form];
    if (view.misfit > best + hopeless_view_bits) break;
    const bool is_turned =
        view.sequence_axis != views->front().sequence_axis || view.dims_axis != views->front().dims_axis;
    if (is_explained && is_turned) continue;
    const std::vector<double> positions = diagnosis::positions_at(samples.positions, samples.axes, view.chosen);
    diagnosis::Reading seen = reading->value_or(diagnosis::Reading{});
    seen.count = 2 * view.turns.pairs;
    const std::size_t head_dim =
        std::max(seen.count, expected.plan ? static_cast<std::size_t>(expected.plan->dim) : std::size_t{0});
    auto explained = diagnosis::explain_pairs({.turns = &view.turns,
                                               .positions = positions,
                                               .axes = samples.axes,
                                               .reading = seen,
                                               .dims = head_dim,
                                               .lists = &lists},
                                              expected, *reading);
    if (!explained) return error_of(explained);
    const double length = diagnosis::common_length(view.turns);
    // Lengths are in the law's surprise already; the rest is not.
    const double rest = view.misfit - diagnosis::length_misfit(view.turns, length);
    for (Candidate& candidate : *explained) {
      candidate.form = form;
      is_explained = is_explained || candidate.explanation.units <= diagnosis::explained_units;
      candidate.surprise += rest;
      candidate.explanation.units = std::max(candidate.explanation.units, view.units);
      candidate.explanation.ulps /= 2 * type->rounding;
      std::get<FoundRotation>(candidate.explanation.found).form = view.form;
      candidates.push_back(std::move(candidate));
    }
    const double bits = diagnosis::lawless_bits(view.turns, std::max(length, 1.0)) + rest;
    lawless = form == 0 ? bits : std::min(lawless, bits);
  }
  const auto form =
      diagnosis::rank(std::move(candidates), lawless,
                      diagnosis::positions_at(samples.positions, samples.axes, views->front().chosen), made);
  if (!form) return error_of(form);
  const CacheView& found = (*views)[*form];
  made.axes = {static_cast<std::int64_t>(found.sequence_axis), static_cast<std::int64_t>(found.dims_axis)};
  if (made.verdict == Verdict::none) return made;
  const auto& law = std::get<FoundRotation>(made.explanations.front().found);
  note_check(check_all(samples, found, law), type->rounding, made);
  return made;
}

}  // namespace posenc
