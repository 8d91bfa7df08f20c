#pragma once

#include <cstddef>
#include <vector>

#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"

namespace posenc::diagnosis {

/// At most `most` of `count` tokens, in order: all, or the first ones, between which no pair makes more than one cycle,
/// and others evenly spread up to the last.
[[nodiscard]] std::vector<std::size_t> spread_tokens(std::size_t count, std::size_t most);

/// The cost in bits of a value that is off by so much, where `unit` is one rounding: next to nothing up to what a
/// rotation's arithmetic may cause, so that of two ways to see the values the one with fewer is not preferred.
[[nodiscard]] double misfit_of(double residual, double unit);

/// The median of the rotations' lengths; 1 where there are none.
[[nodiscard]] double common_length(const PairRotations& rotations);

/// The cost in bits of rotations that have another length than `length`, whatever their angles.
[[nodiscard]] double length_misfit(const PairRotations& rotations, double length);

}  // namespace posenc::diagnosis
