#pragma once

// What the options mean that functions of several rooms share.

#include "calls.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/frequencies/positions.hpp"

namespace posenc::embind {

/// `dim`, `base`, `exponent`, and `exponentDim`, `scaling`, `length`.
template <class Call>
[[nodiscard]] Expected<FrequencyPlan> frequency_plan(const Call& in) {
  FrequencyPlan plan;
  plan.frequencies.dim = in.dim;
  set(plan.frequencies.base, in.base);
  POSENC_TRY(set(plan.frequencies.exponent, in.exponent, exponent_from_name));
  POSENC_TRY_LET(scaling, in.scaling);
  plan.scaling = scaling;
  plan.exponent_dim = in.exponent_dim;
  plan.length = in.length;
  return plan;
}

/// The list of positions where there is one, else `count` of them from the offset on.
[[nodiscard]] Positions positions_of(const PositionList& list, std::optional<double> offset, std::size_t count);

}  // namespace posenc::embind
