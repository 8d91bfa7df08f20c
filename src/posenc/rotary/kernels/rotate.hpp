#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/check.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// An Error unless rotary_dim is even and in 2 ... dim.
[[nodiscard]] inline Expected<void> check_rotary_dim(std::int64_t rotary_dim, std::int64_t dim) {
  if (rotary_dim >= 2 && rotary_dim <= dim && rotary_dim % 2 == 0) return {};
  return invalid_argument("rotaryDim", static_cast<double>(rotary_dim), expected::even_to_dim, {dim});
}

/// Where the pairs of a head are in Layout::half and Layout::interleaved: pair i is dimensions first(i), second(i).
struct HalfPairs {
  std::size_t pairs;
  static constexpr std::size_t stride = 1;
  [[nodiscard]] std::size_t gap() const { return pairs; }
  [[nodiscard]] std::size_t first(std::size_t i) const { return i; }
  [[nodiscard]] std::size_t second(std::size_t i) const { return i + pairs; }
};
struct InterleavedPairs {
  std::size_t pairs;
  static constexpr std::size_t stride = 2;
  [[nodiscard]] std::size_t gap() const { return 1; }
  [[nodiscard]] std::size_t first(std::size_t i) const { return 2 * i; }
  [[nodiscard]] std::size_t second(std::size_t i) const { return 2 * i + 1; }
};

/// Heads at equal distances; the dimensions of each are contiguous.
struct HeadRun {
  float* first;
  std::size_t count, stride;
};

/// How heads are rotated.
struct HeadRotation {
  Layout layout;
  Direction direction;
  std::size_t pairs;
  float* copy;  ///< holds half the dimensions of a head, with Layout::deinterleaved
};

/// How often heads are rotated: the next ones are `stride` further, and their angles `angles`.
struct HeadRepeats {
  std::size_t count = 1, stride = 0, angles = 0;
};

/// Rotates every pair, in place: all heads by the same angles, or each by the row `angle_stride` behind the last one's.
void rotate_heads(const HeadRotation& rotation, const HeadRun& heads, const AngleRow<float>& angles,
                  std::size_t angle_stride = 0, const HeadRepeats& repeats = {});

/// Where dimensions are that are not contiguous: those of pair i at i * stride and `gap` behind it, those of the
/// next token `token` further.
struct DimPlaces {
  std::size_t stride, gap, token;
};

/// Says which dimensions are rotated: of each of `pairs` and each of `tokens`, `count` values in a row.
struct DimBlock {
  std::size_t pairs, tokens, count;
  bool in_columns;  ///< the values in a row are those of `count` tokens
};

/// Rotates pairs from their places in `in` to those in `out`, which are the same or do not overlap. The angles of a
/// pair are those of each token in a row, those of the next pair angle_stride further.
void rotate_dims(const float* in, const DimPlaces& from, float* out, const DimPlaces& to, const DimBlock& block,
                 const AngleRow<float>& angles, std::size_t angle_stride);

}  // namespace posenc
