#include "posenc/diagnosis/sinusoid_diagnosis.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "diagnosis/mutants/made_rotation.hpp"
#include "testing/testing.hpp"

using posenc::TableOrder;
using posenc::Verdict;
using testing::Stored;
using testing::value_of;

namespace {

/// A table as some implementation has it.
struct MadeTable {
  std::size_t dim = 64;
  TableOrder arrangement = TableOrder::interleaved;
  long double base = 10000, denominator = 64, amplitude = 1, first_position = 0;
  bool odd_zero = false;  ///< the last dimension of an odd row is 0, else a sine
  std::optional<std::size_t> zero_row = {};
};

std::vector<double> write(const MadeTable& made, std::size_t rows, Stored stored) {
  std::vector<double> table(rows * made.dim);
  const bool blocks = made.arrangement == TableOrder::split || made.arrangement == TableOrder::cosines_first;
  const bool cosines_first =
      made.arrangement == TableOrder::cosines_first || made.arrangement == TableOrder::interleaved_cosines_first;
  const std::size_t half = made.dim / 2, sines = made.odd_zero ? half : made.dim - half;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t dimension = 0; dimension < made.dim; ++dimension) {
      const std::size_t front = cosines_first ? half : sines;
      if (row == made.zero_row || (made.odd_zero && dimension == made.dim - 1)) continue;
      const std::size_t pair = blocks ? (dimension < front ? dimension : dimension - front) : dimension / 2;
      const bool second = blocks ? dimension >= front : dimension % 2 == 1;
      const long double frequency = std::pow(made.base, -2 * static_cast<long double>(pair) / made.denominator);
      const long double angle = (static_cast<long double>(row) + made.first_position) * frequency;
      const long double value = made.amplitude * (second == cosines_first ? std::sin(angle) : std::cos(angle));
      table[row * made.dim + dimension] = rounded(static_cast<double>(value), stored);
    }
  return table;
}

posenc::Diagnosis diagnose(const MadeTable& made, const posenc::Expectation& expected,
                           Stored stored = Stored::float32) {
  const std::vector<double> table = write(made, 200, stored);
  return value_of(
      diagnose_sinusoid({.table = {table, {200, static_cast<std::int64_t>(made.dim)}}, .positions = {}}, expected));
}

posenc::Expectation expectation(std::int64_t dim) {
  posenc::Expectation made;
  made.plan = posenc::RotaryOptions{.dim = dim, .layout = posenc::Layout::half};
  return made;
}

std::string table_mistakes(const posenc::Diagnosis& seen) {
  REQUIRE(!seen.explanations.empty());
  CHECK(seen.verdict != Verdict::none);
  return testing::names_of(seen.explanations[0].mistakes);
}

const posenc::FoundSinusoid& found_table(const posenc::Diagnosis& seen) {
  return std::get<posenc::FoundSinusoid>(seen.explanations.at(0).found);
}

}  // namespace

TEST_CASE("tables in every arrangement and type", "[diagnosis]") {
  for (const TableOrder arrangement :
       {TableOrder::interleaved, TableOrder::split, TableOrder::interleaved_cosines_first, TableOrder::cosines_first})
    for (const Stored stored : {Stored::float32, Stored::float16, Stored::bfloat16})
      for (const std::size_t dim : {64uz, 63uz}) {
        CAPTURE(name_of(arrangement), stored, dim);
        if (dim == 63 && arrangement != TableOrder::interleaved && arrangement != TableOrder::split) continue;
        const MadeTable made{.dim = dim, .arrangement = arrangement, .denominator = static_cast<long double>(dim)};
        posenc::Expectation expected = expectation(static_cast<std::int64_t>(dim));
        const posenc::Diagnosis unexpected = diagnose(made, expected, stored);
        CHECK(found_table(unexpected).arrangement == arrangement);
        CHECK(table_mistakes(unexpected) == (arrangement == TableOrder::interleaved ? "none" : "arrangement"));
        expected.arrangement = arrangement;
        CHECK(table_mistakes(diagnose(made, expected, stored)) == "none");
      }
}

TEST_CASE("mistakes of sinusoidal tables are named", "[diagnosis]") {
  const posenc::Expectation expected = expectation(64);
  CHECK(table_mistakes(diagnose({.denominator = 62}, expected)) == "exponent-half-minus-one");
  CHECK(table_mistakes(diagnose({.denominator = 128}, expected)) == "exponent-doubled");
  CHECK(table_mistakes(diagnose({.denominator = 32}, expected)) == "exponent-halved");
  CHECK(table_mistakes(diagnose({.base = 500}, expected)) == "base");
  CHECK(table_mistakes(diagnose({.first_position = 1}, expected)) == "first-position");
  CHECK(diagnose({.first_position = 1}, expected).explanations[0].shift == -1);

  const posenc::Diagnosis loud = diagnose({.amplitude = 8}, expected);
  CHECK(table_mistakes(loud) == "amplitude");
  CHECK(found_table(loud).amplitude == 8);
  CHECK(loud.explanations[0].factor == 0.125);
  // One that nobody has is measured.
  CHECK(std::fabs(found_table(diagnose({.amplitude = 0.7300001L}, expected)).amplitude - 0.7300001) < 1e-6);

  const posenc::Diagnosis padded = diagnose({.zero_row = 1}, expected);
  CHECK(table_mistakes(padded) == "padding-row");
  CHECK(found_table(padded).padding_row);
  posenc::Expectation with_padding = expected;
  with_padding.padding_row = true;
  CHECK(table_mistakes(diagnose({.zero_row = 1}, with_padding)) == "none");
  CHECK(table_mistakes(diagnose({}, with_padding)) == "padding-row");
  // Of two texts both begin with it.
  std::vector<double> twice = write({.zero_row = 0}, 100, Stored::float32), positions(200);
  twice.insert(twice.end(), twice.begin(), twice.begin() + 100 * 64);
  for (std::size_t i = 0; i < 200; ++i) positions[i] = static_cast<double>(i % 100);
  const posenc::SinusoidSamples samples{.table = {twice, {200, 64}}, .positions = positions};
  CHECK(table_mistakes(value_of(diagnose_sinusoid(samples, expected))) == "padding-row");
  CHECK(table_mistakes(diagnose({.arrangement = TableOrder::split, .base = 500}, expected)) == "arrangement + base");
}

TEST_CASE("an odd row ends with a sine or with zeros", "[diagnosis]") {
  const posenc::Expectation paper = expectation(63);
  CHECK(table_mistakes(diagnose({.dim = 63, .denominator = 63}, paper)) == "none");
  posenc::Expectation half = expectation(63);
  half.plan->exponent = posenc::Exponent::half;
  half.arrangement = TableOrder::split;
  const MadeTable ggml{.dim = 63, .arrangement = TableOrder::split, .denominator = 62, .odd_zero = true};
  CHECK(table_mistakes(diagnose(ggml, half)) == "zero-column");
  half.zero_column = true;
  CHECK(table_mistakes(diagnose(ggml, half)) == "none");
}

TEST_CASE("of a table every value is compared", "[diagnosis]") {
  const posenc::Expectation expected = expectation(63);
  std::vector<double> table = write({.dim = 63, .denominator = 63}, 300, Stored::float32);
  const auto seen = [&] {
    return value_of(posenc::diagnose_sinusoid({.table = {table, {300, 63}}, .positions = {}}, expected));
  };
  CHECK(seen().verdict == Verdict::certain);
  // The last column is a sine alone.
  for (const std::size_t dimension : {0uz, 31uz, 62uz}) {
    CAPTURE(dimension);
    double& value = table[201 * 63 + dimension];
    const double right = value;
    value += 0.25;
    CHECK(seen().verdict == Verdict::none);
    CHECK(seen().explanations.empty());
    value = right;
  }
  for (std::size_t row = 200; row < 300; ++row) table[row * 63 + 5] += 0.25;
  CHECK(seen().verdict == Verdict::none);
}

TEST_CASE("learned tables and random ones are nothing known", "[diagnosis]") {
  std::vector<double> table = testing::random_vectors(64 * 48, 11, Stored::float32);
  const auto verdict = [&](const posenc::Expectation& expected) {
    return value_of(posenc::diagnose_sinusoid({.table = {table, {48, 64}}, .positions = {}}, expected)).verdict;
  };
  CHECK(verdict({}) == Verdict::none);
  CHECK(verdict(expectation(64)) == Verdict::none);
  // Learned ones are smooth: neighbours are alike.
  for (std::size_t i = 64; i < table.size(); ++i) table[i] = 0.95 * table[i - 64] + 0.05 * table[i];
  CHECK(verdict({}) == Verdict::none);
  CHECK(verdict(expectation(64)) == Verdict::none);
}

TEST_CASE("what a sinusoidal table cannot be is an error", "[diagnosis]") {
  std::vector<double> table(12, 0.5);
  const std::vector<double> positions{0, 1};
  testing::require_error(posenc::diagnose_sinusoid({.table = {table, {12}}, .positions = {}}, {}), "table.shape", "1");
  testing::require_error(posenc::diagnose_sinusoid({.table = {table, {3, 4}}, .positions = positions}, {}), "positions",
                         "2");
  testing::require_error(posenc::diagnose_sinusoid({.table = {table, {3, 4}}, .positions = {}}, expectation(64)),
                         "expected.dim", "64");
  table[5] = std::nan("");
  testing::require_error(posenc::diagnose_sinusoid({.table = {table, {3, 4}}, .positions = {}}, {}), "table.data[5]",
                         "nan");
}
