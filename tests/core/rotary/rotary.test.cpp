#include "posenc/rotary/rotary.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::Direction;
using posenc::Layout;
using posenc::Positions;
using posenc::RotaryOptions;
using reference::layouts;
using reference::unit;
using testing::fractions;
using testing::rotated;
using testing::same_bits;
using testing::Shape;

namespace {

/// The worst error of [tokens, heads, dim] rotated at `positions`, as a share of what is promised.
double worst_ratio(const RotaryOptions& options, std::int64_t heads, const std::vector<double>& positions,
                   Direction direction) {
  const auto dim = static_cast<std::size_t>(options.dim);
  const Shape shape{static_cast<std::int64_t>(positions.size()), heads, options.dim};
  const auto x = fractions(positions.size() * static_cast<std::size_t>(heads) * dim, 21);
  const auto y = rotated(options, x, shape, Positions::list(positions), direction);
  const auto frequencies = reference::rotary_frequencies(options);
  double worst = 0;
  for (std::size_t at = 0; at < x.size(); at += dim) {
    const double position = positions[at / dim / static_cast<std::size_t>(heads)];
    const auto expected =
        reference::rotated_head(options, frequencies, std::span(x).subspan(at, dim), position, direction);
    worst = std::max(worst, reference::worst_ratio(std::span(y).subspan(at, dim), expected));
  }
  return worst;
}

double norm(std::span<const float> x) {
  double sum = 0;
  for (const float value : x) sum += static_cast<double>(value) * value;
  return std::sqrt(sum);
}

double dot(std::span<const float> x, std::span<const float> y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<double>(x[i]) * y[i];
  return sum;
}

std::vector<float> head_at(const RotaryOptions& options, const std::vector<float>& head, double position) {
  return rotated(options, head, Shape{1, options.dim}, Positions::range(1, position));
}

/// [a, b, c, dim] -> [a, c, b, dim]
std::vector<float> transposed(const std::vector<float>& x, std::size_t a, std::size_t b, std::size_t c,
                              std::size_t dim) {
  std::vector<float> result(x.size());
  for (std::size_t i = 0; i < a; ++i)
    for (std::size_t j = 0; j < b; ++j)
      for (std::size_t k = 0; k < c; ++k)
        std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(((i * b + j) * c + k) * dim), dim,
                    result.begin() + static_cast<std::ptrdiff_t>(((i * c + k) * b + j) * dim));
  return result;
}

}  // namespace

TEST_CASE("rotary: every layout, direction and partial rotation is as accurate as promised", "[rotary][accuracy]") {
  const std::vector<double> positions{0, 1, 2, 10.5, -7, 4095, 1048575, 2147483648.0, -2147483647.0};
  double worst = 0;
  for (const Layout layout : layouts)
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      for (const std::int64_t dim : {2, 4, 6, 14, 16, 18, 32, 34, 64, 128, 262})
        worst = std::max(worst, worst_ratio({.dim = dim, .layout = layout}, 2, positions, direction));
      for (const std::int64_t rotary_dim : {2, 4, 6, 8, 16, 22, 24})
        worst = std::max(worst, worst_ratio({.dim = 25, .layout = layout, .base = 5e5, .rotary_dim = rotary_dim}, 3,
                                            positions, direction));
      worst = std::max(worst, worst_ratio({.dim = 30, .layout = layout, .exponent = posenc::Exponent::double_stepped},
                                          1, positions, direction));
      for (const double factor : {2.0, 40.0})
        worst =
            std::max(worst, worst_ratio({.dim = 64,
                                         .layout = layout,
                                         .scaling = posenc::scaling::Yarn{.factor = factor, .original_length = 4096}},
                                        2, positions, direction));
    }
  std::printf("largest error: rotary apply: %.4f of 3 * 2^-24 * m * (|a| + |b|)\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("rotary: position 0 changes nothing but deinterleaves", "[rotary]") {
  const auto x = fractions(10, 31);
  CHECK(same_bits(head_at({.dim = 10, .layout = Layout::half}, x, 0), x));
  CHECK(same_bits(head_at({.dim = 10, .layout = Layout::interleaved}, x, 0), x));
  const std::vector<float> halves{x[0], x[2], x[4], x[6], x[8], x[1], x[3], x[5], x[7], x[9]};
  CHECK(same_bits(head_at({.dim = 10, .layout = Layout::deinterleaved}, x, 0), halves));
}

TEST_CASE("rotary: nothing is rotated at once, whatever its sequence", "[rotary]") {
  for (const std::int64_t sequence : {std::int64_t{0}, testing::very_many}) {
    const Shape shape{sequence, 0, 8};
    const Positions positions = Positions::range(static_cast<std::size_t>(sequence));
    CHECK(rotated({.dim = 8, .layout = Layout::half}, {}, shape, positions).empty());
  }
}

TEST_CASE("rotary: dimensions past the rotated ones stay as they are, bit for bit", "[rotary]") {
  for (const Layout layout : layouts) {
    const auto x = fractions(4 * 20, 32);
    const auto y = rotated({.dim = 20, .layout = layout, .rotary_dim = 6}, x, Shape{4, 20}, Positions::range(4, 1));
    for (std::size_t row = 0; row < 4; ++row) {
      CHECK(same_bits(std::span(y).subspan(row * 20 + 6, 14), std::span(x).subspan(row * 20 + 6, 14)));
      CHECK_FALSE(same_bits(std::span(y).subspan(row * 20, 6), std::span(x).subspan(row * 20, 6)));
    }
  }
}

TEST_CASE("rotary: the inverse undoes a rotation", "[rotary]") {
  const auto x = fractions(6 * 64, 33);
  for (const Layout layout : layouts) {
    const RotaryOptions options{.dim = 64, .layout = layout};
    const Shape shape{6, 64};
    const auto there = rotated(options, x, shape, Positions::range(6, 100));
    const auto back = rotated(options, there, shape, Positions::range(6, 100), Direction::inverse);
    CHECK_FALSE(same_bits(there, x));
    for (std::size_t row = 0; row < 6; ++row) {
      std::vector<float> difference(64);
      for (std::size_t i = 0; i < 64; ++i) difference[i] = back[row * 64 + i] - x[row * 64 + i];
      // A rotation is off by at most 6 units of the vector's norm: two dimensions of 3 units each, and
      // (|a| + |b|)^2 <= 2 (a^2 + b^2). There and back: twice that.
      CHECK(norm(difference) <= 12.01 * unit * norm(std::span(x).subspan(row * 64, 64)));
    }
  }
}

TEST_CASE("rotary: norms are kept", "[rotary]") {
  for (const Layout layout : layouts)
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      const auto x = fractions(48, seed);
      const auto y = head_at({.dim = 48, .layout = layout}, x, 1000.0 * seed + 1);
      CHECK(std::abs(norm(y) - norm(x)) <= 6.01 * unit * norm(x));
    }
}

TEST_CASE("rotary: scores depend on the distance of two tokens alone", "[rotary]") {
  const auto query = fractions(64, 41);
  const auto key = fractions(64, 42);
  for (const Layout layout : layouts) {
    const RotaryOptions options{.dim = 64, .layout = layout};
    const auto score = [&](double m, double n) { return dot(head_at(options, query, m), head_at(options, key, n)); };
    const double expected = score(7, 3);
    // Each score is off by 6 units of |q| |k| for the query's rotation and 6 for the key's; there are two scores.
    const double tolerance = 24.01 * unit * norm(query) * norm(key);
    for (const double shift : {1.0, 100.0, -50.0, 1e6, 2147483000.0, 0.5}) {
      INFO("shift " << shift);
      CHECK(std::abs(score(7 + shift, 3 + shift) - expected) <= tolerance);
    }
    CHECK(std::abs(score(8, 3) - expected) > 100 * tolerance);
  }
}

TEST_CASE("rotary: layouts that only order dimensions differently give the same scores", "[rotary]") {
  const auto query = fractions(32, 43);
  const auto key = fractions(32, 44);
  const auto score = [&](Layout layout) {
    const RotaryOptions options{.dim = 32, .layout = layout};
    return dot(head_at(options, query, 9), head_at(options, key, 4));
  };
  const double tolerance = 32 * 0x1p-53 * norm(query) * norm(key);
  CHECK(std::abs(score(Layout::interleaved) - score(Layout::deinterleaved)) <= tolerance);
  CHECK(std::abs(score(Layout::interleaved) - score(Layout::half)) > 0.01);
}

TEST_CASE("rotary: a list of consecutive positions is the range, bit for bit", "[rotary]") {
  const std::vector<double> positions{-2, -1, 0, 1, 2};
  const auto x = fractions(5 * 3 * 20, 51);
  for (const Layout layout : layouts) {
    const RotaryOptions options{.dim = 20, .layout = layout};
    CHECK(same_bits(rotated(options, x, Shape{5, 3, 20}, Positions::list(positions)),
                    rotated(options, x, Shape{5, 3, 20}, Positions::range(5, -2))));
  }
}

TEST_CASE("rotary: any axis may be the sequence", "[rotary]") {
  constexpr std::size_t batch = 2, tokens = 5, heads = 3, dim = 22;
  const auto by_token = fractions(batch * tokens * heads * dim, 52);
  const auto by_head = transposed(by_token, batch, tokens, heads, dim);
  for (const Layout layout : layouts) {
    const RotaryOptions options{.dim = dim, .layout = layout};
    const auto y = rotated(options, by_token, Shape{batch, tokens, heads, dim}, Positions::range(tokens, 9),
                           Direction::forward, 1);
    const auto z =
        rotated(options, by_head, Shape{batch, heads, tokens, dim}, Positions::range(tokens, 9), Direction::forward, 2);
    CHECK(same_bits(transposed(y, batch, tokens, heads, dim), z));
    CHECK(same_bits(y, rotated(options, by_token, Shape{batch, tokens, heads, dim}, Positions::range(tokens, 9))));
  }
}

TEST_CASE("rotary: every head is rotated by itself, bit for bit", "[rotary]") {
  testing::Generator generator(53);
  for (int round = 0; round < 100; ++round) {
    const auto dim = static_cast<std::int64_t>(2 + 2 * generator.below(160));
    const RotaryOptions options{
        .dim = dim,
        .layout = layouts[generator.below(3)],
        .rotary_dim = static_cast<std::int64_t>(2 + 2 * generator.below(static_cast<std::size_t>(dim) / 2))};
    const Shape shape{static_cast<std::int64_t>(1 + generator.below(3)),
                      static_cast<std::int64_t>(1 + generator.below(5)),
                      static_cast<std::int64_t>(1 + generator.below(4)), dim};
    const auto tokens = static_cast<std::size_t>(shape[1]);
    const auto heads = static_cast<std::size_t>(shape[2]);
    const auto dims = static_cast<std::size_t>(dim);
    const auto x = fractions(static_cast<std::size_t>(shape[0]) * tokens * heads * dims, generator.next());
    const auto offset = static_cast<double>(generator.next());
    const auto y = rotated(options, x, shape, Positions::range(tokens, offset));
    const std::size_t row = generator.below(x.size() / dims);
    const std::vector<float> head(x.begin() + static_cast<std::ptrdiff_t>(row * dims),
                                  x.begin() + static_cast<std::ptrdiff_t>((row + 1) * dims));
    INFO("round " << round << ", dim " << dim << ", rotated " << *options.rotary_dim << ", row " << row);
    REQUIRE(same_bits(head_at(options, head, offset + static_cast<double>(row / heads % tokens)),
                      std::span(y).subspan(row * dims, dims)));
  }
}

TEST_CASE("rotary: deinterleaved is interleaved in another order, bit for bit", "[rotary]") {
  for (const std::size_t dim : {2u, 6u, 16u, 34u, 128u}) {
    const auto dims = static_cast<std::int64_t>(dim);
    const auto x = fractions(3 * dim, 54);
    const Shape shape{3, dims};
    const auto neighbours = rotated({.dim = dims, .layout = Layout::interleaved}, x, shape, Positions::range(3, 5));
    const auto halves = rotated({.dim = dims, .layout = Layout::deinterleaved}, x, shape, Positions::range(3, 5));
    for (std::size_t row = 0; row < 3 * dim; row += dim)
      for (std::size_t i = 0; i < dim / 2; ++i) {
        REQUIRE(same_bits(halves[row + i], neighbours[row + 2 * i]));
        REQUIRE(same_bits(halves[row + dim / 2 + i], neighbours[row + 2 * i + 1]));
      }
  }
}

TEST_CASE("rotary: rotated values have the bits that are stored", "[hashes]") {
  // fractions(2 * 9 * 3 * 64, 1) of shape [2, 9, 3, 64], layout half, from position 1000.
  testing::check_hash("rotated half", "44ff3ac3904f3650",
                      {rotated({.dim = 64, .layout = Layout::half}, fractions(2 * 9 * 3 * 64, 1), Shape{2, 9, 3, 64},
                               Positions::range(9, 1000))});
  // fractions(2 * 3 * 9 * 64, 2) of shape [2, 3, 9, 64], sequence axis 2, layout interleaved, base 500000, from 2^20.
  testing::check_hash("rotated interleaved", "1f905e356b55d3cd",
                      {rotated({.dim = 64, .layout = Layout::interleaved, .base = 5e5}, fractions(2 * 3 * 9 * 64, 2),
                               Shape{2, 3, 9, 64}, Positions::range(9, 1048576), Direction::forward, 2)});
  // fractions(7 * 50, 3) of shape [7, 50], layout deinterleaved, rotary dim 22, positions 0 to 6; then inverse.
  const RotaryOptions partial{.dim = 50, .layout = Layout::deinterleaved, .rotary_dim = 22};
  testing::check_hash("rotated deinterleaved", "9529b7f33993c8ab",
                      {rotated(partial, fractions(7 * 50, 3), Shape{7, 50}, Positions::range(7))});
  testing::check_hash("rotated back", "19f7bcf762a7f90e",
                      {rotated(partial, fractions(7 * 50, 3), Shape{7, 50}, Positions::range(7), Direction::inverse)});
}
