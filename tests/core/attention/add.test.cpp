#include "posenc/attention/add.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <vector>

#include "testing/testing.hpp"

using posenc::add;
using testing::fractions;
using testing::same_bits;
using testing::untouched;
using testing::value_of;

namespace {

/// Refused with `argument` named, and nothing written.
void check_refused(std::size_t x_size, std::size_t rows, std::size_t dim, std::size_t table_size, std::size_t out_size,
                   std::string_view argument) {
  INFO("x " << x_size << ", rows " << rows << ", dim " << dim << ", table " << table_size << ", out " << out_size);
  std::vector<float> out(out_size, untouched);
  const auto result = add(fractions(x_size, 1), rows, dim, fractions(table_size, 2), out);
  testing::require_error(result, argument, "");
  CHECK(testing::is_untouched(out));
}

}  // namespace

TEST_CASE("absolute: every row of every batch gets its row of the table", "[absolute]") {
  constexpr std::size_t batch = 3, rows = 5, dim = 13;
  const auto x = fractions(batch * rows * dim, 1);
  const auto table = fractions((rows + 2) * dim, 2);  // longer than needed
  std::vector<float> out(x.size(), untouched);
  value_of(add(x, rows, dim, table, out));
  for (std::size_t i = 0; i < x.size(); ++i) {
    INFO("value " << i);
    REQUIRE(same_bits(out[i], x[i] + table[i % (rows * dim)]));
  }
}

TEST_CASE("absolute: in place gives the same", "[absolute]") {
  auto x = fractions(2 * 4 * 9, 3);
  const auto table = fractions(4 * 9, 4);
  std::vector<float> out(x.size());
  value_of(add(x, 4, 9, table, out));
  value_of(add(x, 4, 9, table, x));
  CHECK(same_bits(x, out));
}

TEST_CASE("absolute: with post E's printed positions 'the' and 'mat' end as one, with true ones they don't",
          "[absolute][documents]") {
  const std::vector<float> words{0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f, 1.0f, 1.1f, 1.2f};
  const std::vector<float> printed{0.0f, 1.0f, 0.8f, 0.6f, 0.5f, 0.8f, 0.2f, 0.9f, 0.9f, 0.4f, 0.7f, 0.2f};
  std::vector<float> out(12, untouched);
  value_of(add(words, 6, 2, printed, out));
  CHECK(std::abs(out[8] - 1.8f) <= 2e-7f);
  CHECK(std::abs(out[9] - 1.4f) <= 2e-7f);
  CHECK(std::abs(out[8] - out[10]) <= 2e-7f);
  CHECK(std::abs(out[9] - out[11]) <= 2e-7f);
  const auto table = testing::table_of({.frequencies = {.dim = 2}}, posenc::Positions::range(6));
  value_of(add(words, 6, 2, table, out));
  CHECK(std::abs(out[9] - out[11]) > 0.5f);
}

TEST_CASE("absolute: no rows to add are fine", "[absolute]") {
  value_of(add({}, 3, 4, fractions(12, 1), {}));
  value_of(add({}, 0, 4, {}, {}));
}

TEST_CASE("absolute: sizes that do not fit are an Error and nothing is written", "[absolute]") {
  check_refused(13, 3, 4, 12, 13, "x");
  check_refused(12, 3, 4, 11, 12, "table");
  check_refused(24, 3, 4, 12, 23, "out");
  check_refused(24, 3, 4, 12, 25, "out");
  check_refused(6, 0, 4, 12, 6, "x");
  check_refused(6, 3, 0, 12, 6, "x");
}

TEST_CASE("absolute: rows that overflow with dim are an Error", "[absolute]") {
  constexpr std::size_t half = std::size_t{1} << (sizeof(std::size_t) * 8 - 1);
  std::vector<float> out(4, untouched);
  CHECK_FALSE(add(fractions(4, 1), half, 2, fractions(4, 2), out).has_value());
  CHECK_FALSE(add(fractions(4, 1), half + 2, 2, fractions(4, 2), out).has_value());  // 4 after wrapping
  CHECK(testing::is_untouched(out));
}

TEST_CASE("absolute: rows along any axis, [batch, rows, inner, dim]", "[absolute]") {
  testing::Generator generator(5);
  for (int round = 0; round < 100; ++round) {
    const std::size_t batch = 1 + generator.below(3), rows = 1 + generator.below(5), inner = 1 + generator.below(4);
    const std::size_t dim = 1 + generator.below(40);
    const auto x = fractions(batch * rows * inner * dim, generator.next());
    const auto table = fractions((rows + 1) * dim, generator.next());
    std::vector<float> out(x.size(), untouched), gradient(table.size(), untouched);
    value_of(add(x, rows, dim, table, out, inner));
    value_of(posenc::add_backward(x, rows, dim, gradient, inner));
    std::vector<double> sums(table.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t at = i / dim / inner % rows * dim + i % dim;
      REQUIRE(same_bits(out[i], x[i] + table[at]));
      sums[at] += static_cast<double>(x[i]);
    }
    for (std::size_t at = 0; at < sums.size(); ++at) REQUIRE(same_bits(gradient[at], static_cast<float>(sums[at])));
  }
  std::vector<float> out(12, untouched);
  testing::require_error(add(fractions(12, 1), 2, 2, fractions(4, 2), out, 4), "x", "12");
  CHECK(testing::is_untouched(out));
}
