#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc::diagnosis {

/// The arithmetic of the angles of pairs.
enum class AngleArithmetic : std::uint8_t {
  exact,
  float32,   ///< make_float32_rotary: frequencies, positions and products in float32
  float16,   ///< positions, frequencies and products rounded to float16
  bfloat16,  ///< the same in bfloat16
  product,   ///< ggml: in float32, the angle of a pair is the one before it times base^(-2/d)
};
[[nodiscard]] std::string_view name_of(AngleArithmetic arithmetic);
[[nodiscard]] constexpr bool is_of_16_bits(AngleArithmetic arithmetic) {
  return arithmetic == AngleArithmetic::float16 || arithmetic == AngleArithmetic::bfloat16;
}

/// A rotation hypothesis: a plan, and how what was done departs from it. With positions p' = position_scale * p +
/// first_position, angles are sign * p' * frequency.
struct RotationHypothesis {
  RotaryOptions plan;         ///< of the pairs alone: dim = 2 * pairs; its layout is not looked at
  double factor = 1;          ///< what cosines and sines are multiplied by: in place of the plan's own
  double first_position = 0;  ///< added to the caller's positions
  double position_scale = 1;  ///< what they are multiplied by before that
  bool negative = false;      ///< rotated back
  bool exchanged = false;     ///< sin + i cos
  bool reciprocal = false;    ///< 1 / frequency in place of frequency; pairs that do not rotate stay still
  AngleArithmetic arithmetic = AngleArithmetic::exact;
  DType frequencies = DType::float32;  ///< the type in which frequencies were stored: no rounding, where it is float32
  DType cosines = DType::float32;      ///< and that of cosines and sines, with their factor
  int sine_rows = 0;                   ///< sines are those of so many rows further on
};

/// A pair (1, 0) after its rotation.
struct RotatedPair {
  double real = 0, imaginary = 0;
};

/// The map from an angle's cosine and sine to the rotated pair: factor, sign, exchange and the type of the cosines of a
/// hypothesis. Hypotheses that differ by these alone share angles.
class RotationMap {
 public:
  explicit RotationMap(const RotationHypothesis& hypothesis)
      : factor_(hypothesis.factor),
        sine_factor_(hypothesis.negative ? -factor_ : factor_),
        exchanged_(hypothesis.exchanged),
        type_(hypothesis.cosines) {}

  [[nodiscard]] double factor() const { return factor_; }
  [[nodiscard]] RotatedPair operator()(double cosine, double sine) const;
  /// By how much either may be off where the angle may be by `loose`: next to the middle of two numbers of the cosines'
  /// type both are right.
  [[nodiscard]] RotatedPair off(double cosine, double sine, double loose) const;

 private:
  [[nodiscard]] RotatedPair unrounded(double cosine, double sine) const;
  [[nodiscard]] double rounded(double value) const;

  double factor_, sine_factor_;
  bool exchanged_;
  DType type_;
};

/// Writes the rotations of a hypothesis, [positions, pairs] each. Errors: those of Rotary::make and Positions::check;
/// sizes.
[[nodiscard]] Expected<void> write_rotations(const RotationHypothesis& hypothesis, std::span<const double> positions,
                                             std::span<double> cosines, std::span<double> sines);

}  // namespace posenc::diagnosis

namespace posenc {

template <>
[[nodiscard]] Expected<diagnosis::AngleArithmetic> from_name(std::string_view name);

}  // namespace posenc
