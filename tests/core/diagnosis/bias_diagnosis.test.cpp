#include "posenc/diagnosis/bias_diagnosis.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "diagnosis/mutants/bias_generator.hpp"
#include "diagnosis/verdict_counts.hpp"
#include "posenc/relative/swin.hpp"
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
using Mistakes = std::vector<Mistake>;

namespace {

const FoundBias& bias_of(const Diagnosis& diagnosis) { return std::get<FoundBias>(diagnosis.explanations.at(0).found); }

std::string text_of(const Diagnosis& diagnosis) {
  std::string text(name_of(diagnosis.verdict));
  for (const auto& each : diagnosis.explanations) {
    const auto* const found = std::get_if<FoundBias>(&each.found);
    text += "\n  " + std::string(found ? found->type : "made") + ": " + testing::names_of(each.mistakes);
    if (found)
      text += ", " + std::string(found->slope_rule) + " " + std::to_string(found->steepness) + " " +
              std::to_string(found->factor);
  }
  return text;
}

/// The verdict, and the first explanation's mistakes.
void check(const Diagnosis& found, Verdict verdict, const Mistakes& mistakes) {
  INFO(text_of(found));
  CHECK(found.verdict == verdict);
  CHECK((found.explanations.empty() ? Mistakes{} : found.explanations[0].mistakes) == mistakes);
}

Diagnosis diagnosed(const Matrix& matrix, const std::vector<double>& values, const BiasExpectation& expected = {}) {
  return value_of(posenc::diagnose_bias(matrix.samples(values), expected));
}

/// slope * -|d|, slopes by a rule.
std::vector<double> alibi(const Matrix& matrix, const std::string& rule = "paper", Real factor = 1) {
  const auto powers = bias_generator::exponents(rule, static_cast<std::size_t>(matrix.heads), 8);
  return matrix.values([&](std::size_t h, std::int64_t d) {
    return -factor * std::exp2(-powers[h]) * static_cast<Real>(d < 0 ? -d : d);
  });
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

}  // namespace

TEST_CASE("diagnose_bias: ALiBi of any number of heads, of every type", "[diagnosis][bias]") {
  for (const std::int64_t heads : {8, 12, 16, 112})
    for (const std::string rule : {"paper", "mpt"})
      for (const std::string dtype : {"float64", "float32", "float16", "bfloat16"})
        for (const bool masked : {false, true}) {
          Matrix matrix{.heads = heads, .queries = 8, .keys = 24, .dtype = dtype, .masked = masked};
          matrix.mask = heads == 12 ? -65504 : matrix.mask;
          const auto values = alibi(matrix, rule);
          BiasExpectation expected{.type = "alibi", .slopes = rule};
          expected.causal = masked;
          INFO(heads << " heads, " << rule << ", " << dtype << (masked ? ", masked" : ""));
          check(diagnosed(matrix, values, expected), Verdict::certain, {});
          check(diagnosed(matrix, values), Verdict::certain, {});
        }
}

TEST_CASE("diagnose_bias: one row of a query does not show what keys after it have", "[diagnosis][bias]") {
  const Matrix matrix{.heads = 8, .queries = 1, .keys = 20, .first_query = 19, .bias_query = 19};
  const Diagnosis found = diagnosed(matrix, alibi(matrix), {.type = "alibi"});
  check(found, Verdict::ambiguous, {});
  CHECK(found.tells == std::vector<std::string_view>{"keys"});
  check(diagnosed(matrix, alibi(matrix)), Verdict::certain, {});  // nothing was expected of them
  CHECK(bias_of(diagnosed(matrix, alibi(matrix))).distance.empty());
}

TEST_CASE("diagnose_bias: slope * key position is ALiBi up to a constant of each row", "[diagnosis][bias]") {
  const auto powers = bias_generator::exponents("paper", 8, 8);
  for (const std::string dtype : {"float32", "bfloat16"}) {
    std::vector<double> values;
    for (std::size_t h = 0; h < 8; ++h)
      for (std::int64_t i = 0; i < 5; ++i)
        for (std::int64_t j = 0; j < 40; ++j)
          values.push_back(bias_generator::rounded(std::exp2(-powers[h]) * static_cast<Real>(j), dtype));
    const Matrix matrix{.heads = 8, .queries = 5, .keys = 40, .dtype = dtype, .first_query = 35};
    check(diagnosed(matrix, values, {.type = "alibi", .distance = "linear"}), Verdict::certain, {});
    const Diagnosis other = diagnosed(matrix, values, {.type = "alibi"});
    check(other, Verdict::certain, {Mistake::distance});
    CHECK(bias_of(other).up_to_rows);
  }
}

TEST_CASE("diagnose_bias: heads of one device, and what mends a bias", "[diagnosis][bias]") {
  const auto powers = bias_generator::exponents("paper", 64, 8);
  const Matrix matrix{.heads = 4};
  const auto part = matrix.values(
      [&](std::size_t h, std::int64_t d) { return -std::exp2(-powers[60 + h]) * static_cast<Real>(d < 0 ? -d : d); });
  BiasExpectation expected{.type = "alibi"};
  expected.heads = 64;
  expected.first_head = 60;
  check(diagnosed(matrix, part, expected), Verdict::certain, {});
  check(diagnosed(matrix, alibi(matrix), expected), Verdict::certain, {Mistake::slopes});
  CHECK(bias_of(diagnosed(matrix, part)).rule_first == 60);

  const Matrix moved{.heads = 8, .bias_query = 13};
  const Diagnosis found = diagnosed(moved, alibi(moved, "paper", 1 / std::sqrt(Real(96))), {.type = "alibi"});
  check(found, Verdict::certain, {Mistake::first_position, Mistake::factor_other});
  CHECK(found.explanations[0].shift == 3);
  CHECK(found.explanations[0].factor == 1 / (1 / std::sqrt(96.0)));
}

TEST_CASE("diagnose_bias: numbers that no list has are estimated, and never certain", "[diagnosis][bias]") {
  const Matrix matrix{.heads = 6};
  const Diagnosis factor = diagnosed(matrix, alibi(matrix, "paper", Real(0.43L)), {.type = "alibi"});
  check(factor, Verdict::likely, {Mistake::factor_other});
  CHECK(bias_of(factor).factor == 0.43);
  const auto steep = bias_generator::exponents("paper", 6, 7.3L);
  const auto both = matrix.values(
      [&](std::size_t h, std::int64_t d) { return -std::exp2(-steep[h]) / 8 * static_cast<Real>(d < 0 ? -d : d); });
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
  // Slopes and distances that were rounded to 16 bits before they are multiplied.
  const Matrix coarse{
      .heads = 12, .queries = 2, .keys = 400, .dtype = "bfloat16", .first_query = 398, .bias_query = 398};
  const auto powers = bias_generator::exponents("paper", 12, 8);
  const auto rounded = coarse.values([&](std::size_t h, std::int64_t d) {
    return bias_generator::rounded(std::exp2(-powers[h]), "bfloat16") * -static_cast<Real>(d < 0 ? -d : d);
  });
  check(diagnosed(coarse, rounded, {.type = "alibi"}), Verdict::likely, {});
}

TEST_CASE("diagnose_bias: the parameters of KERPLE are estimated", "[diagnosis][bias]") {
  for (const std::string dtype : {"float64", "float32", "bfloat16"})
    for (const bool power : {false, true})
      for (const std::int64_t off : {0, 1}) {
        const Matrix matrix{.heads = 2, .dtype = dtype, .bias_query = 16 + off};
        const auto values = matrix.values([&](std::size_t h, std::int64_t d) {
          const auto x = static_cast<Real>(d < 0 ? -d : d), r2 = Real(0.3L) + static_cast<Real>(h);
          return -Real(0.7L) * (power ? (d == 0 ? 0 : std::pow(x, r2)) : std::log1p(r2 * x));
        });
        INFO(dtype << (power ? ", power, " : ", logarithmic, ") << off);
        const Diagnosis found = diagnosed(matrix, values, {.type = power ? "kerple-power" : "kerple-log"});
        check(found, Verdict::likely, off == 0 ? Mistakes{} : Mistakes{Mistake::first_position});
        if (dtype != "bfloat16") CHECK(std::fabs(bias_of(found).parameters[3] - 1.3) < 1e-4);
      }
}

TEST_CASE("diagnose_bias: T5's buckets without a table show where values change", "[diagnosis][bias]") {
  const Matrix longer = square(3, 140);
  check(diagnosed(longer, t5(longer, 32, 128, false), {.type = "t5", .bidirectional = false}), Verdict::certain, {});
  check(diagnosed(longer, t5(longer, 32, 64, false), {.type = "t5", .bidirectional = false}), Verdict::certain,
        {Mistake::buckets});
  // Of two sides only the table says which is which.
  const Diagnosis both = diagnosed(longer, t5(longer, 32, 128, true), {.type = "t5"});
  check(both, Verdict::ambiguous, {});
  CHECK(both.tells == std::vector<std::string_view>{"table"});
  // Short of the last bucket, farther keys tell.
  const Matrix shorter = square(3, 40);
  const Diagnosis next = diagnosed(shorter, t5(shorter, 32, 128, false), {.type = "t5", .bidirectional = false});
  check(diagnosed(square(3, 8), t5(square(3, 8), 32, 128, false), {.type = "t5", .bidirectional = false}),
        Verdict::ambiguous, {});
  for (const double distance : next.next) CHECK(distance < -39);
  // A table that starts equal in two buckets is still what was expected, and no list says so.
  const auto alike = longer.values([&](std::size_t h, std::int64_t d) {
    const std::int64_t bucket = bias_generator::t5_bucket(d, 32, 128, false);
    return bias_generator::learned(7, h, bucket == 12 ? 11 : bucket);
  });
  check(diagnosed(longer, alike, {.type = "t5", .bidirectional = false}), Verdict::likely, {});
}

TEST_CASE("diagnose_bias: clipped distances, and a constant that may be a mask of a window", "[diagnosis][bias]") {
  const Matrix matrix = square(4, 64);
  const auto clipped = [&](double past, double future) {
    return matrix.values([&](std::size_t h, std::int64_t d) {
      if (d > -16 && d < 16) return bias_generator::learned(5, h, d);
      return static_cast<Real>(d < 0 ? past : future);
    });
  };
  const Diagnosis found = diagnosed(matrix, clipped(-2, -3), {.type = "clipped", .max_distance = 32});
  CHECK(bias_of(found).parameters == std::vector<double>{16});
  CHECK(found.explanations[0].mistakes == Mistakes{Mistake::buckets});
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
  BiasExpectation expected{.type = "t5", .table = table};
  check(diagnosed(matrix, biased(matrix, 128, true), expected), Verdict::certain, {});
  check(diagnosed(matrix, biased(matrix, 128, false), expected), Verdict::certain, {Mistake::buckets});
  const auto scaled = [&](Real by, std::int64_t d, std::size_t h) {
    return by * static_cast<Real>(table[static_cast<std::size_t>(2 * bias_generator::t5_bucket(d, 32, 128, true)) + h]);
  };
  for (const Real by : {Real(-1), Real(8), 1 / std::log(Real(2)), Real(0.37L)})
    check(diagnosed(matrix, matrix.values([&](std::size_t h, std::int64_t d) { return scaled(by, d, h); }), expected),
          by == Real(0.37L) ? Verdict::likely : Verdict::certain, {by < 0 ? Mistake::sign : Mistake::amplitude});
  check(diagnosed(matrix, matrix.values([&](std::size_t h, std::int64_t) { return scaled(1, 0, h); }), expected),
        Verdict::certain, {Mistake::positions_constant});
  auto damaged = biased(matrix, 128, true);
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
  const auto ask = [](std::vector<double> ids, const Extents& extents, bool class_token = false) {
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
  require_error(posenc::diagnose_window_ids({damaged, {144}}, {{3, 5}, false}), "ids.data", "144");
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
  const std::vector<float> table(10);
  require_error(posenc::diagnose_bias(samples, {.type = "t5", .table = table}), "expected.table", "10");
  values[7] = std::numeric_limits<double>::quiet_NaN();
  require_error(posenc::diagnose_bias(samples, {}), "bias.data[7]", "nan");
  values[7] = std::numeric_limits<double>::infinity();
  require_error(posenc::diagnose_bias(samples, {}), "bias.data[7]", "inf");
  for (double& value : values) value = -1e9;
  CHECK(value_of(posenc::diagnose_bias(samples, {})).verdict == Verdict::none);
}
