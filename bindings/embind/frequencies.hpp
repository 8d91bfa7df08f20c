#pragma once

// What the options mean that functions of several rooms share.

#include "calls.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/frequencies/positions.hpp"

namespace posenc::embind {

/// A plan whose numbers are those given, with its words and its rule. Out of line: a copy for each struct is large.
[[nodiscard]] Expected<FrequencyPlan> finished(FrequencyPlan plan, const std::string& exponent,
                                               const Expected<Scaling>& scaling);

/// `dim`, `base`, `exponent`, and `exponentDim`, `scaling`, `length`.
template <class Call>
[[nodiscard]] Expected<FrequencyPlan> frequency_plan(const Call& in) {
  FrequencyPlan plan;
  plan.exponent_dim = in.exponent_dim;
  plan.length = in.length;
  plan.frequencies.dim = in.dim;
  set(plan.frequencies.base, in.base);
  return finished(std::move(plan), in.exponent, in.scaling);
}

/// The list of positions where there is one, else `count` of them from the offset on.
[[nodiscard]] Positions positions_of(const PositionList& list, std::optional<double> offset, std::size_t count);

}  // namespace posenc::embind
