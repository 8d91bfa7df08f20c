#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/grid/grid_points.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc {

/// Which axis of the grid has the first dimensions.
enum class AxisOrder : std::uint8_t {
  first_first,  ///< as in the shape: for [h, w] the rows' coordinate, then the columns'
  last_first,   ///< the other way round
};

/// How the axes share a row of dim dimensions.
enum class Arrangement : std::uint8_t {
  by_axis,      ///< all dimensions of one axis, then all of the next
  by_function,  ///< the sines of every axis, then their cosines (or the other way round): not for Order::interleaved
};

template <>
inline constexpr auto names_of<AxisOrder> =
    Names("axes", {{"first-first", AxisOrder::first_first}, {"last-first", AxisOrder::last_first}});
template <>
inline constexpr auto names_of<Arrangement> =
    Names("arrangement", {{"by-axis", Arrangement::by_axis}, {"by-function", Arrangement::by_function}});

/// Says how a grid's index i, of n along its axis, becomes a coordinate: start + i, or (start + i) / (n + epsilon) *
/// extent.
struct SinusoidalGridCoordinates {
  double start = 0;
  std::optional<double> extent = std::nullopt;  ///< to normalise: what the end of the axis becomes
  double epsilon = 1e-6;                        ///< of normalised ones alone

  static constexpr std::tuple ranges{
      ranged("start", &SinusoidalGridCoordinates::start, any_finite()),
      ranged("extent", &SinusoidalGridCoordinates::extent, any_finite()),
      ranged("epsilon", &SinusoidalGridCoordinates::epsilon, from(0)),
  };
};

struct SinusoidalGridOptions {
  std::int64_t dim = 0;  ///< dimensions of a row, for all axes
  double base = 10000;
  Order order = Order::interleaved;  ///< among the dimensions of an axis
  AxisOrder axes = AxisOrder::first_first;
  Arrangement arrangement = Arrangement::by_axis;
  bool trimmed = false;  ///< a dim that 2 * axes does not divide is rounded up and what is too many cut off
  SinusoidalGridCoordinates coordinates = {};
  std::int64_t prefix_tokens = 0;  ///< rows of zeros before the grid's: MAE's class token

  static constexpr std::tuple ranges{
      ranged("dim", &SinusoidalGridOptions::dim, whole_from(1, max_dim)),
      ranged("base", &SinusoidalGridOptions::base, above(0)),
      ranged("prefixTokens", &SinusoidalGridOptions::prefix_tokens, whole_from(0, max_dim)),
  };
};

/// Sinusoidal encodings of grids of one to eight axes: each axis has dim / axes dimensions (an even number c), a
/// Sinusoidal of its own coordinate with frequencies base^(-2i/c).
class SinusoidalGrid {
 public:
  /// `shape`: the extents of the grid, [h, w] or [t, h, w]; an extent of 0 gives an empty table.
  /// Errors: no axis or more than max_axes; negative extents or too many cells; a dim that 2 * axes does not divide,
  /// unless trimmed; Arrangement::by_function with interleaved or trimmed dimensions; coordinates that are not finite
  /// or a negative epsilon; prefix_tokens out of range; those of Sinusoidal::make.
  [[nodiscard]] static Expected<SinusoidalGrid> make(const SinusoidalGridOptions& options,
                                                     std::span<const std::int64_t> shape);

  /// Writes a table [...shape, dim], row-major, after the prefix tokens' rows, into `out`, of size() values.
  /// Errors: a size that differs; a start or extent whose largest angle passes max_angle; memory.
  /// Largest error: that of Sinusoidal::table; normalised coordinates are rounded to double three times, which may move
  /// an angle by 4e-16 of itself.
  [[nodiscard]] Expected<void> table(std::span<float> out) const;

  /// Writes the table of a padded grid: `mask` [...shape] is 0 where there is padding. A cell's index along an axis is
  /// then the number of cells before it in its line that are not padding (-1 before the first of them: padding has its
  /// predecessor's coordinate), and the n that normalises is how many there are, as DETR counts them. Errors: those
  /// above; a mask whose size is not the number of cells.
  [[nodiscard]] Expected<void> table(std::span<const std::uint8_t> mask, std::span<float> out) const;

  /// Both in 16 bits, each value rounded once.
  [[nodiscard]] Expected<void> table(Span16 out) const;
  [[nodiscard]] Expected<void> table(std::span<const std::uint8_t> mask, Span16 out) const;

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

  SinusoidalGridOptions options_;
  Sinusoidal sinusoidal_;
  std::size_t extents_[max_axes] = {};
  std::size_t axes_ = 0;
  std::size_t cells_ = 0;
};

/// The options of an implementation, by its name.
enum class SinusoidalGridPreset : std::uint8_t {
  detr,       ///< DETR's PositionEmbeddingSine, normalised as its models are: [h, w],
              ///< counted from 1, / (n + 1e-6) * 2 pi, y then x, interleaved. (DETR puts the dimensions first)
  mae,        ///< MAE's get_2d_sincos_pos_embed: [h, w], the column's dimensions first, [sin | cos] each
  timm,       ///< timm's build_sincos2d_pos_embed: [h, w], sin h, sin w, cos h, cos w
  diffusers,  ///< get_2d_sincos_pos_embed of Hugging Face diffusers (0002117e): MAE's dimensions, index i of n as
              ///< i / n * extent. extent is its base_size / interpolation_scale, 16 by its defaults;
              ///< extra_tokens are prefix tokens
  positional_encodings,  ///< PositionalEncoding1D, 2D and 3D of the PyPI package positional-encodings: interleaved an
                         ///< axis, dimensions rounded up, then trimmed
};

template <>
inline constexpr auto names_of<SinusoidalGridPreset> =
    Names("preset", {{"detr", SinusoidalGridPreset::detr},
                     {"mae", SinusoidalGridPreset::mae},
                     {"timm", SinusoidalGridPreset::timm},
                     {"diffusers", SinusoidalGridPreset::diffusers},
                     {"positional-encodings", SinusoidalGridPreset::positional_encodings}});

/// A preset, and what is to differ from it.
struct SinusoidalGridChoice {
  std::int64_t dim = 0;
  SinusoidalGridPreset preset = SinusoidalGridPreset::detr;
  std::optional<double> base = std::nullopt;
  std::optional<Order> order = std::nullopt;
  std::optional<AxisOrder> axes = std::nullopt;
  std::optional<Arrangement> arrangement = std::nullopt;
  std::optional<bool> normalised = std::nullopt;
  std::optional<double> start = std::nullopt;
  std::optional<double> extent = std::nullopt;  ///< the preset's by default, or 2 pi
  std::optional<double> epsilon = std::nullopt;
  std::int64_t prefix_tokens = 0;
};

/// The plain options that a choice stands for, for a grid of `axes` axes.
/// Errors: a number of axes that the preset does not know; an extent or epsilon where nothing is normalised.
[[nodiscard]] Expected<SinusoidalGridOptions> resolve(const SinusoidalGridChoice& choice, std::size_t axes);

}  // namespace posenc
