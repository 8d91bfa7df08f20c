#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "diagnosis/mutants/bias_generator.hpp"
#include "diagnosis/verdict_counts.hpp"
#include "posenc/diagnosis/bias_diagnosis.hpp"
#include "testing/testing.hpp"

using bias_generator::Matrix;
using bias_generator::Real;
using posenc::BiasExpectation;
using posenc::Mistake;
using testing::value_of;
using testing::VerdictCounts;

namespace {

/// A bias that is wrong in known ways.
struct BiasCase {
  Matrix matrix;
  BiasExpectation expected;
  std::vector<Mistake> mistakes{};
  // ALiBi.
  std::vector<Real> exponents{};
  Real factor = 1, sign = 1;
  bool linear = false;
  // Learned ones and KERPLE.
  std::int64_t buckets = 32, max_distance = 128;
  bool bidirectional = true, power = false, reversed = false;
};

/// One way to go wrong; false where it makes no difference.
using BiasChange = std::function<bool(BiasCase&)>;

void make_shift(BiasCase& each, std::int64_t by) {
  each.matrix.bias_query += by;
  each.mistakes.push_back(Mistake::first_position);
}

bool mask(BiasCase& each) {
  each.matrix.masked = true;
  each.mistakes.push_back(Mistake::causal);
  return !each.linear;
}

bool rotation(BiasCase& each) {
  each.sign = -1;
  each.mistakes.push_back(Mistake::sign);
  return true;
}

std::vector<std::vector<BiasChange>> alibi_changes() {
  const auto slopes = [](const std::string& rule, std::size_t heads, std::int64_t first, Real steepness) {
    return [=](BiasCase& each) {
      const auto count = static_cast<std::size_t>(each.matrix.heads);
      auto made = bias_generator::exponents(rule, heads == 0 ? count : heads, steepness);
      made.erase(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(first));
      if (made.size() < count) return false;
      made.resize(count);
      if (made == each.exponents) return false;
      each.exponents = made;
      each.mistakes.push_back(Mistake::slopes);
      return true;
    };
  };
  return {
      {slopes("geometric", 0, 0, 8), slopes("geometric", 16, 0, 8), slopes("geometric", 128, 0, 8),
       slopes("paper", 0, 0, 16), slopes("paper", 0, 0, 4),
       // One device has computed the slopes as though its heads were all.
       [](BiasCase& each) {
         each.expected.heads = 4 * each.matrix.heads;
         each.expected.first_head = 2 * each.matrix.heads;
         each.mistakes.push_back(Mistake::slopes);
         return true;
       }},
      {rotation},
      {[](BiasCase& each) {
        each.linear = true;
        each.mistakes.push_back(Mistake::distance);
        return !each.matrix.masked;
      }},
      {mask},
      {[](BiasCase& each) {
         each.factor = 1 / std::sqrt(Real(96));
         each.mistakes.push_back(Mistake::factor_other);
         return true;
       },
       [](BiasCase& each) {
         each.factor = 1 / std::log(Real(2));
         each.mistakes.push_back(Mistake::factor_other);
         return true;
       }},
      {[](BiasCase& each) { return make_shift(each, -each.matrix.first_query), true; },
       [](BiasCase& each) { return make_shift(each, 1), true; }},
  };
}

std::vector<std::vector<BiasChange>> kerple_changes() {
  return {{rotation},
          {mask},
          {[](BiasCase& each) {
            each.power = !each.power;
            each.mistakes.push_back(Mistake::distance);
            return true;
          }},
          {[](BiasCase& each) { return make_shift(each, 1), true; },
           [](BiasCase& each) { return make_shift(each, -each.matrix.first_query), true; }}};
}

std::vector<std::vector<BiasChange>> t5_changes() {
  const auto numbers = [](std::int64_t buckets, std::int64_t max_distance, bool exchange) {
    return [=](BiasCase& each) {
      if (exchange) each.bidirectional = !each.bidirectional;
      if (!exchange) each.buckets = buckets, each.max_distance = max_distance;
      each.mistakes.push_back(Mistake::buckets);
      return true;
    };
  };
  return {{numbers(64, 128, false), numbers(32, 64, false), numbers(0, 0, true), numbers(64, 256, false),
           numbers(32, 256, false)},
          {mask},
          {[](BiasCase& each) {
            each.reversed = true;
            each.mistakes.push_back(Mistake::sign);
            return !each.bidirectional && !each.matrix.masked;
          }},
          {[](BiasCase& each) { return make_shift(each, 1), true; },
           [](BiasCase& each) { return make_shift(each, -3), true; }}};
}

std::vector<std::vector<BiasChange>> clipped_changes() {
  return {{[](BiasCase& each) {
            each.max_distance = each.max_distance == 16 ? 32 : 64;
            each.mistakes.push_back(Mistake::buckets);
            return true;
          }},
          {mask},
          {[](BiasCase& each) { return make_shift(each, 1), true; }}};
}

std::vector<double> values_of(const BiasCase& each) {
  const auto heads = static_cast<std::size_t>(each.matrix.heads);
  return each.matrix.values([&](std::size_t h, std::int64_t d) -> Real {
    const std::int64_t size = d < 0 ? -d : d;
    const auto x = static_cast<Real>(size);
    const std::string& type = each.expected.type;
    if (type == "alibi") {
      // As layers in 16 bits have it: slopes and distances are rounded before they are multiplied.
      Real slope = each.factor * std::exp2(-each.exponents[h]), reach = each.linear ? static_cast<Real>(d) : -x;
      if (h % 2 == 0 && heads == 16) {
        slope = bias_generator::rounded(slope, each.matrix.dtype);
        reach = bias_generator::rounded(reach, each.matrix.dtype);
      }
      return each.sign * slope * reach;
    }
    if (type == "t5")
      return bias_generator::learned(
          3, h, bias_generator::t5_bucket(each.reversed ? -d : d, each.buckets, each.max_distance, each.bidirectional));
    if (type == "clipped") return bias_generator::learned(5, h, std::clamp(d, -each.max_distance, each.max_distance));
    const Real r1 = Real(0.05) + Real(0.37) * static_cast<Real>(h % 5);
    const Real r2 = Real(0.15) + Real(0.31) * static_cast<Real>((3 * h + 1) % 5);
    return -each.sign * r1 * (each.power ? (size == 0 ? 0 : std::pow(x, r2)) : std::log1p(r2 * x));
  });
}

struct BiasTables {
  VerdictCounts alone, pairs;
};

void diagnose(const BiasCase& each, BiasTables& tables) {
  const auto values = values_of(each);
  const auto found = value_of(posenc::diagnose_bias(each.matrix.samples(values), each.expected));
  auto truth = each.mistakes;
  std::ranges::sort(truth);
  auto named = found.explanations.empty() ? std::vector<Mistake>{} : found.explanations[0].mistakes;
  std::ranges::sort(named);
  const bool right = found.verdict != posenc::Verdict::none && named == truth;
  const std::string name = each.expected.type + ": " + testing::names_of(truth);
  (truth.size() < 2 ? tables.alone : tables.pairs).add(name, right, found.verdict);
  UNSCOPED_INFO((right ? "" : "not named: ")
                << (right ? ""
                          : name + ", " + each.matrix.dtype + ", " + std::to_string(each.matrix.heads) +
                                " heads, taken for " + testing::names_of(named)));
}

void diagnose_all(const BiasCase& start, const std::vector<std::vector<BiasChange>>& kinds, BiasTables& tables) {
  diagnose(start, tables);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (const BiasChange& first : kinds[i]) {
      BiasCase one = start;
      if (!first(one)) continue;
      diagnose(one, tables);
      for (std::size_t k = i + 1; k < kinds.size(); ++k)
        for (const BiasChange& second : kinds[k]) {
          BiasCase two = one;
          if (second(two)) diagnose(two, tables);
        }
    }
}

BiasTables all_cases(const std::string& dtype) {
  BiasTables tables;
  for (const std::int64_t heads : {8, 12, 16, 40, 112}) {
    BiasCase start{.matrix = {.heads = heads, .queries = 12, .keys = 28, .dtype = dtype},
                   .expected = {.type = "alibi"}};
    start.exponents = bias_generator::exponents("paper", static_cast<std::size_t>(heads), 8);
    diagnose_all(start, alibi_changes(), tables);
  }
  for (const bool power : {false, true}) {
    BiasCase start{.matrix = {.heads = 5, .queries = 24, .keys = 40, .dtype = dtype},
                   .expected = {.type = power ? "kerple-power" : "kerple-log"}};
    start.power = power;
    diagnose_all(start, kerple_changes(), tables);
  }
  for (const std::int64_t buckets : {32, 16})
    for (const bool bidirectional : {true, false}) {
      BiasCase start{
          .matrix = {.heads = 4, .queries = 150, .keys = 150, .dtype = dtype, .first_query = 0, .bias_query = 0},
          .expected = {.type = "t5"}};
      start.buckets = start.expected.buckets = buckets;
      start.max_distance = start.expected.max_distance = buckets == 32 ? 128 : 64;
      start.bidirectional = start.expected.bidirectional = bidirectional;
      if (buckets == 16) start.expected.max_distance = start.max_distance = 100;
      diagnose_all(start, t5_changes(), tables);
    }
  for (const std::int64_t most : {16, 128}) {
    BiasCase start{
        .matrix = {.heads = 4, .queries = 150, .keys = 150, .dtype = dtype, .first_query = 0, .bias_query = 0},
        .expected = {.type = "clipped"}};
    start.max_distance = start.expected.max_distance = most;
    diagnose_all(start, clipped_changes(), tables);
  }
  return tables;
}

}  // namespace

TEST_CASE("diagnose_bias: mistakes alone and in pairs are named first", "[diagnosis][bias]") {
  for (const std::string dtype : {"float32", "bfloat16"}) {
    const BiasTables tables = all_cases(dtype);
    const double least = dtype == "float32" ? 0.99 : 0.95;
    INFO(dtype << ": alone " << tables.alone.share() << ", pairs " << tables.pairs.share());
    CHECK(tables.alone.share() >= least);
    CHECK(tables.pairs.share() >= least);
    CHECK(tables.alone.certainly_wrong() == 0);
    CHECK(tables.pairs.certainly_wrong() == 0);
  }
}

TEST_CASE("diagnose_bias: the table of mistakes and verdicts", "[.confusion]") {
  for (const std::string dtype : {"float32", "float16", "bfloat16"}) {
    const BiasTables tables = all_cases(dtype);
    std::printf("Biases in %s, mistakes alone:\n\n%s\nIn pairs:\n\n%s\n", dtype.c_str(), tables.alone.table().c_str(),
                tables.pairs.table().c_str());
  }
}
