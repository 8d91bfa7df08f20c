#pragma once

#include "posenc/key_cache/key_type.hpp"

namespace posenc {

/// How far keys may be from what the real-number formulas make of their first bits, as a part of R: the largest
/// Euclidean norm of a pair that they should have, for q8_0 the largest of the head and of magnitudes beside them.
struct KeyError {
  double pair = 0;       ///< the Euclidean norm of a pair's error
  double dimension = 0;  ///< of one dimension

  bool operator==(const KeyError&) const = default;
};

/// Holds what happens to a key in one step.
struct KeyStep {
  KeyType from = KeyType::float32;
  KeyType to = KeyType::float32;
  bool is_rotated = false;  ///< else its values are at most rounded to another type, or change places
  bool moves_dims = false;  ///< to another layout
  bool is_scaled = false;   ///< cosines and sines are multiplied by a factor or a scale
  double spread = 1;        ///< the largest of these over the smallest
};

/// The bound after a step, by the bound before it, as certificate.hpp counts: cosines and sines within 0.501 * 2^-24
/// (with factors 1.001 * 2^-24), products and sums in float32, one rounding to the type. For values that are neither
/// subnormal nor beyond their type. Rounded up.
[[nodiscard]] KeyError after(const KeyError& before, const KeyStep& step);

/// The last place of values from 0.5 to 1; of q8_0 a step of a block whose largest value is 1.
[[nodiscard]] double last_place_of(KeyType type);

}  // namespace posenc
