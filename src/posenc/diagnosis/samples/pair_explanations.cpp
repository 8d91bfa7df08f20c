#include "posenc/diagnosis/samples/pair_explanations.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "posenc/base/try.hpp"
#include "posenc/diagnosis/axes/axis_rotations.hpp"
#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"

namespace posenc::diagnosis {
namespace {

/// Whether lists of a rule, one value a pair, are as long as these pairs want them.
bool has_lists_for(const Scaling& scaling, std::size_t pairs) {
  if (const auto* const longrope = std::get_if<scaling::Longrope>(&scaling))
    return longrope->short_factor.size() == pairs && longrope->long_factor.size() == pairs;
  const auto* const given = std::get_if<scaling::Given>(&scaling);
  return given == nullptr || given->frequencies.size() == pairs;
}

bool is_of_factor(Mistake mistake) {
  return mistake == Mistake::factor_missing || mistake == Mistake::factor_twice || mistake == Mistake::factor_default ||
         mistake == Mistake::factor_other;
}

class PairExplainer {
 public:
  PairExplainer(const MeasuredPairs& seen, const Expectation& expected, const std::optional<Pairing>& expected_pairing)
      : seen_(seen), expected_(expected), expected_pairing_(expected_pairing) {}

  [[nodiscard]] Expected<void> explain(const RotationContext& context) {
    if (seen_.axes > 1) return explain_axes(context);
    POSENC_TRY_LET(explained, explain_rotations(*seen_.rotations, seen_.positions, context));
    for (RotationExplanation& each : explained) add(each);
    return {};
  }

  [[nodiscard]] std::vector<Candidate> take() { return std::move(candidates_); }

 private:
  [[nodiscard]] Expected<void> explain_axes(const RotationContext& context) {
    AxisContext axes{.rotations = context, .mrope_section = {}, .mrope_order = expected_.mrope_order};
    // Sections are those of the expected dimensions.
    if (expected_pairing_ && expected_pairing_->count == seen_.pairing.count)
      axes.mrope_section = expected_.mrope_section;
    POSENC_TRY_LET(explained, explain_axis_rotations(*seen_.rotations, seen_.positions, seen_.axes, axes));
    for (AxisExplanation& each : explained) {
      const std::size_t variant = each.rotation.variant;
      Candidate& made = add(each.rotation);
      made.variant = variant;
      auto& found = std::get<FoundRotation>(made.explanation.found);
      found.mrope_section = std::move(each.sections);
      found.mrope_order = each.order;
      found.axis_of_pair = std::move(each.axis_of_pair);
    }
    return {};
  }

  Candidate& add(RotationExplanation& each) {
    return candidates_.emplace_back(candidate_of(std::move(each), seen_, expected_, expected_pairing_));
  }

  const MeasuredPairs& seen_;
  const Expectation& expected_;
  const std::optional<Pairing>& expected_pairing_;
  std::vector<Candidate> candidates_;
};

}  // namespace

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

Candidate candidate_of(RotationExplanation explanation, const MeasuredPairs& seen, const Expectation& expected,
                       const std::optional<Pairing>& expected_pairing) {
  Candidate made;
  made.data_bits = explanation.data_bits;
  made.cost = explanation.cost + pairing_cost(seen.pairing, expected_pairing, seen.dims);
  made.hypothesis = explanation.hypothesis;
  made.explanation.units = explanation.units;
  made.explanation.ulps = explanation.residual;
  if (expected_pairing) {
    made.explanation.mistakes = pairing_mistakes(seen.pairing, *expected_pairing, seen.dims);
    DimRemedy remedy = dim_remedy(seen.pairing, *expected_pairing, seen.dims);
    made.explanation.dims = std::move(remedy.dims);
    made.explanation.dims_before = remedy.before;
  }
  made.explanation.mistakes.insert(made.explanation.mistakes.end(), explanation.mistakes.begin(),
                                   explanation.mistakes.end());
  if (expected.plan) set_hypothesis_remedy(expected, explanation.hypothesis, made.explanation);
  made.explanation.found = found_rotation(std::move(explanation.hypothesis), seen.pairing, seen.dims);
  return made;
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

RotationContext rotation_context(const Expectation& expected, std::size_t rotated, std::size_t head_dim) {
  RotationContext context;
  context.expected_inverse = expected.inverse;
  context.expected_arithmetic = expected.arithmetic;
  context.expected_first = expected.first_position;
  context.expected_scale = expected.position_scale;
  context.head_dim = static_cast<std::int64_t>(head_dim);
  if (expected.plan && has_lists_for(expected.plan->scaling, rotated / 2))
    context.expected = plan_of_pairs(*expected.plan, rotated);
  for (const RotaryOptions& other : expected.others)
    if (has_lists_for(other.scaling, rotated / 2)) context.others.push_back(plan_of_pairs(other, rotated));
  return context;
}

Expected<std::vector<Candidate>> explain_pairs(const MeasuredPairs& seen, const Expectation& expected,
                                               const std::optional<Pairing>& expected_pairing) {
  PairExplainer explainer(seen, expected, expected_pairing);
  RotationContext context = rotation_context(expected, seen.pairing.count, seen.dims);
  context.lists = seen.lists;
  POSENC_TRY(explainer.explain(context));
  // Other dimensions than the expected ones may have the expected ones' exponents.
  const bool is_other =
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access): there is one where a plan is expected
      context.expected && !context.expected->exponent_dim && seen.pairing.count != expected_pairing->count;
  if (is_other) {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): the same
    context.expected->exponent_dim = static_cast<std::int64_t>(expected_pairing->count);
    POSENC_TRY(explainer.explain(context));
  }
  return explainer.take();
}

}  // namespace posenc::diagnosis
