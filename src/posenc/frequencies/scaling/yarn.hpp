#pragma once

#include "posenc/frequencies/scaling.hpp"
#include "posenc/frequencies/scaling/context.hpp"

namespace posenc::scaling {

/// Frequencies that YaRN's ramp blends from unchanged, below index `low`, to divided, above index `high`.
struct YarnBlend {
  Progression progression;
  double factor = 1;
  DoubleDouble low;
  DoubleDouble width;  ///< high - low, not 0
  double attention_factor = 1;

  [[nodiscard]] DoubleDouble operator()(std::size_t i, const DoubleDouble& frequency) const;
};

[[nodiscard]] Expected<YarnBlend> prepare(const Yarn& rule, const Context& context);

}  // namespace posenc::scaling
