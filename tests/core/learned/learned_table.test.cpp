#include "posenc/learned/learned_table.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <vector>

#include "learned/learned_testing.hpp"
#include "posenc/attention/add.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::add_rows;
using posenc::lookup_rows;
using posenc::padded_positions;
using posenc::rows_gradient;
using posenc::TableRows;
using reference::Quad;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

using Ids = std::vector<std::int32_t>;

Ids random_ids(testing::Generator& generator, std::size_t count, std::size_t rows) {
  Ids ids(count);
  for (auto& id : ids) id = static_cast<std::int32_t>(generator.below(rows));
  return ids;
}

std::vector<float> looked_up(std::span<const float> table, std::int64_t dim, const TableRows& rows) {
  std::vector<float> out(rows.count() * static_cast<std::size_t>(dim), testing::untouched);
  value_of(lookup_rows(table, dim, rows, out));
  return out;
}

std::vector<float> gradient_of(std::span<const float> gradient, std::int64_t dim, const TableRows& rows,
                               std::size_t table_rows, std::optional<std::int64_t> padding = {}) {
  std::vector<float> out(table_rows * static_cast<std::size_t>(dim), testing::untouched);
  value_of(rows_gradient(gradient, dim, rows, padding, out));
  return out;
}

}  // namespace

TEST_CASE("learned table: rows by id, by offset and in a row", "[learned]") {
  const std::vector<float> table{0, 1, 10, 11, 20, 21, 30, 31, 40, 41};
  CHECK(looked_up(table, 2, TableRows::list(Ids{3, 0, 3, 4})) == std::vector<float>{30, 31, 0, 1, 30, 31, 40, 41});
  CHECK(looked_up(table, 2, TableRows::range(2)) == std::vector<float>{0, 1, 10, 11});
  CHECK(looked_up(table, 2, TableRows::range(2, 3)) == std::vector<float>{30, 31, 40, 41});
  // BART's and OPT's offset; ids may even be negative where the offset makes rows of them.
  CHECK(looked_up(table, 2, TableRows::list(Ids{0, -2, 2}, 2)) == std::vector<float>{20, 21, 0, 1, 40, 41});
  CHECK(looked_up(table, 2, TableRows::list(Ids{4}, -4)) == std::vector<float>{0, 1});
  CHECK(looked_up(table, 2, TableRows::range(0, 5)).empty());
  CHECK(looked_up({}, 2, TableRows::list(Ids{}, 2)).empty());
}

TEST_CASE("learned table: an id that is no row is named with its index", "[learned]") {
  const auto table = fractions(5 * 3, 1);
  std::vector<float> out(4 * 3, testing::untouched);
  const auto lookup = [&](const TableRows& rows) { return lookup_rows(table, 3, rows, out); };
  require_error(lookup(TableRows::list(Ids{0, 4, 5, 9})), "ids[2]", "5");
  require_error(lookup(TableRows::list(Ids{0, 4, 1, -1})), "ids[3]", "-1");
  require_error(lookup(TableRows::list(Ids{0, 4, 1, 3}, 2)), "ids[1]", "4");
  require_error(lookup(TableRows::list(Ids{1, 4, 1, 0}, -1)), "ids[3]", "0");
  require_error(lookup(TableRows::list(Ids{std::numeric_limits<std::int32_t>::max(), 0, 0, 0})), "ids[0]",
                "2147483647");
  require_error(lookup(TableRows::range(4, 2)), "length", "4");
  require_error(lookup(TableRows::range(4, -1)), "offset", "-1");
  require_error(lookup(TableRows::range(0, 6)), "offset", "6");
  for (const std::int64_t offset :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    require_error(lookup(TableRows::range(4, offset)), "offset", "");
    require_error(lookup(TableRows::list(Ids{0, 1, 2, 3}, offset)), "offset", "");
  }
  require_error(lookup(TableRows::range(std::numeric_limits<std::size_t>::max())), "length", "");
  require_error(lookup_rows({}, 3, TableRows::list(Ids{0}), std::span(out).first(3)), "ids[0]", "0");
  require_error(lookup(TableRows::range(3)), "out", "12");
  require_error(lookup_rows(table, 4, TableRows::range(3), out), "table", "15");
  require_error(lookup_rows(table, 0, TableRows::range(3), out), "dim", "0");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("learned table: rows added to embeddings, ids for all batches or for each token", "[learned]") {
  testing::Generator generator(620);
  for (int round = 0; round < 50; ++round) {
    const std::size_t rows = 1 + generator.below(9), dim = 1 + generator.below(12);
    const std::size_t batch = 1 + generator.below(3), n = generator.below(8);
    const auto table = fractions(rows * dim, 621);
    const auto x = fractions(batch * n * dim, 622);
    const Ids ids = random_ids(generator, round % 2 == 0 ? n : batch * n, rows);
    auto out = x;
    value_of(add_rows(x, static_cast<std::int64_t>(dim), table, TableRows::list(ids), out));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto row = static_cast<std::size_t>(ids[i / dim % ids.size()]);
      REQUIRE(same_bits(out[i], x[i] + table[row * dim + i % dim]));
    }
  }
}

TEST_CASE("learned table: consecutive rows add as any absolute table does", "[learned][documents]") {
  // Post E: the printed words and positions; post B: a table for 5000 positions, its first rows added.
  const std::vector<float> words{0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f, 1.0f, 1.1f, 1.2f};
  const std::vector<float> positions{0.0f, 1.0f, 0.8f, 0.6f, 0.5f, 0.8f, 0.2f, 0.9f, 0.9f, 0.4f, 0.7f, 0.2f};
  const std::vector<float> printed{0.1f, 1.2f, 1.1f, 1.0f, 1.0f, 1.4f, 0.9f, 1.7f, 1.8f, 1.4f, 1.8f, 1.4f};
  std::vector<float> sum(12);
  value_of(add_rows(words, 2, positions, TableRows::range(6), sum));
  for (std::size_t i = 0; i < 12; ++i) CHECK(std::fabs(sum[i] - printed[i]) <= 2e-7f);

  const auto table = fractions(5000 * 8, 623);
  const auto x = fractions(3 * 30 * 8, 624);
  std::vector<float> by_rows(x.size()), absolute(x.size());
  value_of(add_rows(x, 8, table, TableRows::range(30), by_rows));
  value_of(posenc::add(x, 30, 8, table, absolute));
  CHECK(same_bits(by_rows, absolute));
}

TEST_CASE("learned table: the gradient is that of finite differences", "[learned]") {
  testing::Generator generator(630);
  for (int round = 0; round < 20; ++round) {
    const std::size_t rows = 1 + generator.below(5), dim = 1 + generator.below(4), n = 1 + generator.below(9);
    const Ids ids = random_ids(generator, n, rows);
    const auto table = fractions(rows * dim, 631);
    const auto x = fractions(2 * n * dim, 632);
    const auto slopes = fractions(2 * n * dim, 633);
    // The loss is the sum of slope * (x + row), in 113 bits, and linear: its differences are exact but for rounding.
    const auto loss = [&](std::size_t moved, Quad by) {
      Quad sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t entry = static_cast<std::size_t>(ids[i / dim % n]) * dim + i % dim;
        const Quad value = static_cast<Quad>(table[entry]) + (entry == moved ? by : 0);
        sum += static_cast<Quad>(slopes[i]) * (static_cast<Quad>(x[i]) + value);
      }
      return sum;
    };
    const auto gradient = gradient_of(slopes, static_cast<std::int64_t>(dim), TableRows::list(ids), rows);
    for (std::size_t entry = 0; entry < gradient.size(); ++entry) {
      const Quad step = static_cast<Quad>(1) / 1024;
      const Quad slope = (loss(entry, step) - loss(entry, -step)) / (2 * step);
      REQUIRE(testing::ulp_beyond(gradient[entry], slope, static_cast<Quad>(1e-15)) <= 0.501);
    }
  }
}

TEST_CASE("learned table: gradients of rows met many times, in sums that cancel", "[learned][accuracy]") {
  testing::Generator generator(640);
  double worst = 0;
  for (int round = 0; round < 40; ++round) {
    const std::size_t rows = 1 + generator.below(20), dim = 1 + generator.below(9), n = generator.below(300);
    const std::size_t batch = 1 + generator.below(3);
    const std::int64_t offset = static_cast<std::int64_t>(generator.below(4)) - 1;
    Ids ids = random_ids(generator, n, rows);
    for (auto& id : ids) id -= static_cast<std::int32_t>(offset);
    auto slopes = fractions(batch * n * dim, 641);
    for (float& slope : slopes) slope = std::ldexp(slope, static_cast<int>(generator.below(30)));
    const std::optional<std::int64_t> padding =
        round % 2 == 0 ? std::optional(static_cast<std::int64_t>(generator.below(rows))) : std::nullopt;
    const auto gradient =
        gradient_of(slopes, static_cast<std::int64_t>(dim), TableRows::list(ids, offset), rows, padding);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t dimension = 0; dimension < dim; ++dimension) {
        Quad sum = 0, magnitudes = 0;
        for (std::size_t at = 0; at < batch * n; ++at)
          if (ids[at % n] + offset == static_cast<std::int64_t>(row) && padding != static_cast<std::int64_t>(row)) {
            sum += static_cast<Quad>(slopes[at * dim + dimension]);
            magnitudes += reference::magnitude(slopes[at * dim + dimension]);
          }
        worst = std::fmax(worst, testing::ulp_beyond(gradient[row * dim + dimension], sum,
                                                     magnitudes * static_cast<Quad>(batch * n) / 9007199254740992));
      }
  }
  std::printf("largest error: row gradient: %.4f ulp\n", worst);
  CHECK(worst <= 0.501);
}

TEST_CASE("learned table: every row without a token has a gradient of +0", "[learned]") {
  CHECK(same_bits(gradient_of(std::vector<float>{-1, -2}, 2, TableRows::list(Ids{1}), 3),
                  std::vector<float>{0, 0, -1, -2, 0, 0}));
  CHECK(same_bits(gradient_of({}, 2, TableRows::range(0), 2), std::vector<float>(4)));
}

TEST_CASE("learned table: sizes that do not fit are Errors, and nothing is written", "[learned]") {
  const auto table = fractions(5 * 3, 1);
  const auto x = fractions(4 * 3, 2);
  std::vector<float> out(4 * 3, testing::untouched);
  require_error(add_rows(x, 3, table, TableRows::range(3), out), "x", "12");
  require_error(add_rows(x, 3, table, TableRows::range(0), out), "x", "12");
  require_error(add_rows(x, 3, table, TableRows::range(4, 2), out), "length", "4");
  require_error(add_rows(x, 3, table, TableRows::list(Ids{0, 7}), out), "ids[1]", "7");
  require_error(add_rows(x, 3, table, TableRows::range(4), std::span(out).first(9)), "out", "9");
  require_error(add_rows(x, 2, table, TableRows::range(4), out), "table", "15");
  require_error(add_rows(x, -3, table, TableRows::range(4), out), "dim", "-3");
  require_error(rows_gradient(x, 3, TableRows::range(3), {}, out), "gradient", "12");
  require_error(rows_gradient(x, 3, TableRows::list(Ids{0, 1, 2, 4}), {}, out), "ids[3]", "4");
  require_error(rows_gradient(x, 3, TableRows::range(4), 4, out), "paddingIdx", "4");
  require_error(rows_gradient(x, 3, TableRows::range(4), -1, out), "paddingIdx", "-1");
  require_error(rows_gradient(x, 5, TableRows::range(4), {}, out), "out", "12");
  require_error(rows_gradient(x, 0, TableRows::range(4), {}, out), "dim", "0");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("learned table: positions of padded sequences count tokens alone", "[learned]") {
  const Ids mask{1, 1, 1, 0, 0, /**/ 0, 0, 1, 1, 1, /**/ 0, 0, 0, 0, 0, /**/ 1, 0, -3, 0, 1};
  Ids ids(mask.size());
  value_of(padded_positions(mask, 5, 1, 0, ids));
  CHECK(ids == Ids{2, 3, 4, 1, 1, /**/ 1, 1, 2, 3, 4, /**/ 1, 1, 1, 1, 1, /**/ 2, 1, 3, 1, 4});
  value_of(padded_positions(mask, 5, 0, 7, ids));
  CHECK(ids == Ids{8, 9, 10, 0, 0, /**/ 0, 0, 8, 9, 10, /**/ 0, 0, 0, 0, 0, /**/ 8, 0, 9, 0, 10});
  value_of(padded_positions({}, 0, 1, 0, {}));

  Ids out(mask.size(), -7);
  require_error(padded_positions(mask, 5, -1, 0, out), "paddingIdx", "-1");
  require_error(padded_positions(mask, 5, 1, -1, out), "past", "-1");
  require_error(padded_positions(mask, 5, 1, posenc::max_rows + 1, out), "past", "536870913");
  require_error(padded_positions(mask, 3, 1, 0, out), "mask", "20");
  require_error(padded_positions(mask, 0, 1, 0, out), "mask", "20");
  require_error(padded_positions(mask, 5, 1, 0, std::span(out).first(15)), "out", "15");
  CHECK(out == Ids(mask.size(), -7));
}

TEST_CASE("learned table: the gradient has the bits that are stored", "[hashes]") {
  // fractions(2 * 300 * 9, 12) of shape [2, 300, 9] for a table of 17 rows; the id of token i is i * i mod 17.
  std::vector<std::int32_t> ids;
  for (std::int32_t i = 0; i < 300; ++i) ids.push_back(i * i % 17);
  std::vector<float> out(17 * 9);
  testing::value_of(
      posenc::rows_gradient(testing::fractions(2 * 300 * 9, 12), 9, posenc::TableRows::list(ids), {}, out));
  testing::check_hash("learned gradient", "37d3883917e366d1", {out});
}
