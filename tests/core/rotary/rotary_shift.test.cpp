#include "posenc/rotary/rotary_shift.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "frequencies/scaling_reference.hpp"
#include "posenc/rotary/rotary.hpp"
#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::Direction;
using posenc::Layout;
using posenc::Positions;
using posenc::Rotary;
using posenc::RotaryOptions;
using posenc::SequenceShape;
using reference::layouts;
using reference::Quad;
using reference::unit;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::Shape;
using testing::value_of;
namespace scaling = posenc::scaling;

namespace {

SequenceShape shape_of(const Shape& shape) { return testing::sequence_first(shape); }

/// Where a rotated head has the dimensions of pair i.
std::pair<std::size_t, std::size_t> written(Layout layout, std::size_t i, std::size_t pairs) {
  if (layout == Layout::interleaved) return {2 * i, 2 * i + 1};
  return {i, i + pairs};
}

/// The worst error of y as x rotated by angle(token, pair) and multiplied by `factor`, in units of 2^-24 * factor *
/// (|a| + |b|); dimensions that do not rotate must not have changed.
template <class Angle>
double worst_turn(Layout layout, std::size_t dim, std::size_t pairs, std::span<const float> x, std::span<const float> y,
                  Quad factor, const Angle& angle) {
  double worst = 0;
  for (std::size_t token = 0; token < x.size() / dim; ++token) {
    const auto before = x.subspan(token * dim, dim);
    const auto after = y.subspan(token * dim, dim);
    CHECK(same_bits(before.subspan(2 * pairs), after.subspan(2 * pairs)));
    for (std::size_t i = 0; i < pairs; ++i) {
      const auto [first, second] = written(layout, i, pairs);
      const reference::Phase rotation = reference::phase(angle(token, i));
      const Quad a = before[first] * factor;
      const Quad b = before[second] * factor;
      const Quad scale = unit * (reference::magnitude(a) + reference::magnitude(b));
      for (const Quad error : {after[first] - (a * rotation.cosine - b * rotation.sine),
                               after[second] - (a * rotation.sine + b * rotation.cosine)})
        worst = std::max(worst, static_cast<double>(reference::magnitude(error) / scale));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("rotary shift: rotated keys move on by any number of positions", "[rotary][accuracy]") {
  const std::vector<double> by{0, 1, -1, 4096, -0.25, 1048576, -2147483648.0};
  double worst = 0;
  for (const Layout layout : layouts) {
    // An attention factor is in the keys already and must not count twice.
    const RotaryOptions options{
        .dim = 20, .layout = layout, .rotary_dim = 16, .scaling = scaling::Yarn{.factor = 8, .original_length = 512}};
    const auto rotary = value_of(Rotary::make(options));
    const auto frequencies = reference::scaled(posenc::plan_of(options)).frequencies;
    const auto x = fractions(by.size() * 20, 61);
    auto y = x;
    value_of(posenc::shift_rotated(rotary, y, shape_of({7, 20}), Positions::list(by)));
    worst = std::max(worst, worst_turn(layout, 20, 8, x, y, 1,
                                       [&](std::size_t token, std::size_t i) { return frequencies[i] * by[token]; }));
  }
  std::printf("largest error: rotary shift: %.4f of 3 * 2^-24 * (|a| + |b|)\n", worst / 3);
  CHECK(worst <= 3);
}

TEST_CASE("rotary shift: apply at p and shift by d is apply at p + d", "[rotary]") {
  for (const Layout layout : layouts) {
    const RotaryOptions options{.dim = 16, .layout = layout};
    const auto rotary = value_of(Rotary::make(options));
    const auto x = fractions(6 * 16, 62);
    auto shifted = testing::rotated(options, x, Shape{6, 16}, Positions::range(6, 100));
    value_of(posenc::shift_rotated(rotary, shifted, shape_of({6, 16}), Positions::repeat(6, -60)));
    const auto direct = testing::rotated(options, x, Shape{6, 16}, Positions::range(6, 40));
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::fabs(shifted[i] - direct[i]) <= 6e-7f);
  }
}

TEST_CASE("rotary shift: rotation again by other frequencies is a rotation by the difference", "[rotary][accuracy]") {
  const std::vector<double> positions{0, 1, 77.5, 4095, 131071, -1048576};
  double worst = 0;
  for (const Layout layout : layouts) {
    const scaling::Dynamic rule{.factor = 4, .original_length = 2048};
    const RotaryOptions from{.dim = 18, .layout = layout, .rotary_dim = 16, .scaling = rule, .length = 2048};
    const RotaryOptions to{.dim = 18, .layout = layout, .rotary_dim = 16, .scaling = rule, .length = 9000};
    const RotaryOptions yarn{
        .dim = 18, .layout = layout, .rotary_dim = 16, .scaling = scaling::Yarn{.factor = 8, .original_length = 512}};
    for (const auto& [old, now] : {std::pair{from, to}, std::pair{to, yarn}, std::pair{yarn, from}}) {
      const auto before = reference::scaled(posenc::plan_of(old));
      const auto after = reference::scaled(posenc::plan_of(now));
      const auto x = fractions(positions.size() * 18, 63);
      auto y = x;
      value_of(posenc::rotate_again(value_of(Rotary::make(old)), value_of(Rotary::make(now)), y, shape_of({6, 18}),
                                    Positions::list(positions)));
      worst = std::max(worst, worst_turn(layout, 18, 8, x, y, after.attention_factor / before.attention_factor,
                                         [&](std::size_t token, std::size_t i) {
                                           return (after.frequencies[i] - before.frequencies[i]) * positions[token];
                                         }));
    }
  }
  std::printf("largest error: rotary again: %.4f of 3 * 2^-24 * m * (|a| + |b|)\n", worst / 3);
  CHECK(worst <= 3);
}

TEST_CASE("rotary shift: what does not fit is an Error and nothing is written", "[rotary]") {
  const auto make = [](const RotaryOptions& options) { return value_of(Rotary::make(options)); };
  const auto rotary = make({.dim = 8, .layout = Layout::half});
  const auto before = fractions(24, 64);
  auto x = before;
  const auto shape = shape_of({3, 8});
  require_error(posenc::shift_rotated(rotary, x, shape, Positions::range(2)), "positions", "2");
  require_error(posenc::shift_rotated(rotary, x, shape, Positions::repeat(3, std::nan(""))), "offset", "nan");
  require_error(posenc::shift_rotated(rotary, std::span(x).first(16), shape, Positions::range(3)), "x", "16");
  const auto again = [&](const Rotary& from, const Rotary& to) {
    return posenc::rotate_again(from, to, x, shape, Positions::range(3));
  };
  require_error(again(make({.dim = 10, .layout = Layout::half}), rotary), "from", "10");
  require_error(again(make({.dim = 8, .layout = Layout::half, .rotary_dim = 4}), rotary), "from", "4");
  require_error(again(make({.dim = 8, .layout = Layout::interleaved}), rotary), "from", "interleaved");
  require_error(again(make({.dim = 8, .layout = Layout::half, .scaling = scaling::Given{{1, 1, 1, 1}, 0}}), rotary),
                "from", "0");
  require_error(posenc::rotate_again(rotary, rotary, x, shape, Positions::range(4)), "positions", "4");
  CHECK(same_bits(x, before));
  value_of(again(make({.dim = 8, .layout = Layout::deinterleaved}), rotary));  // rotated dimensions of both are halves
}

TEST_CASE("rotary matrix: R x is what apply makes of x", "[rotary]") {
  for (const Layout layout : layouts)
    for (const Direction direction : {Direction::forward, Direction::inverse})
      for (const double position : {0.0, 3.0, -12345.5}) {
        const RotaryOptions options{
            .dim = 10, .layout = layout, .rotary_dim = 6, .scaling = scaling::Yarn{.factor = 2, .original_length = 32}};
        const auto rotary = value_of(Rotary::make(options));
        std::vector<float> matrix(100, testing::untouched);
        value_of(posenc::rotary_matrix(rotary, position, direction, matrix));
        // Each column is a rotated unit vector; zeros may have either sign there, never here.
        for (std::size_t column = 0; column < 10; ++column) {
          std::vector<float> dimension(10);
          dimension[column] = 1;
          const auto y = testing::rotated(options, dimension, Shape{1, 10}, Positions::range(1, position), direction);
          for (std::size_t row = 0; row < 10; ++row) {
            CHECK(matrix[row * 10 + column] == y[row]);
            CHECK_FALSE((matrix[row * 10 + column] == 0 && std::signbit(matrix[row * 10 + column])));
          }
        }
      }
}

TEST_CASE("rotary matrix: for neighbours it is block-diagonal", "[rotary]") {
  const auto rotary = value_of(Rotary::make({.dim = 6, .layout = Layout::interleaved}));
  std::vector<float> matrix(36);
  value_of(posenc::rotary_matrix(rotary, 2, Direction::forward, matrix));
  for (std::size_t row = 0; row < 6; ++row)
    for (std::size_t column = 0; column < 6; ++column)
      if (row / 2 != column / 2) CHECK(same_bits(matrix[row * 6 + column], 0.0f));
  const reference::Phase rotation = reference::phase(2);
  CHECK(reference::ulp_error(matrix[0], rotation.cosine) <= 0.501);
  CHECK(reference::ulp_error(matrix[1], -rotation.sine) <= 0.501);
  CHECK(reference::ulp_error(matrix[6], rotation.sine) <= 0.501);
}

TEST_CASE("rotary matrix: what is wrong is an Error and nothing is written", "[rotary]") {
  const auto rotary = value_of(Rotary::make({.dim = 4, .layout = Layout::half}));
  std::vector<float> out(16, testing::untouched);
  const auto refused = [&](double position, std::size_t size, std::string_view argument, std::string_view value) {
    require_error(posenc::rotary_matrix(rotary, position, Direction::forward, std::span(out).first(size)), argument,
                  value);
  };
  refused(0, 15, "out", "15");
  refused(std::nan(""), 16, "position", "nan");
  refused(posenc::max_angle * 2, 16, "position", "18014398509481984");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("rotary shift: keys rotated again have the bits that are stored", "[hashes]") {
  // fractions(9 * 32, 12) of shape [9, 32], layout half, with NTK of factor 2 rotated again with YaRN of factor 8 and
  // original length 64, from position 1000.
  auto x = testing::fractions(9 * 32, 12);
  const auto with = [](const posenc::Scaling& rule) {
    return testing::value_of(posenc::Rotary::make({.dim = 32, .layout = posenc::Layout::half, .scaling = rule}));
  };
  testing::value_of(posenc::rotate_again(
      with(posenc::scaling::Ntk{2}), with(posenc::scaling::Yarn{.factor = 8, .original_length = 64}), x,
      testing::sequence_first(testing::Shape{9, 32}), posenc::Positions::range(9, 1000)));
  testing::check_hash("rotated again", "0ed3cc2bd06b51f0", {x});
}
