#pragma once

#include "posenc/frequencies/scaling.hpp"
#include "posenc/frequencies/scaling/context.hpp"

namespace posenc::scaling {

/// Frequencies that are kept, divided or blended, by their number of rotations in L0 positions.
struct Llama3Blend {
  Progression progression;
  Llama3 rule;
  double attention_factor = 1;

  [[nodiscard]] DoubleDouble operator()(std::size_t i, const DoubleDouble& frequency) const;
};

[[nodiscard]] Expected<Llama3Blend> prepare(const Llama3& rule, const Context& context);

}  // namespace posenc::scaling
