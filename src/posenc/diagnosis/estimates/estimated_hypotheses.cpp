#include "posenc/diagnosis/estimates/estimated_hypotheses.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "posenc/diagnosis/estimates/pair_frequencies.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/mistake_changes.hpp"
#include "posenc/diagnosis/hypotheses/name_differences.hpp"

namespace posenc::diagnosis {
namespace {

/// Angles may be off by this part of themselves: those of float32, and of ggml's products too, and those of 16 bits.
constexpr double fine_angles = 0x1p-20, coarse_angles = 0x1p-6;

/// Frequencies may be off by this part of themselves: a running product's, with one rounding a pair, after 64 pairs;
/// those with three roundings of 16 bits.
constexpr double rounded_frequencies = 0x1p-18, coarse_frequencies = 0x1p-7;

/// A factor that moves values by no more than this part of a rounding may be the rounding's: values that are alike are
/// rounded alike.
constexpr double hidden_rounding = 0.5;

/// Arithmetics are tried for so many of a fit's plans, the shortest ones.
constexpr std::size_t plans_with_arithmetic = 3;

/// Frequencies that may have been rounded, as those of float32 angles are, and of running products.
FrequencySample rounded_sample(FrequencySample sample, double relative_error) {
  for (std::size_t i = 0; i < sample.errors.size(); ++i)
    sample.errors[i] += relative_error * std::fabs(sample.radians[i]) / explained_units;
  return sample;
}

class Offerer {
 public:
  Offerer(const RotationCosts& scores, const RotationContext& context, const HypothesisList& list,
          HypothesisRanking& ranking)
      : scores_(&scores), context_(&context), list_(&list), ranking_(&ranking) {
    hints_.head_dim = context.head_dim;
    if (context.expected) {
      hints_.plans.push_back(plain_plan(*context.expected));
      if (const auto meant = attention_factor(plan_of(hints_.plans[0]))) expected_factor_ = *meant;
    }
    for (const RotaryOptions& other : context.others) hints_.plans.push_back(plain_plan(other));
    double weights = 0;
    for (const double unit : scores.rotations().units) weights += 1 / (unit * unit);
    factor_error_ = 1 / std::sqrt(weights);
    hidden_factor_ = hidden_rounding * factor_error_ * std::sqrt(static_cast<double>(scores.rotations().units.size()));
    for (const double position : scores.positions()) middle_ += position;
    middle_ /= static_cast<double>(scores.positions().size());
  }

  void offer_all() {
    for (const double relative_error : {0.0, fine_angles, coarse_angles}) {
      // Where the first position is known, so is the phase there: it is estimated last.
      for (const double first : {0.0, 1.0, -1.0}) offer_fits(relative_error, first);
      if (ranking_->units() <= explained_units) return;
      offer_fits(relative_error, std::nullopt);
      if (ranking_->units() <= explained_units) return;
    }
  }

 private:
  bool offer_fits(double relative_error, std::optional<double> first) {
    bool found = false;
    for (const bool exchanged : {false, true}) {
      auto frequencies = estimate_frequencies(*scores_, {exchanged, first, relative_error});
      if (!frequencies) continue;
      found = true;
      double cost = frequencies->first_position == 0 ? 0 : mistake_bits;
      if (!first) {
        const double reach = snapped_errors * frequencies->first_error;
        const double whole = std::nearbyint(frequencies->first_position);
        const bool is_whole = std::fabs(whole - frequencies->first_position) <= reach;
        frequencies->first_position = is_whole ? whole : shortest_near(frequencies->first_position, reach);
        cost = mistake_bits + (is_whole ? usual_number_bits : any_number_bits);
      }
      offer(*frequencies, exchanged, relative_error == coarse_angles, cost);
    }
    return found;
  }

  void offer(const EstimatedFrequencies& frequencies, bool exchanged, bool is_coarse, double first_cost) {
    RotationHypothesis hypothesis;
    hypothesis.exchanged = exchanged;
    // An exchanged rotation is read as that of the same angle.
    hypothesis.negative = frequencies.negative;
    hypothesis.first_position = frequencies.first_position;
    const bool reversed = hypothesis.negative != (context_->expected && context_->expected_inverse);
    const double cost = first_cost + (reversed ? mistake_bits : 0) + (exchanged ? mistake_bits : 0);
    offer_known(frequencies, hypothesis, cost);
    const double rounding = is_coarse ? coarse_frequencies : rounded_frequencies;
    for (const FrequencySample& sample : {frequencies.sample, rounded_sample(frequencies.sample, rounding)}) {
      const std::vector<FrequencyFit> fits = fit_frequencies(sample, hints_);
      for (std::size_t k = 0; k < fits.size(); ++k) {
        hypothesis.plan = fits[k].plan;
        const bool is_given = std::holds_alternative<scaling::Given>(hypothesis.plan.scaling);
        offer_hypothesis(hypothesis, {}, true, cost + fits[k].cost, k < plans_with_arithmetic && !is_given);
      }
    }
  }

  /// Hypotheses of single mistakes whose frequencies are these, or all a number times these. Where what was expected is
  /// so, other numbers times others say nothing else.
  void offer_known(const EstimatedFrequencies& frequencies, RotationHypothesis hypothesis, double cost) {
    bool is_multiple = false;
    for (std::size_t k = 0; k < list_->hypotheses.size(); ++k) {
      const RotationHypothesis& known = list_->hypotheses[k].hypothesis;
      const bool is_plain = known.first_position == context_->expected_first &&
                            known.position_scale == context_->expected_scale &&
                            known.arithmetic == meant_arithmetic(*context_);
      if (!is_plain) continue;
      if (known.negative != list_->hypotheses[0].hypothesis.negative || known.exchanged) continue;
      ScaledMatch match = scaled_match(frequencies.sample, list_->numbers[k].rates);
      if (!match.matches || (is_multiple && match.scale != 1)) continue;
      is_multiple |= list_->hypotheses[k].mistakes.empty();
      match.scale *= context_->expected_scale;
      hypothesis.plan = known.plan, hypothesis.reciprocal = known.reciprocal;
      hypothesis.position_scale = match.scale;
      if (match.scale != 1) hypothesis.first_position = match.scale * frequencies.first_position;
      const std::vector<Mistake>& mistakes = list_->hypotheses[k].mistakes;
      double scale_cost = 0;
      if (match.scale != context_->expected_scale) {
        const RotationHypothesis shifted = shifted_in_place_of(hypothesis, match.error);
        scale_cost = mistake_bits + std::min(bits_of_number(match.scale), bits_of_number(shifted.first_position));
        offer_hypothesis(shifted, mistakes, false, cost + scale_cost, true);
      }
      offer_hypothesis(hypothesis, mistakes, false, cost + scale_cost, true);
    }
  }

  /// Far from 0 a small stretch of positions is nearly a shift: the one that moves their middle as far. What the number
  /// of either costs to state is no evidence against it.
  [[nodiscard]] RotationHypothesis shifted_in_place_of(RotationHypothesis stretched, double scale_error) const {
    const double stretch = stretched.position_scale - context_->expected_scale;
    const double reach = snapped_errors * scale_error * std::fabs(middle_);
    stretched.first_position = shortest_near(stretched.first_position + stretch * middle_, reach);
    stretched.position_scale = context_->expected_scale;
    return stretched;
  }

  /// A hypothesis whose angles are predicted, with the factors it may have: its own, the expected one, its square, or
  /// the one that fits best.
  void offer_with_factors(RotationHypothesis hypothesis, const std::vector<Mistake>& of_plan, bool names_plan,
                          double cost) {
    const auto own = attention_factor(plan_of(hypothesis.plan));
    if (!own) return;
    const double fitted = scores_->best_factor(predicted_, hypothesis), reach = explained_units * factor_error_;
    const double nearest = shortest_near(fitted, snapped_errors * factor_error_);
    hypothesis.factor = *own;
    if (std::fabs(fitted - *own) <= reach) {
      offer_factor(hypothesis, of_plan, names_plan, cost);
      // A factor so near may be chance: it has to explain the values far better.
      if (std::fabs(fitted - *own) <= std::max(snapped_errors * factor_error_, hidden_factor_)) return;
      hypothesis.factor = nearest, cost += mistake_bits + any_number_bits;
    } else if (std::fabs(fitted - expected_factor_) <= reach) {
      hypothesis.factor = expected_factor_, cost += mistake_bits;
    } else if (std::fabs(fitted - *own * *own) <= reach) {
      hypothesis.factor = *own * *own, cost += mistake_bits;
    } else {
      hypothesis.factor = nearest, cost += mistake_bits + bits_of_number(nearest);
    }
    offer_factor(hypothesis, of_plan, names_plan, cost);
  }

  void offer_factor(const RotationHypothesis& hypothesis, const std::vector<Mistake>& of_plan, bool names_plan,
                    double cost) {
    std::vector<Mistake> mistakes;
    if (context_->expected) {
      mistakes = of_plan;
      name_differences(hypothesis, *context_, names_plan, mistakes);
      cost += mistake_bits * static_cast<double>(of_plan.size());
    }
    ranking_->offer({.hypothesis = hypothesis, .mistakes = std::move(mistakes), .cost = cost, .is_estimated = true},
                    predicted_);
  }

  void offer_hypothesis(RotationHypothesis hypothesis, const std::vector<Mistake>& of_plan, bool names_plan,
                        double cost, bool all_arithmetics) {
    using enum AngleArithmetic;
    for (const AngleArithmetic arithmetic : {exact, float32, product, bfloat16, float16}) {
      if (arithmetic != exact && !all_arithmetics) return;
      hypothesis.arithmetic = arithmetic;
      if (!scores_->predict(hypothesis, predicted_)) continue;
      offer_with_factors(hypothesis, of_plan, names_plan, cost + (arithmetic == exact ? 0 : mistake_bits));
    }
  }

  const RotationCosts* scores_;
  const RotationContext* context_;
  const HypothesisList* list_;
  HypothesisRanking* ranking_;
  FrequencyHints hints_;
  double factor_error_ = 0, hidden_factor_ = 0, expected_factor_ = 1, middle_ = 0;
  PredictedRotations predicted_;
};

}  // namespace

void offer_estimated(const RotationCosts& scores, const RotationContext& context, const HypothesisList& list,
                     HypothesisRanking& ranking) {
  Offerer(scores, context, list, ranking).offer_all();
}

}  // namespace posenc::diagnosis
