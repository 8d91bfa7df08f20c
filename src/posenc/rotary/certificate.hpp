#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// The type that a step rounds to, the nearest value, ties to the even one. `exact` does not round.
enum class Rounding : std::uint8_t { exact, float64, float32, float16, bfloat16 };

/// "exact" | "float64" | "float32" | "float16" | "bfloat16"; an Error that lists them for anything else.
template <>
[[nodiscard]] Expected<Rounding> from_name(std::string_view name);

/// How the frequencies of a rotation are made.
enum class FrequencySteps : std::uint8_t {
  rounded,  ///< the true ones, each within `power_ulps` of the type `frequencies`
  powers,   ///< transformers: base^(2i/d) in float32, its reciprocal, and the rule in float32 as modeling_rope_utils.py
  products,  ///< ggml: none; the angle of a pair is the one before it times base^(-2/d), in the type `angles`
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
  Rounding sines =
      Rounding::float32;  ///< in which sines and cosines are computed, and multiplied by the attention factor
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

/// One value for each quantity of a certificate.
template <class T>
struct Certified {
  T angle{};   ///< of a position times a frequency, in radians
  T cosine{};  ///< of a cosine or sine, times the attention factor
  T lane{};   ///< of a lane of a rotated pair whose Euclidean norm is 1; of a pair of lanes up to x, that times sqrt(2)
              ///< x
  T score{};  ///< of scale * q k for q and k of the norms given, at any two positions
};

struct CertificateOptions {
  /// How many positions: 0 ... length - 1, whole numbers.
  std::int64_t length = 0;
  Arithmetic arithmetic;
  double query_norm = 1;  ///< Euclidean norms of the unrotated heads, 0 or 1e-30 ... 1e30
  double key_norm = 1;
  std::optional<double> scale = std::nullopt;  ///< of a score; 1 / sqrt(dim) by default. Magnitude as a norm's
  /// From which position on a bound is greater than these numbers?
  Certified<std::optional<double>> exceeds{};
};

/// An upper bound of one error.
struct CertifiedBound {
  double bound = 0;                                 ///< over all pairs and all positions below the length
  std::size_t pair = 0;                             ///< the pair that may reach it
  std::optional<std::int64_t> from = std::nullopt;  ///< the first position at which the bound is greater than `exceeds`
};

using Certificate = Certified<CertifiedBound>;

/// Bounds of how far what an arithmetic computes may be from the real-number formulas with the exact frequencies of the
/// plan: no position, input or permitted result of a library function gives a larger error. They are proven, term by
/// term, not sampled: an average error is many times smaller.
///
/// - Frequencies in float32 are computed as the steps say, for every power that `power_ulps` permits; the largest
/// distance
///   from the exact one counts, times the position. So do the largest rounding errors of position and angle.
/// - An error e of an angle moves a cosine, a sine and a pair by at most min(e, 2) of its norm; roundings add to it.
/// - A score has the roundings of both its sides, but both have the same frequencies: their errors count for the
///   distance of the two positions. All of both norms may stand in the pair with the largest error. The sum over lanes
///   and what follows it are not counted.
/// - The bound at a position holds for all before it, and grows with it: `from` is the first at which it is greater.
///
/// What it assumes: IEEE 754, round to nearest; lanes, cosines and sums that are neither subnormal nor beyond their
/// type (subnormal frequencies and angles are counted); library functions within the ulps given, of an angle of any
/// size, and no cosine or sine beyond 1; an attention factor that is the plan's, rounded once. The bounds themselves
/// are computed in double, rounded up at each step.
///
/// The plan's length is this one's where it has none; its layout is not looked at.
/// Errors: those of Rotary::make; a length that is not positive or whose angles pass max_angle; ulps outside 0.5 ... 64
/// (of a sine: 0 ... 2^24); norms; a base that float32 cannot hold, with powers or products; positions, frequencies,
/// angles or an attention factor that float16 cannot hold; memory.
[[nodiscard]] Expected<Certificate> certify(const RotaryOptions& plan, const CertificateOptions& options);

}  // namespace posenc
