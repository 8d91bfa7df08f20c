#include "posenc/sinusoidal/sinusoidal.hpp"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "testing/testing.hpp"

using posenc::Exponent;
using posenc::Order;
using posenc::Positions;
using posenc::Sinusoidal;
using posenc::SinusoidalOptions;
using testing::Generator;
using testing::infinity;
using testing::require_error;
using testing::same_bits;
using testing::table_of;
using testing::untouched;
using testing::value_of;

namespace {

constexpr double two_to_53 = posenc::max_angle;

SinusoidalOptions random_options(Generator& generator) {
  constexpr double bases[] = {2, 500, 1e4, 1e6, 0.5};
  return {.frequencies = {.dim = static_cast<std::int64_t>(1 + generator.below(70)),
                          .base = bases[generator.below(5)],
                          .exponent = generator.below(2) == 0 ? Exponent::paper : Exponent::double_stepped},
          .order = generator.below(2) == 0 ? Order::interleaved : Order::split};
}

/// A multiple of 1/8, so that adding row numbers is exact.
double random_offset(Generator& generator) {
  return (static_cast<double>(generator.next()) - 0x1p23) * (generator.below(2) == 0 ? 0.125 : 64);
}

/// Rows first, first + 1, ... of a table.
std::span<const float> rows(const std::vector<float>& table, std::size_t dim, std::size_t first, std::size_t count) {
  return std::span(table).subspan(first * dim, count * dim);
}

float negated(float x) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) ^ 0x80000000u); }

/// Refused with `argument` named; `out`, of `size` values, is unchanged.
void check_refused(const SinusoidalOptions& options, const Positions& positions, std::size_t size,
                   std::string_view argument, std::string_view value = "") {
  const auto encoding = value_of(Sinusoidal::make(options));
  std::vector<float> out(size, untouched);
  require_error(encoding.table(positions, out), argument, value);
  CHECK(testing::is_untouched(out));
}

}  // namespace

TEST_CASE("sinusoid: a slice of a range is the range's slice, bit for bit", "[sinusoid]") {
  Generator generator(11);
  for (int round = 0; round < 300; ++round) {
    const auto options = random_options(generator);
    const auto dim = static_cast<std::size_t>(options.frequencies.dim);
    const double offset = random_offset(generator);
    const std::size_t count = 1 + generator.below(20);
    const std::size_t first = generator.below(count);
    const std::size_t length = generator.below(count - first + 1);
    const auto whole = table_of(options, Positions::range(count, offset));
    const auto slice = table_of(options, Positions::range(length, offset + static_cast<double>(first)));
    INFO("round " << round << ", dim " << dim << ", offset " << offset << ", rows " << first << " + " << length);
    REQUIRE(same_bits(slice, rows(whole, dim, first, length)));
  }
}

TEST_CASE("sinusoid: a row depends on its position alone, bit for bit", "[sinusoid]") {
  Generator generator(12);
  for (int round = 0; round < 300; ++round) {
    const auto options = random_options(generator);
    const auto dim = static_cast<std::size_t>(options.frequencies.dim);
    const double offset = random_offset(generator);
    const std::size_t count = 1 + generator.below(20);
    const auto whole = table_of(options, Positions::range(count, offset));
    std::vector<std::size_t> chosen(generator.below(9));
    std::vector<double> positions;
    for (std::size_t& row : chosen) {
      row = generator.below(count);
      positions.push_back(offset + static_cast<double>(row));
    }
    const auto list = table_of(options, Positions::list(positions));
    INFO("round " << round << ", dim " << dim << ", offset " << offset << ", rows " << chosen.size());
    REQUIRE(list.size() == chosen.size() * dim);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      REQUIRE(same_bits(rows(list, dim, i, 1), rows(whole, dim, chosen[i], 1)));
  }
}

TEST_CASE("sinusoid: a large list of positions 0, 1, 2, ... is the range", "[sinusoid]") {
  std::vector<double> positions(1000);
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<double>(i);
  const SinusoidalOptions options{.frequencies = {.dim = 130}};
  CHECK(same_bits(table_of(options, Positions::list(positions)), table_of(options, Positions::range(1000))));
}

TEST_CASE("sinusoid: `out` may begin anywhere in memory", "[sinusoid]") {
  const SinusoidalOptions options{.frequencies = {.dim = 37}};
  const auto encoding = value_of(Sinusoidal::make(options));
  const auto expected = table_of(options, Positions::range(5, 3));
  for (std::size_t shift = 0; shift < 16; ++shift) {
    std::vector<float> memory(expected.size() + 32, untouched);
    const auto out = std::span(memory).subspan(shift, expected.size());
    value_of(encoding.table(Positions::range(5, 3), out));
    CHECK(same_bits(out, expected));
    CHECK(testing::is_untouched(std::span(memory).first(shift)));
    CHECK(testing::is_untouched(std::span(memory).subspan(shift + expected.size())));
  }
}

TEST_CASE("sinusoid: position 0 has sines of exactly 0 and cosines of exactly 1", "[sinusoid]") {
  for (const std::int64_t dim : {1, 2, 3, 7, 16, 33, 512})
    for (const double base : {1e4, 0.5}) {
      const auto row = table_of({.frequencies = {.dim = dim, .base = base}}, Positions::range(1));
      REQUIRE(row.size() == static_cast<std::size_t>(dim));
      for (std::size_t dimension = 0; dimension < row.size(); ++dimension)
        REQUIRE(same_bits(row[dimension], dimension % 2 == 0 ? 0.0f : 1.0f));
    }
}

TEST_CASE("sinusoid: at -p sines change their sign and cosines don't, bit for bit", "[sinusoid]") {
  const SinusoidalOptions options{.frequencies = {.dim = 66, .base = 500}};
  for (const double position : {1.0, 0.1, 17.0, 2047.0, 1048577.0, 2147483648.0, 1e15 + 0.5, 0x1p53}) {
    const auto plus = table_of(options, Positions::range(1, position));
    const auto minus = table_of(options, Positions::range(1, -position));
    INFO("position " << position);
    for (std::size_t dimension = 0; dimension < plus.size(); dimension += 2) {
      REQUIRE(same_bits(minus[dimension], negated(plus[dimension])));
      REQUIRE(same_bits(minus[dimension + 1], plus[dimension + 1]));
    }
  }
}

TEST_CASE("sinusoid: split holds the same values as interleaved, sines first", "[sinusoid]") {
  const auto interleaved = table_of({.frequencies = {.dim = 5}}, Positions::range(1, 2));
  const auto split = table_of({.frequencies = {.dim = 5}, .order = Order::split}, Positions::range(1, 2));
  const std::vector<float> expected{interleaved[0], interleaved[2], interleaved[4], interleaved[1], interleaved[3]};
  CHECK(same_bits(split, expected));
  CHECK_FALSE(same_bits(split, interleaved));
}

TEST_CASE("sinusoid: no positions give an empty table", "[sinusoid]") {
  CHECK(table_of({.frequencies = {.dim = 8}}, Positions::range(0)).empty());
  CHECK(table_of({.frequencies = {.dim = 8}}, Positions::list({})).empty());
}

TEST_CASE("sinusoid: bad options are the frequencies' Errors", "[sinusoid]") {
  require_error(Sinusoidal::make({.frequencies = {.dim = 0}}), "dim", "0");
  require_error(Sinusoidal::make({.frequencies = {.dim = -7}}), "dim", "-7");
  require_error(Sinusoidal::make({.frequencies = {.dim = posenc::max_dim + 1}}), "dim", "16777217");
  require_error(Sinusoidal::make({.frequencies = {.dim = 8, .base = -2}}), "base", "-2");
  require_error(Sinusoidal::make({.frequencies = {.dim = 8, .base = std::nan("")}}), "base", "nan");
  CHECK(value_of(Sinusoidal::make({.frequencies = {.dim = 7}})).dim() == 7);
}

TEST_CASE("sinusoid: bad positions are an Error and nothing is written", "[sinusoid]") {
  const SinusoidalOptions options{.frequencies = {.dim = 6}};
  for (const double bad : {std::nan(""), infinity, -infinity, two_to_53 + 2, -two_to_53 - 2}) {
    const std::vector<double> last{0, 1, 2, bad};
    const std::vector<double> first{bad, 0, 1, 2};
    check_refused(options, Positions::list(last), 24, "positions");
    check_refused(options, Positions::list(first), 24, "positions");
    check_refused(options, Positions::range(1, bad), 6, "offset");
  }
  const SinusoidalOptions faster{.frequencies = {.dim = 64, .base = 0.5}};  // its angles are larger than its positions
  check_refused(faster, Positions::range(1, two_to_53), 64, "offset", "9007199254740992");
  check_refused({.frequencies = {.dim = 2}}, Positions::range(4, two_to_53 - 1), 8, "offset", "9007199254740991");
}

TEST_CASE("sinusoid: an output of another size is an Error and nothing is written", "[sinusoid]") {
  const SinusoidalOptions options{.frequencies = {.dim = 6}};
  check_refused(options, Positions::range(4), 23, "out", "23");
  check_refused(options, Positions::range(4), 25, "out", "25");
  check_refused(options, Positions::range(4), 0, "out", "0");
  check_refused(options, Positions::range(0), 1, "out", "1");
}

TEST_CASE("sinusoid: a count that overflows with dim is an Error", "[sinusoid]") {
  // count * dim is 0 in size_t arithmetic, as is the size of an empty output.
  constexpr std::size_t half = std::size_t{1} << (sizeof(std::size_t) * 8 - 1);
  check_refused({.frequencies = {.dim = 2}}, Positions::range(half), 0, "out");
}

TEST_CASE("sinusoid: orders go by name", "[sinusoid]") {
  CHECK(value_of(posenc::from_name<posenc::Order>("interleaved")) == Order::interleaved);
  CHECK(value_of(posenc::from_name<posenc::Order>("split")) == Order::split);
  const auto result = posenc::from_name<posenc::Order>("halves");
  require_error(result, "order", "halves");
  CHECK(result.error().expected().find("interleaved") != std::string::npos);
  CHECK(result.error().expected().find("split") != std::string::npos);
}

TEST_CASE("sinusoid: many rows, few rows, a list and one position again and again have the same bits", "[sinusoid]") {
  for (const posenc::Order order : {posenc::Order::interleaved, posenc::Order::split, posenc::Order::cosines_first})
    for (const std::int64_t dim : {1, 2, 7, 8, 30, 64})
      for (const double first : {-40.0, 0.0, 1073.0, 4294967296.0, 17592186044300.0}) {
        const posenc::SinusoidalOptions options{.frequencies = {.dim = dim}, .order = order};
        constexpr std::size_t count = 150;
        const auto whole = testing::table_of(options, posenc::Positions::range(count, first));
        std::vector<double> list(count);
        for (std::size_t i = 0; i < count; ++i) list[i] = first + static_cast<double>(i);
        CHECK(testing::same_bits(whole, testing::table_of(options, posenc::Positions::list(list))));
        const auto dims = static_cast<std::size_t>(dim);
        for (const std::size_t i : {0u, 17u, 40u, 149u}) {
          const auto row = std::span(whole).subspan(i * dims, dims);
          CHECK(testing::same_bits(row, testing::table_of(options, posenc::Positions::range(1, list[i]))));
          const auto repeated = testing::table_of(options, posenc::Positions::repeat(40, list[i]));
          CHECK(testing::same_bits(row, std::span(repeated).last(dims)));
        }
      }
}

TEST_CASE("sinusoid: tables have the bits that are stored", "[hashes]") {
  using posenc::Positions;
  using testing::table_of;
  // 512 rows of dim 128, everything else by default.
  testing::check_hash("table 512 x 128", "a8a72cef01ee4e09",
                      {table_of({.frequencies = {.dim = 128}}, Positions::range(512))});
  // 100 rows of dim 33, order split, base 500, from position -50.
  testing::check_hash(
      "table split odd", "bcc2781b50c4a155",
      {table_of({.frequencies = {.dim = 33, .base = 500}, .order = posenc::Order::split}, Positions::range(100, -50))});
  // 64 rows of dim 64, exponent double-stepped, from position 0.25.
  testing::check_hash("table double-stepped", "b9551581ea2bc1e0",
                      {table_of({.frequencies = {.dim = 64, .exponent = posenc::Exponent::double_stepped}},
                                Positions::range(64, 0.25))});
  // 200 rows of dim 96, from position 2^31 - 100.
  testing::check_hash("table at 2^31", "4e80828b95357922",
                      {table_of({.frequencies = {.dim = 96}}, Positions::range(200, 2147483548.0))});
  // Dim 64 at the positions 2^53, -2^53, 2^52 + 0.5, 6134899525417045, 1e15, 0.1, -7.3.
  const std::vector<double> positions{0x1p53, -0x1p53, 0x1p52 + 0.5, 6134899525417045.0, 1e15, 0.1, -7.3};
  testing::check_hash("table up to 2^53", "fde9287737c8ed57",
                      {table_of({.frequencies = {.dim = 64}}, Positions::list(positions))});
  // 32 rows of dim 17, base 0.5.
  testing::check_hash("table base 0.5", "a202f1f680590b03",
                      {table_of({.frequencies = {.dim = 17, .base = 0.5}}, Positions::range(32))});
}
