#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "posenc/diagnosis/engine/ordering.hpp"
#include "posenc/diagnosis/grids/grid_computation.hpp"

namespace posenc::diagnosis {
namespace {

/// Parts of a computation in the order in which changes are made.
enum GridPart : std::uint8_t {
  of_preset,
  of_layout,
  of_frequencies,
  of_base,
  of_ladder,
  of_dims,
  of_axes,
  of_cells,
  of_start,
  of_coordinates,
  of_sides,
  of_around,
  of_columns,
  of_angles,
  of_factor,
};

/// The orders of so many axes but the first: all of up to three, each two neighbours exchanged of more.
std::vector<std::vector<std::int64_t>> other_orders(const std::vector<std::int64_t>& own) {
  std::vector<std::vector<std::int64_t>> made;
  std::vector<std::int64_t> order = own;
  sort_by(order, std::identity());
  if (own.size() > 3) {
    for (std::size_t i = 0; i + 1 < own.size(); ++i) {
      made.push_back(own);
      std::swap(made.back()[i], made.back()[i + 1]);
    }
    return made;
  }
  do
    if (order != own) made.push_back(order);
  while (std::ranges::next_permutation(order).found);
  return made;
}

/// How three axes share their dimensions in other models, and equal shares.
std::vector<std::vector<std::int64_t>> other_dims(const std::vector<std::int64_t>& own) {
  std::vector<std::vector<std::int64_t>> made = other_orders(own);
  std::int64_t sum = 0;
  for (const std::int64_t each : own) sum += each;
  const auto axes = static_cast<std::int64_t>(own.size());
  made.push_back(std::vector<std::int64_t>(own.size(), sum / (2 * axes) * 2));
  if (axes != 3) return made;
  for (const std::int64_t time : {sum - 4 * (sum / 6), sum / 4, sum / 8, sum / 2})
    if (time % 2 == 0 && (sum - time) % 4 == 0) made.push_back({time, (sum - time) / 2, (sum - time) / 2});
  return made;
}

}  // namespace

ListedChanges<GridComputation> grid_changes(const GridComputation& right, const std::vector<std::int64_t>& grid) {
  using Make = GridComputation;
  ListedChanges<Make> list;
  const auto add = [&](GridPart part, Mistake mistake, std::function<void(Make&)> make) {
    list.push_back({part, mistake, std::move(make)});
  };
  // Other values of an option.
  const auto other = [&](GridPart part, Mistake mistake, auto option, const auto& values) {
    for (const auto& value : values)
      if (!(right.*option == value)) add(part, mistake, [=](Make& of) { of.*option = value; });
  };
  const bool is_pixel =
      right.frequencies == GridFrequencies::pixel || right.frequencies == GridFrequencies::pixel_bands;
  std::vector<double> bases{10000, 100, 10, 20, 50, 256, 1000, 5000, 20000, 50000, 100000, 500000, 1000000},
      starts{0, 1, -1, 0.5, -0.5, 2, 3};
  const std::vector<GridComputation> presets = preset_computations(right, grid);
  for (const GridComputation& preset : presets) {
    if (preset.preset != right.preset) continue;
    bases.push_back(preset.base);
    starts.push_back(preset.start);
    other(of_dims, Mistake::axis_dims, &Make::dims, std::array{preset.dims});
    other(of_coordinates, Mistake::position_scale, &Make::extent, std::array{preset.extent});
  }

  if (right.is_table) {
    other(of_layout, Mistake::arrangement, &Make::column_order,
          std::vector{Order::interleaved, Order::split, Order::cosines_first});
    other(of_columns, Mistake::arrangement, &Make::arrangement,
          std::vector{Arrangement::by_axis, Arrangement::by_function});
  } else {
    other(of_layout, Mistake::layout, &Make::layout, std::vector{Layout::half, Layout::interleaved});
    other(of_layout, Mistake::axis_layout, &Make::separate, std::vector{false, true});
    other(of_ladder, Mistake::restarted, &Make::ladder, std::vector{GridLadder::own, GridLadder::shared});
    other(of_dims, Mistake::axis_dims, &Make::dims, other_dims(right.dims));
    other(of_frequencies, is_pixel ? Mistake::scaling_other : Mistake::position_scale, &Make::frequencies,
          is_pixel ? std::vector{GridFrequencies::pixel, GridFrequencies::pixel_bands}
                   : std::vector{GridFrequencies::language, GridFrequencies::cycles});
    other(of_columns, Mistake::exchanged, &Make::exchanged, std::vector{!right.exchanged});
  }
  if (is_pixel) {
    other(of_base, Mistake::max_frequency, &Make::max_frequency,
          std::vector<double>{10, 224, 20, 64, 100, 128, 256, 384, 448, 512});
  } else {
    other(of_base, Mistake::base, &Make::base, bases);
    // The exponent 2i/c with another denominator is that of another base.
    const double c = static_cast<double>(right.dims.front()), base = right.base;
    const auto over = [&](Mistake mistake, double denominator) {
      other(of_base, mistake, &Make::base, std::vector{std::pow(base, c / denominator)});
    };
    if (right.ladder == GridLadder::own &&
        std::ranges::count(right.dims, right.dims.front()) == std::ssize(right.dims)) {
      over(Mistake::exponent_head_dim, static_cast<double>(right.is_table ? right.columns : right.dim));
      over(Mistake::exponent_doubled, 2 * c);
      over(Mistake::exponent_halved, c / 2);
      if (c > 2) over(Mistake::exponent_half_minus_one, c - 2);
    }
  }

  other(of_axes, Mistake::axes_order, &Make::axes, other_orders(right.axes));
  other(of_axes, Mistake::axes_order, &Make::order, std::vector{AxisOrder::first_first, AxisOrder::last_first});
  for (std::int64_t axis = GridComputation::cell_index; axis < std::ssize(right.axes); ++axis)
    if (right.axes.size() > 1 || axis < 0)
      add(of_axes, axis == GridComputation::first_cell ? Mistake::positions_constant : Mistake::axis_missing,
          [axis](Make& of) { std::ranges::fill(of.axes, axis); });
  other(of_cells, Mistake::cell_order, &Make::cells, other_orders(right.cells));
  if (!right.is_table) other(of_cells, Mistake::cell_order, &Make::merge, std::vector<std::int64_t>{1, 2, 4});
  for (const double by : {1.0, -1.0}) starts.push_back(right.start + by);
  other(of_start, Mistake::first_position, &Make::start, starts);
  other(of_coordinates, Mistake::position_scale, &Make::coordinate,
        std::vector{GridCoordinate::index, GridCoordinate::centred, GridCoordinate::ends});
  other(of_coordinates, Mistake::position_scale, &Make::reference, std::vector<std::vector<std::int64_t>>{{}});
  if (right.reference.size() > 1)
    other(of_coordinates, Mistake::position_scale, &Make::reference, other_orders(right.reference));
  if (right.coordinate != GridCoordinate::ends) {
    std::vector<std::optional<double>> extents{std::nullopt};
    for (const double each : {1.0, 2 * std::numbers::pi, 16.0}) extents.push_back(each);
    if (right.extent)
      for (const double by : {0.25, 0.5, 2.0, 4.0}) extents.push_back(by * *right.extent);
    for (const std::optional<double>& extent : extents)
      if (extent != right.extent || right.coordinate != GridCoordinate::index)
        add(of_coordinates, Mistake::position_scale, [extent](Make& of) {
          of.coordinate = GridCoordinate::index;
          of.reference.clear();
          of.extent = extent;
        });
  }
  other(of_sides, Mistake::longer_side, &Make::longer_side, std::vector{!right.longer_side});
  other(of_sides, Mistake::position_scale, &Make::epsilon, std::vector<double>{0, 1e-6});
  const auto [before, after] = right.around;
  for (const auto& [first, last] : {std::pair{after, before}, {before + after, 0}, {0, before + after}})
    if (first != before)
      add(of_around, Mistake::registers_behind, [first, last](Make& of) { of.around = {first, last}; });
  other(of_angles, Mistake::sign, &Make::inverse, std::vector{!right.inverse});
  other(of_angles, Mistake::not_rotated, &Make::rotates, std::vector{false});
  if (right.is_table) other(of_factor, Mistake::sign, &Make::factor, std::vector<double>{-1});
  const double root = std::sqrt(static_cast<double>(right.is_table ? right.columns : right.dim));
  other(of_factor, right.is_table ? Mistake::amplitude : Mistake::factor_other, &Make::factor,
        std::vector<double>{2, 0.5, root, 1 / root});
  // Another preset is the name of what no single option says.
  for (const GridComputation& preset : presets)
    if (preset.preset != right.preset) add(of_preset, Mistake::scaling_other, [=](Make& of) { of = preset; });
  return list;
}

}  // namespace posenc::diagnosis
