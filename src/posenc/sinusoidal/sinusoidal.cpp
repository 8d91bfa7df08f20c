#include "posenc/sinusoidal/sinusoidal.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/round16.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/frequencies/exact_angle.hpp"
#include "posenc/sinusoidal/sinusoidal_rows.hpp"

namespace posenc {
namespace {

Expected<void> check_amplitude(double amplitude) {
  if (std::fabs(amplitude) <= 0x1p127) return {};  // and not NaN
  return invalid_argument("amplitude", amplitude, expected::finite_at_most, {"2^127"});
}

struct SinusoidalRow {
  double shift;
  Exponent exponent;
  Order order;
  bool even_only = false;
  bool one_frequency_is_fine = false;  ///< its denominator is at least 1
  bool unit_length = false;            ///< times sqrt(2 / d): every row of even d then has length 1
};

/// In the order of SinusoidalPreset.
constexpr SinusoidalRow sinusoidal_presets[]{
    {.shift = 0, .exponent = Exponent::paper, .order = Order::interleaved},
    {.shift = 1, .exponent = Exponent::half, .order = Order::split, .one_frequency_is_fine = true},
    {.shift = 1, .exponent = Exponent::half, .order = Order::split, .even_only = true},
    {.shift = 1, .exponent = Exponent::half, .order = Order::split},
    {.shift = 0, .exponent = Exponent::half, .order = Order::cosines_first},
    {.shift = 1, .exponent = Exponent::half, .order = Order::split, .even_only = true, .unit_length = true},
};
static_assert(std::size(sinusoidal_presets) == names_of<SinusoidalPreset>.words.size());

double shift_of(const SinusoidalRow& row, const SinusoidalChoice& choice) {
  if (choice.exponent && *choice.exponent != row.exponent) return 0;
  return row.one_frequency_is_fine && choice.dim / 2 == 1 ? 0 : row.shift;
}

}  // namespace

Expected<Sinusoidal> Sinusoidal::make(const SinusoidalOptions& options) {
  POSENC_TRY(check_amplitude(options.amplitude));
  POSENC_TRY_LET(frequencies, Frequencies::make(options.frequencies));
  Sinusoidal made;
  made.frequencies_ = std::move(frequencies);
  made.dim_ = static_cast<std::size_t>(options.frequencies.dim);
  made.order_ = options.order;
  made.amplitude_ = options.amplitude;
  return made;
}

/// Whether all dimensions of a row are sines and cosines as they are.
bool Sinusoidal::is_plain() const { return amplitude_ == 1 && dim_ - frequencies_.count() <= frequencies_.count(); }

Expected<void> Sinusoidal::table(const Positions& positions, std::span<float> out, Precision precision) const {
  POSENC_TRY(check_size("out", out.size(), positions.count(), dim_));
  POSENC_TRY(positions.check(frequencies_.largest()));
  POSENC_TRY_LET(angles, AngleRows::make(frequencies_));
  const Dims dims(order_, dim_, frequencies_.count());
  const bool fast = precision == Precision::fast && is_plain();
  const auto first = positions.first_whole();
  const bool block_wise = first && is_plain() && positions.count() > 32;
  std::optional<SinusoidalRows> rows;
  if (fast || block_wise) {
    POSENC_TRY_LET(made, SinusoidalRows::make(dims, angles, out.size_bytes(), precision));
    rows = std::move(made);
  }
  if (block_wise) {
    rows->write(angles, *first, out);
    return {};
  }
  for (std::size_t i = 0; i < positions.count(); ++i) {
    if (fast && parts_of(positions[i]).whole) {
      rows->write(angles, positions[i], out.subspan(i * dim_, dim_));
      continue;
    }
    const AngleRows::Row row = angles.at(positions[i]);
    write_row(dims, amplitude_, row.sines, row.cosines, out.subspan(i * dim_, dim_));
  }
  return {};
}

Expected<void> Sinusoidal::table(const Positions& positions, Span16 out) const {
  POSENC_TRY(check_size("out", out.size(), positions.count(), dim_));
  POSENC_TRY(check_holds(out.dtype(), "amplitude", amplitude_));
  POSENC_TRY(positions.check(frequencies_.largest()));
  POSENC_TRY_LET(angles, AngleRows::make(frequencies_));
  const Dims dims(order_, dim_, frequencies_.count());
  const Format16 format = format_of(out.dtype());
  for (std::size_t i = 0; i < positions.count(); ++i) {
    const AngleRows::Row angle = angles.at(positions[i]);
    const auto row = out.bits().subspan(i * dim_, dim_);
    const auto exact = [&](std::size_t pair) { return exact_angle(frequencies_, positions[i], pair); };
    round_to_dtype(format, amplitude_, {angle.sines, dims.sines}, row.data() + dims.first_sine, dims.stride,
                   [&](std::size_t pair) { return exact(pair).sine; });
    round_to_dtype(format, amplitude_, {angle.cosines, dims.cosines}, row.data() + dims.first_cosine, dims.stride,
                   [&](std::size_t pair) { return exact(pair).cosine; });
    std::ranges::fill(row.subspan(dims.sines + dims.cosines), std::uint16_t{0});
  }
  return {};
}

/// The sines and, from padded_count() on, the cosines of the angles by * frequency.
Expected<AlignedArray<double>> Sinusoidal::shift_angles(double by) const {
  const Dims dims(order_, dim_, frequencies_.count());
  if (dims.cosines < dims.sines)
    return invalid_argument("dim", static_cast<double>(dim_), expected::even, {},
                            ": the last sine has no cosine to be turned with");
  if (!has_exact_angles(by, frequencies_.largest())) return invalid_argument("by", by, expected::exact_angle, {"by"});
  auto angles = AlignedArray<double>::make(2 * frequencies_.padded_count());
  if (angles) sines_and_cosines(frequencies_, by, angles->data(), angles->data() + frequencies_.padded_count());
  return angles;
}

Expected<void> Sinusoidal::shift_matrix(double by, std::span<float> out) const {
  POSENC_TRY_LET(angles, shift_angles(by));
  POSENC_TRY(check_size("out", out.size(), dim_, dim_));
  const Dims dims(order_, dim_, frequencies_.count());
  std::memset(out.data(), 0, out.size_bytes());
  for (std::size_t i = 0; i < dims.sines; ++i) {
    const auto sine = static_cast<float>(angles[i]);
    const auto cosine = static_cast<float>(angles[frequencies_.padded_count() + i]);
    const std::size_t s = dims.sine(i);
    const std::size_t c = dims.cosine(i);
    out[s * dim_ + s] = cosine;
    out[s * dim_ + c] = sine;
    out[c * dim_ + s] = -sine;
    out[c * dim_ + c] = cosine;
  }
  return {};
}

Expected<void> Sinusoidal::shift(double by, std::span<float> table) const { return shift(by, table, table); }

Expected<void> Sinusoidal::shift(double by, std::span<const float> table, std::span<float> out) const {
  POSENC_TRY_LET(angles, shift_angles(by));
  if (table.size() % dim_ != 0)
    return invalid_argument("table", static_cast<double>(table.size()), expected::rows_of, {dim_});
  POSENC_TRY(check_size("out", out.size(), table.size()));
  const Dims dims(order_, dim_, frequencies_.count());
  const double* const sines = angles.data();
  const double* const cosines = sines + frequencies_.padded_count();
  for (std::size_t row = 0; row < table.size(); row += dim_) {
    for (std::size_t i = 0; i < dims.sines; ++i) {
      const std::size_t s = row + dims.sine(i);
      const std::size_t c = row + dims.cosine(i);
      const double a = table[s];
      const double b = table[c];
      out[s] = static_cast<float>(a * cosines[i] + b * sines[i]);
      out[c] = static_cast<float>(b * cosines[i] - a * sines[i]);
    }
    // A dimension that has neither stays as it is.
    for (std::size_t i = dims.sines + dims.cosines; i < dim_; ++i) out[row + i] = table[row + i];
  }
  return {};
}

Expected<SinusoidalOptions> resolve(const SinusoidalChoice& choice) {
  const SinusoidalRow& row = sinusoidal_presets[static_cast<std::size_t>(choice.preset)];
  if (row.even_only && choice.dim % 2 != 0)
    return invalid_argument("dim", static_cast<double>(choice.dim), expected::even, {}, ", for this preset");
  const double amplitude = row.unit_length && choice.dim > 0 ? std::sqrt(2 / static_cast<double>(choice.dim)) : 1;
  return SinusoidalOptions{
      .frequencies = {.dim = choice.dim,
                      .base = choice.base.value_or(10000),
                      .exponent = choice.exponent.value_or(row.exponent),
                      .shift = choice.shift.value_or(shift_of(row, choice)),
                      .scale = choice.scale.value_or(1)},
      .order = choice.order.value_or(row.order),
      .amplitude = choice.amplitude.value_or(amplitude),
  };
}

void clear_padding(const Positions& positions, double padding, std::span<std::byte> table) {
  for (std::size_t i = 0; i < positions.count(); ++i)
    if (const std::size_t row = table.size() / positions.count(); positions[i] == padding)
      std::ranges::fill(table.subspan(i * row, row), std::byte{});
}

}  // namespace posenc
