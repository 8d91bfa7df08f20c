#pragma once

// Functions and types that several modules share.

#include "calls.hpp"
#include "posenc/grid/grid_points.hpp"
#include "posenc/grid/mrope_positions.hpp"
#include "posenc/grid/point_rotary.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/rotary_step.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc {
struct Expectation;
}

namespace posenc::embind {

/// The sinusoidal encoding of a preset and the options that differ from it (sinusoidal.cpp).
[[nodiscard]] Expected<Sinusoidal> sinusoid_of(const calls::SinusoidFields& in);

/// A rotary, and from its first rotation on what that keeps.
struct KeptRotary : Rotary {
  explicit KeptRotary(Rotary&& rotary) : Rotary(std::move(rotary)) {}

  std::optional<RotaryStep> step = std::nullopt;
};

/// A rotary's step, made when it is first used (rotary.cpp).
[[nodiscard]] Expected<RotaryStep*> step_of(KeptRotary& rotary);

/// A rotation of points, and how a grid's points are made for it.
struct KeptPointRotary {
  PointRotary rotary;
  GridPointOptions points;
};

/// The shape of a tensor whose axes have been named (rotary.cpp).
[[nodiscard]] Expected<SequenceShape> sequence_shape(const calls::AxesFields& in);
/// The shape of another tensor with these axes.
[[nodiscard]] Expected<SequenceShape> sequence_shape(const calls::AxesFields& in, std::span<const std::int64_t> shape);
/// The shape of embeddings [..., dim]; errors call it `argument`.
[[nodiscard]] Expected<SequenceShape> sequence_shape(const Tensor& x, std::optional<std::int64_t> seq_axis,
                                                     const char* argument = "x.shape");

/// The segments of one sequence (grid.cpp).
[[nodiscard]] std::vector<MropeSegment> segments_of(const Array& sequence);

/// The rotation that was meant (diagnosis.cpp).
[[nodiscard]] Expected<Expectation> expectation_of(const calls::Expectation& in);

[[nodiscard]] inline Direction direction_of(std::optional<bool> inverse) {
  return inverse.value_or(false) ? Direction::inverse : Direction::forward;
}

}  // namespace posenc::embind
