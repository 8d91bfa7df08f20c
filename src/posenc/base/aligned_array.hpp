#pragma once

#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>

#include "posenc/base/error.hpp"

namespace posenc {

/// What a new array contains: zeros, or nothing known where it is written before it is read.
enum class Fill : bool { none, zeros };

/// Memory for `size` elements on a 64-byte boundary, to be freed with std::free; null where there is none.
[[nodiscard]] void* allocate_aligned(std::size_t size, std::size_t element_size, Fill fill);

/// A fixed-size array of zeros on a 64-byte boundary, which is that of the widest vector. Running out of memory is an
/// Error; std::vector has none without exceptions, nor has operator new on every platform.
template <class T>
class AlignedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedArray() = default;

  [[nodiscard]] static Expected<AlignedArray> make(std::size_t size) { return allocate(size, Fill::zeros); }

  /// Makes an array without the zeros, for memory that is written before it is read.
  [[nodiscard]] static Expected<AlignedArray> make_unfilled(std::size_t size) { return allocate(size, Fill::none); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T* data() { return data_.get(); }
  [[nodiscard]] const T* data() const { return data_.get(); }
  [[nodiscard]] std::span<T> span() { return {data_.get(), size_}; }
  [[nodiscard]] std::span<const T> span() const { return {data_.get(), size_}; }
  [[nodiscard]] T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  friend class Allocation;
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };

  AlignedArray(T* data, std::size_t size) : data_(data), size_(size) {}

  static Expected<AlignedArray> allocate(std::size_t size, Fill fill) {
    if (size == 0) return AlignedArray();
    void* const data = allocate_aligned(size, sizeof(T), fill);
    if (data == nullptr) return std::unexpected(out_of_memory(size));
    return AlignedArray(static_cast<T*>(data), size);
  }

  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

/// An array that `allocate` is to make, and how many elements it is to have.
class Allocation {
 public:
  template <class T>
  Allocation(AlignedArray<T>& array, std::size_t size)
      : array_(&array), size_(size), element_size_(sizeof(T)), assign_([](void* to, void* data, std::size_t count) {
          *static_cast<AlignedArray<T>*>(to) = AlignedArray<T>(static_cast<T*>(data), count);
        }) {}

  [[nodiscard]] Expected<void> make(Fill fill) const;

 private:
  void* array_;
  std::size_t size_, element_size_;
  void (*assign_)(void* to, void* data, std::size_t count);
};

/// Makes several arrays: allocate({{sines, count}, {cosines, count}}). An array that does not fit into memory is an
/// Error; those before it are made.
[[nodiscard]] Expected<void> allocate(std::initializer_list<Allocation> arrays, Fill fill = Fill::zeros);

}  // namespace posenc
