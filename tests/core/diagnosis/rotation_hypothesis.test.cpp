#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "diagnosis/mutants/mutants.hpp"
#include "posenc/diagnosis/hypotheses/mistaken_hypotheses.hpp"
#include "testing/testing.hpp"

using mutants::Mutant;
using posenc::Mistake;
using posenc::diagnosis::AngleArithmetic;
using posenc::diagnosis::mistaken_hypotheses;
using posenc::diagnosis::MistakenHypothesis;
using posenc::diagnosis::RotationHypothesis;
using testing::value_of;

namespace {

/// The hypothesis of a recipe, in the core's words.
RotationHypothesis hypothesis_of(const mutants::Recipe& recipe) {
  RotationHypothesis hypothesis;
  hypothesis.plan = recipe.plan;
  hypothesis.factor = 1;
  hypothesis.first_position = recipe.first_position, hypothesis.position_scale = recipe.position_scale;
  hypothesis.negative = recipe.negative, hypothesis.exchanged = recipe.exchanged,
  hypothesis.reciprocal = recipe.reciprocal;
  hypothesis.arithmetic = recipe.arithmetic;
  return hypothesis;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

}  // namespace

TEST_CASE("rotations: those of a hypothesis are the formulas'", "[diagnosis]") {
  for (const mutants::Model& model : mutants::models()) {
    const std::vector<double> positions = mutants::positions_of(model);
    for (const Mutant& mutant : mutants::mutants_of(model, false)) {
      mutants::Recipe recipe = mutant.recipe;
      recipe.other_factor = 1;
      const auto clean = mutants::rotations_of(recipe, positions);
      if (clean.cosines.empty()) continue;
      std::vector<double> cosines(clean.cosines.size()), sines(cosines.size());
      value_of(write_rotations(hypothesis_of(recipe), positions, cosines, sines));
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

TEST_CASE("rotations: nothing is written where a position fails", "[diagnosis]") {
  RotationHypothesis hypothesis;
  hypothesis.plan = {.dim = 8};
  hypothesis.arithmetic = AngleArithmetic::float16;
  const std::vector<double> positions{1, 70000};
  std::vector<double> cosines(8, 7), sines(8, 7);
  testing::require_error(write_rotations(hypothesis, positions, cosines, sines), "positions", "70000");
  CHECK(cosines == std::vector<double>(8, 7));
  testing::require_error(write_rotations(hypothesis, positions, {cosines.data(), 7}, sines), "cosines", "7");
}

TEST_CASE("mistaken hypotheses: the plan first, then single mistakes, and none that changes nothing", "[diagnosis]") {
  for (const mutants::Model& model : mutants::models()) {
    INFO(model.name);
    const std::vector<MistakenHypothesis> hypotheses = mistaken_hypotheses(mutants::context_of(model), false);
    REQUIRE(!hypotheses.empty());
    CHECK(hypotheses[0].mistakes.empty());
    for (const MistakenHypothesis& made : hypotheses) {
      if (made.mistakes.empty()) continue;
      CHECK(made.mistakes.size() == 1);
      if (hypotheses[0].hypothesis.factor == 1)
        CHECK((made.mistakes[0] < Mistake::factor_missing || made.mistakes[0] > Mistake::factor_other ||
               made.hypothesis.factor != 1));
    }
    // No two of them make the same rotations.
    const std::vector<double> positions{0, 3, 1009};
    const std::size_t size = 3 * static_cast<std::size_t>(hypotheses[0].hypothesis.plan.dim / 2);
    std::vector<std::vector<double>> all;
    for (const MistakenHypothesis& made : hypotheses) {
      if (made.hypothesis.arithmetic != AngleArithmetic::exact) continue;
      std::vector<double> rotations(2 * size);
      const std::span<double> both(rotations);
      value_of(write_rotations(made.hypothesis, positions, both.first(size), both.last(size)));
      for (const auto& other : all) CHECK(largest_difference(rotations, other) > 1e-12);
      all.push_back(std::move(rotations));
    }
  }
}

TEST_CASE("mistaken hypotheses: pairs are of two kinds", "[diagnosis]") {
  const auto hypotheses = mistaken_hypotheses(mutants::context_of(mutants::models()[8]), true);
  std::size_t pairs = 0;
  for (const MistakenHypothesis& made : hypotheses) {
    if (made.mistakes.size() != 2) continue;
    ++pairs;
    CHECK(made.mistakes[0] != made.mistakes[1]);
  }
  CHECK(pairs > 300);
  CHECK(mistaken_hypotheses({}, true).empty());
}
