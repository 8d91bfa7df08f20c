#include "posenc/grid/rotary_grid_preset.hpp"

#include <iterator>
#include <utility>

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name preset_names[]{
    {"axial", GridRotaryPreset::axial},
    {"qwen2-vl", GridRotaryPreset::qwen2_vl},
    {"pixtral", GridRotaryPreset::pixtral},
    {"dinov3", GridRotaryPreset::dinov3},
    {"llama4", GridRotaryPreset::llama4},
    {"timm", GridRotaryPreset::timm},
    {"timm-pixel", GridRotaryPreset::timm_pixel},
    {"rope-vit", GridRotaryPreset::rope_vit},
    {"croco", GridRotaryPreset::croco},
    {"rotary-embedding-torch", GridRotaryPreset::lucidrains},
    {"rotary-embedding-torch-pixel", GridRotaryPreset::lucidrains_pixel},
    {"wan", GridRotaryPreset::wan},
    {"cogvideox", GridRotaryPreset::cogvideox},
    {"hunyuan-video", GridRotaryPreset::hunyuan_video},
    {"flux", GridRotaryPreset::flux},
};

/// How the lanes of a head are shared out where the caller does not say.
enum class Shares : std::uint8_t { equal, wan, cogvideox, flux };

struct Row {
  std::int64_t axes = 2;  ///< 0: left open
  double base = 10000;
  double start = 0;
  double max_frequency = 10;
  Layout layout = Layout::interleaved;
  AxialFrequencies frequencies = AxialFrequencies::language;
  AxialLadder ladder = AxialLadder::own;
  AxisOrder order = AxisOrder::first_first;
  GridCoordinate coordinate = GridCoordinate::index;
  Shares shares = Shares::equal;
  bool separate = false;
  bool repeats = false;
};

/// In the order of GridRotaryPreset.
constexpr Row rows[]{
    {.axes = 0, .layout = Layout::unnamed},
    {.layout = Layout::half, .repeats = true},
    {.layout = Layout::half, .ladder = AxialLadder::shared},
    {.base = 100,
     .layout = Layout::half,
     .frequencies = AxialFrequencies::turns,
     .coordinate = GridCoordinate::centred},
    {.start = 1, .order = AxisOrder::last_first},
    {},
    {.max_frequency = 224, .frequencies = AxialFrequencies::pixel_bands, .coordinate = GridCoordinate::ends},
    {.base = 100, .order = AxisOrder::last_first},
    {.base = 100, .layout = Layout::half, .separate = true},
    {.axes = 0},
    {.axes = 0, .frequencies = AxialFrequencies::pixel, .coordinate = GridCoordinate::ends},
    {.axes = 3, .shares = Shares::wan},
    {.axes = 3, .shares = Shares::cogvideox},
    {.axes = 3, .base = 256, .shares = Shares::flux},
    {.axes = 3, .shares = Shares::flux},
};
static_assert(std::size(rows) == std::size(preset_names));

bool is_pixel(const Row& row) {
  return row.frequencies == AxialFrequencies::pixel || row.frequencies == AxialFrequencies::pixel_bands;
}

Expected<std::int64_t> axes_of(const Row& row, const GridRotaryChoice& choice) {
  constexpr std::int64_t most = AxialSinusoid::max_axes;
  const auto listed = static_cast<std::int64_t>(choice.lanes.size());
  if (choice.axes && listed != 0 && *choice.axes != listed)
    return wrong("axes", static_cast<double>(*choice.axes),
                 {"as many as lanes has (", decimal(listed), "), or nothing"});
  const std::int64_t given = listed != 0 ? listed : choice.axes.value_or(row.axes);
  if (given == 0) return wrong("axes", std::string("nothing"), {"the number of axes, or lanes: this preset has none"});
  const char* const what = choice.axes ? "axes" : "lanes";
  if (auto checked = check_whole(what, given, row.axes == 0 ? 1 : row.axes, row.axes == 0 ? most : row.axes); !checked)
    return std::unexpected(checked.error());
  return given;
}

/// Equal shares, or Pixtral's, of dim.
Expected<std::vector<std::int64_t>> lanes_of(const Row& row, const GridRotaryChoice& choice, std::int64_t axes) {
  const std::int64_t dim = choice.dim;
  if (!choice.lanes.empty()) return choice.lanes;
  const auto refused = [&](std::string_view expected) { return wrong("dim", static_cast<double>(dim), {expected}); };
  switch (row.shares) {
    case Shares::equal:
      if (dim % (2 * axes) != 0)
        return wrong("dim", static_cast<double>(dim), {"a multiple of ", decimal(2 * axes), ", or lanes beside it"});
      return std::vector<std::int64_t>(static_cast<std::size_t>(axes), dim / axes);
    case Shares::wan:
      if (dim < 6 || dim % 2 != 0) return refused("an even number from 6 on, or lanes beside it");
      return std::vector<std::int64_t>{dim - 4 * (dim / 6), 2 * (dim / 6), 2 * (dim / 6)};
    case Shares::cogvideox:
      if (dim % 16 != 0) return refused("a multiple of 16, or lanes beside it");
      return std::vector<std::int64_t>{dim / 4, dim / 8 * 3, dim / 8 * 3};
    case Shares::flux:
      break;
  }
  if (dim != 128) return refused("128, or lanes beside it");
  return std::vector<std::int64_t>{16, 56, 56};
}

Expected<void> check_meaningful(const Row& row, const GridRotaryChoice& choice) {
  if (is_pixel(row) && choice.base) return wrong("base", *choice.base, {"nothing, for pixel frequencies"});
  if (!is_pixel(row) && choice.max_frequency)
    return wrong("maxFrequency", *choice.max_frequency, {"nothing: of pixel frequencies alone"});
  if (row.coordinate != GridCoordinate::index && choice.start)
    return wrong("start", *choice.start, {"nothing where coordinates are not indices"});
  return {};
}

}  // namespace

Expected<GridRotaryPreset> grid_rotary_preset_from_name(std::string_view name) {
  return from_name<GridRotaryPreset>(preset_names, "preset", name);
}

Expected<GridRotaryPlan> resolve(const GridRotaryChoice& choice) {
  const Row& row = rows[static_cast<std::size_t>(choice.preset)];
  if (auto checked = check_whole("dim", choice.dim, 2, max_dim); !checked) return std::unexpected(checked.error());
  if (auto checked = check_meaningful(row, choice); !checked) return std::unexpected(checked.error());
  const auto axes = axes_of(row, choice);
  if (!axes) return std::unexpected(axes.error());
  auto lanes = lanes_of(row, choice, *axes);
  if (!lanes) return std::unexpected(lanes.error());
  return GridRotaryPlan{
      .rotary = {.dim = choice.dim,
                 .lanes = std::move(*lanes),
                 .layout = choice.layout.value_or(row.layout),
                 .base = choice.base.value_or(row.base),
                 .frequencies = row.frequencies,
                 .ladder = row.ladder,
                 .max_frequency = choice.max_frequency.value_or(row.max_frequency),
                 .order = row.order,
                 .separate = row.separate},
      .points = {.axes = *axes,
                 .coordinate = row.coordinate,
                 .start = choice.start.value_or(row.start),
                 .reference = choice.reference,
                 .merge = choice.merge,
                 .repeats = row.repeats},
  };
}

}  // namespace posenc
