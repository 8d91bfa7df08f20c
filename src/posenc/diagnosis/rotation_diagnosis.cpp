#include "posenc/diagnosis/rotation_diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "posenc/base/try.hpp"
#include "posenc/diagnosis/faults/departure.hpp"
#include "posenc/diagnosis/faults/left_out.hpp"
#include "posenc/diagnosis/faults/unequal_angles.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/positions/read_positions.hpp"
#include "posenc/diagnosis/samples/head_samples.hpp"
#include "posenc/diagnosis/samples/hypothesis_residual.hpp"
#include "posenc/diagnosis/samples/pair_explanations.hpp"
#include "posenc/diagnosis/samples/paired_samples.hpp"
#include "posenc/diagnosis/samples/pairing.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"
#include "posenc/diagnosis/samples/unshown_pairs.hpp"

namespace posenc {
namespace {

using diagnosis::float32_rounding;
using diagnosis::HeadSamples;
using diagnosis::PairedQuestion;
using diagnosis::PairedSamples;
using diagnosis::PairingFit;
using diagnosis::read_samples;
using diagnosis::RotationAxes;

/// Positions are read from so many heads, which turn alike; what is found is checked on all.
constexpr std::size_t read_heads = 32;

/// Where no plan was expected the first tokens have to show it: of all half at most, and not fewer than tell rates.
constexpr std::size_t most_first = 16, least_first = 4;

/// The roundings that the values may have: those of their types; and, where this explains nothing, that vectors were
/// rounded after they had been rotated, and that doubles are products with float32 cosines.
std::vector<HeadSamples> roundings_of(HeadSamples samples) {
  std::vector<HeadSamples> made{samples};
  const bool coarse_before = samples.before_type.rounding > samples.after_type.rounding;
  if (!coarse_before && samples.after_type.rounding >= float32_rounding) return made;
  samples.rounded_before = coarse_before;
  samples.after_type.rounding = std::max(samples.after_type.rounding, float32_rounding);
  made.push_back(std::move(samples));
  return made;
}

/// The residual of all vectors by a hypothesis that a part of them was searched for, and the tokens that have it.
diagnosis::HypothesisResidual check_all(const RotationSamples& samples, const RotationAxes& axes,
                                        const HeadSamples& searched, const diagnosis::Pairing& pairing,
                                        const FoundRotation& found, std::vector<std::size_t>& departing) {
  diagnosis::HypothesisResidual made;
  if (searched.before.size() == samples.before.values.size()) return made;
  const auto add = [&](const HeadSamples& vectors, std::size_t, std::size_t) -> Expected<bool> {
    const std::vector<double> positions = diagnosis::positions_at(samples.positions, samples.axes, vectors.tokens);
    diagnosis::MeasuredRotations seen = measured_rotations(pairing, vectors);
    const double before = made.units;
    made.add({.units = seen.units});
    made.add(
        diagnosis::hypothesis_residual(std::move(seen.rotations), positions, found.hypothesis, found.axis_of_pair));
    if (made.units > before) departing = vectors.tokens;
    return true;
  };
  (void)for_all_vectors(samples.before, samples.after, axes, searched, add);
  return made;
}

/// Finds one rotation of all vectors, at the positions given.
Expected<Diagnosis> diagnose_as_given(const RotationSamples& samples, PairedQuestion& question) {
  const Expectation& expected = *question.asked.expected;
  const PairedSamples& read = question.read;
  Diagnosis made;
  made.dtype = read.samples.after_type.name;
  made.axes = question.axes();
  if (diagnosis::are_zeros(samples.before.values)) {
    diagnosis::set_too_little(made, true);
    return made;
  }
  const std::vector<HeadSamples> roundings = roundings_of(read.samples);
  std::vector<PairingFit> pairings = read.pairings;
  for (std::size_t i = 0; i < roundings.size(); ++i) {
    if (i > 0) pairings = diagnosis::best_pairings(question.asked, roundings[i]);
    POSENC_TRY_LET(answers, diagnosis::explain_pairings(question.asked, roundings[i], pairings));
    POSENC_TRY_LET(form, rank(std::move(answers.candidates), answers.noise_bits, {samples.positions, samples.axes},
                              expected, made));
    if (made.verdict == Verdict::none) continue;
    const auto& found = std::get<FoundRotation>(made.explanations.front().found);
    const auto all = check_all(samples, read.axes, roundings[i], pairings[form].pairing, found, question.departing);
    note_check(all, roundings[i].after_type.rounding, made);
    if (made.verdict == Verdict::certain &&
        has_unshown_pair(question.asked, pairings[form].pairing, roundings[i], found))
      made.verdict = Verdict::likely;
    if (made.verdict != Verdict::none) break;
  }
  return made;
}

Expected<Diagnosis> diagnose_along(const RotationSamples& samples, const Expectation& expected,
                                   diagnosis::HypothesisLists& lists, bool is_part);

/// Some tokens and heads of the samples, as samples of their own.
struct Part {
  HeadSamples vectors;
  std::vector<double> positions;
  std::vector<std::int64_t> shape;
  std::size_t axes = 1;

  /// Part outlives it.
  [[nodiscard]] RotationSamples samples() const {
    return {.before = {vectors.before, shape, std::string(vectors.before_type.name)},
            .after = {vectors.after, shape, std::string(vectors.after_type.name)},
            .positions = positions,
            .axes = axes,
            .sequence_axis = 0,
            .dim_axis = 2,
            .before_error = vectors.before_error};
  }
};

Part part_of(const RotationSamples& samples, const PairedQuestion& question, const diagnosis::LeftOut& rest) {
  const HeadSamples& searched = question.read.samples;
  return {
      .vectors = gather_others(samples.before, samples.after, question.read.axes, searched, rest.tokens, rest.heads),
      .positions = diagnosis::positions_at(samples.positions, samples.axes, rest.tokens),
      .shape = {std::ssize(rest.tokens), std::ssize(rest.heads), static_cast<std::int64_t>(searched.dims)},
      .axes = samples.axes};
}

/// The diagnosis of the vectors that a rotation did not leave out.
Expected<Diagnosis> diagnose_rest(const RotationSamples& samples, const PairedQuestion& question,
                                  const diagnosis::LeftOut& left) {
  const Part rest = part_of(samples, question, left);
  POSENC_TRY_LET(made, diagnose_along(rest.samples(), *question.asked.expected, *question.asked.lists, true));
  for (Explanation& each : made.explanations) each.mistakes.push_back(left.mistake);
  return made;
}

/// The diagnosis of vectors at other positions than those given, read back from each; none where there are no such.
Expected<Diagnosis> diagnose_positions(const RotationSamples& samples, const PairedQuestion& question) {
  const HeadSamples& searched = question.read.samples;
  diagnosis::RotatedTokens rotated{.positions = samples.positions,
                                   .axes = samples.axes,
                                   .pairings = {},
                                   .dims = searched.dims,
                                   .lists = question.asked.lists,
                                   .departing = question.departing,
                                   .rotations_of = {}};
  for (const PairingFit& fit : question.read.pairings) rotated.pairings.push_back(fit.pairing);
  const std::size_t tokens = samples.positions.size() / samples.axes;
  const std::vector<std::size_t> heads =
      diagnosis::first_indices(std::min(samples.before.values.size() / tokens / searched.dims, read_heads));
  rotated.rotations_of = [&](const diagnosis::Pairing& pairing, std::vector<std::size_t> some) {
    return measured_rotations(pairing, gather_others(samples.before, samples.after, question.read.axes,
                                                     question.read.samples, std::move(some), heads))
        .rotations;
  };
  POSENC_TRY_LET(positions, diagnosis::read_positions(rotated, *question.asked.expected));
  if (!positions) return Diagnosis{};
  RotationSamples moved = samples;
  moved.positions = positions->values;
  moved.sequence_axis = static_cast<std::int64_t>(question.read.axes.sequence);
  moved.dim_axis = static_cast<std::int64_t>(question.read.axes.dims);
  POSENC_TRY_LET(asked, read_samples(moved, *question.asked.expected));
  asked.asked.lists = question.asked.lists;
  POSENC_TRY_LET(made, diagnose_as_given(moved, asked));
  note_positions(*positions, made);
  return made;
}

/// The diagnosis of vectors whose pairs have two angles; none where they have not.
Expected<Diagnosis> diagnose_unequal(const RotationSamples& samples, const PairedQuestion& question) {
  const HeadSamples& searched = question.read.samples;
  const Expectation& expected = *question.asked.expected;
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): faults are those of an expected plan
  const diagnosis::Pairing& pairing = *question.asked.expected_pairing;
  POSENC_TRY_LET(unequal, diagnosis::unequal_angles(samples, expected, question.read.axes, searched, pairing));
  Diagnosis made;
  if (!unequal) return made;
  Explanation& explanation = made.explanations.emplace_back();
  explanation.found = diagnosis::found_rotation(expected_hypothesis(expected, pairing), pairing, searched.dims);
  explanation.mistakes = {unequal->mistake};
  explanation.units = unequal->units;
  explanation.ulps = unequal->residual / (2 * searched.after_type.rounding);
  explanation.bits = unequal->bits;
  made.verdict = unequal->bits < diagnosis::certain_bits ? Verdict::likely : Verdict::certain;
  return made;
}

bool is_explained(const Diagnosis& diagnosis) {
  return diagnosis.verdict != Verdict::none && diagnosis.verdict != Verdict::too_little;
}

void take_explanations(Diagnosis from, Diagnosis& to) {
  to.verdict = from.verdict;
  to.explanations = std::move(from.explanations);
  to.next = std::move(from.next);
}

/// Explains vectors that no one rotation explains, where something does: other positions, some left out, two angles.
Expected<void> explain_fault(const RotationSamples& samples, const PairedQuestion& question, Diagnosis& diagnosis) {
  POSENC_TRY_LET(found, diagnose_positions(samples, question));
  // Tokens that are as they were have the position 0: a pattern of positions says more than that, no pattern says less.
  if (!is_explained(found) || std::ranges::count(found.explanations.front().mistakes, Mistake::positions_other) != 0) {
    const auto left = diagnosis::left_out(samples.before, samples.after, question.read.axes, question.read.samples,
                                          samples.positions);
    if (left) {
      POSENC_TRY_LET(rest, diagnose_rest(samples, question, *left));
      if (is_explained(rest)) found = std::move(rest);
    }
  }
  if (!is_explained(found)) {
    POSENC_TRY_LET(unequal, diagnose_unequal(samples, question));
    found = std::move(unequal);
  }
  if (is_explained(found)) take_explanations(std::move(found), diagnosis);
  return {};
}

/// Explains vectors of which nothing was expected by what the first tokens show, at positions read back from each.
Expected<void> explain_by_first(const RotationSamples& samples, const PairedQuestion& question, Diagnosis& diagnosis) {
  if (samples.axes != 1) return {};
  const std::size_t heads = samples.before.values.size() / samples.positions.size() / question.read.samples.dims;
  // A pattern may begin early: fewer and fewer tokens.
  for (std::size_t count = std::min(samples.positions.size() / 2, most_first); count >= least_first; count /= 2) {
    const Part first = part_of(
        samples, question,
        {.tokens = diagnosis::first_indices(count), .heads = diagnosis::first_indices(std::min(heads, read_heads))});
    const RotationSamples part = first.samples();
    const Expectation nothing;
    POSENC_TRY_LET(asked, read_samples(part, nothing));
    POSENC_TRY_LET(found, diagnose_as_given(part, asked));
    const Expectation expected = diagnosis::expectation_of(found);
    if (found.verdict != Verdict::certain || !expected.plan) continue;
    POSENC_TRY_LET(all, read_samples(samples, expected));
    all.asked.lists = question.asked.lists;
    POSENC_TRY_LET(read, diagnose_positions(samples, all));
    if (is_explained(read)) take_explanations(std::move(read), diagnosis);
    return {};
  }
  return {};
}

/// Finds what was done along the axes that are named, or fit best; where all depart from what was expected, unless
/// these samples are a part of those that were given.
Expected<Diagnosis> diagnose_along(const RotationSamples& samples, const Expectation& expected,
                                   diagnosis::HypothesisLists& lists, bool is_part) {
  POSENC_TRY_LET(question, read_samples(samples, expected));
  question.asked.lists = &lists;
  POSENC_TRY_LET(made, diagnose_as_given(samples, question));
  if (!question.asked.expected_pairing) {
    if (made.verdict == Verdict::none) POSENC_TRY(explain_by_first(samples, question, made));
    return made;
  }
  if (made.verdict != Verdict::none) {
    diagnosis::add_patterns({samples.positions, samples.axes}, expected, made);
    return made;
  }
  POSENC_TRY(explain_fault(samples, question, made));
  if (is_part) return made;
  POSENC_TRY_LET(departure, departure_from(samples, expected, question.read.axes, question.read.samples,
                                           *question.asked.expected_pairing));
  made.departure = std::move(departure);
  return made;
}

/// Axes as long as the sequence's, of which the shape does not tell which is meant: that axis first.
std::vector<std::int64_t> axes_alike(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& axes) {
  std::vector<std::int64_t> made{axes[0]};
  for (std::int64_t axis = 0; axis < std::ssize(shape); ++axis)
    if (axis != axes[0] && axis != axes[1] &&
        shape[static_cast<std::size_t>(axis)] == shape[static_cast<std::size_t>(axes[0])])
      made.push_back(axis);
  return made;
}

/// The diagnosis of vectors that were rotated along another axis than the sequence's, at the positions given or by its
/// indices; none where they were not.
Expected<Diagnosis> diagnose_other_axis(const RotationSamples& samples, const Expectation& expected,
                                        const std::vector<std::int64_t>& axes, diagnosis::HypothesisLists& lists) {
  const auto& shape = samples.before.shape;
  for (std::int64_t axis = 0; axis < std::ssize(shape); ++axis) {
    const auto extent = static_cast<std::size_t>(shape[static_cast<std::size_t>(axis)]);
    if (axis == axes[0] || axis == axes[1] || extent < 2) continue;
    std::vector<double> indices(samples.axes * extent);
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<double>(i % extent);
    RotationSamples turned = samples;
    turned.sequence_axis = axis;
    turned.dim_axis = axes[1];
    for (const std::span<const double> positions : {samples.positions, std::span<const double>(indices)}) {
      if (positions.size() != indices.size()) continue;
      turned.positions = positions;
      POSENC_TRY_LET(made, diagnose_along(turned, expected, lists, true));
      if (made.verdict != Verdict::certain && made.verdict != Verdict::likely) continue;
      for (Explanation& each : made.explanations) each.mistakes.push_back(Mistake::sequence_axis);
      return made;
    }
  }
  return Diagnosis{};
}

/// Whether some heads are said not to be rotated.
bool leaves_heads(const Diagnosis& made) {
  return is_explained(made) && std::ranges::count(made.explanations.front().mistakes, Mistake::heads_not_rotated) != 0;
}

bool is_simpler(const Diagnosis& a, const Diagnosis& b) {
  return is_explained(a) && a.explanations.front().mistakes.size() < b.explanations.front().mistakes.size();
}

}  // namespace

Expected<std::vector<std::int64_t>> rotation_axes(const RotationSamples& samples, const Expectation& expected) {
  POSENC_TRY_LET(question, read_samples(samples, expected));
  return question.axes();
}

Expected<Diagnosis> diagnose_rotation(const RotationSamples& samples, const Expectation& expected) {
  diagnosis::HypothesisLists lists;
  POSENC_TRY_LET(made, diagnose_along(samples, expected, lists, false));
  if (samples.before.shape.size() < 3) return made;
  if (made.verdict == Verdict::none || leaves_heads(made)) {
    POSENC_TRY_LET(other, diagnose_other_axis(samples, expected, made.axes, lists));
    if (is_explained(other) && !is_simpler(made, other)) {
      // The first of two heads stays at position 0, too.
      if (made.verdict != Verdict::none) {
        other.verdict = std::max(other.verdict, Verdict::likely);
        other.explanations.push_back(std::move(made.explanations.front()));
      }
      other.axes = made.axes;
      made = std::move(other);
    }
  }
  made.sequence_axes = samples.sequence_axis ? std::vector{made.axes[0]} : axes_alike(samples.before.shape, made.axes);
  // Numbers are right if one of them is the sequence's, and wrong if the other is.
  if (made.sequence_axes.size() > 1 && is_explained(made)) {
    made.verdict = Verdict::ambiguous;
    made.explanations.resize(1);
    made.explanations.push_back(made.explanations.front());
    made.explanations.front().bits = 0;
    made.explanations.back().mistakes.push_back(Mistake::sequence_axis);
  }
  return made;
}

}  // namespace posenc
