#pragma once

#include <algorithm>

#include "posenc/base/try.hpp"
#include "posenc/frequencies/scaling.hpp"
#include "posenc/frequencies/scaling/context.hpp"

namespace posenc::scaling {

/// A progression divided by one number: no scaling, position interpolation, and NTK, which changes the base.
struct Divided {
  Progression progression;
  double divisor = 1;
  double attention_factor = 1;

  [[nodiscard]] DoubleDouble operator()(std::size_t, const DoubleDouble& frequency) const {
    return divisor == 1 ? frequency : frequency / DoubleDouble{divisor, 0};
  }
};

[[nodiscard]] inline Expected<Divided> prepare(const Default&, const Context& context) {
  return Divided{context.progression};
}

[[nodiscard]] inline Expected<Divided> prepare(const Linear& rule, const Context& context) {
  POSENC_TRY(check_factor("scaling.factor", rule.factor));
  return Divided{context.progression, rule.factor};
}

/// The progression of base b growth^(d/(d-2)).
inline Expected<Divided> with_larger_base(const Context& context, DoubleDouble growth) {
  const DoubleDouble d = context.progression.dim();
  if (d.high <= 2)
    return invalid_argument("dim", d.high, expected::more_than, {2}, ", since NTK raises to the power dim / (dim - 2)");
  Progression larger = context.progression;
  larger.ln_base = larger.ln_base + log(growth) * d / (d - DoubleDouble{2, 0});
  return Divided{larger};
}

[[nodiscard]] inline Expected<Divided> prepare(const Ntk& rule, const Context& context) {
  POSENC_TRY(check_factor("scaling.factor", rule.factor));
  return with_larger_base(context, {rule.factor, 0});
}

[[nodiscard]] inline Expected<Divided> prepare(const Dynamic& rule, const Context& context) {
  POSENC_TRY(check_factor("scaling.factor", rule.factor));
  POSENC_TRY(check_original_length(rule.original_length));
  POSENC_TRY_LET(length, length_of(context, "dynamic NTK"));
  // f m/L0 - (f - 1), without the cancellation near m = L0.
  const DoubleDouble excess = sum_exact(std::max(length, rule.original_length), -rule.original_length);
  const DoubleDouble growth =
      DoubleDouble{1, 0} + DoubleDouble{rule.factor, 0} * excess / DoubleDouble{rule.original_length, 0};
  return with_larger_base(context, growth);
}

inline float float32_frequency(const Divided& rule, std::size_t, float power) {
  return 1.0f / power / to_float(rule.divisor);
}

}  // namespace posenc::scaling
