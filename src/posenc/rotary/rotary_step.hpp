#pragma once

#include <memory>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/frequencies/positions.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/sequence_shape.hpp"

namespace posenc {

/// Keeps, from one call to the next, tables and the angles of the latest positions. Decoding, a token a call, then
/// costs little more than the rotation itself. For one caller at a time.
class RotaryStep {
 public:
  /// `rotary` must outlive it and must not move. Errors: memory.
  [[nodiscard]] static Expected<RotaryStep> make(const Rotary& rotary);

  RotaryStep(RotaryStep&&) noexcept;
  RotaryStep& operator=(RotaryStep&&) noexcept;
  ~RotaryStep();

  /// Does what Rotary::apply does, bit for bit, with its errors.
  [[nodiscard]] Expected<void> apply(std::span<float> x, const SequenceShape& shape, const Positions& positions,
                                     Direction direction = Direction::forward);

  /// Repeats it for what Rotary::check_rotation has accepted once, at positions offset, offset + 1, ...: these alone
  /// are checked. False, and nothing is written, where `apply` gives an error.
  [[nodiscard]] bool repeat(std::span<float> x, const SequenceShape& shape, double offset,
                            Direction direction = Direction::forward);

 private:
  class Kept;
  explicit RotaryStep(std::unique_ptr<Kept> kept);

  std::unique_ptr<Kept> kept_;
};

}  // namespace posenc
