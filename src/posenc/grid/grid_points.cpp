#include "posenc/grid/grid_points.hpp"

#include <algorithm>
#include <array>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

using Extents = std::span<const std::int64_t>;

Expected<void> check_reference(const GridPointOptions& options) {
  if (options.reference.empty()) return {};
  if (static_cast<std::int64_t>(options.reference.size()) != options.axes)
    return invalid_argument("reference", static_cast<double>(options.reference.size()), expected::extents,
                            {options.axes}, ", one an axis");
  if (options.coordinate != GridCoordinate::index)
    return invalid_argument("reference", static_cast<double>(options.reference.size()), expected::nothing, {},
                            " where coordinates are not indices");
  for (const std::int64_t extent : options.reference)
    POSENC_TRY(check_whole("reference", extent, 1, std::int64_t{1} << 31));
  return {};
}

Expected<void> check_start(const GridPointOptions& options) {
  if (options.start == 0 || options.coordinate == GridCoordinate::index) return {};
  return invalid_argument("start", options.start, expected::exactly, {0}, ", where coordinates are not indices");
}

Expected<void> check_merge(const GridPointOptions& options, Extents shape) {
  if (options.merge == 1) return {};
  if (options.axes < 2)
    return invalid_argument("mergeSize", static_cast<double>(options.merge), expected::exactly, {1},
                            ", for points of one axis");
  for (const std::int64_t extent : shape.last(2))
    if (extent % options.merge != 0)
      return invalid_argument("shape", static_cast<double>(extent), expected::merged_extents, {options.merge});
  return {};
}

Expected<void> check_rank(const GridPointOptions& options, Extents shape) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  if (options.repeats ? rank >= options.axes && rank <= static_cast<std::int64_t>(max_axes) : rank == options.axes)
    return {};
  return invalid_argument("shape", static_cast<double>(rank), expected::axes, {options.axes},
                          options.repeats ? ", or more in front of them" : "");
}

double coordinate(const GridPointOptions& options, std::size_t axis, std::int64_t index, std::int64_t extent) {
  const auto i = static_cast<double>(index);
  const auto n = static_cast<double>(extent);
  if (options.coordinate == GridCoordinate::centred) return (2 * i + 1 - n) / n;
  if (options.coordinate == GridCoordinate::ends) return extent == 1 ? -1 : (2 * i - (n - 1)) / (n - 1);
  if (options.reference.empty()) return options.start + i;
  return (options.start + i) * static_cast<double>(options.reference[axis]) / n;
}

/// The indices of a cell of the last two axes, of which there are `columns` in a row, in blocks of merge by merge.
struct Place {
  std::int64_t row, column;

  Place(std::int64_t cell, std::int64_t columns, std::int64_t merge) {
    const std::int64_t in_block = cell % (merge * merge);
    const std::int64_t block = cell / (merge * merge);
    row = block / (columns / merge) * merge + in_block / merge;
    column = block % (columns / merge) * merge + in_block % merge;
  }
};

/// Points without blocks, row by row of the last axis: a row is the one before, but for the coordinates that change.
void write_rows(const GridPointOptions& options, Extents extents, std::span<double> out) {
  const std::size_t axes = extents.size();
  const std::size_t row = static_cast<std::size_t>(extents.back()) * axes;
  std::array<std::int64_t, max_axes> index{};
  const auto set = [&](std::size_t start, std::size_t axis) {
    const double value = coordinate(options, axis, index[axis], extents[axis]);
    for (std::size_t at = start; at < start + row; at += axes) out[at + axis] = value;
  };
  for (std::size_t start = 0; start < out.size(); start += row) {
    if (start > 0) {
      std::copy_n(out.data() + start - row, row, out.data() + start);
      for (std::size_t axis = axes - 1; axis-- > 0;) {
        index[axis] = (index[axis] + 1) % extents[axis];
        set(start, axis);
        if (index[axis] != 0) break;
      }
      continue;
    }
    for (std::size_t axis = 0; axis + 1 < axes; ++axis) set(start, axis);
    for (std::int64_t i = 0; i < extents.back(); ++i)
      out[static_cast<std::size_t>(i) * axes + axes - 1] = coordinate(options, axes - 1, i, extents.back());
  }
}

/// A point where cells come in blocks of merge by merge.
void write_point(const GridPointOptions& options, Extents extents, std::int64_t cell, std::span<double> out) {
  std::size_t axis = extents.size();
  const std::int64_t columns = extents[axis - 1];
  const std::int64_t rows = extents[axis - 2];
  const Place place(cell % (rows * columns), columns, options.merge);
  cell /= rows * columns;
  out[axis - 1] = coordinate(options, axis - 1, place.column, columns);
  out[axis - 2] = coordinate(options, axis - 2, place.row, rows);
  for (axis -= 2; axis > 0; --axis) {
    out[axis - 1] = coordinate(options, axis - 1, cell % extents[axis - 1], extents[axis - 1]);
    cell /= extents[axis - 1];
  }
}

}  // namespace

Expected<std::size_t> count_grid_cells(std::span<const std::int64_t> shape, std::int64_t width, std::size_t bytes) {
  const std::int64_t most = PTRDIFF_MAX / static_cast<std::int64_t>(bytes) / width;
  std::int64_t cells = 1;
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0 || extent > most / cells)
      return invalid_argument("shape", static_cast<double>(extent), expected::extents_product, {most}, " for this dim");
    if (extent == 0) empty = true;
    cells *= std::max<std::int64_t>(extent, 1);
  }
  return empty ? 0 : static_cast<std::size_t>(cells);
}

Expected<std::size_t> count_cells(const GridPointOptions& options, Extents shape) {
  POSENC_TRY(check_ranges(options));
  POSENC_TRY(check_rank(options, shape));
  POSENC_TRY(check_reference(options));
  POSENC_TRY(check_start(options));
  POSENC_TRY_LET(cells, count_grid_cells(shape, options.axes, sizeof(double)));
  POSENC_TRY(check_merge(options, shape));
  return cells;
}

Expected<void> grid_points(const GridPointOptions& options, Extents shape, std::span<double> out) {
  POSENC_TRY_LET(cells, count_cells(options, shape));
  const auto axes = static_cast<std::size_t>(options.axes);
  POSENC_TRY(check_size("out", out.size(), cells, axes));
  const Extents extents = shape.last(axes);
  if (options.merge == 1) {
    write_rows(options, extents, out);
    return {};
  }
  for (std::size_t cell = 0; cell < cells; ++cell)
    write_point(options, extents, static_cast<std::int64_t>(cell), out.subspan(cell * axes, axes));
  return {};
}

}  // namespace posenc
