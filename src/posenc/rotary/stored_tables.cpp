#include "posenc/base/check.hpp"
#include "posenc/base/dtype_nearest.hpp"
#include "posenc/frequencies/angle_rows.hpp"
#include "posenc/rotary/cache_lanes.hpp"
#include "posenc/rotary/rotary_angles.hpp"
#include "posenc/rotary/rotary_cache.hpp"
#include "posenc/sinusoidal/lanes.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc {
namespace {

/// out[i * stride] = the value nearest to by * values[i].
void round_all(const HalfFormat& format, double by, std::span<const double> values, std::uint16_t* out,
               std::size_t stride) {
  for (std::size_t i = 0; i < values.size(); ++i) out[i * stride] = nearest(format, by * values[i]);
}

}  // namespace

Expected<void> check_holds(Storage storage, std::string_view argument, double value) {
  if (std::fabs(value) <= format_of(storage).max) return {};
  return wrong(argument, value, {"what the dtype can hold: at most 65504 for float16"});
}

Expected<void> Sinusoid::table(const Positions& positions, HalfSpan out) const {
  if (auto checked = check_size("out", out.size(), positions.count(), dim_); !checked) return checked;
  if (auto checked = check_holds(out.storage(), "amplitude", amplitude_); !checked) return checked;
  if (auto checked = positions.check(frequencies_.largest()); !checked) return checked;
  auto angles = AngleRows::make(frequencies_);
  if (!angles) return std::unexpected(angles.error());
  const Lanes lanes(order_, dim_, frequencies_.count());
  const HalfFormat format = format_of(out.storage());
  for (std::size_t i = 0; i < positions.count(); ++i) {
    const AngleRows::Row angle = angles->at(positions[i]);
    const auto row = out.bits().subspan(i * dim_, dim_);
    round_all(format, amplitude_, {angle.sines, lanes.sines}, row.data() + lanes.first_sine, lanes.stride);
    round_all(format, amplitude_, {angle.cosines, lanes.cosines}, row.data() + lanes.first_cosine, lanes.stride);
    std::ranges::fill(row.subspan(lanes.sines + lanes.cosines), std::uint16_t{0});
  }
  return {};
}

Expected<void> Rotary::cache(const Positions& positions, HalfSpan cosines, HalfSpan sines) const {
  return write_rotary_cache(*this, CacheForm::onnx, positions, cosines, sines);
}

Expected<void> write_rotary_cache(const Rotary& rotary, CacheForm form, const Positions& positions, HalfSpan cosines,
                                  HalfSpan sines) {
  const std::size_t pairs = rotary.rotary_dim() / 2;
  const double factor = rotary.attention_factor();
  const CacheLanes lanes(form, pairs);
  if (cosines.storage() != sines.storage())
    return wrong("sines", std::string("another dtype"), {"the dtype of the cosines"});
  if (auto checked = check_size("cosines", cosines.size(), positions.count(), lanes.row); !checked) return checked;
  if (auto checked = check_size("sines", sines.size(), lanes.shared ? 0 : positions.count(), lanes.row); !checked)
    return checked;
  if (auto checked = check_holds(cosines.storage(), "attentionFactor", factor); !checked) return checked;
  if (auto checked = positions.check(rotary.frequencies().largest()); !checked) return checked;
  auto angles = RotaryAngles::make(rotary);
  if (!angles) return std::unexpected(angles.error());
  const HalfFormat format = format_of(cosines.storage());
  for (std::size_t i = 0; i < positions.count(); ++i) {
    angles->set(positions[i]);
    std::uint16_t* const row = cosines.bits().data() + i * lanes.row;
    std::uint16_t* const sine_row = lanes.shared ? row + 1 : sines.bits().data() + i * lanes.row;
    for (const std::size_t copy : {std::size_t{0}, lanes.copy}) {
      round_all(format, factor, {angles->cosines(), pairs}, row + copy, lanes.stride);
      round_all(format, factor, {angles->sines(), pairs}, sine_row + copy, lanes.stride);
    }
  }
  return {};
}

}  // namespace posenc
