#include "posenc/diagnosis/output_diagnosis.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "diagnosis/mutants/made_rotation.hpp"
#include "posenc/diagnosis/rotation_diagnosis.hpp"
#include "testing/testing.hpp"

using posenc::Mistake;
using posenc::Verdict;
using posenc::WrongOutput;
using testing::Stored;
using testing::value_of;

namespace {

const std::vector<double> sampled_positions{0, 1, 2, 7, 64, 511, 4095, 20000};
constexpr std::size_t output_heads = 3;

std::string first_mistakes(const posenc::Diagnosis& seen) {
  REQUIRE(!seen.explanations.empty());
  CHECK(seen.verdict != Verdict::none);
  return testing::names_of(seen.explanations[0].mistakes);
}

/// One input, and what a right and a wrong implementation make of it.
struct Outputs {
  std::vector<double> before, right, wrong;
  std::vector<std::int64_t> shape;

  [[nodiscard]] posenc::SampledTensor tensor(const std::vector<double>& values) const { return {values, shape}; }
};

Outputs make_outputs(const posenc::Expectation& expected, Mistake mistake, Stored stored) {
  const auto right = testing::make_rotation(expected, {});
  const auto wrong = testing::make_rotation(expected, std::vector{mistake});
  REQUIRE(wrong.has_value());
  Outputs made;
  made.shape = {static_cast<std::int64_t>(sampled_positions.size()), output_heads,
                static_cast<std::int64_t>(right->dims)};
  made.before = testing::random_vectors(sampled_positions.size() * output_heads * right->dims, 23, stored);
  made.right = rotate(*right, made.before, output_heads, sampled_positions, stored);
  made.wrong = rotate(*wrong, made.before, output_heads, sampled_positions, stored);
  return made;
}

}  // namespace

TEST_CASE("of two outputs the wrong one is named", "[diagnosis]") {
  const std::vector<testing::KnownPlan> plans = testing::known_plans();
  for (const std::size_t plan : {3uz, 11uz})
    for (const Mistake mistake : {Mistake::layout, Mistake::sign, Mistake::base})
      for (const Stored stored : {Stored::float32, Stored::bfloat16}) {
        const posenc::Expectation& expected = plans[plan].expected;
        CAPTURE(plans[plan].name, name_of(mistake), stored);
        const Outputs made = make_outputs(expected, mistake, stored);
        const auto right = made.tensor(made.right), wrong = made.tensor(made.wrong), before = made.tensor(made.before);
        const auto told = value_of(
            diagnose_outputs({.a = right, .b = wrong, .before = before, .positions = sampled_positions}, expected));
        CHECK(told.wrong == WrongOutput::b);
        CHECK(first_mistakes(told.a) == "none");
        CHECK(first_mistakes(told.b) == name_of(mistake));
        const auto reverse = value_of(
            diagnose_outputs({.a = wrong, .b = right, .before = before, .positions = sampled_positions}, expected));
        CHECK(reverse.wrong == WrongOutput::a);
        const auto same = value_of(
            diagnose_outputs({.a = wrong, .b = wrong, .before = before, .positions = sampled_positions}, expected));
        CHECK(same.wrong == WrongOutput::both);

        // Without the input, a is what was expected.
        const auto back =
            value_of(diagnose_outputs({.a = right, .b = wrong, .positions = sampled_positions}, expected));
        CHECK(back.wrong == WrongOutput::unknown);
        CHECK((back.b.verdict == Verdict::likely || back.b.verdict == Verdict::ambiguous));
        CHECK(back.a.explanations.empty());
        CHECK(first_mistakes(back.b) == name_of(mistake));
        const auto equal =
            value_of(diagnose_outputs({.a = right, .b = right, .positions = sampled_positions}, expected));
        CHECK(equal.wrong == WrongOutput::unknown);
        CHECK((equal.b.verdict == Verdict::likely || equal.b.verdict == Verdict::ambiguous));
        const auto right_both = value_of(
            diagnose_outputs({.a = right, .b = right, .before = before, .positions = sampled_positions}, expected));
        CHECK(right_both.wrong == WrongOutput::neither);
      }
}

TEST_CASE("without an expectation, what the other did beyond the one", "[diagnosis]") {
  const posenc::Expectation expected = testing::known_plans()[0].expected;
  const Outputs made = make_outputs(expected, Mistake::sign, Stored::float32);
  const auto told = value_of(posenc::diagnose_outputs({.a = made.tensor(made.right),
                                                       .b = made.tensor(made.wrong),
                                                       .before = made.tensor(made.before),
                                                       .positions = sampled_positions},
                                                      {}));
  CHECK(told.wrong == WrongOutput::unknown);
  CHECK(first_mistakes(told.a) == "none");
  CHECK(first_mistakes(told.b) == "sign");

  // b is a, rotated back twice.
  const auto beyond = value_of(posenc::diagnose_outputs(
      {.a = made.tensor(made.right), .b = made.tensor(made.wrong), .positions = sampled_positions}, {}));
  CHECK(beyond.wrong == WrongOutput::unknown);
  CHECK(beyond.b.verdict != Verdict::none);
}

TEST_CASE("errors of two outputs name the right one", "[diagnosis]") {
  const posenc::Expectation expected = testing::known_plans()[0].expected;
  Outputs made = make_outputs(expected, Mistake::sign, Stored::float32);
  made.wrong[9] = testing::infinity;
  testing::require_error(posenc::diagnose_outputs({.a = made.tensor(made.right),
                                                   .b = made.tensor(made.wrong),
                                                   .before = made.tensor(made.before),
                                                   .positions = sampled_positions},
                                                  expected),
                         "b.data[9]", "inf");
  testing::require_error(posenc::diagnose_outputs({.a = made.tensor(made.wrong),
                                                   .b = made.tensor(made.right),
                                                   .before = made.tensor(made.before),
                                                   .positions = sampled_positions},
                                                  expected),
                         "a.data[9]", "inf");
}

TEST_CASE("noise of an output is no rotation of more dimensions", "[diagnosis]") {
  constexpr std::size_t tokens = 20, dims = 32;
  testing::Generator generator(2026);
  std::vector<double> positions(tokens), input(tokens * dims);
  for (std::size_t token = 0; token < tokens; ++token) positions[token] = static_cast<double>(token);
  for (double& value : input) value = generator.fraction();
  // Pairs up to dimension `end` rotated by the frequencies 10000^(-i / 8), 16 dimensions of which were expected.
  const auto rotated = [&](std::size_t end) {
    std::vector<double> made = input;
    for (std::size_t at = 0; at < made.size(); at += 2) {
      if (at % dims >= end) continue;
      const double angle = positions[at / dims] * std::pow(10000.0, -static_cast<double>(at % dims / 2) / 8);
      made[at] = input[at] * std::cos(angle) - input[at + 1] * std::sin(angle);
      made[at + 1] = input[at] * std::sin(angle) + input[at + 1] * std::cos(angle);
    }
    return made;
  };
  posenc::Expectation expected;
  expected.plan = posenc::RotaryOptions{.dim = dims, .layout = posenc::Layout::interleaved, .rotary_dim = 16};
  const auto diagnosed = [&](const std::vector<double>& after, const std::string& dtype, double before_error) {
    posenc::RotationSamples samples{.before = {input, {tokens, dims}, dtype},
                                    .after = {after, {tokens, dims}, dtype},
                                    .positions = positions,
                                    .before_error = before_error};
    return value_of(diagnose_rotation(samples, expected));
  };
  // The input was computed back from an output of float16, as where there are two outputs alone: noise beyond that is
  // explained by nothing.
  std::vector<double> noisy = rotated(16);
  for (double& value : noisy) value += 0.005 * generator.fraction();
  CHECK(diagnosed(noisy, "float16", 0x1p-10).verdict == Verdict::none);
  // Angles that are larger than roundings show it.
  const auto shown = diagnosed(rotated(32), "float64", 0);
  CHECK(first_mistakes(shown) == "rotary-dim");
  CHECK(shown.verdict == Verdict::certain);
}
