#include "posenc/diagnosis/laws/turns.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "diagnosis/mutants/mutants.hpp"
#include "posenc/diagnosis/laws/mistaken_laws.hpp"
#include "testing/testing.hpp"

using mutants::Mutant;
using posenc::Mistake;
using posenc::diagnosis::AngleArithmetic;
using posenc::diagnosis::mistaken_laws;
using posenc::diagnosis::MistakenLaw;
using posenc::diagnosis::TurnLaw;
using testing::value_of;

namespace {

/// The law of a recipe, in the core's words.
TurnLaw law_of(const mutants::Recipe& recipe) {
  TurnLaw law;
  law.plan = recipe.plan;
  law.factor = 1;
  law.first_position = recipe.first_position, law.position_scale = recipe.position_scale;
  law.negative = recipe.negative, law.exchanged = recipe.exchanged, law.reciprocal = recipe.reciprocal;
  law.arithmetic = recipe.arithmetic;
  return law;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

}  // namespace

TEST_CASE("turns: those of a law are the formulas'", "[diagnosis]") {
  for (const mutants::Model& model : mutants::models()) {
    const std::vector<double> positions = mutants::positions_of(model);
    for (const Mutant& mutant : mutants::mutants_of(model, false)) {
      mutants::Recipe recipe = mutant.recipe;
      recipe.other_factor = 1;
      const auto clean = mutants::turns_of(recipe, positions);
      if (clean.cosines.empty()) continue;
      std::vector<double> cosines(clean.cosines.size()), sines(cosines.size());
      value_of(write_turns(law_of(recipe), positions, cosines, sines));
      // The arithmetic's last bits are not the same everywhere: 12007 steps of 2^-22.
      const bool is_exact = recipe.arithmetic == AngleArithmetic::exact;
      const bool has16 =
          recipe.arithmetic == AngleArithmetic::float16 || recipe.arithmetic == AngleArithmetic::bfloat16;
      INFO(model.name << ", " << name_of(recipe.arithmetic));
      if (has16) continue;  // a tie is another number
      CHECK(largest_difference(cosines, clean.cosines) < (is_exact ? 1e-9 : 2e-2));
      CHECK(largest_difference(sines, clean.sines) < (is_exact ? 1e-9 : 2e-2));
    }
  }
}

TEST_CASE("turns: nothing is written where a position fails", "[diagnosis]") {
  TurnLaw law;
  law.plan = {.dim = 8};
  law.arithmetic = AngleArithmetic::float16;
  const std::vector<double> positions{1, 70000};
  std::vector<double> cosines(8, 7), sines(8, 7);
  testing::require_error(write_turns(law, positions, cosines, sines), "positions", "70000");
  CHECK(cosines == std::vector<double>(8, 7));
  testing::require_error(write_turns(law, positions, {cosines.data(), 7}, sines), "cosines", "7");
}

TEST_CASE("mistaken laws: the plan first, then single mistakes, and none that changes nothing", "[diagnosis]") {
  for (const mutants::Model& model : mutants::models()) {
    INFO(model.name);
    const std::vector<MistakenLaw> laws = mistaken_laws(mutants::context_of(model), false);
    REQUIRE(!laws.empty());
    CHECK(laws[0].mistakes.empty());
    for (const MistakenLaw& made : laws) {
      if (made.mistakes.empty()) continue;
      CHECK(made.mistakes.size() == 1);
      if (laws[0].law.factor == 1)
        CHECK((made.mistakes[0] < Mistake::factor_missing || made.mistakes[0] > Mistake::factor_other ||
               made.law.factor != 1));
    }
    // No two of them make the same turns.
    const std::vector<double> positions{0, 3, 1009};
    const std::size_t size = 3 * static_cast<std::size_t>(laws[0].law.plan.dim / 2);
    std::vector<std::vector<double>> all;
    for (const MistakenLaw& made : laws) {
      if (made.law.arithmetic != AngleArithmetic::exact) continue;
      std::vector<double> turns(2 * size);
      const std::span<double> both(turns);
      value_of(write_turns(made.law, positions, both.first(size), both.last(size)));
      for (const auto& other : all) CHECK(largest_difference(turns, other) > 1e-12);
      all.push_back(std::move(turns));
    }
  }
}

TEST_CASE("mistaken laws: pairs are of two kinds", "[diagnosis]") {
  const auto laws = mistaken_laws(mutants::context_of(mutants::models()[8]), true);
  std::size_t pairs = 0;
  for (const MistakenLaw& made : laws) {
    if (made.mistakes.size() != 2) continue;
    ++pairs;
    CHECK(made.mistakes[0] != made.mistakes[1]);
  }
  CHECK(pairs > 300);
  CHECK(mistaken_laws({}, true).empty());
}
