#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/dtype.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/token_rotation.hpp"

namespace posenc {

// Rotation of pairs of 16-bit values in place, in float32, each result rounded once.

/// Pairs that one step of the kernels takes.
[[nodiscard]] std::size_t stored_block();

/// Cosines and sines as the kernels take them.
struct StoredTurn {
  const float* cosines = nullptr;
  const float* sines = nullptr;
  bool scaled = false;
};

/// Writes 2 * `pairs` values, each half padded to whole blocks, to `ordered`, which must be on a 64-byte boundary and
/// outlive the result.
[[nodiscard]] StoredTurn order_turn(Storage storage, Layout layout, Turn turn, std::size_t pairs, float* ordered);

/// Heads that are rotated by the same angles.
struct StoredHeads {
  std::uint16_t* first;
  std::size_t count, stride;
  std::size_t pairs;  ///< from the first half of a head's lanes to the second
};

/// `pairs` of each head, whole blocks, in Layout::half; in any other as adjacent lanes.
void rotate(Storage storage, Layout layout, const StoredHeads& heads, std::size_t pairs, StoredTurn turn);

}  // namespace posenc
