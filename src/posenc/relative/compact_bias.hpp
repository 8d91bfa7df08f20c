#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "posenc/base/check.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

/// Writes a bias in compact form, [heads, distances]: value(head, distance), a double rounded here, once.
template <class Value>
[[nodiscard]] Expected<void> write_compact(const RelativePositions& positions, Future future, std::span<float> out,
                                           const Value& value) {
  const std::size_t distances = positions.distances();
  if (auto checked = check_size("out", out.size(), positions.heads(), distances); !checked) return checked;
  if (out.empty()) return {};
  for (std::size_t h = 0; h < positions.heads(); ++h)
    for (std::size_t c = 0; c < distances; ++c) {
      const std::int64_t distance = positions.distance(c);
      out[h * distances + c] = future == Future::mask && distance > 0 ? -std::numeric_limits<float>::infinity()
                                                                      : static_cast<float>(value(h, distance));
    }
  return {};
}

}  // namespace posenc
