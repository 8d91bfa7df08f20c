#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/dtype.hpp"
#include "posenc/rotary/kernels/token_rotation.hpp"

namespace posenc {

/// Heads whose dimensions are contiguous.
struct Heads16 {
  std::uint16_t* first;
  std::size_t stride, count;
};

/// Does what TokenRotation does, for values of 16 bits: pairs are rotated in place, in float32, each result rounded
/// once.
class TokenRotation16 {
 public:
  /// `shape` must outlive this. Errors: memory.
  [[nodiscard]] static Expected<TokenRotation16> make(DType dtype, Layout layout, Direction direction,
                                                      std::size_t rotary_dim, const SequenceShape& shape);
  /// The whole tensor: angles_at(i) gives cosines and sines of index i of the positions, [seq] or, if `per_batch`,
  /// [batch, seq].
  template <class AnglesAt>
  void all(std::uint16_t* x, bool per_batch, const AnglesAt& angles_at) {
    const std::size_t lists = per_batch ? shape_->batch() : 1, rows = per_batch ? 1 : shape_->batch();
    for (std::size_t list = 0; list < lists; ++list)
      for (std::size_t s = 0; s < shape_->sequence(); ++s) {
        set(angles_at(list * shape_->sequence() + s));
        for (std::size_t row = list; row < list + rows; ++row) rotate_token(x, row, s);
      }
  }

  /// The angles of what is rotated next.
  void set(AngleRow<float> angles);

 private:
  /// Half or interleaved heads.
  void rotate_together(const Heads16& heads);
  void rotate_token(std::uint16_t* x, std::size_t b, std::size_t s);
  void rotate_copy(std::uint16_t* head, std::size_t dim_stride);

  const SequenceShape* shape_ = nullptr;
  std::size_t pairs_ = 0;
  DType dtype_ = DType::float16;
  Layout layout_ = Layout::half;
  Direction direction_ = Direction::forward;
  AlignedArray<float> ordered_;       ///< cosines and sines as the kernels take them, each padded to whole blocks
  bool scaled_ = false;               ///< whether those are small_scale (words16.hpp) times what they were
  AlignedArray<std::uint16_t> copy_;  ///< of a head's rotated dimensions, and a block
};

}  // namespace posenc
