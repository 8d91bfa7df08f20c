#pragma once

#include "posenc/base/error.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// How far two rotations are apart for a query and a key that are `distance` positions from one another: the largest
/// over all pairs, pair i of the one beside pair i of the other.
struct RotaryDifference {
  double angle = 0;   ///< of the angles, in radians, whole turns included
  double cosine = 0;  ///< of the cosines, each times its attention factor
  /// The largest difference of the scores q k, for q and k of length 1 in the rotated dimensions: |m^2 e^(i a) - n^2
  /// e^(i b)| with angles a, b and attention factors m, n. No q and k differ by more, and some by this. Where the
  /// layouts differ, pairs are of other dimensions, and it is m^2 + n^2, a bound.
  double score = 0;
};

/// Errors: rotary_dims that differ ("b"), distances that Positions::check refuses. Largest error: 4 * 2^-53 of the
/// angle, 1e-15 times the factors of the others.
[[nodiscard]] Expected<RotaryDifference> rotary_difference(const Rotary& a, const Rotary& b, double distance);

}  // namespace posenc
