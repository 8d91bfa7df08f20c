#include "posenc/rotary/rotary_step.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <vector>

#include "posenc/rotary/float32_rotary.hpp"
#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::Direction;
using posenc::Expected;
using posenc::Layout;
using posenc::Positions;
using posenc::Rotary;
using posenc::RotaryOptions;
using posenc::RotaryStep;
using posenc::SequenceShape;
using reference::layouts;
using testing::fractions;
using testing::Generator;
using testing::require_error;
using testing::same_bits;
using testing::Shape;
using testing::value_of;

namespace {

/// Many calls on one step, at positions that continue, jump, return and change direction: each gives the same as a
/// rotation on its own.
void check_calls(const Rotary& rotary, std::uint32_t seed) {
  auto step = value_of(RotaryStep::make(rotary));
  Generator generator(seed);
  double position = 0;
  for (int call = 0; call < 120; ++call) {
    const std::int64_t tokens = generator.below(3) == 0 ? static_cast<std::int64_t>(generator.below(50)) : 1;
    const auto heads = static_cast<std::int64_t>(1 + generator.below(9));
    const Shape extents{tokens, heads, static_cast<std::int64_t>(rotary.dim())};
    const auto shape = testing::sequence_first(extents);
    const Direction direction = generator.below(8) == 0 ? Direction::inverse : Direction::forward;
    const auto x = fractions(shape.size(), static_cast<std::uint32_t>(call));
    const Positions positions = Positions::range(shape.sequence(), position);
    auto kept = x;
    auto alone = x;
    value_of(step.apply(kept, shape, positions, direction));
    for (std::int64_t token = 0; token < tokens; ++token) {
      const auto one = static_cast<std::size_t>(heads) * rotary.dim();
      const Shape single{1, heads, static_cast<std::int64_t>(rotary.dim())};
      value_of(rotary.apply(std::span(alone).subspan(static_cast<std::size_t>(token) * one, one),
                            testing::sequence_first(single), Positions::range(1, position + static_cast<double>(token)),
                            direction));
    }
    INFO("call " << call << ", " << tokens << " tokens from " << position);
    REQUIRE(same_bits(kept, alone));
    auto again = x;
    REQUIRE(step.repeat(again, shape, position, direction));
    REQUIRE(same_bits(again, alone));
    switch (generator.below(4)) {
      case 0:
        position = static_cast<double>(generator.next()) - 8000000;
        break;
      case 1:
        position += 0.5;
        break;
      default:
        position += static_cast<double>(tokens);
    }
  }
}

}  // namespace

TEST_CASE("rotary step: every call gives what a rotation of its own gives", "[rotary][step]") {
  for (const Layout layout : layouts)
    for (const std::int64_t dim : {2, 6, 16, 34, 128})
      check_calls(value_of(Rotary::make({.dim = dim, .layout = layout})), static_cast<std::uint32_t>(dim));
}

TEST_CASE("rotary step: partial rotation, an attention factor, float32 angles", "[rotary][step]") {
  const RotaryOptions partial{.dim = 80, .layout = Layout::half, .rotary_dim = 20};
  check_calls(value_of(Rotary::make(partial)), 1);
  const RotaryOptions yarn{
      .dim = 64,
      .layout = Layout::interleaved,
      .scaling = posenc::scaling::Yarn{.factor = 4, .original_length = 2048},
  };
  check_calls(value_of(Rotary::make(yarn)), 2);
  check_calls(value_of(posenc::make_float32_rotary({.dim = 64, .layout = Layout::half})), 3);
}

TEST_CASE("rotary: rows of consecutive positions are as accurate as single ones", "[rotary][step]") {
  for (const posenc::Scaling& rule :
       {posenc::Scaling(), posenc::Scaling(posenc::scaling::Yarn{.factor = 40, .original_length = 4096})}) {
    const RotaryOptions options{.dim = 64, .layout = Layout::half, .scaling = rule};
    const auto frequencies = reference::rotary_frequencies(options);
    for (const double first : {0.0, -40.0, 1048500.0})
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const auto x = fractions(std::size_t{100} * 64, 5);
        const auto y = testing::rotated(options, x, Shape{100, 64}, Positions::range(100, first), direction);
        double worst = 0;
        for (std::size_t token = 0; token < 100; ++token)
          worst = std::max(worst, reference::worst_ratio(std::span(y).subspan(token * 64, 64),
                                                         reference::rotated_head(
                                                             options, frequencies, std::span(x).subspan(token * 64, 64),
                                                             first + static_cast<double>(token), direction)));
        CHECK(worst <= 1);
      }
  }
}

TEST_CASE("rotary step: errors are those of the rotation, and it works on", "[rotary][step]") {
  const Rotary rotary = value_of(Rotary::make({.dim = 8, .layout = Layout::half}));
  auto step = value_of(RotaryStep::make(rotary));
  const auto shape = testing::sequence_first(Shape{2, 3, 8});
  auto x = fractions(48, 1);
  const auto before = x;
  const double infinite = std::numeric_limits<double>::infinity();
  require_error(step.apply(x, shape, Positions::range(3)), "positions", "3");
  require_error(step.apply(x, shape, Positions::range(2, infinite)), "offset", "inf");
  require_error(step.apply(std::span(x).first(40), shape, Positions::range(2)), "x", "40");
  require_error(step.apply(x, testing::sequence_first(Shape{6, 2, 4}), Positions::range(6)), "shape", "4");
  const auto one = testing::sequence_first(Shape{1, 6, 8});
  for (const double position : {infinite, -infinite, std::numeric_limits<double>::quiet_NaN(), 1e300}) {
    CHECK_FALSE(step.repeat(x, shape, position));
    CHECK_FALSE(step.repeat(x, one, position));
  }
  CHECK(same_bits(x, before));
  value_of(step.apply(x, shape, Positions::range(2)));
  CHECK(
      same_bits(x, testing::rotated({.dim = 8, .layout = Layout::half}, before, Shape{2, 3, 8}, Positions::range(2))));
}
