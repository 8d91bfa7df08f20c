#include "posenc/base/aligned_array.hpp"

#include <cstdint>
#include <cstring>

#include "posenc/base/try.hpp"

namespace posenc {

void* allocate_aligned(std::size_t size, std::size_t element_size, Fill fill) {
  constexpr std::size_t alignment = 64;
  if (size > (static_cast<std::size_t>(PTRDIFF_MAX) - alignment) / element_size) return nullptr;
  const std::size_t bytes = (size * element_size + alignment - 1) / alignment * alignment;
  void* const data = std::aligned_alloc(alignment, bytes);
  if (data != nullptr && fill == Fill::zeros) std::memset(data, 0, size * element_size);
  return data;
}

Expected<void> Allocation::make(Fill fill) const {
  void* const data = size_ == 0 ? nullptr : allocate_aligned(size_, element_size_, fill);
  if (data == nullptr && size_ > 0) return std::unexpected(out_of_memory(size_));
  assign_(array_, data, size_);
  return {};
}

Expected<void> allocate(std::initializer_list<Allocation> arrays, Fill fill) {
  for (const Allocation& one : arrays) POSENC_TRY(one.make(fill));
  return {};
}

}  // namespace posenc
