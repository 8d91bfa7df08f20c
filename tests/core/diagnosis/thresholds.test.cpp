#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "diagnosis/mutants/bias_generator.hpp"
#include "posenc/diagnosis/bias_diagnosis.hpp"
#include "posenc/diagnosis/estimates/frequency_estimate.hpp"
#include "posenc/diagnosis/estimates/frequency_fit.hpp"
#include "posenc/diagnosis/fixtures.hpp"
#include "posenc/diagnosis/frequency_diagnosis.hpp"
#include "posenc/diagnosis/hypotheses/discriminating_positions.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/id_diagnosis.hpp"
#include "posenc/diagnosis/positions/token_positions.hpp"
#include "posenc/diagnosis/samples/cache_forms.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"
#include "posenc/diagnosis/samples/rotation_search.hpp"
#include "testing/testing.hpp"

// Limits that stored_answers.txt does not show, each from both sides.

using namespace posenc::diagnosis;
using posenc::Layout;
using posenc::RotaryOptions;
using posenc::SampledTensor;
using posenc::Verdict;
using testing::value_of;

namespace {

PairPhases exact_phases(double radians, const std::vector<double>& positions) {
  PairPhases made{.positions = positions, .phases = {}, .errors = {}, .zero_at = std::nullopt};
  for (const double position : positions) {
    made.phases.push_back(std::remainder(radians * position, 2 * std::numbers::pi));
    made.errors.push_back(1e-9);
  }
  return made;
}

RotationHypothesis hypothesis_of(std::int64_t dim, double base, double factor = 1) {
  return {.plan = {.dim = dim, .layout = Layout::half, .base = base}, .factor = factor};
}

}  // namespace

TEST_CASE("thresholds: whole distances up to 2^53 have a common divisor", "[diagnosis]") {
  for (const auto& [unit, lattice] : {std::pair{0x1p51, 0x1p51}, std::pair{0x1p52, 0x1p53}})
    CHECK(lattice_of(std::vector{0.0, 3 * unit, 5 * unit}, {}) == lattice);
}

TEST_CASE("thresholds: how many frequencies of a pair are followed", "[diagnosis]") {
  CHECK(estimate_frequency(exact_phases(0.3, {0, 2000}), 1).size() == 512);
  // Neighbours that are 2^17 apart allow 2^16 whole cycles either way.
  CHECK(!estimate_frequency(exact_phases(0.3, {0, 1.9 * 0x1p16}), 1).empty());
  CHECK(estimate_frequency(exact_phases(0.3, {0, 2.1 * 0x1p16}), 1).empty());
}

TEST_CASE("thresholds: numbers that are equal but for roundings", "[diagnosis]") {
  CHECK(is_same(1, 1 + 0.75 * 0x1p-40));
  CHECK(!is_same(1, 1 + 1.5 * 0x1p-40));
  CHECK(bits_of_number(20000 * (1 + 0.7e-12)) == 8);
  CHECK(bits_of_number(20000 * (1 + 1.4e-12)) == 24);
}

TEST_CASE("thresholds: where discriminating positions are looked for", "[diagnosis]") {
  const auto positions = [](double length, double factor, double base) {
    return value_of(discriminating_positions(hypothesis_of(8, 10000), hypothesis_of(8, base, factor), length, 1000));
  };
  // All up to 64, then every fourth from 66 on.
  CHECK(positions(100, 1, 500).size() == 64 + 9);
  CHECK(positions(100, 1 + 0.7e-12, 10000).empty());
  CHECK(positions(100, 1 + 1.4e-12, 10000).size() == 65 + 9);
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

TEST_CASE("thresholds: a pairing is compared with others on 24 tokens and 4 heads", "[diagnosis]") {
  // Where there are twice as many every other one is looked at: not that of index 1, whose pair is longer.
  const auto misfit = [](std::size_t tokens, std::size_t heads, std::size_t at) {
    std::vector<double> before(tokens * heads * 2, 0.5);
    std::vector<double> after = before;
    after[2 * at] = 3;
    const std::vector<std::int64_t> shape{static_cast<std::int64_t>(tokens), static_cast<std::int64_t>(heads), 2};
    HeadSamples samples = gather({before, shape}, {after, shape}, {.sequence = 0, .dims = 2});
    samples.before_type = samples.after_type = {.name = "float32", .rounding = 0x1p-24, .least = 0x1p-150};
    return fit_of({.count = 2}, samples, testing::infinity).misfit;
  };
  CHECK(misfit(24, 1, 1) > 0);
  CHECK(misfit(48, 1, 1) == 0);
  CHECK(misfit(1, 4, 1) > 0);
  CHECK(misfit(1, 8, 1) == 0);
}

TEST_CASE("thresholds: how many pairings are explained", "[diagnosis]") {
  // Each pair is as long as it was, by any pairing of the first eight dimensions or more.
  const std::vector<double> before(16, 0.5);
  std::vector<double> after(before);
  for (std::size_t i = 0; i < 8; ++i) after[i] = -0.5;
  HeadSamples samples = gather({before, {1, 16}}, {after, {1, 16}}, {.sequence = 0, .dims = 1});
  samples.before_type = samples.after_type = {.name = "float32", .rounding = 0x1p-24, .least = 0x1p-150};
  const posenc::Expectation nothing;
  CHECK(best_pairings({.expected = &nothing, .positions = {}}, samples).size() == 5);
}

TEST_CASE("thresholds: what pairings and forms of caches cost", "[diagnosis]") {
  CHECK(pairing_cost({.count = 8}, {}, 64) == pairing_cost({.count = 16}, {}, 64) + 2);
  const std::vector<double> values{1, 0, 1, 0, 0.6, 0.8, 0.8, 0.6};
  const posenc::CacheSamples samples{.cosines = {values, {2, 4}}, .sines = {}, .positions = {}};
  for (const CacheView& view : value_of(cache_views(samples, 2)))
    if (view.sequence_axis == 0 && view.form.starts_with("ggml")) CHECK(view.misfit == (view.form == "ggml" ? 0 : 2));
}

TEST_CASE("thresholds: positions are read up to 4096 turns of the slowest pair", "[diagnosis]") {
  const RotationHypothesis hypothesis = hypothesis_of(4, 3);
  const double position = 31000;
  PairRotations rotations{.tokens = 1, .pairs = 2, .cosines = {}, .sines = {}, .units = {1e-12, 1e-12}};
  for (const double frequency : {1.0, 1 / std::sqrt(3.0)}) {
    rotations.cosines.push_back(std::cos(position * frequency));
    rotations.sines.push_back(std::sin(position * frequency));
  }
  for (const auto& [farthest, is_read] : {std::pair{40000.0, true}, std::pair{50000.0, false}}) {
    auto reader = value_of(PositionReader::make(hypothesis, AngleArithmetic::exact, farthest));
    CHECK(value_of(reader.read(rotations, 0, {}, 0, 0)).has_value() == is_read);
  }
}
