#pragma once

#include <cstddef>
#include <utility>

#include "angle_rows.hpp"
#include "posenc/rotary.hpp"
#include "token_rotation.hpp"

namespace posenc {

/// Scratch memory for the cosines and sines of one position, in double and rounded. The Rotary must outlive it.
class RotaryAngles {
 public:
  [[nodiscard]] static Expected<RotaryAngles> make(const Rotary& rotary);

  /// Sines and cosines at a position, in double, without the attention factor.
  void set(double position);

  [[nodiscard]] double* sines() { return exact_.data(); }
  [[nodiscard]] double* cosines() { return exact_.data() + padded(); }

  /// What was set, rounded and times `factor`, for rotation in this direction.
  [[nodiscard]] Turn rounded(Direction direction, double factor);

  /// At a position, with the rotation's own factor.
  [[nodiscard]] Turn at(double position, Direction direction) {
    set(position);
    return rounded(direction, rotary_->attention_factor());
  }

 private:
  explicit RotaryAngles(const Rotary& rotary) : rotary_(&rotary) {}

  [[nodiscard]] std::size_t padded() const { return rotary_->frequencies().padded_count(); }

  const Rotary* rotary_;
  AngleRows rows_;
  AlignedArray<double> exact_;
  AlignedArray<float> rounded_;
};

}  // namespace posenc
