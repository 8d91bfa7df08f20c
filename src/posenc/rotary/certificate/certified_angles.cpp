#include "posenc/rotary/certificate/certified_angles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// The whole number that is left of |x| without its factors of two.
double odd_part(double x) {
  if (x == 0) return 0;
  int exponent = 0;
  const auto digits = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(x), &exponent), 53));
  return static_cast<double>(digits >> std::countr_zero(digits));
}

/// Up to which whole numbers have no rounding error in float32.
constexpr double largest_exact = 0x1p24;

/// The largest error of rounding to float32.
Upper float32_error(Upper most) { return rounding_error(Rounding::float32, most); }

Upper upper(const DoubleDouble& x) { return {std::fabs(x.high) * next_above}; }

/// The floats within some ulps of a power, 0 or 1.
struct FloatsNear {
  FloatsNear(const DoubleDouble& power, double ulps);

  [[nodiscard]] const float* begin() const { return floats; }
  [[nodiscard]] const float* end() const { return floats + size; }

  float floats[5];
  std::size_t size = 0;
};

FloatsNear::FloatsNear(const DoubleDouble& power, double ulps) {
  const auto nearest = static_cast<float>(power.high);
  const bool has_neighbours = nearest > 0x1p-126f && nearest < 0x1p127f;
  const double place = std::ldexp(1, exponent_of(format_of(Rounding::float32), power.high) - 24);
  const std::int32_t reach = has_neighbours ? static_cast<std::int32_t>(ulps) + 1 : 0;
  for (std::int32_t i = -reach; i <= reach; ++i) {
    const auto candidate = std::bit_cast<float>(std::bit_cast<std::int32_t>(nearest) + i);
    const DoubleDouble apart = DoubleDouble{candidate, 0} - power;
    // A little more than what is permitted: of a tie, either.
    if (i == 0 || std::fabs(apart.high) <= (ulps + 0x1p-20) * place) floats[size++] = candidate;
  }
}

}  // namespace

void CertifiedAngles::Pair::add(const DoubleDouble& computed, const DoubleDouble& truth) {
  // Both have errors far below the last term.
  const Upper apart = upper(computed - truth) + upper(truth) * Upper{0x1p-80};
  slope.value = std::max(slope.value, apart.value);
  size.value = std::max(size.value, upper(computed).value);
  odd = std::max(odd, odd_part(computed.high));
}

DoubleDouble CertifiedAngles::truth(std::size_t i) const {
  const Frequencies& frequencies = rotary_->frequencies();
  return sum_exact_ordered(frequencies.head()[i] + frequencies.mid()[i], frequencies.tail()[i]) * radians_per_cycle;
}

void CertifiedAngles::make_powers(const scaling::Float32Rule& rule) {
  const scaling::Float32Powers powers(rule.progression);
  for (std::size_t i = 0; i < pairs_.size(); ++i)
    for (const float power : FloatsNear(powers.exact(i), i == 0 ? 0 : 1))
      pairs_[i].add({rule.frequency(i, power), 0}, truth(i));
}

DoubleDouble CertifiedAngles::blend(const scaling::Float32Rule& rule, std::size_t i) {
  Pair& pair = pairs_[i];
  const auto* linear = std::get_if<scaling::Linear>(&plan_->scaling);
  if (rule.yarn != nullptr || linear != nullptr) {
    const float interpolated = 1.0f / scaling::to_float(linear != nullptr ? linear->factor : rule.yarn->factor);
    const float kept = linear != nullptr ? 0.0f : float32_kept(*rule.yarn, i);
    const float blended = 1.0f - kept;
    pair.interpolated = {interpolated}, pair.blended = {blended}, pair.kept = {kept};
    return product_exact(interpolated, blended) + DoubleDouble{kept, 0};
  }
  // A frequency of other rules is a number in the model's file, by which the product is divided.
  const auto& [ln_base, steps, denominator, _] = rule.progression;
  const DoubleDouble exponent = ln_base * DoubleDouble{-steps * static_cast<double>(i), 0} / denominator;
  const DoubleDouble exact = truth(i);
  if (exact.high == 0 || exponent.high < -600) {
    pair.kept = {};
    return {};
  }
  const DoubleDouble divisor = exp(exponent) / exact;
  if (std::fabs(divisor.high - 1) < 0x1p-40) return {1, 0};
  const DoubleDouble ratio = DoubleDouble{1, 0} / DoubleDouble{rounded_to(Rounding::float32, divisor.high), 0};
  pair.interpolated = upper(ratio), pair.blended = {1}, pair.kept = {};
  return ratio;
}

void CertifiedAngles::make_products(const scaling::Float32Rule& rule) {
  const double exponent = -2.0f / scaling::to_float(rule.progression.dim().high);
  const double base = scaling::to_float(exp(rule.progression.ln_base).high);
  for (const float step : FloatsNear(exp(log(base) * DoubleDouble{exponent, 0}), 1)) {
    step_.value = std::max(step_.value, static_cast<double>(step));
    DoubleDouble product{1, 0};
    for (std::size_t i = 0; i < pairs_.size(); ++i, product = product * DoubleDouble{step, 0})
      pairs_[i].add(product * blend(rule, i), truth(i));
  }
}

Expected<void> CertifiedAngles::make_from(const scaling::Float32Rule& rule) {
  const double base = exp(rule.progression.ln_base).high;
  const bool is_float = base > 0x1p-126 && base < 0x1p127;
  if (!is_float) return invalid_argument("base", base, expected::float32_base);
  if (arithmetic_ == ArithmeticPreset::transformers)
    make_powers(rule);
  else
    make_products(rule);
  return {};
}

Expected<CertifiedAngles> CertifiedAngles::make(const Rotary& rotary, const RotaryOptions& plan,
                                                ArithmeticPreset arithmetic) {
  CertifiedAngles made(rotary, plan, arithmetic);
  if (arithmetic == ArithmeticPreset::exact) return made;
  POSENC_TRY_LET(pairs, AlignedArray<Pair>::make_unfilled(rotary.frequencies().count()));
  for (Pair& pair : pairs.span()) pair = {};
  made.pairs_ = std::move(pairs);
  POSENC_TRY_LET(context, context_of(plan_of(plan)));
  const auto make_angles = [&](const scaling::Float32Rule& rule) { return made.make_from(rule); };
  POSENC_TRY(scaling::with_float32_rule(plan.scaling, context, make_angles));
  return made;
}

Upper CertifiedAngles::blend_error(const Pair& pair, Upper product, Upper error) {
  if (pair.blended.value == 0) return pair.kept * error;
  const Upper interpolated = product * pair.interpolated;
  const Upper first = pair.interpolated.value == 1 ? Upper{} : float32_error(interpolated);
  const Upper inner = pair.blended * (pair.interpolated * error + first);
  if (pair.kept.value == 0) return inner;
  const Upper blended = pair.blended * (interpolated + first), kept = pair.kept * product;
  const Upper second = float32_error(blended), third = float32_error(kept);
  return inner + pair.kept * error + second + third + float32_error(blended + second + kept + third);
}

CertifiedAngles::Errors CertifiedAngles::at(double last, std::span<double> angles) const {
  std::fill(angles.begin(), angles.end(), 0.0);
  const Upper moved = last <= largest_exact ? Upper{} : float32_error({last});
  const Upper position = Upper{last} + moved;
  Upper product = position, error = moved;  // the running product, and its error
  Errors made;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Pair& pair = pairs_[i];
    Upper own;
    if (arithmetic_ == ArithmeticPreset::ggml) {
      if (i > 0) {
        const Upper rounding = float32_error(product * step_);
        product = product * step_ + rounding;
        error = error * step_ + rounding;
      }
      own = blend_error(pair, product, error);
    } else {
      own = pair.size * moved;
      const bool is_exact = moved.value == 0 && pair.odd * last <= largest_exact;
      if (!is_exact) own = own + float32_error(pair.size * position);
    }
    // Both positions have the same frequency: its error counts for their distance.
    const Upper angle = pair.slope * Upper{last} + own;
    if (!angles.empty()) angles[i] = angle.value;
    made.one.note(angle, i);
    made.difference.note(angle + own, i);
  }
  return made;
}

}  // namespace posenc
