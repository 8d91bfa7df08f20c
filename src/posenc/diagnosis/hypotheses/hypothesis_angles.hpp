#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/frequencies/frequencies.hpp"

namespace posenc::diagnosis {

/// The plan of a hypothesis's pairs with Exponent::paper, which expresses the other exponents by another denominator.
/// `dim` is 2 * pairs, the layout is named.
[[nodiscard]] RotaryOptions plain_plan(const RotaryOptions& plan);

/// The denominator of the exponents of a plain plan.
[[nodiscard]] inline std::int64_t denominator_of(const RotaryOptions& plan) {
  return plan.exponent_dim.value_or(plan.dim);
}

/// Cosines and sines of the angles of a hypothesis, before RotationMap.
class HypothesisAngles {
 public:
  /// `exact`: exact ones of the same plan, where they are at hand. Errors: those of Rotary::make about frequencies;
  /// memory.
  [[nodiscard]] static Expected<HypothesisAngles> make(const RotationHypothesis& hypothesis,
                                                       const HypothesisAngles* exact = nullptr);

  /// Takes the positions of another hypothesis, whose frequencies are these.
  void move_to(const RotationHypothesis& hypothesis) {
    first_position_ = hypothesis.first_position, position_scale_ = hypothesis.position_scale;
  }

  /// Errors ("positions"): angles beyond max_angle, or what the arithmetic cannot represent.
  [[nodiscard]] Expected<void> check(double position) const;

  /// Cosines and sines at the caller's position, pairs() values each; `angles` gets what the arithmetic makes of the
  /// angles themselves. Errors: those of check; memory.
  [[nodiscard]] Expected<void> write(double position, double* cosines, double* sines, double* angles = nullptr);

  [[nodiscard]] std::size_t pairs() const { return radians_.size(); }
  /// Frequencies in radians a step of p', rounded to double (or as the arithmetic has them).
  [[nodiscard]] std::span<const double> radians() const { return radians_; }
  [[nodiscard]] AngleArithmetic arithmetic() const { return arithmetic_; }
  /// The plan's own attention factor.
  [[nodiscard]] double own_factor() const { return own_factor_; }

 private:
  [[nodiscard]] Expected<void> make_exact(const RotaryOptions& plan, bool reciprocal);
  [[nodiscard]] Expected<void> make_rounded(const RotaryOptions& plan, bool reciprocal);
  [[nodiscard]] Expected<void> store_frequencies(DType type);
  [[nodiscard]] Expected<void> make_product(const RotaryOptions& plan, bool reciprocal);
  [[nodiscard]] Expected<void> write_row(double moved_position);
  [[nodiscard]] Expected<void> write_rounded(double position);
  [[nodiscard]] double moved(double position) const { return position_scale_ * position + first_position_; }

  Frequencies frequencies_;  ///< exact ones; reciprocals are of double
  std::vector<double> radians_;
  std::vector<double> kept_;  ///< of products: by what the running angle is multiplied
  double step_ = 1;           ///< of products: from a pair to the next
  double own_factor_ = 1;
  double first_position_ = 0, position_scale_ = 1;
  AngleArithmetic arithmetic_ = AngleArithmetic::exact;
  int sine_rows_ = 0;
  AlignedArray<double> row_;  ///< sines, cosines
  std::vector<double> angles_;
};

}  // namespace posenc::diagnosis
