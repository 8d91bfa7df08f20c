#pragma once

#include <span>

#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"

namespace posenc {

/// The same values in float32: exact, subnormals, infinities, signs of 0 and the bits of a NaN included.
/// Errors: sizes that differ.
[[nodiscard]] Expected<void> convert(ConstSpan16 from, std::span<float> to);

/// The values nearest to float32 ones, ties to the even; what rounds beyond the largest becomes infinite; a NaN becomes
/// a quiet one with the sign and the upper bits it had. The same bits on every machine. Errors: sizes that differ.
[[nodiscard]] Expected<void> convert(std::span<const float> from, Span16 to);

}  // namespace posenc
