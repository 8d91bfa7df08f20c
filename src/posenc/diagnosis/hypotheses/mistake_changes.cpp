#include "posenc/diagnosis/hypotheses/mistake_changes.hpp"

#include <type_traits>
#include <utility>

#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/usual_numbers.hpp"

namespace posenc::diagnosis {
namespace {

/// Mistakes multiply positions by these: divided as for a longer context, or multiplied in place of that.
constexpr double usual_scales[]{0.5, 0.25, 0.125, 2};

double original_length_of(const Scaling& scaling) {
  return std::visit(
      [](const auto& rule) {
        if constexpr (requires { rule.original_length; }) {
          return rule.original_length;
        } else {
          return 0.0;
        }
      },
      scaling);
}

void add_exponents(const RotaryOptions& plan, const RotationContext& context, std::vector<Change>& changes) {
  const auto add = [&](Mistake mistake, std::int64_t denominator) {
    if (denominator >= 2 && denominator != denominator_of(plan))
      changes.push_back({.mistake = mistake, .aspects = exponent_aspect, .denominator = denominator});
  };
  const std::int64_t d = denominator_of(plan);
  if (context.head_dim > plan.dim) add(Mistake::exponent_head_dim, context.head_dim);
  if (d != plan.dim) add(Mistake::exponent_rotary_dim, plan.dim);
  add(Mistake::exponent_doubled, 2 * d);
  if (d % 2 == 0) add(Mistake::exponent_halved, d / 2);
  add(Mistake::exponent_half_minus_one, d - 2);
}

void add_bases(const RotaryOptions& plan, const RotationContext& context, std::vector<Change>& changes) {
  for (const RotaryOptions& other : context.others) {
    const RotaryOptions plain = plain_plan(other);
    if (plain.dim != plan.dim) continue;
    changes.push_back(
        {.mistake = Mistake::other_layers, .aspects = plan_aspects & ~unsigned{reciprocal_aspect}, .plan = plain});
    changes.push_back({.mistake = Mistake::other_layers, .aspects = base_aspect, .base = plain.base});
  }
  for (const double base : usual_bases)
    if (base != plan.base) changes.push_back({.mistake = Mistake::base, .aspects = base_aspect, .base = base});
}

void add_other_rules(const RotaryOptions& plan, std::vector<Change>& changes) {
  const double factor = factor_of(plan.scaling);
  const auto add = [&](Scaling scaling, std::optional<std::int64_t> length = std::nullopt) {
    changes.push_back({.mistake = Mistake::scaling_other,
                       .aspects = scaling_aspect,
                       .scaling = std::move(scaling),
                       .length = length});
  };
  if (const auto* yarn = std::get_if<scaling::Yarn>(&plan.scaling)) {
    scaling::Yarn other = *yarn;
    other.truncate = !other.truncate;
    add(other);
  }
  if (const auto* longrope = std::get_if<scaling::Longrope>(&plan.scaling)) {
    const auto limit = static_cast<std::int64_t>(longrope->original_length);
    add(plan.scaling, plan.length.value_or(0) > limit ? limit : limit + 1);
  }
  if (factor == 1) return;
  const double length = original_length_of(plan.scaling);
  add(scaling::Linear{factor});
  add(scaling::Ntk{factor});
  if (length < 2) return;
  if (!std::holds_alternative<scaling::Yarn>(plan.scaling))
    add(scaling::Yarn{.factor = factor, .original_length = length});
  if (!std::holds_alternative<scaling::Llama3>(plan.scaling))
    add(scaling::Llama3{.factor = factor, .original_length = length});
}

void add_rules(const RotaryOptions& plan, std::vector<Change>& changes) {
  if (std::holds_alternative<scaling::Default>(plan.scaling)) return;
  changes.push_back({.mistake = Mistake::scaling_missing, .aspects = scaling_aspect, .scaling = scaling::Default{}});
  const double factor = factor_of(plan.scaling);
  if (const auto* linear = std::get_if<scaling::Linear>(&plan.scaling)) {
    changes.push_back({.mistake = Mistake::scaling_twice,
                       .aspects = scaling_aspect,
                       .scaling = scaling::Linear{linear->factor * linear->factor}});
  } else if (factor != 1) {
    changes.push_back(
        {.mistake = Mistake::scaling_twice, .aspects = scaling_aspect | scale_aspect, .position_scale = 1 / factor});
  }
  add_other_rules(plan, changes);
}

void add_positions(const RotaryOptions& plan, const RotationContext& context, std::vector<Change>& changes) {
  for (const double first : {1.0, -1.0, -context.expected_first})
    if (first != 0)
      changes.push_back({.mistake = Mistake::first_position, .aspects = first_aspect, .first_position = first});
  const auto add = [&](double scale) {
    if (scale != 1)
      changes.push_back({.mistake = Mistake::position_scale, .aspects = scale_aspect, .position_scale = scale});
  };
  add(factor_of(plan.scaling));
  if (context.expected_scale != 0) add(1 / context.expected_scale);
  for (const double scale : usual_scales) add(scale);
}

}  // namespace

double factor_of(const Scaling& scaling) {
  return std::visit(
      [](const auto& rule) {
        if constexpr (requires { rule.factor; }) {
          return rule.factor;
        } else {
          return 1.0;
        }
      },
      scaling);
}

Scaling with_standard_factor(const Scaling& scaling) {
  Scaling made = scaling;
  if (auto* yarn = std::get_if<scaling::Yarn>(&made))
    yarn->attention_factor = yarn->mscale = yarn->mscale_all_dim = std::nullopt;
  if (auto* longrope = std::get_if<scaling::Longrope>(&made)) longrope->attention_factor = std::nullopt;
  return made;
}

std::vector<Change> changes_of(const RotaryOptions& plan, const RotationContext& context) {
  std::vector<Change> changes;
  add_exponents(plan, context, changes);
  add_bases(plan, context, changes);
  add_rules(plan, changes);
  changes.push_back({.mistake = Mistake::reciprocal, .aspects = reciprocal_aspect, .reciprocal = true});
  changes.push_back({.mistake = Mistake::factor_missing, .aspects = factor_aspect, .factor = FactorUse::missing});
  changes.push_back({.mistake = Mistake::factor_twice, .aspects = factor_aspect, .factor = FactorUse::twice});
  changes.push_back({.mistake = Mistake::factor_default, .aspects = factor_aspect, .factor = FactorUse::standard});
  changes.push_back({.mistake = Mistake::sign, .aspects = sign_aspect, .reversed = true});
  changes.push_back({.mistake = Mistake::exchanged, .aspects = exchange_aspect, .exchanged = true});
  add_positions(plan, context, changes);
  for (const auto& [arithmetic, mistake] : arithmetic_mistakes)
    if (arithmetic != meant_arithmetic(context))
      changes.push_back({.mistake = mistake, .aspects = arithmetic_aspect, .arithmetic = arithmetic});
  RotaryOptions still = plan;
  still.scaling = scaling::Given{std::vector<double>(static_cast<std::size_t>(plan.dim / 2), 0.0)};
  changes.push_back({.mistake = Mistake::not_rotated, .aspects = all_aspects, .plan = still});
  return changes;
}

}  // namespace posenc::diagnosis
