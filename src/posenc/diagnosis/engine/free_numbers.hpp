#pragma once

#include <optional>
#include <vector>

#include "posenc/diagnosis/engine/comparison.hpp"

namespace posenc::diagnosis {

/// The shortest decimal number from low to high.
[[nodiscard]] double shortest_between(double low, double high);

/// The shortest number from low to high, and those of ever smaller intervals around the likely one: one of these is
/// left where values that were not measured narrow what is possible.
[[nodiscard]] std::vector<double> shortest_numbers(double low, double likely, double high);

/// The factors by which a rotation may have scaled all pairs: the expected one, 1, or the shortest numbers that all of
/// them allow; empty where they allow none.
[[nodiscard]] std::vector<double> free_factors(const Measured& measured, double expected);

/// The rate at which each pair turns, up to whole turns between the nearest positions, the smallest; and what it may be
/// off by: infinite where nothing shows it. Nothing where the rotations of a pair have no one rate.
struct FreeRates {
  std::vector<double> rates, errors;
  double period = 0;  ///< a rate is known up to multiples of this
};
[[nodiscard]] std::optional<FreeRates> free_rates(const Measured& measured, const Places& places,
                                                  std::span<const std::int64_t> axis_of_pair);

/// The angles by which plans are told from one another: sign * frequency * (position + first).
struct FreeSample {
  const Measured& measured;
  const Places& places;
  std::span<const std::int64_t> axis_of_pair;
  double sign = 1, first = 0;
};

/// Plans whose frequencies these may be, with a base that is the shortest number that all rates allow: unscaled, as
/// they are or divided by one number, and with the expected plan's rule; and the rates themselves, as frequencies of no
/// law.
[[nodiscard]] std::vector<RotaryOptions> free_plans(const FreeRates& free, const RotationContext& context,
                                                    const FreeSample* sample = nullptr);

}  // namespace posenc::diagnosis
