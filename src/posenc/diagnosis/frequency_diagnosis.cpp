#include "posenc/diagnosis/frequency_diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/engine/answers.hpp"
#include "posenc/diagnosis/engine/free_numbers.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/views/pairing.hpp"
#include "posenc/rotary/certificate/rounding_error.hpp"

// std::log is right here: it bounds roundings.

namespace posenc {
namespace {

using namespace diagnosis;

/// No pair of any model rotates more slowly: a list of smaller frequencies says as little as zeros.
constexpr double least_frequency = 1e-100;

/// Half of float32's smallest number.
constexpr double least_float32 = 0x1p-150;

/// The units that a list may have, the likeliest first.
constexpr std::array<std::string_view, 3> units{"radians", "reciprocals", "wavelengths"};

/// Changes of frequencies alone, that a list of them shows.
bool is_of_frequencies(Mistake mistake) {
  return mistake == Mistake::sign || mistake == Mistake::not_rotated ||
         (mistake >= Mistake::exponent_doubled && mistake <= Mistake::scaling_other && mistake != Mistake::reciprocal);
}

class FrequencyTask {
 public:
  FrequencyTask(const SampledTensor& list, const StoredType& type, const Expectation& expected)
      : type_(type), expected_(expected) {
    list.values.append_to(list_, 0, list.values.size());
    const std::size_t dims = 2 * list_.size();
    const std::int64_t head = expected.plan ? expected.plan->dim : 0;
    context_ = rotation_context(expected, dims, std::max(dims, static_cast<std::size_t>(head)), type.rounding);
    // A list stands for a cast of the model's own: its type is a finding, and no noise of what was read.
    context_.rounding = std::min(type.rounding, float32_rounding);
  }

  [[nodiscard]] bool is_empty() const {
    return std::ranges::all_of(list_, [](double value) { return std::fabs(value) < least_frequency; });
  }

  Diagnosis listed() {
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      const auto any = [&](std::size_t pair, double rate, double) { return may_be(unit, pair, rate); };
      const auto keep = [&](const ListedHypothesis& each) {
        // A list has no angles.
        const bool has_angles =
            each.hypothesis.arithmetic != context_.expected_arithmetic.value_or(AngleArithmetic::exact);
        if (!has_angles && std::ranges::all_of(each.mistakes, is_of_frequencies) &&
            each.hypothesis.first_position == context_.expected_first &&
            each.hypothesis.position_scale == context_.expected_scale)
          offer(unit, each, false);
        return true;
      };
      if (!context_.expected) list_known(context_, context_dim(), any, keep);
      std::ranges::for_each(lists_.list(context_, 2), keep);
    }
    return concluded();
  }

  Diagnosis estimated() {
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      FreeRates free;
      double signs = 0;
      bool has_zeros = false;
      for (const double value : list_) signs += value < 0 ? -1 : 1, has_zeros = has_zeros || value == 0;
      if (has_zeros && unit > 0) break;
      for (const double value : list_) {
        const double rate = from_unit(unit, signs < 0 ? -value : value);
        free.rates.push_back(rate);
        free.errors.push_back(allowed(rate, rate) + (type_.is_coarse() ? 1.1 * type_.unit(std::fabs(rate)) : 0));
      }
      std::vector<RotaryOptions> plans = free_plans(free, context_);
      plans.pop_back();  // any list is the one of no law that it is
      for (const RotaryOptions& plan : plans) {
        ListedHypothesis each;
        each.hypothesis.plan = plan, each.hypothesis.negative = signs < 0;
        if (const auto factor = attention_factor(plan_of(plan))) each.hypothesis.factor = *factor;
        const std::vector<double> radians = radians_of(plan);
        if (radians.empty()) continue;
        each.numbers = numbers_of(each.hypothesis, radians);
        if (context_.expected) {
          const RotaryOptions meant = plain_plan(*context_.expected);
          if (denominator_of(plan) != denominator_of(meant)) each.mistakes.push_back(Mistake::exponent_head_dim);
          if (plan.base != meant.base) each.mistakes.push_back(Mistake::base);
          if (plan.scaling.index() != meant.scaling.index())
            each.mistakes.push_back(std::holds_alternative<scaling::Default>(plan.scaling) ? Mistake::scaling_missing
                                                                                           : Mistake::scaling_other);
          if (each.hypothesis.negative != context_.expected_inverse) each.mistakes.push_back(Mistake::sign);
        }
        offer(unit, stored(each), true);
        if (!answers_.empty()) return concluded();
      }
    }
    return concluded();
  }

 private:
  /// The same, rounded to the type of the list, where that is one of 16 bits.
  [[nodiscard]] ListedHypothesis stored(ListedHypothesis made) const {
    if (!type_.is_coarse()) return made;
    const bool has_range = type_.name == "bfloat16";
    made.hypothesis.frequencies = has_range ? DType::bfloat16 : DType::float16;
    if (context_.expected)
      made.mistakes.push_back(has_range ? Mistake::frequencies_bfloat16 : Mistake::frequencies_float16);
    return made;
  }

  [[nodiscard]] std::int64_t context_dim() const { return 2 * std::ssize(list_); }

  /// A number of a list as a frequency, and the reverse, which is the same.
  [[nodiscard]] static double from_unit(std::size_t unit, double value) {
    return unit == 0 ? value : (unit == 1 ? 1 : 2 * std::numbers::pi) / value;
  }

  /// The error of a frequency that was computed by float32 operations, with its own rounding.
  [[nodiscard]] double allowed(double value, double rate) const {
    constexpr double steps = 3;
    const double by_exponent = rate == 0 ? 0 : std::fabs(std::log(std::fabs(rate)));
    return float32_rounding * (steps + by_exponent) * std::fabs(value) +
           1.1 * std::min(type_.rounding, float32_rounding) * std::fabs(value) + std::min(type_.least, least_float32);
  }

  [[nodiscard]] bool may_be(std::size_t unit, std::size_t pair, double rate) const {
    if (rate == 0 || list_[pair] == 0) return rate == 0 && list_[pair] == 0;
    return std::fabs(std::fabs(from_unit(unit, list_[pair])) - rate) <= 0x1p-6 * rate + 0x1p-24;
  }

  void offer(std::size_t unit, const ListedHypothesis& each, bool is_estimated) {
    // Frequencies are rounded in the unit that is stored.
    double most_ulps = 0, most_units = 0;
    // Two frequencies in plain double precision rule out hypotheses that are far off.
    for (const std::size_t pair : {list_.size() - 1, list_.size() / 2})
      if (!may_be(unit, pair, std::fabs(each.numbers.rates[pair] / each.hypothesis.position_scale))) return;
    const auto angles =
        HypothesisAngles::make({.plan = each.hypothesis.plan, .reciprocal = each.hypothesis.reciprocal});
    if (!angles) return;
    const DType stored_in = each.hypothesis.frequencies;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      const double rate = angles->radians()[i], sign = each.hypothesis.negative ? -1 : 1;
      // Pairs that do not turn have no wavelength: code writes 0.
      double value = rate == 0 ? 0 : sign * from_unit(unit, rate), reach = allowed(value, rate);
      if (stored_in != DType::float32) {
        // A frequency that float32 leaves open may round either way.
        const double low = rounded_to(rounding_of(stored_in), value - reach),
                     high = rounded_to(rounding_of(stored_in), value + reach);
        if (list_[i] != low && list_[i] != high) return;
        value = list_[i];
      }
      const double off = std::fabs(list_[i] - value);
      if (off > reach) return;
      if (off > 0)
        most_units = std::max(most_units, off / reach),
        most_ulps = std::max(most_ulps, off / (2 * type_.unit(std::fabs(value))));
    }
    Answer made{.finding = {.hypothesis = each.hypothesis, .mistakes = each.mistakes, .numbers = each.numbers},
                .form = unit};
    // Factors of cosines are none of frequencies.
    made.finding.numbers.factor = 1, made.finding.numbers.first_position = 0;
    made.finding.is_estimated = is_estimated;
    Explanation& explanation = made.explanation;
    explanation.mistakes = each.mistakes;
    if (expected_.plan && unit == 1) explanation.mistakes.push_back(Mistake::reciprocal);
    explanation.units = most_units, explanation.ulps = most_ulps;
    explanation.found = FoundFrequencies{each.hypothesis, units[unit]};
    add_answer(std::move(made), answers_);
  }

  Diagnosis concluded() {
    Diagnosis made;
    constexpr std::array<double, 2> anywhere{1, 2};  // frequencies have no positions
    conclude(std::move(answers_), {.positions = anywhere}, expected_, {.type = type_}, false, made);
    made.next.clear();
    answers_.clear();
    return made;
  }

  std::vector<double> list_;
  StoredType type_;
  const Expectation& expected_;
  RotationContext context_;
  HypothesisLists lists_;
  std::vector<Answer> answers_;
};

}  // namespace

Expected<Diagnosis> diagnose_frequencies(const SampledTensor& samples, const Expectation& expected) {
  POSENC_TRY_LET(types, stored_types_of(samples, "frequencies"));
  if (samples.values.empty()) return invalid_argument("frequencies", "no values", {"one number a rotated pair"});
  if (expected.plan) POSENC_TRY(expected_rotary(plain_plan(*expected.plan)));
  FrequencyTask task(samples, types.back(), expected);
  Diagnosis made;
  if (task.is_empty()) {
    set_too_little(made, false);
  } else {
    made = task.listed();
    if (made.verdict == Verdict::none) made = task.estimated();
  }
  made.dtype = types.back().name;
  return made;
}

}  // namespace posenc
