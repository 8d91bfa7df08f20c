#pragma once

#include <cmath>
#include <numbers>

namespace posenc::diagnosis {

inline constexpr double cycle = 2 * std::numbers::pi;

/// The phase without whole cycles: -pi ... pi.
[[nodiscard]] inline double wrapped(double phase) { return phase - cycle * std::nearbyint(phase / cycle); }

}  // namespace posenc::diagnosis
