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
using posenc::SinusoidalOptions;
using reference::LargestErrors;
using reference::Quad;
using testing::table_of;

namespace {

/// The dimension of sine or cosine i in a row, by the definition of each order.
std::size_t dimension(const SinusoidalOptions& options, std::size_t i, bool cosine) {
  if (options.order == Order::interleaved) return 2 * i + (cosine ? 1 : 0);
  const auto sines = static_cast<std::size_t>((options.frequencies.dim + 1) / 2);
  return cosine ? sines + i : i;
}

LargestErrors row_errors(const SinusoidalOptions& options, const std::vector<Quad>& frequencies, double position,
                         std::span<const float> row) {
  LargestErrors errors;
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const reference::Phase phase = reference::phase(frequencies[i] * position);
    errors.note(row[dimension(options, i, false)], phase.sine);
    if (2 * i + 1 < row.size()) errors.note(row[dimension(options, i, true)], phase.cosine);
  }
  return errors;
}

LargestErrors measure(const SinusoidalOptions& options, const std::vector<double>& positions) {
  const auto table = table_of(options, Positions::list(positions));
  const auto frequencies = reference::frequencies(options.frequencies);
  const auto dim = static_cast<std::size_t>(options.frequencies.dim);
  LargestErrors errors;
  for (std::size_t row = 0; row < positions.size(); ++row)
    errors.note(row_errors(options, frequencies, positions[row], std::span(table).subspan(row * dim, dim)));
  return errors;
}

void check_and_print(const char* what, const LargestErrors& errors) {
  std::printf("largest error: sinusoid, %s: %.7f ulp, %.4e absolute\n", what, errors.ulp, errors.absolute);
  CHECK(errors.ulp <= 0.501);
  CHECK(errors.absolute <= 3.0e-8);
}

std::vector<double> consecutive(double first, std::size_t count, double step = 1) {
  std::vector<double> positions(count);
  for (std::size_t i = 0; i < count; ++i) positions[i] = first + step * static_cast<double>(i);
  return positions;
}

/// Uniform in -limit ... limit, of 53 bits.
std::vector<double> random_positions(double limit, std::size_t count, std::uint32_t seed) {
  testing::Generator generator(seed);
  std::vector<double> positions(count);
  for (double& position : positions) {
    const double high = generator.next();
    const double low = generator.next();
    position = (std::ldexp(high, -24) + std::ldexp(low, -48)) * (generator.below(2) == 0 ? limit : -limit);
  }
  return positions;
}

constexpr SinusoidalOptions usual{.frequencies = {.dim = 64}};

}  // namespace

TEST_CASE("sinusoid: accurate at positions 0 to 2047", "[sinusoid][accuracy]") {
  check_and_print("positions 0 to 2047", measure(usual, consecutive(0, 2048)));
}

TEST_CASE("sinusoid: accurate around 2^20, 2^26 and 2^31, on both sides of zero", "[sinusoid][accuracy]") {
  LargestErrors errors;
  for (const int power : {20, 26, 31})
    for (const double sign : {1.0, -1.0})
      errors.note(measure(usual, consecutive(sign * std::ldexp(1.0, power) - 50, 100)));
  check_and_print("around 2^20, 2^26, 2^31", errors);
}

TEST_CASE("sinusoid: accurate at fractional positions", "[sinusoid][accuracy]") {
  LargestErrors errors;
  errors.note(measure(usual, consecutive(-7.3, 150, 0.1)));
  errors.note(measure(usual, consecutive(0, 100, 1e-9)));
  errors.note(measure(usual, consecutive(1e9 + 0.123, 100, 1.0 / 3)));
  errors.note(measure(usual, {1e-300, 5e-324, -1e-30, 0x1p-60}));
  check_and_print("fractional positions", errors);
}

TEST_CASE("sinusoid: accurate at random positions up to 2^31", "[sinusoid][accuracy]") {
  check_and_print("random up to 2^31", measure(usual, random_positions(0x1p31, 1000, 1)));
}

TEST_CASE("sinusoid: accurate at positions up to 2^53", "[sinusoid][accuracy]") {
  LargestErrors errors;
  errors.note(measure(usual, random_positions(0x1p53, 500, 2)));
  errors.note(measure(usual, consecutive(0x1p53 - 50, 51)));
  errors.note(measure(usual, consecutive(-0x1p53, 50)));
  errors.note(measure(usual, consecutive(0x1p52 - 25, 50, 0.5)));
  for (int power = 32; power < 53; ++power) errors.note(measure(usual, consecutive(std::ldexp(1.0, power) - 2, 5)));
  check_and_print("up to 2^53", errors);
}

TEST_CASE("sinusoid: accurate next to multiples of pi/2", "[sinusoid][accuracy]") {
  // Numerators of the best fractions for pi: the sine of one radian a position almost vanishes there.
  const std::vector<double> numerators{22,
                                       333,
                                       355,
                                       103993,
                                       104348,
                                       208341,
                                       312689,
                                       833719,
                                       1146408,
                                       4272943,
                                       5419351,
                                       80143857,
                                       165707065,
                                       245850922,
                                       411557987,
                                       1068966896,
                                       2549491779,
                                       6167950454,
                                       14885392687,
                                       21053343141,
                                       1783366216531,
                                       3587785776203,
                                       5371151992734,
                                       8958937768937,
                                       139755218526789,
                                       428224593349304,
                                       5706674932067741,
                                       6134899525417045};
  LargestErrors errors;
  for (const double factor : {1.0, 0.5, 0.25, -1.0}) {
    std::vector<double> positions = numerators;
    for (double& position : positions) position *= factor;
    errors.note(measure(usual, positions));
  }
  check_and_print("next to multiples of pi/2", errors);
}

TEST_CASE("sinusoid: accurate for every base", "[sinusoid][accuracy]") {
  LargestErrors errors;
  for (const double base : {2.0, 10.0, 500.0, 5e5, 1e6, 1e8, 1e300, 1.0, 0.5, 0.01}) {
    const SinusoidalOptions options{.frequencies = {.dim = 24, .base = base}};
    errors.note(measure(options, consecutive(-20, 60)));
    errors.note(measure(options, random_positions(0x1p31, 60, 3)));
  }
  check_and_print("every base", errors);
}

TEST_CASE("sinusoid: accurate for every order, exponent and odd dim", "[sinusoid][accuracy]") {
  LargestErrors errors;
  for (const Order order : {Order::interleaved, Order::split})
    for (const Exponent exponent : {Exponent::paper, Exponent::double_stepped})
      for (const std::int64_t dim : {1, 2, 3, 4, 5, 7, 15, 16, 17, 33}) {
        const SinusoidalOptions options{.frequencies = {.dim = dim, .exponent = exponent}, .order = order};
        errors.note(measure(options, consecutive(-3, 12)));
        errors.note(measure(options, random_positions(0x1p31, 12, 4)));
      }
  check_and_print("every order, exponent and odd dim", errors);
}

TEST_CASE("sinusoid: accurate in rows of 4096 dimensions", "[sinusoid][accuracy]") {
  check_and_print("4096 dimensions",
                  measure({.frequencies = {.dim = 4096, .base = 5e5}}, {131071, -1048575.5, 0x1p31}));
}

TEST_CASE("sinusoid: the row of position p + k is the row of p, rotated by k", "[sinusoid]") {
  constexpr std::size_t dim = 64;
  const auto frequencies = reference::frequencies(usual.frequencies);
  // Each value is off by 3.0e-8 at most; the rotated pair by that times |cos| + |sin| <= sqrt(2).
  const double tolerance = 3.0e-8 * (1 + std::sqrt(2.0));
  for (const double shift : {1.0, 5.0, 1000.0, -3.5, 1048576.0}) {
    const auto before = table_of(usual, Positions::range(40, 100));
    const auto after = table_of(usual, Positions::range(40, 100 + shift));
    double largest = 0;
    for (std::size_t i = 0; i < dim / 2; ++i) {
      const reference::Phase rotation = reference::phase(frequencies[i] * shift);
      for (std::size_t at = 2 * i; at < before.size(); at += dim) {
        const Quad sine = before[at] * rotation.cosine + before[at + 1] * rotation.sine;
        const Quad cosine = before[at + 1] * rotation.cosine - before[at] * rotation.sine;
        largest = std::max(largest, static_cast<double>(reference::magnitude(after[at] - sine)));
        largest = std::max(largest, static_cast<double>(reference::magnitude(after[at + 1] - cosine)));
      }
    }
    INFO("shift " << shift);
    CHECK(largest <= tolerance);
  }
}
