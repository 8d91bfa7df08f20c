#pragma once

#include <algorithm>

#include "posenc/base/try.hpp"
#include "posenc/frequencies/scaling.hpp"
#include "posenc/frequencies/scaling/context.hpp"

namespace posenc::scaling {

/// Frequencies that YaRN's ramp blends from unchanged, below index `low`, to divided, above index `high`.
struct YarnBlend {
  Progression progression;
  double factor = 1;
  DoubleDouble low;
  DoubleDouble width;  ///< high - low, not 0
  double attention_factor = 1;

  [[nodiscard]] DoubleDouble operator()(std::size_t i, const DoubleDouble& frequency) const;
};

/// The index, as a real number, of the frequency that makes `rotations` cycles in L0 positions.
inline DoubleDouble index_of(double rotations, const Yarn& rule, const Progression& progression) {
  const DoubleDouble length_of_cycle = radians_per_cycle * DoubleDouble{rotations, 0};
  const DoubleDouble ratio = DoubleDouble{rule.original_length, 0} / length_of_cycle;
  return progression.dim() * log(ratio) / (DoubleDouble{2, 0} * progression.ln_base);
}

/// g(m) = 0.1 m ln f + 1, and 1 where f <= 1.
inline DoubleDouble magnitude_scale(double factor, double m) {
  if (factor <= 1) return {1, 0};
  return DoubleDouble{m, 0} * log(factor) / DoubleDouble{10, 0} + DoubleDouble{1, 0};
}

inline DoubleDouble attention_factor_of(const Yarn& rule) {
  if (rule.attention_factor) return {*rule.attention_factor, 0};
  const double mscale = rule.mscale.value_or(0);
  const double mscale_all_dim = rule.mscale_all_dim.value_or(0);
  if (mscale != 0 && mscale_all_dim != 0)
    return magnitude_scale(rule.factor, mscale) / magnitude_scale(rule.factor, mscale_all_dim);
  return magnitude_scale(rule.factor, 1);
}

inline Expected<void> check_mscale(std::string_view argument, std::optional<double> mscale) {
  if (!mscale || (*mscale >= 0 && *mscale <= 1e6)) return {};
  return invalid_argument(argument, *mscale, expected::from_to, {0, 1000000});
}

inline Expected<void> check_yarn(const Yarn& rule, double base) {
  for (auto&& checked :
       {check_factor("scaling.factor", rule.factor), check_original_length(rule.original_length),
        check_factor("scaling.betaFast", rule.beta_fast), check_factor("scaling.betaSlow", rule.beta_slow),
        check_attention_factor(rule.attention_factor), check_mscale("scaling.mscale", rule.mscale),
        check_mscale("scaling.mscaleAllDim", rule.mscale_all_dim)})
    if (!checked) return checked;
  if (rule.beta_fast < rule.beta_slow)
    return invalid_argument("scaling.betaFast", rule.beta_fast, expected::at_least_option, {"betaSlow"});
  if (base <= 1) return invalid_argument("base", base, expected::above, {1}, ", since YaRN divides by its logarithm");
  return {};
}

inline DoubleDouble YarnBlend::operator()(std::size_t i, const DoubleDouble& frequency) const {
  const DoubleDouble divided = frequency / DoubleDouble{factor, 0};
  const DoubleDouble ramp = (DoubleDouble{static_cast<double>(i), 0} - low) / width;
  if (ramp.high <= 0) return frequency;
  if (ramp.high >= 1) return divided;
  return divided * ramp + frequency * (DoubleDouble{1, 0} - ramp);
}

[[nodiscard]] inline Expected<YarnBlend> prepare(const Yarn& rule, const Context& context) {
  POSENC_TRY(check_yarn(rule, context.base));
  DoubleDouble low = index_of(rule.beta_fast, rule, context.progression);
  DoubleDouble high = index_of(rule.beta_slow, rule, context.progression);
  if (rule.truncate) {
    low = floor(low);
    high = -floor(-high);
  }
  const DoubleDouble last = context.progression.dim() - DoubleDouble{1, 0};
  if (low.high < 0) low = {};
  if ((high - last).high > 0) high = last;
  DoubleDouble width = high - low;
  if (width.high == 0) width = {0.001, 0};
  return YarnBlend{context.progression, rule.factor, low, width, attention_factor_of(rule).high};
}

/// How much of a frequency is kept, the rest of it being divided.
inline float float32_kept(const YarnBlend& rule, std::size_t i) {
  const float ramp = (static_cast<float>(i) - to_float(rule.low.high)) / to_float(rule.width.high);
  return 1.0f - std::clamp(ramp, 0.0f, 1.0f);
}

inline float float32_frequency(const YarnBlend& rule, std::size_t i, float power) {
  const float unchanged = 1.0f / power;
  const float divided = 1.0f / (to_float(rule.factor) * power);
  const float kept = float32_kept(rule, i);
  return divided * (1.0f - kept) + unchanged * kept;
}

}  // namespace posenc::scaling
