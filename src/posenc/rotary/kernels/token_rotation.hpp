#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/aligned_array.hpp"
#include "posenc/frequencies/positions.hpp"
#include "posenc/rotary/kernels/rotate.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/sequence_shape.hpp"

namespace posenc {

/// Calls use(row of the batch, token, angles_at(i)) for every token; i counts the positions, [seq] or, if `per_batch`,
/// [batch, seq].
template <class AnglesAt, class Use>
void for_each_token(const SequenceShape& shape, bool per_batch, const AnglesAt& angles_at, const Use& use) {
  const std::size_t lists = per_batch ? shape.batch() : 1;
  const std::size_t sharing = per_batch ? 1 : shape.batch();
  for (std::size_t list = 0; list < lists; ++list)
    for (std::size_t s = 0; s < shape.sequence(); ++s) {
      const AngleRow<float> made = angles_at(list * shape.sequence() + s);
      for (std::size_t b = 0; b < sharing; ++b) use(list + b, s, made);
    }
}

/// Rotates the heads of a tensor in place, a token at a time; lanes from rotary_dim on stay as they are.
class TokenRotation {
 public:
  /// `shape` must outlive this. Errors: memory.
  [[nodiscard]] static Expected<TokenRotation> make(Layout layout, Direction direction, std::size_t rotary_dim,
                                                    const SequenceShape& shape);

  /// Every head of token `s` of row `b` of the batch.
  void operator()(float* x, std::size_t b, std::size_t s, AngleRow<float> angles);

  /// The whole tensor: angles_at(i) gives cosines and sines of index i of the positions, [seq] or, if `per_batch`,
  /// [batch, seq].
  template <class AnglesAt>
  void all(float* x, bool per_batch, const AnglesAt& angles_at) {
    for_each_token(*shape_, per_batch, angles_at,
                   [=, this](std::size_t b, std::size_t s, AngleRow<float> made) { (*this)(x, b, s, made); });
  }

 private:
  static constexpr std::size_t group = 4;  ///< heads rotated at once, at most

  void rotate(float* const (&heads)[group], std::size_t count, AngleRow<float> angles) const;
  void rotate_copy(float* head, std::size_t stride, AngleRow<float> angles);

  const SequenceShape* shape_ = nullptr;
  std::size_t pairs_ = 0;
  std::size_t together_ = 1;
  Layout layout_ = Layout::half;
  Direction direction_ = Direction::forward;
  AlignedArray<float> copy_;  ///< of the rotated lanes of a head, and room for the result; empty where it needs none
};

}  // namespace posenc
