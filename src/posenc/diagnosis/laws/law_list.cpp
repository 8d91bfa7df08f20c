#include "posenc/diagnosis/laws/law_list.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "posenc/diagnosis/laws/mistake_changes.hpp"
#include "posenc/diagnosis/laws/turn_angles.hpp"

namespace posenc::diagnosis {
namespace {

/// A plan as some changes make it.
struct ChangedPlan {
  RotaryOptions plan;
  TurnAngles angles;
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
  auto angles = TurnAngles::make({.plan = made.plan, .reciprocal = reciprocal});
  if (!angles) return {};
  made.angles = *std::move(angles);
  made.standard_factor = made.angles.own_factor();
  RotaryOptions standard = made.plan;
  standard.scaling = with_standard_factor(made.plan.scaling);
  if (const auto factor = attention_factor(plan_of(standard))) made.standard_factor = *factor;
  return made;
}

class LawLister {
 public:
  explicit LawLister(const TurnContext& context)
      : inverse_(context.expected_inverse),
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access): list_laws looks whether it is there
        expected_(plain_plan(*context.expected)),
        changes_(changes_of(expected_, context)) {}

  LawList list(bool pairs) {
    add(nullptr, nullptr);
    for (const Change& a : changes_) add(&a, nullptr);
    for (std::size_t i = 0; pairs && i < changes_.size(); ++i)
      for (std::size_t k = i + 1; k < changes_.size(); ++k)
        if ((changes_[i].aspects & changes_[k].aspects) == 0) add(&changes_[i], &changes_[k]);
    // Each stands where `plans` has counted it.
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
  RotaryOptions expected_;
  std::vector<Change> changes_;
  std::map<std::pair<const Change*, const Change*>, std::optional<ChangedPlan>> plans_;
  std::map<std::pair<const Change*, const Change*>, std::size_t> used_;  ///< plans of listed laws, counted
  std::map<std::tuple<const void*, double, double>, std::size_t> groups_;
  /// Laws by a coarse sum of their numbers: equal ones have neighbouring sums.
  std::multimap<double, std::size_t> by_sum_;
  LawList list_;
};

double sum_of(const LawNumbers& numbers) {
  double sum = numbers.factor + (numbers.exchanged ? 3 : 0) + 7 * static_cast<double>(numbers.arithmetic);
  for (const double rate : numbers.rates) sum += rate * (1 + 0.37 * numbers.first_position);
  return sum;
}

void LawLister::add(const Change* a, const Change* b) {
  const auto& changed = plan_for(a, b);
  if (!changed) return;
  MistakenLaw made;
  TurnLaw& law = made.law;
  law.plan = changed->plan;
  law.negative = inverse_;
  FactorUse use = FactorUse::own;
  for (const Change* const change : {a, b}) {
    if (change == nullptr) continue;
    made.mistakes.push_back(change->mistake);
    law.reciprocal |= change->reciprocal;
    law.negative ^= change->turned;
    law.exchanged |= change->exchanged;
    law.first_position += change->first_position;
    law.position_scale *= change->position_scale;
    if (change->arithmetic != AngleArithmetic::exact) law.arithmetic = change->arithmetic;
    if (change->factor != FactorUse::own) use = change->factor;
  }
  const double own = changed->angles.own_factor();
  law.factor = use == FactorUse::missing    ? 1
               : use == FactorUse::twice    ? own * own
               : use == FactorUse::standard ? changed->standard_factor
                                            : own;
  LawNumbers numbers = numbers_of(law, changed->angles.radians());
  const double sum = sum_of(numbers);
  const double reach = 0x1p-34 * (1 + std::fabs(sum));
  for (auto i = by_sum_.lower_bound(sum - reach); i != by_sum_.end() && i->first <= sum + reach; ++i)
    if (same_numbers(list_.numbers[i->second], numbers)) return;
  by_sum_.emplace(sum, list_.laws.size());
  const auto group = groups_.try_emplace({&*changed, law.first_position, law.position_scale}, groups_.size());
  list_.groups.push_back(group.first->second);
  list_.plans.push_back(used_.try_emplace({of_plan(a), of_plan(b)}, used_.size()).first->second);
  list_.laws.push_back(std::move(made));
  list_.numbers.push_back(std::move(numbers));
}

}  // namespace

bool is_same(double a, double b) {
  constexpr double relative = 0x1p-40;
  return std::fabs(a - b) <= relative * std::max(std::fabs(a), std::fabs(b));
}

LawNumbers numbers_of(const TurnLaw& law, std::span<const double> radians) {
  LawNumbers numbers{.rates = {radians.begin(), radians.end()},
                     .first_position = law.first_position / law.position_scale,
                     .factor = law.factor,
                     .exchanged = law.exchanged,
                     .arithmetic = law.arithmetic};
  for (double& rate : numbers.rates) rate *= law.negative ? -law.position_scale : law.position_scale;
  return numbers;
}

bool same_numbers(const LawNumbers& a, const LawNumbers& b) {
  if (a.exchanged != b.exchanged || a.arithmetic != b.arithmetic || !is_same(a.factor, b.factor)) return false;
  if (a.rates.size() != b.rates.size()) return false;
  for (std::size_t i = a.rates.size(); i-- > 0;)  // laws differ most in the last ones
    if (!is_same(a.rates[i], b.rates[i])) return false;
  return is_same(a.first_position, b.first_position);
}

LawList list_laws(const TurnContext& context, bool pairs) {
  if (!context.expected) return {};
  return LawLister(context).list(pairs);
}

LawList& LawLists::list(const TurnContext& context, bool pairs) {
  const auto dims = context.expected ? context.expected->dim : 0;
  const auto denominator = context.expected ? context.expected->exponent_dim : std::nullopt;
  const auto [place, is_new] = known_.try_emplace({dims, denominator, pairs});
  if (is_new) place->second = list_laws(context, pairs);
  return place->second;
}

}  // namespace posenc::diagnosis
