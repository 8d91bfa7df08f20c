#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"

namespace posenc::diagnosis {

/// Which lanes of a head are pairs, before and after: half or interleaved, each.
struct Reading {
  Layout reads = Layout::half, writes = Layout::half;
  std::size_t first = 0, count = 0;  ///< of the lanes that rotate; an even count

  [[nodiscard]] std::size_t pairs() const { return count / 2; }
  bool operator==(const Reading&) const = default;
};

/// The lane of either part (0 or 1) of a pair.
[[nodiscard]] inline std::size_t lane_of(Layout layout, const Reading& reading, std::size_t pair, std::size_t part) {
  return reading.first + (layout == Layout::half ? pair + part * reading.pairs() : 2 * pair + part);
}

/// What an expectation says; none without one. Errors: those of Rotary::make, named "expected.dim" and so on; rotated
/// lanes that a head does not have.
[[nodiscard]] Expected<std::optional<Reading>> expected_reading(const Expectation& expected);

/// Lanes that a rotation changed.
struct ChangedLanes {
  std::size_t first = 0, last = 0;  ///< of them
  bool any = false;
};

/// Readings under which all changed lanes rotate, of heads with so many lanes; the expected one first. Halves may be of
/// any count, which the distance of a pair's lanes tells; of interleaved pairs the lanes that rotate too slowly to show
/// are not known, and there are readings with the least count, usual ones and all lanes.
[[nodiscard]] std::vector<Reading> possible_readings(std::size_t lanes, const ChangedLanes& changed,
                                                     const std::optional<Reading>& expected);

/// The mistakes that a reading other than the expected one is.
[[nodiscard]] std::vector<Mistake> reading_mistakes(const Reading& found, const Reading& expected, std::size_t lanes);

/// What saying a reading costs, in bits.
[[nodiscard]] double reading_cost(const Reading& found, const std::optional<Reading>& expected, std::size_t lanes);

/// Explanation::lanes, where a permutation mends it, and whether it is one of the lanes before; else nothing.
struct LaneRemedy {
  std::vector<std::int64_t> lanes;
  bool before = false;
};
[[nodiscard]] LaneRemedy lane_remedy(const Reading& found, const Reading& expected, std::size_t lanes);

}  // namespace posenc::diagnosis
