#include "posenc/diagnosis/cache_diagnosis.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/mutants/made_rotation.hpp"
#include "testing/testing.hpp"

using posenc::Mistake;
using posenc::Verdict;
using testing::Stored;
using testing::value_of;

namespace {

/// Cosines and sines, one array each or both in the first.
struct MadeCache {
  std::vector<double> cosines, sines;
  std::vector<std::int64_t> shape;
};

MadeCache make_cache(const testing::MadeRotation& made, std::string_view form, std::size_t tokens, Stored stored) {
  const std::size_t pairs = made.count / 2;
  MadeCache cache;
  const bool one_array = form != "onnx" && form != "huggingface" && form != "huggingface-interleaved";
  const std::size_t row = form == "onnx" ? pairs : 2 * pairs;
  cache.shape = {static_cast<std::int64_t>(tokens), static_cast<std::int64_t>(row)};
  for (std::size_t token = 0; token < tokens; ++token)
    for (std::size_t i = 0; i < row; ++i) {
      const bool alternates = form == "huggingface-interleaved" || form.starts_with("ggml");
      const std::size_t pair = form == "onnx" ? i : alternates ? i / 2 : i % pairs;
      const testing::PairRotation rotation = rotation_of(made, pair, static_cast<double>(token));
      const double cosine = rounded(static_cast<double>(rotation.cosine), stored);
      const double sine = rounded(static_cast<double>(rotation.sine), stored);
      const bool second = alternates ? i % 2 == 1 : i >= pairs;
      const bool is_sine = one_array && second != form.ends_with("sines-first");
      cache.cosines.push_back(is_sine ? sine : cosine);
      if (!one_array) cache.sines.push_back(sine);
    }
  return cache;
}

posenc::CacheSamples samples_of(const MadeCache& cache) {
  posenc::CacheSamples samples{.cosines = {cache.cosines, cache.shape}, .sines = {}, .positions = {}};
  if (!cache.sines.empty()) samples.sines = {cache.sines, cache.shape};
  return samples;
}

const posenc::FoundRotation& found_in_cache(const posenc::Diagnosis& diagnosis) {
  return std::get<posenc::FoundRotation>(diagnosis.explanations.at(0).found);
}

const posenc::Expectation& plan(std::string_view name) {
  static const std::vector<testing::KnownPlan> plans = testing::known_plans();
  for (const testing::KnownPlan& each : plans)
    if (each.name == name) return each.expected;
  FAIL("no plan of that name");
  return plans[0].expected;
}

}  // namespace

TEST_CASE("caches in every form and type are found to be right", "[diagnosis]") {
  const posenc::Expectation& expected = plan("NTK");
  const auto made = testing::make_rotation(expected, {});
  for (const char* const form :
       {"onnx", "huggingface", "huggingface-interleaved", "ggml", "joined", "ggml-sines-first", "joined-sines-first"})
    for (const Stored stored : {Stored::float32, Stored::float16, Stored::bfloat16}) {
      CAPTURE(form, stored);
      const MadeCache cache = make_cache(*made, form, 300, stored);
      const posenc::Diagnosis seen = value_of(diagnose_cache(samples_of(cache), expected));
      REQUIRE(!seen.explanations.empty());
      CHECK(found_in_cache(seen).form == form);
      CHECK(testing::names_of(seen.explanations[0].mistakes) == "none");
      CHECK(seen.verdict != Verdict::none);
      CHECK(seen.explanations[0].units <= 8);
      CHECK(seen.axes == std::vector<std::int64_t>{0, 1});
    }
}

TEST_CASE("of a large cache fast pairs and slow ones are measured", "[diagnosis]") {
  // By no hypothesis, so that none follows from others: the fast ones by neighbours, the slow ones by tokens far apart.
  // Evenly spread, all of 48 tokens would be multiples of 63.
  testing::MadeRotation made = *testing::make_rotation(plan("Llama 2"), {});
  for (std::size_t i = 0; i < made.frequencies.size(); ++i) made.frequencies[i] *= 1 + 0.01L * (i * i % 7);
  made.frequencies[0] = 2.9L;
  const MadeCache cache = make_cache(made, "onnx", 47 * 63 + 1, Stored::float32);
  const posenc::Diagnosis seen = value_of(diagnose_cache(samples_of(cache), {}));
  CHECK(seen.verdict != Verdict::none);
  const auto* given = std::get_if<posenc::scaling::Given>(&found_in_cache(seen).hypothesis.plan.scaling);
  REQUIRE(given != nullptr);
  for (std::size_t i = 0; i < made.frequencies.size(); ++i)
    CHECK(std::fabs(given->frequencies[i] - static_cast<double>(made.frequencies[i])) * 3000 < 0.01);
}

TEST_CASE("a cache may be transposed, stacked, or repeated for heads", "[diagnosis]") {
  const posenc::Expectation& expected = plan("Llama 2");
  const auto made = testing::make_rotation(expected, {});
  const auto check = [&](const posenc::CacheSamples& samples, std::string_view form, std::vector<std::int64_t> axes) {
    const posenc::Diagnosis seen = value_of(diagnose_cache(samples, expected));
    REQUIRE(!seen.explanations.empty());
    CHECK(found_in_cache(seen).form == form);
    CHECK(seen.axes == axes);
    CHECK(testing::names_of(seen.explanations[0].mistakes) == "none");
    CHECK(seen.verdict != Verdict::none);
  };
  const MadeCache pairs = make_cache(*made, "onnx", 50, Stored::float32);
  const testing::Permuted cosines = testing::permuted(pairs.cosines, pairs.shape, std::vector<std::size_t>{1, 0});
  const testing::Permuted sines = testing::permuted(pairs.sines, pairs.shape, std::vector<std::size_t>{1, 0});
  check({.cosines = {cosines.values, cosines.shape}, .sines = {sines.values, sines.shape}, .positions = {}}, "onnx",
        {1, 0});

  const MadeCache complex = make_cache(*made, "ggml", 50, Stored::float32);
  check({.cosines = {complex.cosines, {50, 64, 2}}, .sines = {}, .positions = {}}, "ggml", {0, 1});

  std::vector<double> twice(pairs.cosines), twice_sines(pairs.sines);
  twice.insert(twice.end(), pairs.cosines.begin(), pairs.cosines.end());
  twice_sines.insert(twice_sines.end(), pairs.sines.begin(), pairs.sines.end());
  check({.cosines = {twice, {2, 50, 64}}, .sines = {twice_sines, {2, 50, 64}}, .positions = {}}, "onnx", {1, 2});
}

TEST_CASE("a cache of another number of pairs than was expected", "[diagnosis]") {
  posenc::Expectation half = plan("Llama 2");
  const MadeCache cache = make_cache(*testing::make_rotation(half, {}), "ggml", 200, Stored::float32);
  half.plan->rotary_dim = 64;
  const posenc::Diagnosis seen = value_of(diagnose_cache(samples_of(cache), half));
  CHECK(testing::names_of(seen.explanations.at(0).mistakes) == "rotary-dim");
  CHECK(found_in_cache(seen).hypothesis.plan.rotary_dim == 128);
}

TEST_CASE("rows of a cache that is given without positions are those of 0, 1, 2, ...", "[diagnosis]") {
  const posenc::Expectation& expected = plan("Llama 2");
  MadeCache cache = make_cache(*testing::make_rotation(expected, {}), "onnx", 64, Stored::float32);
  const auto row = static_cast<std::size_t>(cache.shape[1]);
  for (std::vector<double>* const values : {&cache.cosines, &cache.sines})
    for (std::size_t token = 41; token < 64; ++token)
      for (std::size_t i = 0; i < row; ++i) (*values)[token * row + i] = (*values)[40 * row + i];
  const posenc::Diagnosis seen = value_of(diagnose_cache(samples_of(cache), expected));
  CHECK(testing::names_of(seen.explanations.at(0).mistakes) == "positions-clamped");
  CHECK(found_in_cache(seen).positions.amount == 40);
  CHECK(found_in_cache(seen).positions.tokens == std::vector<std::int64_t>{40});
}

TEST_CASE("a random cache, and one whose copies differ, are nothing known", "[diagnosis]") {
  const posenc::Expectation& expected = plan("Llama 2");
  MadeCache cache = make_cache(*testing::make_rotation(expected, {}), "huggingface", 64, Stored::float32);
  cache.cosines = testing::random_vectors(cache.cosines.size(), 3, Stored::float32);
  CHECK(value_of(diagnose_cache(samples_of(cache), expected)).verdict == Verdict::none);
  CHECK(value_of(diagnose_cache(samples_of(cache), {})).verdict == Verdict::none);
}

TEST_CASE("a cache is searched by some tokens, and its explanation checked by all", "[diagnosis]") {
  const posenc::Expectation& expected = plan("Llama 2");
  const MadeCache right = make_cache(*testing::make_rotation(expected, {}), "huggingface", 300, Stored::float32);
  CHECK(value_of(diagnose_cache(samples_of(right), expected)).verdict == Verdict::certain);
  struct Damage {
    std::size_t first, end, dimension;
  };
  // The end of it; one token that is not looked at, and one that is: its first number, and a copy.
  for (const auto& [first, end, dimension] :
       {Damage{200, 300, 3}, Damage{201, 202, 3}, Damage{201, 202, 127}, Damage{5, 6, 3}, Damage{5, 6, 127}}) {
    CAPTURE(first, end, dimension);
    MadeCache wrong = right;
    for (std::size_t token = first; token < end; ++token) wrong.sines[token * 128 + dimension] += 0.25;
    for (const posenc::Expectation& each : {expected, posenc::Expectation{}}) {
      const posenc::Diagnosis seen = value_of(diagnose_cache(samples_of(wrong), each));
      CHECK(seen.verdict == Verdict::none);
      CHECK((seen.explanations.empty() || seen.explanations[0].units > 8));
    }
  }
}

TEST_CASE("what a cache cannot be is an error", "[diagnosis]") {
  const std::vector<double> values(12, 0.5), positions{0, 1, 2, 3, 4};
  const auto diagnosed = [&](const posenc::CacheSamples& samples) { return posenc::diagnose_cache(samples, {}); };
  testing::require_error(diagnosed({.cosines = {values, {3, 4}}, .sines = {values, {4, 3}}, .positions = {}}),
                         "sin.shape", "2");
  testing::require_error(diagnosed({.cosines = {values, {3, 5}}, .sines = {}, .positions = {}}), "cosSin.data", "12");
  testing::require_error(diagnosed({.cosines = {values, {3, 4}}, .sines = {values, {3, 4}}, .positions = positions}),
                         "positions", "5");
  std::vector<double> broken = values;
  broken[7] = testing::infinity;
  testing::require_error(diagnosed({.cosines = {values, {3, 4}}, .sines = {broken, {3, 4}}, .positions = {}}),
                         "sin.data[7]", "inf");
}
