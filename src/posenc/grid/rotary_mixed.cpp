#include "posenc/grid/rotary_mixed.hpp"

#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/angles.hpp"

namespace posenc {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): the next of its outputs, as a number in [0, 1).
double next_part(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53;
}

Expected<void> check_options(const RotaryMixedOptions& options, std::int64_t rotary_dim) {
  POSENC_TRY(check_ranges(options));
  POSENC_TRY(check_point_layout(options.layout));
  if (rotary_dim >= 2 && rotary_dim <= options.dim && rotary_dim % 2 == 0) return {};
  return invalid_argument(options.rotary_dim ? "rotaryDim" : "dim", static_cast<double>(rotary_dim),
                          expected::even_to_dim, {options.dim});
}

}  // namespace

Expected<PointRotary> rotary_mixed(const RotaryMixedOptions& options, std::span<const double> frequencies) {
  const std::int64_t rotary_dim = options.rotary_dim.value_or(options.dim);
  POSENC_TRY(check_options(options, rotary_dim));
  const auto axes = static_cast<std::size_t>(options.axes);
  const auto heads = static_cast<std::size_t>(options.heads);
  const auto pairs = static_cast<std::size_t>(rotary_dim / 2);
  POSENC_TRY(check_extents("frequencies", frequencies.size(), {axes, heads, pairs}));
  PointRotaryPlan plan;
  plan.dim = static_cast<std::size_t>(options.dim);
  plan.pairs = pairs;
  plan.heads = heads;
  plan.summed = true;
  plan.layout = options.layout;
  plan.blocks.push_back(pairs);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::size_t place = options.order == AxisOrder::first_first ? axis : axes - 1 - axis;
    POSENC_TRY_LET(made, Frequencies::from_radians(frequencies.subspan(place * heads * pairs, heads * pairs)));
    plan.axes.push_back({std::move(made), {}});
  }
  return PointRotary::from(std::move(plan));
}

Expected<void> mixed_frequencies(const MixedFrequencyOptions& start, std::span<double> out) {
  POSENC_TRY(check_ranges(start));
  if (start.dim % 4 != 0) return invalid_argument("dim", static_cast<double>(start.dim), expected::multiple, {4});
  const auto heads = static_cast<std::size_t>(start.heads);
  const auto quarter = static_cast<std::size_t>(start.dim / 4);
  POSENC_TRY(check_extents("out", out.size(), {2, heads, 2, quarter}));
  POSENC_TRY_LET(magnitudes, Frequencies::make({start.dim / 2, start.base}));
  POSENC_TRY_LET(scratch, AlignedArray<double>::make(3 * Frequencies::dim_block));

  double* const cycles = scratch.data();
  double* const sines = cycles + Frequencies::dim_block;
  double* const cosines = sines + Frequencies::dim_block;
  std::uint64_t state = start.seed.value_or(0);
  double* x = out.data();
  double* y = x + out.size() / 2;
  for (std::size_t head = 0; head < heads; ++head, x += 2 * quarter, y += 2 * quarter) {
    cycles[0] = start.seed ? next_part(state) : 0;
    sines_and_cosines(cycles, Frequencies::dim_block, sines, cosines);
    for (std::size_t i = 0; i < quarter; ++i) {
      const double magnitude = magnitudes.radians(i);
      x[i] = magnitude * cosines[0];
      y[i] = magnitude * sines[0];
      x[quarter + i] = -magnitude * sines[0];
      y[quarter + i] = magnitude * cosines[0];
    }
  }
  return {};
}

}  // namespace posenc
