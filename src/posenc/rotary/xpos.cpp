#include "posenc/rotary/xpos.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"
#include "posenc/rotary/kernels/rotary_angles.hpp"
#include "posenc/rotary/kernels/token_rotation.hpp"

namespace posenc {
namespace {

constexpr double furthest = 80;  // e^80 and its inverse leave room in a float32

using Doubles = xsimd::batch<double>;
static_assert(Frequencies::dim_block % Doubles::size == 0);

/// 1 / k! for k = 0 ... 13: beyond, the series of e^x for |x| < 0.35 has 1e-17.
constexpr std::array<double, 14> reciprocal_factorials = [] {
  std::array<double, 14> made{};
  double factorial = 1;
  for (std::size_t k = 0; k < made.size(); ++k) {
    if (k > 0) factorial *= static_cast<double>(k);
    made[k] = 1 / factorial;
  }
  return made;
}();

/// e^x for |x| <= `furthest`. Largest error: 3 ulp.
Doubles power_of_e(Doubles x) {
  // x / ln 2, rounded, in the lowest bits; then less that many times ln 2, in two parts, the first of which times such
  // a number is exact.
  const Doubles shifter(6755399441055744.0);
  const Doubles shifted = x * Doubles(1.4426950408889634) + shifter;
  const Doubles exponent = shifted - shifter;
  const Doubles rest =
      (x - exponent * Doubles(0.693147180369123816490)) - exponent * Doubles(1.90821492927058770002e-10);
  Doubles series(reciprocal_factorials.back());
  for (std::size_t k = reciprocal_factorials.size() - 1; k-- > 0;)
    series = series * rest + Doubles(reciprocal_factorials[k]);
  const auto power = (xsimd::bitwise_cast<std::int64_t>(shifted) + xsimd::batch<std::int64_t>(1023)) << 52;
  return series * xsimd::bitwise_cast<double>(power);
}

/// Multiplies each value by zeta^steps.
void multiply_by_powers(const AlignedArray<double>& ln_zeta, double steps, double* values, double* others) {
  for (std::size_t i = 0; i < ln_zeta.size(); i += Doubles::size) {
    const Doubles power = power_of_e(Doubles::load_aligned(ln_zeta.data() + i) * Doubles(steps));
    (Doubles::load_aligned(values + i) * power).store_aligned(values + i);
    if (others != nullptr) (Doubles::load_aligned(others + i) * power).store_aligned(others + i);
  }
}

}  // namespace

Expected<Xpos> Xpos::make(const XposOptions& options) {
  POSENC_TRY_LET(rotary, Rotary::make(options.rotary));
  if (!options.centre) return invalid_argument("centre", "none", expected::centre);
  POSENC_TRY(check_ranges(options));
  POSENC_TRY_LET(ln_zeta, AlignedArray<double>::make(rotary.frequencies().padded_count()));
  // (2i + 0.4 r) / (1.4 r), times 5 above and below: whole numbers.
  const auto dims = static_cast<double>(rotary.rotary_dim());
  for (std::size_t i = 0; i < rotary.rotary_dim() / 2; ++i)
    ln_zeta[i] = log(DoubleDouble{10 * static_cast<double>(i) + 2 * dims, 0} / DoubleDouble{7 * dims, 0}).high;
  Xpos made;
  made.rotary_ = std::move(rotary);
  made.ln_zeta_ = std::move(ln_zeta);
  made.centre_ = *options.centre;
  made.scale_base_ = options.scale_base;
  return made;
}

double Xpos::most_steps() const { return furthest / std::fabs(ln_zeta_[0]); }

void Xpos::multiply_by_scales(double steps, double* sines, double* cosines) const {
  multiply_by_powers(ln_zeta_, steps, sines, cosines);
}

Expected<void> Xpos::check_reach(const Positions& positions) const {
  const double reach = most_steps() * scale_base_;
  for (std::size_t i = 0; i < positions.count(); ++i)
    if (!(std::fabs(positions[i] - centre_) <= reach))
      return invalid_argument("positions", positions[i], expected::near_centre,
                              {std::floor(std::fmin(reach, max_angle))});
  return {};
}

Expected<void> Xpos::apply(std::span<float> x, const SequenceShape& shape, const Positions& positions, XposSide side,
                           Direction direction) const {
  POSENC_TRY_LET(per_batch, rotary_.check_rotation(x.size(), shape, positions));
  POSENC_TRY(check_reach(positions));
  POSENC_TRY_LET(angles, RotaryAngles::make(rotary_.frequencies(), rotary_.angle_source()));
  POSENC_TRY_LET(rotation, TokenRotation::make(rotary_.layout(), direction, rotary_.rotary_dim(), shape));
  const double base = side == XposSide::query ? scale_base_ : -1 * scale_base_;
  rotation.all(x.data(), per_batch, [&](std::size_t i, std::size_t) -> AngleRun {
    angles.set(positions[i]);
    multiply_by_powers(ln_zeta_, (positions[i] - centre_) / base, angles.sines(), angles.cosines());
    return {angles.rounded(direction, rotary_.attention_factor())};
  });
  return {};
}

Expected<void> Xpos::scales(const Positions& positions, std::span<float> out) const {
  const std::size_t pairs = rotary_.rotary_dim() / 2;
  POSENC_TRY(check_size("out", out.size(), positions.count(), pairs));
  POSENC_TRY(check_reach(positions));
  POSENC_TRY_LET(scratch, AlignedArray<double>::make_unfilled(ln_zeta_.size()));
  for (std::size_t i = 0; i < positions.count(); ++i) {
    std::ranges::fill(scratch.span(), 1.0);
    multiply_by_powers(ln_zeta_, (positions[i] - centre_) / scale_base_, scratch.data(), nullptr);
    for (std::size_t pair = 0; pair < pairs; ++pair) out[i * pairs + pair] = static_cast<float>(scratch[pair]);
  }
  return {};
}

}  // namespace posenc
