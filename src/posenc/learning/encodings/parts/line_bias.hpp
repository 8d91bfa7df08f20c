#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/base/aligned_array.hpp"
#include "posenc/learning/encoding.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc::learning {

/// One line of values for each head: a value for each distance, key position - query position, that a pass can have.
struct DistanceLines {
  float* zero;               ///< the first head's value of distance 0
  std::size_t stride;        ///< from a head's line to the next
  std::int32_t least, most;  ///< most is 0 where a pass is causal; else the lines reach as far on both sides

  /// A head's value of distance 0; line[d] is that of distance d.
  [[nodiscard]] float* of(std::size_t head) const { return zero + head * stride; }
};

/// A bias that depends on the head and the distance alone: the same in all layers and sequences. Each row of scores has
/// a part of the head's line added, which is one piece where positions have no gaps.
class LineBias : public Encoding {
 public:
  [[nodiscard]] Expected<void> reserve(const Reach& reach) final;
  void add_scores(const Pass& pass, const HeadIndex& index, const HeadRows& rows, float* scores) final;

 protected:
  /// Writes `lines`, the values of all distances up to the reach, where they are not learned; allocates for their
  /// gradient where they are.
  [[nodiscard]] virtual Expected<void> prepare(const RelativePositions& all, std::span<float> lines) = 0;

  /// Returns what a pass needs of `values`, which has the shape of the lines.
  [[nodiscard]] DistanceLines lines_in(AlignedArray<float>& values, const Pass& pass) const;
  [[nodiscard]] AlignedArray<float>& lines() { return lines_; }

  /// Adds the gradient of a head's scores to that of the lines, which has their shape.
  void add_to_lines(const Pass& pass, const HeadIndex& index, const float* d_scores,
                    AlignedArray<float>& d_lines) const;

 private:
  /// A head's value of distance 0.
  [[nodiscard]] float* zero_of(AlignedArray<float>& values, std::size_t head) const {
    return values.data() + head * distances_ + distances_ / 2;
  }

  AlignedArray<float> lines_;  ///< [heads, distances]
  std::size_t distances_ = 0;  ///< 2 * reach + 1
};

}  // namespace posenc::learning
