#pragma once

#include <cmath>
#include <span>

#include "posenc/base/try.hpp"
#include "posenc/frequencies/scaling.hpp"
#include "posenc/frequencies/scaling/context.hpp"

namespace posenc::scaling {

/// The caller's numbers, exactly.
struct Listed {
  Progression progression;              ///< a rule must have one; not used here
  std::span<const double> frequencies;  ///< of the rule, which must outlive this
  double attention_factor = 1;

  [[nodiscard]] DoubleDouble operator()(std::size_t i, const DoubleDouble&) const { return {frequencies[i], 0}; }
};

[[nodiscard]] inline Expected<Listed> prepare(const Given& rule, const Context& context) {
  const std::span<const double> list = rule.frequencies;
  POSENC_TRY(check_one_each("scaling.frequencies", list.size(), context.count));
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!(std::fabs(list[i]) <= 9007199254740992.0))
      return invalid_argument("scaling.frequencies[" + decimal(i) + "]", list[i], expected::finite_at_most, {"2^53"});
  POSENC_TRY(check_attention_factor(rule.attention_factor));
  return Listed{context.progression, list, rule.attention_factor};
}

inline float float32_frequency(const Listed& rule, std::size_t i, float) { return to_float(rule.frequencies[i]); }

}  // namespace posenc::scaling
