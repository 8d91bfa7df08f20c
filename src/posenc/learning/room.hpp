#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"

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

/// Makes `room` an array of these extents, of zeros. Errors: memory, also where their product is no size; `room` is
/// then empty.
template <class T>
[[nodiscard]] Expected<void> make_room(std::initializer_list<std::size_t> extents, AlignedArray<T>& room) {
  room = {};
  auto made = AlignedArray<T>::make(array_size(extents));
  if (!made) return error_of(made);
  room = *std::move(made);
  return {};
}

}  // namespace posenc::learning
