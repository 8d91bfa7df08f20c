#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"

namespace posenc {

/// The type in which tables, caches and rotated values are kept. What is computed is float32 or better; it is rounded
/// to its dtype once.
enum class DType : std::uint8_t { float32, float16, bfloat16 };

template <>
inline constexpr auto names_of<DType> =
    Names("dtype", {{"float32", DType::float32}, {"float16", DType::float16}, {"bfloat16", DType::bfloat16}});

/// The bits of an IEEE 754 binary16: 11 significant bits, up to 65504, subnormals from 2^-24 on.
struct Float16 {
  std::uint16_t bits = 0;
  bool operator==(const Float16&) const = default;
};

/// The upper half of the bits of a float32: 8 significant bits, up to (2 - 2^-7) * 2^127.
struct BFloat16 {
  std::uint16_t bits = 0;
  bool operator==(const BFloat16&) const = default;
};

/// A view of values of either type: their bits, and which they are. `Bits` is std::uint16_t, const or not.
template <class Bits>
class BasicSpan16 {
  template <class T>
  using Value = std::conditional_t<std::is_const_v<Bits>, const T, T>;

 public:
  BasicSpan16(std::span<Value<Float16>> values) : BasicSpan16(DType::float16, bits_of(values)) {}
  BasicSpan16(std::span<Value<BFloat16>> values) : BasicSpan16(DType::bfloat16, bits_of(values)) {}
  /// `dtype` must be one of the two.
  BasicSpan16(DType dtype, std::span<Bits> bits) : dtype_(dtype), bits_(bits) {}

  [[nodiscard]] DType dtype() const { return dtype_; }
  [[nodiscard]] std::span<Bits> bits() const { return bits_; }
  [[nodiscard]] std::size_t size() const { return bits_.size(); }

 private:
  template <class T>
  [[nodiscard]] static std::span<Bits> bits_of(std::span<T> values) {
    return {reinterpret_cast<Bits*>(values.data()), values.size()};
  }

  DType dtype_;
  std::span<Bits> bits_;
};

using Span16 = BasicSpan16<std::uint16_t>;
using ConstSpan16 = BasicSpan16<const std::uint16_t>;

/// A view of values of any dtype: float32, or the bits of a type of 16.
class ConstStored {
 public:
  template <class Values>
    requires std::convertible_to<Values, std::span<const float>>
  ConstStored(const Values& values) : ConstStored(DType::float32, std::span<const float>(values)) {}
  ConstStored(ConstSpan16 values) : ConstStored(values.dtype(), values.bits()) {}

  [[nodiscard]] DType dtype() const { return dtype_; }
  [[nodiscard]] const void* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  template <class Bits>
  ConstStored(DType dtype, std::span<const Bits> values) : dtype_(dtype), data_(values.data()), size_(values.size()) {}

  DType dtype_;
  const void* data_;
  std::size_t size_;
};

/// Copies the values in float32: exact, subnormals, infinities, signs of 0 and the bits of a NaN included. Errors:
/// sizes that differ.
[[nodiscard]] Expected<void> convert(ConstSpan16 from, std::span<float> to);

/// The values nearest to float32 ones, ties to the even; what rounds beyond the largest becomes infinite; a NaN becomes
/// a quiet one with the sign and the upper bits it had. The same bits on every machine. Errors: sizes that differ.
[[nodiscard]] Expected<void> convert(std::span<const float> from, Span16 to);

}  // namespace posenc
