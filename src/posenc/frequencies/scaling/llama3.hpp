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
  for (auto&& checked : {check_factor("scaling.factor", rule.factor),
                         check_factor("scaling.lowFrequencyFactor", rule.low_frequency_factor),
                         check_factor("scaling.highFrequencyFactor", rule.high_frequency_factor),
                         check_original_length(rule.original_length)})
    if (!checked) return std::unexpected(checked.error());
  if (rule.high_frequency_factor < rule.low_frequency_factor)
    return wrong("scaling.highFrequencyFactor", rule.high_frequency_factor,
                 {"a number that is at least lowFrequencyFactor"});
  return Llama3Blend{context.progression, rule};
}

}  // namespace posenc::scaling
