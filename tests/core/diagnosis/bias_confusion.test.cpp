#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "diagnosis/mutants/bias_generator.hpp"
#include "diagnosis/verdict_counts.hpp"
#include "posenc/diagnosis/bias_diagnosis.hpp"
#include "testing/testing.hpp"

// Every change alone and every pair of changes, made by formulas of the tests' own, and a judge that counts by plain
// loops which of these make a sample.

using bias_generator::Matrix;
using bias_generator::Real;
using posenc::BiasExpectation;
using posenc::Mistake;
using posenc::Verdict;
using testing::value_of;

namespace {

/// A bias that is wrong in known ways.
struct BiasCase {
  Matrix matrix;
  BiasExpectation expected;
  std::vector<float> table{};  ///< [buckets, heads] of T5
  std::vector<Mistake> mistakes{};
  std::vector<Real> exponents{};
  Real factor = 1, sign = 1;
  int reach = 0;  ///< 0: symmetric, 1: linear, 2: flat
  std::int64_t buckets = 32, max_distance = 128;
  bool bidirectional = true, is_exchanged = false;

  [[nodiscard]] Real at(std::size_t head, std::int64_t d) const {
    if (expected.type == "alibi") {
      const auto x = static_cast<Real>(d < 0 ? -d : d);
      const Real reached = reach == 0 ? -x : reach == 1 ? static_cast<Real>(d) : d < 0 ? -x : 0;
      return sign * factor * std::exp2(-exponents[head]) * reached;
    }
    const std::int64_t id = bias_generator::t5_bucket(is_exchanged ? -d : d, buckets, max_distance, bidirectional);
    if (table.empty()) return bias_generator::learned(3, head, id);
    return sign * factor * static_cast<Real>(table[static_cast<std::size_t>(id * matrix.heads) + head]);
  }
  [[nodiscard]] std::vector<double> values() const {
    return matrix.values([&](std::size_t h, std::int64_t d) { return at(h, d); });
  }
  /// What it makes of another distance; what is masked is one number.
  [[nodiscard]] Real elsewhere(std::size_t head, std::int64_t d) const {
    return matrix.masked && d > 0 ? -1e6L : at(head, d + matrix.first_query - matrix.bias_query);
  }
};

using BiasChange = std::function<void(BiasCase&)>;
/// Changes by the part that they change.
using Parts = std::vector<std::vector<BiasChange>>;

BiasChange named(Mistake mistake, BiasChange change) {
  return [=](BiasCase& each) {
    change(each);
    if (std::ranges::find(each.mistakes, mistake) == each.mistakes.end()) each.mistakes.push_back(mistake);
  };
}

void add_shared(Parts& parts, const Matrix& matrix, Mistake factor_name) {
  parts.push_back({named(Mistake::sign, [](BiasCase& each) { each.sign = -1; })});
  parts.push_back({named(Mistake::causal, [](BiasCase& each) { each.matrix.masked = !each.matrix.masked; })});
  auto& factors = parts.emplace_back();
  for (const Real factor : {1 / std::sqrt(Real(96)), 1 / std::log(Real(2)), Real(2), Real(0.5), std::sqrt(Real(64))})
    factors.push_back(named(factor_name, [=](BiasCase& each) { each.factor = factor; }));
  auto& places = parts.emplace_back();
  for (const std::int64_t by : {std::int64_t{1}, std::int64_t{-1}, std::int64_t{-3}, -matrix.first_query})
    if (by != 0)
      places.push_back(named(Mistake::first_position, [=](BiasCase& each) { each.matrix.bias_query += by; }));
}

Parts alibi_parts(const BiasCase& right) {
  const auto heads = static_cast<std::size_t>(right.matrix.heads);
  Parts parts(1);
  for (const std::string rule : {"paper", "geometric"})
    for (const Real steepness : {Real(8), Real(16), Real(4)})
      for (const std::size_t of : {heads, std::size_t{16}, 2 * heads}) {
        auto made = bias_generator::exponents(rule, of, steepness);
        if (made.size() < heads) continue;
        made.resize(heads);
        if (made != right.exponents && (steepness == 8 || of == heads))
          parts[0].push_back(named(Mistake::slopes, [=](BiasCase& each) { each.exponents = made; }));
      }
  parts.emplace_back();
  for (const int reach : {1, 2})
    parts[1].push_back(named(Mistake::distance, [=](BiasCase& each) { each.reach = reach; }));
  add_shared(parts, right.matrix, Mistake::factor_other);
  return parts;
}

Parts t5_parts(const BiasCase& right) {
  Parts parts(2);
  for (const std::int64_t length : {20, 64, 256, 512})
    parts[0].push_back(named(Mistake::buckets, [=](BiasCase& each) { each.max_distance = length; }));
  for (const std::int64_t buckets : {16, 24})
    parts[0].push_back(named(Mistake::buckets, [=](BiasCase& each) { each.buckets = buckets; }));
  parts[0].push_back(named(Mistake::buckets, [](BiasCase& each) { each.bidirectional = !each.bidirectional; }));
  parts[1].push_back(named(Mistake::sign, [](BiasCase& each) { each.is_exchanged = true; }));
  add_shared(parts, right.matrix, Mistake::amplitude);
  return parts;
}

std::vector<BiasCase> all_of(const BiasCase& right, const Parts& parts) {
  std::vector<BiasCase> made{right};
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (const BiasChange& first : parts[i]) {
      BiasCase one = right;
      first(one);
      made.push_back(one);
      for (std::size_t k = i + 1; k < parts.size(); ++k)
        for (const BiasChange& second : parts[k]) {
          BiasCase two = one;
          second(two);
          made.push_back(two);
        }
    }
  return made;
}

/// Half a last bit of the type, and five roundings of float32, of which one is that of a slope.
double interval(double value, const std::string& dtype, double roundings = 5) {
  const int digits = dtype == "bfloat16" ? 8 : dtype == "float16" ? 11 : 24;
  if (value == 0) return 0;
  return std::ldexp(1.0, std::ilogb(value) - digits) + roundings * std::ldexp(std::fabs(value), -24);
}

/// Whether another case makes these values, and others elsewhere.
bool is_rival(const BiasCase& truth, const std::vector<double>& values, const BiasCase& other,
              const std::vector<double>& made) {
  const auto heads = static_cast<std::size_t>(truth.matrix.heads);
  for (std::size_t at = 0; at < values.size(); ++at)
    if (values[at] != made[at] &&
        !(std::isfinite(made[at]) && std::fabs(values[at] - made[at]) <= interval(made[at], truth.matrix.dtype)))
      return false;
  for (std::size_t head = 0; head < heads; ++head)
    for (const std::int64_t d :
         {-3000, -300, -170, -90, -60, -40, -25, -14, -9, -3, -1, 0, 1, 2, 5, 12, 30, 100, 700}) {
      const Real one = truth.elsewhere(head, d), two = other.elsewhere(head, d);
      if (std::fabs(one - two) > 1e-5L * std::fabs(one)) return true;
    }
  return false;
}

void check_all(const BiasCase& right, const Parts& parts) {
  const std::vector<BiasCase> all = all_of(right, parts);
  std::vector<std::vector<double>> made;
  for (const BiasCase& each : all) made.push_back(each.values());
  std::size_t certain = 0, named_first = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const BiasCase& each = all[i];
    const std::vector<double>& values = made[i];
    const auto found = value_of(posenc::diagnose_bias(each.matrix.samples(values), right.expected));
    auto truth = each.mistakes;
    std::ranges::sort(truth);
    const auto is_truth = [&](const posenc::Explanation& one) {
      auto mistakes = one.mistakes;
      std::ranges::sort(mistakes);
      return mistakes == truth;
    };
    const bool is_first = !found.explanations.empty() && is_truth(found.explanations[0]);
    INFO(right.expected.type << ", " << right.matrix.dtype << ", " << right.matrix.heads << " heads, "
                             << testing::names_of(truth) << ": " << name_of(found.verdict) << " "
                             << (found.explanations.empty() ? "" : testing::names_of(found.explanations[0].mistakes)));
    named_first += is_first ? 1 : 0;
    // The list is cut off where too many explain it. Fewer mistakes come first, and of those that make the same numbers
    // everywhere one is named.
    const bool is_named = std::ranges::any_of(found.explanations, is_truth) || found.explanations.size() == 8 ||
                          (!found.explanations.empty() && found.explanations[0].mistakes.size() <= truth.size());
    CHECK(is_named);
    if (found.verdict != Verdict::certain) continue;
    ++certain;
    std::size_t rivals = 0;
    for (std::size_t k = 0; k < all.size(); ++k) rivals += is_rival(each, values, all[k], made[k]) ? 1 : 0;
    CHECK(rivals == 0);
    if (!found.explanations[0].mistakes.empty()) continue;
    const std::vector<double>& meant = made[0];
    for (std::size_t at = 0; at < values.size(); ++at)
      REQUIRE((values[at] == meant[at] ||
               std::fabs(values[at] - meant[at]) <= interval(meant[at], right.matrix.dtype, 40)));
  }
  INFO(certain << " certain, " << named_first << " named first of " << all.size());
  // Few keys do not show much.
  if (right.matrix.keys > 8) CHECK(4 * named_first >= 3 * all.size());
}

BiasCase alibi_case(std::int64_t heads, const std::string& dtype) {
  BiasCase right{.matrix = {.heads = heads, .queries = 7, .keys = 23, .dtype = dtype}, .expected = {.type = "alibi"}};
  right.exponents = bias_generator::exponents("paper", static_cast<std::size_t>(heads), 8);
  return right;
}

BiasCase t5_case(const std::string& dtype, std::int64_t length, bool bidirectional, std::vector<float>& table) {
  BiasCase right{
      .matrix = {.heads = 2, .queries = length, .keys = length, .dtype = dtype, .first_query = 0, .bias_query = 0},
      .expected = {.type = "t5", .bidirectional = bidirectional}};
  right.bidirectional = bidirectional;
  for (std::int64_t at = 0; at < 64; ++at)
    table.push_back(static_cast<float>(bias_generator::learned(5, static_cast<std::size_t>(at % 2), at / 2)) - 2);
  right.table = table;
  right.expected.table = table;
  return right;
}

}  // namespace

TEST_CASE("diagnose_bias: changes of ALiBi, alone and in pairs, and no second explanation of what is certain",
          "[diagnosis][bias]") {
  for (const char* const dtype : {"float32", "float16", "bfloat16"})
    for (const std::int64_t heads : {8, 12}) {
      const BiasCase right = alibi_case(heads, dtype);
      check_all(right, alibi_parts(right));
    }
}

TEST_CASE("diagnose_bias: changes of T5's bias of a table, alone and in pairs, and no second explanation",
          "[diagnosis][bias]") {
  for (const bool bidirectional : {true, false})
    for (const std::int64_t length : {8, 40}) {
      std::vector<float> table;
      const BiasCase right = t5_case(length == 8 ? "float32" : "bfloat16", length, bidirectional, table);
      check_all(right, t5_parts(right));
    }
}

TEST_CASE("diagnose_bias: one value that is off by more than its interval is never as expected", "[diagnosis][bias]") {
  std::vector<float> table;
  for (const char* const dtype : {"float32", "float16", "bfloat16"})
    for (const BiasCase& right : {alibi_case(8, dtype), t5_case(dtype, 20, true, table = {})})
      for (const bool masked : {false, true}) {
        BiasCase each = right;
        each.matrix.masked = each.expected.causal = masked;
        if (each.expected.type == "t5") each.expected.table = each.table;
        const std::vector<double> values = each.values();
        testing::Generator generator(5);
        for (int k = 0; k < 60; ++k) {
          std::vector<double> moved = values;
          const std::size_t at =
              static_cast<std::size_t>(std::fabs(generator.fraction()) * static_cast<double>(moved.size() - 1));
          if (!std::isfinite(moved[at])) continue;
          // A value of these was rounded by half a last bit at most, and is now at least one away.
          moved[at] += (k % 2 == 0 ? 2.1 : -2.1) * std::max(interval(moved[at], dtype, 16), 0x1p-24);
          const auto found = value_of(posenc::diagnose_bias(each.matrix.samples(moved), each.expected));
          INFO(each.expected.type << ", " << dtype << ", " << at << ": " << values[at] << " for " << moved[at]);
          const bool is_expected = std::ranges::any_of(
              found.explanations, [](const posenc::Explanation& one) { return one.mistakes.empty(); });
          CHECK(!is_expected);
          CHECK(found.verdict != Verdict::certain);
        }
      }
}
