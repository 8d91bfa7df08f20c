#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"

#include <cmath>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/rotary/certificate/rounding_error.hpp"

namespace posenc {
namespace {

using diagnosis::AngleArithmetic;

constexpr Name arithmetic_names[]{
    {"exact", AngleArithmetic::exact},     {"float32", AngleArithmetic::float32},
    {"float16", AngleArithmetic::float16}, {"bfloat16", AngleArithmetic::bfloat16},
    {"product", AngleArithmetic::product},
};

}  // namespace

template <>
Expected<AngleArithmetic> from_name(std::string_view name) {
  return from_name<AngleArithmetic>(arithmetic_names, "arithmetic", name);
}

namespace diagnosis {

std::string_view name_of(AngleArithmetic arithmetic) { return posenc::name_of(arithmetic_names, arithmetic); }

RotatedPair RotationMap::unrounded(double cosine, double sine) const {
  const double real = factor_ * cosine, imaginary = sine_factor_ * sine;
  return exchanged_ ? RotatedPair{imaginary, real} : RotatedPair{real, imaginary};
}

double RotationMap::rounded(double value) const {
  return type_ == DType::float32 ? value : rounded_to(rounding_of(type_), value);
}

RotatedPair RotationMap::operator()(double cosine, double sine) const {
  const RotatedPair made = unrounded(cosine, sine);
  return {rounded(made.real), rounded(made.imaginary)};
}

RotatedPair RotationMap::off(double cosine, double sine, double loose) const {
  const RotatedPair exact = unrounded(cosine, sine);
  const auto off_by = [&](double own, double other) {
    const double by_angle = loose * std::fabs(other) + loose * loose / 2 * std::fabs(own);
    if (type_ == DType::float32) return by_angle;
    const double by = by_angle + 0x1p-23 * std::fabs(factor_);
    return rounded(own + by) - rounded(own - by);
  };
  return {off_by(exact.real, exact.imaginary), off_by(exact.imaginary, exact.real)};
}

Expected<void> write_rotations(const RotationHypothesis& hypothesis, std::span<const double> positions,
                               std::span<double> cosines, std::span<double> sines) {
  POSENC_TRY_LET(angles, HypothesisAngles::make(hypothesis));
  const std::size_t pairs = angles.pairs();
  POSENC_TRY(check_size("cosines", cosines.size(), positions.size(), pairs));
  POSENC_TRY(check_size("sines", sines.size(), positions.size(), pairs));
  const RotationMap map(hypothesis);
  // Nothing is written where one position fails.
  for (const double position : positions) POSENC_TRY(angles.check(position));
  for (std::size_t k = 0; k < positions.size(); ++k) {
    double* const real = cosines.data() + k * pairs;
    double* const imaginary = sines.data() + k * pairs;
    POSENC_TRY(angles.write(positions[k], real, imaginary));
    for (std::size_t i = 0; i < pairs; ++i) {
      const RotatedPair pair = map(real[i], imaginary[i]);
      real[i] = pair.real, imaginary[i] = pair.imaginary;
    }
  }
  return {};
}

}  // namespace diagnosis
}  // namespace posenc
