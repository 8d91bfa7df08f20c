#pragma once

#include <cstddef>
#include <span>

namespace posenc {

/// out[b, j, i, :] = x[b, i, j, :], where i counts to `first`, j to `second`, and the last axis has dim values.
inline void swap_axes(std::size_t first, std::size_t second, std::size_t dim, std::span<const float> x,
                      std::span<float> out) {
  for (std::size_t at = 0; at < x.size(); ++at) {
    const std::size_t row = at / dim;
    const std::size_t b = row / second / first;
    out[((b * second + row % second) * first + row / second % first) * dim + at % dim] = x[at];
  }
}

}  // namespace posenc
