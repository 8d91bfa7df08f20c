#pragma once

// A call as JavaScript packs it (js/base/block.ts): doubles, one after the other, in the order of the function's
// description. The structs that embind/structs.mjs writes are read from it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace posenc::embind {

using Address = std::uintptr_t;

/// An array of the call's, of whatever type its function says.
struct Array {
  Address address;
  std::size_t size;

  template <class T>
  [[nodiscard]] std::span<T> as() const {
    return {reinterpret_cast<T*>(address), size};
  }
};

/// A tensor, of float32 values unless its function says another type; they fit its shape.
struct Tensor {
  Array data;
  std::span<const double> shape;

  [[nodiscard]] bool is_given() const { return data.address != 0; }
  [[nodiscard]] std::span<const float> values() const { return data.as<const float>(); }
  /// The extent of an axis, counted from the end; 1 where there is none.
  [[nodiscard]] std::size_t extent(std::size_t from_end) const;
  /// What the extents of all but the last `axes` multiply to.
  [[nodiscard]] std::size_t batch(std::size_t axes) const;
};

/// A list of positions, or none; `lists` says how many rows of a batch it is for, where each has its own.
struct PositionList {
  Array data;
  std::optional<std::int64_t> lists;
};

/// Values of any dtype, which is named.
struct Stored {
  Array data;
  std::string dtype;
};

class Block {
 public:
  explicit Block(Address start) : next_(reinterpret_cast<double*>(start)) {}

  // Out of line: a struct with many members would otherwise be several times as large.
  [[nodiscard]] double number();
  [[nodiscard]] std::int64_t whole();
  [[nodiscard]] bool flag();
  /// One that was left out is NaN.
  [[nodiscard]] std::optional<double> number_if_given();
  [[nodiscard]] std::optional<std::int64_t> whole_if_given();
  [[nodiscard]] std::optional<bool> flag_if_given();
  /// How many numbers, and which: they stand in the block itself.
  [[nodiscard]] std::span<const double> list();
  [[nodiscard]] std::vector<std::int64_t> extents();
  /// Empty for one that was left out.
  [[nodiscard]] std::string word();
  /// Address 0 for one that was left out.
  [[nodiscard]] Array array();
  [[nodiscard]] Address handle();
  [[nodiscard]] Tensor tensor();
  [[nodiscard]] std::vector<Tensor> tensors();
  [[nodiscard]] Stored stored();
  [[nodiscard]] PositionList positions();
  [[nodiscard]] double& answer();

 private:
  double* next_;
};

}  // namespace posenc::embind
