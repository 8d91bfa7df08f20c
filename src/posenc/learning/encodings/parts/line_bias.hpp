#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/base/aligned_array.hpp"
#include "posenc/learning/encoding.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc::learning {

/// One line of values a head: a value for each distance, key position - query position, that a pass can have.
struct DistanceLines {
  float* zero;               ///< the first head's value of distance 0
  std::size_t stride;        ///< from a head's line to the next
  std::int32_t least, most;  ///< most is 0 where a pass is causal; else the lines reach as far on both sides

  /// A head's value of distance 0, around which those of the others stand.
  [[nodiscard]] float* of(std::size_t head) const { return zero + head * stride; }
};

/// A bias that depends on the head and the distance alone: the same in all layers and sequences. Each row of scores has
/// a part of the head's line added, which is one piece where positions have no gaps.
class LineBias : public Encoding {
 public:
  [[nodiscard]] Expected<void> reserve(const Reach& reach) final;
  void add_scores(const Pass& pass, const HeadPlace& place, const HeadRows& rows, float* scores) final;

 protected:
  /// Writes `lines`, the compact form of all distances up to the reach, where they are not learned; makes room where
  /// they are.
  [[nodiscard]] virtual Expected<void> prepare(const RelativePositions& all, std::span<float> lines) = 0;

  /// `values`, which has the shape of the lines: a head's of distance 0, and all as far as a pass needs them.
  [[nodiscard]] float* zero_of(AlignedArray<float>& values, std::size_t head) const {
    return values.data() + head * distances_ + distances_ / 2;
  }
  [[nodiscard]] DistanceLines lines_in(AlignedArray<float>& values, const Pass& pass) const;
  [[nodiscard]] AlignedArray<float>& lines() { return lines_; }

 private:
  AlignedArray<float> lines_;  ///< [heads, distances]
  std::size_t distances_ = 0;  ///< 2 * reach + 1
};

/// The same where the lines are computed from parameters in each pass.
class LearnedLineBias : public LineBias {
 public:
  void begin(const Pass& pass) final;
  void scores_gradient(const Pass& pass, const HeadPlace& place, const HeadRows& rows, float* d_scores,
                       const HeadGradients& d_rows, float* gradients) final;
  void end_gradient(const Pass& pass, float* gradients) final;

 protected:
  [[nodiscard]] Expected<void> prepare(const RelativePositions& all, std::span<float> lines) override;

  /// Writes the values from lines.least to lines.most.
  virtual void fill(const Pass& pass, const DistanceLines& lines) = 0;
  /// Adds to the gradients of parameters, from those of the lines.
  virtual void fill_gradient(const Pass& pass, const DistanceLines& d_lines, float* gradients) = 0;

 private:
  AlignedArray<float> d_lines_;  ///< summed over layers and sequences
};

}  // namespace posenc::learning
