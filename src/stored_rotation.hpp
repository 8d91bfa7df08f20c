#pragma once

#include <cstddef>

#include "posenc/aligned_array.hpp"
#include "posenc/rotary.hpp"
#include "token_rotation.hpp"

namespace posenc {

/// What TokenRotation is for float32, for values of 16 bits: a vector of words becomes two of float32, which are
/// rotated and rounded back, without a detour through memory.
template <HalfStorage T>
class StoredRotation {
 public:
  /// `shape` must outlive this. Errors: memory.
  [[nodiscard]] static Expected<StoredRotation> make(Layout layout, Direction direction, std::size_t rotary_dim,
                                                     const SequenceShape& shape);

  /// The whole tensor, as TokenRotation::all.
  template <class TurnOf>
  void all(T* x, bool per_batch, const TurnOf& turn) {
    for_each_token(*shape_, per_batch, turn,
                   [=, this](std::size_t b, std::size_t s, const Turn& made) { (*this)(x, b, s, made); });
  }

  /// Every head of token `s` of row `b` of the batch.
  void operator()(T* x, std::size_t b, std::size_t s, Turn turn);

 private:
  void set(Turn turn);
  void rotate(T* head);
  void rotate_pairs(T* head);
  void rotate_in_float32(T* head);

  const SequenceShape* shape_ = nullptr;
  std::size_t pairs_ = 0;
  Layout layout_ = Layout::half;
  Direction direction_ = Direction::forward;
  Turn turn_{};
  bool turns_small_ = false;     ///< whether what is small stays so
  AlignedArray<float> ordered_;  ///< the cosines, then the sines, as the words hold the pairs
  AlignedArray<float> wide_;     ///< a head's rotated lanes
  AlignedArray<T> copy_;         ///< the same, and room to change their order
};

}  // namespace posenc
