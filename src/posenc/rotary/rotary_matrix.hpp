#pragma once

#include <span>

#include "posenc/base/error.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// The matrix R [dim, dim], row-major, by which a head is multiplied at `position`: R x is what `apply` makes of x.
/// Block-diagonal where pairs are interleaved; 1 on the diagonal for lanes that pass through. For inspection, and for
/// small dims: it is dim^2 values where rotation needs dim.
/// Errors: those of Positions::check; a size other than dim * dim; memory. Largest error: that of Rotary::cache.
[[nodiscard]] Expected<void> rotary_matrix(const Rotary& rotary, double position, Direction direction,
                                           std::span<float> out);

}  // namespace posenc
