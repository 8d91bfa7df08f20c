#include "posenc/grid/rotary_grid.hpp"

#include <cmath>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"

namespace posenc {
namespace {

Expected<std::size_t> sum_of_lanes(const AxialRotaryOptions& options) {
  if (options.lanes.empty() || options.lanes.size() > AxialSinusoid::max_axes)
    return wrong("lanes", static_cast<double>(options.lanes.size()),
                 {"from 1 to ", decimal(AxialSinusoid::max_axes), " axes"});
  std::int64_t left = options.dim;
  for (const std::int64_t lanes : options.lanes) {
    if (lanes < 2 || lanes % 2 != 0 || lanes > left)
      return wrong("lanes", static_cast<double>(lanes),
                   {"even numbers from 2 on, together at most dim (", decimal(options.dim), ")"});
    if (options.ladder == AxialLadder::shared && lanes != options.lanes.front())
      return wrong("lanes", static_cast<double>(lanes), {"as many for every axis: the axes share their frequencies"});
    left -= lanes;
  }
  return static_cast<std::size_t>(options.dim - left);
}

Expected<void> check_kind(const AxialRotaryOptions& options) {
  const bool language = options.frequencies == AxialFrequencies::language;
  if (options.ladder == AxialLadder::shared && !language)
    return wrong("ladder", std::string("\"shared\""), {"\"own\", for other frequencies than those of text"});
  if (std::isfinite(options.max_frequency) && options.max_frequency >= 2) return {};
  return wrong("maxFrequency", options.max_frequency, {"a finite number >= 2"});
}

/// The half turns of pixel frequency i of n: from 1 to `last`.
double pixel_frequency(AxialFrequencies kind, double last, std::size_t i, std::size_t n) {
  if (i == 0) return 1;
  if (i == n - 1) return last;
  const DoubleDouble index{static_cast<double>(i), 0};
  const DoubleDouble steps{static_cast<double>(n - 1), 0};
  if (kind == AxialFrequencies::pixel_bands) return exp(log(last) * index / steps).high;
  return (sum_exact(last, -1) * index / steps + DoubleDouble{1, 0}).high;
}

Expected<Frequencies> frequencies_of(const AxialRotaryOptions& options, std::int64_t lanes) {
  if (options.frequencies == AxialFrequencies::language) return Frequencies::make({lanes, options.base});
  if (options.frequencies == AxialFrequencies::turns)
    return Frequencies::make({.dim = lanes, .base = options.base, .scale = radians_per_turn.high});
  auto turns = AlignedArray<double>::make(static_cast<std::size_t>(lanes / 2));
  if (!turns) return std::unexpected(turns.error());
  for (std::size_t i = 0; i < turns->size(); ++i)
    (*turns)[i] = pixel_frequency(options.frequencies, options.max_frequency / 2, i, turns->size()) / 2;
  auto made = Frequencies::from_turns(turns->span());
  if (!made) return wrong("maxFrequency", options.max_frequency, {"a number whose frequencies are at most 2^53"});
  return made;
}

/// The frequencies of axis number `place` in the order of the pairs, the first of which is pair `first`.
Expected<AxisFrequencies> axis_frequencies(const AxialRotaryOptions& options, std::int64_t lanes, std::size_t place,
                                           std::size_t first) {
  const bool shared = options.ladder == AxialLadder::shared;
  const auto axes = static_cast<std::int64_t>(options.lanes.size());
  auto frequencies = frequencies_of(options, shared ? lanes * axes : lanes);
  if (!frequencies) return std::unexpected(frequencies.error());
  auto pairs = AlignedArray<std::uint32_t>::make(static_cast<std::size_t>(lanes / 2));
  if (!pairs) return std::unexpected(pairs.error());
  if (shared) {
    for (std::size_t i = 0; i < pairs->size(); ++i)
      (*pairs)[i] = static_cast<std::uint32_t>(i * options.lanes.size() + place);
    frequencies = frequencies->selected(pairs->span());
    if (!frequencies) return std::unexpected(frequencies.error());
  }
  for (std::size_t i = 0; i < pairs->size(); ++i) (*pairs)[i] = static_cast<std::uint32_t>(first + i);
  return AxisFrequencies{std::move(*frequencies), std::move(*pairs)};
}

}  // namespace

Expected<PointRotary> axial_rotary(const AxialRotaryOptions& options) {
  if (auto checked = check_whole("dim", options.dim, 2, max_dim); !checked) return std::unexpected(checked.error());
  if (auto checked = check_point_layout(options.layout); !checked) return std::unexpected(checked.error());
  if (auto checked = check_kind(options); !checked) return std::unexpected(checked.error());
  const auto lanes = sum_of_lanes(options);
  if (!lanes) return std::unexpected(lanes.error());
  const std::size_t axes = options.lanes.size();

  PointRotaryPlan plan;
  plan.dim = static_cast<std::size_t>(options.dim);
  plan.pairs = *lanes / 2;
  plan.layout = options.layout;
  plan.axes.resize(axes);
  std::size_t first = 0;
  for (std::size_t place = 0; place < axes; ++place) {
    const std::size_t axis = options.order == AxisOrder::first_first ? place : axes - 1 - place;
    auto made = axis_frequencies(options, options.lanes[axis], place, first);
    if (!made) return std::unexpected(made.error());
    first += made->pairs.size();
    if (options.separate) plan.blocks.push_back(made->pairs.size());
    plan.axes[axis] = std::move(*made);
  }
  if (!options.separate) plan.blocks.push_back(plan.pairs);
  return PointRotary::from(std::move(plan));
}

}  // namespace posenc
