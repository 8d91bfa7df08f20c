#pragma once

namespace posenc {

/// Sines and cosines of a position times each frequency: the one view of them that every kernel takes. AngleRows and
/// RotaryAngles pad them to whole vectors and put them on 64-byte boundaries.
template <class Scalar>
struct AngleRow {
  const Scalar* sines = nullptr;
  const Scalar* cosines = nullptr;
};

}  // namespace posenc
