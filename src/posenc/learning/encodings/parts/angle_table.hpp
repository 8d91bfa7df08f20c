#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/learning/pass.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc::learning {

/// The number of a head's dimensions that rotate: the even number nearest to this share of them, at least 2. Errors:
/// heads of one dimension.
[[nodiscard]] Expected<std::size_t> rotated_dims(const PassShape& shape, double share);

/// Cosines and sines at a list of positions, by which the first dimensions of heads are rotated in place, in
/// Layout::half, as often as wanted: what Rotary computes anew in every call, with the same bits.
class AngleTable {
 public:
  /// All dimensions of the rotary rotate. Errors: those of its `apply`.
  [[nodiscard]] static Expected<AngleTable> make(const Rotary& rotary, const Positions& positions);

  /// Rotates every head of a pass, [rows, width]: a token at position p by the p-th of the list. Dimensions of a row
  /// are contiguous.
  void rotate(const Pass& pass, Direction direction, const Strided<float>& rows) const;

  /// Rotates the heads of one sequence, [length, heads * dimensions].
  void rotate(std::span<const std::int32_t> positions, Direction direction, std::size_t heads, std::size_t dims,
              const Strided<float>& rows) const;

 private:
  std::size_t pairs_ = 0;
  AlignedArray<float> rows_;  ///< [2, positions, 2, pairs]: by direction, cosines and sines of each position
};

}  // namespace posenc::learning
