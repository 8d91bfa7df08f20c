#pragma once

#include "posenc/key_cache/key_type.hpp"

namespace posenc {

/// Holds what happens to a key.
struct KeyStep {
  KeyType from = KeyType::float32;
  KeyType to = KeyType::float32;
  bool is_rotated = false;  ///< else its values are at most rounded to another type, or change places
  bool moves_dims = false;  ///< to another layout
  bool is_scaled = false;   ///< cosines and sines are multiplied by a factor or a scale
};

/// How far a dimension may then be from what the real-number formulas make of it, as a part of the largest Euclidean
/// norm that a pair of its head should have, for q8_0 of that and of magnitudes beside it. As certificate.hpp counts:
/// cosines and sines within 0.501 * 2^-24 (with factors 1.001 * 2^-24), products and sums in float32, one rounding to
/// the type. For values that are neither subnormal nor beyond their type. Rounded up.
[[nodiscard]] double error_of(const KeyStep& step);

/// The last place of values from 0.5 to 1; of q8_0 a step of a block whose largest value is 1.
[[nodiscard]] double last_place_of(KeyType type);

}  // namespace posenc
