#include "posenc/attention/kernels/stored_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

#include "posenc/base/simd.hpp"

namespace posenc {
namespace {

/// Vectors that are copied between two tests of the loop.
constexpr std::size_t copied_vectors = 8;

template <class T>
void copy_values(const float* from, std::size_t size, T* to) {
  constexpr std::size_t n = xsimd::batch<T>::size;
  std::size_t i = 0;
  for (; i + copied_vectors * n <= size; i += copied_vectors * n)
    unrolled<copied_vectors>([&](auto k) { load_as<T>(from + i + k * n).store_unaligned(to + i + k * n); });
  for (; i < size; ++i) to[i] = static_cast<T>(from[i]);
}

/// Sizes are the same: there is no error.
void read_values(DType dtype, const std::uint16_t* from, std::size_t size, float* to) {
  static_cast<void>(convert(ConstSpan16(dtype, {from, size}), std::span(to, size)));
}

void read_values(DType dtype, const std::uint16_t* from, std::size_t size, double* to) {
  float floats[256];
  for (std::size_t i = 0; i < size; i += std::size(floats)) {
    const std::size_t count = std::min(std::size(floats), size - i);
    read_values(dtype, from + i, count, floats);
    copy_values(floats, count, to + i);
  }
}

}  // namespace

template <class T>
void read_rows(const StoredRows& rows, std::size_t first, std::size_t count, T* to) {
  const auto& [data, width, stride, dtype] = rows;
  const bool is_contiguous = stride == width;
  const std::size_t size = is_contiguous ? count * width : width;
  for (std::size_t row = first; row < first + count; row += is_contiguous ? count : 1, to += size)
    if (dtype == DType::float32)
      copy_values(static_cast<const float*>(data) + row * stride, size, to);
    else
      read_values(dtype, static_cast<const std::uint16_t*>(data) + row * stride, size, to);
}

template void read_rows(const StoredRows&, std::size_t, std::size_t, float*);
template void read_rows(const StoredRows&, std::size_t, std::size_t, double*);

}  // namespace posenc
