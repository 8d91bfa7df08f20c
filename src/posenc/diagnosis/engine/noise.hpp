#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/sampled_tensor.hpp"

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
  [[nodiscard]] bool is_coarse() const { return rounding > float32_rounding; }
};

/// The types that a tensor's values may have been rounded to: the one that is stated; or else that of the array, and
/// behind it the coarser one that represents all values, where there is one: numbers of 16 bits are often kept in
/// float32, and doubles are often products with cosines of float32. `argument` names the tensor in errors. Errors: a
/// shape whose product is not the number of values, an extent below 1, a value that is not finite ("before.data[12]"),
/// another type's or quantization's name.
[[nodiscard]] Expected<std::vector<StoredType>> stored_types_of(const SampledTensor& tensor, std::string_view argument);

/// Whether all values are zero: they tell nothing.
[[nodiscard]] bool are_zeros(const SampleValues& values);

/// An Error that names the first position that is not finite, or their number where it is not `count`.
[[nodiscard]] Expected<void> check_positions(std::span<const double> positions, std::size_t count);

/// How far the stated arithmetic may move a value.
struct Noise {
  StoredType type;
  bool is_stored = false;  ///< cosines and sines as they were computed, not products with them
  double before = 0;       ///< of values before, relative to the largest of their vector

  /// For a sum of two products: `parts` their magnitudes together, `has_factor` whether cosines have a factor, `size`
  /// the magnitudes of what is multiplied by cosines together: those of 16 bits have subnormals that are not small
  /// beside it.
  [[nodiscard]] double of(double parts, double sum, bool has_factor, double size = 0) const {
    // What is taken for the rounding of float64 is none of its last bits, but all that a value may be off by.
    constexpr double double_roundings = 2, fine_roundings = 4, part_roundings = 2.05, sum_roundings = 1.1;
    double made = (type.rounding < float32_rounding ? double_roundings : fine_roundings) *
                  (type.is_coarse() ? float32_rounding : type.rounding) * parts;
    // Of 16 bits: the cosine is cast and multiplied, the sum is cast; with a factor the cosine has that product's, too.
    if (is_stored && type.is_coarse())
      made += (has_factor ? part_roundings : 0) * type.rounding * parts + sum_roundings * type.unit(sum);
    else if (type.is_coarse())
      made += (has_factor ? 2 : 1) * part_roundings * (type.rounding * parts + type.least * size) +
              sum_roundings * type.unit(sum);
    else
      made += sum_roundings * type.unit(sum);
    return made;
  }
};

/// How far the angle of a pair may be from the one that a hypothesis has, relative to it: where no arithmetic was
/// named float32 counts as right, by whatever steps a library takes, and ggml's running product too.
[[nodiscard]] double loose_rate(AngleArithmetic arithmetic, bool is_named, std::size_t pair, double frequency);

/// Three roundings of an angle of 16 bits, and what a subnormal frequency adds to them a position; 0 of finer ones.
[[nodiscard]] double coarse_angle(AngleArithmetic arithmetic, double angle, double position);

/// How far a quantization may move each value along the dimensions of a vector: `largest` is the largest of the
/// tensor.
void add_quantization(std::string_view quantized, double largest, std::span<const double> vector,
                      std::span<double> slack);

}  // namespace posenc::diagnosis
