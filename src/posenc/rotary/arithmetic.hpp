#pragma once

#include <cstdint>
#include <string_view>

#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"

namespace posenc {

/// The type that a step rounds to, the nearest value, ties to the even one. `exact` does not round.
enum class Rounding : std::uint8_t { exact, float64, float32, float16, bfloat16 };

/// "exact" | "float64" | "float32" | "float16" | "bfloat16"; an Error that lists them for anything else.
template <>
[[nodiscard]] Expected<Rounding> from_name(std::string_view name);

/// How the frequencies of a rotation are made.
enum class FrequencySteps : std::uint8_t {
  /// The true ones, each within `power_ulps` of the type `frequencies`.
  rounded,
  /// As transformers: base^(2i/d) in float32, its reciprocal, and the rule in float32 (float32_rotary.hpp).
  powers,
  /// None, as in ggml: the angle of a pair is the one before it times base^(-2/d), in the type `angles`. Then the rule:
  /// linear scaling and YaRN's mixture as ggml has them, others as divisors.
  products,
};

/// "rounded" | "powers" | "products"; an Error that lists them for anything else.
template <>
[[nodiscard]] Expected<FrequencySteps> from_name(std::string_view name);

/// The steps from a position to a rotated pair (a, b), each of which rounds once. Those of a preset with other numbers,
/// or one's own.
struct Arithmetic {
  FrequencySteps steps = FrequencySteps::rounded;
  /// How far a power (with `rounded`, a frequency) may be from the true one, in units of its last place: 0.5 if it is
  /// correctly rounded. The power 1 of the first pair is taken to be exact.
  double power_ulps = 0.5;
  Rounding frequencies = Rounding::exact;  ///< not of `products`
  Rounding positions = Rounding::exact;
  Rounding angles = Rounding::exact;  ///< of position * frequency
  /// In which sines and cosines are computed, and multiplied by the attention factor.
  Rounding sines = Rounding::float32;
  /// How far they may be from those of the angle, in units of the last place of values from 0.5 to 1.
  double sine_ulps = 0.501;
  Rounding cache = Rounding::float32;     ///< what they are then rounded to, if it has fewer bits
  Rounding inputs = Rounding::float32;    ///< a and b, before anything else
  Rounding products = Rounding::float32;  ///< a cos, b sin, and their difference
  Rounding outputs = Rounding::float32;   ///< what that is rounded to, if it has fewer bits
};

/// The steps of an implementation whose activations have a dtype, which its inputs and outputs are rounded to.
///
/// - "exact": Rotary. Exact angles, float32 cosines and sines, and rotation in float32.
/// - "transformers": Hugging Face transformers 4 and 5: float32 powers, positions, angles, cosines and sines, which are
///   rounded to the dtype, in which the rotation is computed. Powers, cosines and sines within 1 ulp.
/// - "ggml": float32 throughout, angles as a running product; powers, cosines and sines within 1 ulp.
///
/// An Error ("arithmetic") that lists them for anything else.
[[nodiscard]] Expected<Arithmetic> arithmetic_from_name(std::string_view name, DType dtype = DType::float32);

}  // namespace posenc
