#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "posenc/diagnosis/axes/axis_rotations.hpp"

namespace posenc::diagnosis {

/// An assignment of axes to pairs, with the sections and the order that state it.
struct AxisAssignment {
  std::vector<std::int64_t> axis_of_pair;
  std::vector<std::int64_t> sections;
  MropeOrder order = MropeOrder::unnamed;
  std::vector<Mistake> mistakes;  ///< against the expected one
  double cost = 0;                ///< of stating it, in bits

  [[nodiscard]] double total() const { return cost; }
};

/// The axes that each pair may have by the rotations alone, [pairs, axes].
struct AxisChoices {
  std::size_t pairs = 0, axes = 0;
  std::vector<bool> possible;

  [[nodiscard]] bool allows(std::size_t pair, std::int64_t axis) const {
    return possible[pair * axes + static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] bool allows(const std::vector<std::int64_t>& axis_of_pair) const {
    for (std::size_t pair = 0; pair < pairs; ++pair)
      if (!allows(pair, axis_of_pair[pair])) return false;
    return true;
  }
};

/// The axes of mrope(): an index into the sections a pair; empty where the order cannot have these sections.
[[nodiscard]] std::vector<std::int64_t> mrope_axes(const std::vector<std::int64_t>& sections, MropeOrder order,
                                                   std::size_t pairs);

/// Assignments that the rotations allow, the cheapest first: M-RoPE's orders with the expected or usual sections, or
/// any that fit, axes in any order, one axis for all; and the axes that the rotations allow where none of these fits.
/// At most `most`.
[[nodiscard]] std::vector<AxisAssignment> axis_assignments(const AxisChoices& choices, const AxisContext& context,
                                                           std::size_t most);

}  // namespace posenc::diagnosis
