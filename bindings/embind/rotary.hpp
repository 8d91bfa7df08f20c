#pragma once

#include "crossing.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/rotary_step.hpp"

namespace posenc::embind {

/// A rotary, and from its first rotation on what that keeps.
struct KeptRotary : Rotary {
  explicit KeptRotary(Rotary&& rotary) : Rotary(std::move(rotary)) {}

  std::optional<RotaryWorkspace> workspace = std::nullopt;
};

[[nodiscard]] val rotary_handle(Expected<Rotary> made);

/// `rotary_dim`, `exponent_dim` and `length`: NaN when not given.
[[nodiscard]] Expected<RotaryOptions> rotary_options(double dim, const std::string& layout, double base,
                                                     double rotary_dim, const std::string& exponent,
                                                     double exponent_dim, const val& scaling, double length);

/// From doubles: the axes of sequence, dim and batch (NaN when not given), then `rank` extents.
[[nodiscard]] Expected<SequenceShape> sequence_shape_at(Address axes_and_extents, std::size_t rank);

/// As the TypeScript side lends them, in five doubles: list, count, offset, lists, and 1 for one position everywhere.
/// What is no list has `range_count` positions.
[[nodiscard]] Positions positions_at(Address five, std::size_t range_count);

[[nodiscard]] inline Direction direction_of(bool inverse) { return inverse ? Direction::inverse : Direction::forward; }

}  // namespace posenc::embind
