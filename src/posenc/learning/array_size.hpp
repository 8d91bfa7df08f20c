#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace posenc::learning {

/// The product of extents; where it does not fit, the largest size, of which no array can be made.
[[nodiscard]] inline std::size_t array_size(std::initializer_list<std::size_t> extents) {
  std::size_t size = 1;
  for (const std::size_t extent : extents) {
    if (extent == 0) return 0;
    size = size > SIZE_MAX / extent ? SIZE_MAX : size * extent;
  }
  return size;
}

}  // namespace posenc::learning
