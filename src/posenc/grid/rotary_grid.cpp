#include "posenc/grid/rotary_grid.hpp"

#include <iterator>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

Expected<std::size_t> sum_of_dims(const RotaryGridOptions& options) {
  if (options.dims.empty() || options.dims.size() > max_axes)
    return invalid_argument("dims", static_cast<double>(options.dims.size()), expected::axes_from_to, {1, max_axes});
  std::int64_t left = options.dim;
  for (const std::int64_t dims : options.dims) {
    if (dims < 2 || dims % 2 != 0 || dims > left)
      return invalid_argument("dims", static_cast<double>(dims), expected::even_dims, {options.dim});
    if (options.ladder == GridLadder::shared && dims != options.dims.front())
      return invalid_argument("dims", static_cast<double>(dims), expected::dims_alike);
    left -= dims;
  }
  return static_cast<std::size_t>(options.dim - left);
}

Expected<void> check_kind(const RotaryGridOptions& options) {
  const bool language = options.frequencies == GridFrequencies::language;
  if (options.ladder == GridLadder::shared && !language)
    return invalid_argument("ladder", std::string("\"shared\""), expected::exactly, {"\"own\""},
                            ", for other frequencies than those of text");
  return {};
}

/// The half cycles of pixel frequency i of n: from 1 to `last`.
double pixel_frequency(GridFrequencies kind, double last, std::size_t i, std::size_t n) {
  if (i == 0) return 1;
  if (i == n - 1) return last;
  const DoubleDouble index{static_cast<double>(i), 0};
  const DoubleDouble steps{static_cast<double>(n - 1), 0};
  if (kind == GridFrequencies::pixel_bands) return exp(log(last) * index / steps).high;
  return (sum_exact(last, -1) * index / steps + DoubleDouble{1, 0}).high;
}

Expected<Frequencies> frequencies_of(const RotaryGridOptions& options, std::int64_t dims) {
  if (options.frequencies == GridFrequencies::language) return Frequencies::make({dims, options.base});
  if (options.frequencies == GridFrequencies::cycles)
    return Frequencies::make({.dim = dims, .base = options.base, .scale = radians_per_cycle.high});
  POSENC_TRY_LET(cycles, AlignedArray<double>::make(static_cast<std::size_t>(dims / 2)));
  for (std::size_t i = 0; i < cycles.size(); ++i)
    cycles[i] = pixel_frequency(options.frequencies, options.max_frequency / 2, i, cycles.size()) / 2;
  auto made = Frequencies::from_cycles(cycles.span());
  if (!made) return invalid_argument("maxFrequency", options.max_frequency, expected::exact_frequency, {"number"});
  return made;
}

/// The frequencies of axis number `place` in the order of the pairs, the first of which is pair `first`.
Expected<AxisFrequencies> axis_frequencies(const RotaryGridOptions& options, std::int64_t dims, std::size_t place,
                                           std::size_t first) {
  const bool shared = options.ladder == GridLadder::shared;
  const auto axes = static_cast<std::int64_t>(options.dims.size());
  POSENC_TRY_LET(frequencies, frequencies_of(options, shared ? dims * axes : dims));
  POSENC_TRY_LET(pairs, AlignedArray<std::uint32_t>::make(static_cast<std::size_t>(dims / 2)));
  if (shared) {
    for (std::size_t i = 0; i < pairs.size(); ++i)
      pairs[i] = static_cast<std::uint32_t>(i * options.dims.size() + place);
    POSENC_TRY_LET(selected, frequencies.selected(pairs.span()));
    frequencies = std::move(selected);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = static_cast<std::uint32_t>(first + i);
  return AxisFrequencies{std::move(frequencies), std::move(pairs)};
}

/// How the dimensions of a head are shared out where the caller does not say.
enum class Shares : std::uint8_t { equal, wan, cogvideox, flux };

struct RotaryGridRow {
  std::int64_t axes = 2;  ///< 0: left open
  double base = 10000;
  double start = 0;
  double max_frequency = 10;
  Layout layout = Layout::interleaved;
  GridFrequencies frequencies = GridFrequencies::language;
  GridLadder ladder = GridLadder::own;
  AxisOrder order = AxisOrder::first_first;
  GridCoordinate coordinate = GridCoordinate::index;
  Shares shares = Shares::equal;
  bool separate = false;
  bool repeats = false;
};

/// In the order of RotaryGridPreset.
constexpr RotaryGridRow rotary_grid_presets[]{
    {.axes = 0, .layout = Layout::unnamed},
    {.layout = Layout::half, .repeats = true},
    {.layout = Layout::half, .ladder = GridLadder::shared},
    {.base = 100,
     .layout = Layout::half,
     .frequencies = GridFrequencies::cycles,
     .coordinate = GridCoordinate::centred},
    {.start = 1, .order = AxisOrder::last_first},
    {},
    {.max_frequency = 224, .frequencies = GridFrequencies::pixel_bands, .coordinate = GridCoordinate::ends},
    {.base = 100, .order = AxisOrder::last_first},
    {.base = 100, .layout = Layout::half, .separate = true},
    {.axes = 0},
    {.axes = 0, .frequencies = GridFrequencies::pixel, .coordinate = GridCoordinate::ends},
    {.axes = 3, .shares = Shares::wan},
    {.axes = 3, .shares = Shares::cogvideox},
    {.axes = 3, .base = 256, .shares = Shares::flux},
    {.axes = 3, .shares = Shares::flux},
};
static_assert(std::size(rotary_grid_presets) == names_of<RotaryGridPreset>.words.size());

bool is_pixel(const RotaryGridRow& row) {
  return row.frequencies == GridFrequencies::pixel || row.frequencies == GridFrequencies::pixel_bands;
}

Expected<std::int64_t> axes_of(const RotaryGridRow& row, const RotaryGridChoice& choice) {
  const auto listed = static_cast<std::int64_t>(choice.dims.size());
  if (choice.axes && listed != 0 && *choice.axes != listed)
    return invalid_argument("axes", static_cast<double>(*choice.axes), expected::axes, {listed},
                            ", as dimensions has, or nothing");
  const std::int64_t given = listed != 0 ? listed : choice.axes.value_or(row.axes);
  if (given == 0) return invalid_argument("axes", std::string("nothing"), expected::axes_or_dims);
  const char* const what = choice.axes ? "axes" : "dims";
  POSENC_TRY(check_whole(what, given, row.axes == 0 ? 1 : row.axes,
                         row.axes == 0 ? static_cast<std::int64_t>(max_axes) : row.axes));
  return given;
}

/// Equal shares, or Pixtral's, of dim.
Expected<std::vector<std::int64_t>> dims_of(const RotaryGridRow& row, const RotaryGridChoice& choice,
                                            std::int64_t axes) {
  const std::int64_t dim = choice.dim;
  if (!choice.dims.empty()) return choice.dims;
  const auto refused = [&](ErrorCode code, std::initializer_list<ErrorParameter> parameters) {
    return invalid_argument("dim", static_cast<double>(dim), code, parameters, ", or dimensions beside it");
  };
  switch (row.shares) {
    case Shares::equal:
      if (dim % (2 * axes) != 0) return refused(expected::multiple, {2 * axes});
      return std::vector<std::int64_t>(static_cast<std::size_t>(axes), dim / axes);
    case Shares::wan:
      if (dim < 6 || dim % 2 != 0) return refused(expected::even_at_least, {6});
      return std::vector<std::int64_t>{dim - 4 * (dim / 6), 2 * (dim / 6), 2 * (dim / 6)};
    case Shares::cogvideox:
      if (dim % 16 != 0) return refused(expected::multiple, {16});
      return std::vector<std::int64_t>{dim / 4, dim / 8 * 3, dim / 8 * 3};
    case Shares::flux:
      break;
  }
  if (dim != 128) return refused(expected::exactly, {128});
  return std::vector<std::int64_t>{16, 56, 56};
}

Expected<void> check_meaningful(const RotaryGridRow& row, const RotaryGridChoice& choice) {
  if (is_pixel(row) && choice.base)
    return invalid_argument("base", *choice.base, expected::nothing, {}, ", for pixel frequencies");
  if (!is_pixel(row) && choice.max_frequency)
    return invalid_argument("maxFrequency", *choice.max_frequency, expected::nothing, {},
                            ": of pixel frequencies alone");
  if (choice.preset == RotaryGridPreset::qwen2_vl && !choice.merge)
    return invalid_argument("mergeSize", "none", expected::whole_at_least, {1},
                            ": 2 of patches in blocks, as Qwen's processors cut them, 1 of patches row by row");
  if (row.coordinate != GridCoordinate::index && choice.start)
    return invalid_argument("start", *choice.start, expected::nothing, {}, " where coordinates are not indices");
  return {};
}

}  // namespace

Expected<PointRotary> rotary_grid(const RotaryGridOptions& options) {
  POSENC_TRY(check_ranges(options));
  POSENC_TRY(check_point_layout(options.layout));
  POSENC_TRY(check_kind(options));
  POSENC_TRY_LET(dims, sum_of_dims(options));
  const std::size_t axes = options.dims.size();

  PointRotaryPlan plan;
  plan.dim = static_cast<std::size_t>(options.dim);
  plan.pairs = dims / 2;
  plan.layout = options.layout;
  plan.axes.resize(axes);
  std::size_t first = 0;
  for (std::size_t place = 0; place < axes; ++place) {
    const std::size_t axis = options.order == AxisOrder::first_first ? place : axes - 1 - place;
    POSENC_TRY_LET(made, axis_frequencies(options, options.dims[axis], place, first));
    first += made.pairs.size();
    if (options.separate) plan.blocks.push_back(made.pairs.size());
    plan.axes[axis] = std::move(made);
  }
  if (!options.separate) plan.blocks.push_back(plan.pairs);
  return PointRotary::from(std::move(plan));
}

Expected<RotaryGridPlan> resolve(const RotaryGridChoice& choice) {
  const RotaryGridRow& row = rotary_grid_presets[static_cast<std::size_t>(choice.preset)];
  POSENC_TRY(check_ranges(choice));
  POSENC_TRY(check_meaningful(row, choice));
  POSENC_TRY_LET(axes, axes_of(row, choice));
  POSENC_TRY_LET(dims, dims_of(row, choice, axes));
  return RotaryGridPlan{
      .rotary = {.dim = choice.dim,
                 .dims = std::move(dims),
                 .layout = choice.layout.value_or(row.layout),
                 .base = choice.base.value_or(row.base),
                 .frequencies = row.frequencies,
                 .ladder = row.ladder,
                 .max_frequency = choice.max_frequency.value_or(row.max_frequency),
                 .order = row.order,
                 .separate = row.separate},
      .points = {.axes = axes,
                 .coordinate = row.coordinate,
                 .start = choice.start.value_or(row.start),
                 .reference = choice.reference,
                 .merge = choice.merge.value_or(1),
                 .repeats = row.repeats},
  };
}

}  // namespace posenc
