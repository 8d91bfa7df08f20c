#include <algorithm>

#include "posenc/frequencies/scaling/divided.hpp"

namespace posenc::scaling {
namespace {

/// The progression of base b growth^(d/(d-2)).
Expected<Divided> with_larger_base(const Context& context, DoubleDouble growth) {
  const DoubleDouble d = context.progression.dim();
  if (d.high <= 2) return wrong("dim", d.high, {"more than 2, since NTK raises to the power dim / (dim - 2)"});
  Progression larger = context.progression;
  larger.ln_base = larger.ln_base + log(growth) * d / (d - DoubleDouble{2, 0});
  return Divided{larger};
}

}  // namespace

Expected<Divided> prepare(const StaticNtk& rule, const Context& context) {
  if (auto checked = check_factor("scaling.factor", rule.factor); !checked) return std::unexpected(checked.error());
  return with_larger_base(context, {rule.factor, 0});
}

Expected<Divided> prepare(const DynamicNtk& rule, const Context& context) {
  if (auto checked = check_factor("scaling.factor", rule.factor); !checked) return std::unexpected(checked.error());
  if (auto checked = check_original_length(rule.original_length); !checked) return std::unexpected(checked.error());
  const auto length = length_of(context, "dynamic NTK");
  if (!length) return std::unexpected(length.error());
  // f m/L0 - (f - 1), without the cancellation near m = L0.
  const DoubleDouble excess = sum_exact(std::max(*length, rule.original_length), -rule.original_length);
  const DoubleDouble growth =
      DoubleDouble{1, 0} + DoubleDouble{rule.factor, 0} * excess / DoubleDouble{rule.original_length, 0};
  return with_larger_base(context, growth);
}

}  // namespace posenc::scaling
