#include "posenc/sinusoidal/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/sinusoidal/sinusoidal_rows.hpp"

namespace posenc {
namespace {

constexpr std::int64_t max_levels = 52;

Expected<Frequencies> frequencies_of(std::span<double> weights, AngleUnit unit) {
  if (unit == AngleUnit::radians) return Frequencies::from_radians(weights);
  if (unit == AngleUnit::half_cycles)
    for (double& weight : weights) weight /= 2;
  return Frequencies::from_cycles(weights);
}

enum class FourierPreset : std::uint8_t { diffusers, rff };
constexpr Name fourier_preset_names[]{
    {"diffusers", FourierPreset::diffusers},
    {"rff", FourierPreset::rff},
};
/// In the order of FourierPreset.
constexpr FourierOptions fourier_presets[]{
    {.unit = AngleUnit::cycles, .order = Order::split, .logarithmic = true},
    {.unit = AngleUnit::cycles, .order = Order::cosines_first},
};

/// A coordinate as it is encoded. Its rounding would show where weights are large: the logarithm's second double is
/// kept.
DoubleDouble encoded(double coordinate, bool logarithmic) {
  return logarithmic ? log(coordinate) : DoubleDouble{coordinate, 0};
}

}  // namespace

Expected<FourierOptions> fourier_preset(std::string_view name, std::int64_t inputs) {
  POSENC_TRY_LET(preset, from_name<FourierPreset>(fourier_preset_names, "preset", name));
  FourierOptions options = fourier_presets[static_cast<std::size_t>(preset)];
  options.inputs = inputs;
  return options;
}

Expected<FourierFeatures> FourierFeatures::make(const FourierOptions& options, std::span<const double> weights) {
  POSENC_TRY(check_ranges(options));
  const auto inputs = static_cast<std::size_t>(options.inputs);
  if (weights.size() % inputs != 0)
    return invalid_argument("weights", static_cast<double>(weights.size()), expected::rows_of, {inputs});
  const std::size_t features = weights.size() / inputs;
  if (features > static_cast<std::size_t>(max_dim))
    return invalid_argument("weights", static_cast<double>(features), expected::at_most, {max_dim}, " features");
  POSENC_TRY_LET(column, AlignedArray<double>::make(features));
  FourierFeatures made;
  made.options_ = options;
  for (std::size_t input = 0; input < inputs; ++input) {
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = weights[i * inputs + input];
    auto frequencies = frequencies_of(column.span(), options.unit);
    if (!frequencies) {
      frequencies.error().argument = "weights";
      return error_of(frequencies);
    }
    made.by_input_.push_back(std::move(*frequencies));
  }
  return made;
}

Expected<FourierFeatures> FourierFeatures::nerf(std::int64_t inputs, std::int64_t levels, NerfPreset preset,
                                                std::optional<AngleUnit> unit) {
  POSENC_TRY(check_ranges(FourierOptions{.inputs = inputs}));
  POSENC_TRY(check_whole("levels", levels, 1, max_levels));
  const auto count = static_cast<std::size_t>(inputs);
  POSENC_TRY_LET(weights, AlignedArray<double>::make(count * static_cast<std::size_t>(levels) * count));
  const bool by_level = preset == NerfPreset::code;
  for (std::size_t input = 0; input < count; ++input)
    for (std::size_t level = 0; level < static_cast<std::size_t>(levels); ++level) {
      const std::size_t row = by_level ? level * count + input : input * static_cast<std::size_t>(levels) + level;
      weights[row * count + input] = std::ldexp(1.0, static_cast<int>(level));
    }
  auto made = make({.inputs = inputs,
                    .unit = unit.value_or(by_level ? AngleUnit::radians : AngleUnit::half_cycles),
                    .order = by_level ? Order::split : Order::interleaved},
                   weights.span());
  if (made && by_level) made->block_ = made->unchanged_ = count;
  return made;
}

Expected<void> FourierFeatures::check(std::span<const double> points) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = points[i];
    if (options_.logarithmic && (!std::isfinite(x) || x <= 0))
      return invalid_argument("points", x, expected::finite_above, {0}, ", to take the logarithm of");
    const double largest = by_input_[i % inputs()].largest();
    if (!std::isfinite(x) || !has_exact_angles(encoded(x, options_.logarithmic).high, largest))
      return invalid_argument("points", x, expected::exact_angle, {"x"});
  }
  return {};
}

Expected<void> FourierFeatures::features(std::span<const double> points, std::span<float> out) const {
  if (points.size() % inputs() != 0)
    return invalid_argument("points", static_cast<double>(points.size()), expected::rows_of, {inputs()});
  POSENC_TRY(check_size("out", out.size(), points.size() / inputs(), dims()));
  POSENC_TRY(check(points));
  const std::size_t count = by_input_.front().count();
  const std::size_t block = block_ == 0 ? count : block_;
  const Dims places(options_.order, 2 * block, block);
  const std::size_t padded = by_input_.front().padded_count();
  POSENC_TRY_LET(scratch, AlignedArray<double>::make(3 * padded));
  double* const cycles = scratch.data();
  double* const sines = cycles + padded;
  double* const cosines = sines + padded;
  for (std::size_t point = 0; point < points.size() / inputs(); ++point) {
    const auto coordinates = points.subspan(point * inputs(), inputs());
    const auto row = out.subspan(point * dims(), dims());
    std::fill_n(cycles, padded, 0.0);
    for (std::size_t input = 0; input < inputs(); ++input) {
      const DoubleDouble x = encoded(coordinates[input], options_.logarithmic);
      add_cycles(by_input_[input], x.high, cycles);
      if (x.low != 0) add_cycles(by_input_[input], x.low, cycles);
    }
    sines_and_cosines(cycles, padded, sines, cosines);
    for (std::size_t i = 0; i < unchanged_; ++i) row[i] = static_cast<float>(coordinates[i]);
    for (std::size_t i = 0; i < count; i += block)
      write_row(places, 1, sines + i, cosines + i, row.subspan(unchanged_ + 2 * i, 2 * block));
  }
  return {};
}

}  // namespace posenc
