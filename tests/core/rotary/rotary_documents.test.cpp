/// Rotations that are printed, with code, in the documents this project explains.

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "posenc/attention/attention.hpp"
#include "posenc/attention/linear.hpp"
#include "posenc/rotary/rotary.hpp"
#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::Layout;
using posenc::Positions;
using reference::Quad;
using reference::unit;
using testing::rotated;
using testing::Shape;
using testing::value_of;

namespace {

double distance(float value, Quad exact) { return static_cast<double>(reference::magnitude(value - exact)); }

/// 10000^(-power)
Quad inverse_power(Quad power) { return reference::power(10000, -power); }

}  // namespace

TEST_CASE("documents: 002's three tokens are rotated by 10, 20 and 30 degrees", "[documents]") {
  constexpr std::array tokens{1.0f, 0.2f, 0.3f, 1.0f, -0.9f, 0.5f};
  constexpr std::array w_q{1.0f, 0.8f, -0.8f, 1.0f};
  std::vector<float> query(6);
  value_of(posenc::linear(tokens, w_q, 2, posenc::SumPrecision::exact, query));
  // One frequency, of one radian a position: positions are angles.
  const auto angles = reference::radians({10, 20, 30});
  const auto after = rotated({.dim = 2, .layout = Layout::interleaved}, query, Shape{3, 2}, Positions::list(angles));
  for (std::size_t token = 0; token < 3; ++token) {
    const reference::Phase rotation = reference::phase(angles[token]);
    const Quad a = query[2 * token];
    const Quad b = query[2 * token + 1];
    const double tolerance = 3 * unit * static_cast<double>(reference::magnitude(a) + reference::magnitude(b));
    CHECK(distance(after[2 * token], a * rotation.cosine - b * rotation.sine) <= tolerance);
    CHECK(distance(after[2 * token + 1], a * rotation.sine + b * rotation.cosine) <= tolerance);
  }
}

TEST_CASE("documents: 002's twelve fives at positions 0, 1, 2, 5 and 10", "[documents]") {
  const std::vector<double> positions{0, 1, 2, 5, 10};
  const std::vector<float> fives(5 * 12, 5.0f);
  const auto y = rotated({.dim = 12, .layout = Layout::interleaved}, fives, Shape{5, 12}, Positions::list(positions));
  for (std::size_t token = 0; token < 5; ++token)
    for (std::size_t i = 0; i < 12; i += 2) {
      const auto rotation = reference::phase(positions[token] * inverse_power(static_cast<Quad>(i) / 12));
      CHECK(distance(y[token * 12 + i], 5 * rotation.cosine - 5 * rotation.sine) <= 30 * unit);
      CHECK(distance(y[token * 12 + i + 1], 5 * rotation.sine + 5 * rotation.cosine) <= 30 * unit);
    }
}

TEST_CASE("documents: 002's vectorised function is deinterleaved and double-stepped", "[documents]") {
  // theta = 10000 ** (-2 * (arange(d/2) / (d/2))); x[..., ::2] and x[..., 1::2] in, their concatenation out.
  constexpr std::size_t tokens = 7, dim = 16, half = dim / 2;
  const auto x = testing::fractions(tokens * dim, 61);
  const auto y = rotated({.dim = dim, .layout = Layout::deinterleaved, .exponent = posenc::Exponent::double_stepped}, x,
                         Shape{tokens, dim}, Positions::range(tokens));
  for (std::size_t token = 0; token < tokens; ++token)
    for (std::size_t i = 0; i < half; ++i) {
      const auto rotation = reference::phase(static_cast<Quad>(token) * inverse_power(2 * static_cast<Quad>(i) / half));
      const Quad even = x[token * dim + 2 * i];
      const Quad odd = x[token * dim + 2 * i + 1];
      CHECK(distance(y[token * dim + i], even * rotation.cosine - odd * rotation.sine) <= 6 * unit);
      CHECK(distance(y[token * dim + half + i], even * rotation.sine + odd * rotation.cosine) <= 6 * unit);
    }
}

TEST_CASE("documents: 003's class is the half layout over [sequence, batch, heads, dim]", "[documents]") {
  // x * cos + cat(-x[d/2:], x[:d/2]) * sin, with the angles of the first half repeated for the second.
  constexpr std::size_t tokens = 5, batch = 2, heads = 3, dim = 8, half = dim / 2;
  const auto x = testing::fractions(tokens * batch * heads * dim, 62);
  const auto y = rotated({.dim = dim, .layout = Layout::half}, x, Shape{tokens, batch, heads, dim},
                         Positions::range(tokens), posenc::Direction::forward, 0);
  for (std::size_t at = 0; at < x.size(); ++at) {
    const std::size_t token = at / (batch * heads * dim);
    const std::size_t dimension = at % dim;
    const auto rotation =
        reference::phase(static_cast<Quad>(token) * inverse_power(2 * static_cast<Quad>(dimension % half) / dim));
    const Quad other = dimension < half ? -static_cast<Quad>(x[at + half]) : static_cast<Quad>(x[at - half]);
    CHECK(distance(y[at], x[at] * rotation.cosine + other * rotation.sine) <= 6 * unit);
  }
}
