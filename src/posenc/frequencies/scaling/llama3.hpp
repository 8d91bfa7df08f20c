#pragma once

#include "posenc/frequencies/scaling.hpp"
#include "posenc/frequencies/scaling/context.hpp"

namespace posenc::scaling {

/// Frequencies that are kept, divided or blended by how many cycles they make in L0 positions.
struct Llama3Blend {
  Progression progression;
  Llama3 rule;
  double attention_factor = 1;

  [[nodiscard]] DoubleDouble operator()(std::size_t i, const DoubleDouble& frequency) const;
};

inline DoubleDouble Llama3Blend::operator()(std::size_t, const DoubleDouble& frequency) const {
  const DoubleDouble cycles = frequency * cycles_per_radian * DoubleDouble{rule.original_length, 0};
  const DoubleDouble below_high = DoubleDouble{rule.high_frequency_factor, 0} - cycles;
  const DoubleDouble above_low = cycles - DoubleDouble{rule.low_frequency_factor, 0};
  const DoubleDouble divided = frequency / DoubleDouble{rule.factor, 0};
  // When low = high one of these two holds: the blend, then 0/0, is never reached.
  if (below_high.high <= 0) return frequency;
  if (above_low.high <= 0) return divided;
  const DoubleDouble width = sum_exact(rule.high_frequency_factor, -rule.low_frequency_factor);
  return (divided * below_high + frequency * above_low) / width;
}

[[nodiscard]] inline Expected<Llama3Blend> prepare(const Llama3& rule, const Context& context) {
  POSENC_TRY(check_factor("scaling.factor", rule.factor));
  POSENC_TRY(check_factor("scaling.lowFrequencyFactor", rule.low_frequency_factor));
  POSENC_TRY(check_factor("scaling.highFrequencyFactor", rule.high_frequency_factor));
  POSENC_TRY(check_original_length(rule.original_length));
  if (rule.high_frequency_factor < rule.low_frequency_factor)
    return invalid_argument("scaling.highFrequencyFactor", rule.high_frequency_factor, expected::at_least_option,
                            {"lowFrequencyFactor"});
  return Llama3Blend{context.progression, rule};
}

inline float float32_frequency(const Llama3Blend& blend, std::size_t, float power) {
  const Llama3& rule = blend.rule;
  const float unchanged = 1.0f / power;
  const float wavelength = 1.0f / unchanged * to_float(radians_per_cycle.high);
  const bool is_long = wavelength > to_float(rule.original_length / rule.low_frequency_factor);
  const bool is_short = wavelength < to_float(rule.original_length / rule.high_frequency_factor);
  const float changed = is_long ? unchanged / to_float(rule.factor) : unchanged;
  const double width = rule.high_frequency_factor - rule.low_frequency_factor;
  if (is_long || is_short || width == 0) return changed;
  const float cycles = 1.0f / wavelength * to_float(rule.original_length);
  const float smooth = (cycles - to_float(rule.low_frequency_factor)) / to_float(width);
  return (1.0f - smooth) * changed / to_float(rule.factor) + smooth * changed;
}

}  // namespace posenc::scaling
