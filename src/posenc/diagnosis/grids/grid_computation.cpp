#include "posenc/diagnosis/grids/grid_computation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc::diagnosis {
namespace {

/// 0, 1, ... less than count.
std::vector<std::int64_t> counted(std::size_t count) {
  std::vector<std::int64_t> made(count);
  std::iota(made.begin(), made.end(), 0);
  return made;
}

template <class Value>
MadeValue made_value(const Value& value) {
  if constexpr (Named<Value>)
    return name_of(value);
  else if constexpr (std::is_same_v<Value, bool>)
    return value;
  else if constexpr (std::is_arithmetic_v<Value>)
    return static_cast<double>(value);
  else
    return std::vector<double>(value.begin(), value.end());
}

}  // namespace

Expected<GridComputation> computation_of(const RotaryGridExpectation& expected) {
  POSENC_TRY_LET(plan, resolve(expected.choice));
  POSENC_TRY(rotary_grid(plan.rotary));
  auto counts = count_cells(plan.points, expected.grid);
  if (!counts) {
    if (counts.error().argument == "shape") counts.error().argument = "expected.grid";
    return error_of(counts);
  }
  POSENC_TRY(check_ranges(expected.around));
  GridComputation made;
  made.preset = name_of(expected.choice.preset);
  static_cast<RotaryGridOptions&>(made) = plan.rotary;
  made.cells = counted(expected.grid.size());
  made.merge = plan.points.merge;
  made.around = expected.around;
  made.coordinate = plan.points.coordinate;
  made.start = plan.points.start;
  made.reference = plan.points.reference;
  made.axes = counted(static_cast<std::size_t>(plan.points.axes));
  made.inverse = expected.inverse;
  return made;
}

Expected<GridComputation> computation_of(const SinusoidalGridExpectation& expected) {
  const std::size_t axes = expected.shape.size();
  POSENC_TRY_LET(options, resolve(expected.choice, axes));
  POSENC_TRY_LET(made_table, SinusoidalGrid::make(options, expected.shape));
  const auto cells =
      made_table.size() / static_cast<std::size_t>(options.dim) - static_cast<std::size_t>(options.prefix_tokens);
  if (!expected.mask.empty()) POSENC_TRY(check_size("mask", expected.mask.size(), cells));
  const auto count = static_cast<std::int64_t>(axes);
  const std::int64_t dims = 2 * ((options.dim + 2 * count - 1) / (2 * count));  // of an axis
  GridComputation made;
  made.preset = name_of(expected.choice.preset);
  static_cast<RotaryGridOptions&>(made) = {.dim = dims * count,
                                           .dims = std::vector<std::int64_t>(axes, dims),
                                           .layout = Layout::half,
                                           .base = options.base,
                                           .order = options.axes};
  made.cells = counted(axes);
  made.around.before = options.prefix_tokens;
  made.start = options.coordinates.start;
  made.extent = options.coordinates.extent;
  made.epsilon = options.coordinates.epsilon;
  made.axes = counted(axes);
  made.is_table = true;
  made.columns = options.dim;
  made.column_order = options.order;
  made.arrangement = options.arrangement;
  return made;
}

std::vector<GridComputation> preset_computations(const GridComputation& right, const std::vector<std::int64_t>& grid) {
  std::vector<GridComputation> made;
  const auto add = [&](const auto& expected) {
    auto other = computation_of(expected);
    if (!other) return;
    // Options that a preset does not set are those of the expected computation.
    other->cells = right.cells, other->merge = right.merge, other->around = right.around;
    other->inverse = right.inverse;
    made.push_back(*std::move(other));
  };
  if (right.is_table) {
    SinusoidalGridChoice choice;
    choice.dim = right.columns;
    for (const Name& name : names_of<SinusoidalGridPreset>.words) {
      choice.preset = static_cast<SinusoidalGridPreset>(name.meaning);
      add(SinusoidalGridExpectation{choice, grid, {}});
    }
    return made;
  }
  for (const Name& name : names_of<RotaryGridPreset>.words) {
    RotaryGridChoice choice;
    choice.dim = right.dim;
    choice.preset = static_cast<RotaryGridPreset>(name.meaning);
    if (choice.preset == RotaryGridPreset::axial) choice.layout = right.layout;
    if (choice.preset == RotaryGridPreset::qwen2_vl) choice.merge = 1;
    // Where a preset leaves the axes open it has the right one's.
    if (!resolve(choice)) choice.axes = static_cast<std::int64_t>(right.axes.size());
    const auto plan = resolve(choice);
    if (!plan || static_cast<std::size_t>(plan->points.axes) > grid.size()) continue;
    const auto axes = static_cast<std::ptrdiff_t>(plan->points.axes);
    add(RotaryGridExpectation{choice, {grid.end() - axes, grid.end()}, {}});
  }
  return made;
}

FoundMade found_of(const GridComputation& made, const std::vector<std::int64_t>& grid) {
  GridComputation usual;
  for (GridComputation& each : preset_computations(made, grid))
    if (each.preset == made.preset) usual = std::move(each);
  FoundMade found{.function = made.is_table ? "sinusoidalGrid" : "rotaryGrid", .options = {}};
  const auto add = [&](std::string_view name, MadeValue value) { found.options.push_back({name, std::move(value)}); };
  const auto differ = [&](std::string_view name, const auto& value, const auto& other) {
    if (value != other) add(name, made_value(value));
  };
  add("preset", made.preset);
  add("dim", static_cast<double>(made.is_table ? made.columns : made.dim));
  add(made.is_table ? "shape" : "grid", made_value(grid));
  if (made.is_table) {
    differ("order", made.column_order, usual.column_order);
    differ("arrangement", made.arrangement, usual.arrangement);
    differ("normalised", made.extent.has_value(), usual.extent.has_value());
  } else {
    add("layout", name_of(made.layout));
    differ("dims", made.dims, usual.dims);
  }
  differ(made.is_table ? "axes" : "order", made.order, usual.order);
  if (made.extent) add("extent", *made.extent);
  if (made.extent) differ("epsilon", made.epsilon, usual.epsilon);
  differ("base", made.base, usual.base);
  differ("maxFrequency", made.max_frequency, usual.max_frequency);
  differ("start", made.start, usual.start);
  differ("reference", made.reference, usual.reference);
  if (made.preset == name_of(RotaryGridPreset::qwen2_vl))
    add("mergeSize", made_value(made.merge));
  else
    differ("mergeSize", made.merge, std::int64_t{1});
  differ("prefixTokens", made.around.before, std::int64_t{0});
  differ("suffixTokens", made.around.after, std::int64_t{0});
  differ("inverse", made.inverse, false);
  return found;
}

const std::vector<GridPair>& GridPairs::of(const RotaryGridOptions& options) {
  const auto key = [](const RotaryGridOptions& of) {
    return std::tie(of.dim, of.dims, of.layout, of.base, of.frequencies, of.ladder, of.max_frequency, of.order,
                    of.separate);
  };
  for (const auto& [own, pairs] : known_)
    if (key(own) == key(options)) return pairs;
  // Estimates ask for ever others.
  constexpr std::size_t most_kept = 256;
  if (known_.size() >= most_kept) known_.clear();
  std::vector<GridPair>& pairs = known_.emplace_back(options, std::vector<GridPair>{}).second;
  const auto rotary = rotary_grid(options);
  if (!rotary) return pairs;
  const PointRotaryPlan& plan = rotary->plan();
  pairs.resize(plan.pairs);
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis)
    for (std::size_t i = 0; i < plan.axes[axis].pairs.size(); ++i) {
      GridPair& pair = pairs[plan.axes[axis].pairs[i]];
      pair.axis = axis;
      pair.frequency = plan.axes[axis].frequencies.radians(i);
    }
  std::size_t first = 0;
  for (const std::size_t count : plan.blocks)
    for (std::size_t i = 0; i < count; ++i, ++first) {
      const bool is_half = plan.layout == Layout::half;
      const std::size_t block = 2 * (first - i);
      pairs[first].first = block + (is_half ? i : 2 * i);
      pairs[first].second = block + (is_half ? i + count : 2 * i + 1);
    }
  return pairs;
}

std::size_t CellGrid::cells() const {
  std::size_t made = 1;
  for (const std::int64_t extent : extents) made *= static_cast<std::size_t>(extent);
  return made;
}

GridSimulation::GridSimulation(const GridComputation& computation, const CellGrid& grid, std::vector<GridPair> pairs)
    : computation_(computation),
      grid_(grid),
      pairs_(std::move(pairs)),
      index_(grid.extents.size()),
      coordinates_(computation.axes.size(), std::numeric_limits<double>::quiet_NaN()),
      angles_(pairs_.size()) {}

bool GridSimulation::is_possible() const {
  // A change that was made for the axes of one preset means nothing for another one of fewer.
  const auto own = computation_.axes.size();
  if (pairs_.empty() || own > grid_.extents.size() || own != computation_.dims.size()) return false;
  for (const std::int64_t source : computation_.axes)
    if (source >= static_cast<std::int64_t>(own)) return false;
  if (!computation_.reference.empty() && computation_.reference.size() != own) return false;
  const std::size_t axes = grid_.extents.size();
  if (computation_.merge == 1) return true;
  for (std::size_t i = axes < 2 ? 0 : axes - 2; i < axes; ++i)
    if (grid_.extents[axis_at(i)] % computation_.merge != 0) return false;
  return axes > 1;
}

void GridSimulation::find_cell(std::int64_t cell) {
  std::size_t left = computation_.cells.size();
  if (const std::int64_t merge = computation_.merge; merge > 1) {
    const std::size_t row = axis_at(left - 2), column = axis_at(left - 1);
    const std::int64_t columns = grid_.extents[column], plane = grid_.extents[row] * columns;
    const std::int64_t block = cell % plane / (merge * merge), within = cell % (merge * merge);
    index_[row] = block / (columns / merge) * merge + within / merge;
    index_[column] = block % (columns / merge) * merge + within % merge;
    cell /= plane;
    left -= 2;
  }
  for (; left > 0; --left) {
    const std::size_t axis = axis_at(left - 1);
    index_[axis] = cell % grid_.extents[axis];
    cell /= grid_.extents[axis];
  }
}

/// The coordinate that an axis of the points has of the current cell.
double GridSimulation::coordinate(std::int64_t source, std::size_t cell) const {
  const GridComputation& of = computation_;
  if (source == GridComputation::cell_index) return of.start + static_cast<double>(cell);
  // Points have the last axes of the grid, and repeat over the first ones.
  const std::size_t skipped = grid_.extents.size() - of.axes.size();
  const std::size_t own = source < 0 ? 0 : static_cast<std::size_t>(source), axis = skipped + own;
  const auto side = static_cast<std::size_t>(grid_.extents[axis]);
  double i = source < 0 ? 0 : static_cast<double>(index_[axis]), n = static_cast<double>(side);
  if (!grid_.mask.empty()) {
    // Cells that are no padding are counted along the line of the cell.
    std::size_t first = 0, stride = 1;
    for (std::size_t each = grid_.extents.size(), step = 1; each-- > 0;) {
      if (each == axis) stride = step;
      if (each != axis) first += step * static_cast<std::size_t>(index_[each]);
      step *= static_cast<std::size_t>(grid_.extents[each]);
    }
    const double last = i;
    i = -1;
    n = 0;
    for (std::size_t at = 0; at < side; ++at) {
      if (grid_.mask[first + at * stride] == 0) continue;
      n += 1;
      if (static_cast<double>(at) <= last) i += 1;
    }
  }
  if (of.longer_side)
    n = static_cast<double>(
        *std::max_element(grid_.extents.begin() + static_cast<std::ptrdiff_t>(skipped), grid_.extents.end()));
  i += of.start;
  if (of.coordinate == GridCoordinate::centred) return (2 * i + 1 - n) / n;
  if (of.coordinate == GridCoordinate::ends) return n == 1 ? -1 : (2 * i - (n - 1)) / (n - 1);
  if (of.extent) return i / (n + of.epsilon) * *of.extent;
  return of.reference.empty() ? i : i * static_cast<double>(of.reference[own]) / n;
}

GridSimulation::Angle GridSimulation::angle(const GridPair& pair, double coordinate) const {
  const GridComputation& of = computation_;
  if (!of.rotates) coordinate = 0;
  // A coordinate from -1 to 1 is the difference of numbers as large as 1.
  const double size =
      of.coordinate == GridCoordinate::index ? std::fabs(coordinate) : std::fmax(std::fabs(coordinate), 1);
  const double angle = pair.frequency * coordinate;
  Angle made{std::cos(angle), std::sin(angle), 0};
  if (of.rotates) made.error = 0x1p-24 * (9 + 2 * std::fabs(std::log(pair.frequency))) * pair.frequency * size;
  if (of.inverse) made.sine = -made.sine;
  if (of.exchanged) std::swap(made.cosine, made.sine);
  return made;
}

const std::vector<GridSimulation::Angle>& GridSimulation::at(std::size_t token) {
  static const std::vector<Angle> none;
  const auto before = static_cast<std::size_t>(computation_.around.before);
  const std::size_t cell = token - before;
  if (token < before || cell >= grid_.cells()) return none;
  find_cell(static_cast<std::int64_t>(cell));
  for (std::size_t axis = 0; axis < coordinates_.size(); ++axis) {
    const double value = coordinate(computation_.axes[axis], cell);
    if (value == coordinates_[axis]) continue;
    coordinates_[axis] = value;
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (pairs_[i].axis == axis) angles_[i] = angle(pairs_[i], value);
  }
  return angles_;
}

}  // namespace posenc::diagnosis
