#include "posenc/grid/sinusoidal_grid_preset.hpp"

#include <iterator>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"

namespace posenc {
namespace {

constexpr Name preset_names[]{
    {"detr", AxialPreset::detr},
    {"mae", AxialPreset::mae},
    {"timm", AxialPreset::timm},
    {"positional-encodings", AxialPreset::positional_encodings},
};

struct Row {
  Order order;
  AxisOrder axes = AxisOrder::first_first;
  Arrangement arrangement = Arrangement::by_axis;
  bool trimmed = false;
  bool normalised = false;
  double start = 0;
  std::size_t least_axes = 2, most_axes = 2;
};

/// In the order of AxialPreset.
constexpr Row rows[]{
    {.order = Order::interleaved, .normalised = true, .start = 1},
    {.order = Order::split, .axes = AxisOrder::last_first},
    {.order = Order::split, .arrangement = Arrangement::by_function},
    {.order = Order::interleaved, .trimmed = true, .least_axes = 1, .most_axes = 3},
};
static_assert(std::size(rows) == std::size(preset_names));

Expected<AxialCoordinates> coordinates_of(const Row& row, const AxialChoice& choice) {
  AxialCoordinates coordinates{.start = choice.start.value_or(row.start)};
  const bool normalised = choice.normalised.value_or(row.normalised);
  if (!normalised && choice.extent) return wrong("extent", *choice.extent, {"nothing where normalised is false"});
  if (!normalised && choice.epsilon) return wrong("epsilon", *choice.epsilon, {"nothing where normalised is false"});
  if (normalised) coordinates.extent = choice.extent.value_or(radians_per_turn.high);
  coordinates.epsilon = choice.epsilon.value_or(coordinates.epsilon);
  return coordinates;
}

}  // namespace

Expected<AxialPreset> axial_preset_from_name(std::string_view name) {
  return from_name<AxialPreset>(preset_names, "preset", name);
}

Expected<AxialSinusoidOptions> resolve(const AxialChoice& choice, std::size_t axes) {
  const Row& row = rows[static_cast<std::size_t>(choice.preset)];
  if (axes < row.least_axes || axes > row.most_axes)
    return wrong("shape", static_cast<double>(axes),
                 {"from ", decimal(row.least_axes), " to ", decimal(row.most_axes), " axes, for this preset"});
  const auto coordinates = coordinates_of(row, choice);
  if (!coordinates) return std::unexpected(coordinates.error());
  return AxialSinusoidOptions{
      .dim = choice.dim,
      .base = choice.base.value_or(10000),
      .order = choice.order.value_or(row.order),
      .axes = choice.axes.value_or(row.axes),
      .arrangement = choice.arrangement.value_or(row.arrangement),
      .trimmed = row.trimmed,
      .coordinates = *coordinates,
      .prefix_tokens = choice.prefix_tokens,
  };
}

}  // namespace posenc
