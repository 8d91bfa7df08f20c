#include "posenc/diagnosis/frequency_diagnosis.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>

#include "frequencies/scaling_reference.hpp"
#include "testing/testing.hpp"

using posenc::diagnose_frequencies;
using posenc::Diagnosis;
using posenc::FoundFrequencies;
using posenc::Mistake;
using posenc::RotaryOptions;
using posenc::Verdict;
using testing::value_of;
namespace scaling = posenc::scaling;

namespace {

RotaryOptions llama3() {
  return {.dim = 128,
          .layout = posenc::Layout::half,
          .base = 500000,
          .scaling = scaling::Llama3{.factor = 8, .original_length = 8192}};
}

/// The frequencies of a plan in float32, as one of the lists that people have.
std::vector<double> list_of(const RotaryOptions& plan, int unit) {
  std::vector<double> made;
  for (const auto exact : reference::scaled(posenc::plan_of(plan)).frequencies) {
    const auto radians = static_cast<double>(exact);
    made.push_back(static_cast<float>(unit == 0 ? radians : unit == 1 ? 1 / radians : 2 * std::numbers::pi / radians));
  }
  return made;
}

Diagnosis diagnosed_list(const std::vector<double>& list, const posenc::Expectation& expected = {}) {
  return value_of(diagnose_frequencies({list, {static_cast<std::int64_t>(list.size())}}, expected));
}

}  // namespace

TEST_CASE("frequency diagnosis: lists of frequencies, reciprocals and wavelengths have their hypothesis",
          "[diagnosis]") {
  constexpr std::string_view units[]{"radians", "reciprocals", "wavelengths"};
  for (int unit = 0; unit < 3; ++unit) {
    const Diagnosis made = diagnosed_list(list_of(llama3(), unit));
    REQUIRE(!made.explanations.empty());
    CHECK(made.verdict != Verdict::none);
    const auto& found = std::get<FoundFrequencies>(made.explanations[0].found);
    CHECK(found.unit == units[unit]);
    CHECK(found.hypothesis.plan.base == 500000);
    CHECK(posenc::name_of(found.hypothesis.plan.scaling) == "llama3");
  }
}

TEST_CASE("frequency diagnosis: a base of no list is named", "[diagnosis]") {
  posenc::Expectation expected;
  expected.plan = llama3();
  CHECK(diagnosed_list(list_of(llama3(), 0), expected).explanations[0].mistakes.empty());
  RotaryOptions other = llama3();
  other.base = 123456;
  CHECK(diagnosed_list(list_of(other, 0), expected).explanations[0].mistakes == std::vector{Mistake::base});
  CHECK(diagnosed_list(list_of(llama3(), 1), expected).explanations[0].mistakes == std::vector{Mistake::reciprocal});
}

TEST_CASE("frequency diagnosis: random numbers are none of these", "[diagnosis]") {
  testing::Generator random(31);
  std::vector<double> list;
  for (int i = 0; i < 32; ++i) list.push_back(0.5 + 0.4 * static_cast<double>(random.fraction()));
  CHECK(diagnosed_list(list).verdict == Verdict::none);
  const std::vector<double> bad{1, testing::infinity};
  testing::require_error(diagnose_frequencies({bad, {2}}, {}), "frequencies.data[1]", "inf");
}
