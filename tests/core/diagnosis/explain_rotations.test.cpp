#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <optional>
#include <string>

#include "diagnosis/mutants/mutants.hpp"
#include "frequencies/scaling_reference.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "testing/testing.hpp"

using mutants::Noise;
using mutants::Recipe;
using posenc::Mistake;
using posenc::RotaryOptions;
using posenc::diagnosis::AngleArithmetic;
using posenc::diagnosis::explain_rotations;
using posenc::diagnosis::explained_units;
using posenc::diagnosis::PairRotations;
using posenc::diagnosis::RotationContext;
using posenc::diagnosis::RotationExplanation;
using testing::value_of;
namespace scaling = posenc::scaling;

namespace {

const std::vector<double> rotated_positions{0, 1, 2, 7, 45, 301, 2003, 12007};

RotaryOptions llama() { return {.dim = 128, .layout = posenc::Layout::half, .base = 500000}; }

RotationContext expecting(const RotaryOptions& plan) {
  RotationContext context;
  context.expected = plan;
  return context;
}

PairRotations rotations_at(const Recipe& recipe, const std::vector<double>& positions, Noise noise = Noise::float32) {
  return mutants::observed(mutants::rotations_of(recipe, positions), positions.size(), noise, 17);
}

double total(const RotationExplanation& explanation) { return explanation.data_bits + explanation.cost; }

/// The first explanation, which must explain the rotations and be far better than the next.
RotationExplanation found_hypothesis(const Recipe& recipe, const RotationContext& context,
                                     const std::vector<double>& positions = rotated_positions) {
  const auto explanations = value_of(explain_rotations(rotations_at(recipe, positions), positions, context));
  REQUIRE(!explanations.empty());
  CHECK(explanations[0].units <= explained_units);
  return explanations[0];
}

std::vector<Mistake> mistakes_of(const RotationExplanation& explanation) {
  std::vector<Mistake> sorted = explanation.mistakes;
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

TEST_CASE("explain rotations: numbers that are not listed are estimated, beside a known mistake too", "[diagnosis]") {
  const RotationContext context = expecting(llama());
  for (const bool negative : {false, true}) {
    const std::size_t sign = negative ? 1 : 0;
    Recipe recipe{.plan = llama(), .negative = negative};
    recipe.first_position = 5;
    RotationExplanation first = found_hypothesis(recipe, context);
    CHECK(first.hypothesis.first_position == 5);
    CHECK(first.mistakes.size() == 1 + sign);
    CHECK(first.is_estimated);

    recipe = {.plan = llama(), .position_scale = 1.0 / 3, .negative = negative};
    first = found_hypothesis(recipe, context);
    // Dividing positions is linear scaling.
    const auto* linear = std::get_if<scaling::Linear>(&first.hypothesis.plan.scaling);
    CHECK(std::fabs(first.hypothesis.position_scale / (linear != nullptr ? linear->factor : 1) - 1.0 / 3) < 1e-8);
    CHECK(mistakes_of(first).back() == Mistake::position_scale);
    CHECK(first.mistakes.size() == 1 + sign);

    recipe = {.plan = llama(), .other_factor = 1.2345, .negative = negative};
    first = found_hypothesis(recipe, context);
    CHECK(std::fabs(first.hypothesis.factor - 1.2345) < 1e-6);
    CHECK(mistakes_of(first).front() == Mistake::factor_other);
    CHECK(first.mistakes.size() == 1 + sign);

    recipe = {.plan = llama(), .negative = negative};
    recipe.plan.base = 123456;
    first = found_hypothesis(recipe, context);
    CHECK(first.hypothesis.plan.base == 123456);
    CHECK(mistakes_of(first).front() == Mistake::base);
    CHECK(first.mistakes.size() == 1 + sign);
  }
}

TEST_CASE("explain rotations: a factor beside numbers that are not listed is named", "[diagnosis]") {
  RotaryOptions yarn = llama();
  yarn.scaling = scaling::Yarn{.factor = 4, .original_length = 8192};
  const double own = 0.1 * std::log(4.0) + 1;
  for (const auto& [power, mistake] : {std::pair{0, Mistake::factor_missing}, std::pair{2, Mistake::factor_twice}}) {
    Recipe recipe{.plan = yarn, .factor_power = power, .first_position = 5, .negative = true};
    const RotationExplanation first = found_hypothesis(recipe, expecting(yarn));
    CHECK(mistakes_of(first) == std::vector{mistake, Mistake::sign, Mistake::first_position});
    CHECK(std::fabs(first.hypothesis.factor - std::pow(own, power)) < 1e-12);
  }
}

TEST_CASE("explain rotations: a factor that is as expected is no mistake beside another rule", "[diagnosis]") {
  for (const std::optional<double> given : {std::optional<double>(1.0), std::optional<double>()}) {
    RotaryOptions yarn = llama();
    yarn.scaling = scaling::Yarn{.factor = 4, .original_length = 32768, .attention_factor = given};
    Recipe recipe{.plan = yarn, .other_factor = given.value_or(0.1 * std::log(4.0) + 1)};
    recipe.plan.scaling = scaling::Yarn{.factor = given ? 4.0 : 8.0, .original_length = given ? 131072.0 : 32768.0};
    CHECK(found_hypothesis(recipe, expecting(yarn)).mistakes == std::vector{Mistake::scaling_other});
  }
}

TEST_CASE("explain rotations: a few neighbours far from 0 determine a base that is not usual", "[diagnosis]") {
  for (const double position : {4000.0, 8000.0, 100000.0}) {
    INFO(position);
    Recipe recipe{.plan = llama()};
    recipe.plan.base = 777777;
    const RotationExplanation first =
        found_hypothesis(recipe, expecting(llama()), {position, position + 1, position + 2});
    CHECK(first.mistakes == std::vector{Mistake::base});
    CHECK(first.hypothesis.plan.base == 777777);
  }
}

TEST_CASE("explain rotations: numbers near those that were expected are told from them where they explain more",
          "[diagnosis]") {
  // Roundings of bfloat16 may cause up to eight units, and another base of so little leaves as many.
  std::vector<double> positions;
  for (int k = 0; k < 64; ++k) positions.push_back(k);
  Recipe recipe{.plan = llama()};
  recipe.plan.base = 506000;
  const RotationContext context = expecting(llama());
  const auto near = value_of(explain_rotations(rotations_at(recipe, positions, Noise::bfloat16), positions, context));
  CHECK(near[0].mistakes == std::vector{Mistake::base});
  recipe = {.plan = llama(), .position_scale = 0.1234567};
  positions.resize(16);
  const auto divided =
      value_of(explain_rotations(rotations_at(recipe, positions, Noise::bfloat16), positions, context));
  CHECK(divided[0].mistakes == std::vector{Mistake::position_scale});
  CHECK(std::fabs(divided[0].hypothesis.position_scale - 0.1234567) < 1e-3);
}

TEST_CASE("explain rotations: the plan of each of forty models is found with nothing expected", "[diagnosis]") {
  for (const mutants::Model& model : mutants::models()) {
    INFO(model.name);
    const std::vector<double> positions = mutants::positions_of(model);
    const auto clean = mutants::rotations_of({.plan = model.plan}, positions);
    const auto rotations = mutants::observed(clean, positions.size(), Noise::float32, 7);
    RotationContext context;
    context.head_dim = model.head_dim;
    const auto explanations = value_of(explain_rotations(rotations, positions, context));
    REQUIRE(!explanations.empty());
    const RotationExplanation& first = explanations[0];
    CHECK(first.units <= explained_units);
    const auto exact = reference::scaled(posenc::plan_of(model.plan));
    CHECK(std::fabs(first.hypothesis.factor - static_cast<double>(exact.attention_factor)) < 1e-6);
    CHECK(!first.hypothesis.negative);
    CHECK(!first.hypothesis.exchanged);
    CHECK(first.hypothesis.first_position == 0);
    const auto found = reference::scaled(posenc::plan_of(first.hypothesis.plan));
    double most = 0;
    for (std::size_t i = 0; i < exact.frequencies.size(); ++i)
      most = std::max(most, std::fabs(static_cast<double>(found.frequencies[i] - exact.frequencies[i])));
    // Eight positions in float32 determine no more.
    CHECK(most * positions.back() < 1e-5);
    // LongRoPE's lists are no hypothesis, and NTK is another base.
    const std::string rule(posenc::name_of(model.plan.scaling));
    CHECK((rule == "longrope" || rule == "ntk" || posenc::name_of(first.hypothesis.plan.scaling) == rule));
  }
}

TEST_CASE("explain rotations: exchange, sign and a first position are distinguished with nothing expected",
          "[diagnosis]") {
  for (const bool exchanged : {false, true})
    for (const bool negative : {false, true})
      for (const double first_position : {0.0, 1.0, 1000.0, -7.0, 2.5}) {
        INFO(exchanged << negative << first_position);
        Recipe recipe{.plan = llama(), .first_position = first_position, .negative = negative, .exchanged = exchanged};
        const RotationExplanation first = found_hypothesis(recipe, {});
        CHECK(first.hypothesis.exchanged == exchanged);
        CHECK(first.hypothesis.negative == negative);
        CHECK(std::fabs(first.hypothesis.first_position - first_position) < (first_position == 2.5 ? 1e-6 : 1e-300));
        CHECK(first.hypothesis.plan.base == 500000);
      }
}

TEST_CASE("explain rotations: frequencies beyond what the positions resolve follow from those that are not",
          "[diagnosis]") {
  // All positions are multiples of 8: frequencies above pi / 8 are known but for whole rotations.
  const std::vector<double> positions{0, 8, 16, 56, 360, 2408, 16024};
  const RotationExplanation first = found_hypothesis({.plan = llama()}, {}, positions);
  CHECK(first.hypothesis.plan.base == 500000);
  CHECK(std::holds_alternative<scaling::Default>(first.hypothesis.plan.scaling));
}

TEST_CASE("explain rotations: a pair that does not rotate is not one of a whole cycle a step", "[diagnosis]") {
  const std::vector<double> frequencies{1, 0.5, 0.3, 0, 0.12, 0.05, 0.03, 0.01};
  const RotationExplanation first = found_hypothesis({.plan = {.dim = 16, .scaling = scaling::Given{frequencies}}}, {});
  const auto* given = std::get_if<scaling::Given>(&first.hypothesis.plan.scaling);
  REQUIRE(given != nullptr);
  for (std::size_t i = 0; i < frequencies.size(); ++i) CHECK(std::fabs(given->frequencies[i] - frequencies[i]) < 1e-7);
}

TEST_CASE("explain rotations: the arithmetic of angles is found with nothing expected", "[diagnosis]") {
  using enum AngleArithmetic;
  for (const AngleArithmetic arithmetic : {exact, float32, product, bfloat16, float16}) {
    INFO(name_of(arithmetic));
    const RotationExplanation first = found_hypothesis({.plan = llama(), .arithmetic = arithmetic}, {});
    CHECK(first.hypothesis.arithmetic == arithmetic);
    CHECK(first.hypothesis.plan.base == 500000);
  }
}

TEST_CASE("explain rotations: frequencies in float32 may be rounded in other steps than those of transformers",
          "[diagnosis]") {
  // Twentieths are no float32 numbers: each step counts, and running products are off by as much.
  RotaryOptions expected{.dim = 20, .layout = posenc::Layout::half, .base = 10000};
  for (const double base : {500000.0, 1000000.0, 5000000.0, 150000.0}) {
    INFO(base);
    Recipe recipe{.plan = expected, .arithmetic = AngleArithmetic::float32};
    recipe.plan.base = base;
    const RotationExplanation first = found_hypothesis(recipe, expecting(expected), {0, 1, 2, 7, 45, 301, 1003, 2003});
    CHECK(first.hypothesis.arithmetic == AngleArithmetic::float32);
    CHECK(first.hypothesis.plan.base == base);
    CHECK(first.data_bits < 16 * 20);
  }
}

TEST_CASE("explain rotations: an arithmetic that does not show is not named", "[diagnosis]") {
  const std::vector<double> positions{0, 1, 2, 3};
  const auto rotations = rotations_at({.plan = llama()}, positions, Noise::bfloat16);
  for (const RotationExplanation& each : value_of(explain_rotations(rotations, positions, expecting(llama()))))
    CHECK((each.mistakes.size() != 1 || each.mistakes[0] != Mistake::angles_float32));
}

TEST_CASE("explain rotations: many tokens are screened by a few, and the answer is by all", "[diagnosis]") {
  // At 0 nothing rotations, and there are the first tokens, and every tenth: the few are neither.
  std::vector<double> positions;
  for (int k = 0; k <= 70; ++k) positions.push_back(k < 10 || k % 10 == 0 ? 0 : 3.0 * k * k);
  Recipe recipe{.plan = llama(), .position_scale = 0.125};
  recipe.plan.base = 100;  // of all that are tried the last
  const RotationExplanation first = found_hypothesis(recipe, expecting(llama()), positions);
  CHECK(mistakes_of(first) == std::vector{Mistake::base, Mistake::position_scale});
  CHECK(!first.is_estimated);
}

TEST_CASE("explain rotations: a few damaged values decide nothing, and unknown values are ignored", "[diagnosis]") {
  Recipe recipe{.plan = llama()};
  recipe.plan.base = 10000;
  PairRotations rotations = rotations_at(recipe, rotated_positions);
  rotations.cosines[200] = 0.3;
  rotations.sines[333] = -1;
  auto explanations = value_of(explain_rotations(rotations, rotated_positions, expecting(llama())));
  CHECK(explanations[0].mistakes == std::vector{Mistake::base});
  CHECK(explanations[0].hypothesis.plan.base == 10000);
  rotations.units[200] = rotations.units[333] = testing::infinity;
  explanations = value_of(explain_rotations(rotations, rotated_positions, expecting(llama())));
  CHECK(explanations[0].units < explained_units);
}

TEST_CASE("explain rotations: the hypothesis of most pairs is estimated where a few have no frequency", "[diagnosis]") {
  PairRotations rotations = rotations_at({.plan = llama()}, rotated_positions);
  for (const std::size_t pair : {std::size_t{3}, std::size_t{40}})
    for (std::size_t k = 0; k < rotations.tokens; ++k)
      rotations.cosines[k * rotations.pairs + pair] = k % 2 == 0 ? 0.6 : -0.8,
                                              rotations.sines[k * rotations.pairs + pair] = 0.7;
  CHECK(value_of(explain_rotations(rotations, rotated_positions, {}))[0].hypothesis.plan.base == 500000);
}

TEST_CASE("explain rotations: random rotations and learned tables are not explained", "[diagnosis]") {
  testing::Generator random(23);
  PairRotations rotations = rotations_at({.plan = llama()}, rotated_positions);
  for (const bool on_circle : {false, true}) {
    for (std::size_t at = 0; at < rotations.cosines.size(); ++at) {
      const double angle = 3.2 * static_cast<double>(random.fraction());
      const double size = on_circle ? 1 : 1 + 0.5 * static_cast<double>(random.fraction());
      rotations.cosines[at] = size * std::cos(angle), rotations.sines[at] = size * std::sin(angle);
    }
    for (const RotationContext& context : {RotationContext{}, expecting(llama())})
      for (const RotationExplanation& each : value_of(explain_rotations(rotations, rotated_positions, context)))
        CHECK(each.units > explained_units);
  }
}

TEST_CASE("explain rotations: positions that do not distinguish hypotheses leave several", "[diagnosis]") {
  // At position 0 nothing rotations: all but exchanges and factors explain that.
  const std::vector<double> start{0};
  const auto explanations =
      value_of(explain_rotations(rotations_at({.plan = llama()}, start), start, expecting(llama())));
  REQUIRE(explanations.size() > 2);
  CHECK(explanations[0].mistakes.empty());
  CHECK(explanations[1].apart < posenc::diagnosis::indistinct_units);
  CHECK(total(explanations[1]) - total(explanations[0]) < posenc::diagnosis::certain_bits);
  CHECK(std::fabs(total(explanations[2]) - total(explanations[1])) < posenc::diagnosis::ambiguous_bits);
}
