#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/mistake_changes.hpp"

namespace posenc::diagnosis {
namespace {

/// A plan as some changes make it.
struct ChangedPlan {
  RotaryOptions plan;
  HypothesisAngles angles;
  double standard_factor = 1;
};

std::optional<ChangedPlan> changed_plan(const RotaryOptions& expected, std::initializer_list<const Change*> changes) {
  ChangedPlan made{.plan = expected, .angles = {}};
  bool reciprocal = false;
  for (const Change* const change : changes) {
    if (change == nullptr) continue;
    if (change->plan) made.plan = *change->plan;
    if (change->denominator) made.plan.exponent_dim = change->denominator;
    if (change->base) made.plan.base = *change->base;
    if (change->scaling) made.plan.scaling = *change->scaling;
    if (change->length) made.plan.length = change->length;
    reciprocal |= change->reciprocal;
  }
  auto angles = HypothesisAngles::make({.plan = made.plan, .reciprocal = reciprocal});
  if (!angles) return {};
  made.angles = *std::move(angles);
  made.standard_factor = made.angles.own_factor();
  RotaryOptions standard = made.plan;
  standard.scaling = with_standard_factor(made.plan.scaling);
  if (const auto factor = attention_factor(plan_of(standard))) made.standard_factor = *factor;
  return made;
}

class HypothesisLister {
 public:
  explicit HypothesisLister(const RotationContext& context)
      : inverse_(context.expected_inverse),
        arithmetic_(meant_arithmetic(context)),
        first_(context.expected_first),
        scale_(context.expected_scale),
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access): list_hypotheses looks whether it is there
        expected_(plain_plan(*context.expected)),
        changes_(changes_of(expected_, context)) {}

  HypothesisList list(bool pairs) {
    add(nullptr, nullptr);
    for (const Change& a : changes_) add(&a, nullptr);
    for (std::size_t i = 0; pairs && i < changes_.size(); ++i)
      for (std::size_t k = i + 1; k < changes_.size(); ++k)
        if ((changes_[i].aspects & changes_[k].aspects) == 0) add(&changes_[i], &changes_[k]);
    // Each has the index that `plans` has counted.
    list_.angles.resize(used_.size());
    for (const auto& [changes, at] : used_)
      if (auto& plan = plans_.at(changes)) list_.angles[at] = std::move(plan->angles);
    return std::move(list_);
  }

 private:
  [[nodiscard]] static const Change* of_plan(const Change* change) {
    return change != nullptr && (change->aspects & plan_aspects) != 0 ? change : nullptr;
  }

  const std::optional<ChangedPlan>& plan_for(const Change* a, const Change* b) {
    const auto [place, is_new] = plans_.try_emplace({of_plan(a), of_plan(b)});
    if (is_new) place->second = changed_plan(expected_, {of_plan(a), of_plan(b)});
    return place->second;
  }

  void add(const Change* a, const Change* b);

  bool inverse_;
  AngleArithmetic arithmetic_;
  double first_, scale_;
  RotaryOptions expected_;
  std::vector<Change> changes_;
  std::map<std::pair<const Change*, const Change*>, std::optional<ChangedPlan>> plans_;
  std::map<std::pair<const Change*, const Change*>, std::size_t> used_;  ///< plans of listed hypotheses, counted
  std::map<std::tuple<const void*, double, double>, std::size_t> groups_;
  /// Hypotheses by a coarse sum of their numbers: equal ones have neighbouring sums.
  std::multimap<double, std::size_t> by_sum_;
  HypothesisList list_;
};

double sum_of(const HypothesisNumbers& numbers) {
  double sum = numbers.factor + (numbers.exchanged ? 3 : 0) + 7 * static_cast<double>(numbers.arithmetic);
  for (const double rate : numbers.rates) sum += rate * (1 + 0.37 * numbers.first_position);
  return sum;
}

void HypothesisLister::add(const Change* a, const Change* b) {
  const auto& changed = plan_for(a, b);
  if (!changed) return;
  MistakenHypothesis made;
  RotationHypothesis& hypothesis = made.hypothesis;
  hypothesis.plan = changed->plan;
  hypothesis.negative = inverse_;
  hypothesis.arithmetic = arithmetic_;
  hypothesis.first_position = first_;
  hypothesis.position_scale = scale_;
  FactorUse use = FactorUse::own;
  for (const Change* const change : {a, b}) {
    if (change == nullptr) continue;
    made.mistakes.push_back(change->mistake);
    hypothesis.reciprocal |= change->reciprocal;
    hypothesis.negative ^= change->reversed;
    hypothesis.exchanged |= change->exchanged;
    hypothesis.first_position += change->first_position;
    hypothesis.position_scale *= change->position_scale;
    if (change->arithmetic) hypothesis.arithmetic = *change->arithmetic;
    if (change->factor != FactorUse::own) use = change->factor;
  }
  const double own = changed->angles.own_factor();
  hypothesis.factor = use == FactorUse::missing    ? 1
                      : use == FactorUse::twice    ? own * own
                      : use == FactorUse::standard ? changed->standard_factor
                                                   : own;
  HypothesisNumbers numbers = numbers_of(hypothesis, changed->angles.radians());
  const double sum = sum_of(numbers);
  const double reach = 0x1p-34 * (1 + std::fabs(sum));
  for (auto i = by_sum_.lower_bound(sum - reach); i != by_sum_.end() && i->first <= sum + reach; ++i)
    if (same_numbers(list_.numbers[i->second], numbers)) return;
  by_sum_.emplace(sum, list_.hypotheses.size());
  const auto group =
      groups_.try_emplace({&*changed, hypothesis.first_position, hypothesis.position_scale}, groups_.size());
  list_.groups.push_back(group.first->second);
  list_.plans.push_back(used_.try_emplace({of_plan(a), of_plan(b)}, used_.size()).first->second);
  list_.hypotheses.push_back(std::move(made));
  list_.numbers.push_back(std::move(numbers));
}

}  // namespace

bool is_same(double a, double b) {
  constexpr double relative = 0x1p-40;
  return std::fabs(a - b) <= relative * std::max(std::fabs(a), std::fabs(b));
}

HypothesisNumbers numbers_of(const RotationHypothesis& hypothesis, std::span<const double> radians) {
  HypothesisNumbers numbers{.rates = {radians.begin(), radians.end()},
                            .first_position = hypothesis.first_position / hypothesis.position_scale,
                            .factor = hypothesis.factor,
                            .exchanged = hypothesis.exchanged,
                            .arithmetic = hypothesis.arithmetic};
  for (double& rate : numbers.rates)
    rate *= hypothesis.negative ? -hypothesis.position_scale : hypothesis.position_scale;
  return numbers;
}

bool same_numbers(const HypothesisNumbers& a, const HypothesisNumbers& b) {
  if (a.exchanged != b.exchanged || a.arithmetic != b.arithmetic || !is_same(a.factor, b.factor)) return false;
  if (a.rates.size() != b.rates.size()) return false;
  for (std::size_t i = a.rates.size(); i-- > 0;)  // hypotheses differ most in the last ones
    if (!is_same(a.rates[i], b.rates[i])) return false;
  return is_same(a.first_position, b.first_position);
}

std::vector<MistakenHypothesis> mistaken_hypotheses(const RotationContext& context, bool pairs) {
  return list_hypotheses(context, pairs).hypotheses;
}

HypothesisList list_hypotheses(const RotationContext& context, bool pairs) {
  if (!context.expected) return {};
  return HypothesisLister(context).list(pairs);
}

HypothesisList& HypothesisLists::list(const RotationContext& context, bool pairs) {
  const auto dims = context.expected ? context.expected->dim : 0;
  const auto denominator = context.expected ? context.expected->exponent_dim : std::nullopt;
  const auto [place, is_new] = known_.try_emplace({dims, denominator, pairs});
  if (is_new) place->second = list_hypotheses(context, pairs);
  return place->second;
}

}  // namespace posenc::diagnosis
