#include "posenc/rotary/xpos.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::Direction;
using posenc::Layout;
using posenc::Positions;
using posenc::SequenceShape;
using posenc::Xpos;
using posenc::XposOptions;
using posenc::XposSide;
using reference::Quad;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::Shape;
using testing::value_of;

namespace {

/// zeta_i^((position - centre) / scale_base) of queries.
Quad scale_of(const XposOptions& options, std::size_t i, double position) {
  const auto dims = static_cast<double>(options.rotary.rotary_dim.value_or(options.rotary.dim));
  const Quad zeta = (2 * static_cast<Quad>(i) + Quad(4) * dims / 10) / (Quad(14) * dims / 10);
  return reference::power(zeta, (static_cast<Quad>(position) - *options.centre) / options.scale_base);
}

std::vector<float> applied(const XposOptions& options, std::vector<float> x, const Positions& positions, XposSide side,
                           Direction direction = Direction::forward) {
  const Shape shape{static_cast<std::int64_t>(positions.count()), options.rotary.dim};
  value_of(value_of(Xpos::make(options)).apply(x, testing::sequence_first(shape), positions, side, direction));
  return x;
}

}  // namespace

TEST_CASE("xpos: rotation times the scale, for queries and keys", "[rotary][accuracy]") {
  const std::vector<double> positions{0, 1, 255, 256, 511.5, -3000, 20000};
  double worst = 0;
  double worst_scale = 0;
  for (const Layout layout : {Layout::half, Layout::interleaved, Layout::deinterleaved}) {
    XposOptions options{.rotary = {.dim = 14, .layout = layout, .rotary_dim = 12}, .centre = 256};
    if (layout == Layout::interleaved)
      options.rotary.scaling = posenc::scaling::Yarn{.factor = 40, .original_length = 4096};
    const auto frequencies = reference::rotary_frequencies(options.rotary);
    std::vector<float> scales(positions.size() * 6);
    value_of(value_of(Xpos::make(options)).scales(Positions::list(positions), scales));
    for (std::size_t at = 0; at < scales.size(); ++at)
      worst_scale =
          std::max(worst_scale, reference::ulp_error(scales[at], scale_of(options, at % 6, positions[at / 6])));
    const auto x = fractions(positions.size() * 14, 91);
    for (const XposSide side : {XposSide::query, XposSide::key})
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const auto y = applied(options, x, Positions::list(positions), side, direction);
        for (std::size_t token = 0; token < positions.size(); ++token) {
          auto expected = reference::rotated_head(options.rotary, frequencies, std::span(x).subspan(token * 14, 14),
                                                  positions[token], direction);
          for (std::size_t dimension = 0; dimension < 12; ++dimension) {
            const bool neighbours =
                layout == Layout::interleaved || (layout == Layout::deinterleaved && direction == Direction::inverse);
            const Quad scale = scale_of(options, neighbours ? dimension / 2 : dimension % 6, positions[token]);
            const Quad by = side == XposSide::query ? scale : 1 / scale;
            expected[dimension].exact *= by;
            expected[dimension].tolerance *= static_cast<double>(by);
          }
          worst = std::max(worst, reference::worst_ratio(std::span(y).subspan(token * 14, 14), expected));
        }
      }
  }
  std::printf("largest error: xpos: %.4f of 3 * 2^-24 * m * s * (|a| + |b|); scales %.4f ulp\n", worst, worst_scale);
  CHECK(worst <= 1);
  CHECK(worst_scale <= 0.501);
}

TEST_CASE("xpos: scores depend on the distance alone, whatever the centre", "[rotary]") {
  const auto q = fractions(8, 92);
  const auto k = fractions(8, 93);
  const auto score = [&](double centre, double m, double n) {
    const XposOptions options{.rotary = {.dim = 8, .layout = Layout::half}, .centre = centre};
    const auto a = applied(options, q, Positions::range(1, m), XposSide::query);
    const auto b = applied(options, k, Positions::range(1, n), XposSide::key);
    double sum = 0;
    for (std::size_t i = 0; i < 8; ++i) sum += static_cast<double>(a[i]) * b[i];
    return sum;
  };
  const double here = score(0, 40, 10);
  CHECK(std::fabs(score(0, 540, 510) - here) <= 1e-6);
  CHECK(std::fabs(score(300, 40, 10) - here) <= 1e-6);
  CHECK(std::fabs(score(300, 41, 10) - here) > 1e-4);
}

TEST_CASE("xpos: at its centre it is rotary, and the other side undoes it", "[rotary]") {
  const XposOptions options{.rotary = {.dim = 8, .layout = Layout::interleaved}, .centre = 5};
  const auto x = fractions(8, 94);
  const auto at_centre = Positions::range(1, 5);
  const auto plain = testing::rotated(options.rotary, x, Shape{1, 8}, at_centre);
  CHECK(same_bits(applied(options, x, at_centre, XposSide::query), plain));
  CHECK(same_bits(applied(options, x, at_centre, XposSide::key), plain));
  const auto far = Positions::range(1, 905);
  const auto back = applied(options, applied(options, x, far, XposSide::query), far, XposSide::key, Direction::inverse);
  for (std::size_t i = 0; i < 8; ++i) CHECK(std::fabs(back[i] - x[i]) <= 5e-7f);
}

TEST_CASE("xpos: what is wrong is an Error and nothing is written", "[rotary]") {
  const posenc::RotaryOptions rotary{.dim = 8, .layout = Layout::half};
  require_error(Xpos::make({.rotary = rotary}), "centre", "none");
  require_error(Xpos::make({.rotary = rotary, .centre = std::nan("")}), "centre", "nan");
  for (const double base : {0.0, -512.0, std::nan(""), std::numeric_limits<double>::infinity()})
    require_error(Xpos::make({.rotary = rotary, .centre = 0, .scale_base = base}), "scaleBase", "");
  require_error(Xpos::make({.rotary = {.dim = 7, .layout = Layout::half}, .centre = 0}), "dim", "7");
  require_error(posenc::from_name<posenc::XposSide>("value"), "side", "value");

  const auto xpos = value_of(Xpos::make({.rotary = rotary, .centre = 100}));
  const auto before = fractions(16, 95);
  auto x = before;
  const auto shape = testing::sequence_first(Shape{2, 8});
  const auto refused = [&](const Positions& positions, std::string_view argument, std::string_view value) {
    require_error(xpos.apply(x, shape, positions, XposSide::key), argument, value);
  };
  refused(Positions::range(3), "positions", "3");
  refused(Positions::range(2, 33000), "positions", "33000");
  refused(Positions::range(2, -33000), "positions", "-33000");
  refused(Positions::range(2, std::nan("")), "offset", "nan");
  CHECK(same_bits(x, before));
  std::vector<float> out(8, testing::untouched);
  require_error(xpos.scales(Positions::range(1), out), "out", "8");
  require_error(xpos.scales(Positions::range(2, 1e6), out), "positions", "1e");
  CHECK(testing::is_untouched(out));
  value_of(xpos.apply(x, shape, Positions::range(2, 32000), XposSide::key));
  // The reach is one around the centre, which is farther from 0 than it is long.
  const auto far = value_of(Xpos::make({.rotary = rotary, .centre = 1e6}));
  value_of(far.apply(x, shape, Positions::range(2, 1e6), XposSide::key));
  require_error(far.apply(x, shape, Positions::range(2), XposSide::key), "positions", "0");
}

TEST_CASE("xpos: keys have the bits that are stored", "[hashes]") {
  // fractions(9 * 32, 13) of shape [9, 32], layout interleaved, from position -4, centre 10.
  auto x = testing::fractions(9 * 32, 13);
  const auto xpos = testing::value_of(
      posenc::Xpos::make({.rotary = {.dim = 32, .layout = posenc::Layout::interleaved}, .centre = 10}));
  testing::value_of(xpos.apply(x, testing::sequence_first(testing::Shape{9, 32}), posenc::Positions::range(9, -4),
                               posenc::XposSide::key));
  testing::check_hash("xpos", "f23980e82a69085f", {x});
}
