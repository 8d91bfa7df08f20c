#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"
#include "posenc/grid/mrope.hpp"

namespace posenc::diagnosis {

/// The expectation of rotations by positions of several axes.
struct AxisContext {
  RotationContext rotations;
  std::vector<std::int64_t> mrope_section;  ///< pairs an axis, of the expected plan; empty: not known
  MropeOrder mrope_order = MropeOrder::chunked;
};

/// A hypothesis, and the axis whose positions each pair takes. Where every axis has a list of frequencies of its own,
/// as in grids of vision models, the hypothesis has all of them as they are ("given").
struct AxisExplanation {
  RotationExplanation rotation;            ///< its mistakes are those of axes, then those of the hypothesis
  std::vector<std::int64_t> axis_of_pair;  ///< an axis of the points a pair
  std::vector<std::int64_t> sections;      ///< as mrope() takes them, in the order of its axes; empty: no such order
  MropeOrder order = MropeOrder::unnamed;
};

/// Explanations of rotations by points [axes, tokens], the best first, at most `most`: M-RoPE by its orders and
/// sections, the axes in any order, one axis for all pairs, together with what known mistakes make of the expected plan
/// (two in all, or more where positions of one axis repeat while others change); without a plan, by estimates from the
/// rotations. Which axis a pair can have is seen where points agree on an axis and not on others; where they never do,
/// only an expected plan finds the axes. Errors: fewer than two axes or more than eight; pairs; memory.
[[nodiscard]] Expected<std::vector<AxisExplanation>> explain_axis_rotations(const PairRotations& rotations,
                                                                            std::span<const double> points,
                                                                            std::size_t axes,
                                                                            const AxisContext& context,
                                                                            std::size_t most = most_explanations);

}  // namespace posenc::diagnosis
