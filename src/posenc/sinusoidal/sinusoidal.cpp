#include "posenc/sinusoidal/sinusoidal.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/frequencies/angle_rows.hpp"
#include "posenc/frequencies/phase.hpp"
#include "posenc/sinusoidal/lanes.hpp"
#include "posenc/sinusoidal/sinusoidal_rows.hpp"

namespace posenc {
namespace {

constexpr Name order_names[]{
    {"interleaved", Order::interleaved},
    {"split", Order::split},
    {"cosines-first", Order::cosines_first},
};

constexpr Name precision_names[]{
    {"exact", Precision::exact},
    {"fast", Precision::fast},
};

Expected<void> check_amplitude(double amplitude) {
  if (std::fabs(amplitude) <= 0x1p127) return {};  // and not NaN
  return wrong("amplitude", amplitude, {"a finite number of at most 2^127"});
}

}  // namespace

Expected<Order> order_from_name(std::string_view name) { return from_name<Order>(order_names, "order", name); }

Expected<Sinusoid> Sinusoid::make(const SinusoidOptions& options) {
  if (auto checked = check_amplitude(options.amplitude); !checked) return std::unexpected(checked.error());
  auto frequencies = Frequencies::make(options.frequencies);
  if (!frequencies) return std::unexpected(frequencies.error());
  Sinusoid made;
  made.frequencies_ = std::move(*frequencies);
  made.dim_ = static_cast<std::size_t>(options.frequencies.dim);
  made.order_ = options.order;
  made.amplitude_ = options.amplitude;
  return made;
}

Expected<Precision> precision_from_name(std::string_view name) {
  return from_name<Precision>(precision_names, "precision", name);
}

/// Whether all lanes of a row are sines and cosines as they are.
bool Sinusoid::is_plain() const { return amplitude_ == 1 && dim_ - frequencies_.count() <= frequencies_.count(); }

Expected<void> Sinusoid::table(const Positions& positions, std::span<float> out, Precision precision) const {
  if (auto checked = check_size("out", out.size(), positions.count(), dim_); !checked) return checked;
  if (auto checked = positions.check(frequencies_.largest()); !checked) return checked;
  auto angles = AngleRows::make(frequencies_);
  if (!angles) return std::unexpected(angles.error());
  const Lanes lanes(order_, dim_, frequencies_.count());
  const bool fast = precision == Precision::fast && is_plain();
  const auto first = positions.first_whole();
  const bool block_wise = first && is_plain() && positions.count() > 32;
  std::optional<SinusoidRows> rows;
  if (fast || block_wise) {
    auto made = SinusoidRows::make(lanes, *angles, out.size_bytes(), precision);
    if (!made) return std::unexpected(made.error());
    rows = std::move(*made);
  }
  if (block_wise) {
    rows->write(*angles, *first, out);
    return {};
  }
  for (std::size_t i = 0; i < positions.count(); ++i) {
    if (fast && parts_of(positions[i]).whole) {
      rows->write(*angles, positions[i], out.subspan(i * dim_, dim_));
      continue;
    }
    const AngleRows::Row row = angles->at(positions[i]);
    write_row(lanes, amplitude_, row.sines, row.cosines, out.subspan(i * dim_, dim_));
  }
  return {};
}

/// The sines and, from padded_count() on, the cosines of the angles by * frequency.
Expected<AlignedArray<double>> Sinusoid::turn(double by) const {
  const Lanes lanes(order_, dim_, frequencies_.count());
  if (lanes.cosines < lanes.sines)
    return wrong("dim", static_cast<double>(dim_), {"an even number: the last sine has no cosine to be turned with"});
  if (!has_exact_phases(by, frequencies_.largest()))
    return wrong("by", by, {"a finite number whose largest angle, |by| * frequency, is at most 2^53 radians"});
  auto angles = AlignedArray<double>::make(2 * frequencies_.padded_count());
  if (angles) sines_and_cosines(frequencies_, by, angles->data(), angles->data() + frequencies_.padded_count());
  return angles;
}

Expected<void> Sinusoid::shift_matrix(double by, std::span<float> out) const {
  const auto angles = turn(by);
  if (!angles) return std::unexpected(angles.error());
  if (auto checked = check_size("out", out.size(), dim_, dim_); !checked) return checked;
  const Lanes lanes(order_, dim_, frequencies_.count());
  std::ranges::fill(out, 0.0f);
  for (std::size_t i = 0; i < lanes.sines; ++i) {
    const auto sine = static_cast<float>((*angles)[i]);
    const auto cosine = static_cast<float>((*angles)[frequencies_.padded_count() + i]);
    const std::size_t s = lanes.sine(i);
    const std::size_t c = lanes.cosine(i);
    out[s * dim_ + s] = cosine;
    out[s * dim_ + c] = sine;
    out[c * dim_ + s] = -sine;
    out[c * dim_ + c] = cosine;
  }
  return {};
}

Expected<void> Sinusoid::shift(double by, std::span<float> table) const {
  const auto angles = turn(by);
  if (!angles) return std::unexpected(angles.error());
  if (table.size() % dim_ != 0)
    return wrong("table", static_cast<double>(table.size()), {"rows of ", decimal(dim_), " values"});
  const Lanes lanes(order_, dim_, frequencies_.count());
  const double* const sines = angles->data();
  const double* const cosines = sines + frequencies_.padded_count();
  for (std::size_t row = 0; row < table.size(); row += dim_)
    for (std::size_t i = 0; i < lanes.sines; ++i) {
      float& sine_lane = table[row + lanes.sine(i)];
      float& cosine_lane = table[row + lanes.cosine(i)];
      const double a = sine_lane;
      const double b = cosine_lane;
      sine_lane = static_cast<float>(a * cosines[i] + b * sines[i]);
      cosine_lane = static_cast<float>(b * cosines[i] - a * sines[i]);
    }
  return {};
}

}  // namespace posenc
