#pragma once

#include <cmath>

#include "posenc/base/try.hpp"
#include "posenc/frequencies/scaling.hpp"
#include "posenc/frequencies/scaling/divided.hpp"

namespace posenc::scaling {

/// A divided progression of which only the first terms are not 0.
struct Beginning {
  Progression progression;
  Divided divided;
  std::size_t rotating = 0;
  double attention_factor = 1;

  [[nodiscard]] DoubleDouble operator()(std::size_t i, const DoubleDouble& frequency) const {
    return i < rotating ? divided(i, frequency) : DoubleDouble{};
  }
};

[[nodiscard]] inline Expected<Beginning> prepare(const Proportional& rule, const Context& context) {
  const bool is_fraction = rule.fraction >= 0 && rule.fraction <= 1;
  if (!is_fraction) return invalid_argument("scaling.fraction", rule.fraction, expected::from_to, {0, 1});
  POSENC_TRY(check_factor("scaling.factor", rule.factor));
  const double pairs = std::floor(rule.fraction * context.dim / 2);
  return Beginning{context.progression, {context.progression, rule.factor}, static_cast<std::size_t>(pairs)};
}

inline float float32_frequency(const Beginning& rule, std::size_t i, float power) {
  return i < rule.rotating ? float32_frequency(rule.divided, i, power) : 0.0f;
}

}  // namespace posenc::scaling
