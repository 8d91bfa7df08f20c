#pragma once

#include "crossing.hpp"
#include "posenc/frequencies/scaling.hpp"

namespace posenc::embind {

/// The rule an object { type, ... } describes; no rule for `undefined`. The TypeScript side has checked the types.
[[nodiscard]] Expected<Scaling> scaling_from(const val& object);

/// The object that describes a rule.
[[nodiscard]] val object_of(Scaling scaling);

/// The whole plan. `exponent_dim` and `length`: NaN when not given.
[[nodiscard]] Expected<FrequencyPlan> frequency_plan(double dim, double base, const std::string& exponent, double shift,
                                                     double scale, double exponent_dim, const val& scaling,
                                                     double length);

}  // namespace posenc::embind
