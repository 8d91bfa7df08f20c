#include "posenc/diagnosis/estimates/frequency_fit.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "frequencies/scaling_reference.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "testing/testing.hpp"

using posenc::RotaryOptions;
using posenc::diagnosis::fit_frequencies;
using posenc::diagnosis::FrequencyFit;
using posenc::diagnosis::FrequencySample;
namespace scaling = posenc::scaling;

namespace {

RotaryOptions plan_of(std::int64_t dim, double base, posenc::Scaling rule = {}) {
  return {.dim = dim, .layout = posenc::Layout::half, .base = base, .scaling = std::move(rule)};
}

/// The frequencies of a plan, each off by up to half of its error, a share of itself.
FrequencySample sample_of(const RotaryOptions& plan, double relative_error) {
  testing::Generator random(5);
  FrequencySample made;
  for (const auto exact : reference::scaled(posenc::plan_of(plan)).frequencies) {
    const auto radians = static_cast<double>(exact);
    const double error = relative_error * std::max(radians, 1e-9);
    made.radians.push_back(radians + 0.5 * error * random.fraction());
    made.errors.push_back(error);
  }
  return made;
}

FrequencyFit first_pairing(const RotaryOptions& plan, double relative_error = 1e-7) {
  const auto fits = fit_frequencies(sample_of(plan, relative_error), {});
  REQUIRE(!fits.empty());
  return fits[0];
}

template <class Rule>
Rule rule_of(const FrequencyFit& fit) {
  REQUIRE(std::holds_alternative<Rule>(fit.plan.scaling));
  return std::get<Rule>(fit.plan.scaling);
}

}  // namespace

TEST_CASE("frequency hypothesis: of equal fits the usual base over the rotated dimensions is first", "[diagnosis]") {
  // 10000 over 128 dimensions is 10^8 over 256, which is a usual base too.
  const FrequencyFit unscaled = first_pairing(plan_of(128, 10000));
  CHECK(unscaled.plan.base == 10000);
  CHECK(!unscaled.plan.exponent_dim);
  RotaryOptions doubled = plan_of(128, 500000);
  doubled.exponent_dim = 256;
  const FrequencyFit other = first_pairing(doubled);
  CHECK(other.plan.base == 500000);
  CHECK(other.plan.exponent_dim == 256);
  CHECK(other.cost > unscaled.cost);
}

TEST_CASE("frequency hypothesis: a number is snapped to the shortest within its error, and no further", "[diagnosis]") {
  CHECK(first_pairing(plan_of(128, 123456)).plan.base == 123456);
  CHECK(first_pairing(plan_of(128, 500100)).plan.base == 500100);
  const double rough = first_pairing(plan_of(128, 500100), 1e-2).plan.base;
  CHECK(rough == 500000);
}

TEST_CASE("frequency hypothesis: a number costs as much as its digits", "[diagnosis]") {
  using posenc::diagnosis::bits_of_number;
  CHECK(bits_of_number(4000) == posenc::diagnosis::usual_number_bits);
  CHECK(bits_of_number(4000) < bits_of_number(4100));
  CHECK(bits_of_number(4100) < bits_of_number(4096));
  CHECK(bits_of_number(1.0 / 3) == posenc::diagnosis::any_number_bits);
}

TEST_CASE("frequency hypothesis: scaled progressions are linear, of usual numbers NTK", "[diagnosis]") {
  const FrequencyFit linear = first_pairing(plan_of(128, 10000, scaling::Linear{4}));
  CHECK(rule_of<scaling::Linear>(linear).factor == 4);
  CHECK(linear.plan.base == 10000);
  CHECK(rule_of<scaling::Linear>(first_pairing(plan_of(128, 10000, scaling::Linear{3.7}))).factor == 3.7);
  const FrequencyFit ntk = first_pairing(plan_of(128, 10000, scaling::Ntk{8}));
  CHECK(rule_of<scaling::Ntk>(ntk).factor == 8);
}

TEST_CASE("frequency hypothesis: zeros from an index on are p-RoPE", "[diagnosis]") {
  const FrequencyFit found = first_pairing(plan_of(512, 1000000, scaling::Proportional{.fraction = 0.25}));
  CHECK(rule_of<scaling::Proportional>(found).fraction == 0.25);
  CHECK(found.plan.base == 1000000);
}

TEST_CASE("frequency hypothesis: YaRN's ramp gives factor, length and truncation", "[diagnosis]") {
  for (const bool truncate : {true, false})
    for (const double length : {4096.0, 32768.0}) {
      const scaling::Yarn rule{.factor = 40, .original_length = length, .truncate = truncate};
      const auto found = rule_of<scaling::Yarn>(first_pairing(plan_of(64, 10000, rule)));
      CHECK(found.factor == 40);
      CHECK(found.original_length == length);
      CHECK(found.truncate == truncate);
    }
  // Numbers that nobody uses, by the ramp's own line.
  const scaling::Yarn rare{.factor = 7, .original_length = 5000, .truncate = false};
  const FrequencyFit found = first_pairing(plan_of(128, 300000, rare));
  CHECK(rule_of<scaling::Yarn>(found).factor == 7);
  CHECK(std::fabs(rule_of<scaling::Yarn>(found).original_length - 5000) < 0.1);
  CHECK(found.plan.base == 300000);
  // Whole ends give a range of lengths alone, all of them the same numbers.
  const scaling::Yarn whole{.factor = 7, .original_length = 5000};
  const RotaryOptions plan = plan_of(128, 300000, whole);
  const FrequencyFit one = first_pairing(plan);
  CHECK(rule_of<scaling::Yarn>(one).truncate);
  CHECK(one.misfit < 8);
}

TEST_CASE("frequency hypothesis: Llama 3's blend gives factor and length", "[diagnosis]") {
  const scaling::Llama3 usual{.factor = 8, .original_length = 8192};
  const FrequencyFit found = first_pairing(plan_of(128, 500000, usual));
  CHECK(rule_of<scaling::Llama3>(found).factor == 8);
  CHECK(rule_of<scaling::Llama3>(found).original_length == 8192);
  const scaling::Llama3 rare{.factor = 7, .original_length = 5000};
  const FrequencyFit other = first_pairing(plan_of(128, 300000, rare));
  CHECK(rule_of<scaling::Llama3>(other).factor == 7);
  CHECK(std::fabs(rule_of<scaling::Llama3>(other).original_length - 5000) < 0.1);
}

TEST_CASE("frequency hypothesis: what follows no hypothesis is given, at its price", "[diagnosis]") {
  testing::Generator random(9);
  scaling::Given rule;
  for (int i = 0; i < 32; ++i) rule.frequencies.push_back(0.5 + 0.4 * static_cast<double>(random.fraction()));
  const FrequencyFit found = first_pairing(plan_of(64, 10000, rule));
  CHECK(rule_of<scaling::Given>(found).frequencies.size() == 32);
  CHECK(found.cost > 32 * 20);
}
