#pragma once

#include <cmath>
#include <numbers>

namespace posenc::diagnosis {

inline constexpr double turn = 2 * std::numbers::pi;

/// A phase less whole turns: -pi ... pi.
[[nodiscard]] inline double wrapped(double phase) { return phase - turn * std::nearbyint(phase / turn); }

}  // namespace posenc::diagnosis
