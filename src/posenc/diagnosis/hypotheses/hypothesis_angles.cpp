#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/frequencies/scaling/rules.hpp"
#include "posenc/rotary/certificate/rounding_error.hpp"

namespace posenc::diagnosis {
namespace {

Rounding rounding_of(AngleArithmetic arithmetic) {
  switch (arithmetic) {
    case AngleArithmetic::exact:
      return Rounding::exact;
    case AngleArithmetic::float16:
      return Rounding::float16;
    case AngleArithmetic::bfloat16:
      return Rounding::bfloat16;
    default:
      return Rounding::float32;
  }
}

DoubleDouble radians_at(const Frequencies& frequencies, std::size_t i) {
  return sum_exact_ordered(frequencies.head()[i] + frequencies.mid()[i], frequencies.tail()[i]) * radians_per_cycle;
}

struct Float32Frequencies {
  std::vector<double>* to;
  bool reciprocal;
};

/// Frequencies in float32, step by step as transformers makes them.
Expected<void> write_float32(void* user, const scaling::Float32Rule& rule) {
  const auto& [to, reciprocal] = *static_cast<const Float32Frequencies*>(user);
  const scaling::Float32Powers powers(rule.progression);
  for (std::size_t i = 0; i < to->size(); ++i) {
    const float frequency = rule.frequency(i, powers(i));
    (*to)[i] = reciprocal && frequency != 0 ? 1.0f / frequency : frequency;
  }
  return {};
}

}  // namespace

RotaryOptions plain_plan(const RotaryOptions& plan) {
  RotaryOptions plain = plan;
  if (plain.layout == Layout::unnamed) plain.layout = Layout::half;
  const std::int64_t dims = plan.rotary_dim.value_or(plan.dim);
  const std::int64_t denominator = plan.exponent_dim.value_or(dims);
  plain.dim = dims;
  plain.rotary_dim = std::nullopt;
  if (plan.exponent == Exponent::half) {
    plain.exponent = Exponent::paper;
    plain.exponent_dim = denominator / 2 * 2;
  } else if (plan.exponent == Exponent::double_stepped && denominator % 2 == 0) {
    plain.exponent = Exponent::paper;
    plain.exponent_dim = denominator / 2;
  }
  if (plain.exponent_dim == dims) plain.exponent_dim = std::nullopt;
  return plain;
}

Expected<void> HypothesisAngles::make_exact(const RotaryOptions& plan, bool reciprocal) {
  POSENC_TRY_LET(made, Frequencies::make_scaled(plan_of(plan)));
  frequencies_ = std::move(made);
  own_factor_ = frequencies_.attention_factor();
  radians_.resize(frequencies_.count());
  frequencies_.write_radians(radians_);
  if (!reciprocal) return {};
  std::vector<double> rest(radians_.size());
  for (std::size_t i = 0; i < radians_.size(); ++i) {
    const DoubleDouble frequency = radians_at(frequencies_, i);
    if (frequency.high == 0) continue;
    const DoubleDouble inverse = DoubleDouble{1, 0} / frequency;
    radians_[i] = inverse.high, rest[i] = inverse.low;
  }
  POSENC_TRY_LET(high, Frequencies::from_radians(radians_));
  POSENC_TRY_LET(low, Frequencies::from_radians(rest));
  frequencies_ = std::move(high), rest_ = std::move(low);
  has_rest_ = true;
  return {};
}

Expected<void> HypothesisAngles::make_rounded(const RotaryOptions& plan, bool reciprocal) {
  const FrequencyPlan of_plan = plan_of(plan);
  POSENC_TRY_LET(context, context_of(of_plan));
  Float32Frequencies to{&radians_, reciprocal};
  POSENC_TRY(scaling::with_float32_rule(plan.scaling, context, &to, write_float32));
  const Rounding type = rounding_of(arithmetic_);
  for (double& frequency : radians_) frequency = rounded_to(type, frequency);
  return {};
}

/// Makes the exact frequencies float32 by other steps than transformers'.
void HypothesisAngles::make_stepped(const RotaryOptions& plan, bool reciprocal, Float32Steps steps) {
  const bool by_exponentials =
      steps == Float32Steps::exponentials && !reciprocal && std::holds_alternative<scaling::Default>(plan.scaling);
  const auto denominator = static_cast<double>(denominator_of(plan));
  const double exact = by_exponentials ? log(DoubleDouble{plan.base, 0}).high / denominator : 0;
  const double step = scaling::to_float(exact);
  for (std::size_t i = 0; i < radians_.size(); ++i) {
    const double dim = 2 * static_cast<double>(i);
    // What roundings take from an argument, some 1e-6 at most, is as good as what they take from the logarithm.
    double frequency = radians_[i] * (1 + (dim * exact - scaling::to_float(dim * step)));
    if (steps == Float32Steps::powers) frequency = 1.0 / scaling::to_float(1 / frequency);
    radians_[i] = scaling::to_float(frequency);
  }
}

/// Makes ggml's angles: the rule is a number by which the running angle is multiplied. ggml itself multiplies and adds
/// in float32, which is within the tolerance of that arithmetic.
Expected<void> HypothesisAngles::make_product(const RotaryOptions& plan, bool reciprocal) {
  RotaryOptions unscaled = plan;
  unscaled.scaling = scaling::Default{};
  POSENC_TRY_LET(terms, Frequencies::make_scaled(plan_of(unscaled)));
  kept_.resize(radians_.size());
  for (std::size_t i = 0; i < radians_.size(); ++i) {
    const double term = reciprocal ? 1 / terms.radians(i) : terms.radians(i);
    const double ratio = radians_[i] / term;
    kept_[i] = is_same(ratio, 1) ? 1 : scaling::to_float(ratio);
  }
  if (radians_.size() > 1) step_ = scaling::to_float(reciprocal ? 1 / terms.radians(1) : terms.radians(1));
  return {};
}

Expected<HypothesisAngles> HypothesisAngles::make(const RotationHypothesis& hypothesis, Float32Steps steps) {
  const RotaryOptions plan = plain_plan(hypothesis.plan);
  POSENC_TRY(check_whole("dim", plan.dim, 2, max_dim));
  if (plan.dim % 2 != 0) return invalid_argument("dim", static_cast<double>(plan.dim), expected::even);
  HypothesisAngles made;
  made.first_position_ = hypothesis.first_position, made.position_scale_ = hypothesis.position_scale;
  made.arithmetic_ = hypothesis.arithmetic;
  POSENC_TRY(made.make_exact(plan, hypothesis.reciprocal));
  if (hypothesis.arithmetic == AngleArithmetic::product) {
    POSENC_TRY(made.make_product(plan, hypothesis.reciprocal));
  } else if (hypothesis.arithmetic == AngleArithmetic::float32 && steps != Float32Steps::library) {
    made.make_stepped(plan, hypothesis.reciprocal, steps);
  } else if (hypothesis.arithmetic != AngleArithmetic::exact) {
    POSENC_TRY(made.make_rounded(plan, hypothesis.reciprocal));
  }
  POSENC_TRY_LET(row, AlignedArray<double>::make(2 * made.frequencies_.padded_count()));
  made.row_ = std::move(row);
  made.angles_.resize(made.radians_.size());
  return made;
}

/// Writes the sines and cosines of angles_, which are rounded.
Expected<void> HypothesisAngles::write_rounded(double position) {
  const Rounding type = rounding_of(arithmetic_);
  const double start = rounded_to(type, position);
  double running = start;
  for (std::size_t i = 0; i < angles_.size(); ++i) {
    if (arithmetic_ == AngleArithmetic::product) {
      angles_[i] = rounded_to(type, running * kept_[i]);
      running = rounded_to(type, running * step_);
    } else {
      angles_[i] = rounded_to(type, start * radians_[i]);
    }
  }
  // An angle is a frequency at position 1: the core's own reduction serves.
  POSENC_TRY_LET(rotations, Frequencies::from_radians(angles_));
  sines_and_cosines(rotations, 1, row_.data(), row_.data() + rotations.padded_count());
  return {};
}

Expected<void> HypothesisAngles::check(double position) const {
  const double p = moved(position);
  POSENC_TRY(Positions::list({&p, 1}).check(frequencies_.largest()));
  const double most = format_of(rounding_of(arithmetic_)).most;
  if (std::fabs(p) <= most && std::fabs(p) * frequencies_.largest() <= most) return {};
  return invalid_argument("positions", position,
                          {"positions and angles that the arithmetic \"", name_of(arithmetic_), "\" holds"});
}

Expected<void> HypothesisAngles::write(double position, double* cosines, double* sines, double* angles) {
  POSENC_TRY(check(position));
  const double p = moved(position);
  const std::size_t padded = frequencies_.padded_count();
  double* const row = row_.data();
  if (arithmetic_ != AngleArithmetic::exact) {
    POSENC_TRY(write_rounded(p));
  } else {
    // One evaluation a dimension: tables for consecutive positions would not pay for these few.
    std::fill_n(row, padded, 0.0);
    add_cycles(frequencies_, p, row);
    if (has_rest_) add_cycles(rest_, p, row);
    sines_and_cosines(row, padded, row, row + padded);
  }
  std::copy_n(row, pairs(), sines);
  std::copy_n(row + padded, pairs(), cosines);
  if (angles == nullptr) return {};
  for (std::size_t i = 0; i < pairs(); ++i)
    angles[i] = arithmetic_ == AngleArithmetic::exact ? p * radians_[i] : angles_[i];
  return {};
}

}  // namespace posenc::diagnosis
