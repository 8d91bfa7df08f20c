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

/// The dimensions of a head that are pairs, before and after: half or interleaved, each.
struct Pairing {
  Layout reads = Layout::half, writes = Layout::half;
  std::size_t first = 0, count = 0;  ///< of the dimensions that rotate; an even count

  [[nodiscard]] std::size_t pairs() const { return count / 2; }
  bool operator==(const Pairing&) const = default;
};

/// The dimension of either part (0 or 1) of a pair.
[[nodiscard]] inline std::size_t dim_of(Layout layout, const Pairing& pairing, std::size_t pair, std::size_t part) {
  return pairing.first + (layout == Layout::half ? pair + part * pairing.pairs() : 2 * pair + part);
}

/// The rotation of a plan that is expected. Errors: those of Rotary::make, "expected." before the name.
[[nodiscard]] Expected<Rotary> expected_rotary(const RotaryOptions& plan);

/// Returns the pairing that is expected; none without one. Errors: those of Rotary::make, named "expected.dim" and so
/// on; rotated dimensions that a head does not have.
[[nodiscard]] Expected<std::optional<Pairing>> expected_pairing(const Expectation& expected);

/// The plan of so many dimensions alone, all of which rotate, with pairs of halves.
[[nodiscard]] RotaryOptions plan_of_pairs(RotaryOptions plan, std::size_t dims);

/// The hypothesis that the pairs were rotated as expected; there is a plan.
[[nodiscard]] RotationHypothesis expected_hypothesis(const Expectation& expected, const Pairing& pairing);

/// Dimensions that a rotation changed.
struct ChangedDims {
  std::size_t first = 0, last = 0;      ///< of them
  bool any = false, has_zeros = false;  ///< whether there are any, and whether inputs of zeros are among the rows
};

/// Pairings under which all changed dimensions rotate, of heads with so many dimensions; the expected one first. Halves
/// may be of any count, which the distance of a pair's dimensions shows; of interleaved pairs the dimensions that
/// rotate too slowly to show are not known, so that there are pairings with the least count, usual ones and all
/// dimensions; where nothing changed usual counts alone.
[[nodiscard]] std::vector<Pairing> possible_pairings(std::size_t dims, const ChangedDims& changed,
                                                     const std::optional<Pairing>& expected);

/// The mistakes that a pairing other than the expected one is.
[[nodiscard]] std::vector<Mistake> pairing_mistakes(const Pairing& found, const Pairing& expected, std::size_t dims);

/// Explanation::dimensions, where a permutation mends it, and whether it is one of the dimensions before; else nothing.
struct DimRemedy {
  std::vector<std::int64_t> dims;
  bool before = false;
};
[[nodiscard]] DimRemedy dim_remedy(const Pairing& found, const Pairing& expected, std::size_t dims);

}  // namespace posenc::diagnosis
