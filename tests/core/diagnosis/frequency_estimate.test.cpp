#include "posenc/diagnosis/estimates/frequency_estimate.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "testing/testing.hpp"

using posenc::diagnosis::estimate_frequency;
using posenc::diagnosis::lattice_of;
using posenc::diagnosis::PairFrequency;
using posenc::diagnosis::PairPhases;

namespace {

/// The phases of a frequency, in a rotation, with noise.
PairPhases phases_of(double radians, double phase, const std::vector<double>& positions, double noise) {
  testing::Generator random(3);
  PairPhases made{.positions = positions, .phases = {}, .errors = {}, .zero_at = std::nullopt};
  for (const double position : positions) {
    made.phases.push_back(std::remainder(radians * position + phase, 2 * std::numbers::pi) + noise * random.fraction());
    made.errors.push_back(noise);
  }
  return made;
}

}  // namespace

TEST_CASE("frequency estimate: whole cycles are resolved from neighbours to distant positions", "[diagnosis]") {
  const std::vector<double> positions{12007, 0, 301, 1, 7, 45, 2003, 2};
  for (const double radians : {0.7312345, -0.7312345, 3.1, 1e-5, 0.0}) {
    const auto found = estimate_frequency(phases_of(radians, 0.4, positions, 1e-4), 1);
    REQUIRE(found.size() == 1);
    CHECK(std::fabs(found[0].radians - radians) < 1e-7);
    CHECK(std::fabs(found[0].phase - 0.4) < 4e-4);
  }
}

TEST_CASE("frequency estimate: what the neighbours leave open the next positions decide, or all are kept",
          "[diagnosis]") {
  // 64 apart: a frequency below pi has 64 fits, of which positions 9 apart from multiples leave one.
  const double radians = 0.7312345;
  CHECK(lattice_of(std::vector<double>{100, 164, 228}, {}) == 64);
  const std::vector<double> positions{100, 164, 237, 1001};
  CHECK(lattice_of(positions, {}) == 1);
  const auto found = estimate_frequency(phases_of(radians, 0, positions, 1e-6), 1);
  REQUIRE(found.size() == 1);
  CHECK(std::fabs(found[0].radians - radians) < 1e-7);
  CHECK(estimate_frequency(phases_of(radians, 0, {100, 164}, 1e-6), 1).size() >= 64);
}

TEST_CASE("frequency estimate: whole cycles that rough neighbours leave open are all followed", "[diagnosis]") {
  // Neighbours are off by up to 0.04: at 500 steps by whole cycles, which the later positions settle.
  const std::vector<double> positions{0, 1, 500, 750, 830, 5000};
  for (const double radians : {0.7312345, -0.3, 1.1, 0.05, -1.9, 0.51}) {
    const auto found = estimate_frequency(phases_of(radians, 0.4, positions, 0.02), 1);
    REQUIRE(!found.empty());
    CHECK(std::fabs(found[0].radians - radians) < 1e-4);
  }
}

TEST_CASE("frequency estimate: a known zero serves as a position, and exact phases are not given a tolerance",
          "[diagnosis]") {
  PairPhases pair = phases_of(0.25, 0, {1000, 1001, 4000}, 1e-6);
  pair.zero_at = 0;
  pair.relative_error = 0x1p-20;
  const auto found = estimate_frequency(pair, 1);
  REQUIRE(found.size() == 1);
  // Three fits at 4000 steps and less: the error of the tolerance would be 2e-7.
  CHECK(std::fabs(found[0].radians - 0.25) < 1e-9);
  CHECK(found[0].error < 1e-9);
}

TEST_CASE("frequency estimate: neighbours far from a known zero have their frequency to its precision", "[diagnosis]") {
  for (const double first : {4000.0, 8000.0, 16000.0})
    for (const double radians : {0.98, 0.3466, 0.2269, 0.1}) {
      PairPhases pair = phases_of(radians, 0, {first, first + 1, first + 2}, 6e-8);
      pair.zero_at = 0;
      pair.relative_error = 0x1p-20;
      const auto found = estimate_frequency(pair, 1);
      REQUIRE(!found.empty());
      CHECK(std::any_of(found.begin(), found.end(), [&](const PairFrequency& each) {
        return std::fabs(each.radians - radians) < 1e-10 && each.error < 1e-10;
      }));
    }
}

TEST_CASE("frequency estimate: random phases have none", "[diagnosis]") {
  PairPhases pair = phases_of(0.25, 0, {0, 1, 2, 3, 4, 5, 6, 7}, 1e-3);
  testing::Generator random(11);
  for (double& phase : pair.phases) phase = 3 * static_cast<double>(random.fraction());
  CHECK(estimate_frequency(pair, 1).empty());
}

TEST_CASE("frequency estimate: neighbours that allow cycles without end give no frequency, at once", "[diagnosis]") {
  const std::vector<double> positions{0, 1, 5e-324, 3, 5};
  PairPhases phases = phases_of(0.7, 0, positions, 1e-6);
  CHECK(estimate_frequency(phases, lattice_of(positions, {})).empty());
  phases.errors[2] = std::numeric_limits<double>::infinity();
  CHECK(estimate_frequency(phases, lattice_of(positions, {})).empty());
  const std::vector<double> distant{0, 1e12, 1};
  phases = phases_of(0.7, 0, distant, 1e-6);
  phases.errors[2] = std::numeric_limits<double>::infinity();
  CHECK(estimate_frequency(phases, lattice_of(distant, {})).empty());
}
