#include "posenc/diagnosis/laws/telling_positions.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "diagnosis/mutants/mutants.hpp"
#include "posenc/diagnosis/laws/evidence.hpp"
#include "posenc/diagnosis/laws/explain_turns.hpp"
#include "testing/testing.hpp"

using posenc::diagnosis::telling_positions;
using posenc::diagnosis::TurnLaw;
using testing::value_of;

namespace {

TurnLaw law_with_base(double base) {
  TurnLaw law;
  law.plan = {.dim = 64, .layout = posenc::Layout::half, .base = base};
  return law;
}

}  // namespace

TEST_CASE("telling positions: what is sampled there tells the laws apart", "[diagnosis]") {
  const TurnLaw a = law_with_base(10000), b = law_with_base(10500);
  const std::vector<double> positions = value_of(telling_positions(a, b, 4096));
  REQUIRE(positions.size() == 8);
  CHECK(std::is_sorted(positions.begin(), positions.end()));
  CHECK(positions.back() < 4096);
  posenc::diagnosis::TurnContext context;
  context.expected = b.plan;
  const auto turns = mutants::observed(mutants::turns_of({.plan = a.plan}, positions), 8, mutants::Noise::bfloat16, 3);
  const auto explanations = value_of(explain_turns(turns, positions, context));
  CHECK(explanations[0].law.plan.base == 10000);
  CHECK(explanations[1].surprise + explanations[1].cost - explanations[0].surprise - explanations[0].cost >
        posenc::diagnosis::certain_bits);
}

TEST_CASE("telling positions: none for laws that are the same, and no more than were asked for", "[diagnosis]") {
  CHECK(value_of(telling_positions(law_with_base(10000), law_with_base(10000), 4096)).empty());
  CHECK(value_of(telling_positions(law_with_base(10000), law_with_base(500), 4096, 3)).size() == 3);
  CHECK(value_of(telling_positions(law_with_base(10000), law_with_base(500), 2)) == std::vector<double>{1});
  TurnLaw other = law_with_base(10000);
  other.plan.dim = 32;
  testing::require_error(telling_positions(law_with_base(10000), other, 4096), "b", "32");
}
