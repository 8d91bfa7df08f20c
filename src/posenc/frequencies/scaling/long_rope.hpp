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

[[nodiscard]] Expected<DividedEach> prepare(const LongRope& rule, const Context& context);

}  // namespace posenc::scaling
