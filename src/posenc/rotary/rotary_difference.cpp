#include "posenc/rotary/rotary_difference.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/rotary/kernels/rotary_angles.hpp"

namespace posenc {

Expected<RotaryDifference> rotary_difference(const Rotary& a, const Rotary& b, double distance) {
  if (a.rotary_dim() != b.rotary_dim())
    return invalid_argument("b", static_cast<double>(b.rotary_dim()), expected::same_rotary,
                            {"rotaryDim", a.rotary_dim()});
  for (const Rotary* const rotary : {&a, &b})
    if (auto checked = Positions::list({&distance, 1}).check(rotary->frequencies().largest()); !checked) {
      checked.error().argument = "distances";
      return error_of(checked);
    }
  POSENC_TRY_LET(of_a, RotaryAngles::make(a.frequencies(), a.angle_source()));
  POSENC_TRY_LET(of_b, RotaryAngles::make(b.frequencies(), b.angle_source()));
  of_a.set(distance);
  of_b.set(distance);

  const double m = a.attention_factor();
  const double n = b.attention_factor();
  const Frequencies& first = a.frequencies();
  const Frequencies& second = b.frequencies();
  RotaryDifference made;
  for (std::size_t i = 0; i < first.count(); ++i) {
    // In parts: frequencies may be almost alike.
    const double cycles = (first.head()[i] - second.head()[i]) +
                          ((first.mid()[i] - second.mid()[i]) + (first.tail()[i] - second.tail()[i]));
    made.angle = std::max(made.angle, std::fabs(distance * (2 * std::numbers::pi * cycles)));
    const double cosine = m * of_a.cosines()[i] - n * of_b.cosines()[i];
    made.cosine = std::max(made.cosine, std::fabs(cosine));
    const double real = m * m * of_a.cosines()[i] - n * n * of_b.cosines()[i];
    const double imaginary = m * m * of_a.sines()[i] - n * n * of_b.sines()[i];
    made.score = std::max(made.score, std::sqrt(real * real + imaginary * imaginary));
  }
  if (a.layout() != b.layout()) made.score = m * m + n * n;
  return made;
}

}  // namespace posenc
