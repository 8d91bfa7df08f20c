#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "posenc/diagnosis/hypotheses/usual_numbers.hpp"
#include "posenc/rotary/certificate/rounding_error.hpp"

namespace posenc::diagnosis {

/// A plan as some changes make it.
struct ChangedPlan {
  RotaryOptions plan;
  std::vector<double> radians;
  double own_factor = 1;

  /// The factor that the rule has where none is given.
  [[nodiscard]] double standard_factor() const {
    RotaryOptions standard = plan;
    standard.scaling = with_standard_factor(plan.scaling);
    return attention_factor(plan_of(standard)).value_or(own_factor);
  }
};

/// Keeps what differs from all that was kept before.
class Distinct {
 public:
  bool add(ListedHypothesis made) {
    const double sum = sum_of(made.numbers), reach = 0x1p-34 * (1 + std::fabs(sum));
    for (auto i = by_sum_.lower_bound(sum - reach); i != by_sum_.end() && i->first <= sum + reach; ++i)
      if (same_numbers(list_[i->second].numbers, made.numbers)) return false;
    by_sum_.emplace(sum, list_.size());
    list_.push_back(std::move(made));
    return true;
  }
  [[nodiscard]] std::span<const ListedHypothesis> list() const { return list_; }

 private:
  /// Equal ones have neighbouring sums.
  [[nodiscard]] static double sum_of(const HypothesisNumbers& numbers) {
    double sum = numbers.factor + (numbers.exchanged ? 3 : 0) + 7 * static_cast<double>(numbers.arithmetic) +
                 11 * numbers.sine_rows + 13 * static_cast<double>(numbers.cosines);
    for (const double rate : numbers.rates) sum += rate * (1 + 0.37 * numbers.first_position);
    return sum;
  }

  std::multimap<double, std::size_t> by_sum_;
  std::vector<ListedHypothesis> list_;
};

class HypothesisLister {
 public:
  explicit HypothesisLister(const RotationContext& context)
      : context_(context),
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access): HypothesisLists looks whether it is there
        expected_(plain_plan(*context.expected)),
        changes_(changes_of(expected_, context)) {}

  [[nodiscard]] bool is_of(const RotaryOptions& plan) const {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): HypothesisLists looks whether it is there
    return context_.expected->dim == plan.dim && context_.expected->exponent_dim == plan.exponent_dim;
  }

  std::span<const ListedHypothesis> list(std::size_t most_mistakes) {
    for (; sizes_.size() <= most_mistakes; sizes_.push_back(listed_.list().size())) add_all(sizes_.size());
    return listed_.list().first(sizes_[most_mistakes]);
  }

 private:
  using Changes = std::pair<const Change*, const Change*>;

  /// Adds those of so many mistakes.
  void add_all(std::size_t mistakes) {
    if (mistakes == 0) add(nullptr, nullptr);
    if (mistakes == 1)
      for (const Change& a : changes_) add(&a, nullptr);
    if (mistakes != 2) return;
    for (std::size_t i = 0; i < changes_.size() && !changes_[i].is_family; ++i)
      for (std::size_t k = i + 1; k < changes_.size() && !changes_[k].is_family; ++k)
        if ((changes_[i].parts & changes_[k].parts) == 0) add(&changes_[i], &changes_[k]);
  }

  [[nodiscard]] static const Change* of_plan(const Change* change) {
    return change != nullptr && (change->parts & plan_parts) != 0 ? change : nullptr;
  }

  const std::optional<ChangedPlan>& plan_for(const Changes& both) {
    const Changes own{of_plan(both.first), of_plan(both.second)};
    const auto [place, is_new] = plans_.try_emplace(own);
    if (is_new) place->second = changed_plan(own);
    return place->second;
  }

  [[nodiscard]] std::optional<ChangedPlan> changed_plan(const Changes& both) const {
    ChangedPlan made{.plan = expected_, .radians = {}};
    RotationHypothesis of;
    for (const Change* const change : {both.first, both.second}) {
      if (change == nullptr) continue;
      if (change->plan) made.plan = *change->plan;
      if (change->denominator) made.plan.exponent_dim = change->denominator;
      if (change->base) made.plan.base = *change->base;
      if (change->scaling) made.plan.scaling = *change->scaling;
      if (change->length) made.plan.length = change->length;
      of.reciprocal |= change->reciprocal;
      if (change->frequencies != DType::float32) of.frequencies = change->frequencies;
    }
    of.plan = made.plan;
    const auto angles = HypothesisAngles::make(of);
    if (!angles) return {};
    made.radians.assign(angles->radians().begin(), angles->radians().end());
    made.own_factor = angles->own_factor();
    return made;
  }

  void add(const Change* a, const Change* b) {
    const auto& changed = plan_for({a, b});
    if (!changed) return;
    ListedHypothesis made;
    RotationHypothesis& hypothesis = made.hypothesis;
    hypothesis.plan = changed->plan;
    hypothesis.negative = context_.expected_inverse;
    hypothesis.arithmetic = context_.expected_arithmetic.value_or(AngleArithmetic::exact);
    hypothesis.first_position = context_.expected_first;
    hypothesis.position_scale = context_.expected_scale;
    FactorUse use = FactorUse::own;
    for (const Change* const change : {a, b}) {
      if (change == nullptr) continue;
      made.mistakes.push_back(change->mistake);
      made.is_family = change->is_family;
      hypothesis.reciprocal |= change->reciprocal;
      hypothesis.negative ^= change->reversed;
      hypothesis.exchanged |= change->exchanged;
      hypothesis.first_position += change->first_position;
      hypothesis.position_scale *= change->position_scale;
      hypothesis.sine_rows += change->sine_rows;
      if (change->frequencies != DType::float32) hypothesis.frequencies = change->frequencies;
      if (change->cosines != DType::float32) hypothesis.cosines = change->cosines;
      if (change->arithmetic) hypothesis.arithmetic = *change->arithmetic;
      if (change->factor != FactorUse::own) use = change->factor;
    }
    const double own = changed->own_factor;
    hypothesis.factor = use == FactorUse::missing    ? 1
                        : use == FactorUse::twice    ? own * own
                        : use == FactorUse::standard ? changed->standard_factor()
                                                     : own;
    made.numbers = numbers_of(hypothesis, changed->radians);
    listed_.add(std::move(made));
  }

  RotationContext context_;
  RotaryOptions expected_;
  std::vector<Change> changes_;
  std::map<Changes, std::optional<ChangedPlan>> plans_;
  Distinct listed_;
  std::vector<std::size_t> sizes_;  ///< how many have at most 0, 1, 2 mistakes
};

bool is_same(double a, double b) {
  constexpr double relative = 0x1p-40;
  return std::fabs(a - b) <= relative * std::max(std::fabs(a), std::fabs(b));
}

HypothesisNumbers numbers_of(const RotationHypothesis& hypothesis, std::span<const double> radians) {
  HypothesisNumbers numbers{.rates = {radians.begin(), radians.end()},
                            .first_position = hypothesis.first_position / hypothesis.position_scale,
                            .factor = hypothesis.factor,
                            .exchanged = hypothesis.exchanged,
                            .arithmetic = hypothesis.arithmetic,
                            .cosines = hypothesis.cosines,
                            .sine_rows = hypothesis.sine_rows,
                            .grows = std::holds_alternative<scaling::Dynamic>(hypothesis.plan.scaling)};
  bool is_still = true;
  for (double& rate : numbers.rates) {
    // Arithmetics of 16 bits round a frequency before its position is scaled: what is slower by its rule differs.
    if (hypothesis.arithmetic == AngleArithmetic::float16) rate = rounded_to(Rounding::float16, rate);
    if (hypothesis.arithmetic == AngleArithmetic::bfloat16) rate = rounded_to(Rounding::bfloat16, rate);
    rate *= hypothesis.negative ? -hypothesis.position_scale : hypothesis.position_scale;
    is_still = is_still && rate == 0;
  }
  // A hypothesis that rotates nothing has no position and no arithmetic.
  if (is_still) numbers.first_position = 0, numbers.arithmetic = AngleArithmetic::exact, numbers.sine_rows = 0;
  return numbers;
}

HypothesisNumbers numbers_of(const RotationHypothesis& hypothesis) {
  const auto angles = HypothesisAngles::make(hypothesis);
  return numbers_of(hypothesis, angles ? angles->radians() : std::span<const double>());
}

bool same_numbers(const HypothesisNumbers& a, const HypothesisNumbers& b) {
  if (a.exchanged != b.exchanged || a.arithmetic != b.arithmetic || a.cosines != b.cosines ||
      a.sine_rows != b.sine_rows || a.grows != b.grows || !is_same(a.factor, b.factor))
    return false;
  if (a.rates.size() != b.rates.size()) return false;
  for (std::size_t i = a.rates.size(); i-- > 0;)  // hypotheses differ most in the last ones
    if (!is_same(a.rates[i], b.rates[i])) return false;
  return is_same(a.first_position, b.first_position);
}

HypothesisLists::HypothesisLists() = default;
HypothesisLists::~HypothesisLists() = default;

std::span<const ListedHypothesis> HypothesisLists::list(const RotationContext& context, std::size_t most_mistakes) {
  if (!context.expected) return {};
  // Contexts of one diagnosis differ by their pairs and denominators alone.
  for (const auto& lister : listers_)
    if (lister->is_of(*context.expected)) return lister->list(most_mistakes);
  return listers_.emplace_back(std::make_unique<HypothesisLister>(context))->list(most_mistakes);
}

void list_known(const RotationContext& context, std::int64_t dim, IsPossible may_turn, Keep keep) {
  bool goes_on = true;
  std::vector<std::vector<double>> known;  ///< frequencies and factors of those that were listed
  const auto is_possible = [&](std::size_t pair, double rate, double off_by = 0x1p-18) {
    return may_turn(pair, rate, off_by);
  };
  const AngleArithmetic meant = context.expected_arithmetic.value_or(AngleArithmetic::exact);
  const auto may_be = [&](std::size_t pair, double rate) {
    return is_possible(pair, rate) || is_possible(pair, rounded_to(Rounding::bfloat16, rate)) ||
           is_possible(pair, rounded_to(Rounding::float16, rate));
  };
  const auto add = [&](const RotaryOptions& plan) {
    if (!goes_on) return;
    RotationHypothesis hypothesis{.plan = plan};
    auto angles = HypothesisAngles::make({.plan = plan});
    if (!angles) return;
    // Three pairs show most that cannot be.
    for (std::size_t pair = 0; pair < std::min<std::size_t>(angles->pairs(), 3); ++pair)
      if (!may_be(pair, angles->radians()[pair])) return;
    const double own_factor = angles->own_factor();
    // Of few pairs many plans are the same, unless one of them depends on the length.
    std::vector<double> numbers(angles->radians().rbegin(), angles->radians().rend());
    numbers.push_back(own_factor);
    numbers.push_back(static_cast<double>(plan.length.value_or(0)));
    const auto is_equal = [&](const auto& other) { return std::ranges::equal(numbers, other, is_same); };
    if (std::ranges::any_of(known, is_equal)) return;
    known.push_back(std::move(numbers));
    // Frequencies that were cast, and angles of 16 bits, explain what coarse values leave of any plan; of these it
    // shows whether frequencies or positions were divided.
    struct Way {
      DType frequencies;
      AngleArithmetic arithmetic;
      double divisor = 1;
    };
    using enum AngleArithmetic;
    std::vector<double> factors{own_factor};
    if (own_factor != 1) factors.push_back(1);
    // DeepSeek divides by that of 0.707 times the logarithm.
    if (const auto* const yarn = std::get_if<scaling::Yarn>(&plan.scaling); yarn != nullptr && own_factor != 1)
      factors.push_back(own_factor / (1 + 0.0707 * std::log(yarn->factor)));
    std::vector<Way> ways{{DType::float32, meant}, {DType::bfloat16, meant}, {DType::float16, meant}};
    for (const AngleArithmetic arithmetic : {bfloat16, float16}) {
      ways.push_back({DType::float32, arithmetic});
      if (const auto* const linear = std::get_if<scaling::Linear>(&plan.scaling))
        ways.push_back({DType::float32, arithmetic, linear->factor});
    }
    for (const auto& [type, arithmetic, divisor] : ways) {
      std::vector<double> radians(angles->radians().begin(), angles->radians().end());
      for (double& each : radians)
        each = divisor * (type == DType::float32 ? each : rounded_to(rounding_of(type), each));
      // The others show it where inputs of the first three are zeros, before all signs and positions are listed.
      const double off_by = arithmetic == bfloat16 ? 0x1p-7 : arithmetic == float16 ? 0x1p-10 : 0x1p-18;
      std::size_t pair = 0;
      while (pair < radians.size() && is_possible(pair, radians[pair] / divisor, off_by)) ++pair;
      if (pair < radians.size()) continue;
      hypothesis.frequencies = type, hypothesis.arithmetic = arithmetic, hypothesis.position_scale = 1 / divisor;
      hypothesis.plan.scaling = divisor == 1 ? plan.scaling : scaling::Default{};
      const bool are_exact = type == DType::float32 && arithmetic == exact;
      auto rounded = are_exact ? Expected<HypothesisAngles>() : HypothesisAngles::make(hypothesis, &*angles);
      if (!rounded) continue;
      for (const bool negative : {false, true})
        for (const double first : {0.0, 1.0, -1.0})
          for (const double factor : factors) {
            hypothesis.negative = negative, hypothesis.first_position = first, hypothesis.factor = factor;
            goes_on = keep({.hypothesis = hypothesis,
                            .mistakes = {},
                            .numbers = numbers_of(hypothesis, radians),
                            .angles = are_exact ? &*angles : &*rounded});
            if (!goes_on) return;
          }
    }
  };
  // First: where so many others explain the values that not all are looked at, this one shows that they say nothing.
  RotaryOptions still{.dim = dim, .layout = Layout::half};
  still.scaling = scaling::Given{std::vector<double>(static_cast<std::size_t>(dim / 2), 0.0)};
  if (is_possible(0, 0)) {
    add(still);
    // Turns so slow that results do not show them leave it open whether there were any.
    still.scaling = scaling::Linear{1000};
    add(still);
  }
  for (const RotaryOptions& other : context.others)
    if (plain_plan(other).dim == dim) add(plain_plan(other));
  std::vector<std::int64_t> denominators{dim};
  if (context.head_dim > dim) denominators.push_back(context.head_dim);
  for (const std::int64_t denominator : denominators)
    for (const double base : usual_bases) {
      if (!goes_on) return;
      RotaryOptions plan{.dim = dim, .layout = Layout::half, .base = base};
      if (denominator != dim) plan.exponent_dim = denominator;
      const double second = std::pow(base, -2 / static_cast<double>(denominator));
      const bool is_fast = is_possible(0, 1) && (dim < 4 || may_be(1, second));
      if (is_fast) add(plan);
      const auto scaled_plan = [&](Scaling scaling, std::optional<std::int64_t> length = std::nullopt) {
        RotaryOptions made = plan;
        made.scaling = std::move(scaling), made.length = length;
        return made;
      };
      const auto add_grown = [&](double factor) {
        const double grown =
            second * std::pow(factor, -2 / static_cast<double>(std::max<std::int64_t>(denominator - 2, 1)));
        if (dim < 4 || !is_possible(0, 1) || !may_be(1, grown)) return;
        add(scaled_plan(scaling::Ntk{factor}));
        add(scaled_plan(scaling::Dynamic{.factor = 2, .original_length = 2048},
                        static_cast<std::int64_t>(1024 * (factor + 1))));
      };
      for (const double factor : usual_factors) {
        if (may_be(0, 1 / factor) && (dim < 4 || may_be(1, second / factor))) add(scaled_plan(scaling::Linear{factor}));
        add_grown(factor);
      }
      // Texts of 4, 8 and 16 times the length.
      for (const double factor : {7.0, 15.0, 31.0}) add_grown(factor);
      // A ramp over few pairs begins at the second.
      constexpr std::int64_t few = 16;
      if (!(dim <= few ? is_possible(0, 1) : is_fast) || dim < 4) continue;
      for (const RotaryOptions& each : usual_plans(plan)) add(each);
    }
}

std::vector<double> radians_of(const RotaryOptions& plan) {
  const auto frequencies = Frequencies::make_scaled(plan_of(plan));
  std::vector<double> made(frequencies ? frequencies->count() : 0);
  if (frequencies) frequencies->write_radians(made);
  return made;
}

}  // namespace posenc::diagnosis
