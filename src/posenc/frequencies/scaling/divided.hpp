#pragma once

#include "posenc/base/check.hpp"
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
  if (auto checked = check_factor("scaling.factor", rule.factor); !checked) return std::unexpected(checked.error());
  return Divided{context.progression, rule.factor};
}

[[nodiscard]] Expected<Divided> prepare(const StaticNtk& rule, const Context& context);
[[nodiscard]] Expected<Divided> prepare(const DynamicNtk& rule, const Context& context);

}  // namespace posenc::scaling
