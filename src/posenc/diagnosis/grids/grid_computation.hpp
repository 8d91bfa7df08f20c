#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/engine/changes.hpp"
#include "posenc/diagnosis/grid_diagnosis.hpp"

namespace posenc::diagnosis {

/// A computation over the cells of a grid: the options of rotary_grid() or SinusoidalGrid, and the steps around them
/// that are no options.
struct GridComputation : RotaryGridOptions {  // of a table: a ladder for each axis
  std::string_view preset = {};
  // Which cell a token is.
  std::vector<std::int64_t> cells = {};  ///< the grid's axes, the slowest first
  std::int64_t merge = 1;
  TokensAround around = {};
  // The coordinates of a cell.
  GridCoordinate coordinate = GridCoordinate::index;
  double start = 0;
  std::vector<std::int64_t> reference = {};
  std::optional<double> extent = std::nullopt;  ///< of indices: (start + i) / (n + epsilon) * extent
  double epsilon = 0;
  bool longer_side = false;  ///< n is the longest side, whichever the axis is
  /// Whose coordinate each axis has; that of the first cell, or the index of the cell.
  std::vector<std::int64_t> axes = {};
  static constexpr std::int64_t first_cell = -1, cell_index = -2;
  // Cosines and sines.
  bool rotates = true, inverse = false, exchanged = false;
  double factor = 1;
  // Columns of a table.
  bool is_table = false;
  std::int64_t columns = 0;
  Order column_order = Order::interleaved;
  Arrangement arrangement = Arrangement::by_axis;
};

[[nodiscard]] Expected<GridComputation> computation_of(const RotaryGridExpectation& expected);
[[nodiscard]] Expected<GridComputation> computation_of(const SinusoidalGridExpectation& expected);

/// The computations of all presets for these dimensions and axes; presets of fewer axes skip the grid's first ones.
[[nodiscard]] std::vector<GridComputation> preset_computations(const GridComputation& right,
                                                               const std::vector<std::int64_t>& grid);

/// The known mistakes; those that replace most come first.
[[nodiscard]] ListedChanges<GridComputation> grid_changes(const GridComputation& right,
                                                          const std::vector<std::int64_t>& grid);

/// The computation in JavaScript's words: the preset, and what differs from it.
[[nodiscard]] FoundMade found_of(const GridComputation& made, const std::vector<std::int64_t>& grid);

/// A pair of dimensions, and the frequency that it has of an axis.
struct GridPair {
  std::size_t axis = 0, first = 0, second = 0;
  double frequency = 0;
};

/// The pairs of rotary_grid(), kept for the same options; none where it refuses them.
class GridPairs {
 public:
  /// Valid until the next call.
  [[nodiscard]] const std::vector<GridPair>& of(const RotaryGridOptions& options);

 private:
  std::vector<std::pair<RotaryGridOptions, std::vector<GridPair>>> known_;
};

/// The extents of a grid; of a padded one, which cells are no padding.
struct CellGrid {
  std::vector<std::int64_t> extents;
  std::span<const std::uint8_t> mask = {};

  [[nodiscard]] std::size_t cells() const;
};

/// The cosines and sines of a computation, token by token.
class GridSimulation {
 public:
  GridSimulation(const GridComputation& computation, const CellGrid& grid, std::vector<GridPair> pairs);

  [[nodiscard]] const GridComputation& computation() const { return computation_; }
  [[nodiscard]] const std::vector<GridPair>& pairs() const { return pairs_; }

  struct Angle {
    double cosine = 1, sine = 0;
    double error = 0;  ///< what angles of float32 are off by
  };
  /// The angle of each pair at a token; nothing for tokens around the cells.
  [[nodiscard]] const std::vector<Angle>& at(std::size_t token);

  /// Whether the grid has cells in blocks of the size that the computation has.
  [[nodiscard]] bool is_possible() const;

 private:
  [[nodiscard]] std::size_t axis_at(std::size_t place) const {
    return static_cast<std::size_t>(computation_.cells[place]);
  }
  void find_cell(std::int64_t cell);
  [[nodiscard]] double coordinate(std::int64_t source, std::size_t cell) const;
  [[nodiscard]] Angle angle(const GridPair& pair, double coordinate) const;

  const GridComputation& computation_;
  const CellGrid& grid_;
  std::vector<GridPair> pairs_;
  std::vector<std::int64_t> index_;  ///< of the current cell
  std::vector<double> coordinates_;  ///< of an axis, by which angles_ are
  std::vector<Angle> angles_;
};

}  // namespace posenc::diagnosis
