#pragma once

#include <span>

#include "posenc/frequencies/scaling.hpp"
#include "posenc/frequencies/scaling/context.hpp"

namespace posenc::scaling {

/// A progression of which each term has its own divisor.
struct DividedEach {
  Progression progression;
  std::span<const double> divisors;  ///< of the rule, which must outlive this
  double attention_factor = 1;

  [[nodiscard]] DoubleDouble operator()(std::size_t i, const DoubleDouble& frequency) const {
    return frequency / DoubleDouble{divisors[i], 0};
  }
};

inline Expected<void> check_divisors(std::string_view argument, std::span<const double> divisors, std::size_t count) {
  if (auto checked = check_one_each(argument, divisors.size(), count); !checked) return checked;
  for (std::size_t i = 0; i < count; ++i)
    if (auto checked = check_factor(argument, divisors[i]); !checked) {
      checked.error().argument.append("[").append(decimal(i)).append("]");
      return checked;
    }
  return {};
}

inline double attention_factor_of(const Longrope& rule) {
  if (rule.attention_factor) return *rule.attention_factor;
  if (rule.factor <= 1) return 1;
  return square_root(DoubleDouble{1, 0} + log(rule.factor) / log(rule.original_length)).high;
}

[[nodiscard]] inline Expected<DividedEach> prepare(const Longrope& rule, const Context& context) {
  for (auto&& checked : {check_factor("scaling.factor", rule.factor), check_original_length(rule.original_length),
                         check_attention_factor(rule.attention_factor),
                         check_divisors("scaling.shortFactor", rule.short_factor, context.count),
                         check_divisors("scaling.longFactor", rule.long_factor, context.count)})
    if (!checked) return error_of(checked);
  const auto length = length_of(context, "LongRoPE");
  if (!length) return error_of(length);
  const bool is_long = *length > rule.original_length;
  return DividedEach{context.progression, is_long ? rule.long_factor : rule.short_factor, attention_factor_of(rule)};
}

inline float float32_frequency(const DividedEach& rule, std::size_t i, float power) {
  return 1.0f / (to_float(rule.divisors[i]) * power);
}

}  // namespace posenc::scaling
