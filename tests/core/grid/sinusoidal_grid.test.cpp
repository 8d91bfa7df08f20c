#include "posenc/grid/sinusoidal_grid.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <vector>

#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Arrangement;
using posenc::AxisOrder;
using posenc::Order;
using posenc::SinusoidalGrid;
using posenc::SinusoidalGridChoice;
using posenc::SinusoidalGridOptions;
using posenc::SinusoidalGridPreset;
using reference::LargestErrors;
using reference::Quad;
using testing::Generator;
using testing::infinity;
using testing::require_error;
using testing::same_bits;
using testing::untouched;
using testing::value_of;

namespace {

using Shape = std::vector<std::int64_t>;

std::vector<float> grid_of(const SinusoidalGridChoice& choice, const Shape& shape) {
  const auto made = value_of(SinusoidalGrid::make(value_of(posenc::resolve(choice, shape.size())), shape));
  std::vector<float> out(made.size(), untouched);
  value_of(made.table(out));
  return out;
}

Quad sine_or_cosine(bool cosine, Quad angle) {
  return cosine ? reference::phase(angle).cosine : reference::phase(angle).sine;
}

Quad temperature(Quad exponent) { return reference::power(10000, -exponent); }

/// Compares a grid [h, w, dim] with formula(y, x, dimension).
template <class Formula>
LargestErrors errors_of_2d(const std::vector<float>& grid, std::int64_t h, std::int64_t w, std::int64_t dim,
                           const Formula& formula) {
  REQUIRE(grid.size() == static_cast<std::size_t>(h * w * dim));
  LargestErrors errors;
  std::size_t at = 0;
  for (std::int64_t y = 0; y < h; ++y)
    for (std::int64_t x = 0; x < w; ++x)
      for (std::int64_t dimension = 0; dimension < dim; ++dimension) errors.note(grid[at++], formula(y, x, dimension));
  INFO(errors.ulp << " ulp, " << errors.absolute << " absolute");
  CHECK(errors.ulp <= 0.501);
  CHECK(errors.absolute <= 3.0e-8);
  return errors;
}

}  // namespace

TEST_CASE("sinusoidal grid: DETR", "[sinusoidal_grid]") {
  for (const auto& [h, w, dim] : {std::array<std::int64_t, 3>{3, 5, 8}, {7, 2, 64}, {1, 1, 4}, {25, 34, 256}})
    for (const bool normalised : {true, false}) {
      const auto grid = grid_of({.dim = dim, .preset = SinusoidalGridPreset::detr, .normalised = normalised}, {h, w});
      const std::int64_t features = dim / 2;
      errors_of_2d(grid, h, w, dim, [&](std::int64_t y, std::int64_t x, std::int64_t dimension) {
        Quad embed = static_cast<Quad>(dimension < features ? y + 1 : x + 1);
        const Quad last = static_cast<Quad>(dimension < features ? h : w);
        if (normalised) embed = embed / (last + reference::from_decimal("0.000001")) * (2 * reference::pi());
        const std::int64_t i = dimension % features;
        return sine_or_cosine(i % 2 == 1,
                              embed * temperature(static_cast<Quad>(2 * (i / 2)) / static_cast<Quad>(features)));
      });
    }
}

TEST_CASE("sinusoidal grid: DETR counts only what is no padding", "[sinusoidal_grid]") {
  constexpr std::int64_t h = 4, w = 5, dim = 16;
  const auto sinusoid = value_of(SinusoidalGrid::make(
      value_of(posenc::resolve({.dim = dim, .preset = SinusoidalGridPreset::detr}, 2)), Shape{h, w}));
  Generator generator(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::uint8_t> mask(h * w);
    for (auto& cell : mask) cell = round == 0 ? 1 : static_cast<std::uint8_t>(generator.below(3));
    std::vector<float> table(sinusoid.size(), untouched);
    value_of(sinusoid.table(mask, table));
    if (round == 0) CHECK(same_bits(table, grid_of({.dim = dim, .preset = SinusoidalGridPreset::detr}, {h, w})));
    errors_of_2d(table, h, w, dim, [&](std::int64_t y, std::int64_t x, std::int64_t dimension) {
      const bool down = dimension < dim / 2;
      int before = 0, all = 0;
      for (std::int64_t i = 0; i < (down ? h : w); ++i) {
        const bool counts = mask[static_cast<std::size_t>(down ? i * w + x : y * w + i)] != 0;
        all += counts ? 1 : 0;
        if (i <= (down ? y : x)) before += counts ? 1 : 0;
      }
      const Quad embed = before / (all + reference::from_decimal("0.000001")) * (2 * reference::pi());
      const std::int64_t i = dimension % (dim / 2);
      return sine_or_cosine(i % 2 == 1, embed * temperature(static_cast<Quad>(i / 2 * 2) / static_cast<Quad>(dim / 2)));
    });
  }
  std::vector<float> out(sinusoid.size(), untouched);
  require_error(sinusoid.table(std::vector<std::uint8_t>(h * w - 1), out), "mask", "19");
  require_error(sinusoid.table(std::vector<std::uint8_t>(h * w), std::span(out).first(3)), "out", "3");
  const auto no_epsilon = value_of(SinusoidalGrid::make(
      value_of(posenc::resolve({.dim = dim, .preset = SinusoidalGridPreset::detr, .epsilon = 0}, 2)), Shape{h, w}));
  require_error(no_epsilon.table(std::vector<std::uint8_t>(h * w), out), "extent", "6.28");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("sinusoidal grid: MAE, w first", "[sinusoidal_grid]") {
  for (const auto& [h, w, dim] : {std::array<std::int64_t, 3>{3, 5, 8}, {14, 14, 192}, {2, 9, 12}}) {
    const std::int64_t quarter = dim / 4;
    errors_of_2d(grid_of({.dim = dim, .preset = SinusoidalGridPreset::mae}, {h, w}), h, w, dim,
                 [&](std::int64_t y, std::int64_t x, std::int64_t dimension) {
                   const auto coordinate = static_cast<Quad>(dimension < dim / 2 ? x : y);
                   const std::int64_t i = dimension % (dim / 2);
                   const Quad omega = temperature(static_cast<Quad>(i % quarter) / static_cast<Quad>(quarter));
                   return sine_or_cosine(i >= quarter, coordinate * omega);
                 });
  }
}

TEST_CASE("sinusoidal grid: diffusers, the grid stretched to one size", "[sinusoidal_grid]") {
  for (const auto& [h, w, dim] : {std::array<std::int64_t, 3>{3, 5, 8}, {64, 48, 24}, {16, 16, 12}})
    for (const std::optional<double> extent : {std::optional<double>(), std::optional(32 / 0.5)}) {
      const Quad base_size = extent ? 32 : 16, scale = extent ? Quad(0.5) : Quad(1);
      const std::int64_t quarter = dim / 4;
      errors_of_2d(grid_of({.dim = dim, .preset = SinusoidalGridPreset::diffusers, .extent = extent}, {h, w}), h, w,
                   dim, [&](std::int64_t y, std::int64_t x, std::int64_t dimension) {
                     const bool is_first = dimension < dim / 2;
                     const Quad coordinate = is_first ? x / (w / base_size) / scale : y / (h / base_size) / scale;
                     const std::int64_t i = dimension % (dim / 2);
                     const Quad omega = temperature(static_cast<Quad>(i % quarter) / static_cast<Quad>(quarter));
                     return sine_or_cosine(i >= quarter, coordinate * omega);
                   });
    }
  const Shape shape{4, 6};
  CHECK(same_bits(grid_of({.dim = 8, .preset = SinusoidalGridPreset::diffusers, .normalised = false}, shape),
                  grid_of({.dim = 8, .preset = SinusoidalGridPreset::mae}, shape)));
}

TEST_CASE("sinusoidal grid: rows of zeros stand before the grid's, which stay the same", "[sinusoidal_grid]") {
  const auto grid = grid_of({.dim = 8, .preset = SinusoidalGridPreset::mae}, {3, 5});
  const auto prefixed = grid_of({.dim = 8, .preset = SinusoidalGridPreset::mae, .prefix_tokens = 2}, {3, 5});
  REQUIRE(prefixed.size() == grid.size() + 16);
  CHECK(testing::same_bits(std::span(prefixed).first(16), std::vector<float>(16, 0.0f)));
  CHECK(testing::same_bits(std::span(prefixed).subspan(16), grid));
  CHECK(grid_of({.dim = 8, .preset = SinusoidalGridPreset::mae, .prefix_tokens = 1}, {0, 5}) ==
        std::vector<float>(8, 0.0f));
  for (const std::int64_t wrong : {std::int64_t{-1}, posenc::max_dim + 1})
    require_error(SinusoidalGrid::make({.dim = 8, .prefix_tokens = wrong}, Shape{3, 5}), "prefixTokens",
                  std::to_string(wrong));
}

TEST_CASE("sinusoidal grid: timm, sin h, sin w, cos h, cos w", "[sinusoidal_grid]") {
  for (const auto& [h, w, dim] : {std::array<std::int64_t, 3>{3, 5, 8}, {7, 7, 64}, {2, 9, 12}}) {
    const std::int64_t quarter = dim / 4;
    errors_of_2d(grid_of({.dim = dim, .preset = SinusoidalGridPreset::timm}, {h, w}), h, w, dim,
                 [&](std::int64_t y, std::int64_t x, std::int64_t dimension) {
                   const auto coordinate = static_cast<Quad>(dimension / quarter % 2 == 0 ? y : x);
                   const Quad band = temperature(static_cast<Quad>(dimension % quarter) / static_cast<Quad>(quarter));
                   return sine_or_cosine(dimension >= 2 * quarter, coordinate * band);
                 });
  }
}

TEST_CASE("sinusoidal grid: positional-encodings in 1, 2 and 3 dimensions, rounded up and trimmed",
          "[sinusoidal_grid]") {
  for (const Shape& shape : {Shape{6}, Shape{3, 4}, Shape{2, 3, 4}})
    for (const std::int64_t dim : {1, 2, 3, 5, 6, 7, 10, 12, 13, 64}) {
      const auto axes = static_cast<std::int64_t>(shape.size());
      const std::int64_t channels = (dim + 2 * axes - 1) / (2 * axes) * 2;
      const auto grid = grid_of({.dim = dim, .preset = SinusoidalGridPreset::positional_encodings}, shape);
      LargestErrors errors;
      for (std::size_t at = 0; at < grid.size(); ++at) {
        const std::int64_t dimension = static_cast<std::int64_t>(at) % dim;
        std::int64_t cell = static_cast<std::int64_t>(at) / dim;
        for (std::int64_t axis = axes - 1; axis > dimension / channels; --axis)
          cell /= shape[static_cast<std::size_t>(axis)];
        const std::int64_t index = cell % shape[static_cast<std::size_t>(dimension / channels)];
        const std::int64_t i = dimension % channels;
        const Quad frequency = temperature(static_cast<Quad>(i / 2 * 2) / static_cast<Quad>(channels));
        errors.note(grid[at], sine_or_cosine(i % 2 == 1, static_cast<Quad>(index) * frequency));
      }
      INFO("axes " << axes << ", dim " << dim);
      CHECK(errors.ulp <= 0.501);
      CHECK(errors.absolute <= 3.0e-8);
    }
}

TEST_CASE("sinusoidal grid: an odd dim in one dimension is the even one's rows, cut", "[sinusoidal_grid]") {
  const auto seven = grid_of({.dim = 7, .preset = SinusoidalGridPreset::positional_encodings}, {9});
  const auto eight = testing::table_of({.frequencies = {.dim = 8}}, posenc::Positions::range(9));
  for (std::size_t row = 0; row < 9; ++row)
    CHECK(same_bits(std::span(seven).subspan(row * 7, 7), std::span(eight).subspan(row * 8, 7)));
}

TEST_CASE("sinusoidal grid: each option makes one preset another", "[sinusoidal_grid]") {
  const Shape shape{4, 6};
  const auto mae = grid_of({.dim = 24, .preset = SinusoidalGridPreset::mae}, shape);
  CHECK(same_bits(grid_of({.dim = 24,
                           .preset = SinusoidalGridPreset::detr,
                           .order = Order::split,
                           .axes = AxisOrder::last_first,
                           .normalised = false,
                           .start = 0},
                          shape),
                  mae));
  CHECK(same_bits(grid_of({.dim = 24,
                           .preset = SinusoidalGridPreset::timm,
                           .axes = AxisOrder::last_first,
                           .arrangement = Arrangement::by_axis},
                          shape),
                  mae));
  CHECK_FALSE(same_bits(grid_of({.dim = 24, .preset = SinusoidalGridPreset::mae, .base = 100}, shape), mae));
}

TEST_CASE("sinusoidal grid: a cell depends on no other, nor the transposed grid's", "[sinusoidal_grid]") {
  Generator generator(31);
  for (int round = 0; round < 50; ++round) {
    const auto h = static_cast<std::int64_t>(1 + generator.below(6));
    const auto w = static_cast<std::int64_t>(1 + generator.below(6));
    const auto dim = static_cast<std::int64_t>(4 * (1 + generator.below(9)));
    const auto size = static_cast<std::size_t>(dim);
    const auto small = grid_of({.dim = dim, .preset = SinusoidalGridPreset::mae}, {h, w});
    const auto large = grid_of({.dim = dim, .preset = SinusoidalGridPreset::mae}, {h + 2, w + 3});
    const auto transposed =
        grid_of({.dim = dim, .preset = SinusoidalGridPreset::mae, .axes = AxisOrder::first_first}, {w, h});
    for (std::int64_t y = 0; y < h; ++y)
      for (std::int64_t x = 0; x < w; ++x) {
        const auto cell = std::span(small).subspan(static_cast<std::size_t>(y * w + x) * size, size);
        REQUIRE(same_bits(cell, std::span(large).subspan(static_cast<std::size_t>(y * (w + 3) + x) * size, size)));
        REQUIRE(same_bits(cell, std::span(transposed).subspan(static_cast<std::size_t>(x * h + y) * size, size)));
      }
  }
}

TEST_CASE("sinusoidal grid: empty grids", "[sinusoidal_grid]") {
  CHECK(grid_of({.dim = 8, .preset = SinusoidalGridPreset::detr}, {0, 5}).empty());
  CHECK(grid_of({.dim = 8, .preset = SinusoidalGridPreset::positional_encodings}, {3, 0, 2}).empty());
  CHECK(grid_of({.dim = 8, .preset = SinusoidalGridPreset::detr}, {testing::very_many, 0}).empty());
}

TEST_CASE("sinusoidal grid: what is wrong is named", "[sinusoidal_grid]") {
  const auto make = [](const SinusoidalGridOptions& options, const Shape& shape) {
    return SinusoidalGrid::make(options, shape);
  };
  require_error(make({.dim = 8}, {}), "shape", "0");
  require_error(make({.dim = 8}, Shape(9, 1)), "shape", "9");
  require_error(make({.dim = 8}, {2, -1}), "shape", "-1");
  require_error(make({.dim = 8}, {std::int64_t{1} << 40, std::int64_t{1} << 40}), "shape", "1099511627776");
  require_error(make({.dim = 8}, {std::int64_t{1} << 40, 0, std::int64_t{1} << 40}), "shape", "1099511627776");
  require_error(make({.dim = 6}, {2, 2}), "dim", "6");
  require_error(make({.dim = 0}, {2, 2}), "dim", "0");
  require_error(make({.dim = -4, .trimmed = true}, {2, 2}), "dim", "-4");
  require_error(make({.dim = 8, .base = -1}, {2, 2}), "base", "-1");
  require_error(make({.dim = 8, .arrangement = Arrangement::by_function}, {2, 2}), "order", "interleaved");
  require_error(
      make({.dim = 8, .order = Order::split, .arrangement = Arrangement::by_function, .trimmed = true}, {2, 2}),
      "arrangement", "by-function");
  require_error(make({.dim = 8, .coordinates = {.start = infinity}}, {2, 2}), "start", "inf");
  require_error(make({.dim = 8, .coordinates = {.extent = std::nan("")}}, {2, 2}), "extent", "nan");
  require_error(make({.dim = 8, .coordinates = {.epsilon = -1}}, {2, 2}), "epsilon", "-1");

  std::vector<float> out(4 * 8, untouched);
  require_error(value_of(make({.dim = 8}, {3, 2})).table(out), "out", "32");
  require_error(value_of(make({.dim = 8, .coordinates = {.start = 0x1p60}}, {2, 2})).table(out), "start",
                "1152921504606846976");
  require_error(value_of(make({.dim = 8, .coordinates = {.extent = 1e300}}, {2, 2})).table(out), "extent", "e+300");
  CHECK(testing::is_untouched(out));

  require_error(posenc::resolve({.dim = 8, .preset = SinusoidalGridPreset::detr}, 3), "shape", "3");
  require_error(posenc::resolve({.dim = 8, .preset = SinusoidalGridPreset::positional_encodings}, 4), "shape", "4");
  require_error(posenc::resolve({.dim = 8, .preset = SinusoidalGridPreset::mae, .extent = 1}, 2), "extent", "1");
  require_error(posenc::resolve({.dim = 8, .preset = SinusoidalGridPreset::mae, .epsilon = 1}, 2), "epsilon", "1");
  require_error(posenc::from_name<posenc::SinusoidalGridPreset>("MAE"), "preset", "mae");
  require_error(posenc::from_name<posenc::AxisOrder>("yx"), "axes", "yx");
  require_error(posenc::from_name<posenc::Arrangement>(""), "arrangement", "");
}

TEST_CASE("sinusoidal grid: a grid has the bits that are stored", "[hashes]") {
  // 9 x 13, dim 32, preset detr.
  testing::check_hash("grid detr", "48ba6062308993bc",
                      {grid_of({.dim = 32, .preset = posenc::SinusoidalGridPreset::detr}, {9, 13})});
}
