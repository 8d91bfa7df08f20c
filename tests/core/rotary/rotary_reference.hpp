#pragma once

#include <cstddef>
#include <vector>

#include "posenc/rotary/rotary.hpp"
#include "testing/reference.hpp"

namespace reference {

inline constexpr posenc::Layout layouts[] = {posenc::Layout::half, posenc::Layout::interleaved,
                                             posenc::Layout::deinterleaved};

/// Half an ulp of a float32 1: the largest relative error of one rounding.
inline constexpr double unit = 0x1p-24;

/// One exact value, and the largest error the core promises for it.
struct Bounded {
  Quad exact;
  double tolerance;
};

/// One head's dimensions rotated at one position, by the definition of each layout.
[[nodiscard]] std::vector<Bounded> rotated_head(const posenc::RotaryOptions& options,
                                                const std::vector<Quad>& frequencies, std::span<const float> head,
                                                double position,
                                                posenc::Direction direction = posenc::Direction::forward);

/// The frequencies of a rotation: over its rotated dimensions.
[[nodiscard]] std::vector<Quad> rotary_frequencies(const posenc::RotaryOptions& options);

/// The largest |value - exact| / tolerance: at most 1 where the core keeps its promise.
[[nodiscard]] double worst_ratio(std::span<const float> values, const std::vector<Bounded>& expected);

}  // namespace reference
