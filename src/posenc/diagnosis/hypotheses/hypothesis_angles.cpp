#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "posenc/base/check.hpp"
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
  for (double& each : radians_)
    if (each != 0) each = 1 / each;
  POSENC_TRY_LET(inverse, Frequencies::from_radians(radians_));
  frequencies_ = std::move(inverse);
  return {};
}

/// Makes frequencies in float32, step by step as transformers makes them.
Expected<void> HypothesisAngles::make_rounded(const RotaryOptions& plan, bool reciprocal) {
  const FrequencyPlan of_plan = plan_of(plan);
  POSENC_TRY_LET(context, context_of(of_plan));
  const auto write = [&](const scaling::Float32Rule& rule) -> Expected<void> {
    const scaling::Float32Powers powers(rule.progression);
    for (std::size_t i = 0; i < radians_.size(); ++i) {
      const float frequency = rule.frequency(i, powers(i));
      radians_[i] = reciprocal && frequency != 0 ? 1.0f / frequency : frequency;
    }
    return {};
  };
  return scaling::with_float32_rule(plan.scaling, context, write);
}

/// Rounds the frequencies to the type in which they were stored, and what is read of them to that of the arithmetic.
Expected<void> HypothesisAngles::store_frequencies(DType type) {
  if (type != DType::float32) {
    for (double& frequency : radians_) frequency = rounded_to(posenc::rounding_of(type), frequency);
    POSENC_TRY_LET(stored, Frequencies::from_radians(radians_));
    frequencies_ = std::move(stored);
  }
  for (double& frequency : radians_) frequency = rounded_to(rounding_of(arithmetic_), frequency);
  return {};
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

Expected<HypothesisAngles> HypothesisAngles::make(const RotationHypothesis& hypothesis, const HypothesisAngles* exact) {
  const RotaryOptions plan = plain_plan(hypothesis.plan);
  POSENC_TRY(check_whole("dim", plan.dim, 2, max_dim));
  if (plan.dim % 2 != 0) return invalid_argument("dim", static_cast<double>(plan.dim), expected::even);
  HypothesisAngles made;
  made.move_to(hypothesis);
  made.arithmetic_ = hypothesis.arithmetic;
  made.sine_rows_ = hypothesis.sine_rows;
  if (exact != nullptr) {
    made.radians_ = exact->radians_, made.own_factor_ = exact->own_factor_;
    POSENC_TRY_LET(frequencies, Frequencies::from_radians(made.radians_));
    made.frequencies_ = std::move(frequencies);
  } else {
    POSENC_TRY(made.make_exact(plan, hypothesis.reciprocal));
  }
  if (hypothesis.arithmetic == AngleArithmetic::product) {
    POSENC_TRY(made.make_product(plan, hypothesis.reciprocal));
  } else if (hypothesis.arithmetic != AngleArithmetic::exact) {
    POSENC_TRY(made.make_rounded(plan, hypothesis.reciprocal));
  }
  POSENC_TRY(made.store_frequencies(hypothesis.frequencies));
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

/// Writes the row of a position of the hypothesis's own.
Expected<void> HypothesisAngles::write_row(double moved_position) {
  if (arithmetic_ != AngleArithmetic::exact) return write_rounded(moved_position);
  const std::size_t padded = frequencies_.padded_count();
  double* const row = row_.data();
  // One evaluation a dimension: tables for consecutive positions would not pay for these few.
  std::fill_n(row, padded, 0.0);
  add_cycles(frequencies_, moved_position, row);
  sines_and_cosines(row, padded, row, row + padded);
  return {};
}

Expected<void> HypothesisAngles::write(double position, double* cosines, double* sines, double* angles) {
  POSENC_TRY(check(position));
  const std::size_t padded = frequencies_.padded_count();
  POSENC_TRY(write_row(moved(position)));
  std::copy_n(row_.data(), pairs(), sines);
  std::copy_n(row_.data() + padded, pairs(), cosines);
  for (std::size_t i = 0; angles != nullptr && i < pairs(); ++i)
    angles[i] = arithmetic_ == AngleArithmetic::exact ? moved(position) * radians_[i] : angles_[i];
  if (sine_rows_ != 0) {
    POSENC_TRY(write_row(moved(position + sine_rows_)));
    std::copy_n(row_.data(), pairs(), sines);
    // The larger angle of the two is what roundings are of.
    for (std::size_t i = 0; angles != nullptr && i < pairs(); ++i) {
      const double own = moved(position + sine_rows_) * radians_[i];
      if (std::fabs(own) > std::fabs(angles[i])) angles[i] = own;
    }
  }
  return {};
}

}  // namespace posenc::diagnosis
