#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "diagnosis/mutants/bias_generator.hpp"
#include "posenc/diagnosis/bias_diagnosis.hpp"
#include "posenc/diagnosis/estimates/frequency_estimate.hpp"
#include "posenc/diagnosis/fixtures.hpp"
#include "posenc/diagnosis/frequency_diagnosis.hpp"
#include "posenc/diagnosis/id_diagnosis.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"
#include "testing/testing.hpp"

// Limits that stored_answers.txt does not show, each from both sides.

using namespace posenc::diagnosis;
using posenc::diagnose_bias;
using posenc::diagnose_frequencies;
using posenc::diagnose_ids;
using posenc::Layout;
using posenc::RotaryOptions;
using posenc::Verdict;
using testing::value_of;

namespace {

RotationHypothesis hypothesis_of(std::int64_t dim, double base, double factor = 1) {
  return {.plan = {.dim = dim, .layout = Layout::half, .base = base}, .factor = factor};
}

}  // namespace

TEST_CASE("thresholds: whole distances up to 2^53 have a common divisor", "[diagnosis]") {
  for (const auto& [unit, lattice] : {std::pair{0x1p51, 0x1p51}, std::pair{0x1p52, 0x1p53}})
    CHECK(lattice_of(std::vector{0.0, 3 * unit, 5 * unit}, {}) == lattice);
}

TEST_CASE("thresholds: explanations whose rotations are the same are one", "[diagnosis]") {
  for (const auto& [apart, count] : {std::pair{0.7e-9, 1U}, std::pair{1.4e-9, 2U}}) {
    std::vector<Candidate> candidates;
    for (const double factor : {1.0, 1 + apart})
      candidates.push_back({.cost = 100 * factor, .hypothesis = hypothesis_of(8, 10000, factor)});
    posenc::Diagnosis made;
    const std::vector<double> positions{1, 2, 3};
    (void)value_of(rank(std::move(candidates), 1000, {positions}, {}, made));
    CHECK(made.explanations.size() == count);
  }
}

TEST_CASE("thresholds: numbers so large are a mask, and so small no frequencies", "[diagnosis]") {
  for (const auto& [mask, is_mask] : {std::pair{-11000, true}, std::pair{-9000, false}}) {
    bias_generator::Matrix matrix{.heads = 4, .masked = true, .mask = static_cast<bias_generator::Real>(mask)};
    const auto exponents = bias_generator::exponents("paper", 4, 8);
    const std::vector<double> values = matrix.values([&](std::size_t h, std::int64_t d) {
      return -std::exp2(-exponents[h]) * static_cast<bias_generator::Real>(d < 0 ? -d : d);
    });
    const auto seen = value_of(diagnose_bias(matrix.samples(values), {.type = "alibi", .causal = true}));
    CHECK(seen.explanations[0].mistakes.empty() == is_mask);
  }
  for (const auto& [size, is_empty] : {std::pair{0.7e-100, true}, std::pair{1.4e-100, false}}) {
    const std::vector<double> list(8, size);
    CHECK((value_of(diagnose_frequencies({list, {8}}, {})).verdict == Verdict::too_little) == is_empty);
  }
}

TEST_CASE("thresholds: frames of a video are merged two by two at most", "[diagnosis]") {
  const std::vector<double> ids(12);
  for (const auto& [frames, is_refused] : {std::pair{8, false}, std::pair{10, true}}) {
    const std::vector<posenc::MropeSegment> segments{
        {.kind = posenc::MropeSegment::Kind::video, .grid = {frames, 2, 2}, .seconds_per_grid = {}, .audio = {}}};
    const auto made = diagnose_ids({.ids = ids, .axes = 3, .segments = segments}, {.preset = "ernie4.5-vl"});
    CHECK(made.has_value() != is_refused);
    if (is_refused) CHECK(made.error().argument == "segments[0]");
  }
}

TEST_CASE("thresholds: the largest fixture", "[fixtures]") {
  posenc::Expectation expected;
  expected.plan = RotaryOptions{.dim = 1026, .layout = Layout::half, .rotary_dim = 8};
  testing::require_error(make_fixture(expected, {.length = 64}), "expected.dim", "1026");
  expected.plan->dim = 1024;
  CHECK(make_fixture(expected, {.length = 64}).has_value());
}
