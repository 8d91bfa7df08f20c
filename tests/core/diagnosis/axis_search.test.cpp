#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "posenc/diagnosis/axes/axis_rotations.hpp"
#include "testing/testing.hpp"

using posenc::Mistake;

TEST_CASE("axis_rotations: where any axis may be any pair's, several assignments are searched", "[diagnosis][axes]") {
  // No position comes twice: that two rotations are alike is no evidence.
  constexpr std::size_t tokens = 24, pairs = 64;
  std::vector<double> points;
  for (const std::size_t step : {1uz, 5uz, 11uz})
    for (std::size_t token = 0; token < tokens; ++token) points.push_back(1 + static_cast<double>(token * step % 29));
  posenc::diagnosis::AxisContext context;
  context.rotations.expected = posenc::RotaryOptions{.dim = 2 * pairs, .layout = posenc::Layout::half};
  context.mrope_section = {16, 24, 24};
  context.mrope_order = posenc::MropeOrder::chunked;

  std::vector<std::int64_t> exchanged, interleaved;
  for (std::int64_t pair = 0; pair < 64; ++pair) {
    exchanged.push_back(pair < 16 ? 0 : pair < 40 ? 2 : 1);
    interleaved.push_back(pair % 3);  // height and width have every third pair, as far as 72
  }
  for (const auto& [axes, mistake] :
       {std::pair{exchanged, Mistake::axes_order}, std::pair{interleaved, Mistake::section_order}}) {
    posenc::diagnosis::PairRotations rotations{
        .tokens = tokens, .pairs = pairs, .cosines = {}, .sines = {}, .units = std::vector(tokens * pairs, 0x1p-24)};
    for (std::size_t token = 0; token < tokens; ++token)
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        const double frequency = std::pow(123456.0, -static_cast<double>(pair) / pairs);  // a base of no list
        const double angle = points[static_cast<std::size_t>(axes[pair]) * tokens + token] * frequency;
        rotations.cosines.push_back(static_cast<float>(std::cos(angle)));
        rotations.sines.push_back(static_cast<float>(std::sin(angle)));
      }
    const auto found = testing::value_of(explain_axis_rotations(rotations, points, 3, context));
    REQUIRE(!found.empty());
    CHECK(found[0].axis_of_pair == axes);
    CHECK(found[0].rotation.hypothesis.plan.base == 123456);
    CHECK(found[0].rotation.mistakes == std::vector{mistake, Mistake::base});
  }
}
