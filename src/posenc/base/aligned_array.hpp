#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

#include "posenc/base/error.hpp"

namespace posenc {

/// A fixed-size array of zeros on a 64-byte boundary, the widest vector's. Running out of memory is an Error, which
/// std::vector cannot say without exceptions, nor operator new on every platform that has none.
template <class T>
class AlignedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedArray() = default;

  [[nodiscard]] static Expected<AlignedArray> make(std::size_t size) { return allocate(size, true); }

  /// The same without the zeros, for memory that is written before it is read.
  [[nodiscard]] static Expected<AlignedArray> make_unfilled(std::size_t size) { return allocate(size, false); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] std::span<T> span() { return {data_.get(), size_}; }
  [[nodiscard]] std::span<const T> span() const { return {data_.get(), size_}; }
  [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  static constexpr std::size_t alignment = 64;
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };

  AlignedArray(T* data, std::size_t size) : data_(data), size_(size) {}

  static Expected<AlignedArray> allocate(std::size_t size, bool zeros) {
    if (size == 0) return AlignedArray();
    T* data = nullptr;
    if (size <= (static_cast<std::size_t>(PTRDIFF_MAX) - alignment) / sizeof(T)) {
      const std::size_t bytes = (size * sizeof(T) + alignment - 1) / alignment * alignment;
      data = static_cast<T*>(std::aligned_alloc(alignment, bytes));
    }
    if (data == nullptr) return std::unexpected(out_of_memory(size));
    if (zeros) std::memset(static_cast<void*>(data), 0, size * sizeof(T));
    return AlignedArray(data, size);
  }

  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace posenc
