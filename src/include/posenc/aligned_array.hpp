#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "posenc/error.hpp"

namespace posenc {

/// A fixed-size array of zeros on a 64-byte boundary, the widest vector's. Running out of memory is an Error, which
/// std::vector cannot say without exceptions.
template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;

  [[nodiscard]] static Expected<AlignedArray> make(std::size_t size) {
    if (size == 0) return AlignedArray();
    T* data = nullptr;
    if (size <= static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(T))
      data = new (std::align_val_t{alignment}, std::nothrow) T[size]();
    if (data == nullptr)
      return std::unexpected(Error{"memory", static_cast<double>(size), "as many values as fit into memory"});
    return AlignedArray(data, size);
  }

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
    void operator()(T* data) const { ::operator delete[](data, std::align_val_t{alignment}); }
  };

  AlignedArray(T* data, std::size_t size) : data_(data), size_(size) {}

  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace posenc
