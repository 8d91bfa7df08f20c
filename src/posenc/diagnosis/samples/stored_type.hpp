#pragma once

#include <span>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"

namespace posenc::diagnosis {

/// A bound of one rounding to float32, relative: half a last bit.
inline constexpr double float32_rounding = 0x1p-24;

/// The type that values were rounded to.
struct StoredType {
  std::string_view name;  ///< "float64" | "float32" | "float16" | "bfloat16"
  double rounding = 0;    ///< a bound of one rounding, relative to the value: half a last bit
  double least = 0;       ///< and of one among the subnormals, absolute

  /// A bound of one rounding of a value as large as this.
  [[nodiscard]] double unit(double magnitude) const {
    return magnitude * rounding > least ? magnitude * rounding : least;
  }
};

/// The type that a tensor's values have, as given, with the rounding of the smallest that represents them all: numbers
/// of 16 bits are often kept in float32. `argument` names the tensor in errors. Errors: a shape whose product is not
/// the number of values, an extent below 1, a value that is not finite ("before.data[12]"), another type's name.
[[nodiscard]] Expected<StoredType> stored_type_of(const SampledTensor& tensor, std::string_view argument);

/// Whether all values are zero: they tell nothing.
[[nodiscard]] bool are_zeros(const SampleValues& values);

/// An Error that names the first position that is not finite, or their number where it is not `count`.
[[nodiscard]] Expected<void> check_positions(std::span<const double> positions, std::size_t count);

}  // namespace posenc::diagnosis
