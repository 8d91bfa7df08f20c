#include "posenc/diagnosis/engine/answers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <variant>

#include "posenc/diagnosis/engine/counting.hpp"
#include "posenc/diagnosis/engine/ordering.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"

namespace posenc::diagnosis {
namespace {

/// Rotations of unlike dimensions are distinguished anywhere but at 0.
constexpr std::array<double, 8> any_positions{1, 2, 3, 5, 8, 13, 21, 34};

/// Positions that tell are looked for as far as contexts go, and so many are named.
constexpr double farthest_telling = 0x1p21;
constexpr std::size_t most_telling = 8;

/// Whether lists of a rule, one value a pair, are as long as these pairs want them.
bool has_lists_for(const Scaling& scaling, std::size_t pairs) {
  if (const auto* const longrope = std::get_if<scaling::Longrope>(&scaling))
    return longrope->short_factor.size() == pairs && longrope->long_factor.size() == pairs;
  const auto* const given = std::get_if<scaling::Given>(&scaling);
  return given == nullptr || given->frequencies.size() == pairs;
}

/// Sets what would tell the first of several answers from the others.
void add_telling(const std::vector<Answer>& answers, const Expectation& expected, const Noise& noise, bool has_unseen,
                 Diagnosis& diagnosis) {
  const auto add = [&](std::string_view what) {
    if (std::ranges::find(diagnosis.tells, what) == diagnosis.tells.end()) diagnosis.tells.push_back(what);
  };
  const Answer& first = answers.front();
  for (std::size_t i = 1; i < answers.size(); ++i) {
    const Answer& other = answers[i];
    const bool has_axes = other.finding.assignment.axis_of_pair != first.finding.assignment.axis_of_pair ||
                          other.finding.mistakes_of_axes() != first.finding.mistakes_of_axes();
    if (has_axes) add("axes");
    if (other.finding.numbers.grows != first.finding.numbers.grows) add("length");
    // Other pairs, or places of what they become, show in vectors of any other values.
    if (other.form != first.form && !noise.is_stored) add("inputs");
    if (has_axes || other.form != first.form || !other.finding.positions.values.empty()) continue;
    const std::vector<double> telling = telling_positions(first.finding.hypothesis, other.finding.hypothesis,
                                                          expected.arithmetic.has_value(), noise, farthest_telling);
    const bool is_known = std::ranges::any_of(
        telling, [&](double each) { return std::ranges::find(diagnosis.next, each) != diagnosis.next.end(); });
    if (!is_known && !telling.empty() && diagnosis.next.size() < most_telling)
      diagnosis.next.push_back(telling.front());
  }
  if (has_unseen) add("inputs");
  sort_by(diagnosis.next, std::identity());
  if (diagnosis.next.empty() && diagnosis.tells.empty())
    diagnosis.next.assign(any_positions.begin(), any_positions.end());
}

}  // namespace

void add_answer(Answer made, std::vector<Answer>& answers) {
  const auto same = std::ranges::find_if(
      answers, [&](const Answer& other) { return other.form == made.form && made.finding.is_same_as(other.finding); });
  if (same == answers.end())
    answers.push_back(std::move(made));
  else if (made.explanation.mistakes.size() < same->explanation.mistakes.size())
    *same = std::move(made);
}

RotationContext rotation_context(const Expectation& expected, std::size_t rotated, std::size_t head_dim,
                                 double rounding) {
  RotationContext context;
  context.expected_inverse = expected.inverse;
  context.expected_arithmetic = expected.arithmetic;
  context.expected_first = expected.first_position;
  context.expected_scale = expected.position_scale;
  context.head_dim = static_cast<std::int64_t>(head_dim);
  context.rounding = rounding;
  if (expected.plan && has_lists_for(expected.plan->scaling, rotated / 2))
    context.expected = plan_of_pairs(*expected.plan, rotated);
  for (const RotaryOptions& other : expected.others)
    if (has_lists_for(other.scaling, rotated / 2)) context.others.push_back(plan_of_pairs(other, rotated));
  return context;
}

std::vector<RotationContext> rotation_contexts(const Expectation& expected, std::size_t rotated, std::size_t head_dim,
                                               double rounding) {
  std::vector<RotationContext> made{rotation_context(expected, rotated, head_dim, rounding)};
  const auto& plan = made[0].expected;
  const std::int64_t meant = expected.plan ? expected.plan->rotary_dim.value_or(expected.plan->dim) : 0;
  if (!plan || plan->exponent_dim || meant == static_cast<std::int64_t>(rotated)) return made;
  RotationContext other = made[0];
  other.expected = *plan;
  other.expected->exponent_dim = meant;
  made.push_back(std::move(other));
  return made;
}

FoundRotation found_rotation(RotationHypothesis hypothesis, const Pairing& pairing, std::size_t dims) {
  hypothesis.plan.dim = static_cast<std::int64_t>(dims);
  hypothesis.plan.rotary_dim = static_cast<std::int64_t>(pairing.count);
  hypothesis.plan.layout = pairing.reads;
  // Rotating back, it reads what it writes going forward.
  if (pairing.reads != pairing.writes && hypothesis.negative == (pairing.reads == Layout::half))
    hypothesis.plan.layout = Layout::deinterleaved;
  return {.hypothesis = std::move(hypothesis),
          .first_dim = static_cast<std::int64_t>(pairing.first),
          .reads = pairing.reads,
          .writes = pairing.writes,
          .mrope_section = {},
          .axis_of_pair = {}};
}

void set_hypothesis_remedy(const Expectation& expected, const RotationHypothesis& hypothesis,
                           Explanation& explanation) {
  for (const Mistake mistake : explanation.mistakes) {
    if (is_of_factor(mistake) && hypothesis.factor != 0) {
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): called where a plan is expected
      const auto right = attention_factor(plan_of(*expected.plan));
      if (right) explanation.factor = *right / hypothesis.factor;
    }
    if (mistake == Mistake::first_position && hypothesis.position_scale != 0)
      explanation.shift = (expected.first_position - hypothesis.first_position) / hypothesis.position_scale;
    if (mistake == Mistake::position_scale && hypothesis.position_scale != 0)
      explanation.scale = expected.position_scale / hypothesis.position_scale;
  }
}

Explanation explanation_of(const Finding& finding, const Pairing& pairing, std::size_t dims,
                           const Expectation& expected) {
  Explanation made;
  made.units = finding.residual.units, made.ulps = finding.residual.ulps;
  made.mistakes = finding.mistakes;
  if (expected.plan) {
    const auto pairings = expected_pairing(expected);
    if (const std::optional<Pairing> meant = pairings ? *pairings : std::nullopt) {
      const std::vector<Mistake> of_dims = pairing_mistakes(pairing, *meant, dims);
      made.mistakes.insert(made.mistakes.begin(), of_dims.begin(), of_dims.end());
      DimRemedy remedy = dim_remedy(pairing, *meant, dims);
      made.dims = std::move(remedy.dims);
      made.dims_before = remedy.before;
    }
    set_hypothesis_remedy(expected, finding.hypothesis, made);
  }
  FoundRotation found = found_rotation(finding.hypothesis, pairing, dims);
  found.mrope_section = finding.assignment.sections, found.mrope_order = finding.assignment.order;
  found.axis_of_pair = finding.assignment.axis_of_pair;
  found.positions = finding.positions;
  made.found = std::move(found);
  return made;
}

void conclude(std::vector<Answer> answers, const Places& places, const Expectation& expected, const Noise& noise,
              bool has_unseen, Diagnosis& diagnosis, std::string_view* open_type) {
  diagnosis.explanations.clear(), diagnosis.next.clear(), diagnosis.tells.clear();
  diagnosis.verdict = Verdict::none;
  if (answers.empty()) return;
  // A hypothesis whose angles are open explains any values: it proves no mistake, and the expected one is not certain.
  const auto is_blind = [](const Answer& each) { return each.finding.residual.is_blind; };
  const bool are_blind = std::ranges::all_of(answers, is_blind);
  const auto is_mistaken = [](const Answer& each) { return !each.explanation.mistakes.empty(); };
  // But it is as likely as the same by an arithmetic of exact angles, which these values may have alike.
  const auto is_exact_too = [&](const Answer& each) {
    return std::ranges::any_of(answers, [&](const Answer& other) {
      HypothesisNumbers numbers = other.finding.numbers;
      numbers.arithmetic = each.finding.numbers.arithmetic;
      return !is_blind(other) && other.form == each.form &&
             other.explanation.mistakes.size() > each.explanation.mistakes.size() &&
             same_numbers(numbers, each.finding.numbers);
    });
  };
  std::vector<Answer> kept;
  for (const Answer& each : answers)
    if (!is_blind(each) || (are_blind && !is_mistaken(each)) || is_exact_too(each)) kept.push_back(each);
  answers = std::move(kept);
  const auto is_no_proof = [&](const Answer& each) { return each.finding.residual.is_weak && is_mistaken(each); };
  if (std::ranges::all_of(answers, is_no_proof)) {
    if (open_type != nullptr && open_type->empty()) *open_type = noise.type.name;
    return;
  }
  const auto still = [](const Answer& each) { return each.finding.turns_nothing(); };
  if (std::ranges::all_of(answers, still)) {
    // Vectors that were not rotated do not show any pairs.
    answers.resize(1);
    if (!expected.plan) {
      answers[0].explanation.mistakes = {Mistake::not_rotated};
      if (has_unseen) diagnosis.tells = {"inputs"};
    }
  } else if (std::ranges::any_of(answers, still)) {
    // Any rotation would do where what was expected, or any encoding, is among those that nothing tells from none.
    const auto is_meant = [&](const Answer& each) { return !still(each) && each.explanation.mistakes.empty(); };
    if (std::ranges::any_of(answers, is_meant)) {
      set_too_little(diagnosis, true);
      return;
    }
  }
  sort_by(answers, [](const Answer& each) { return each.explanation.mistakes.size(); });
  // Positions that are the same on all axes do not show which of them pairs take.
  if (places.axes > 1 && expected.mrope_section.empty() && answers.front().finding.assignment.axis_of_pair.empty())
    diagnosis.tells.emplace_back("axes");
  // Where nothing was expected, pairs that no value shows, or whose angles are open, may have turned by any law.
  const bool is_any =
      !expected.plan && !still(answers.front()) && (has_unseen || answers.front().finding.residual.is_weak);
  // What moves one position to another may be any of the changes that move positions.
  const bool is_one = std::ranges::count(places.positions, places.positions[0]) == std::ssize(places.positions);
  const RotationHypothesis& first = answers.front().finding.hypothesis;
  const bool is_moved =
      is_one && (first.first_position != expected.first_position || first.position_scale != expected.position_scale);
  const bool is_open = is_moved || answers.size() > 1 || are_blind || is_any || answers.front().finding.is_open ||
                       !diagnosis.tells.empty();
  diagnosis.verdict = is_open                                ? Verdict::ambiguous
                      : answers.front().finding.is_estimated ? Verdict::likely
                                                             : Verdict::certain;
  if (diagnosis.verdict == Verdict::ambiguous) add_telling(answers, expected, noise, has_unseen, diagnosis);
  if (answers.size() > most_returned) answers.resize(most_returned);
  for (Answer& each : answers) diagnosis.explanations.push_back(std::move(each.explanation));
}

void conclude_open(std::string_view open_type, Diagnosis& diagnosis) {
  if (diagnosis.verdict != Verdict::none || open_type.empty()) return;
  set_too_little(diagnosis, true);
  diagnosis.dtype = open_type;
}

bool is_same_rotation(const Explanation& a, const Explanation& b) {
  const auto* const first = std::get_if<FoundRotation>(&a.found);
  const auto* const second = std::get_if<FoundRotation>(&b.found);
  if (first == nullptr || second == nullptr) return false;
  return first->first_dim == second->first_dim && first->reads == second->reads && first->writes == second->writes &&
         first->axis_of_pair == second->axis_of_pair && first->positions.values == second->positions.values &&
         same_numbers(numbers_of(first->hypothesis), numbers_of(second->hypothesis));
}

void set_too_little(Diagnosis& diagnosis, bool has_positions) {
  diagnosis.verdict = Verdict::too_little;
  diagnosis.explanations.clear();
  diagnosis.next.clear();
  if (has_positions) diagnosis.next.assign(any_positions.begin(), any_positions.end());
}

Expectation expectation_of(const Diagnosis& found) {
  Expectation made;
  if (found.verdict == Verdict::none || found.explanations.empty()) return made;
  const auto* const rotation = std::get_if<FoundRotation>(&found.explanations.front().found);
  if (rotation == nullptr) return made;
  const RotationHypothesis& hypothesis = rotation->hypothesis;
  if (rotation->reads != rotation->writes && hypothesis.plan.layout != Layout::deinterleaved) return made;
  const bool is_plan = hypothesis.first_position == 0 && hypothesis.position_scale == 1 && !hypothesis.exchanged &&
                       !hypothesis.reciprocal;
  const auto factor = attention_factor(plan_of(hypothesis.plan));
  if (!is_plan || !factor || *factor != hypothesis.factor) return made;
  made.plan = hypothesis.plan;
  made.first_dim = rotation->first_dim;
  made.inverse = hypothesis.negative;
  made.mrope_section = rotation->mrope_section;
  made.mrope_order = rotation->mrope_order;
  return made;
}

std::vector<double> given_positions(std::span<const double> positions, std::size_t tokens) {
  std::vector<double> made(positions.begin(), positions.end());
  if (!made.empty()) return made;
  made.resize(tokens);
  std::iota(made.begin(), made.end(), 0.0);
  return made;
}

}  // namespace posenc::diagnosis
