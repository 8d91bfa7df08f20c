#include "posenc/learned/table_init.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::init_table;
using posenc::TableDistribution;
using posenc::TableInit;
using reference::Quad;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

std::vector<float> table(const TableInit& init, std::size_t rows, std::int64_t first = 0) {
  std::vector<float> out(rows * static_cast<std::size_t>(init.dim), testing::untouched);
  value_of(init_table(init, first, out));
  return out;
}

/// Philox4x32-10 as in the paper: keys first, then rounds, products of 64 bits.
std::array<std::uint32_t, 4> random_words(std::array<std::uint32_t, 4> x, std::uint64_t seed) {
  for (std::uint32_t round = 0; round < 10; ++round) {
    const std::uint32_t key0 = static_cast<std::uint32_t>(seed) + round * 0x9E3779B9u;
    const std::uint32_t key1 = static_cast<std::uint32_t>(seed >> 32) + round * 0xBB67AE85u;
    const std::uint64_t p = 0xD2511F53ull * x[0];
    const std::uint64_t q = 0xCD9E8D57ull * x[2];
    x = {static_cast<std::uint32_t>((q >> 32) ^ x[1] ^ key0), static_cast<std::uint32_t>(q & 0xffffffff),
         static_cast<std::uint32_t>((p >> 32) ^ x[3] ^ key1), static_cast<std::uint32_t>(p & 0xffffffff)};
  }
  return x;
}

Quad uniform(std::uint64_t seed, std::uint64_t row, std::uint32_t dimension) {
  const auto words =
      random_words({dimension / 4, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32), 0}, seed);
  return (static_cast<Quad>(words[dimension % 4]) + static_cast<Quad>(0.5)) / 4294967296;
}

Quad normal(std::uint64_t seed, std::uint64_t row, std::uint32_t dimension) {
  const std::uint32_t first = dimension - dimension % 2;
  const Quad radius = reference::square_root(-2 * reference::logarithm(uniform(seed, row, first)));
  const auto phase = reference::phase(2 * reference::pi() * uniform(seed, row, first + 1));
  return radius * (dimension % 2 == 0 ? phase.cosine : phase.sine);
}

struct Moments {
  double mean = 0, variance = 0, skewness = 0, kurtosis = 0, largest = 0;
};

Moments moments(const std::vector<float>& values) {
  Moments m;
  const auto n = static_cast<double>(values.size());
  for (const float value : values) m.mean += value / n;
  for (const float value : values) {
    const double d = value - m.mean;
    m.variance += d * d / n;
    m.skewness += d * d * d / n;
    m.kurtosis += d * d * d * d / n;
    m.largest = std::fmax(m.largest, std::fabs(value));
  }
  m.skewness /= std::pow(m.variance, 1.5);
  m.kurtosis /= m.variance * m.variance;
  return m;
}

}  // namespace

TEST_CASE("table init: both distributions, by their formulas", "[table_init][accuracy]") {
  testing::Generator generator(601);
  double worst = 0;
  for (int round = 0; round < 60; ++round) {
    const auto dim = static_cast<std::uint32_t>(1 + generator.below(40));
    const std::int64_t seed = round == 0 ? -1 : (std::int64_t{generator.next()} << 29) + generator.next();
    const std::int64_t first = round % 5 == 0 ? (std::int64_t{1} << 40) + generator.next() : generator.next();
    const double scale = round % 3 == 0 ? 0.02 : 1e-3 * (1 + generator.next());
    const TableInit normals{.dim = dim, .seed = seed, .scale = scale};
    const TableInit uniforms{.dim = dim, .seed = seed, .distribution = TableDistribution::uniform, .scale = scale};
    const auto by_normal = table(normals, 5, first);
    const auto by_uniform = table(uniforms, 5, first);
    for (std::uint32_t row = 0; row < 5; ++row)
      for (std::uint32_t dimension = 0; dimension < dim; ++dimension) {
        const auto key = static_cast<std::uint64_t>(seed);
        const std::uint64_t at = static_cast<std::uint64_t>(first) + row;
        const std::size_t i = row * dim + dimension;
        worst = std::fmax(worst, reference::ulp_error(by_normal[i], scale * normal(key, at, dimension)));
        worst = std::fmax(worst, reference::ulp_error(by_uniform[i], scale * (2 * uniform(key, at, dimension) - 1)));
      }
  }
  std::printf("largest error: table init: %.4f ulp\n", worst);
  CHECK(worst <= 0.501);
}

TEST_CASE("table init: any slice, and a narrower table, has the bits of the whole", "[table_init]") {
  const TableInit init{.dim = 37, .seed = 12345};
  const auto whole = table(init, 50);
  for (const std::size_t first : {0u, 1u, 17u, 49u}) {
    const auto slice = table(init, 50 - first, static_cast<std::int64_t>(first));
    CHECK(same_bits(slice, std::span(whole).subspan(first * 37)));
  }
  const auto narrow = table({.dim = 11, .seed = 12345}, 50);
  for (std::size_t row = 0; row < 50; ++row)
    CHECK(same_bits(std::span(narrow).subspan(row * 11, 11), std::span(whole).subspan(row * 37, 11)));
}

TEST_CASE("table init: mean, variance, skewness and kurtosis are those of the distributions", "[table_init]") {
  for (const std::int64_t seed : {0, 1, 2, 77, -5}) {
    // 2^18 values: the moments' own deviations are about 0.002, 0.003, 0.005 and 0.01.
    const auto normals = moments(table({.dim = 512, .seed = seed, .scale = 1}, 512));
    CHECK(std::fabs(normals.mean) < 0.01);
    CHECK(std::fabs(normals.variance - 1) < 0.015);
    CHECK(std::fabs(normals.skewness) < 0.025);
    CHECK(std::fabs(normals.kurtosis - 3) < 0.05);
    CHECK(normals.largest > 4);
    CHECK(normals.largest < 6.77);
    const auto uniforms =
        moments(table({.dim = 512, .seed = seed, .distribution = TableDistribution::uniform, .scale = 1}, 512));
    CHECK(std::fabs(uniforms.mean) < 0.006);
    CHECK(std::fabs(uniforms.variance - 1.0 / 3) < 0.003);
    CHECK(std::fabs(uniforms.kurtosis - 1.8) < 0.02);
    CHECK(uniforms.largest > 0.9999);
    CHECK(uniforms.largest <= 1);
  }
}

TEST_CASE("table init: neighbouring dimensions, rows and seeds are not correlated", "[table_init]") {
  const auto a = table({.dim = 256, .seed = 3, .scale = 1}, 257);
  const auto b = table({.dim = 256, .seed = 4, .scale = 1}, 257);
  double dims = 0, rows = 0, seeds = 0;
  for (std::size_t i = 0; i < 256 * 256; ++i) {
    dims += static_cast<double>(a[i]) * static_cast<double>(a[i + 1]) / 65536;
    rows += static_cast<double>(a[i]) * static_cast<double>(a[i + 256]) / 65536;
    seeds += static_cast<double>(a[i]) * static_cast<double>(b[i]) / 65536;
  }
  // Their deviation is 1 / 256.
  for (const double correlation : {dims, rows, seeds}) CHECK(std::fabs(correlation) < 0.02);
}

TEST_CASE("table init: the padding row is 0, others are as they were; a scale of 0 gives +0", "[table_init]") {
  const auto plain = table({.dim = 9, .seed = 5}, 6);
  const auto padded = table({.dim = 9, .seed = 5, .padding_row = 2}, 6);
  for (std::size_t i = 0; i < plain.size(); ++i) CHECK(same_bits(padded[i], i / 9 == 2 ? 0.0f : plain[i]));
  // A slice has the same rows as the whole.
  CHECK(same_bits(table({.dim = 9, .seed = 5, .padding_row = 2}, 4, 2), std::span(padded).subspan(18)));
  for (const float value : table({.dim = 64, .seed = 5, .scale = 0}, 4)) CHECK(same_bits(value, 0.0f));
  CHECK(table({.dim = 4, .seed = 1}, 0).empty());
}

TEST_CASE("table init: wrong options are Errors", "[table_init]") {
  std::vector<float> out(12, testing::untouched);
  require_error(init_table({.dim = 0}, 0, out), "dim", "0");
  require_error(init_table({.dim = -4}, 0, out), "dim", "-4");
  require_error(init_table({.dim = std::int64_t{1} << 40}, 0, out), "dim", "1099511627776");
  require_error(init_table({.dim = 5}, 0, out), "out", "12");
  require_error(init_table({.dim = 4}, -1, out), "offset", "-1");
  require_error(init_table({.dim = 4, .padding_row = -1}, 0, out), "paddingIdx", "-1");
  for (const double scale : {-1.0, std::nan(""), std::numeric_limits<double>::infinity(), 1e31}) {
    require_error(init_table({.dim = 4, .scale = scale}, 0, out), "std", "");
    require_error(init_table({.dim = 4, .distribution = TableDistribution::uniform, .scale = scale}, 0, out), "bound",
                  "");
  }
  CHECK(testing::is_untouched(out));
  // The largest scale overflows nothing.
  for (const float value : table({.dim = 64, .seed = 9, .scale = 1e30}, 64)) CHECK(std::isfinite(value));
}

TEST_CASE("table init: rows have the bits that are stored", "[hashes]") {
  // Rows 1000 to 1063 of dim 50, seed 2024, std 0.02.
  std::vector<float> rows(64 * 50);
  testing::value_of(posenc::init_table({.dim = 50, .seed = 2024}, 1000, rows));
  testing::check_hash("learned table", "f1c76365db0b36ff", {rows});
  // The same, uniform, bound 0.1, seed 2^40 + 7.
  const posenc::TableInit uniform{
      .dim = 50, .seed = (std::int64_t{1} << 40) + 7, .distribution = posenc::TableDistribution::uniform, .scale = 0.1};
  testing::value_of(posenc::init_table(uniform, 1000, rows));
  testing::check_hash("learned table uniform", "2573f61c80789edf", {rows});
}
