#include "posenc/diagnosis/hypotheses/discriminating_positions.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "diagnosis/mutants/mutants.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"
#include "testing/testing.hpp"

using posenc::diagnosis::discriminating_positions;
using posenc::diagnosis::RotationHypothesis;
using testing::value_of;

namespace {

RotationHypothesis hypothesis_with_base(double base) {
  RotationHypothesis hypothesis;
  hypothesis.plan = {.dim = 64, .layout = posenc::Layout::half, .base = base};
  return hypothesis;
}

}  // namespace

TEST_CASE("discriminating positions: samples there distinguish the hypotheses", "[diagnosis]") {
  const RotationHypothesis a = hypothesis_with_base(10000), b = hypothesis_with_base(10500);
  const std::vector<double> positions = value_of(discriminating_positions(a, b, 4096));
  REQUIRE(positions.size() == 8);
  CHECK(std::is_sorted(positions.begin(), positions.end()));
  CHECK(positions.back() < 4096);
  posenc::diagnosis::RotationContext context;
  context.expected = b.plan;
  const auto rotations =
      mutants::observed(mutants::rotations_of({.plan = a.plan}, positions), 8, mutants::Noise::bfloat16, 3);
  const auto explanations = value_of(explain_rotations(rotations, positions, context));
  CHECK(explanations[0].hypothesis.plan.base == 10000);
  CHECK(explanations[1].data_bits + explanations[1].cost - explanations[0].data_bits - explanations[0].cost >
        posenc::diagnosis::certain_bits);
}

TEST_CASE("discriminating positions: none for hypotheses that are the same, and no more than were asked for",
          "[diagnosis]") {
  CHECK(value_of(discriminating_positions(hypothesis_with_base(10000), hypothesis_with_base(10000), 4096)).empty());
  CHECK(value_of(discriminating_positions(hypothesis_with_base(10000), hypothesis_with_base(500), 4096, 3)).size() ==
        3);
  CHECK(value_of(discriminating_positions(hypothesis_with_base(10000), hypothesis_with_base(500), 2)) ==
        std::vector<double>{1});
  RotationHypothesis other = hypothesis_with_base(10000);
  other.plan.dim = 32;
  testing::require_error(discriminating_positions(hypothesis_with_base(10000), other, 4096), "b", "32");
}
