#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "diagnosis/mutants/mutants.hpp"
#include "testing/testing.hpp"

using mutants::Mutant;
using posenc::diagnosis::AngleArithmetic;
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
