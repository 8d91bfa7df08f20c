#include "posenc/rotary/kernels/token_rotation.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// Limits, where dimensions are not contiguous, how many values in a row of each are rotated before the next, if they
/// can be.
constexpr std::size_t values_in_row = 256;

}  // namespace

Expected<TokenRotation> TokenRotation::make(Layout layout, Direction direction, std::size_t rotary_dim,
                                            const SequenceShape& shape) {
  TokenRotation made;
  made.shape_ = &shape;
  const bool in_rows = shape.dim_stride() == 1;
  made.in_columns_ = !in_rows && shape.sequence_stride() == 1 && shape.sequence() > 1;
  if (!in_rows && !made.in_columns_ && shape.run_stride() == 1)
    made.run_ = std::clamp<std::size_t>(shape.run(), 1, values_in_row);
  if (!in_rows && shape.sequence_stride() < shape.dim_stride())
    made.block_ = std::clamp<std::size_t>(values_in_row / made.run_, 1, std::max<std::size_t>(shape.sequence(), 1));
  const std::size_t angles = made.block_ > 1 ? made.block_ * rotary_dim : 0;
  const std::size_t copied = layout == Layout::deinterleaved ? made.block_ * made.run_ * rotary_dim : 0;
  POSENC_TRY_LET(memory, AlignedArray<float>::make_unfilled(angles + copied));
  made.memory_ = std::move(memory);
  made.heads_ = {layout, direction, rotary_dim / 2, made.memory_.data() + angles};
  return made;
}

/// `count` values in a row of every dimension, of each of `tokens`.
void TokenRotation::rotate_block(float* x, std::size_t count, std::size_t tokens, const AngleRow<float>& angles) {
  const std::size_t dimension = shape_->dim_stride(), pairs = heads_.pairs, next = shape_->sequence_stride();
  if (in_columns_) count = std::exchange(tokens, 1);
  const DimBlock block{pairs, tokens, count, in_columns_};
  const DimPlaces half{dimension, pairs * dimension, next}, interleaved{2 * dimension, dimension, next};
  if (heads_.layout != Layout::deinterleaved) {
    const DimPlaces places = heads_.layout == Layout::half ? half : interleaved;
    return rotate_dims(x, places, x, places, block, angles, block_);
  }
  float* to = heads_.copy;
  for (std::size_t i = 0; i < 2 * pairs; ++i)
    for (std::size_t t = 0; t < tokens; ++t, to += count) std::copy_n(x + i * dimension + t * next, count, to);
  const std::size_t copied = tokens * count;
  if (heads_.direction == Direction::forward)
    rotate_dims(heads_.copy, {2 * copied, copied, count}, x, half, block, angles, block_);
  else
    rotate_dims(heads_.copy, {copied, pairs * copied, count}, x, interleaved, block, angles, block_);
}

/// The heads of the run's tokens from token `s` on.
void TokenRotation::rotate(float* x, std::size_t b, std::size_t s, const AngleRun& run) {
  const std::size_t next = shape_->sequence_stride();
  shape_->for_each_run(b, s, [=, this](std::size_t offset, std::size_t count, std::size_t stride) {
    float* const first = x + offset;
    if (shape_->dim_stride() != 1) {
      for (std::size_t i = 0; i < count; i += run_)
        rotate_block(first + i * stride, std::min(run_, count - i), run.tokens, run.first);
      return;
    }
    // Head by head where a head's tokens are closer to each other than a token's heads, else token by token.
    if (run.tokens > 1 && next < stride)
      rotate_heads(heads_, {first, run.tokens, next}, run.first, run.stride, {count, stride});
    else
      rotate_heads(heads_, {first, count, stride}, run.first, 0, {run.tokens, next, run.stride});
  });
}

void TokenRotation::add(float* x, std::size_t b, std::size_t rows, std::size_t s, const AngleRun& made) {
  AngleRun run = made;
  if (block_ > 1) {
    float* const cosines = memory_.data();
    float* const sines = cosines + block_ * heads_.pairs;
    const std::size_t token = s % block_;
    for (std::size_t i = 0; i < heads_.pairs; ++i) {
      cosines[i * block_ + token] = made.first.cosines[i];
      sines[i * block_ + token] = made.first.sines[i];
    }
    if (token + 1 < block_ && s + 1 < shape_->sequence()) return;
    run = {{sines, cosines}, token + 1};
    s -= token;
  }
  for (std::size_t row = b; row < b + rows; ++row) rotate(x, row, s, run);
}

}  // namespace posenc
