#pragma once

#include <cstdint>
#include <vector>

#include "posenc/diagnosis/bias/bias_profile.hpp"

namespace posenc::diagnosis {

/// Distances at which key and query may meet by a bias's values: 0, which is right; where values are smallest; where a
/// line through them is 0; the last that is not masked, and a few around it; where queries would start at 0.
[[nodiscard]] std::vector<std::int64_t> bias_centres(const BiasProfile& profile);

}  // namespace posenc::diagnosis
