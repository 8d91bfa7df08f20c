#pragma once

// What rooms have from one another.

#include "calls.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/rotary_step.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc::embind {

/// What a preset and what differs from it stand for (sinusoidal.cpp).
[[nodiscard]] Expected<Sinusoidal> sinusoid_of(const calls::SinusoidFields& in);

/// A rotary, and from its first rotation on what that keeps.
struct KeptRotary : Rotary {
  explicit KeptRotary(Rotary&& rotary) : Rotary(std::move(rotary)) {}

  std::optional<RotaryStep> workspace = std::nullopt;
};

[[nodiscard]] inline Direction direction_of(std::optional<bool> inverse) {
  return inverse.value_or(false) ? Direction::inverse : Direction::forward;
}

}  // namespace posenc::embind
