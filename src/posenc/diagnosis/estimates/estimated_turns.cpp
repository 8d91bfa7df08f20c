#include "posenc/diagnosis/estimates/estimated_turns.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "posenc/diagnosis/estimates/pair_frequencies.hpp"
#include "posenc/diagnosis/laws/evidence.hpp"
#include "posenc/diagnosis/laws/mistake_changes.hpp"
#include "posenc/diagnosis/laws/name_differences.hpp"

namespace posenc::diagnosis {
namespace {

/// What angles may be off by, in proportion: those of float32, of ggml's products too, and of 16 bits.
constexpr double fine_angles = 0x1p-20, coarse_angles = 0x1p-6;

/// What frequencies may be off by: a running product's, one rounding a pair, by this after 64 pairs; three roundings of
/// 16 bits.
constexpr double rounded_frequencies = 0x1p-18, coarse_frequencies = 0x1p-7;

/// Arithmetics are tried for so many of a reading's plans, the shortest ones.
constexpr std::size_t plans_with_arithmetic = 3;

/// Frequencies that may have been rounded, as those of float32 angles are, and of running products.
FrequencySample rounded_sample(FrequencySample sample, double relative_error) {
  for (std::size_t i = 0; i < sample.errors.size(); ++i)
    sample.errors[i] += relative_error * std::fabs(sample.radians[i]) / explained_units;
  return sample;
}

class Offerer {
 public:
  Offerer(const TurnScores& scores, const TurnContext& context, const LawList& list, TurnRanking& ranking)
      : scores_(&scores), context_(&context), list_(&list), ranking_(&ranking) {
    hints_.head_dim = context.head_dim;
    if (context.expected) hints_.plans.push_back(plain_plan(*context.expected));
    for (const RotaryOptions& other : context.others) hints_.plans.push_back(plain_plan(other));
    double weights = 0;
    for (const double unit : scores.turns().units) weights += 1 / (unit * unit);
    factor_error_ = 1 / std::sqrt(weights);
  }

  void offer_all();

 private:
  bool offer_readings(double relative_error, std::optional<double> first);
  void offer(const TurnFrequencies& frequencies, bool exchanged, bool is_coarse, double first_cost);
  void offer_known(const TurnFrequencies& frequencies, TurnLaw law, double cost);
  void offer_with_factors(TurnLaw law, const std::vector<Mistake>& of_plan, bool names_plan, double cost);
  void offer_law(TurnLaw law, const std::vector<Mistake>& of_plan, bool names_plan, double cost, bool all_arithmetics);

  const TurnScores* scores_;
  const TurnContext* context_;
  const LawList* list_;
  TurnRanking* ranking_;
  FrequencyHints hints_;
  double factor_error_ = 0;
  PredictedTurns predicted_;
};

/// A law whose angles are predicted, with the factors it may have: its own, its square, or what the turns say.
void Offerer::offer_with_factors(TurnLaw law, const std::vector<Mistake>& of_plan, bool names_plan, double cost) {
  const auto own = attention_factor(plan_of(law.plan));
  if (!own) return;
  const double fitted = scores_->best_factor(predicted_, law), reach = explained_units * factor_error_;
  law.factor = *own;
  if (std::fabs(fitted - *own) > reach) {
    cost += mistake_bits;
    if (std::fabs(fitted - *own * *own) <= reach) {
      law.factor = *own * *own;
    } else {
      law.factor = shortest_near(fitted, snapped_errors * factor_error_);
      cost += bits_of_number(law.factor);
    }
  }
  std::vector<Mistake> mistakes;
  if (context_->expected) {
    mistakes = of_plan;
    name_differences(law, *context_, names_plan, mistakes);
    cost += mistake_bits * static_cast<double>(of_plan.size());
  }
  ranking_->offer(law, mistakes, cost, predicted_, true);
}

void Offerer::offer_law(TurnLaw law, const std::vector<Mistake>& of_plan, bool names_plan, double cost,
                        bool all_arithmetics) {
  using enum AngleArithmetic;
  for (const AngleArithmetic arithmetic : {exact, float32, product, bfloat16, float16}) {
    if (arithmetic != exact && !all_arithmetics) return;
    law.arithmetic = arithmetic;
    if (!scores_->predict(law, predicted_)) continue;
    offer_with_factors(law, of_plan, names_plan, cost + (arithmetic == exact ? 0 : mistake_bits));
  }
}

/// Laws of single mistakes whose frequencies are these, or all a number times these.
void Offerer::offer_known(const TurnFrequencies& frequencies, TurnLaw law, double cost) {
  for (std::size_t k = 0; k < list_->laws.size(); ++k) {
    const TurnLaw& known = list_->laws[k].law;
    if (known.first_position != 0 || known.position_scale != 1 || known.arithmetic != AngleArithmetic::exact) continue;
    if (known.negative != list_->laws[0].law.negative || known.exchanged) continue;
    const ScaledMatch match = scaled_match(frequencies.sample, list_->numbers[k].rates);
    if (!match.matches) continue;
    law.plan = known.plan, law.reciprocal = known.reciprocal;
    law.position_scale = match.scale;
    const double scale_cost = match.scale == 1 ? 0 : mistake_bits + bits_of_number(match.scale);
    if (match.scale != 1) law.first_position = match.scale * frequencies.first_position;
    offer_law(law, list_->laws[k].mistakes, false, cost + scale_cost, true);
  }
}

void Offerer::offer(const TurnFrequencies& frequencies, bool exchanged, bool is_coarse, double first_cost) {
  TurnLaw law;
  law.exchanged = exchanged;
  // An exchanged turn is read as that of the same angle.
  law.negative = frequencies.negative;
  law.first_position = frequencies.first_position;
  const bool turned = law.negative != (context_->expected && context_->expected_inverse);
  const double cost = first_cost + (turned ? mistake_bits : 0) + (exchanged ? mistake_bits : 0);
  offer_known(frequencies, law, cost);
  const double rounding = is_coarse ? coarse_frequencies : rounded_frequencies;
  for (const FrequencySample& sample : {frequencies.sample, rounded_sample(frequencies.sample, rounding)}) {
    const std::vector<FrequencyReading> readings = read_frequencies(sample, hints_);
    for (std::size_t k = 0; k < readings.size(); ++k) {
      law.plan = readings[k].plan;
      const bool is_given = std::holds_alternative<scaling::Given>(law.plan.scaling);
      offer_law(law, {}, true, cost + readings[k].cost, k < plans_with_arithmetic && !is_given);
    }
  }
}

bool Offerer::offer_readings(double relative_error, std::optional<double> first) {
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

void Offerer::offer_all() {
  for (const double relative_error : {fine_angles, coarse_angles}) {
    // Where the first position is known, so is the phase there: it is estimated last.
    for (const double first : {0.0, 1.0, -1.0}) offer_readings(relative_error, first);
    if (ranking_->units() <= explained_units) return;
    offer_readings(relative_error, std::nullopt);
    if (ranking_->units() <= explained_units) return;
  }
}

}  // namespace

void offer_estimated(const TurnScores& scores, const TurnContext& context, const LawList& list, TurnRanking& ranking) {
  Offerer(scores, context, list, ranking).offer_all();
}

}  // namespace posenc::diagnosis
