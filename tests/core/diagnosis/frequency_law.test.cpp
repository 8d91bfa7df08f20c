#include "posenc/diagnosis/estimates/frequency_law.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "frequencies/scaling_reference.hpp"
#include "posenc/diagnosis/laws/evidence.hpp"
#include "testing/testing.hpp"

using posenc::RotaryOptions;
using posenc::diagnosis::FrequencyReading;
using posenc::diagnosis::FrequencySample;
using posenc::diagnosis::read_frequencies;
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

FrequencyReading first_reading(const RotaryOptions& plan, double relative_error = 1e-7) {
  const auto readings = read_frequencies(sample_of(plan, relative_error), {});
  REQUIRE(!readings.empty());
  return readings[0];
}

template <class Rule>
Rule rule_of(const FrequencyReading& reading) {
  REQUIRE(std::holds_alternative<Rule>(reading.plan.scaling));
  return std::get<Rule>(reading.plan.scaling);
}

}  // namespace

TEST_CASE("frequency law: of equal readings the usual base over the rotated dimensions is first", "[diagnosis]") {
  // 10000 over 128 dimensions is 10^8 over 256, which is a usual base too.
  const FrequencyReading unscaled = first_reading(plan_of(128, 10000));
  CHECK(unscaled.plan.base == 10000);
  CHECK(!unscaled.plan.exponent_dim);
  RotaryOptions doubled = plan_of(128, 500000);
  doubled.exponent_dim = 256;
  const FrequencyReading other = first_reading(doubled);
  CHECK(other.plan.base == 500000);
  CHECK(other.plan.exponent_dim == 256);
  CHECK(other.cost > unscaled.cost);
}

TEST_CASE("frequency law: a number is snapped to the shortest within its error, and no further", "[diagnosis]") {
  CHECK(first_reading(plan_of(128, 123456)).plan.base == 123456);
  CHECK(first_reading(plan_of(128, 500100)).plan.base == 500100);
  const double rough = first_reading(plan_of(128, 500100), 1e-2).plan.base;
  CHECK(rough == 500000);
}

TEST_CASE("frequency law: a number costs as much as its digits", "[diagnosis]") {
  using posenc::diagnosis::bits_of_number;
  CHECK(bits_of_number(4000) == posenc::diagnosis::usual_number_bits);
  CHECK(bits_of_number(4000) < bits_of_number(4100));
  CHECK(bits_of_number(4100) < bits_of_number(4096));
  CHECK(bits_of_number(1.0 / 3) == posenc::diagnosis::any_number_bits);
}

TEST_CASE("frequency law: scaled progressions are linear, of usual numbers NTK", "[diagnosis]") {
  const FrequencyReading linear = first_reading(plan_of(128, 10000, scaling::Linear{4}));
  CHECK(rule_of<scaling::Linear>(linear).factor == 4);
  CHECK(linear.plan.base == 10000);
  CHECK(rule_of<scaling::Linear>(first_reading(plan_of(128, 10000, scaling::Linear{3.7}))).factor == 3.7);
  const FrequencyReading ntk = first_reading(plan_of(128, 10000, scaling::Ntk{8}));
  CHECK(rule_of<scaling::Ntk>(ntk).factor == 8);
}

TEST_CASE("frequency law: zeros from an index on are p-RoPE", "[diagnosis]") {
  const FrequencyReading found = first_reading(plan_of(512, 1000000, scaling::Proportional{.fraction = 0.25}));
  CHECK(rule_of<scaling::Proportional>(found).fraction == 0.25);
  CHECK(found.plan.base == 1000000);
}

TEST_CASE("frequency law: YaRN's ramp gives factor, length and truncation", "[diagnosis]") {
  for (const bool truncate : {true, false})
    for (const double length : {4096.0, 32768.0}) {
      const scaling::Yarn rule{.factor = 40, .original_length = length, .truncate = truncate};
      const auto found = rule_of<scaling::Yarn>(first_reading(plan_of(64, 10000, rule)));
      CHECK(found.factor == 40);
      CHECK(found.original_length == length);
      CHECK(found.truncate == truncate);
    }
  // Numbers that nobody uses, by the ramp's own line.
  const scaling::Yarn rare{.factor = 7, .original_length = 5000, .truncate = false};
  const FrequencyReading found = first_reading(plan_of(128, 300000, rare));
  CHECK(rule_of<scaling::Yarn>(found).factor == 7);
  CHECK(std::fabs(rule_of<scaling::Yarn>(found).original_length - 5000) < 0.1);
  CHECK(found.plan.base == 300000);
  // Whole ends say a range of lengths alone, all of them the same numbers.
  const scaling::Yarn whole{.factor = 7, .original_length = 5000};
  const RotaryOptions plan = plan_of(128, 300000, whole);
  const FrequencyReading one = first_reading(plan);
  CHECK(rule_of<scaling::Yarn>(one).truncate);
  CHECK(one.misfit < 8);
}

TEST_CASE("frequency law: Llama 3's blend gives factor and length", "[diagnosis]") {
  const scaling::Llama3 usual{.factor = 8, .original_length = 8192};
  const FrequencyReading found = first_reading(plan_of(128, 500000, usual));
  CHECK(rule_of<scaling::Llama3>(found).factor == 8);
  CHECK(rule_of<scaling::Llama3>(found).original_length == 8192);
  const scaling::Llama3 rare{.factor = 7, .original_length = 5000};
  const FrequencyReading other = first_reading(plan_of(128, 300000, rare));
  CHECK(rule_of<scaling::Llama3>(other).factor == 7);
  CHECK(std::fabs(rule_of<scaling::Llama3>(other).original_length - 5000) < 0.1);
}

TEST_CASE("frequency law: what follows no law is given, at its price", "[diagnosis]") {
  testing::Generator random(9);
  scaling::Given rule;
  for (int i = 0; i < 32; ++i) rule.frequencies.push_back(0.5 + 0.4 * static_cast<double>(random.fraction()));
  const FrequencyReading found = first_reading(plan_of(64, 10000, rule));
  CHECK(rule_of<scaling::Given>(found).frequencies.size() == 32);
  CHECK(found.cost > 32 * 20);
}
