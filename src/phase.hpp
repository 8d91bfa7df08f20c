#pragma once

#include "posenc/frequencies.hpp"

namespace posenc {

/// Sine and cosine of position * frequency for every frequency, in double: `sines` and `cosines` get
/// frequencies.padded_count() values each and stand on 64-byte boundaries.
///
/// Valid while |position * frequency| <= max_angle. Largest error: 1e-14 absolute. Position 0 gives exactly 0 and 1;
/// -position gives -sine and cosine, bit for bit. IEEE operations only: the same bits on every machine.
void sines_and_cosines(const Frequencies& frequencies, double position, double* sines, double* cosines);

}  // namespace posenc
