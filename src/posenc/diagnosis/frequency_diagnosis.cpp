#include "posenc/diagnosis/frequency_diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/estimates/frequency_fit.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/hypotheses/name_differences.hpp"
#include "posenc/diagnosis/samples/pair_explanations.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"

namespace posenc {
namespace {

using diagnosis::Candidate;
using diagnosis::FrequencySample;
using diagnosis::HypothesisList;
using diagnosis::RotationContext;
using diagnosis::RotationHypothesis;
using diagnosis::StoredType;

/// No pair of any model rotates more slowly: a list of smaller ones says nothing, as zeros do.
constexpr double least_frequency = 1e-100;

/// The units that a list may have, the likeliest first.
constexpr std::array<std::string_view, 3> units{"radians", "reciprocals", "wavelengths"};

/// A number of a list as a frequency.
double radians_from(std::size_t unit, double value) {
  return unit == 0 ? value : (unit == 1 ? 1 : 2 * std::numbers::pi) / value;
}

/// Whether a hypothesis is one of frequencies alone.
bool is_of_frequencies(const diagnosis::MistakenHypothesis& made) {
  return std::all_of(made.mistakes.begin(), made.mistakes.end(), [](Mistake mistake) {
    return mistake >= Mistake::exponent_doubled && mistake <= Mistake::scaling_other && mistake != Mistake::reciprocal;
  });
}

class FrequencySearch {
 public:
  FrequencySearch(const SampledTensor& list, const StoredType& type, const Expectation& expected) : type_(type) {
    list.values.append_to(list_, 0, list.values.size());
    const std::size_t dims = 2 * list_.size();
    const std::int64_t head = expected.plan ? expected.plan->dim : 0;
    context_ = diagnosis::rotation_context(expected, dims, std::max(dims, static_cast<std::size_t>(head)));
    known_ = diagnosis::list_hypotheses(context_, true);
    double signs = 0;
    for (const double value : list_) signs += value < 0 ? -1 : 1;
    negative_ = signs < 0;
  }

  /// Whether nothing rotates.
  [[nodiscard]] bool is_empty() const {
    return std::ranges::all_of(list_, [](double value) { return std::fabs(value) < least_frequency; });
  }

  /// The residual that the arithmetic of frequencies may leave: in 16 bits one rounding, of numbers made in float32.
  [[nodiscard]] double most_units() const {
    using namespace diagnosis;
    return is_coarse() ? one_rounding + explained_units * float32_rounding / type_.rounding : explained_units;
  }

  std::vector<Candidate> search() {
    const auto explained = [&] {
      return std::ranges::any_of(candidates_, [&](const Candidate& candidate) {
        return candidate.explanation.units <= most_units() && (!is_coarse() || candidate.explanation.mistakes.empty());
      });
    };
    for (std::size_t unit = 0; unit < (has_zeros() ? 1 : units.size()); ++unit) offer_known(unit, sample_of(unit));
    if (explained()) return std::move(candidates_);
    for (std::size_t unit = 0; unit < (has_zeros() ? 1 : units.size()); ++unit) offer_read(unit, sample_of(unit));
    return std::move(candidates_);
  }

 private:
  [[nodiscard]] bool is_coarse() const { return type_.rounding > diagnosis::float32_rounding; }

  [[nodiscard]] bool has_zeros() const { return std::ranges::find(list_, 0.0) != list_.end(); }

  [[nodiscard]] FrequencySample sample_of(std::size_t unit) const {
    FrequencySample made;
    for (const double value : list_) {
      const double radians = radians_from(unit, negative_ ? -value : value);
      made.radians.push_back(radians);
      made.errors.push_back(value == 0 ? type_.unit(0)
                                       : type_.unit(std::fabs(value)) / std::fabs(value) * std::fabs(radians));
    }
    return made;
  }

  void offer(std::size_t unit, const FrequencySample& sample, RotationHypothesis hypothesis,
             std::span<const double> rates, std::vector<Mistake> mistakes, double cost) {
    hypothesis.negative = negative_;
    if (context_.expected) {
      if (unit == 1) mistakes.push_back(Mistake::reciprocal);
      if (negative_ != context_.expected_inverse) mistakes.push_back(Mistake::sign);
    }
    Candidate made{.cost = cost + (unit == 0 ? 0 : diagnosis::mistake_bits) + (negative_ ? diagnosis::mistake_bits : 0),
                   .form = unit,
                   .hypothesis = hypothesis};
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const double off = diagnosis::errors_off(sample, i, std::fabs(rates[i]));
      made.data_bits += diagnosis::data_bits(off, 1, 1);
      made.explanation.units = std::max(made.explanation.units, off);
    }
    made.explanation.ulps = made.explanation.units / 2;  // a unit is half a last bit
    made.explanation.mistakes = std::move(mistakes);
    made.explanation.found = FoundFrequencies{hypothesis, units[unit]};
    candidates_.push_back(std::move(made));
  }

  /// Offers the hypotheses that an expected plan and known mistakes make.
  void offer_known(std::size_t unit, const FrequencySample& sample) {
    for (std::size_t k = 0; k < known_.hypotheses.size(); ++k)
      if (is_of_frequencies(known_.hypotheses[k]))
        offer(unit, sample, known_.hypotheses[k].hypothesis, known_.numbers[k].rates, known_.hypotheses[k].mistakes,
              diagnosis::mistake_bits * static_cast<double>(known_.hypotheses[k].mistakes.size()));
  }

  /// Offers hypotheses that are fitted to the list.
  void offer_read(std::size_t unit, const FrequencySample& sample) {
    diagnosis::FrequencyHints hints{.head_dim = context_.head_dim, .plans = context_.others};
    if (context_.expected) hints.plans.push_back(*context_.expected);
    for (RotaryOptions& plan : hints.plans) plan = diagnosis::plain_plan(plan);
    for (const diagnosis::FrequencyFit& fit : diagnosis::fit_frequencies(sample, hints)) {
      // The powers of a base below 1 are the reciprocals of those of another, which zeros have not.
      if (fit.plan.base < 1 && !has_zeros()) continue;
      // A list always explains itself, which means nothing unless it is zeros.
      const auto* given = std::get_if<scaling::Given>(&fit.plan.scaling);
      if (given != nullptr && std::any_of(given->frequencies.begin(), given->frequencies.end(),
                                          [](double frequency) { return frequency != 0; }))
        continue;
      RotationHypothesis hypothesis{.plan = fit.plan};
      if (const auto factor = attention_factor(plan_of(fit.plan))) hypothesis.factor = *factor;
      std::vector<Mistake> mistakes;
      if (context_.expected) {
        RotationHypothesis upright = hypothesis;
        upright.negative = context_.expected_inverse;
        diagnosis::name_differences(upright, context_, true, mistakes);
      }
      offer(unit, sample, hypothesis, diagnosis::radians_of(fit.plan), std::move(mistakes), fit.cost);
    }
  }

  std::vector<double> list_;
  StoredType type_;
  RotationContext context_;
  HypothesisList known_;
  bool negative_ = false;
  std::vector<Candidate> candidates_;
};

}  // namespace

Expected<Diagnosis> diagnose_frequencies(const SampledTensor& samples, const Expectation& expected) {
  POSENC_TRY_LET(type, diagnosis::stored_type_of(samples, "frequencies"));
  if (samples.values.empty()) return invalid_argument("frequencies", "no values", {"one number a rotated pair"});
  if (expected.plan) POSENC_TRY(Rotary::make(diagnosis::plain_plan(*expected.plan)));
  Diagnosis made;
  made.dtype = type.name;
  FrequencySearch search(samples, type, expected);
  if (search.is_empty()) {
    set_too_little(made, false);
    return made;
  }
  const double noise_bits = -std::log2(type.rounding) * static_cast<double>(samples.values.size());
  std::vector<Candidate> candidates = search.search();
  constexpr std::array<double, 2> anywhere{1, 2};  // frequencies have no positions
  POSENC_TRY(diagnosis::rank(std::move(candidates), noise_bits, {anywhere}, expected, made));
  if (made.verdict == Verdict::certain && made.explanations.front().units > search.most_units())
    made.verdict = Verdict::likely;
  if (!made.explanations.empty()) made.next.clear();
  return made;
}

}  // namespace posenc
