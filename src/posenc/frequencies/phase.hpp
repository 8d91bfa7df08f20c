#pragma once

#include <cmath>
#include <cstddef>

#include "posenc/frequencies/frequencies.hpp"

namespace posenc {

/// Whether phases are exact for a position and frequencies up to this one: |position * frequency| <= max_angle and,
/// so that splitting does not overflow where frequencies are 0, |position| <= 2^990. Not for NaN.
[[nodiscard]] inline bool has_exact_phases(double position, double largest_frequency) {
  const double magnitude = std::fabs(position);
  return magnitude <= 0x1p990 && magnitude * largest_frequency <= max_angle;
}

/// Sine and cosine of position * frequency for every frequency, in double: `sines` and `cosines` get
/// frequencies.padded_count() values each, on 64-byte boundaries.
///
/// Valid while |position * frequency| <= max_angle. Largest error: 1e-14 absolute. Position 0 gives exactly 0 and 1;
/// -position gives -sine and cosine, bit for bit. IEEE operations only: the same bits on every machine. Whole positions
/// are computed from their parts (position_parts.hpp); AngleRows does that for many with less work.
void sines_and_cosines(const Frequencies& frequencies, double position, double* sines, double* cosines);

/// The same of a position as it is, in one part.
void direct_sines_and_cosines(const Frequencies& frequencies, double position, double* sines, double* cosines);

/// Sines and cosines of a + sign * b, sign 1 or -1, from those of a and b: `padded_count` of them, a multiple of
/// Frequencies::lane_block, all on 64-byte boundaries. The outputs may be those of a.
void add_angles(const double* sines_a, const double* cosines_a, double sign, const double* sines_b,
                const double* cosines_b, std::size_t padded_count, double* sines, double* cosines);

/// Adds position * frequency, less whole cycles, to `cycles` (frequencies.padded_count() values on a 64-byte boundary),
/// for angles that are sums. Each call adds at most half a cycle and an error of 1e-16 cycles.
void add_cycles(const Frequencies& frequencies, double position, double* cycles);

/// Sine and cosine of angles in cycles, |cycles| < 2^20: `padded_count` of them, a multiple of Frequencies::lane_block,
/// on 64-byte boundaries all. Largest error: 1e-14 absolute, for cycles that are exact.
void sines_and_cosines(const double* cycles, std::size_t padded_count, double* sines, double* cosines);

}  // namespace posenc
