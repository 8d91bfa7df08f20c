#pragma once

#include <vector>

#include "posenc/frequencies/frequencies.hpp"
#include "testing/reference.hpp"

namespace reference {

struct Scaled {
  std::vector<Quad> frequencies;  ///< radians per position
  Quad attention_factor = 1;
};

/// Computes a plan's rule by the formulas as they are published.
[[nodiscard]] Scaled scaled(const posenc::FrequencyPlan& plan);

/// The largest whole number <= x.
[[nodiscard]] Quad floor(Quad x);

}  // namespace reference
