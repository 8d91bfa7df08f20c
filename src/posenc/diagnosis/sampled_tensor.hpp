#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "posenc/base/dtype.hpp"

namespace posenc {

/// A view of values as they are stored: doubles, or those of any dtype. Each is read as a double, exactly.
class SampleValues {
 public:
  SampleValues() = default;
  template <class Values>
    requires std::convertible_to<const Values&, std::span<const double>>
  SampleValues(const Values& values) : SampleValues(std::nullopt, std::span<const double>(values)) {}
  SampleValues(ConstStored values) : dtype_(values.dtype()), data_(values.data()), size_(values.size()) {}

  [[nodiscard]] double operator[](std::size_t at) const;
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// The type of the array: "float64" | "float32" | "float16" | "bfloat16".
  [[nodiscard]] std::string_view type_name() const;
  /// None: doubles.
  [[nodiscard]] std::optional<DType> dtype() const { return dtype_; }
  [[nodiscard]] SampleValues subspan(std::size_t first, std::size_t count) const;

  /// Appends `count` values from `first` on, each `stride` behind the one before.
  void append_to(std::vector<double>& to, std::size_t first, std::size_t count, std::size_t stride = 1) const;

 private:
  SampleValues(std::optional<DType> dtype, std::span<const double> values)
      : dtype_(dtype), data_(values.data()), size_(values.size()) {}

  std::optional<DType> dtype_;  ///< none: doubles
  const void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Values as given, row-major. `dtype` is the type they were rounded to where that is known; else it is that of the
/// array.
struct SampledTensor {
  SampleValues values;
  std::vector<std::int64_t> shape;
  std::optional<std::string> dtype = std::nullopt;  ///< "float64" | "float32" | "float16" | "bfloat16"
  /// The quantization that the values went through before they were given: "q8_0" (ggml: blocks of 32 along the
  /// dimensions) | "fp8-e4m3" | "fp8-e5m2" (one scale a tensor).
  std::optional<std::string> quantized = std::nullopt;
};

/// The extents and strides of a row-major tensor, whatever its axes are.
class TensorAxes {
 public:
  explicit TensorAxes(std::span<const std::int64_t> shape);

  [[nodiscard]] std::size_t extent(std::size_t axis) const { return extents_[axis]; }
  [[nodiscard]] std::size_t stride(std::size_t axis) const { return strides_[axis]; }
  /// Where the vectors along two axes start, by an index into those of all other axes; of these the last ones, from
  /// `rank` on, are left out.
  [[nodiscard]] std::size_t start_of(std::size_t index, const std::array<std::size_t, 2>& along,
                                     std::size_t rank) const;
  [[nodiscard]] std::size_t rank() const { return extents_.size(); }

 private:
  std::vector<std::size_t> extents_, strides_;
};

}  // namespace posenc
