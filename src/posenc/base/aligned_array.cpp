#include "posenc/base/aligned_array.hpp"

#include <cstdint>
#include <cstring>

#include "posenc/base/try.hpp"

namespace posenc {

Expected<void> AlignedMemory::allocate(std::size_t size, std::size_t element_size, Fill fill) {
  constexpr std::size_t alignment = 64;
  data_.reset();
  size_ = 0;
  if (size == 0) return {};
  if (size <= (static_cast<std::size_t>(PTRDIFF_MAX) - alignment) / element_size) {
    const std::size_t bytes = (size * element_size + alignment - 1) / alignment * alignment;
    data_.reset(std::aligned_alloc(alignment, bytes));
  }
  if (data_ == nullptr) return std::unexpected(out_of_memory(size));
  if (fill == Fill::zeros) std::memset(data_.get(), 0, size * element_size);
  size_ = size;
  return {};
}

Expected<void> allocate(std::initializer_list<Allocation> arrays, Fill fill) {
  for (const auto& [array, size, element_size] : arrays) POSENC_TRY(array.allocate(size, element_size, fill));
  return {};
}

}  // namespace posenc
