#include "posenc/rotary/xpos.hpp"

#include <cmath>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/rotary/kernels/rotary_angles.hpp"
#include "posenc/rotary/kernels/token_rotation.hpp"

namespace posenc {
namespace {

constexpr Name side_names[]{{"query", XposSide::query}, {"key", XposSide::key}};

constexpr double furthest = 80;  // e^80 and its inverse leave room in a float32

/// zeta^steps
double power(double ln_zeta, double steps) {
  const double exponent = ln_zeta * steps;
  return exponent > 0 ? 1 / exponential(-exponent) : exponential(exponent);
}

}  // namespace

template <>
Expected<XposSide> from_name(std::string_view name) {
  return from_name<XposSide>(side_names, "side", name);
}

Expected<Xpos> Xpos::make(const XposOptions& options) {
  auto rotary = Rotary::make(options.rotary);
  if (!rotary) return std::unexpected(rotary.error());
  if (!options.centre) return wrong("centre", "none", {"the position in the middle: it has no default"});
  if (!std::isfinite(*options.centre)) return wrong("centre", *options.centre, {"a finite number"});
  if (!std::isfinite(options.scale_base) || options.scale_base <= 0)
    return wrong("scaleBase", options.scale_base, {"a finite number > 0"});
  auto ln_zeta = AlignedArray<double>::make(rotary->rotary_dim() / 2);
  if (!ln_zeta) return std::unexpected(ln_zeta.error());
  // (2i + 0.4 r) / (1.4 r), times 5 above and below: whole numbers.
  const auto lanes = static_cast<double>(rotary->rotary_dim());
  for (std::size_t i = 0; i < ln_zeta->size(); ++i)
    (*ln_zeta)[i] = log(DoubleDouble{10 * static_cast<double>(i) + 2 * lanes, 0} / DoubleDouble{7 * lanes, 0}).high;
  Xpos made;
  made.rotary_ = std::move(*rotary);
  made.ln_zeta_ = std::move(*ln_zeta);
  made.centre_ = *options.centre;
  made.scale_base_ = options.scale_base;
  return made;
}

Expected<void> Xpos::check_reach(const Positions& positions) const {
  const double reach = furthest / std::fabs(ln_zeta_[0]) * scale_base_;
  for (std::size_t i = 0; i < positions.count(); ++i)
    if (!(std::fabs(positions[i] - centre_) <= reach))
      return wrong(
          "positions", positions[i],
          {"positions at most ", decimal(static_cast<std::int64_t>(std::fmin(reach, max_angle))), " from the centre"});
  return {};
}

Expected<void> Xpos::apply(std::span<float> x, const SequenceShape& shape, const Positions& positions, XposSide side,
                           Direction direction) const {
  const auto per_batch = rotary_.check_rotation(x.size(), shape, positions);
  if (!per_batch) return std::unexpected(per_batch.error());
  if (auto checked = check_reach(positions); !checked) return checked;
  auto angles = RotaryAngles::make(rotary_.frequencies(), rotary_.angle_source());
  if (!angles) return std::unexpected(angles.error());
  auto rotation = TokenRotation::make(rotary_.layout(), direction, rotary_.rotary_dim(), shape);
  if (!rotation) return std::unexpected(rotation.error());
  const double base = side == XposSide::query ? scale_base_ : -1 * scale_base_;
  rotation->all(x.data(), *per_batch, [&](std::size_t i) {
    angles->set(positions[i]);
    for (std::size_t pair = 0; pair < ln_zeta_.size(); ++pair) {
      const double scale = power(ln_zeta_[pair], (positions[i] - centre_) / base);
      angles->sines()[pair] *= scale;
      angles->cosines()[pair] *= scale;
    }
    return angles->rounded(direction, rotary_.attention_factor());
  });
  return {};
}

Expected<void> Xpos::scales(const Positions& positions, std::span<float> out) const {
  const std::size_t pairs = ln_zeta_.size();
  if (auto checked = check_size("out", out.size(), positions.count(), pairs); !checked) return checked;
  if (auto checked = check_reach(positions); !checked) return checked;
  for (std::size_t i = 0; i < positions.count(); ++i)
    for (std::size_t pair = 0; pair < pairs; ++pair)
      out[i * pairs + pair] = static_cast<float>(power(ln_zeta_[pair], (positions[i] - centre_) / scale_base_));
  return {};
}

}  // namespace posenc
