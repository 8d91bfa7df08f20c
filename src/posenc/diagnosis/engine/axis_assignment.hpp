#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "posenc/diagnosis/engine/comparison.hpp"
#include "posenc/diagnosis/mistake.hpp"
#include "posenc/grid/mrope.hpp"

namespace posenc::diagnosis {

/// The sections that were expected of positions of several axes; empty where none were.
struct AxisExpectation {
  std::vector<std::int64_t> sections;
  MropeOrder order = MropeOrder::chunked;
};

/// An assignment of axes to pairs, with the sections and the order that state it.
struct AxisAssignment {
  std::vector<std::int64_t> axis_of_pair = {};  ///< empty where there is one axis
  std::vector<std::int64_t> sections = {};      ///< as mrope() takes them
  MropeOrder order = MropeOrder::unnamed;
  std::vector<Mistake> mistakes = {};  ///< against the expected one
};

/// The axes of mrope(): an index into the sections a pair; empty where the order cannot have these sections. Unlike
/// mrope(), which refuses sections that an order cannot have, this takes what wrong code makes of them.
[[nodiscard]] std::vector<std::int64_t> mrope_axes(const std::vector<std::int64_t>& sections, MropeOrder order,
                                                   std::size_t pairs);

/// Assignments that the rotations allow, the expected one first: M-RoPE's orders with the expected or usual sections,
/// or any that fit, axes in any order, one axis for all; and the axes that the rotations allow where none of these
/// fits. An axis is out of the question for a pair that turns by different angles where the positions agree on that
/// axis.
[[nodiscard]] std::vector<AxisAssignment> axis_assignments(const Measured& measured, const Places& places,
                                                           const AxisExpectation& expected);

}  // namespace posenc::diagnosis
