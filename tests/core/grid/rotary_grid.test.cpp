#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "grid/grid_reference.hpp"
#include "grid/grid_testing.hpp"

using posenc::Direction;
using posenc::Layout;
using posenc::Points;
using reference::Quad;
using testing::cache_of;
using testing::choice_of;
using testing::fractions;
using testing::points_of;
using testing::rotary_of;
using testing::RotaryGridPreset;
using testing::rotated;
using testing::same_bits;
using testing::Shape;
using testing::value_of;

namespace {

std::vector<Quad> exact_point(const std::vector<double>& points, std::size_t axes, std::size_t point) {
  return {points.begin() + static_cast<std::ptrdiff_t>(point * axes),
          points.begin() + static_cast<std::ptrdiff_t>((point + 1) * axes)};
}

/// The worst error of [points, heads, dim] rotated at points, as a share of what is promised.
double worst_ratio(RotaryGridPreset preset, std::int64_t dim, double span, Direction direction) {
  const auto rotary = rotary_of(choice_of(preset, dim));
  testing::Generator generator(17);
  constexpr std::size_t count = 12, heads = 2;
  const auto points = testing::random_points(count * rotary.axes(), generator, span);
  const auto dims = static_cast<std::size_t>(dim);
  const auto x = fractions(count * heads * dims, 31);
  const auto y = rotated(rotary, x, {count, heads, dim}, Points::rows(points), {}, direction);
  double worst = 0;
  for (std::size_t row = 0; row < count * heads; ++row) {
    const auto angles = reference::preset_dims(preset, dims, exact_point(points, rotary.axes(), row / heads));
    REQUIRE(angles.angles.size() == rotary.rotary_dim());
    const auto expected = reference::rotated_dims(angles, std::span(x).subspan(row * dims, dims), direction);
    worst = std::max(worst, reference::worst_ratio(std::span(y).subspan(row * dims, dims), expected));
  }
  return worst;
}

double dot(std::span<const float> x, std::span<const float> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<double>(x[i]) * y[i];
  return sum;
}

std::vector<float> head_at(const posenc::PointRotary& rotary, const std::vector<float>& head,
                           const std::vector<double>& point, Direction direction = Direction::forward) {
  return rotated(rotary, head, {1, static_cast<std::int64_t>(head.size())}, Points::rows(point), {}, direction);
}

}  // namespace

TEST_CASE("grid rotary: every preset rotates as its implementation writes it", "[grid][rotary][accuracy]") {
  double worst = 0;
  for (const RotaryGridPreset preset : testing::grid_presets)
    for (const std::int64_t dim : {16, 64, 80, 128}) {
      if (testing::needs_128(preset) && dim != 128) continue;
      INFO("preset " << static_cast<int>(preset) << ", dim " << dim);
      for (const Direction direction : {Direction::forward, Direction::inverse})
        for (const double span : {1.0, 40.0, 4096.0}) {
          const double ratio = worst_ratio(preset, dim, span, direction);
          CHECK(ratio <= 1);
          worst = std::max(worst, ratio);
        }
    }
  std::printf("largest error: grid rotary apply: %.4f of 3 * 2^-24 * (|a| + |b|)\n", worst);
}

TEST_CASE("grid rotary: caches of grids are accurate, by pair and by dimension", "[grid][rotary][accuracy]") {
  reference::LargestErrors errors;
  for (const RotaryGridPreset preset : testing::grid_presets) {
    const auto choice = choice_of(preset, 128);
    const auto plan = value_of(posenc::resolve(choice));
    const auto rotary = rotary_of(choice);
    const Shape shape = rotary.axes() == 3 ? Shape{3, 4, 7} : Shape{9, 13};
    const auto points = points_of(plan.points, shape);
    const auto cache = cache_of(rotary, Points::rows(points), {}, posenc::CacheRow::dims);
    const auto pairs = cache_of(rotary, Points::rows(points));
    std::vector<float> first_dims;
    for (std::size_t cell = 0; cell < points.size() / rotary.axes(); ++cell) {
      std::vector<Quad> point;
      for (std::size_t axis = rotary.axes(), rest = cell; axis > 0; --axis) {
        const auto extent = static_cast<std::size_t>(shape[axis - 1]);
        point.insert(point.begin(), reference::preset_coordinate(preset, rest % extent, extent));
        rest /= extent;
      }
      const auto dims = reference::preset_dims(preset, 128, point);
      for (std::size_t l = 0; l < 128; ++l) {
        const reference::Phase phase = reference::phase(dims.angles[l]);
        errors.note(cache.cosines[cell * 128 + l], phase.cosine);
        errors.note(cache.sines[cell * 128 + l], phase.sine);
        if (dims.partners[l].sign < 0) first_dims.push_back(cache.cosines[cell * 128 + l]);
      }
    }
    CHECK(same_bits(first_dims, pairs.cosines));
  }
  std::printf("largest error: grid rotary cache: %.7f ulp, %.4e absolute\n", errors.ulp, errors.absolute);
  CHECK(errors.ulp <= 0.501);
  CHECK(errors.absolute <= 3.0e-8);
}

TEST_CASE("grid rotary: far, negative and fractional points are as exact as near ones", "[grid][rotary][accuracy]") {
  reference::LargestErrors errors;
  const std::vector<double> points{1048575, -0.3, -2147483647.5, 67108865, 0x1p53, -0x1p53, 1e15, 0};
  for (const RotaryGridPreset preset :
       {RotaryGridPreset::qwen2_vl, RotaryGridPreset::pixtral, RotaryGridPreset::rope_vit, RotaryGridPreset::croco}) {
    const auto cache = cache_of(rotary_of(choice_of(preset, 64)), Points::rows(points), {}, posenc::CacheRow::dims);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto dims = reference::preset_dims(preset, 64, exact_point(points, 2, i));
      for (std::size_t l = 0; l < 64; ++l) {
        const reference::Phase phase = reference::phase(dims.angles[l]);
        errors.note(cache.cosines[i * 64 + l], phase.cosine);
        errors.note(cache.sines[i * 64 + l], phase.sine);
      }
    }
  }
  std::printf("largest error: grid rotary far away: %.7f ulp, %.4e absolute\n", errors.ulp, errors.absolute);
  CHECK(errors.ulp <= 0.501);
  CHECK(errors.absolute <= 3.0e-8);
}

TEST_CASE("grid rotary: one axis is the rotation of text, bit for bit", "[grid][rotary]") {
  for (const Layout layout : {Layout::half, Layout::interleaved}) {
    auto choice = choice_of(RotaryGridPreset::axial, 48);
    choice.layout = layout;
    choice.axes = 1;
    std::vector<double> points{-3, 0, -0.0, 0.25, 1e9, 7};
    const auto x = fractions(6 * 48, 3);
    CHECK(same_bits(rotated(rotary_of(choice), x, {6, 48}, Points::rows(points)),
                    testing::rotated({.dim = 48, .layout = layout}, x, Shape{6, 48}, posenc::Positions::list(points))));
  }
}

TEST_CASE("grid rotary: scores depend on the difference of points alone, norms stay, inverse undoes",
          "[grid][rotary]") {
  testing::Generator generator(5);
  for (const RotaryGridPreset preset : testing::grid_presets) {
    const std::int64_t dim = testing::needs_128(preset) ? 128 : 32;
    INFO("preset " << static_cast<int>(preset));
    const auto rotary = rotary_of(choice_of(preset, dim));
    const auto query = fractions(static_cast<std::size_t>(dim), generator.next());
    const auto key = fractions(static_cast<std::size_t>(dim), generator.next());
    std::vector<double> a, b, a_moved, b_moved;
    for (std::size_t axis = 0; axis < rotary.axes(); ++axis) {
      const auto draw = [&] { return static_cast<double>(generator.below(4096)) / 64; };
      a.push_back(draw());
      b.push_back(draw());
      const double by = draw();
      a_moved.push_back(a.back() + by);
      b_moved.push_back(b.back() + by);
    }
    const double there = dot(head_at(rotary, query, a), head_at(rotary, key, b));
    CHECK(std::fabs(there - dot(head_at(rotary, query, a_moved), head_at(rotary, key, b_moved))) < 1e-5);
    CHECK(std::fabs(there - dot(head_at(rotary, query, a_moved), head_at(rotary, key, b))) > 1e-4);
    const auto rotated_query = head_at(rotary, query, a);
    CHECK(std::fabs(std::sqrt(dot(rotated_query, rotated_query)) - std::sqrt(dot(query, query))) < 1e-6);
    const auto back = head_at(rotary, rotated_query, a, Direction::inverse);
    for (std::size_t l = 0; l < back.size(); ++l) CHECK(std::fabs(back[l] - query[l]) < 1e-6f);
  }
}

TEST_CASE("grid rotary: every head of any slice is what it is alone, bit for bit", "[grid][rotary]") {
  testing::Generator generator(59);
  for (int round = 0; round < 60; ++round) {
    const RotaryGridPreset preset = testing::grid_presets[generator.below(13)];
    const std::int64_t dim = static_cast<std::int64_t>(16 * (1 + generator.below(5)));
    auto choice = choice_of(preset, dim);
    const auto rotary = rotary_of(choice);
    const auto batch = 1 + generator.below(3), count = generator.below(6), heads = 1 + generator.below(3);
    const posenc::TokensAround around{static_cast<std::int64_t>(generator.below(3)),
                                      static_cast<std::int64_t>(generator.below(3))};
    const bool by_batch = generator.below(2) == 1;
    const auto before = static_cast<std::size_t>(around.before);
    const std::size_t tokens = before + count + static_cast<std::size_t>(around.after);
    const auto points = testing::random_points((by_batch ? batch : 1) * count * rotary.axes(), generator, 100);
    const auto dims = static_cast<std::size_t>(dim);
    const auto x = fractions(batch * tokens * heads * dims, generator.next());
    const auto y = rotated(
        rotary, x,
        {static_cast<std::int64_t>(batch), static_cast<std::int64_t>(tokens), static_cast<std::int64_t>(heads), dim},
        Points::rows(points), around);
    for (std::size_t row = 0; row < x.size() / dims; ++row) {
      const std::vector<float> head(x.begin() + static_cast<std::ptrdiff_t>(row * dims),
                                    x.begin() + static_cast<std::ptrdiff_t>((row + 1) * dims));
      const std::size_t token = row / heads % tokens;
      const auto is = std::span(y).subspan(row * dims, dims);
      INFO("round " << round << ", row " << row);
      if (token < before || token >= before + count) {
        REQUIRE(same_bits(is, head));
        continue;
      }
      const std::size_t at = ((by_batch ? row / heads / tokens * count : 0) + token - before) * rotary.axes();
      const std::vector<double> point(points.begin() + static_cast<std::ptrdiff_t>(at),
                                      points.begin() + static_cast<std::ptrdiff_t>(at + rotary.axes()));
      REQUIRE(same_bits(is, head_at(rotary, head, point)));
    }
  }
}

TEST_CASE("grid rotary: the sequence may stand anywhere, and dimensions behind the rotated ones stay",
          "[grid][rotary]") {
  auto choice = choice_of(RotaryGridPreset::axial, 13);
  choice.dims = {4, 6};
  choice.axes = 2;
  const auto rotary = rotary_of(choice);
  CHECK(rotary.rotary_dim() == 10);
  const std::vector<double> points{1, 2, 3, 4, -5, 0.5};
  const auto x = fractions(2 * 3 * 13, 8);
  const auto y = rotated(rotary, x, {2, 3, 13}, Points::rows(points), {}, Direction::forward, -2);
  for (std::size_t row = 0; row < 6; ++row) {
    const std::vector<float> head(x.begin() + static_cast<std::ptrdiff_t>(row * 13),
                                  x.begin() + static_cast<std::ptrdiff_t>((row + 1) * 13));
    const std::vector<double> point{points[row % 3 * 2], points[row % 3 * 2 + 1]};
    CHECK(same_bits(std::span(y).subspan(row * 13, 13), head_at(rotary, head, point)));
    CHECK(same_bits(std::span(y).subspan(row * 13 + 10, 3), std::span(head).subspan(10, 3)));
  }
}

TEST_CASE("grid rotary: tokens around the points are not rotated in caches either", "[grid][rotary]") {
  const auto rotary = rotary_of(choice_of(RotaryGridPreset::llama4, 16));
  const std::vector<double> points{1, 1, 1, 2};
  const auto alone = cache_of(rotary, Points::rows(points));
  const auto cache = cache_of(rotary, Points::rows(points), {.before = 1, .after = 2});
  CHECK(same_bits(std::span(cache.cosines).subspan(8, 16), alone.cosines));
  CHECK(same_bits(std::span(cache.sines).subspan(8, 16), alone.sines));
  for (const std::size_t row : {0u, 3u, 4u})
    for (std::size_t i = 0; i < 8; ++i) {
      CHECK(same_bits(cache.cosines[row * 8 + i], 1));
      CHECK(same_bits(cache.sines[row * 8 + i], 0));
    }
}

TEST_CASE("grid rotary: no points, no rows", "[grid][rotary]") {
  const auto rotary = rotary_of(choice_of(RotaryGridPreset::dinov3, 16));
  CHECK(cache_of(rotary, Points::rows({})).cosines.empty());
  CHECK(rotated(rotary, {}, {0, 16}, Points::rows({})).empty());
  const auto x = fractions(32, 2);
  CHECK(same_bits(rotated(rotary, x, {2, 16}, Points::rows({}), {.before = 1, .after = 1}), x));
}

TEST_CASE("grid rotary: rotated values have the bits that are stored", "[hashes]") {
  // fractions(20 * 3 * dim, 13) of shape [20, 3, dim], rotated by a preset at the points of a grid of 20 cells.
  const auto on_grid = [](posenc::RotaryGridPreset preset, std::int64_t dim, const testing::Shape& grid) {
    const auto choice = testing::choice_of(preset, dim);
    const auto points = testing::points_of(testing::value_of(posenc::resolve(choice)).points, grid);
    return testing::rotated(testing::rotary_of(choice), testing::fractions(20 * 3 * static_cast<std::size_t>(dim), 13),
                            {20, 3, dim}, posenc::Points::rows(points));
  };
  testing::check_hash("grid dinov3", "c939307ff22baa35", {on_grid(posenc::RotaryGridPreset::dinov3, 64, {4, 5})});
  testing::check_hash("grid pixtral", "07dbaa4d37f934ab", {on_grid(posenc::RotaryGridPreset::pixtral, 64, {4, 5})});
  testing::check_hash("grid croco", "efd8fec3b7cefa00", {on_grid(posenc::RotaryGridPreset::croco, 64, {4, 5})});
  testing::check_hash("grid timm-pixel", "7c59b256fde36dce",
                      {on_grid(posenc::RotaryGridPreset::timm_pixel, 64, {4, 5})});
  testing::check_hash("grid wan", "353a642b84b95d92", {on_grid(posenc::RotaryGridPreset::wan, 128, {2, 2, 5})});
}
