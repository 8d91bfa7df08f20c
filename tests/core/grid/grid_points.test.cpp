#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "grid/grid_reference.hpp"
#include "grid/grid_testing.hpp"

using posenc::count_cells;
using posenc::GridCoordinate;
using posenc::GridPointOptions;
using testing::points_of;
using testing::require_error;
using testing::Shape;

namespace {

using Values = std::vector<double>;

GridPointOptions of(GridCoordinate coordinate, std::int64_t axes = 1) {
  GridPointOptions options;
  options.axes = axes;
  options.coordinate = coordinate;
  return options;
}

GridPointOptions with_reference(std::vector<std::int64_t> reference) {
  GridPointOptions options = of(GridCoordinate::index, static_cast<std::int64_t>(reference.size()));
  options.reference = std::move(reference);
  return options;
}

GridPointOptions merged(std::int64_t merge, std::int64_t axes = 2) {
  GridPointOptions options = of(GridCoordinate::index, axes);
  options.merge = merge;
  return options;
}

}  // namespace

TEST_CASE("grid points: the coordinates of each convention", "[grid]") {
  CHECK(points_of(of(GridCoordinate::index), {4}) == Values{0, 1, 2, 3});
  CHECK(points_of(of(GridCoordinate::centred), {4}) == Values{-0.75, -0.25, 0.25, 0.75});
  CHECK(points_of(of(GridCoordinate::centred), {1}) == Values{0});
  CHECK(points_of(of(GridCoordinate::ends), {5}) == Values{-1, -0.5, 0, 0.5, 1});
  CHECK(points_of(of(GridCoordinate::ends), {1}) == Values{-1});
  CHECK(points_of(with_reference({16}), {32}).at(3) == 1.5);
  GridPointOptions from_one = of(GridCoordinate::index);
  from_one.start = 1;
  CHECK(points_of(from_one, {3}) == Values{1, 2, 3});
  from_one.start = -0.5;
  CHECK(points_of(from_one, {2}) == Values{-0.5, 0.5});
}

TEST_CASE("grid points: rows first, the last axis fastest", "[grid]") {
  CHECK(points_of(of(GridCoordinate::index, 2), {2, 3}) == Values{0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2});
  CHECK(points_of(of(GridCoordinate::index, 3), {2, 1, 2}) == Values{0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1});
  GridPointOptions repeats = of(GridCoordinate::index, 2);
  repeats.repeats = true;
  CHECK(points_of(repeats, {2, 1, 2}) == Values{0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(points_of(repeats, {1, 2}) == Values{0, 0, 0, 1});
}

TEST_CASE("grid points: merged blocks come one after the other", "[grid]") {
  // Qwen2-VL's rot_pos_emb for a grid of 4 x 4 patches, two by two of which become a token.
  CHECK(points_of(merged(2), {4, 4}) ==
        Values{0, 0, 0, 1, 1, 0, 1, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 0, 2, 1, 3, 0, 3, 1, 2, 2, 2, 3, 3, 2, 3, 3});
  // Every cell once, whatever the sizes.
  for (const std::int64_t merge : {1, 2, 3})
    for (const std::int64_t rows : {1, 2, 4}) {
      const Shape shape{2, rows * merge, 2 * merge};
      const auto points = points_of(merged(merge, 3), shape);
      std::vector<int> seen(static_cast<std::size_t>(shape[0] * shape[1] * shape[2]));
      for (std::size_t i = 0; i < points.size(); i += 3) {
        const double cell =
            (points[i] * static_cast<double>(shape[1]) + points[i + 1]) * static_cast<double>(shape[2]) + points[i + 2];
        ++seen.at(static_cast<std::size_t>(cell));
      }
      CHECK(std::ranges::count(seen, 1) == static_cast<std::ptrdiff_t>(seen.size()));
    }
}

TEST_CASE("grid points: coordinates are within 2e-16 of themselves", "[grid][accuracy]") {
  using reference::Quad;
  const auto close = [](double value, Quad exact) {
    return static_cast<double>(reference::magnitude(value - exact)) <=
           2.23e-16 * static_cast<double>(reference::magnitude(exact));
  };
  for (const std::int64_t n : {2, 3, 7, 37, 100, 1000}) {
    const auto count = static_cast<Quad>(n);
    const auto centred = points_of(of(GridCoordinate::centred), {n});
    const auto ends = points_of(of(GridCoordinate::ends), {n});
    const auto resized = points_of(with_reference({23}), {n});
    for (std::size_t i = 0; i < centred.size(); ++i) {
      const auto index = static_cast<Quad>(i);
      REQUIRE(close(centred[i], (2 * index + 1 - count) / count));
      REQUIRE(close(ends[i], 2 * index / (count - 1) - 1));
      REQUIRE(close(resized[i], index * 23 / count));
    }
  }
}

TEST_CASE("grid points: empty grids have none", "[grid]") {
  CHECK(points_of(of(GridCoordinate::centred, 2), {0, 5}).empty());
  CHECK(points_of(merged(2), {4, 0}).empty());
}

TEST_CASE("grid points: wrong options and shapes are Errors", "[grid]") {
  const auto count = [](const GridPointOptions& options, const Shape& shape) { return count_cells(options, shape); };
  require_error(count(of(GridCoordinate::index, 0), {}), "axes", "0");
  require_error(count(of(GridCoordinate::index, 9), {2}), "axes", "9");
  require_error(count(of(GridCoordinate::index, 2), {2}), "shape", "1");
  require_error(count(of(GridCoordinate::index, 2), {2, 2, 2}), "shape", "3");
  require_error(count(of(GridCoordinate::index, 2), {2, -1}), "shape", "-1");
  require_error(count(of(GridCoordinate::index, 2), {0, -1}), "shape", "-1");
  require_error(count(of(GridCoordinate::index, 2), {std::int64_t{1} << 40, std::int64_t{1} << 40}), "shape", "");
  require_error(count(merged(0), {2, 2}), "mergeSize", "0");
  require_error(count(merged(2), {2, 3}), "shape", "3");
  require_error(count(merged(2, 1), {2}), "mergeSize", "2");
  require_error(count(with_reference({0}), {2}), "reference", "0");
  GridPointOptions wrong = with_reference({2, 2});
  wrong.axes = 1;
  require_error(count(wrong, {2}), "reference", "2");
  wrong = with_reference({2});
  wrong.coordinate = GridCoordinate::ends;
  require_error(count(wrong, {2}), "reference", "1");
  wrong = of(GridCoordinate::centred);
  wrong.start = 1;
  require_error(count(wrong, {2}), "start", "1");
  wrong.start = std::numeric_limits<double>::infinity();
  require_error(count(wrong, {2}), "start", "inf");
  GridPointOptions repeats = of(GridCoordinate::index, 2);
  repeats.repeats = true;
  require_error(count(repeats, {2}), "shape", "1");
  require_error(posenc::from_name<posenc::GridCoordinate>("middle"), "coordinate", "middle");
  Values short_out(3, 7.25);
  require_error(posenc::grid_points(of(GridCoordinate::index, 2), Shape{1, 2}, short_out), "out", "3");
  CHECK(short_out == Values(3, 7.25));
}
