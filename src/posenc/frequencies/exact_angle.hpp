#pragma once

#include <cstddef>

#include "posenc/base/double_double.hpp"
#include "posenc/frequencies/frequencies.hpp"

namespace posenc {

/// Sine and cosine of an angle.
struct ExactAngle {
  DoubleDouble sine, cosine;
};

/// Those of position * frequency i, |position * frequency| <= max_angle, for the few values whose rounding double does
/// not settle. Largest error: 2^-46 of the sine and of the cosine, next to their zeros too, for the frequency 1, which
/// is used to 160 bits; for others what their 100 bits leave.
[[nodiscard]] ExactAngle exact_angle(const Frequencies& frequencies, double position, std::size_t i);

}  // namespace posenc
