#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/range.hpp"

namespace posenc {

/// The most axes a grid, or a point, may have.
inline constexpr std::size_t max_axes = 8;
inline constexpr std::int64_t max_merge = std::int64_t{1} << 31;

/// The number of cells of a grid, or an Error where rows of `width` values of `bytes` bytes, one a cell, could not be
/// held. A zero extent does not hide others that are wrong.
[[nodiscard]] Expected<std::size_t> count_grid_cells(std::span<const std::int64_t> shape, std::int64_t width,
                                                     std::size_t bytes);

/// The coordinate of index i, of n along an axis. The largest rounding of each is 2e-16 of the coordinate.
enum class GridCoordinate : std::uint8_t {
  index,    ///< start + i; with a reference extent r, (start + i) r / n
  centred,  ///< (2i + 1 - n) / n: the centres of n equal parts of [-1, 1]
  ends,     ///< -1 + 2i / (n - 1): n points from -1 to 1; -1 where n = 1
};

template <>
inline constexpr auto names_of<GridCoordinate> =
    Names("coordinate",
          {{"index", GridCoordinate::index}, {"centred", GridCoordinate::centred}, {"ends", GridCoordinate::ends}});

struct GridPointOptions {
  std::int64_t axes = 2;  ///< coordinates of a point: those of the last axes of the shape
  GridCoordinate coordinate = GridCoordinate::index;
  double start = 0;                     ///< of index alone
  std::vector<std::int64_t> reference;  ///< of index alone: extents >= 1, one an axis; none by default
  /// Cells are ordered in blocks of this many along each of the last two axes: block by block, row by row in each.
  std::int64_t merge = 1;
  /// Whether the shape may have more axes in front, over which the points repeat.
  bool repeats = false;

  static constexpr std::tuple ranges{
      ranged("axes", &GridPointOptions::axes, whole_from(1, max_axes)),
      ranged("start", &GridPointOptions::start, any_finite()),
      ranged("mergeSize", &GridPointOptions::merge, whole_from(1, max_merge)),
  };
};

/// The number of cells of a grid whose points fit into memory.
/// Errors: an option outside its range; a number of extents that does not fit axes; negative extents or too many cells;
/// an extent that merge does not divide.
[[nodiscard]] Expected<std::size_t> count_cells(const GridPointOptions& options, std::span<const std::int64_t> shape);

/// The points of a grid's cells, [cells, axes], row-major over the shape but for merge.
/// Errors: those of count_cells; a size that differs.
[[nodiscard]] Expected<void> grid_points(const GridPointOptions& options, std::span<const std::int64_t> shape,
                                         std::span<double> out);

}  // namespace posenc
