#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc {

/// Which axis of the grid has the first lanes.
enum class AxisOrder : std::uint8_t {
  first_first,  ///< as in the shape: for [h, w] the rows' coordinate, then the columns'
  last_first,   ///< the other way round
};

/// How the axes share a row of dim lanes.
enum class Arrangement : std::uint8_t {
  by_axis,      ///< all lanes of one axis, then all of the next
  by_function,  ///< the sines of every axis, then their cosines (or the other way round): not for Order::interleaved
};

/// "first-first" | "last-first"; "by-axis" | "by-function"; an Error that lists them for anything else.
[[nodiscard]] Expected<AxisOrder> axis_order_from_name(std::string_view name);
[[nodiscard]] Expected<Arrangement> arrangement_from_name(std::string_view name);

/// What a grid's index i, of n along its axis, is encoded as: start + i, or (start + i) / (n + epsilon) * extent.
struct AxialCoordinates {
  double start = 0;
  std::optional<double> extent = std::nullopt;  ///< to normalise: what the end of the axis becomes
  double epsilon = 1e-6;                        ///< >= 0, of normalised ones alone
};

struct AxialSinusoidOptions {
  std::int64_t dim = 0;  ///< lanes of a row, for all axes
  double base = 10000;
  Order order = Order::interleaved;  ///< among the lanes of an axis
  AxisOrder axes = AxisOrder::first_first;
  Arrangement arrangement = Arrangement::by_axis;
  bool trimmed = false;  ///< a dim that 2 * axes does not divide is rounded up and what is too many cut off
  AxialCoordinates coordinates = {};
  std::int64_t prefix_tokens = 0;  ///< rows of zeros before the grid's, 0 ... max_dim: MAE's class token
};

/// Sinusoidal encodings of grids of one to eight axes: each axis has dim / axes lanes (an even number c), a Sinusoid of
/// its own coordinate with frequencies base^(-2i/c).
class AxialSinusoid {
 public:
  static constexpr std::size_t max_axes = 8;

  /// `shape`: the extents of the grid, [h, w] or [t, h, w]; an extent of 0 gives an empty table.
  /// Errors: no axis or more than max_axes; negative extents or too many cells; a dim that 2 * axes does not divide,
  /// unless trimmed; Arrangement::by_function with interleaved or trimmed lanes; coordinates that are not finite or a
  /// negative epsilon; prefix_tokens out of range; those of Sinusoid::make.
  [[nodiscard]] static Expected<AxialSinusoid> make(const AxialSinusoidOptions& options,
                                                    std::span<const std::int64_t> shape);

  /// Writes a table [...shape, dim], row-major, after the prefix tokens' rows, into `out`, of size() values.
  /// Errors: a size that differs; a start or extent whose largest angle passes max_angle; memory.
  /// Largest error: that of Sinusoid::table; normalised coordinates are rounded to double three times, which may change
  /// an angle by 4e-16 of itself.
  [[nodiscard]] Expected<void> table(std::span<float> out) const;

  /// The same for a padded grid: `mask` [...shape] is 0 where there is padding. A cell's index along an axis is then
  /// the number of cells before it in its line that are not padding (-1 before the first of them: padding has its
  /// predecessor's coordinate), and the n that normalises is how many there are, as DETR counts them.
  /// Errors: those above; a mask whose size is not the number of cells.
  [[nodiscard]] Expected<void> table(std::span<const std::uint8_t> mask, std::span<float> out) const;

  /// Both in 16 bits, each value rounded once.
  [[nodiscard]] Expected<void> table(HalfSpan out) const;
  [[nodiscard]] Expected<void> table(std::span<const std::uint8_t> mask, HalfSpan out) const;

  [[nodiscard]] std::size_t size() const { return (prefix() + cells_) * dim(); }

 private:
  enum class Rows : std::uint8_t { by_index, by_cell };  ///< one for each index of an axis, or for each cell
  struct Output;
  [[nodiscard]] Expected<void> write_table(const Output& out) const;
  [[nodiscard]] Expected<void> write_table(std::span<const std::uint8_t> mask, const Output& out) const;
  [[nodiscard]] Expected<void> write(std::span<const double> coordinates, Rows which, const Output& out) const;
  void place(std::size_t axis, std::span<const std::byte> rows, std::size_t inner, const Output& out) const;
  [[nodiscard]] std::size_t dim() const { return static_cast<std::size_t>(options_.dim); }
  [[nodiscard]] std::size_t prefix() const { return static_cast<std::size_t>(options_.prefix_tokens); }

  AxialSinusoidOptions options_;
  Sinusoid sinusoid_;
  std::size_t extents_[max_axes] = {};
  std::size_t axes_ = 0;
  std::size_t cells_ = 0;
};

}  // namespace posenc
