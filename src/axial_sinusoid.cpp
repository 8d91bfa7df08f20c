#include "posenc/axial_sinusoid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "check.hpp"

namespace posenc {
namespace {

constexpr Name axis_order_names[]{
    {"first-first", AxisOrder::first_first},
    {"last-first", AxisOrder::last_first},
};
constexpr Name arrangement_names[]{
    {"by-axis", Arrangement::by_axis},
    {"by-function", Arrangement::by_function},
};

/// The number of cells, or an Error when a table of them could not be held. Zero extents hide no others that are wrong.
Expected<std::size_t> count_cells(std::span<const std::int64_t> shape, std::int64_t dim) {
  const std::int64_t most = PTRDIFF_MAX / static_cast<std::int64_t>(sizeof(float)) / dim;
  std::int64_t cells = 1;
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0 || extent > most / cells)
      return wrong("shape", static_cast<double>(extent),
                   {"extents >= 0 whose product is at most ", decimal(most), " for this dim"});
    if (extent == 0) empty = true;
    cells *= std::max<std::int64_t>(extent, 1);
  }
  return empty ? 0 : static_cast<std::size_t>(cells);
}

Expected<std::int64_t> lanes_of_an_axis(const AxialSinusoidOptions& options, std::int64_t axes) {
  if (options.trimmed) return 2 * ((options.dim + 2 * axes - 1) / (2 * axes));
  if (options.dim % (2 * axes) == 0) return options.dim / axes;
  return wrong("dim", static_cast<double>(options.dim),
               {"a multiple of ", decimal(2 * axes), ": a sine and a cosine for each axis"});
}

Expected<void> check_arrangement(const AxialSinusoidOptions& options) {
  if (options.arrangement == Arrangement::by_axis) return {};
  if (options.order == Order::interleaved)
    return wrong("order", std::string("\"interleaved\""), {"\"split\" or \"cosines-first\", to arrange by function"});
  if (options.trimmed) return wrong("arrangement", std::string("\"by-function\""), {"\"by-axis\", for trimmed lanes"});
  return {};
}

Expected<void> check_coordinates(const AxialCoordinates& coordinates) {
  if (!std::isfinite(coordinates.start)) return wrong("start", coordinates.start, {"a finite number"});
  if (coordinates.extent && !std::isfinite(*coordinates.extent))
    return wrong("extent", *coordinates.extent, {"a finite number"});
  if (!std::isfinite(coordinates.epsilon) || coordinates.epsilon < 0)
    return wrong("epsilon", coordinates.epsilon, {"a finite number >= 0"});
  return {};
}

/// The coordinates of an axis of out.size() indices.
void write_coordinates(const AxialCoordinates& how, std::span<double> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = how.start + static_cast<double>(i);
    if (how.extent) out[i] = out[i] / (static_cast<double>(out.size()) + how.epsilon) * *how.extent;
  }
}

/// `count` lanes that stand together, in an axis's row from lane `from`, in a cell's from lane `to` on.
struct Run {
  std::size_t from, to, count;
};

/// Copies row i of an axis's table into every cell whose index along that axis is i.
template <class T>
void spread(std::span<const T> rows, std::size_t lanes, std::size_t inner, std::size_t dim, const Run& run,
            std::span<T> out) {
  const std::size_t extent = rows.size() / lanes;
  const std::size_t cells = out.size() / dim;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::size_t row = cell / inner % extent;
    std::ranges::copy(rows.subspan(row * lanes + run.from, run.count), out.subspan(cell * dim + run.to).begin());
  }
}

}  // namespace

Expected<AxisOrder> axis_order_from_name(std::string_view name) {
  return from_name<AxisOrder>(axis_order_names, "axes", name);
}

Expected<Arrangement> arrangement_from_name(std::string_view name) {
  return from_name<Arrangement>(arrangement_names, "arrangement", name);
}

Expected<AxialSinusoid> AxialSinusoid::make(const AxialSinusoidOptions& options, std::span<const std::int64_t> shape) {
  if (shape.empty() || shape.size() > max_axes)
    return wrong("shape", static_cast<double>(shape.size()), {"from 1 to ", decimal(max_axes), " axes"});
  if (auto checked = check_whole("dim", options.dim, 1, max_dim); !checked) return std::unexpected(checked.error());
  if (auto checked = check_arrangement(options); !checked) return std::unexpected(checked.error());
  if (auto checked = check_coordinates(options.coordinates); !checked) return std::unexpected(checked.error());
  const auto cells = count_cells(shape, options.dim);
  if (!cells) return std::unexpected(cells.error());
  const auto lanes = lanes_of_an_axis(options, static_cast<std::int64_t>(shape.size()));
  if (!lanes) return std::unexpected(lanes.error());
  auto sinusoid = Sinusoid::make({.frequencies = {.dim = *lanes, .base = options.base}, .order = options.order});
  if (!sinusoid) return std::unexpected(sinusoid.error());

  AxialSinusoid made;
  made.options_ = options;
  made.sinusoid_ = std::move(*sinusoid);
  made.axes_ = shape.size();
  made.cells_ = *cells;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) made.extents_[axis] = static_cast<std::size_t>(shape[axis]);
  return made;
}

Expected<void> AxialSinusoid::table(std::span<float> out) const { return write_table(out); }

template <HalfStorage T>
Expected<void> AxialSinusoid::table(std::span<T> out) const {
  return write_table(out);
}

template Expected<void> AxialSinusoid::table(std::span<Float16> out) const;
template Expected<void> AxialSinusoid::table(std::span<BFloat16> out) const;

template <class T>
Expected<void> AxialSinusoid::write_table(std::span<T> out) const {
  const auto dim = static_cast<std::size_t>(options_.dim);
  if (auto checked = check_size("out", out.size(), cells_, dim); !checked) return checked;
  if (cells_ == 0) return {};
  const auto rows = rows_of_axes<T>();
  if (!rows) return std::unexpected(rows.error());

  const std::size_t lanes = sinusoid_.dim();
  std::span<const T> rest = rows->span();
  std::size_t inner = cells_;
  for (std::size_t axis = 0; axis < axes_; ++axis) {
    const auto axis_rows = rest.first(extents_[axis] * lanes);
    rest = rest.subspan(axis_rows.size());
    inner /= extents_[axis];
    const std::size_t place = options_.axes == AxisOrder::first_first ? axis : axes_ - 1 - axis;
    if (options_.arrangement == Arrangement::by_axis) {
      const std::size_t to = std::min(place * lanes, dim);
      spread(axis_rows, lanes, inner, dim, {0, to, std::min(lanes, dim - to)}, out);
    } else {
      const std::size_t half = lanes / 2;
      spread(axis_rows, lanes, inner, dim, {0, place * half, half}, out);
      spread(axis_rows, lanes, inner, dim, {half, (axes_ + place) * half, half}, out);
    }
  }
  return {};
}

/// The encodings of every index of every axis, one axis after the other: far fewer than there are cells.
template <class T>
Expected<AlignedArray<T>> AxialSinusoid::rows_of_axes() const {
  std::size_t count = 0;
  for (std::size_t axis = 0; axis < axes_; ++axis) count += extents_[axis];
  auto coordinates = AlignedArray<double>::make(count);
  if (!coordinates) return std::unexpected(coordinates.error());
  auto rows = AlignedArray<T>::make(count * sinusoid_.dim());
  if (!rows) return rows;
  for (std::size_t axis = 0, first = 0; axis < axes_; first += extents_[axis++])
    write_coordinates(options_.coordinates, coordinates->span().subspan(first, extents_[axis]));
  const auto positions = Positions::list(coordinates->span());
  if (auto written = sinusoid_.table(positions, rows->span()); !written) {
    const auto& [start, extent, epsilon] = options_.coordinates;
    return wrong(extent ? "extent" : "start", extent.value_or(start), {"coordinates: ", written.error().expected});
  }
  return rows;
}

}  // namespace posenc
