#pragma once

#include <cstddef>
#include <limits>

#include "posenc/frequencies/angles.hpp"
#include "posenc/rotary/kernels/token_rotation.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/sinusoidal/sinusoidal_rows.hpp"

namespace posenc {

/// The cosines and sines of one position after the other, in double and rounded, and the memory they need. Where
/// consecutive positions are asked for they are made in blocks (sinusoidal_rows.hpp).
class RotaryAngles {
 public:
  /// `source`: a Rotary's AngleSource, or null. Both must outlive it. Errors: memory.
  [[nodiscard]] static Expected<RotaryAngles> make(const Frequencies& frequencies, const AngleSource* source);

  /// Sines and cosines at a position, in double, without the attention factor; valid until the next call.
  [[nodiscard]] AngleRow<double> exact(double position);
  /// Copies these to where they may be changed.
  void set(double position);

  [[nodiscard]] double* sines() { return exact_.data(); }
  [[nodiscard]] double* cosines() { return exact_.data() + padded(); }

  [[nodiscard]] std::size_t rotary_dim() const { return 2 * pairs(); }

  /// Returns what was set, times `factor` and then rounded, for rotation in this direction.
  [[nodiscard]] AngleRow<float> rounded(Direction direction, double factor) {
    return rounded({sines(), cosines()}, direction, factor);
  }

  /// At a position, with the rotation's own factor; valid until the next call. Changes what was set.
  [[nodiscard]] AngleRow<float> at(double position, Direction direction);

  /// Returns them from index i of the positions on, for as many of `most` as are in one block.
  [[nodiscard]] AngleRun run(const Positions& positions, std::size_t i, std::size_t most, Direction direction);

 private:
  RotaryAngles(const Frequencies& frequencies, const AngleSource* source)
      : frequencies_(&frequencies), source_(source) {}

  [[nodiscard]] std::size_t pairs() const { return frequencies_->count(); }
  [[nodiscard]] std::size_t padded() const { return frequencies_->padded_count(); }
  [[nodiscard]] AngleRow<float> rounded(const AngleRow<double>& row, Direction direction, double factor);
  [[nodiscard]] bool in_block(const PositionParts& parts, Direction direction) const;
  [[nodiscard]] Expected<void> fill_block(const PositionParts& parts, Direction direction);

  const Frequencies* frequencies_;
  const AngleSource* source_;
  AngleRows rows_;
  AlignedArray<double> exact_;
  AlignedArray<float> rounded_;

  /// Rows of cosines, then sines: those of a centre's block.
  SinusoidalRows rows_of_block_;
  AlignedArray<float> block_;
  PositionParts block_parts_;
  Direction block_direction_ = Direction::forward;
  bool has_block_ = false;
  double last_ = std::numeric_limits<double>::quiet_NaN();  ///< the previous position
  std::size_t left_ = 1;                                    ///< rows of the block from its own on
};

/// Rotates the values of `shape`, which have been checked, by the angles at their positions. Errors: memory.
[[nodiscard]] Expected<void> rotate_tokens(RotaryAngles& angles, Layout layout, Direction direction, float* x,
                                           const SequenceShape& shape, const Positions& positions, bool per_batch);

}  // namespace posenc
