#include "posenc/diagnosis/hypotheses/changes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>
#include <variant>

#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/usual_numbers.hpp"

// std::log is right here: a ramp of wrong code is compared within roundings, not kept.

namespace posenc::diagnosis {
namespace {

/// Mistakes multiply positions by these: divided as for a longer context, or multiplied in place of that.
constexpr double usual_scales[]{0.5, 0.25, 0.125, 2};

double original_length_of(const Scaling& scaling) {
  return std::visit(
      [](const auto& rule) {
        if constexpr (requires { rule.original_length; })
          return rule.original_length;
        else
          return 0.0;
      },
      scaling);
}

Scaling rule_of(const UsualModel& model) {
  switch (model.rule) {
    case UsualRule::linear:
      return scaling::Linear{model.factor};
    case UsualRule::ntk:
      return scaling::Ntk{model.factor};
    case UsualRule::proportional:
      return scaling::Proportional{.fraction = model.factor};
    case UsualRule::llama3:
      return scaling::Llama3{.factor = model.factor, .original_length = model.length};
    default:
      return scaling::Yarn{.factor = model.factor, .original_length = model.length, .truncate = model.truncate};
  }
}

class ChangeList {
 public:
  ChangeList(const RotaryOptions& plan, const RotationContext& context) : plan_(plan), context_(context) {}

  std::vector<Change> list() {
    add_exponents();
    add_bases();
    add_rules();
    add({.mistake = Mistake::reciprocal, .parts = reciprocal_part, .reciprocal = true});
    add({.mistake = Mistake::frequencies_bfloat16, .parts = storage_part, .frequencies = DType::bfloat16});
    add({.mistake = Mistake::frequencies_float16, .parts = storage_part, .frequencies = DType::float16});
    add({.mistake = Mistake::factor_missing, .parts = factor_part, .factor = FactorUse::missing});
    add({.mistake = Mistake::factor_twice, .parts = factor_part, .factor = FactorUse::twice});
    add({.mistake = Mistake::factor_default, .parts = factor_part, .factor = FactorUse::standard});
    add({.mistake = Mistake::sign, .parts = sign_part, .reversed = true});
    add({.mistake = Mistake::exchanged, .parts = exchange_part, .exchanged = true});
    add_positions();
    add_arithmetic();
    for (const int rows : {1, -1}) add({.mistake = Mistake::sine_rows, .parts = row_part, .sine_rows = rows});
    RotaryOptions still = plan_;
    still.scaling = scaling::Given{std::vector<double>(static_cast<std::size_t>(plan_.dim / 2), 0.0)};
    add({.mistake = Mistake::not_rotated, .parts = all_parts, .plan = still});
    add_family();
    return std::move(changes_);
  }

 private:
  void add(Change change) { changes_.push_back(std::move(change)); }

  void add_exponents() {
    const auto add_one = [&](Mistake mistake, std::int64_t denominator) {
      if (denominator >= 2 && denominator != denominator_of(plan_))
        add({.mistake = mistake, .parts = exponent_part, .denominator = denominator});
    };
    const std::int64_t d = denominator_of(plan_);
    if (context_.head_dim > plan_.dim) add_one(Mistake::exponent_head_dim, context_.head_dim);
    if (d != plan_.dim) add_one(Mistake::exponent_rotary_dim, plan_.dim);
    add_one(Mistake::exponent_doubled, 2 * d);
    if (d % 2 == 0) add_one(Mistake::exponent_halved, d / 2);
    add_one(Mistake::exponent_half_minus_one, d - 2);
    // All frequencies are less by one step of the ladder, as long as no rule looks at them.
    if (std::holds_alternative<scaling::Default>(plan_.scaling))
      add({.mistake = Mistake::exponent_from_one,
           .parts = exponent_part | base_part | scale_part,
           .position_scale = std::pow(plan_.base, -2 / static_cast<double>(d))});
    // A table of tensor2tensor's kind, computed with the paper's exponent.
    if (d != plan_.dim) add_one(Mistake::exponent_half_minus_one, plan_.dim - 2);
  }

  void add_bases() {
    for (const RotaryOptions& other : context_.others) {
      const RotaryOptions plain = plain_plan(other);
      if (plain.dim != plan_.dim) continue;
      add({.mistake = Mistake::other_layers, .parts = exponent_part | base_part | scaling_part, .plan = plain});
      add({.mistake = Mistake::other_layers, .parts = base_part, .base = plain.base});
    }
    for (const double base : usual_bases)
      if (base != plan_.base) add({.mistake = Mistake::base, .parts = base_part, .base = base});
  }

  void add_rule(Scaling scaling, std::optional<std::int64_t> length = std::nullopt, bool is_family = false) {
    add({.mistake =
             std::holds_alternative<scaling::Default>(scaling) ? Mistake::scaling_missing : Mistake::scaling_other,
         .parts = scaling_part,
         .is_family = is_family,
         .scaling = std::move(scaling),
         .length = length});
  }

  void add_rules() {
    if (std::holds_alternative<scaling::Default>(plan_.scaling)) return;
    add_rule(scaling::Default{});
    const double factor = factor_of(plan_.scaling);
    if (const auto* linear = std::get_if<scaling::Linear>(&plan_.scaling))
      add({.mistake = Mistake::scaling_twice,
           .parts = scaling_part,
           .scaling = scaling::Linear{linear->factor * linear->factor}});
    else if (factor != 1)
      add({.mistake = Mistake::scaling_twice, .parts = scaling_part | scale_part, .position_scale = 1 / factor});
    add_own_rules();
    if (factor == 1) return;
    const double length = original_length_of(plan_.scaling);
    add_rule(scaling::Linear{factor});
    add_rule(scaling::Ntk{factor});
    if (length < 2) return;
    if (!std::holds_alternative<scaling::Yarn>(plan_.scaling))
      add_rule(scaling::Yarn{.factor = factor, .original_length = length});
    if (!std::holds_alternative<scaling::Llama3>(plan_.scaling))
      add_rule(scaling::Llama3{.factor = factor, .original_length = length});
  }

  /// The rule itself, by other numbers: one that is exchanged, not looked at, or of what the rule makes of it.
  void add_own_rules() {
    if (const auto* yarn = std::get_if<scaling::Yarn>(&plan_.scaling)) {
      scaling::Yarn other = *yarn;
      other.truncate = !other.truncate;
      add_rule(other);
      add_rule(exchanged_ramp(*yarn));
      other = *yarn;
      other.original_length *= other.factor;
      add_rule(other);
    }
    if (const auto* llama3 = std::get_if<scaling::Llama3>(&plan_.scaling)) {
      // With low and high exchanged the two branches meet at one of them, and nothing is between.
      for (const double both : {llama3->low_frequency_factor, llama3->high_frequency_factor}) {
        scaling::Llama3 exchanged = *llama3;
        exchanged.low_frequency_factor = exchanged.high_frequency_factor = both;
        add_rule(exchanged);
      }
      scaling::Llama3 other = *llama3;
      other.original_length *= other.factor;
      add_rule(other);
    }
    if (const auto* longrope = std::get_if<scaling::Longrope>(&plan_.scaling)) {
      const auto limit = static_cast<std::int64_t>(longrope->original_length);
      add_rule(plan_.scaling, plan_.length.value_or(0) > limit ? limit : limit + 1);
    }
    if (const auto* dynamic = std::get_if<scaling::Dynamic>(&plan_.scaling))
      for (const double times : {1.0, dynamic->factor, 2.0, 4.0})
        add_rule(plan_.scaling, static_cast<std::int64_t>(dynamic->original_length * times));
  }

  /// YaRN with beta_fast and beta_slow exchanged, which the rule itself refuses: the ramp runs backwards.
  [[nodiscard]] scaling::Given exchanged_ramp(const scaling::Yarn& yarn) const {
    RotaryOptions unscaled = plan_;
    unscaled.scaling = scaling::Default{};
    const auto frequencies = Frequencies::make_scaled(plan_of(unscaled));
    const auto factor = attention_factor(plan_of(plan_));
    scaling::Given made{.frequencies = {}, .attention_factor = factor.value_or(1)};
    if (!frequencies) return made;
    const auto d = static_cast<double>(plan_.dim);
    const auto index = [&](double beta) {
      return d * std::log(yarn.original_length / (2 * std::numbers::pi * beta)) / (2 * std::log(plan_.base));
    };
    double low = index(yarn.beta_slow), high = index(yarn.beta_fast);
    if (yarn.truncate) low = std::floor(low), high = std::ceil(high);
    low = std::max(low, 0.0), high = std::min(high, d - 1);
    if (low == high) high += 0.001;
    for (std::size_t i = 0; i < frequencies->count(); ++i) {
      const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
      made.frequencies.push_back(frequencies->radians(i) * (1 - ramp + ramp / yarn.factor));
    }
    return made;
  }

  void add_positions() {
    for (const double first : {1.0, -1.0, -context_.expected_first})
      if (first != 0) add({.mistake = Mistake::first_position, .parts = first_part, .first_position = first});
    const auto add_scale = [&](double scale) {
      if (scale != 1) add({.mistake = Mistake::position_scale, .parts = scale_part, .position_scale = scale});
    };
    add_scale(factor_of(plan_.scaling));
    if (context_.expected_scale != 0) add_scale(1 / context_.expected_scale);
    for (const double scale : usual_scales) add_scale(scale);
  }

  void add_arithmetic() {
    const AngleArithmetic meant = context_.expected_arithmetic.value_or(AngleArithmetic::exact);
    for (const auto& [arithmetic, mistake] : arithmetic_mistakes) {
      const bool is_fine = arithmetic == AngleArithmetic::float32 || arithmetic == AngleArithmetic::product;
      // Where none is named, all that libraries compute in is as right as exact angles.
      if (arithmetic == meant || (is_fine && !context_.expected_arithmetic)) continue;
      add({.mistake = mistake, .parts = arithmetic_part, .arithmetic = arithmetic});
    }
    for (const auto& [type, mistake] :
         {std::pair{DType::bfloat16, Mistake::cosines_bfloat16}, std::pair{DType::float16, Mistake::cosines_float16}})
      add({.mistake = mistake, .parts = cosine_part, .cosines = type});
  }

  /// Adds the plans that could have been meant, or run, in its place: its rule with other numbers, and usual rules
  /// where it has none.
  void add_family() {
    if (const auto* longrope = std::get_if<scaling::Longrope>(&plan_.scaling)) {
      for (const double length : usual_lengths) {
        scaling::Longrope other = *longrope;
        other.original_length = length;
        add_rule(other, plan_.length, true);
      }
    }
    add_models();
    RotaryOptions unscaled = plan_;
    unscaled.scaling = scaling::Default{};
    const bool is_unscaled = std::holds_alternative<scaling::Default>(plan_.scaling);
    for (const RotaryOptions& other : usual_plans(unscaled))
      if (is_unscaled || other.scaling.index() == plan_.scaling.index()) {
        add_rule(own_numbers(other.scaling), other.length, true);
        if (!is_unscaled) add_rule(other.scaling, other.length, true);
      }
    if (const auto* dynamic = std::get_if<scaling::Dynamic>(&plan_.scaling))
      for (const double factor : usual_factors) {
        scaling::Dynamic other = *dynamic;
        other.factor = factor;
        add_rule(other, plan_.length, true);
      }
  }

  /// Other models' bases with their rules, as whole plans, and their rules beside the expected base.
  void add_models() {
    const bool is_unscaled = std::holds_alternative<scaling::Default>(plan_.scaling);
    for (const UsualModel& model : usual_models)
      for (const bool has_own_base : {false, true}) {
        RotaryOptions other = plan_;
        if (!has_own_base) other.base = model.base;
        other.scaling = rule_of(model);
        if (has_own_base && !is_unscaled && other.scaling.index() != plan_.scaling.index()) continue;
        const Mistake mistake = is_unscaled || other.base == plan_.base ? Mistake::scaling_other : Mistake::base;
        const Change made{.mistake = mistake, .parts = base_part | scaling_part, .is_family = true, .plan = other};
        add(made);
        auto* const yarn = std::get_if<scaling::Yarn>(&other.scaling);
        if (yarn == nullptr) continue;
        yarn->attention_factor = 1;
        add({.mistake = mistake, .parts = made.parts, .is_family = true, .plan = other});
      }
  }

  /// A usual rule with the expected one's other numbers.
  [[nodiscard]] Scaling own_numbers(const Scaling& usual) const {
    if (const auto* own = std::get_if<scaling::Yarn>(&plan_.scaling);
        own && std::holds_alternative<scaling::Yarn>(usual)) {
      scaling::Yarn made = *own;
      made.factor = factor_of(usual), made.original_length = original_length_of(usual);
      made.truncate = std::get<scaling::Yarn>(usual).truncate;
      return made;
    }
    if (const auto* own = std::get_if<scaling::Llama3>(&plan_.scaling);
        own && std::holds_alternative<scaling::Llama3>(usual)) {
      scaling::Llama3 made = *own;
      made.factor = factor_of(usual), made.original_length = original_length_of(usual);
      return made;
    }
    return usual;
  }

  const RotaryOptions& plan_;
  const RotationContext& context_;
  std::vector<Change> changes_;
};

}  // namespace

double factor_of(const Scaling& scaling) {
  return std::visit(
      [](const auto& rule) {
        if constexpr (requires { rule.factor; })
          return rule.factor;
        else
          return 1.0;
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

std::vector<RotaryOptions> usual_plans(const RotaryOptions& unscaled) {
  std::vector<RotaryOptions> made{unscaled};
  const auto add = [&](Scaling scaling) {
    RotaryOptions plan = unscaled;
    plan.scaling = std::move(scaling);
    made.push_back(std::move(plan));
  };
  for (const double factor : usual_factors) {
    add(scaling::Linear{factor});
    add(scaling::Ntk{factor});
    // A dynamic rule at one length has the same frequencies.
    add(scaling::Dynamic{.factor = 2, .original_length = 2048});
    made.back().length = static_cast<std::int64_t>(1024 * (factor + 1));
    for (const double length : std::span(usual_lengths).first(commonest_lengths)) {
      add(scaling::Yarn{.factor = factor, .original_length = length});
      add(scaling::Yarn{.factor = factor, .original_length = length, .truncate = false});
      add(scaling::Llama3{.factor = factor, .original_length = length});
    }
  }
  return made;
}

std::vector<Change> changes_of(const RotaryOptions& plan, const RotationContext& context) {
  return ChangeList(plan, context).list();
}

}  // namespace posenc::diagnosis
