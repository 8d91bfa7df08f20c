#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/diagnosis/axes/axis_assignment.hpp"
#include "posenc/diagnosis/laws/turns.hpp"

namespace posenc::diagnosis {

/// Which axes the pairs may have: an axis is out of the question for a pair that turns by different angles where the
/// points agree on that axis.
[[nodiscard]] AxisChoices axis_choices(const Turns& turns, std::span<const double> points, std::size_t axes);

/// Turns by positions of one axis.
struct AxisView {
  Turns turns;
  std::vector<double> positions;
};

/// The turns of some pairs, at every position that one of their axes has: of the tokens there, the one whose turn is
/// known best.
[[nodiscard]] AxisView view_of(const Turns& turns, std::span<const double> points,
                               const std::vector<std::int64_t>& axis_of_pair, std::span<const std::size_t> pairs);

}  // namespace posenc::diagnosis
