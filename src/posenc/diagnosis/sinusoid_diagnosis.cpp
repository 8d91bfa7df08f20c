#include "posenc/diagnosis/sinusoid_diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/positions/read_positions.hpp"
#include "posenc/diagnosis/samples/head_samples.hpp"
#include "posenc/diagnosis/samples/hypothesis_residual.hpp"
#include "posenc/diagnosis/samples/pair_lengths.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"
#include "posenc/diagnosis/samples/sinusoid_views.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"

namespace posenc {
namespace {

using diagnosis::Candidate;
using diagnosis::OddDim;
using diagnosis::SinusoidView;

/// The expectation of the pairs. An odd dim has a pair less, and itself in the exponent: of Exponent::half alone it is
/// rounded down.
Expected<diagnosis::RotationContext> context_of(const Expectation& expected, std::size_t dim) {
  diagnosis::RotationContext context;
  context.expected_arithmetic = expected.arithmetic;
  context.expected_first = expected.first_position;
  context.expected_scale = expected.position_scale;
  const auto own_dim = static_cast<std::int64_t>(dim);
  if (!expected.plan) {
    // Without it an odd table would have the base of an even one, which is no usual number.
    if (dim % 2 == 1) context.others.push_back({.dim = own_dim - 1, .layout = Layout::half, .exponent_dim = own_dim});
    return context;
  }
  RotaryOptions plan = *expected.plan;
  if (plan.dim != own_dim)
    return invalid_argument("expected.dim", static_cast<double>(plan.dim), {decimal(dim), ", the table's"});
  plan.layout = Layout::half;
  plan.rotary_dim = std::nullopt;
  if (dim % 2 == 1 && !plan.exponent_dim && plan.exponent != Exponent::half) plan.exponent_dim = plan.dim;
  plan.dim -= plan.dim % 2;
  POSENC_TRY(diagnosis::expected_rotary(plan));
  context.expected = plan;
  return context;
}

/// The residuals of odd rows' last dimensions, sines of the frequency after the last pair's, a row each.
std::vector<double> odd_residuals(const SinusoidView& view, std::span<const double> positions,
                                  diagnosis::RotationHypothesis hypothesis) {
  std::vector<double> made;
  if (view.odd != OddDim::sine || std::holds_alternative<scaling::Given>(hypothesis.plan.scaling)) return made;
  if (!hypothesis.plan.exponent_dim) hypothesis.plan.exponent_dim = hypothesis.plan.dim;
  hypothesis.plan.dim += 2;
  const std::size_t pairs = view.rotations.pairs + 1;
  std::vector<double> cosines(pairs * positions.size()), sines(cosines.size());
  if (!write_rotations(hypothesis, positions, cosines, sines)) return made;
  for (std::size_t row = 0; row < positions.size(); ++row)
    if (view.chosen[row] != view.padding)
      made.push_back(std::fabs(sines[row * pairs + pairs - 1] - view.odd_sines[row]));
  return made;
}

void check_odd_sines(const SinusoidView& view, std::span<const double> positions, Candidate& candidate) {
  for (const double residual : odd_residuals(view, positions, candidate.hypothesis)) {
    candidate.data_bits += diagnosis::misfit_of(residual, view.unit);
    candidate.explanation.units = std::max(candidate.explanation.units, residual / view.unit);
  }
}

/// The residual of all rows by a hypothesis that some of them were searched for.
diagnosis::HypothesisResidual check_all(const SinusoidSamples& samples, const SinusoidView& searched,
                                        const diagnosis::RotationHypothesis& hypothesis, std::size_t rows,
                                        const diagnosis::StoredType& type) {
  diagnosis::HypothesisResidual made;
  for (std::size_t start = 0; start < rows; start += diagnosis::tokens_a_check) {
    SinusoidView view = view_tokens_like(samples.table, searched, diagnosis::checked_tokens(start, rows));
    const std::vector<double> positions = diagnosis::positions_at(samples.positions, 1, view.chosen);
    for (const double residual : odd_residuals(view, positions, hypothesis))
      made.add({.units = residual / view.unit, .residual = residual});
    made.add(hypothesis_residual(std::move(view.rotations), positions, hypothesis, {}, {type, view.amplitude}));
  }
  return made;
}

/// The factor of the whole table: a table has no attention factor beside it that is not its rule's own.
double take_amplitude(const SinusoidView& view, bool is_expected, Candidate& candidate) {
  const double factor = candidate.hypothesis.factor;
  if (std::erase(candidate.explanation.mistakes, Mistake::factor_other) == 0 && is_expected) return view.amplitude;
  return view.amplitude * factor / attention_factor(plan_of(candidate.hypothesis.plan)).value_or(factor);
}

/// Adds the costs and mistakes of arrangement, amplitude and padding.
void add_form(const SinusoidView& view, double amplitude, const Expectation& expected, Candidate& candidate) {
  std::vector<Mistake> mistakes;
  double cost = 0;
  const bool is_expected = expected.plan.has_value();
  const auto add = [&](bool differs, Mistake mistake, double bits) {
    if (!differs) return;
    if (is_expected) mistakes.push_back(mistake);
    cost += bits;
  };
  add(view.arrangement != (is_expected ? expected.arrangement : TableOrder::interleaved), Mistake::arrangement,
      is_expected ? diagnosis::mistake_bits : diagnosis::choice_bits);
  add(amplitude != (is_expected ? expected.amplitude : 1), Mistake::amplitude, diagnosis::usual_number_bits);
  const bool is_odd = view.odd != OddDim::none;
  add(is_odd && (view.odd == OddDim::zero) != (is_expected && expected.zero_column), Mistake::zero_column,
      is_expected ? diagnosis::mistake_bits : diagnosis::choice_bits);
  add(view.padding.has_value() != (is_expected && expected.padding_row), Mistake::padding_row, diagnosis::mistake_bits);
  candidate.cost += cost;
  candidate.explanation.mistakes.insert(candidate.explanation.mistakes.begin(), mistakes.begin(), mistakes.end());
  if (is_expected && amplitude != expected.amplitude) candidate.explanation.factor = expected.amplitude / amplitude;
}

/// Diagnoses one table, of two axes.
Expected<Diagnosis> diagnose_table(const SinusoidSamples& samples, const Expectation& expected) {
  if (!(expected.amplitude > 0) || !std::isfinite(expected.amplitude))
    return invalid_argument("expected.amplitude", expected.amplitude, expected::finite_above, {0});
  POSENC_TRY_LET(views, diagnosis::sinusoid_views(samples.table, expected.amplitude));
  const auto type = diagnosis::stored_type_of(samples.table, "table");
  const std::size_t dim = 2 * views.front().rotations.pairs + (views.front().odd == OddDim::none ? 0 : 1);
  if (!samples.positions.empty())
    POSENC_TRY(diagnosis::check_positions(samples.positions, samples.table.values.size() / dim));
  POSENC_TRY_LET(context, context_of(expected, dim));
  diagnosis::HypothesisLists lists;
  context.lists = &lists;

  Diagnosis made;
  made.dtype = type->name;
  if (diagnosis::are_zeros(samples.table.values)) {
    diagnosis::set_too_little(made, true);
    return made;
  }
  const std::vector<double> positions = diagnosis::positions_at(samples.positions, 1, views.front().chosen);
  diagnosis::RotationAnswers answers;
  for (std::size_t form = 0; form < views.size(); ++form) {
    const SinusoidView& view = views[form];
    if (view.misfit > views.front().misfit + diagnosis::hopeless_bits) break;
    POSENC_TRY_LET(explained, explain_rotations(view.rotations, positions, context));
    std::vector<Candidate> candidates;
    for (diagnosis::RotationExplanation& each : explained) {
      // Exchanged, it is the other arrangement.
      if (each.hypothesis.exchanged) continue;
      Candidate candidate{.data_bits = each.data_bits, .cost = each.cost, .hypothesis = each.hypothesis};
      candidate.explanation.units = each.units;
      candidate.explanation.ulps = each.residual;
      candidate.explanation.mistakes = each.mistakes;
      if (context.expected) set_hypothesis_remedy(expected, each.hypothesis, candidate.explanation);
      check_odd_sines(view, positions, candidate);
      const double amplitude = take_amplitude(view, context.expected.has_value(), candidate);
      add_form(view, amplitude, expected, candidate);
      candidate.explanation.found = FoundSinusoid{.hypothesis = std::move(each.hypothesis),
                                                  .arrangement = view.arrangement,
                                                  .amplitude = amplitude,
                                                  .padding_row = view.padding.has_value(),
                                                  .zero_column = view.odd == OddDim::zero};
      RotaryOptions& plan = std::get<FoundSinusoid>(candidate.explanation.found).hypothesis.plan;
      if (plan.dim != static_cast<std::int64_t>(dim) && !plan.exponent_dim) plan.exponent_dim = plan.dim;
      plan.dim = static_cast<std::int64_t>(dim);
      candidates.push_back(std::move(candidate));
    }
    answers.add(
        std::move(candidates),
        {.form = form, .noise_bits = diagnosis::noise_model_bits(view.rotations, 1), .rounding = type->rounding});
  }
  POSENC_TRY_LET(form, diagnosis::rank(std::move(answers.candidates), answers.noise_bits, {positions}, expected, made));
  if (made.verdict == Verdict::none) return made;
  diagnosis::RotationHypothesis hypothesis = std::get<FoundSinusoid>(made.explanations.front().found).hypothesis;
  hypothesis.plan.dim -= hypothesis.plan.dim % 2;  // that of the pairs
  note_check(check_all(samples, views[form], hypothesis, samples.table.values.size() / dim, *type), type->rounding,
             made);
  return made;
}

/// The diagnosis of a table whose rows are of other positions, where nothing else explains it: `found` is without.
Expected<Diagnosis> diagnose_rows(const SinusoidSamples& samples, const Expectation& expected) {
  POSENC_TRY_LET(found, diagnose_table(samples, expected));
  if (found.verdict != Verdict::none || !expected.plan) return found;
  POSENC_TRY_LET(views, diagnosis::sinusoid_views(samples.table, expected.amplitude));
  const SinusoidView& view = views.front();
  if (view.odd != OddDim::none) return found;
  const std::size_t dim = 2 * view.rotations.pairs, rows = samples.table.values.size() / dim;
  const std::vector<double> positions = diagnosis::positions_at(samples.positions, 1, diagnosis::first_indices(rows));
  const auto rotations_of = [&](const diagnosis::Pairing&, std::vector<std::size_t> some) {
    return view_tokens_like(samples.table, view, std::move(some)).rotations;
  };
  diagnosis::HypothesisLists lists;
  POSENC_TRY_LET(read, diagnosis::read_positions({.positions = positions,
                                                  .axes = 1,
                                                  .pairings = {{.first = 0, .count = dim}},
                                                  .dims = dim,
                                                  .lists = &lists,
                                                  .rotations_of = rotations_of},
                                                 expected));
  if (!read) return found;
  POSENC_TRY_LET(moved, diagnose_table({.table = samples.table, .positions = read->values}, expected));
  note_positions(*read, moved);
  return moved.verdict == Verdict::none ? std::move(found) : std::move(moved);
}

/// Whether a diagnosis is the worse one of two.
bool is_worse(const Diagnosis& a, const Diagnosis& b) {
  if (a.verdict != b.verdict) return a.verdict > b.verdict;
  return !a.explanations.empty() && !b.explanations.empty() &&
         a.explanations[0].mistakes.size() > b.explanations[0].mistakes.size();
}

}  // namespace

Expected<Diagnosis> diagnose_sinusoid(const SinusoidSamples& samples, const Expectation& expected) {
  const auto& [values, shape, dtype] = samples.table;
  std::size_t entries = 1;
  for (std::size_t axis = 0; axis + 2 < shape.size(); ++axis)
    entries *= static_cast<std::size_t>(std::max<std::int64_t>(shape[axis], 1));
  if (entries == 1 || values.size() % entries != 0) return diagnose_rows(samples, expected);
  const std::size_t size = values.size() / entries;
  const std::vector<std::int64_t> own(shape.end() - 2, shape.end());
  Diagnosis worst;
  for (std::size_t entry = 0; entry < entries; ++entry) {
    const SampleValues each = values.subspan(entry * size, size);
    std::size_t same = 0;
    while (entry > 0 && same < size && each[same] == values[same]) ++same;
    if (same == size) continue;
    POSENC_TRY_LET(made, diagnose_rows({.table = {each, own, dtype}, .positions = samples.positions}, expected));
    if (entry == 0 || is_worse(made, worst)) worst = std::move(made);
  }
  return worst;
}

}  // namespace posenc
