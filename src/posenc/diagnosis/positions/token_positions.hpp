#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "posenc/base/function_ref.hpp"
#include "posenc/diagnosis/engine/comparison.hpp"

namespace posenc::diagnosis {

/// How far positions are read back: half a period of the slowest pair that turns, and beyond those that were given in
/// any case; to 4,096 where several pairs may tell more than the slowest.
[[nodiscard]] double reading_reach(const HypothesisNumbers& numbers, const Places& places);

/// Positions up to `reach`, of either sign; or those that are so far at most from the one given.
struct ReadingRange {
  double reach;
  bool is_around = false;
};

/// The positions that one token may have, measured as the i-th, on one axis by the pairs that have it, the nearest to
/// `likely` first: `likely` where that one fits, whole ones in the range and those a whole number away from it, all of
/// which `explains` every value of the token, and where none of these fits the middle of what is left. Nothing where
/// too many fit to be looked at.
[[nodiscard]] std::optional<std::vector<double>> read_position(const Measured& measured, std::size_t i,
                                                               const HypothesisNumbers& numbers,
                                                               std::span<const std::int64_t> axis_of_pair,
                                                               std::int64_t axis, double likely,
                                                               const ReadingRange& range,
                                                               FunctionRef<bool(double)> explains);

/// Where more readings of all tokens are possible than this, more would not say more.
inline constexpr std::size_t most_together = 64;

/// Positions of all tokens on one axis, of those that each may have (of a token that does not tell, any): the only
/// ones, or, where there are more, those given up to a token, and from it on so many more, or one. More than one where
/// more do.
[[nodiscard]] std::vector<std::vector<double>> read_together(
    std::span<const double> given, std::span<const std::optional<std::vector<double>>> possible);

}  // namespace posenc::diagnosis
