#include "posenc/diagnosis/bias_diagnosis.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "diagnosis/mutants/bias_generator.hpp"
#include "diagnosis/mutants/made_rotation.hpp"
#include "posenc/relative/swin.hpp"
#include "testing/testing.hpp"

// Every change alone and pairs of changes, made by formulas of the tests' own, and a judge that counts by plain loops
// which of these make a sample.

using bias_generator::Matrix;
using bias_generator::Real;
using posenc::BiasExpectation;
using posenc::Diagnosis;
using posenc::FoundBias;
using posenc::Mistake;
using posenc::Verdict;
using testing::require_error;
using testing::value_of;
using Mistakes = std::vector<Mistake>;

namespace {

const FoundBias& bias_of(const Diagnosis& diagnosis) { return std::get<FoundBias>(diagnosis.explanations.at(0).found); }

/// The verdict, and the first explanation's mistakes.
void check(const Diagnosis& found, Verdict verdict, const Mistakes& mistakes) {
  for (const auto& each : found.explanations) UNSCOPED_INFO(testing::names_of(each.mistakes));
  CHECK(found.verdict == verdict);
  CHECK((found.explanations.empty() ? Mistakes{} : found.explanations[0].mistakes) == mistakes);
}

Diagnosis diagnosed(const Matrix& matrix, const std::vector<double>& values, const BiasExpectation& expected = {}) {
  return value_of(posenc::diagnose_bias(matrix.samples(values), expected));
}

Real slope_times(Real exponent, std::int64_t d) { return -std::exp2(-exponent) * static_cast<Real>(d < 0 ? -d : d); }

/// slope * -|d|, slopes by a rule.
std::vector<double> alibi(const Matrix& matrix, const std::string& rule = "paper", Real factor = 1) {
  const auto powers = bias_generator::exponents(rule, static_cast<std::size_t>(matrix.heads), 8);
  return matrix.values([&](std::size_t h, std::int64_t d) { return factor * slope_times(powers[h], d); });
}

std::vector<double> t5(const Matrix& matrix, std::int64_t buckets, std::int64_t max_distance, bool bidirectional) {
  return matrix.values([&](std::size_t h, std::int64_t d) {
    return bias_generator::learned(7, h, bias_generator::t5_bucket(d, buckets, max_distance, bidirectional));
  });
}

Matrix square(std::int64_t heads, std::int64_t length, const std::string& dtype = "float32") {
  return {.heads = heads, .queries = length, .keys = length, .dtype = dtype, .first_query = 0, .bias_query = 0};
}

std::vector<float> learned_table(std::int64_t rows, std::int64_t heads) {
  std::vector<float> table;
  for (std::int64_t at = 0; at < rows * heads; ++at)
    table.push_back(static_cast<float>(bias_generator::learned(5, static_cast<std::size_t>(at % heads), at / heads)) -
                    2);
  return table;
}

/// A bias that is wrong in known ways.
struct BiasCase {
  Matrix matrix;
  BiasExpectation expected;
  std::vector<float> table{};  ///< [buckets, heads] of T5
  Mistakes mistakes{};
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

BiasChange named(Mistake mistake, const BiasChange& change) {
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
  const std::size_t step = all.size() / 24 + 1;
  std::size_t asked = 0;
  // All that is wrong in one way, and some of what is in two.
  for (std::size_t i = 0; i < all.size(); ++i) {
    const BiasCase& each = all[i];
    if (each.mistakes.size() > 1 && i % step != 0) continue;
    ++asked;
    const std::vector<double>& values = made[i];
    const auto found = diagnosed(each.matrix, values, right.expected);
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
  INFO(certain << " certain, " << named_first << " named first of " << asked);
  // Few keys do not show much.
  if (right.matrix.keys > 8) CHECK(4 * named_first >= 3 * asked);
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

TEST_CASE("diagnose_bias: changes alone and in pairs, and no second explanation of what is certain",
          "[diagnosis][bias]") {
  for (const BiasCase& right : {alibi_case(8, "float32"), alibi_case(12, "bfloat16"), alibi_case(8, "float16")})
    check_all(right, alibi_parts(right));
  for (const std::int64_t length : {8, 40}) {
    std::vector<float> table;
    const BiasCase right = t5_case(length == 8 ? "float32" : "bfloat16", length, length == 40, table);
    check_all(right, t5_parts(right));
  }
}

TEST_CASE("diagnose_bias: one value that is off by more than its interval is never as expected", "[diagnosis][bias]") {
  std::vector<float> table;
  testing::Generator generator(5);
  for (const char* const dtype : {"float32", "float16", "bfloat16"})
    for (const BiasCase& right : {alibi_case(8, dtype), t5_case(dtype, 20, true, table = {})})
      for (const bool masked : {false, true}) {
        BiasCase each = right;
        each.matrix.masked = each.expected.causal = masked;
        if (each.expected.type == "t5") each.expected.table = each.table;
        const std::vector<double> values = each.values();
        for (int k = 0; k < 6; ++k) {
          std::vector<double> moved = values;
          const std::size_t at = generator.below(static_cast<std::uint32_t>(moved.size()));
          if (!std::isfinite(moved[at])) continue;
          // A value of these was rounded by half a last bit at most, and is now at least one away.
          moved[at] += (k % 2 == 0 ? 2.1 : -2.1) * std::max(interval(moved[at], dtype, 16), 0x1p-24);
          const Diagnosis found = diagnosed(each.matrix, moved, each.expected);
          INFO(each.expected.type << ", " << dtype << ", " << at << ": " << values[at] << " for " << moved[at]);
          CHECK(std::ranges::none_of(found.explanations, [](const auto& one) { return one.mistakes.empty(); }));
          CHECK(found.verdict != Verdict::certain);
        }
      }
}

TEST_CASE("diagnose_bias: ALiBi of any number of heads, of every type, and of one device", "[diagnosis][bias]") {
  for (const std::int64_t heads : {8, 12, 112})
    for (const std::string rule : {"paper", "mpt"})
      for (const std::string dtype : {"float64", "float32", "float16", "bfloat16"}) {
        Matrix matrix{.heads = heads, .queries = 8, .keys = 24, .dtype = dtype, .masked = rule == "mpt"};
        matrix.mask = heads == 12 ? -65504 : matrix.mask;
        const auto values = alibi(matrix, rule);
        const BiasExpectation expected{.type = "alibi", .slopes = rule, .causal = matrix.masked};
        INFO(heads << " heads, " << rule << ", " << dtype);
        check(diagnosed(matrix, values, expected), Verdict::certain, {});
        check(diagnosed(matrix, values), Verdict::certain, {});
      }
  const auto powers = bias_generator::exponents("paper", 64, 8);
  const Matrix matrix{.heads = 4};
  const auto part = matrix.values([&](std::size_t h, std::int64_t d) { return slope_times(powers[60 + h], d); });
  const BiasExpectation expected{.type = "alibi", .heads = 64, .first_head = 60};
  check(diagnosed(matrix, part, expected), Verdict::certain, {});
  check(diagnosed(matrix, alibi(matrix), expected), Verdict::certain, {Mistake::slopes});
  CHECK(bias_of(diagnosed(matrix, part)).rule_first == 60);
  // What mends a bias.
  const Matrix moved{.heads = 8, .bias_query = 13};
  const Diagnosis found = diagnosed(moved, alibi(moved, "paper", 1 / std::sqrt(Real(96))), {.type = "alibi"});
  check(found, Verdict::certain, {Mistake::first_position, Mistake::factor_other});
  CHECK(found.explanations[0].shift == 3);
  CHECK(found.explanations[0].factor == 1 / (1 / std::sqrt(96.0)));
}

TEST_CASE("diagnose_bias: ALiBi by other steps: slopes of 16 bits, products rounded apart, a constant of each row",
          "[diagnosis][bias]") {
  const auto round = bias_generator::rounded;
  for (const std::string dtype : {"float32", "float16", "bfloat16"})
    for (const std::int64_t heads : {8, 12}) {
      const Matrix matrix{
          .heads = heads, .queries = 5, .keys = 400, .dtype = dtype, .first_query = 395, .bias_query = 395};
      const auto powers = bias_generator::exponents("paper", static_cast<std::size_t>(heads), 8);
      // One value of each head, query and key.
      const auto each = [&](const auto& value) {
        std::vector<double> made;
        for (std::size_t h = 0; h < powers.size(); ++h)
          for (std::int64_t i = 395; i < 400; ++i)
            for (std::int64_t j = 0; j < 400; ++j) made.push_back(round(value(std::exp2(-powers[h]), i, j), dtype));
        return made;
      };
      INFO(dtype << ", " << heads << " heads");
      const auto apart = each([&](Real slope, std::int64_t i, std::int64_t j) {
        const auto product = [&](std::int64_t at) {
          return round(static_cast<Real>(round(slope, "float32")) * static_cast<Real>(at), dtype);
        };
        return -std::fabs(static_cast<Real>(product(j)) - static_cast<Real>(product(i)));
      });
      check(diagnosed(matrix, apart, {.type = "alibi"}), Verdict::certain,
            dtype == "bfloat16" || (heads == 12 && dtype == "float16") ? Mistakes{Mistake::terms_rounded} : Mistakes{});
      if (heads == 12 && dtype == "float32")
        check(diagnosed(matrix, each([&](Real slope, std::int64_t i, std::int64_t j) {
                          return static_cast<Real>(round(slope, "bfloat16")) * -static_cast<Real>(std::abs(j - i));
                        }),
                        {.type = "alibi"}),
              Verdict::certain, {Mistake::slopes_bfloat16});
      // BLOOM's slope * key has the first key at 0, which a list has; other constants it has not.
      for (const std::int64_t start : {0, 7}) {
        const auto keys =
            each([&](Real slope, std::int64_t, std::int64_t j) { return slope * static_cast<Real>(j - start); });
        const Verdict verdict = start == 0 ? Verdict::certain : Verdict::likely;
        const Diagnosis linear = diagnosed(matrix, keys, {.type = "alibi", .distance = "linear"});
        check(linear, verdict, {});
        CHECK(bias_of(linear).up_to_rows);
        check(diagnosed(matrix, keys, {.type = "alibi"}), verdict, {Mistake::distance});
      }
      const auto shifted = each([&](Real slope, std::int64_t i, std::int64_t j) {
        return -slope * static_cast<Real>(std::abs(j - i)) + static_cast<Real>(i % 4) + 1;
      });
      check(diagnosed(matrix, shifted, {.type = "alibi"}), Verdict::likely, {});
    }
}

TEST_CASE("diagnose_bias: numbers that no list has are estimated, and never certain", "[diagnosis][bias]") {
  const Matrix matrix{.heads = 6};
  const Diagnosis factor = diagnosed(matrix, alibi(matrix, "paper", Real(0.43L)), {.type = "alibi"});
  check(factor, Verdict::likely, {Mistake::factor_other});
  CHECK(bias_of(factor).factor == 0.43);
  const auto steep = bias_generator::exponents("paper", 6, 7.3L);
  const auto both = matrix.values([&](std::size_t h, std::int64_t d) { return slope_times(steep[h], d) / 8; });
  check(diagnosed(matrix, both, {.type = "alibi"}), Verdict::likely, {Mistake::slopes, Mistake::factor_other});
  const auto free = matrix.values([](std::size_t h, std::int64_t d) {
    return -(Real(0.013L) + Real(0.31L) * static_cast<Real>(h * h % 7)) * static_cast<Real>(d < 0 ? -d : d);
  });
  const Diagnosis linear = diagnosed(matrix, free, {.type = "alibi"});
  check(linear, Verdict::likely, {Mistake::slopes});
  CHECK(bias_of(linear).slopes[1] == 0.323);
  const auto any = matrix.values([](std::size_t h, std::int64_t d) { return bias_generator::learned(9, h, d); });
  check(diagnosed(matrix, any), Verdict::likely, {});
  CHECK(bias_of(diagnosed(matrix, any)).type == "toeplitz");
  const Matrix longer = square(3, 140);
  const Diagnosis length = diagnosed(longer, t5(longer, 32, 90, false), {.type = "t5", .bidirectional = false});
  check(length, Verdict::likely, {Mistake::buckets});
  CHECK(bias_of(length).parameters == std::vector<double>{32, 90});
}

TEST_CASE("diagnose_bias: KERPLE's parameters are estimated, and certain where they were expected",
          "[diagnosis][bias]") {
  for (const std::string dtype : {"float64", "float32", "bfloat16"})
    for (const bool power : {false, true})
      for (const std::int64_t off : {0, 1}) {
        const Matrix matrix{.heads = 2, .dtype = dtype, .bias_query = 16 + off};
        const auto values = matrix.values([&](std::size_t h, std::int64_t d) {
          const auto x = static_cast<Real>(d < 0 ? -d : d), r2 = Real(0.3L) + static_cast<Real>(h);
          return -Real(0.7L) * (power ? (d == 0 ? 0 : std::pow(x, r2)) : std::log1p(r2 * x));
        });
        INFO(dtype << (power ? ", power, " : ", logarithmic, ") << off);
        BiasExpectation expected{.type = power ? "kerple-power" : "kerple-log"};
        const Mistakes mistakes = off == 0 ? Mistakes{} : Mistakes{Mistake::first_position};
        const Diagnosis found = diagnosed(matrix, values, expected);
        check(found, Verdict::likely, mistakes);
        if (dtype != "bfloat16") CHECK(std::fabs(bias_of(found).parameters[3] - 1.3) < 1e-4);
        expected.parameters = {0.7, 0.3, 0.7, 1.3};
        check(diagnosed(matrix, values, expected), Verdict::certain, mistakes);
        expected.type = power ? "kerple-log" : "kerple-power";
        if (off == 0) check(diagnosed(matrix, values, expected), Verdict::certain, {Mistake::distance});
        expected.parameters = {0.3, 0.7, 1.3, 0.7};
        expected.type = power ? "kerple-power" : "kerple-log";
        if (off == 0) check(diagnosed(matrix, values, expected), Verdict::certain, {Mistake::distance});
      }
}

TEST_CASE("diagnose_bias: what a sample cannot show is not certain, and what would tell is named",
          "[diagnosis][bias]") {
  // One row of a query does not show what keys after it have.
  const Matrix row{.heads = 8, .queries = 1, .keys = 20, .first_query = 19, .bias_query = 19};
  const Diagnosis found = diagnosed(row, alibi(row), {.type = "alibi"});
  check(found, Verdict::ambiguous, {});
  CHECK(found.tells == std::vector<std::string_view>{"keys"});
  check(diagnosed(row, alibi(row)), Verdict::certain, {});  // nothing was expected of them
  CHECK(bias_of(diagnosed(row, alibi(row))).distance.empty());
  // Buckets without a table show where values change; of two sides only the table says which is which.
  const Matrix longer = square(3, 140), shorter = square(3, 40);
  const BiasExpectation causal{.type = "t5", .bidirectional = false};
  check(diagnosed(longer, t5(longer, 32, 128, false), causal), Verdict::certain, {});
  check(diagnosed(longer, t5(longer, 32, 64, false), causal), Verdict::certain, {Mistake::buckets});
  const Diagnosis both = diagnosed(longer, t5(longer, 32, 128, true), {.type = "t5"});
  check(both, Verdict::ambiguous, {});
  CHECK(both.tells == std::vector<std::string_view>{"table"});
  const Diagnosis sided = diagnosed(longer, t5(longer, 32, 128, false), {.type = "t5"});
  CHECK(sided.explanations[0].mistakes == Mistakes{Mistake::buckets});
  for (const double distance : diagnosed(shorter, t5(shorter, 32, 128, false), causal).next) CHECK(distance < -39);
  // A table that starts equal in two buckets is still what was expected, and no list says so.
  const auto alike = longer.values([&](std::size_t h, std::int64_t d) {
    const std::int64_t bucket = bias_generator::t5_bucket(d, 32, 128, false);
    return bias_generator::learned(7, h, bucket == 12 ? 11 : bucket);
  });
  check(diagnosed(longer, alike, causal), Verdict::likely, {});
  // A constant that may be a mask of a window.
  const Matrix matrix = square(4, 64);
  const auto clipped = [&](double past, double future) {
    return matrix.values([&](std::size_t h, std::int64_t d) {
      if (d > -16 && d < 16) return bias_generator::learned(5, h, d);
      return static_cast<Real>(d < 0 ? past : future);
    });
  };
  const Diagnosis named = diagnosed(matrix, clipped(-2, -3), {.type = "clipped", .max_distance = 32});
  CHECK(named.explanations[0].mistakes == Mistakes{Mistake::buckets});
  CHECK(bias_of(named).parameters == std::vector<double>{16});
  CHECK(diagnosed(matrix, clipped(-9000, -9000)).verdict != Verdict::certain);
}

TEST_CASE("diagnose_bias: what few keys do not show of T5's table is not certain (A7)", "[diagnosis][bias]") {
  const auto table = learned_table(32, 2);
  const auto biased = [&](const Matrix& matrix, std::int64_t length, bool both) {
    return matrix.values([&](std::size_t h, std::int64_t d) {
      return static_cast<Real>(table[static_cast<std::size_t>(2 * bias_generator::t5_bucket(d, 32, length, both)) + h]);
    });
  };
  for (const std::string dtype : {"float32", "float64", "bfloat16"})
    for (const std::int64_t expected : {20, 64, 256, 128}) {
      const Matrix matrix = square(2, 8, dtype);
      const Diagnosis found =
          diagnosed(matrix, biased(matrix, 128, true), {.type = "t5", .max_distance = expected, .table = table});
      check(found, Verdict::ambiguous, {});
      REQUIRE(!found.next.empty());
      for (const double distance : found.next) CHECK(distance < -7);
    }
  const Matrix matrix = square(2, 60);
  const BiasExpectation expected{.type = "t5", .table = table};
  const auto scaled = [&](Real by, bool is_constant) {
    return matrix.values([&](std::size_t h, std::int64_t d) {
      const auto row = static_cast<std::size_t>(bias_generator::t5_bucket(is_constant ? 0 : d, 32, 128, true));
      return by * static_cast<Real>(table[2 * row + h]);
    });
  };
  check(diagnosed(matrix, scaled(0.37L, false), expected), Verdict::likely, {Mistake::amplitude});
  check(diagnosed(matrix, scaled(1, true), expected), Verdict::certain, {Mistake::positions_constant});
  auto damaged = scaled(1, false);
  damaged[61] += 0.5;
  const Diagnosis none = diagnosed(matrix, damaged, expected);
  check(none, Verdict::none, {});
  CHECK(none.departure.tokens == std::vector<std::int64_t>{1});
  CHECK(none.departure.heads == std::vector<std::int64_t>{0});
}

TEST_CASE("diagnose_window_ids and Swin's bias: windows of two and of three dimensions", "[diagnosis][bias]") {
  using Extents = std::vector<std::int64_t>;
  const auto ids_of = [](const Extents& extents, bool class_token, const auto& source) {
    std::int64_t cells = 1, patches = 1;
    for (const std::int64_t extent : extents) cells *= extent, patches *= 2 * extent - 1;
    const std::int64_t tokens = cells + (class_token ? 1 : 0);
    std::vector<double> ids;
    for (std::int64_t pair = 0; pair < tokens * tokens; ++pair) {
      std::int64_t query = source(pair / tokens), key = source(pair % tokens), id = 0, stride = 1;
      if (class_token && (query == 0 || key == 0)) {
        ids.push_back(static_cast<double>(patches + (query != 0 ? 1 : key != 0 ? 0 : 2)));
        continue;
      }
      query -= class_token ? 1 : 0, key -= class_token ? 1 : 0;
      for (std::size_t axis = extents.size(); axis-- > 0; stride *= 2 * extents[axis] - 1) {
        id += (query % extents[axis] - key % extents[axis] + extents[axis] - 1) * stride;
        query /= extents[axis], key /= extents[axis];
      }
      ids.push_back(static_cast<double>(id));
    }
    return ids;
  };
  const auto own = [](std::int64_t token) { return token; };
  const auto ask = [](const std::vector<double>& ids, const Extents& extents, bool class_token = false) {
    const std::vector<std::int64_t> shape{static_cast<std::int64_t>(ids.size())};
    return value_of(posenc::diagnose_window_ids({ids, shape}, {extents, class_token}));
  };
  std::vector<std::int32_t> library(144);
  REQUIRE(posenc::swin_index({3, 4}, library));
  CHECK(std::ranges::equal(library, ids_of({3, 4}, false, own)));
  for (const bool class_token : {false, true})
    for (const Extents& extents : {Extents{3, 4}, Extents{2, 3, 4}, Extents{1, 5}})
      check(ask(ids_of(extents, class_token, own), extents, class_token), Verdict::certain, {});
  check(ask(ids_of({4, 3}, false, own), {3, 4}), Verdict::certain, {Mistake::axes_order});
  check(ask(ids_of({2, 6}, false, own), {3, 4}), Verdict::certain, {Mistake::buckets});
  check(ask(ids_of({2, 4, 3}, false, own), {2, 3, 4}), Verdict::certain, {Mistake::axes_order});
  const auto columns = [](std::int64_t token) { return token % 3 * 4 + token / 3; };
  check(ask(ids_of({3, 4}, false, columns), {3, 4}), Verdict::certain, {Mistake::cell_order});
  check(ask(std::vector<double>(144, 17), {3, 4}), Verdict::certain, {Mistake::positions_constant});
  auto damaged = ids_of({3, 4}, false, own);
  damaged[30] += 1;
  const Diagnosis none = ask(damaged, {3, 4});
  check(none, Verdict::none, {});
  CHECK(none.departure.tokens == std::vector<std::int64_t>{2});

  const auto table = learned_table(35, 2);
  BiasExpectation expected{.type = "swin", .table = table, .window = {.extents = {3, 4}}};
  for (const std::string dtype : {"float32", "bfloat16"})
    for (const double by : {1.0, -1.0, 0.5, 0.37}) {
      std::vector<double> bias;
      for (std::size_t at = 0; at < 288; ++at) {
        const Real value = by * static_cast<Real>(table[2 * static_cast<std::size_t>(library[at % 144]) + at / 144]);
        bias.push_back(bias_generator::rounded(value, dtype));
      }
      const Diagnosis found = value_of(posenc::diagnose_bias({{bias, {2, 12, 12}, dtype}, std::nullopt}, expected));
      check(found, by == 0.37 ? Verdict::likely : Verdict::certain,
            by == 1 ? Mistakes{} : Mistakes{by < 0 ? Mistake::sign : Mistake::amplitude});
    }
  for (const Extents& extents : {Extents{3, 5}, Extents{4096, 4096, 4096}})
    require_error(posenc::diagnose_window_ids({damaged, {144}}, {extents, false}), "ids.data", "144");
}

TEST_CASE("diagnose_bias: values that say nothing, and values that nothing explains", "[diagnosis][bias]") {
  const Matrix matrix{.heads = 4};
  check(diagnosed(matrix, std::vector<double>(4 * 24 * 40), {.type = "alibi"}), Verdict::too_little, {});
  testing::Generator generator(11);
  std::vector<double> random(4 * 24 * 40);
  for (double& value : random) value = bias_generator::rounded(static_cast<Real>(generator.fraction()), "float32");
  for (const std::string type : {"", "alibi", "t5", "clipped", "kerple-log"})
    check(diagnosed(matrix, random, {.type = type}), Verdict::none, {});
  // A mask with holes is one of no list.
  auto holes = alibi(matrix);
  for (std::size_t at = 0; at < holes.size(); at += 7) holes[at] = -std::numeric_limits<double>::infinity();
  check(diagnosed(matrix, holes, {.type = "alibi"}), Verdict::likely, {});
}

TEST_CASE("diagnose_bias refuses what is no bias", "[diagnosis][bias]") {
  const Matrix matrix{.heads = 2, .queries = 3, .keys = 4, .first_query = 1};
  std::vector<double> values(24);
  auto samples = matrix.samples(values);
  using Shape = std::vector<std::int64_t>;
  for (const auto& [shape, argument, value] : {std::tuple{Shape{24}, "bias.shape", "1"},
                                               {Shape{2, 3, 5}, "bias.data", "24"},
                                               {Shape{0, 3, 4}, "bias.shape", "0"}}) {
    samples.bias.shape = shape;
    require_error(posenc::diagnose_bias(samples, {}), argument, value);
  }
  samples = matrix.samples(values);
  samples.first_query = std::int64_t{1} << 40;
  require_error(posenc::diagnose_bias(samples, {}), "firstQuery", "1099511627776");
  samples = matrix.samples(values);
  samples.bias.dtype = "int8";
  require_error(posenc::diagnose_bias(samples, {}), "bias.dtype", "int8");
  samples.bias.dtype.reset();
  for (const auto& [expected, argument, value] :
       {std::tuple{BiasExpectation{.type = "shaw"}, "expected.type", "shaw"},
        {BiasExpectation{.type = "alibi", .slopes = "bloom"}, "slopes", "bloom"},
        {BiasExpectation{.type = "alibi", .steepness = 0}, "expected.steepness", "0"},
        {BiasExpectation{.type = "kerple-log", .parameters = {1, 2, 3}}, "expected.parameters", "3"},
        {BiasExpectation{.type = "kerple-log", .parameters = {1, 2, -3, 1}}, "expected.parameters", "-3"}})
    require_error(posenc::diagnose_bias(samples, expected), argument, value);
  const std::vector<float> table(10);
  require_error(posenc::diagnose_bias(samples, {.type = "t5", .table = table}), "expected.table", "10");
  values[7] = std::numeric_limits<double>::quiet_NaN();
  require_error(posenc::diagnose_bias(samples, {}), "bias.data[7]", "nan");
  values[7] = std::numeric_limits<double>::infinity();
  require_error(posenc::diagnose_bias(samples, {}), "bias.data[7]", "inf");
  for (double& value : values) value = -1e9;
  CHECK(value_of(posenc::diagnose_bias(samples, {})).verdict == Verdict::none);
}
