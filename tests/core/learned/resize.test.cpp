#include "posenc/learned/resize.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

#include "learned/learned_testing.hpp"
#include "posenc/learned/learned_table.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::GridSize;
using posenc::Interpolation;
using posenc::resize_table;
using posenc::ResizeOptions;
using reference::magnitude;
using reference::Quad;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

using Values = std::vector<float>;

std::size_t points(const GridSize& grid) { return static_cast<std::size_t>(grid.height * grid.width); }

Values resized(const Values& table, std::size_t dim, const GridSize& from, const GridSize& to,
               const ResizeOptions& options) {
  Values out((static_cast<std::size_t>(options.prefix) + points(to)) * dim, testing::untouched);
  value_of(resize_table(table, static_cast<std::int64_t>(dim), from, to, options, out));
  return out;
}

Quad keys(Quad x, Quad a) {
  const Quad d = magnitude(x);
  if (d <= 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
  if (d < 2) return a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a;
  return 0;
}

Quad triangle(Quad x) { return magnitude(x) < 1 ? 1 - magnitude(x) : static_cast<Quad>(0); }

/// The weight of each of `from` old points in new point i of `to`, by torch's definition.
std::vector<Quad> weights(std::int64_t i, std::int64_t from, std::int64_t to, const ResizeOptions& options) {
  const bool linear = options.interpolation == Interpolation::linear;
  std::vector<Quad> all(static_cast<std::size_t>(from));
  Quad scale = static_cast<Quad>(from) / to;
  if (options.antialias) {
    const Quad wide = scale > 1 ? scale : static_cast<Quad>(1);
    Quad sum = 0;
    for (std::int64_t x = 0; x < from; ++x) {
      const Quad distance = (x + static_cast<Quad>(0.5) - scale * (i + static_cast<Quad>(0.5))) / wide;
      sum += all[static_cast<std::size_t>(x)] = linear ? triangle(distance) : keys(distance, -static_cast<Quad>(0.5));
    }
    for (Quad& weight : all) weight /= sum;
    return all;
  }
  Quad point = scale * (i + static_cast<Quad>(0.5)) - static_cast<Quad>(0.5);
  if (options.align_corners) point = to == 1 ? static_cast<Quad>(0) : i * static_cast<Quad>(from - 1) / (to - 1);
  if (linear && point < 0) point = 0;
  for (std::int64_t x = -4; x < from + 4; ++x) {
    const Quad weight = linear ? triangle(point - x) : keys(point - x, -static_cast<Quad>(0.75));
    all[static_cast<std::size_t>(std::clamp<std::int64_t>(x, 0, from - 1))] += weight;
  }
  return all;
}

/// The largest error, in ulp beyond 1e-15 * the sum of |weight * value|.
double worst_error(const Values& out, const Values& table, std::size_t dim, const GridSize& from, const GridSize& to,
                   const ResizeOptions& options) {
  double worst = 0;
  const auto prefix = static_cast<std::size_t>(options.prefix);
  for (std::int64_t y = 0; y < to.height; ++y) {
    const auto rows = weights(y, from.height, to.height, options);
    for (std::int64_t x = 0; x < to.width; ++x) {
      const auto columns = weights(x, from.width, to.width, options);
      for (std::size_t dimension = 0; dimension < dim; ++dimension) {
        Quad sum = 0, magnitudes = 0;
        for (std::size_t r = 0; r < rows.size(); ++r)
          for (std::size_t c = 0; c < columns.size(); ++c) {
            const Quad term = rows[r] * columns[c] * table[(prefix + r * columns.size() + c) * dim + dimension];
            sum += term;
            magnitudes += magnitude(term);
          }
        const float value = out[(prefix + static_cast<std::size_t>(y * to.width + x)) * dim + dimension];
        worst = std::fmax(worst, testing::ulp_beyond(value, sum, magnitudes * static_cast<Quad>(1e-15)));
      }
    }
  }
  return worst;
}

void check_printed(const Values& out, const std::vector<double>& printed) {
  REQUIRE(out.size() == printed.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    INFO("value " << i << ": " << out[i] << ", printed " << printed[i]);
    CHECK(std::fabs(static_cast<double>(out[i]) - printed[i]) < 1e-6);
  }
}

constexpr ResizeOptions linear{.interpolation = Interpolation::linear, .antialias = false};
constexpr ResizeOptions linear_corners{
    .interpolation = Interpolation::linear, .antialias = false, .align_corners = true};
constexpr ResizeOptions linear_antialias{.interpolation = Interpolation::linear};
constexpr ResizeOptions cubic{.antialias = false};
constexpr ResizeOptions cubic_corners{.antialias = false, .align_corners = true};
constexpr ResizeOptions cubic_antialias{};
constexpr ResizeOptions every_way[]{linear, linear_corners, linear_antialias, cubic, cubic_corners, cubic_antialias};

/// torch.nn.functional.interpolate printed this for this grid of 3 x 4.
const Values grid{-5, -3, -1, 1, 2, 4, -5, -3, -2, 0, 2, 4};

}  // namespace

TEST_CASE("resize: a sequence as torch prints it", "[resize]") {
  const Values squares{0, 1, 4, 9, 16};
  const auto to = [&](std::int64_t n, const ResizeOptions& options) {
    return resized(squares, 1, {1, 5}, {1, n}, options);
  };
  check_printed(to(3, linear), {0.333333333, 4, 13.666666667});
  check_printed(to(3, linear_corners), {0, 4, 16});
  check_printed(to(8, linear), {0, 0.4375, 1.1875, 3.0625, 5.5625, 8.6875, 12.9375, 16});
  check_printed(to(8, linear_corners), {0, 0.571428571, 1.428571429, 3.142857143, 5.428571429, 8.285714286, 12, 16});
}

TEST_CASE("resize: a grid as torch prints it, every way", "[resize]") {
  const auto to = [](const GridSize& size, const ResizeOptions& options) {
    return resized(grid, 1, {3, 4}, size, options);
  };
  check_printed(to({2, 3}, linear), {-2.916666667, -1.625, -0.333333333, -0.666666667, 0.625, 1.916666667});
  check_printed(to({2, 3}, linear_corners), {-5, -2, 1, -2, 1, 4});
  check_printed(to({2, 3}, linear_antialias), {-1.775, -1.4375, -1.1, 0.1, 0.4375, 0.775});
  check_printed(to({2, 3}, cubic), {-2.971141674, -1.712890625, -0.454639576, -0.545360424, 0.712890625, 1.971141674});
  check_printed(to({2, 3}, cubic_corners), {-5, -2, 1, -2, 1, 4});
  check_printed(to({2, 3}, cubic_antialias),
                {-1.76473181, -1.535313002, -1.305894193, 0.305894193, 0.535313002, 0.76473181});
  check_printed(to({5, 2}, linear), {-4, 0, -1.2, -1.6, 3, -4, 0.6, 0.2, -1, 3});
  check_printed(to({5, 2}, linear_corners), {-5, 1, -1.5, -1, 2, -3, 0, 0.5, -2, 4});
  check_printed(to({5, 2}, linear_antialias), {-3.571428571, -0.428571429, -1.4, -1.4, 1.857142857, -2.857142857, 0.4,
                                               0.4, -0.571428571, 2.571428571});
  check_printed(to({5, 2}, cubic),
                {-4.9585, 0.6705, -0.709125, -2.342875, 3.84375, -4.84375, 1.342875, -0.290875, -1.6705, 3.9585});
  check_printed(to({5, 2}, cubic_corners), {-5, 1, -1.125, -1.65625, 2, -3, 0.65625, 0.125, -2, 4});
  check_printed(to({5, 2}, cubic_antialias), {-4.286137533, 0.059722439, -1.55168373, -1.530405822, 2.26446281,
                                              -3.26446281, 0.530405822, 0.55168373, -1.059722439, 3.286137533});
}

TEST_CASE("resize: any grid, every way, against the plain formula", "[resize][accuracy]") {
  testing::Generator generator(670);
  double worst = 0;
  for (int round = 0; round < 120; ++round) {
    const auto extent = [&] { return static_cast<std::int64_t>(1 + generator.below(round % 4 == 0 ? 23 : 7)); };
    const GridSize from{extent(), extent()}, to{extent(), extent()};
    ResizeOptions options = every_way[round % 6];
    options.prefix = static_cast<std::int64_t>(generator.below(3));
    const std::size_t dim = 1 + generator.below(3);
    const auto table = fractions((static_cast<std::size_t>(options.prefix) + points(from)) * dim, generator.next());
    const auto out = resized(table, dim, from, to, options);
    const std::size_t kept = static_cast<std::size_t>(options.prefix) * dim;
    CHECK(same_bits(std::span(out).first(kept), std::span(table).first(kept)));
    worst = std::fmax(worst, worst_error(out, table, dim, from, to, options));
  }
  std::printf("largest error: resize: %.4f ulp\n", worst);
  CHECK(worst <= 0.501);
}

TEST_CASE("resize: long sequences, up and down", "[resize][accuracy]") {
  for (const auto& options : every_way)
    for (const auto& [from, to] : {std::pair<std::int64_t, std::int64_t>{512, 2048}, {1000, 77}, {700, 1}, {1, 300}}) {
      const auto table = fractions(static_cast<std::size_t>(from), 671);
      const auto out = resized(table, 1, {1, from}, {1, to}, options);
      CHECK(worst_error(out, table, 1, {1, from}, {1, to}, options) <= 0.501);
    }
}

TEST_CASE("resize: the same size gives the same bits, whatever they are", "[resize]") {
  auto table = fractions(6 * 5 * 2, 672);
  table[3] = std::numeric_limits<float>::infinity();
  table[10] = -0.0f;
  table[11] = std::numeric_limits<float>::denorm_min();
  for (const auto& options : every_way) CHECK(same_bits(resized(table, 2, {6, 5}, {6, 5}, options), table));
}

TEST_CASE("resize: a constant stays; a ramp stays a ramp where corners are aligned", "[resize]") {
  for (const auto& options : every_way)
    for (const float value : resized(Values(35, 0.1f), 1, {5, 7}, {9, 4}, options)) CHECK(value == 0.1f);
  Values ramp(9);
  for (std::size_t i = 0; i < 9; ++i) ramp[i] = static_cast<float>(i);
  const auto longer = resized(ramp, 1, {1, 9}, {1, 33}, linear_corners);
  for (std::size_t i = 0; i < 33; ++i) CHECK(longer[i] == static_cast<float>(i) / 4);
}

TEST_CASE("resize: a transposed grid gives the transposed result", "[resize]") {
  const auto table = fractions(6 * 4, 673);
  Values transposed(24);
  for (std::size_t y = 0; y < 6; ++y)
    for (std::size_t x = 0; x < 4; ++x) transposed[x * 6 + y] = table[y * 4 + x];
  for (const auto& options : every_way) {
    const auto straight = resized(table, 1, {6, 4}, {3, 9}, options);
    const auto back = resized(transposed, 1, {4, 6}, {9, 3}, options);
    for (std::size_t y = 0; y < 3; ++y)
      for (std::size_t x = 0; x < 9; ++x) CHECK(std::fabs(straight[y * 9 + x] - back[x * 3 + y]) < 1e-7f);
  }
}

TEST_CASE("resize: dimensions are independent of each other", "[resize]") {
  const auto table = fractions(6 * 5 * 13, 674);
  const auto whole = resized(table, 13, {6, 5}, {4, 8}, cubic_antialias);
  Values dimension(30);
  for (std::size_t l = 0; l < 13; ++l) {
    for (std::size_t i = 0; i < 30; ++i) dimension[i] = table[i * 13 + l];
    const auto alone = resized(dimension, 1, {6, 5}, {4, 8}, cubic_antialias);
    for (std::size_t i = 0; i < 32; ++i) CHECK(same_bits(alone[i], whole[i * 13 + l]));
  }
}

TEST_CASE("resize: nothing but the prefix is left of no grid", "[resize]") {
  const auto table = fractions((2 + 12) * 3, 675);
  const ResizeOptions options{.prefix = 2};
  for (const auto& none : {GridSize{0, 5}, GridSize{4, 0}, GridSize{0, 0}})
    CHECK(same_bits(resized(table, 3, {3, 4}, none, options), std::span(table).first(6)));
  CHECK(same_bits(resized(fractions(6, 1), 3, {0, 7}, {0, 0}, options), fractions(6, 1)));
}

TEST_CASE("resize: wrong options are Errors, and nothing is written", "[resize]") {
  const auto table = fractions(14 * 3, 676);
  Values out(8 * 3, testing::untouched);
  const ResizeOptions options{.prefix = 2};
  const auto resize = [&](const GridSize& from, const GridSize& to, const ResizeOptions& chosen) {
    return resize_table(table, 3, from, to, chosen, out);
  };
  require_error(resize({3, 4}, {2, 4}, options), "out", "24");
  require_error(resize({3, 5}, {2, 3}, options), "table", "42");
  require_error(resize({-1, 4}, {2, 3}, options), "from", "-1");
  require_error(resize({0, 4}, {2, 3}, options), "from", "0");
  require_error(resize({3, 0}, {2, 3}, options), "from", "0");
  require_error(resize({3, 4}, {-2, 3}, options), "to", "-2");
  require_error(resize({3, 4}, {2, posenc::max_rows + 1}, options), "to", "536870913");
  require_error(resize({posenc::max_rows, posenc::max_rows}, {2, 3}, options), "table", "42");
  require_error(resize({3, 4}, {posenc::max_rows, posenc::max_rows}, options), "out", "24");
  require_error(resize({3, 4}, {2, 3}, {.prefix = -1}), "prefixTokens", "-1");
  require_error(resize({3, 4}, {2, 3}, {.align_corners = true, .prefix = 2}), "alignCorners", "true");
  require_error(resize_table(table, 0, {3, 4}, {2, 3}, options, out), "dim", "0");
  require_error(resize_table(table, 4, {3, 4}, {2, 3}, options, out), "table", "42");
  require_error(posenc::from_name<posenc::Interpolation>("bicubic"), "interpolation", "bicubic");
  CHECK(testing::is_untouched(out));
  CHECK(posenc::from_name<posenc::Interpolation>("linear") == Interpolation::linear);
  CHECK(posenc::from_name<posenc::Interpolation>("cubic") == Interpolation::cubic);
}

TEST_CASE("resize: a table has the bits that are stored", "[hashes]") {
  // fractions((1 + 14 * 14) * 8, 13), dim 8, a prefix of 1; from 14 x 14 to 9 x 20, cubic with antialias.
  std::vector<float> out((1 + 9 * 20) * 8);
  testing::value_of(
      posenc::resize_table(testing::fractions((1 + 14 * 14) * 8, 13), 8, {14, 14}, {9, 20}, {.prefix = 1}, out));
  testing::check_hash("resize cubic", "924aa846bc6319f7", {out});
}
