#pragma once

#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>

#include "posenc/base/error.hpp"

namespace posenc {

/// Tells what a new array contains: zeros, or nothing known where it is written before it is read.
enum class Fill : bool { none, zeros };

/// The memory of an AlignedArray, whatever its type: what makes it is compiled once.
class AlignedMemory {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Takes memory for `size` elements on a 64-byte boundary in place of what there was. Error: there is not enough.
  [[nodiscard]] Expected<void> allocate(std::size_t size, std::size_t element_size, Fill fill);

 protected:
  struct Free {
    void operator()(void* data) const { std::free(data); }
  };
  std::unique_ptr<void, Free> data_;
  std::size_t size_ = 0;
};

/// A fixed-size array of zeros on a 64-byte boundary, which is that of the widest vector. Running out of memory is an
/// Error; std::vector has none without exceptions, nor has operator new on every platform.
template <class T>
class AlignedArray : public AlignedMemory {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedArray() = default;

  [[nodiscard]] static Expected<AlignedArray> make(std::size_t size) { return made(size, Fill::zeros); }

  /// Makes an array without the zeros, for memory that is written before it is read.
  [[nodiscard]] static Expected<AlignedArray> make_unfilled(std::size_t size) { return made(size, Fill::none); }

  [[nodiscard]] T* data() { return static_cast<T*>(data_.get()); }
  [[nodiscard]] const T* data() const { return static_cast<const T*>(data_.get()); }
  [[nodiscard]] std::span<T> span() { return {data(), size_}; }
  [[nodiscard]] std::span<const T> span() const { return {data(), size_}; }
  [[nodiscard]] T& operator[](std::size_t i) { return data()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data()[i]; }

 private:
  static Expected<AlignedArray> made(std::size_t size, Fill fill) {
    AlignedArray array;
    if (auto done = array.allocate(size, sizeof(T), fill); !done) return error_of(done);
    return array;
  }
};

/// An array that `allocate` is to make, and how many elements it is to have.
struct Allocation {
  template <class T>
  Allocation(AlignedArray<T>& memory, std::size_t count) : array(memory), size(count), element_size(sizeof(T)) {}

  AlignedMemory& array;
  std::size_t size, element_size;
};

/// Makes several arrays: allocate({{sines, count}, {cosines, count}}). An array that does not fit into memory is an
/// Error; those before it are made.
[[nodiscard]] Expected<void> allocate(std::initializer_list<Allocation> arrays, Fill fill = Fill::zeros);

}  // namespace posenc
