#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "posenc/sinusoidal/sinusoidal.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Order;
using posenc::Positions;
using posenc::Sinusoidal;
using posenc::SinusoidalChoice;
using posenc::SinusoidalPreset;
using testing::Generator;
using testing::require_error;
using testing::same_bits;
using testing::table_of;
using testing::untouched;
using testing::value_of;

namespace {

std::vector<float> matrix_of(const Sinusoidal& sinusoid, double by) {
  std::vector<float> matrix(sinusoid.dim() * sinusoid.dim(), untouched);
  value_of(sinusoid.shift_matrix(by, matrix));
  return matrix;
}

/// The largest difference of M row(p), and of row(p) shifted in place, from row(p + by).
struct Differences {
  double matrix = 0;
  double in_place = 0;
};

Differences differences_of(const posenc::SinusoidalOptions& options, double by) {
  const auto sinusoid = value_of(Sinusoidal::make(options));
  const std::size_t dim = sinusoid.dim();
  const auto before = table_of(options, Positions::range(20, 100));
  const auto after = table_of(options, Positions::range(20, 100 + by));
  const auto matrix = matrix_of(sinusoid, by);
  auto moved = before;
  value_of(sinusoid.shift(by, moved));
  Differences largest;
  for (std::size_t row = 0; row < 20; ++row)
    for (std::size_t dimension = 0; dimension < dim; ++dimension) {
      double sum = 0;
      for (std::size_t k = 0; k < dim; ++k)
        sum += static_cast<double>(matrix[dimension * dim + k]) * before[row * dim + k];
      largest.matrix = std::max(largest.matrix, std::abs(sum - after[row * dim + dimension]));
      largest.in_place = std::max(
          largest.in_place, std::abs(static_cast<double>(moved[row * dim + dimension]) - after[row * dim + dimension]));
    }
  return largest;
}

}  // namespace

TEST_CASE("sinusoid shift: takes row(p) to row(p + k), for every preset", "[sinusoid_shift]") {
  Differences largest;
  const auto note = [&](const SinusoidalChoice& choice) {
    for (const double by : {0.0, 1.0, -7.5, 4096.0, 1048576.0}) {
      const auto differences = differences_of(value_of(posenc::resolve(choice)), by);
      INFO("preset " << static_cast<int>(choice.preset) << ", dim " << choice.dim << ", by " << by);
      // Each value is off by 3.0e-8 at most, before and after: see the headers.
      CHECK(differences.matrix <= 3.0e-8 * 4);
      CHECK(differences.in_place <= 3.0e-8 * 3.5);
      largest.matrix = std::max(largest.matrix, differences.matrix);
      largest.in_place = std::max(largest.in_place, differences.in_place);
    }
  };
  for (const auto preset : {SinusoidalPreset::paper, SinusoidalPreset::tensor2tensor, SinusoidalPreset::whisper,
                            SinusoidalPreset::diffusers, SinusoidalPreset::ggml, SinusoidalPreset::mlx})
    for (const std::int64_t dim : {4, 6, 62}) note({.dim = dim, .preset = preset});
  note({.dim = 7, .preset = SinusoidalPreset::ggml});
  note({.dim = 8, .order = Order::split});
  std::printf("largest difference of a shifted row: %.3e by matrix, %.3e in place\n", largest.matrix, largest.in_place);
}

TEST_CASE("sinusoid shift: the matrix of dim 2 is a rotation by k, that of k = 0 the identity", "[sinusoid_shift]") {
  const auto sinusoid = value_of(Sinusoidal::make({.frequencies = {.dim = 2}}));
  const auto angle = reference::phase(3);
  const auto s = static_cast<float>(angle.sine);
  const auto c = static_cast<float>(angle.cosine);
  CHECK(same_bits(matrix_of(sinusoid, 3), std::vector<float>{c, s, -s, c}));
  const auto identity = matrix_of(value_of(Sinusoidal::make({.frequencies = {.dim = 6}})), 0);
  for (std::size_t i = 0; i < 36; ++i) CHECK(identity[i] == (i % 7 == 0 ? 1.0f : 0.0f));
}

TEST_CASE("sinusoid shift: there and back is the table, to rounding", "[sinusoid_shift]") {
  const auto sinusoid = value_of(Sinusoidal::make({.frequencies = {.dim = 64}}));
  const auto table = table_of({.frequencies = {.dim = 64}}, Positions::range(30));
  auto moved = table;
  value_of(sinusoid.shift(12345.5, moved));
  value_of(sinusoid.shift(-12345.5, moved));
  for (std::size_t i = 0; i < table.size(); ++i) REQUIRE(std::abs(moved[i] - table[i]) <= 1.2e-7f);
}

TEST_CASE("sinusoid shift: what cannot be, is an Error and changes nothing", "[sinusoid_shift]") {
  const auto odd = value_of(Sinusoidal::make({.frequencies = {.dim = 5}}));
  const auto even = value_of(Sinusoidal::make({.frequencies = {.dim = 4}}));
  std::vector<float> out(25, untouched);
  require_error(odd.shift_matrix(1, out), "dim", "5");
  require_error(odd.shift(1, out), "dim", "5");
  require_error(even.shift_matrix(1, out), "out", "25");
  require_error(even.shift(1, out), "table", "25");
  const auto still = testing::value_of(posenc::Sinusoidal::make({.frequencies = {.dim = 4, .scale = 0}}));
  require_error(still.shift(0x1p991, std::span(out).first(16)), "by", "");  // halves of it would overflow
  for (const double by : {std::nan(""), std::numeric_limits<double>::infinity(), 0x1p54}) {
    require_error(even.shift_matrix(by, std::span(out).first(16)), "by", "");
    require_error(even.shift(by, std::span(out).first(16)), "by", "");
  }
  CHECK(testing::is_untouched(out));
}
