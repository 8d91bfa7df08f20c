#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/diagnosis/engine/comparison.hpp"

namespace posenc::diagnosis {

/// How far positions are read back: half a period of the slowest pair that turns, and beyond those that were given in
/// any case; to 4,096 where several pairs may tell more than the slowest.
[[nodiscard]] double reading_reach(const HypothesisNumbers& numbers, const Places& places);

/// The position of one token, measured as the i-th, on one axis by the pairs that have it: whole where a whole one
/// fits, and `likely` where that one does. Nothing where no position up to `farthest` fits, or more than one does.
[[nodiscard]] std::optional<double> read_position(const Measured& measured, std::size_t i,
                                                  const HypothesisNumbers& numbers,
                                                  std::span<const std::int64_t> axis_of_pair, std::int64_t axis,
                                                  double likely, double farthest);

}  // namespace posenc::diagnosis
