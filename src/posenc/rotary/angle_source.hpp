#pragma once

#include <span>

namespace posenc {

/// Makes the angles of a Rotary in place of the exact ones. float32_rotary.hpp has one.
class AngleSource {
 public:
  virtual ~AngleSource() = default;

  /// Sines and cosines at a position, without the attention factor: Frequencies::padded_count() values each, on 64-byte
  /// boundaries.
  virtual void write(double position, double* sines, double* cosines) const = 0;

  /// The frequencies it multiplies positions by, rotary_dim / 2.
  [[nodiscard]] virtual std::span<const float> frequencies() const = 0;
};

}  // namespace posenc
