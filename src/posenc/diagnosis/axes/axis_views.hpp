#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/diagnosis/axes/axis_assignment.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"

namespace posenc::diagnosis {

/// Finds the axes that pairs may have: an axis is out of the question for a pair that rotates by different angles where
/// the points agree on that axis.
[[nodiscard]] AxisChoices axis_choices(const PairRotations& rotations, std::span<const double> points,
                                       std::size_t axes);

/// PairRotations by positions of one axis.
struct AxisView {
  PairRotations rotations;
  std::vector<double> positions;
};

/// The rotations of some pairs, at every position that one of their axes has: of the tokens there, the one whose
/// rotation is known best.
[[nodiscard]] AxisView view_of(const PairRotations& rotations, std::span<const double> points,
                               const std::vector<std::int64_t>& axis_of_pair, std::span<const std::size_t> pairs);

}  // namespace posenc::diagnosis
