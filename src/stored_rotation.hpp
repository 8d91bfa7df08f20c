#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/aligned_array.hpp"
#include "posenc/rotary.hpp"
#include "token_rotation.hpp"

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
    for_each_token(*shape_, per_batch, turn,
                   [=, this](std::size_t b, std::size_t s, const Turn& made) { (*this)(x, b, s, made); });
  }

  /// Every head of token `s` of row `b` of the batch.
  void operator()(std::uint16_t* x, std::size_t b, std::size_t s, Turn turn);

 private:
  void set(Turn turn);
  void rotate(std::uint16_t* head);
  void rotate_pairs(std::uint16_t* head);
  void rotate_in_float32(std::uint16_t* head);

  const SequenceShape* shape_ = nullptr;
  std::size_t pairs_ = 0;
  std::size_t padded_ = 0;  ///< the same, in whole blocks of the kernels
  Storage storage_ = Storage::float16;
  Layout layout_ = Layout::half;
  Direction direction_ = Direction::forward;
  Turn turn_{};
  bool turns_small_ = false;          ///< whether values that are small stay so
  AlignedArray<float> ordered_;       ///< the cosines, then the sines, as the kernels take them
  AlignedArray<float> wide_;          ///< a head's rotated lanes
  AlignedArray<std::uint16_t> copy_;  ///< the same, room to change their order, and two blocks
};

}  // namespace posenc
