#pragma once

#include <cstddef>

#include "posenc/base/dtype.hpp"

namespace posenc {

/// Rows of `width` values as they lie in memory, `stride` values apart: float32, or the bits of a type of 16.
struct StoredRows {
  const void* data;
  std::size_t width, stride;
  DType dtype = DType::float32;

  /// The rows from this one on.
  [[nodiscard]] StoredRows from(std::size_t row) const {
    const std::size_t bytes = row * stride * (dtype == DType::float32 ? sizeof(float) : sizeof(Float16));
    return {static_cast<const std::byte*>(data) + bytes, width, stride, dtype};
  }
};

/// Copies rows first ... first + count - 1 to [count, width] of T, float or double, in the order of memory: what is
/// then read across the rows is in a cache.
template <class T>
void read_rows(const StoredRows& rows, std::size_t first, std::size_t count, T* to);

}  // namespace posenc
