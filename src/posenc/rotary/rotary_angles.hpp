#pragma once

#include <cstddef>
#include <limits>
#include <optional>

#include "posenc/frequencies/angle_rows.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/token_rotation.hpp"
#include "posenc/sinusoidal/sinusoidal_rows.hpp"

namespace posenc {

/// The cosines and sines of one position after the other, in double and rounded, and the memory they need. Where
/// consecutive positions are asked for they are made in blocks (sinusoid_rows.hpp). The Rotary must outlive it.
class RotaryAngles {
 public:
  [[nodiscard]] static Expected<RotaryAngles> make(const Rotary& rotary);

  /// Sines and cosines at a position, in double, without the attention factor.
  void set(double position);

  [[nodiscard]] double* sines() { return exact_.data(); }
  [[nodiscard]] double* cosines() { return exact_.data() + padded(); }

  /// What was set, rounded and times `factor`, for rotation in this direction.
  [[nodiscard]] Turn rounded(Direction direction, double factor) {
    return rounded({sines(), cosines()}, direction, factor);
  }

  /// At a position, with the rotation's own factor; valid until the next call. Changes what was set.
  [[nodiscard]] Turn at(double position, Direction direction);

 private:
  explicit RotaryAngles(const Rotary& rotary) : rotary_(&rotary) {}

  [[nodiscard]] std::size_t padded() const { return rotary_->frequencies().padded_count(); }
  [[nodiscard]] Turn rounded(const AngleRow<double>& row, Direction direction, double factor);
  [[nodiscard]] bool in_block(const PositionParts& parts, Direction direction) const;
  [[nodiscard]] Expected<void> fill_block(const PositionParts& parts, Direction direction);

  const Rotary* rotary_;
  AngleRows rows_;
  AlignedArray<double> exact_;
  AlignedArray<float> rounded_;

  /// Rows of cosines, then sines: those of a centre's block.
  std::optional<SinusoidRows> rows_of_block_;
  AlignedArray<float> block_;
  PositionParts block_parts_;
  Direction block_direction_ = Direction::forward;
  bool has_block_ = false;
  double last_ = std::numeric_limits<double>::quiet_NaN();  ///< the previous position
};

}  // namespace posenc
