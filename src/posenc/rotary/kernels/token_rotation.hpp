#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/aligned_array.hpp"
#include "posenc/frequencies/positions.hpp"
#include "posenc/rotary/kernels/rotate.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/sequence_shape.hpp"

namespace posenc {

/// Cosines and sines of tokens that follow each other, rows `stride` apart.
struct AngleRun {
  AngleRow<float> first;
  std::size_t tokens = 1, stride = 0;
};

/// Rotates the heads of a tensor in place, a token or a block of them at a time; dimensions from rotary_dim on stay as
/// they are.
class TokenRotation {
 public:
  /// `shape` must outlive this. Errors: memory.
  [[nodiscard]] static Expected<TokenRotation> make(Layout layout, Direction direction, std::size_t rotary_dim,
                                                    const SequenceShape& shape);

  /// The whole tensor: angles_at(i, most) gives an AngleRun from index i of the positions on, of `most` tokens at most;
  /// these are [seq] or, if `per_batch`, [batch, seq].
  template <class AnglesAt>
  void all(float* x, bool per_batch, const AnglesAt& angles_at) {
    const std::size_t lists = per_batch ? shape_->batch() : 1, sequence = shape_->sequence();
    for (std::size_t list = 0; list < lists; ++list)
      for (std::size_t s = 0; s < sequence;) {
        const AngleRun run = angles_at(list * sequence + s, shape_->dim_stride() == 1 ? sequence - s : 1);
        add(x, list, per_batch ? 1 : shape_->batch(), s, run);
        s += run.tokens;
      }
  }

 private:
  void add(float* x, std::size_t b, std::size_t rows, std::size_t s, const AngleRun& made);
  void rotate(float* x, std::size_t b, std::size_t s, const AngleRun& run);
  void rotate_block(float* x, std::size_t count, std::size_t tokens, const AngleRow<float>& angles);

  const SequenceShape* shape_ = nullptr;
  HeadRotation heads_{};
  // Where dimensions are not contiguous:
  bool in_columns_ = false;  ///< the sequence is the last axis
  std::size_t run_ = 1;      ///< heads rotated at once, side by side
  std::size_t block_ = 1;    ///< tokens rotated at once: those that are closer to each other than dimensions are
  /// Cosines of a block of several tokens, a pair's in a row, and their sines; then a copy of dimensions that go to
  /// other places, where some do.
  AlignedArray<float> memory_;
};

}  // namespace posenc
