/// Expected values: the formulas of rotary_difference.hpp in 113-bit arithmetic, from reference frequencies.

#include "posenc/rotary/rotary_difference.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Rotary;
using posenc::RotaryDifference;
using posenc::RotaryOptions;
using reference::Quad;

namespace {

Quad larger(Quad a, Quad b) { return a > b ? a : b; }

void check_difference(const RotaryDifference& made, std::int64_t dim, double base_a, double base_b, double factor_b,
                      double distance) {
  const auto a = reference::frequencies({dim, base_a, posenc::Exponent::paper});
  const auto b = reference::frequencies({dim, base_b, posenc::Exponent::paper});
  Quad angle = 0;
  Quad cosine = 0;
  Quad score = 0;
  const Quad n = factor_b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Quad rotated_a = Quad(distance) * a[i];
    const Quad rotated_b = Quad(distance) * b[i];
    angle = larger(angle, reference::magnitude(rotated_a - rotated_b));
    const auto of_a = reference::phase(rotated_a);
    const auto of_b = reference::phase(rotated_b);
    cosine = larger(cosine, reference::magnitude(of_a.cosine - n * of_b.cosine));
    const Quad real = of_a.cosine - n * n * of_b.cosine;
    const Quad imaginary = of_a.sine - n * n * of_b.sine;
    score = larger(score, reference::square_root(real * real + imaginary * imaginary));
  }
  INFO("distance " << distance);
  CHECK(std::fabs(made.angle - static_cast<double>(angle)) <= 4e-16 * static_cast<double>(angle));
  CHECK(std::fabs(made.cosine - static_cast<double>(cosine)) <= 2e-15);
  CHECK(std::fabs(made.score - static_cast<double>(score)) <= 2e-15);
}

}  // namespace

TEST_CASE("rotary difference: the largest over all pairs", "[rotary]") {
  const RotaryOptions a{.dim = 16, .layout = posenc::Layout::half};
  RotaryOptions b = a;
  b.base = 10000.0000001;
  RotaryOptions c = a;
  c.base = 500000;
  for (const double distance : {0.0, 1.0, -3.0, 64.5, 4095.0, 1048575.0}) {
    const auto of = [&](const RotaryOptions& other) {
      return testing::value_of(posenc::rotary_difference(testing::value_of(Rotary::make(a)),
                                                         testing::value_of(Rotary::make(other)), distance));
    };
    check_difference(of(b), 16, 10000, b.base, 1, distance);
    check_difference(of(c), 16, 10000, c.base, 1, distance);
    const RotaryDifference same = of(a);
    CHECK(same.angle == 0);
    CHECK(same.cosine == 0);
    CHECK(same.score == 0);
    RotaryOptions interleaved = a;
    interleaved.layout = posenc::Layout::interleaved;
    CHECK(of(interleaved).score == 2);
  }
}

// An attention factor alone: 1 against m = 1.25, of YaRN with the factor 1, which leaves frequencies as they are.
TEST_CASE("rotary difference: attention factors count, squared in scores", "[rotary]") {
  const RotaryOptions a{.dim = 16, .layout = posenc::Layout::half};
  RotaryOptions b = a;
  b.scaling = posenc::scaling::Yarn{.factor = 1, .original_length = 64, .attention_factor = 1.25};
  const auto made = testing::value_of(
      posenc::rotary_difference(testing::value_of(Rotary::make(a)), testing::value_of(Rotary::make(b)), 37));
  check_difference(made, 16, 10000, 10000, 1.25, 37);
  CHECK(std::fabs(made.score - 0.5625) <= 1e-15);
}

TEST_CASE("rotary difference: what cannot be compared is an Error", "[rotary]") {
  const Rotary a = testing::value_of(Rotary::make({.dim = 16, .layout = posenc::Layout::half}));
  const Rotary b = testing::value_of(Rotary::make({.dim = 8, .layout = posenc::Layout::half}));
  testing::require_error(posenc::rotary_difference(a, b, 1), "b", "8");
  testing::require_error(posenc::rotary_difference(a, a, NAN), "distances", "nan");
  testing::require_error(posenc::rotary_difference(a, a, testing::infinity), "distances", "inf");
}
