#include "posenc/diagnosis/hypotheses/name_differences.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/diagnosis/estimates/line_fit.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/hypotheses/mistake_changes.hpp"

namespace posenc::diagnosis {
namespace {

bool same_frequencies(const RotaryOptions& a, const RotaryOptions& b) {
  const std::vector<double> first = radians_of(a), second = radians_of(b);
  return !first.empty() && std::equal(first.begin(), first.end(), second.begin(), second.end(), is_same);
}

Mistake exponent_mistake(std::int64_t found, std::int64_t expected, const RotaryOptions& plan,
                         const RotationContext& context) {
  if (found == context.head_dim && context.head_dim > plan.dim) return Mistake::exponent_head_dim;
  if (found == 2 * expected) return Mistake::exponent_doubled;
  if (2 * found == expected) return Mistake::exponent_halved;
  if (found == expected - 2) return Mistake::exponent_half_minus_one;
  return Mistake::exponent_rotary_dim;
}

void name_plan(const RotaryOptions& found, const RotaryOptions& expected, const RotationContext& context,
               std::vector<Mistake>& mistakes) {
  if (same_frequencies(found, expected)) return;
  for (const RotaryOptions& other : context.others)
    if (same_frequencies(found, plain_plan(other))) {
      mistakes.push_back(Mistake::other_layers);
      return;
    }
  RotaryOptions changed = expected;
  if (denominator_of(found) != denominator_of(expected)) {
    mistakes.push_back(exponent_mistake(denominator_of(found), denominator_of(expected), expected, context));
    changed.exponent_dim = found.exponent_dim;
  }
  if (found.base != expected.base && !std::holds_alternative<scaling::Given>(found.scaling)) {
    mistakes.push_back(Mistake::base);
    changed.base = found.base;
  }
  if (same_frequencies(found, changed)) return;
  const bool is_unscaled = std::holds_alternative<scaling::Default>(found.scaling);
  // Where no rule was expected, positions that are divided look like linear scaling.
  const bool is_scale = std::holds_alternative<scaling::Default>(expected.scaling) &&
                        std::holds_alternative<scaling::Linear>(found.scaling);
  mistakes.push_back(is_unscaled ? Mistake::scaling_missing
                     : is_scale  ? Mistake::position_scale
                                 : Mistake::scaling_other);
}

/// A factor is right that is the expected one, or, with other frequencies, that of their rule.
void name_factor(double factor, const RotaryOptions& found, const RotaryOptions& expected,
                 std::vector<Mistake>& mistakes) {
  const auto own = attention_factor(plan_of(found)), meant = attention_factor(plan_of(expected));
  if (!own || is_same(factor, *own) || (meant && is_same(factor, *meant))) return;
  mistakes.push_back(is_same(factor, 1)             ? Mistake::factor_missing
                     : is_same(factor, *own * *own) ? Mistake::factor_twice
                                                    : Mistake::factor_other);
}

}  // namespace

ScaledMatch scaled_match(const FrequencySample& sample, std::span<const double> rates) {
  double weights = 0, products = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double rate = std::fabs(rates[i]), weight = 1 / (sample.errors[i] * sample.errors[i]);
    if (!(weight > 0)) continue;
    products += weight * sample.radians[i] * rate, weights += weight * rate * rate;
  }
  if (!(weights > 0) || !(products > 0)) return {};
  ScaledMatch match{.matches = true, .scale = products / weights, .error = 1 / std::sqrt(weights)};
  match.scale = shortest_near(match.scale, snapped_errors * match.error);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double off = errors_off(sample, i, match.scale * std::fabs(rates[i]));
    if (std::isfinite(sample.errors[i]) && off > explained_units) match.matches = false;
  }
  return match;
}

void name_differences(const RotationHypothesis& hypothesis, const RotationContext& context, bool names_plan,
                      std::vector<Mistake>& mistakes) {
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): called where a plan is expected
  const RotaryOptions expected = plain_plan(*context.expected);
  if (names_plan) name_plan(hypothesis.plan, expected, context, mistakes);
  name_factor(hypothesis.factor, hypothesis.plan, expected, mistakes);
  if (hypothesis.negative != context.expected_inverse) mistakes.push_back(Mistake::sign);
  if (hypothesis.exchanged) mistakes.push_back(Mistake::exchanged);
  if (!is_same(hypothesis.first_position, context.expected_first)) mistakes.push_back(Mistake::first_position);
  if (!is_same(hypothesis.position_scale, context.expected_scale)) mistakes.push_back(Mistake::position_scale);
  for (const auto& [arithmetic, mistake] : arithmetic_mistakes)
    if (hypothesis.arithmetic == arithmetic && arithmetic != meant_arithmetic(context)) mistakes.push_back(mistake);
}

}  // namespace posenc::diagnosis
