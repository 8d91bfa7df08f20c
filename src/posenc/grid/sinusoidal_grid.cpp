#include "posenc/grid/sinusoidal_grid.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/try.hpp"
#include "posenc/grid/grid_points.hpp"

namespace posenc {
namespace {

Expected<std::int64_t> dims_of_an_axis(const SinusoidalGridOptions& options, std::int64_t axes) {
  if (options.trimmed) return 2 * ((options.dim + 2 * axes - 1) / (2 * axes));
  if (options.dim % (2 * axes) == 0) return options.dim / axes;
  return invalid_argument("dim", static_cast<double>(options.dim), expected::multiple, {2 * axes},
                          ": a sine and a cosine for each axis");
}

Expected<void> check_arrangement(const SinusoidalGridOptions& options) {
  if (options.arrangement == Arrangement::by_axis) return {};
  if (options.order == Order::interleaved)
    return invalid_argument("order", std::string("\"interleaved\""), expected::one_of, {"\"split\", \"cosines-first\""},
                            ", to arrange by function");
  if (options.trimmed)
    return invalid_argument("arrangement", std::string("\"by-function\""), expected::exactly, {"\"by-axis\""},
                            ", for trimmed dimensions");
  return {};
}

/// The coordinate of the index-th of `count`.
double coordinate_of(const SinusoidalGridCoordinates& how, double index, double count) {
  const double counted = how.start + index;
  return how.extent ? counted / (count + how.epsilon) * *how.extent : counted;
}

/// The coordinates along one axis of every cell, where only cells that the mask allows are counted. The cells of a line
/// are `inner` apart.
void write_counted(const SinusoidalGridCoordinates& how, std::span<const std::uint8_t> mask, std::size_t extent,
                   std::size_t inner, std::span<double> out) {
  for (std::size_t line = 0; line < mask.size() / extent; ++line) {
    const std::size_t first = line / inner * inner * extent + line % inner;
    double count = 0;
    for (std::size_t i = 0; i < extent; ++i) count += mask[first + i * inner] != 0 ? 1 : 0;
    double index = -1;  // the index before the first allowed cell
    for (std::size_t i = 0; i < extent; ++i) {
      index += mask[first + i * inner] != 0 ? 1 : 0;
      out[first + i * inner] = coordinate_of(how, index, count);
    }
  }
}

/// `count` contiguous dimensions, in an axis's row from dimension `from` on, in a cell's from dimension `to` on.
struct Run {
  std::size_t from, to, count;
};

/// Copies row i of an axis's table into every cell whose index along that axis is i. Dimensions are `dimension` bytes
/// wide.
void spread(std::span<const std::byte> rows, std::size_t dims, std::size_t dimension, std::size_t inner,
            std::size_t dim, const Run& run, std::span<std::byte> out) {
  const std::size_t extent = rows.size() / (dims * dimension);
  const std::size_t cells = out.size() / (dim * dimension);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::size_t row = cell / inner % extent;
    std::ranges::copy(rows.subspan((row * dims + run.from) * dimension, run.count * dimension),
                      out.subspan((cell * dim + run.to) * dimension).begin());
  }
}

struct SinusoidalGridRow {
  Order order;
  AxisOrder axes = AxisOrder::first_first;
  Arrangement arrangement = Arrangement::by_axis;
  bool trimmed = false;
  bool normalised = false;
  double start = 0;
  std::size_t least_axes = 2, most_axes = 2;
  double extent = radians_per_cycle.high, epsilon = 1e-6;  ///< where normalised
};

/// In the order of SinusoidalGridPreset.
constexpr SinusoidalGridRow sinusoidal_grid_presets[]{
    {.order = Order::interleaved, .normalised = true, .start = 1},
    {.order = Order::split, .axes = AxisOrder::last_first},
    {.order = Order::split, .arrangement = Arrangement::by_function},
    {.order = Order::split, .axes = AxisOrder::last_first, .normalised = true, .extent = 16, .epsilon = 0},
    {.order = Order::interleaved, .trimmed = true, .least_axes = 1, .most_axes = 3},
};
static_assert(std::size(sinusoidal_grid_presets) == names_of<SinusoidalGridPreset>.words.size());

Expected<SinusoidalGridCoordinates> coordinates_of(const SinusoidalGridRow& row, const SinusoidalGridChoice& choice) {
  SinusoidalGridCoordinates coordinates{.start = choice.start.value_or(row.start)};
  const bool normalised = choice.normalised.value_or(row.normalised);
  if (!normalised && choice.extent)
    return invalid_argument("extent", *choice.extent, expected::nothing, {}, " where normalised is false");
  if (!normalised && choice.epsilon)
    return invalid_argument("epsilon", *choice.epsilon, expected::nothing, {}, " where normalised is false");
  if (normalised) coordinates.extent = choice.extent.value_or(row.extent);
  coordinates.epsilon = choice.epsilon.value_or(row.epsilon);
  return coordinates;
}

}  // namespace

Expected<SinusoidalGrid> SinusoidalGrid::make(const SinusoidalGridOptions& options,
                                              std::span<const std::int64_t> shape) {
  if (shape.empty() || shape.size() > max_axes)
    return invalid_argument("shape", static_cast<double>(shape.size()), expected::axes_from_to, {1, max_axes});
  POSENC_TRY(check_ranges(options));
  POSENC_TRY(check_arrangement(options));
  POSENC_TRY(check_ranges(options.coordinates));
  POSENC_TRY_LET(cells, count_grid_cells(shape, options.dim, sizeof(float)));
  const std::int64_t most_rows = PTRDIFF_MAX / static_cast<std::int64_t>(sizeof(float)) / options.dim;
  POSENC_TRY(check_whole("prefixTokens", options.prefix_tokens, 0, most_rows - static_cast<std::int64_t>(cells)));
  POSENC_TRY_LET(dims, dims_of_an_axis(options, static_cast<std::int64_t>(shape.size())));
  POSENC_TRY_LET(sinusoidal,
                 Sinusoidal::make({.frequencies = {.dim = dims, .base = options.base}, .order = options.order}));

  SinusoidalGrid made;
  made.options_ = options;
  made.sinusoidal_ = std::move(sinusoidal);
  made.axes_ = shape.size();
  made.cells_ = cells;
  // An empty grid has no coordinates, however many its other axes would have.
  for (std::size_t axis = 0; axis < shape.size() && cells != 0; ++axis)
    made.extents_[axis] = static_cast<std::size_t>(shape[axis]);
  return made;
}

/// Where a table goes. Bytes are copied, so that all value types share the code.
struct SinusoidalGrid::Output {
  DType dtype;
  void* data;
  std::size_t size;

  [[nodiscard]] std::size_t dimension() const {
    return dtype == DType::float32 ? sizeof(float) : sizeof(std::uint16_t);
  }
  [[nodiscard]] std::span<std::byte> bytes() const { return {static_cast<std::byte*>(data), size * dimension()}; }
};

Expected<void> SinusoidalGrid::table(std::span<float> out) const {
  return write_table({DType::float32, out.data(), out.size()});
}

Expected<void> SinusoidalGrid::table(std::span<const std::uint8_t> mask, std::span<float> out) const {
  return write_table(mask, {DType::float32, out.data(), out.size()});
}

Expected<void> SinusoidalGrid::table(Span16 out) const {
  return write_table({out.dtype(), out.bits().data(), out.size()});
}

Expected<void> SinusoidalGrid::table(std::span<const std::uint8_t> mask, Span16 out) const {
  return write_table(mask, {out.dtype(), out.bits().data(), out.size()});
}

Expected<void> SinusoidalGrid::write_table(const Output& out) const {
  POSENC_TRY(check_size("out", out.size, prefix() + cells_, dim()));
  std::size_t count = 0;
  for (std::size_t axis = 0; axis < axes_; ++axis) count += extents_[axis];
  auto coordinates = AlignedArray<double>::make(count);  // of every axis: far fewer than there are cells
  if (!coordinates) return error_of(coordinates);
  double* next = coordinates->data();
  for (std::size_t axis = 0; axis < axes_; ++axis)
    for (std::size_t i = 0; i < extents_[axis]; ++i)
      *next++ = coordinate_of(options_.coordinates, static_cast<double>(i), static_cast<double>(extents_[axis]));
  return write(coordinates->span(), Rows::by_index, out);
}

Expected<void> SinusoidalGrid::write_table(std::span<const std::uint8_t> mask, const Output& out) const {
  POSENC_TRY(check_size("out", out.size, prefix() + cells_, dim()));
  POSENC_TRY(check_size("mask", mask.size(), cells_, 1));
  POSENC_TRY_LET(coordinates, AlignedArray<double>::make(axes_ * cells_));
  std::size_t inner = cells_;
  for (std::size_t axis = 0; axis < axes_ && cells_ != 0; ++axis) {
    inner /= extents_[axis];
    write_counted(options_.coordinates, mask, extents_[axis], inner, coordinates.span().subspan(axis * cells_, cells_));
  }
  return write(coordinates.span(), Rows::by_cell, out);
}

/// The rows of every axis's coordinates, spread over the cells. Nothing is written before all of them are made.
Expected<void> SinusoidalGrid::write(std::span<const double> coordinates, Rows which, const Output& out) const {
  const std::size_t row_size = sinusoidal_.dim() * out.dimension();
  const std::size_t size = coordinates.size() * sinusoidal_.dim();
  const bool is_float32 = out.dtype == DType::float32;
  POSENC_TRY_LET(rows, AlignedArray<float>::make(is_float32 ? size : (size + 1) / 2));
  const auto positions = Positions::list(coordinates);
  const auto halves = [&] { return Span16(out.dtype, {reinterpret_cast<std::uint16_t*>(rows.data()), size}); };
  if (auto written = is_float32 ? sinusoidal_.table(positions, rows.span()) : sinusoidal_.table(positions, halves());
      !written) {
    const auto& [start, extent, epsilon] = options_.coordinates;
    written.error().argument = extent ? "extent" : "start";
    written.error().value = extent.value_or(start);
    return written;
  }
  std::ranges::fill(out.bytes().first(prefix() * dim() * out.dimension()), std::byte{});
  if (cells_ == 0) return {};
  auto rest = std::as_bytes(rows.span());
  std::size_t inner = cells_;
  for (std::size_t axis = 0; axis < axes_; ++axis) {
    inner /= extents_[axis];
    const bool by_cell = which == Rows::by_cell;
    const auto axis_rows = rest.first((by_cell ? cells_ : extents_[axis]) * row_size);
    rest = rest.subspan(axis_rows.size());
    place(axis, axis_rows, by_cell ? 1 : inner, out);
  }
  return {};
}

/// Spreads an axis's rows over its dimensions of every cell; `inner` cells in a row share one.
void SinusoidalGrid::place(std::size_t axis, std::span<const std::byte> rows, std::size_t inner,
                           const Output& out) const {
  const std::size_t dimension = out.dimension();
  const auto grid = out.bytes().subspan(prefix() * dim() * dimension);
  const std::size_t dims = sinusoidal_.dim();
  const std::size_t at = options_.axes == AxisOrder::first_first ? axis : axes_ - 1 - axis;
  if (options_.arrangement == Arrangement::by_axis) {
    const std::size_t to = std::min(at * dims, dim());
    spread(rows, dims, dimension, inner, dim(), {0, to, std::min(dims, dim() - to)}, grid);
  } else {
    const std::size_t half = dims / 2;
    spread(rows, dims, dimension, inner, dim(), {0, at * half, half}, grid);
    spread(rows, dims, dimension, inner, dim(), {half, (axes_ + at) * half, half}, grid);
  }
}

Expected<SinusoidalGridOptions> resolve(const SinusoidalGridChoice& choice, std::size_t axes) {
  const SinusoidalGridRow& row = sinusoidal_grid_presets[static_cast<std::size_t>(choice.preset)];
  if (axes < row.least_axes || axes > row.most_axes)
    return invalid_argument("shape", static_cast<double>(axes), expected::axes_from_to, {row.least_axes, row.most_axes},
                            ", for this preset");
  POSENC_TRY_LET(coordinates, coordinates_of(row, choice));
  return SinusoidalGridOptions{
      .dim = choice.dim,
      .base = choice.base.value_or(10000),
      .order = choice.order.value_or(row.order),
      .axes = choice.axes.value_or(row.axes),
      .arrangement = choice.arrangement.value_or(row.arrangement),
      .trimmed = row.trimmed,
      .coordinates = coordinates,
      .prefix_tokens = choice.prefix_tokens,
  };
}

}  // namespace posenc
