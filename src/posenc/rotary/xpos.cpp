#include "posenc/rotary/xpos.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/try.hpp"
#include "posenc/base/vector_maths.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/rotary/kernels/rotary_angles.hpp"
#include "posenc/rotary/kernels/token_rotation.hpp"

namespace posenc {
namespace {

constexpr double furthest = 80;  // e^80 and its inverse leave room in a float32

using Lanes = xsimd::batch<double>;
static_assert(Frequencies::dim_block % Lanes::size == 0);

void multiply(const double* from, const Lanes& by, double* to) { (Lanes::load_aligned(from) * by).store_aligned(to); }

Lanes power(const AlignedArray<double>& ln_zeta, std::size_t i, double steps) {
  return exponential<double>(Lanes::load_aligned(ln_zeta.data() + i) * Lanes(steps));
}

/// zeta^(distance / base) of every pair, as the product of two powers: of the distance's fine part (angles.hpp), of
/// which there are few, and of the rest, which many tokens share. The parts follow from the distance alone.
class Powers {
 public:
  /// `ln_zeta` must outlive this. Errors: memory.
  static Expected<Powers> make(const AlignedArray<double>& ln_zeta, double base) {
    Powers made;
    made.ln_zeta_ = &ln_zeta;
    made.base_ = base;
    made.kept_ = ln_zeta.size() <= most_kept ? fine_parts : 1;
    made.held_.fill(std::numeric_limits<double>::quiet_NaN());
    POSENC_TRY_LET(rows, AlignedArray<double>::make_unfilled((made.kept_ + 1) * ln_zeta.size()));
    made.rows_ = std::move(rows);
    return made;
  }

  /// Calls use(i, zeta^(distance / base)) for each vector of pairs.
  template <class Use>
  void each(double distance, const Use& use) {
    const PositionParts parts = parts_of(distance);
    const double* const rest = row(kept_, parts.coarse + parts.middle);
    const double* const fine = row(static_cast<std::size_t>(parts.fine + PositionParts::reach) % kept_, parts.fine);
    for (std::size_t i = 0; i < ln_zeta_->size(); i += Lanes::size)
      use(i, Lanes::load_aligned(rest + i) * Lanes::load_aligned(fine + i));
  }

 private:
  static constexpr auto fine_parts = static_cast<std::size_t>(PositionParts::step);
  static constexpr std::size_t most_kept = 4096;  ///< pairs of which every fine part's row is kept

  const double* row(std::size_t slot, double distance) {
    double* const out = rows_.data() + slot * ln_zeta_->size();
    if (std::exchange(held_[slot], distance) != distance)
      for (std::size_t i = 0; i < ln_zeta_->size(); i += Lanes::size)
        power(*ln_zeta_, i, distance / base_).store_aligned(out + i);
    return out;
  }

  const AlignedArray<double>* ln_zeta_ = nullptr;
  double base_ = 1;
  std::size_t kept_ = 1;
  std::array<double, fine_parts + 1> held_{};  ///< the distances of the rows
  AlignedArray<double> rows_;
};

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
  for (std::size_t i = 0; i < ln_zeta_.size(); i += Lanes::size)
    for (double* const values : {sines, cosines}) multiply(values + i, power(ln_zeta_, i, steps), values + i);
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
  POSENC_TRY_LET(powers, Powers::make(ln_zeta_, side == XposSide::query ? scale_base_ : -1 * scale_base_));
  rotation.all(x.data(), per_batch, [&](std::size_t i, std::size_t) -> AngleRun {
    const AngleRow<double> row = angles.exact(positions[i]);
    powers.each(positions[i] - centre_, [&](std::size_t pair, const Lanes& scale) {
      multiply(row.sines + pair, scale, angles.sines() + pair);
      multiply(row.cosines + pair, scale, angles.cosines() + pair);
    });
    return {angles.rounded(direction, rotary_.attention_factor())};
  });
  return {};
}

Expected<void> Xpos::scales(const Positions& positions, std::span<float> out) const {
  const std::size_t pairs = rotary_.rotary_dim() / 2;
  POSENC_TRY(check_size("out", out.size(), positions.count(), pairs));
  POSENC_TRY(check_reach(positions));
  POSENC_TRY_LET(powers, Powers::make(ln_zeta_, scale_base_));
  POSENC_TRY_LET(scratch, AlignedArray<double>::make_unfilled(ln_zeta_.size()));
  for (std::size_t i = 0; i < positions.count(); ++i) {
    powers.each(positions[i] - centre_,
                [&](std::size_t pair, const Lanes& scale) { scale.store_aligned(scratch.data() + pair); });
    for (std::size_t pair = 0; pair < pairs; ++pair) out[i * pairs + pair] = static_cast<float>(scratch[pair]);
  }
  return {};
}

}  // namespace posenc
