#pragma once

#include <span>

#include "posenc/base/try.hpp"
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
  POSENC_TRY(check_one_each(argument, divisors.size(), count));
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
  POSENC_TRY(check_factor("scaling.factor", rule.factor));
  POSENC_TRY(check_original_length(rule.original_length));
  POSENC_TRY(check_attention_factor(rule.attention_factor));
  POSENC_TRY(check_divisors("scaling.shortFactor", rule.short_factor, context.count));
  POSENC_TRY(check_divisors("scaling.longFactor", rule.long_factor, context.count));
  POSENC_TRY_LET(length, length_of(context, "LongRoPE"));
  const bool is_long = length > rule.original_length;
  return DividedEach{context.progression, is_long ? rule.long_factor : rule.short_factor, attention_factor_of(rule)};
}

inline float float32_frequency(const DividedEach& rule, std::size_t i, float power) {
  return 1.0f / (to_float(rule.divisors[i]) * power);
}

}  // namespace posenc::scaling
