#include "posenc/relative/relative_position.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "relative/relative_testing.hpp"
#include "testing/testing.hpp"

using posenc::BiasShape;
using posenc::RelativePositions;
using posenc::RelativeSign;
using testing::Generator;
using testing::random_shape;
using testing::require_error;
using testing::untouched;
using testing::value_of;

namespace {

std::vector<std::int32_t> expanded(const RelativePositions& positions, const std::vector<std::int32_t>& compact) {
  std::vector<std::int32_t> out(positions.queries() * positions.keys(), -7);
  value_of(posenc::relative_expand(positions, 1, compact, out));
  return out;
}

}  // namespace

TEST_CASE("relative: offsets are key - query, whatever the query's offset", "[relative]") {
  Generator generator(301);
  for (int round = 0; round < 200; ++round) {
    BiasShape shape = random_shape(generator);
    shape.heads = 1;
    const auto positions = value_of(RelativePositions::make(shape));
    std::vector<std::int32_t> compact(positions.distances());
    value_of(posenc::relative_offsets(positions, compact));
    const auto full = expanded(positions, compact);
    for (std::size_t at = 0; at < full.size(); ++at) {
      const auto i = static_cast<std::int64_t>(at / positions.keys());
      const auto j = static_cast<std::int64_t>(at % positions.keys());
      REQUIRE(full[at] == j - i - shape.query_offset);
    }
  }
}

TEST_CASE("relative: 3 queries and 4 keys by hand", "[relative]") {
  const auto positions = value_of(RelativePositions::make({.queries = 3, .keys = 4, .query_offset = 1}));
  std::vector<std::int32_t> compact(6);
  value_of(posenc::relative_offsets(positions, compact));
  CHECK(compact == std::vector<std::int32_t>{-3, -2, -1, 0, 1, 2});
  CHECK(expanded(positions, compact) == std::vector<std::int32_t>{-1, 0, 1, 2, -2, -1, 0, 1, -3, -2, -1, 0});
  value_of(posenc::shaw_ids(positions, 1, compact));
  CHECK(compact == std::vector<std::int32_t>{0, 0, 0, 1, 2, 2});
  CHECK(positions.keys_up_to(0) == 2);
  CHECK(positions.keys_up_to(2) == 4);
}

TEST_CASE("relative: large outputs, whose rows go through the cache in blocks or are long", "[relative]") {
  struct Large {
    BiasShape shape;
    std::size_t inner;
  };
  for (const auto& [shape, inner] :
       {Large{{.heads = 3, .queries = 1501, .keys = 1499}, 1}, Large{{.heads = 7, .queries = 13, .keys = 70001}, 1},
        Large{{.heads = 1, .queries = 70001, .keys = 13}, 7}}) {
    const auto positions = value_of(RelativePositions::make(shape));
    std::vector<std::int32_t> compact(positions.heads() * positions.distances() * inner);
    for (std::size_t at = 0; at < compact.size(); ++at) compact[at] = static_cast<std::int32_t>(at);
    const std::size_t row = positions.keys() * inner;
    std::vector<std::int32_t> full(positions.heads() * positions.queries() * row, -7);
    REQUIRE(full.size() >= std::size_t{24} << 18);
    value_of(posenc::relative_expand(positions, inner, compact, full));
    auto at = full.begin();
    for (std::size_t h = 0; h < positions.heads(); ++h)
      for (std::size_t i = 0; i < positions.queries(); ++i, at += static_cast<std::ptrdiff_t>(row)) {
        const auto first = compact.begin() + static_cast<std::ptrdiff_t>(
                                                 (h * positions.distances() + positions.queries() - 1 - i) * inner);
        REQUIRE(std::equal(first, first + static_cast<std::ptrdiff_t>(row), at));
      }
  }
}

TEST_CASE("relative: the sinusoidal tensor is the table at j - i, in both exponents and signs", "[relative]") {
  const auto positions = value_of(RelativePositions::make({.queries = 8, .keys = 8}));
  for (const auto exponent : {posenc::Exponent::paper, posenc::Exponent::double_stepped})
    for (const auto sign : {RelativeSign::key_minus_query, RelativeSign::query_minus_key}) {
      const posenc::SinusoidalOptions options{.frequencies = {.dim = 32, .exponent = exponent}};
      const auto sinusoid = value_of(posenc::Sinusoidal::make(options));
      std::vector<float> compact(15 * 32);
      value_of(posenc::relative_sinusoidal(sinusoid, sign, positions, compact));
      std::vector<float> full(8 * 8 * 32);
      value_of(posenc::relative_expand(positions, 32, compact, full));
      for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j) {
          const double difference = static_cast<double>(j) - static_cast<double>(i);
          const auto row = testing::table_of(
              options, posenc::Positions::range(1, sign == RelativeSign::key_minus_query ? difference : -difference));
          REQUIRE(testing::same_bits(std::span(full).subspan((i * 8 + j) * 32, 32), row));
        }
    }
}

TEST_CASE("relative: wrong shapes are Errors", "[relative]") {
  constexpr std::int64_t much = posenc::max_positions + 1;
  require_error(RelativePositions::make({.heads = 0}), "heads", "0");
  require_error(RelativePositions::make({.heads = posenc::max_heads + 1}), "heads", "65537");
  require_error(RelativePositions::make({.queries = -1}), "queries", "-1");
  require_error(RelativePositions::make({.queries = much}), "queries", "536870913");
  require_error(RelativePositions::make({.keys = much}), "keys", "536870913");
  require_error(RelativePositions::make({.query_offset = -much}), "queryOffset", "-536870913");
  require_error(posenc::from_name<posenc::Future>("hide"), "future", "hide");
  require_error(posenc::from_name<posenc::RelativeSign>("minus"), "sign", "minus");
}

TEST_CASE("relative: sizes that do not fit are Errors and nothing is written", "[relative]") {
  const auto positions = value_of(RelativePositions::make({.heads = 2, .queries = 3, .keys = 4}));
  std::vector<float> out(23, untouched);
  require_error(posenc::relative_expand(positions, 1, std::vector<float>(12), out), "out", "23");
  require_error(posenc::relative_expand(positions, 1, std::vector<float>(11), out), "compact", "11");
  CHECK(testing::is_untouched(out));
  std::vector<std::int32_t> ids(5);
  require_error(posenc::relative_offsets(positions, ids), "out", "5");
  require_error(posenc::shaw_ids(positions, 1, ids), "out", "5");
  require_error(posenc::shaw_ids(positions, -1, ids), "maxDistance", "-1");
  const auto huge = value_of(
      RelativePositions::make({.heads = 65536, .queries = posenc::max_positions, .keys = posenc::max_positions}));
  require_error(posenc::relative_expand(huge, 1, std::vector<float>(12), out), "compact", "12");
}

TEST_CASE("relative: no queries or no keys are fine", "[relative]") {
  for (const auto& shape : {BiasShape{1, 0, 5, 3}, BiasShape{2, 5, 0, 0}, BiasShape{1, 0, 0, 0}}) {
    const auto positions = value_of(RelativePositions::make(shape));
    CHECK(positions.distances() == 0);
    std::vector<float> none;
    value_of(posenc::relative_expand(positions, 1, none, none));
  }
}

TEST_CASE("transformer-xl: the shift by hand, and as the compact form's expansion", "[transformer_xl]") {
  std::vector<float> out(9);
  value_of(posenc::relative_shift(1, 3, 3, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}, out));
  CHECK(out == std::vector<float>{3, 0, 4, 5, 6, 0, 7, 8, 9});
  const std::size_t queries = 4, keys = 6, width = queries + keys - 1;
  const auto x = testing::fractions(2 * queries * width, 375);
  std::vector<float> shifted(x.size());
  value_of(posenc::relative_shift(2, queries, width, x, shifted));
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t i = 0; i < queries; ++i)
      for (std::size_t j = 0; j < keys; ++j)
        REQUIRE(shifted[(h * queries + i) * width + j] == x[(h * queries + i) * width + j + queries - 1 - i]);
  require_error(posenc::relative_shift(1, 3, 4, x, shifted), "x", "72");
  require_error(posenc::relative_shift(2, queries, width, x, out), "out", "9");
}
