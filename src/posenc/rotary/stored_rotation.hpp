#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/aligned_array.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/stored_kernels.hpp"
#include "posenc/rotary/token_rotation.hpp"

namespace posenc {

/// What TokenRotation is for float32, for values of 16 bits.
class StoredRotation {
 public:
  /// `shape` must outlive this. Errors: memory.
  [[nodiscard]] static Expected<StoredRotation> make(Storage storage, Layout layout, Direction direction,
                                                     std::size_t rotary_dim, const SequenceShape& shape);

  /// The whole tensor, as TokenRotation::all.
  template <class TurnOf>
  void all(std::uint16_t* x, bool per_batch, const TurnOf& turn) {
    const auto set = [&](std::size_t i) {
      const Turn made = turn(i);
      turn_ = order_turn(storage_, layout_, made, pairs_, ordered_.data());
      return made;
    };
    for_each_token(*shape_, per_batch, set, [=, this](std::size_t b, std::size_t s, Turn) { rotate_token(x, b, s); });
  }

 private:
  void rotate_token(std::uint16_t* x, std::size_t b, std::size_t s);
  void rotate_together(std::uint16_t* first, std::size_t count, std::size_t stride);
  void rotate_apart(std::uint16_t* head, std::size_t lane_stride);

  const SequenceShape* shape_ = nullptr;
  std::size_t pairs_ = 0;
  Storage storage_ = Storage::float16;
  Layout layout_ = Layout::half;
  Direction direction_ = Direction::forward;
  StoredTurn turn_;
  AlignedArray<float> ordered_;       ///< what turn_ points into
  AlignedArray<std::uint16_t> copy_;  ///< of a head's rotated lanes, and a block
};

}  // namespace posenc
