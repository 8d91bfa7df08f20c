#include "posenc/diagnosis/bias_diagnosis.hpp"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "diagnosis/mutants/bias_generator.hpp"
#include "testing/testing.hpp"

using bias_generator::Matrix;
using bias_generator::Real;
using posenc::BiasExpectation;
using posenc::Diagnosis;
using posenc::FoundBias;
using posenc::Mistake;
using posenc::Verdict;
using testing::require_error;
using testing::value_of;

namespace {

const FoundBias& bias_of(const Diagnosis& diagnosis, std::size_t i = 0) {
  return std::get<FoundBias>(diagnosis.explanations.at(i).found);
}

std::string text_of(const Diagnosis& diagnosis) {
  std::string text(name_of(diagnosis.verdict));
  for (const auto& each : diagnosis.explanations) {
    const auto& found = std::get<FoundBias>(each.found);
    text += "\n  " + std::string(found.type) + " " + std::string(found.slope_rule) + " " + std::string(found.distance) +
            (found.negative ? " negative" : "") + (found.up_to_rows ? " rows" : "") + (found.causal ? " causal" : "") +
            " heads " + std::to_string(found.rule_heads) + "+" + std::to_string(found.rule_first) + " steepness " +
            std::to_string(found.steepness) + " factor " + std::to_string(found.factor) + " at " +
            std::to_string(found.first_query) + " bidirectional " + std::to_string(found.bidirectional);
    for (std::size_t k = 0; k < found.parameters.size() && k < 4; ++k)
      text += " " + std::to_string(found.parameters[k]);
    text += " units " + std::to_string(each.units) + " bits " + std::to_string(each.bits) + ":";
    for (const Mistake mistake : each.mistakes) text += " " + std::string(name_of(mistake));
  }
  return text;
}

Diagnosis diagnosed(const Matrix& matrix, const std::vector<double>& values, const BiasExpectation& expected = {}) {
  return value_of(posenc::diagnose_bias(matrix.samples(values), expected));
}

/// slope * -|d|, slopes by a rule.
std::vector<double> alibi(const Matrix& matrix, const std::string& rule) {
  const auto powers = bias_generator::exponents(rule, static_cast<std::size_t>(matrix.heads), 8);
  return matrix.values(
      [&](std::size_t h, std::int64_t d) { return -std::exp2(-powers[h]) * static_cast<Real>(d < 0 ? -d : d); });
}

std::vector<double> t5(const Matrix& matrix, std::int64_t buckets, std::int64_t max_distance, bool bidirectional) {
  return matrix.values([&](std::size_t h, std::int64_t d) {
    return bias_generator::learned(7, h, bias_generator::t5_bucket(d, buckets, max_distance, bidirectional));
  });
}

}  // namespace

TEST_CASE("diagnose_bias: ALiBi of any number of heads", "[diagnosis][bias]") {
  for (const std::int64_t heads : {8, 12, 16, 40, 112})
    for (const std::string rule : {"paper", "mpt"})
      for (const std::string dtype : {"float64", "float32", "float16", "bfloat16"})
        for (const bool masked : {false, true}) {
          Matrix matrix{.heads = heads, .queries = 8, .keys = 24, .dtype = dtype, .masked = masked};
          matrix.mask = heads == 12 ? -65504 : matrix.mask;
          const auto values = alibi(matrix, rule);
          const Diagnosis found = diagnosed(matrix, values);
          INFO(heads << " heads, " << rule << ", " << dtype << (masked ? ", masked: " : ": ") << text_of(found));
          REQUIRE(!found.explanations.empty());
          CHECK(bias_of(found).type == "alibi");
          CHECK(bias_of(found).slope_rule == "paper");  // MPT's are the same numbers
          CHECK(bias_of(found).causal == masked);
          CHECK(found.verdict != Verdict::none);
          BiasExpectation expected{.type = "alibi", .slopes = rule};
          expected.causal = masked;
          const Diagnosis right = diagnosed(matrix, values, expected);
          INFO(text_of(right));
          CHECK(right.explanations.at(0).mistakes.empty());
          CHECK(bias_of(right).slope_rule == rule);
          CHECK(right.verdict == Verdict::certain);
        }
}

TEST_CASE("diagnose_bias: T5's buckets by where values change", "[diagnosis][bias]") {
  for (const bool bidirectional : {true, false})
    for (const std::int64_t buckets : {32, 16})
      for (const std::string dtype : {"float32", "bfloat16"}) {
        const std::int64_t max_distance = 4 * buckets;
        const Matrix matrix{.heads = 6, .queries = 160, .keys = 160, .dtype = dtype, .first_query = 0, .bias_query = 0};
        const Diagnosis found = diagnosed(matrix, t5(matrix, buckets, max_distance, bidirectional));
        INFO(buckets << " buckets, " << bidirectional << ", " << dtype << ": " << text_of(found));
        REQUIRE(!found.explanations.empty());
        CHECK(bias_of(found).type == "t5");
        CHECK(bias_of(found).parameters == std::vector<double>{double(buckets), double(max_distance)});
        CHECK(bias_of(found).bidirectional == bidirectional);
      }
}

TEST_CASE("diagnose_bias: slope * key position is ALiBi up to a constant of each row", "[diagnosis][bias]") {
  const auto powers = bias_generator::exponents("paper", 8, 8);
  for (const std::int64_t queries : {1, 5})
    for (const std::string dtype : {"float32", "bfloat16"}) {
      std::vector<double> values;
      for (std::size_t h = 0; h < 8; ++h)
        for (std::int64_t i = 0; i < queries; ++i)
          for (std::int64_t j = 0; j < 40; ++j)
            values.push_back(bias_generator::rounded(std::exp2(-powers[h]) * static_cast<Real>(j), dtype));
      const Matrix matrix{.heads = 8, .queries = queries, .keys = 40, .dtype = dtype, .first_query = 40 - queries};
      // Keys behind a query show that the distance is not the symmetric one.
      for (const std::string distance : {"linear", "symmetric"}) {
        const Diagnosis found = diagnosed(matrix, values, {.type = "alibi", .distance = distance});
        INFO(queries << " queries, " << dtype << ", " << distance << ": " << text_of(found));
        REQUIRE(!found.explanations.empty());
        CHECK(bias_of(found).type == "alibi");
        CHECK(bias_of(found).up_to_rows);
        const bool is_other = queries > 1 && distance == "symmetric";
        CHECK(found.explanations[0].mistakes == (is_other ? std::vector{Mistake::distance} : std::vector<Mistake>{}));
        CHECK(found.verdict == Verdict::certain);
      }
    }
}

TEST_CASE("diagnose_bias: products that are rounded before they are subtracted", "[diagnosis][bias]") {
  const auto powers = bias_generator::exponents("paper", 12, 8);
  const Matrix matrix{.heads = 12, .queries = 8, .keys = 40, .first_query = 32};
  std::vector<double> values;
  for (std::size_t h = 0; h < 12; ++h)
    for (std::int64_t i = 32; i < 40; ++i)
      for (std::int64_t j = 0; j < 40; ++j) {
        const auto slope = static_cast<float>(std::exp2(-powers[h]));
        const float key = slope * static_cast<float>(j), query = slope * static_cast<float>(i);
        values.push_back(static_cast<double>(key - query));
      }
  const Diagnosis found = diagnosed(matrix, values, {.type = "alibi", .distance = "linear"});
  INFO(text_of(found));
  REQUIRE(!found.explanations.empty());
  CHECK(found.explanations[0].mistakes.empty());
  CHECK(bias_of(found).type == "alibi");
  CHECK(found.verdict == Verdict::certain);
}

TEST_CASE("diagnose_bias: slopes of no rule, and functions of no family", "[diagnosis][bias]") {
  const Matrix matrix{.heads = 6};
  const auto free = matrix.values([](std::size_t h, std::int64_t d) {
    return -(Real(0.013) + Real(0.31) * static_cast<Real>(h * h % 7)) * static_cast<Real>(d < 0 ? -d : d);
  });
  const Diagnosis linear = diagnosed(matrix, free, {.type = "alibi"});
  INFO(text_of(linear));
  CHECK(bias_of(linear).type == "linear");
  CHECK(linear.explanations[0].mistakes == std::vector{Mistake::slopes});
  const auto any = matrix.values([](std::size_t h, std::int64_t d) { return bias_generator::learned(9, h, d); });
  const Diagnosis toeplitz = diagnosed(matrix, any);
  INFO(text_of(toeplitz));
  CHECK(bias_of(toeplitz).type == "toeplitz");
  CHECK(toeplitz.verdict == Verdict::likely);
  // Keys after the query have 0: what a cumulated or clamped distance gives.
  const auto powers = bias_generator::exponents("paper", 6, 8);
  const auto flat = matrix.values(
      [&](std::size_t h, std::int64_t d) { return std::exp2(-powers[h]) * static_cast<Real>(d < 0 ? d : 0); });
  const Diagnosis one_sided = diagnosed(matrix, flat, {.type = "alibi"});
  INFO(text_of(one_sided));
  CHECK(bias_of(one_sided).distance == "flat");
  CHECK(one_sided.explanations[0].mistakes == std::vector{Mistake::distance});
}

TEST_CASE("diagnose_bias: random matrices and learned tables are none", "[diagnosis][bias]") {
  for (const std::string dtype : {"float32", "bfloat16"})
    for (const std::int64_t queries : {1, 3, 24}) {
      const Matrix matrix{.heads = 4, .queries = queries, .keys = 40, .dtype = dtype, .first_query = 40 - queries};
      testing::Generator generator(11);
      std::vector<double> values(static_cast<std::size_t>(4 * queries * 40));
      for (double& value : values) value = bias_generator::rounded(static_cast<Real>(generator.fraction()), dtype);
      for (const std::string type : {"", "alibi", "t5", "clipped", "kerple-log"}) {
        const Diagnosis found = diagnosed(matrix, values, {.type = type});
        INFO(queries << " queries, " << dtype << ", " << type << ": " << text_of(found));
        CHECK(found.verdict == Verdict::none);
      }
    }
}

TEST_CASE("diagnose_bias: one constant from a distance on may be a mask of a window", "[diagnosis][bias]") {
  const auto far = [](std::int64_t queries, std::int64_t heads, double past, double future, double by_head) {
    const Matrix matrix{.heads = heads, .queries = queries, .keys = 64, .first_query = 0, .bias_query = 0};
    return diagnosed(matrix, matrix.values([&](std::size_t h, std::int64_t d) {
      if (d > -16 && d < 16) return bias_generator::learned(5, h, d);
      return static_cast<Real>((d < 0 ? past : future) + by_head * static_cast<double>(h));
    }));
  };
  for (const double constant : {-9000.0, -100.0, 0.0, 1.0})
    for (const std::int64_t heads : {1, 4}) {
      const Diagnosis window = far(64, heads, constant, constant, 0);
      INFO(constant << ", " << heads << " heads: " << text_of(window));
      CHECK(bias_of(window).type == "clipped");
      CHECK(window.verdict == Verdict::likely);
    }
  // One side alone is seen so far.
  CHECK(far(8, 1, 0, -9000, 0).verdict != Verdict::certain);
  // No mask has a constant a side or a head.
  CHECK(far(64, 1, -2, -3, 0).verdict == Verdict::certain);
  CHECK(far(64, 4, -2, -2, 0.25).verdict == Verdict::certain);
}

TEST_CASE("diagnose_bias: a mask that hides a query's own key says that queries are elsewhere", "[diagnosis][bias]") {
  // Queries at 0, 1, 2 in place of 17, 18, 19, and one value by which the rows are no function of the distance.
  const Matrix matrix{.heads = 4, .queries = 3, .keys = 20, .first_query = 17, .bias_query = 0};
  std::vector<double> values = matrix.values([](std::size_t h, std::int64_t d) {
    return d > 0 ? -std::numeric_limits<Real>::infinity()
                 : std::exp2(-static_cast<Real>(2 * (h + 1))) * static_cast<Real>(d);
  });
  values[0] += 0.25;
  const Diagnosis found = diagnosed(matrix, values, {.type = "alibi", .causal = true});
  INFO(text_of(found));
  CHECK(bias_of(found).up_to_rows);
  CHECK(found.verdict == Verdict::likely);
}

TEST_CASE("diagnose_bias: zeros tell too little", "[diagnosis][bias]") {
  const Matrix matrix{.heads = 4};
  const std::vector<double> zeros(4 * 24 * 40);
  const Diagnosis found = diagnosed(matrix, zeros, {.type = "alibi"});
  CHECK(found.explanations.empty());
  CHECK(found.verdict == Verdict::too_little);
}

TEST_CASE("diagnose_bias: distances that are needed to determine T5's numbers are asked for", "[diagnosis][bias]") {
  const Matrix matrix{.heads = 6, .queries = 48, .keys = 48, .first_query = 0, .bias_query = 0};
  const auto values = t5(matrix, 32, 128, true);
  const Diagnosis found = diagnosed(matrix, values, {.type = "t5"});
  INFO(text_of(found));
  CHECK(found.explanations.at(0).mistakes.empty());
  CHECK(found.verdict == Verdict::likely);
  REQUIRE(!found.next.empty());
  for (const double distance : found.next) CHECK(distance < -47);
  // Seen as far as the last bucket, nothing more is needed.
  const Matrix longer{.heads = 6, .queries = 140, .keys = 140, .first_query = 0, .bias_query = 0};
  const Diagnosis sure = diagnosed(longer, t5(longer, 32, 128, true), {.type = "t5"});
  INFO(text_of(sure));
  // All distances are there; but of two sides the table alone says which is which.
  CHECK(sure.next.empty());
  CHECK(sure.verdict == Verdict::likely);
  CHECK(diagnosed(longer, t5(longer, 32, 128, false), {.type = "t5", .bidirectional = false}).verdict ==
        Verdict::certain);
}

TEST_CASE("diagnose_bias: T5 buckets with equal values are still those that were expected", "[diagnosis][bias]") {
  const Matrix matrix{.heads = 3, .queries = 140, .keys = 140, .first_query = 0, .bias_query = 0};
  const auto values = matrix.values([](std::size_t h, std::int64_t d) {
    const std::int64_t bucket = bias_generator::t5_bucket(d, 32, 128, true);
    return bias_generator::learned(7, h, bucket == 12 ? 11 : bucket);
  });
  const Diagnosis found = diagnosed(matrix, values, {.type = "t5"});
  INFO(text_of(found));
  CHECK(bias_of(found).type == "t5");
  CHECK(found.explanations.at(0).mistakes.empty());
}

TEST_CASE("diagnose_bias: a usual factor is that one, however the bias was rounded", "[diagnosis][bias]") {
  for (const std::string dtype : {"float32", "bfloat16"})
    for (const double factor : {1 / std::sqrt(96.0), 1.4426950408889634, 0.43}) {
      const Matrix matrix{.heads = 8, .queries = 2, .keys = 4, .dtype = dtype, .first_query = 2, .bias_query = 2};
      const auto values = matrix.values([&](std::size_t h, std::int64_t d) {
        return -std::exp2(-static_cast<Real>(h + 1)) * factor * static_cast<Real>(d < 0 ? -d : d);
      });
      const Diagnosis found = diagnosed(matrix, values, {.type = "alibi"});
      INFO(factor << ", " << dtype << ": " << text_of(found));
      CHECK(found.explanations.at(0).mistakes == std::vector{Mistake::factor_other});
      CHECK(bias_of(found).steepness == 8);
      if (factor == 0.43)
        CHECK(std::fabs(bias_of(found).factor / factor - 1) < (dtype == "float32" ? 1e-7 : 1e-2));
      else
        CHECK(bias_of(found).factor == factor);
    }
}

TEST_CASE("diagnose_bias: behind a mask, queries that are a few positions off are found", "[diagnosis][bias]") {
  for (std::int64_t off = -3; off <= 3; ++off)
    for (const bool bidirectional : {false, true}) {
      const Matrix matrix{.heads = 6, .queries = 160, .keys = 160, .first_query = 0, .bias_query = off, .masked = true};
      const Diagnosis found = diagnosed(matrix, t5(matrix, 32, 128, bidirectional), {.type = "t5", .causal = true});
      INFO(off << ": " << text_of(found));
      CHECK(bias_of(found).first_query == off);
    }
}

TEST_CASE("diagnose_bias: the parameters of KERPLE are those of all values", "[diagnosis][bias]") {
  for (const std::string dtype : {"float64", "bfloat16"})
    for (const bool power : {false, true})
      for (const Real r2 : {Real(0.001), Real(0.3), Real(1.7), Real(30)}) {
        if (power && (r2 < Real(0.01) || r2 > 2)) continue;
        Matrix matrix{.queries = 200, .keys = 900, .dtype = dtype, .first_query = 700, .bias_query = 700};
        const auto values = matrix.values([&](std::size_t, std::int64_t d) {
          const auto x = static_cast<Real>(d < 0 ? -d : d);
          return -Real(0.7) * (power ? (d == 0 ? 0 : std::pow(x, r2)) : std::log1p(r2 * x));
        });
        const Diagnosis found = diagnosed(matrix, values);
        INFO(dtype << ", " << static_cast<double>(r2) << ": " << text_of(found));
        CHECK(bias_of(found).type == (power ? "kerple-power" : "kerple-log"));
        REQUIRE(bias_of(found).parameters.size() == 2);
        const double most = dtype == "float64" ? 1e-12 : 0x1p-8;
        CHECK(std::fabs(bias_of(found).parameters[0] / 0.7 - 1) < most);
        CHECK(std::fabs(bias_of(found).parameters[1] / static_cast<double>(r2) - 1) < most);
      }
}

TEST_CASE("diagnose_bias: KERPLE in bfloat16, every step of which was rounded", "[diagnosis][bias]") {
  const auto round = [](Real x) { return static_cast<Real>(bias_generator::rounded(x, "bfloat16")); };
  const Matrix matrix{.heads = 2, .dtype = "bfloat16"};
  const auto values = matrix.values([&](std::size_t h, std::int64_t d) {
    const Real product = round(round(Real(0.05) + static_cast<Real>(h)) * static_cast<Real>(d < 0 ? -d : d));
    return -round(round(Real(0.7)) * round(std::log(round(1 + product))));
  });
  const Diagnosis found = diagnosed(matrix, values);
  INFO(text_of(found));
  CHECK(bias_of(found).type == "kerple-log");
}

TEST_CASE("diagnose_bias: three values are no KERPLE: two parameters give any", "[diagnosis][bias]") {
  const Matrix matrix{.queries = 1, .keys = 3, .first_query = 2};
  const Diagnosis found = diagnosed(matrix, {-1.7, -1, 0});
  INFO(text_of(found));
  for (const auto& each : found.explanations) CHECK(!std::get<FoundBias>(each.found).type.starts_with("kerple"));
}

TEST_CASE("diagnose_bias: a device's heads of ALiBi's", "[diagnosis][bias]") {
  for (const std::int64_t devices : {2, 16}) {
    const std::int64_t heads = 4, first = (devices - 1) * heads;
    const auto powers = bias_generator::exponents("paper", static_cast<std::size_t>(devices * heads), 8);
    const Matrix matrix{.heads = heads};
    const auto values = matrix.values([&](std::size_t h, std::int64_t d) {
      return -std::exp2(-powers[static_cast<std::size_t>(first) + h]) * static_cast<Real>(d < 0 ? -d : d);
    });
    const Diagnosis found = diagnosed(matrix, values);
    INFO(text_of(found));
    CHECK(bias_of(found).rule_heads == devices * heads);
    CHECK(bias_of(found).rule_first == first);
  }
}

TEST_CASE("diagnose_bias: what mends a bias", "[diagnosis][bias]") {
  const Matrix matrix{.heads = 8, .bias_query = 13};
  const auto values = matrix.values([](std::size_t h, std::int64_t d) {
    return std::exp2(-static_cast<Real>(h + 1)) / 8 * static_cast<Real>(d < 0 ? -d : d);
  });
  const Diagnosis found = diagnosed(matrix, values, {.type = "alibi"});
  INFO(text_of(found));
  CHECK(found.explanations.at(0).factor == -8);
  CHECK(found.explanations[0].shift == 3);
  CHECK(bias_of(found).first_query == 13);
}

TEST_CASE("diagnose_bias refuses what is no bias", "[diagnosis][bias]") {
  const Matrix matrix{.heads = 2, .queries = 3, .keys = 4, .first_query = 1};
  std::vector<double> values(24);
  auto samples = matrix.samples(values);
  samples.bias.shape = {24};
  require_error(posenc::diagnose_bias(samples, {}), "bias.shape", "1");
  samples.bias.shape = {2, 3, 5};
  require_error(posenc::diagnose_bias(samples, {}), "bias.data", "24");
  samples.bias.shape = {0, 3, 4};
  require_error(posenc::diagnose_bias(samples, {}), "bias.shape", "0");
  samples.bias.shape = {2, 3, 4};
  samples.first_query = std::int64_t{1} << 40;
  require_error(posenc::diagnose_bias(samples, {}), "firstQuery", "1099511627776");
  samples.first_query = 1;
  samples.bias.dtype = "int8";
  require_error(posenc::diagnose_bias(samples, {}), "bias.dtype", "int8");
  samples.bias.dtype.reset();
  require_error(posenc::diagnose_bias(samples, {.type = "shaw"}), "expected.type", "shaw");
  require_error(posenc::diagnose_bias(samples, {.type = "alibi", .slopes = "bloom"}), "slopes", "bloom");
  require_error(posenc::diagnose_bias(samples, {.type = "alibi", .steepness = 0}), "expected.steepness", "0");
  values[7] = std::numeric_limits<double>::quiet_NaN();
  require_error(posenc::diagnose_bias(samples, {}), "bias.data[7]", "nan");
  values[7] = std::numeric_limits<double>::infinity();
  require_error(posenc::diagnose_bias(samples, {}), "bias.data[7]", "inf");
  for (double& value : values) value = -1e9;
  CHECK(value_of(posenc::diagnose_bias(samples, {})).verdict == Verdict::none);
}
