#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "posenc/relative/shaw.hpp"

namespace posenc {

/// The tables' row for a relative position.
inline std::size_t shaw_id(std::int64_t distance, std::int64_t max_distance) {
  return static_cast<std::size_t>(std::clamp(distance, -max_distance, max_distance) + max_distance);
}

/// The checks that forward and backward share.
[[nodiscard]] Expected<void> check_shaw(const RelativePositions& positions, const ShawInputs& inputs,
                                        std::size_t weights, std::size_t output);

}  // namespace posenc
