#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "posenc/sinusoidal/sinusoidal.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Exponent;
using posenc::Order;
using posenc::Positions;
using posenc::Precision;
using posenc::Sinusoidal;
using posenc::SinusoidalOptions;
using reference::Quad;
using testing::require_error;
using testing::same_bits;
using testing::table_of;
using testing::value_of;

namespace {

constexpr Order orders[] = {Order::interleaved, Order::split, Order::cosines_first};

std::vector<float> fast_table(const SinusoidalOptions& options, const Positions& positions) {
  const auto dim = static_cast<std::size_t>(options.frequencies.dim);
  std::vector<float> table(positions.count() * dim);
  value_of(value_of(Sinusoidal::make(options)).table(positions, table, Precision::fast));
  return table;
}

/// The largest distance from the formula, for interleaved rows of an even dim.
double largest_error(std::int64_t dim, double first, std::size_t count) {
  const SinusoidalOptions options{.frequencies = {.dim = dim}};
  const auto table = fast_table(options, Positions::range(count, first));
  const auto frequencies = reference::frequencies(options.frequencies);
  double largest = 0;
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      const auto phase = reference::phase(frequencies[i] * (first + static_cast<double>(row)));
      const std::size_t at = row * static_cast<std::size_t>(dim) + 2 * i;
      largest = std::max(largest, static_cast<double>(reference::magnitude(table[at] - phase.sine)));
      largest = std::max(largest, static_cast<double>(reference::magnitude(table[at + 1] - phase.cosine)));
    }
  return largest;
}

}  // namespace

TEST_CASE("sinusoid, fast: within 1.5e-7 of the formula", "[sinusoid][precision]") {
  double largest = largest_error(64, 0, 2048);
  for (const double first : {-3000.0, 0x1p20 - 500, -0x1p31, 0x1p40, 0x1p44 - 1000})
    largest = std::max(largest, largest_error(64, first, 1000));
  largest = std::max(largest, largest_error(4096, 131000, 100));
  std::printf("largest error: sinusoid, fast: %.4e absolute\n", largest);
  CHECK(largest <= 1.5e-7);
  CHECK(largest > 3.0e-8);  // computed in another way than the exact one
}

TEST_CASE("sinusoid, fast: a row depends on its position alone", "[sinusoid][precision]") {
  testing::Generator generator(81);
  for (const Order order : orders)
    for (const std::int64_t dim : {2, 4, 6, 8, 30, 32, 34, 64, 66, 128}) {
      const SinusoidalOptions options{.frequencies = {.dim = dim}, .order = order};
      const double first = static_cast<double>(generator.below(5000)) - 2500;
      const auto whole = fast_table(options, Positions::range(150, first));
      const auto dims = static_cast<std::size_t>(dim);
      std::vector<double> list;
      std::vector<float> expected;
      for (int i = 0; i < 40; ++i) {
        const std::size_t row = generator.below(150);
        list.push_back(first + static_cast<double>(row));
        const auto at = whole.begin() + static_cast<std::ptrdiff_t>(row * dims);
        expected.insert(expected.end(), at, at + static_cast<std::ptrdiff_t>(dims));
      }
      INFO("dim " << dim << ", from " << first);
      CHECK(same_bits(fast_table(options, Positions::list(list)), expected));
      const std::size_t from = generator.below(100);
      const std::size_t count = 1 + generator.below(50);
      CHECK(same_bits(fast_table(options, Positions::range(count, first + static_cast<double>(from))),
                      std::span(whole).subspan(from * dims, count * dims)));
    }
}

TEST_CASE("sinusoid, fast: orders differ in where values stand, not in the values", "[sinusoid][precision]") {
  const auto in_turns = fast_table({.frequencies = {.dim = 70}}, Positions::range(100, -20));
  for (const Order order : {Order::split, Order::cosines_first}) {
    const auto apart = fast_table({.frequencies = {.dim = 70}, .order = order}, Positions::range(100, -20));
    std::vector<float> reordered(apart.size());
    for (std::size_t row = 0; row < apart.size(); row += 70)
      for (std::size_t i = 0; i < 35; ++i) {
        reordered[row + 2 * i] = apart[row + i + (order == Order::split ? 0 : 35)];
        reordered[row + 2 * i + 1] = apart[row + i + (order == Order::split ? 35 : 0)];
      }
    CHECK(same_bits(reordered, in_turns));
  }
}

TEST_CASE("sinusoid, fast: position 0 is exactly 0 and 1", "[sinusoid][precision]") {
  const auto row = fast_table({.frequencies = {.dim = 96}}, Positions::range(1));
  for (std::size_t i = 0; i < row.size(); i += 2) {
    CHECK(same_bits(row[i], 0.0f));
    CHECK(same_bits(row[i + 1], 1.0f));
  }
}

TEST_CASE("sinusoid, fast: as exact where it is not offered", "[sinusoid][precision]") {
  const std::vector<double> fractional{0.5, 1e9 + 0.25, -3.75, 0x1p50};
  const std::vector<double> whole{3, 4, 5, 100};
  const SinusoidalOptions plain_options{.frequencies = {.dim = 32}};
  CHECK(same_bits(fast_table(plain_options, Positions::list(fractional)),
                  table_of(plain_options, Positions::list(fractional))));
  for (const SinusoidalOptions& options : {SinusoidalOptions{.frequencies = {.dim = 32}, .amplitude = 0.5},
                                           SinusoidalOptions{.frequencies = {.dim = 33, .exponent = Exponent::half}}})
    CHECK(same_bits(fast_table(options, Positions::list(whole)), table_of(options, Positions::list(whole))));
}

TEST_CASE("sinusoid, fast: a table large enough to be copied out of a tile is the same", "[sinusoid][precision]") {
  const SinusoidalOptions options{.frequencies = {.dim = 1024}};
  const auto large = fast_table(options, Positions::range(6200, 7));
  for (const std::size_t row : {std::size_t{0}, std::size_t{9}, std::size_t{10}, std::size_t{3000}, std::size_t{6150}})
    CHECK(same_bits(std::span(large).subspan(row * 1024, 40 * 1024),
                    fast_table(options, Positions::range(40, 7 + static_cast<double>(row)))));
}

TEST_CASE("sinusoid: a precision is known by its name", "[sinusoid][precision]") {
  CHECK(value_of(posenc::from_name<posenc::Precision>("exact")) == Precision::exact);
  CHECK(value_of(posenc::from_name<posenc::Precision>("fast")) == Precision::fast);
  require_error(posenc::from_name<posenc::Precision>("float32"), "precision", "float32");
}
