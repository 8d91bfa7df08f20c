/// KERPLE, Sandwich and FIRE: biases by formula.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "posenc/relative/fire.hpp"
#include "posenc/relative/kerple.hpp"
#include "posenc/relative/sandwich.hpp"
#include "relative/relative_testing.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Future;
using posenc::KerpleKernel;
using posenc::RelativePositions;
using posenc::SandwichIndices;
using reference::Quad;
using testing::Generator;
using testing::random_shape;
using testing::require_error;
using testing::value_of;

namespace {

Quad size_of(std::int64_t distance) { return distance < 0 ? -distance : distance; }

std::vector<float> positive(std::size_t count, std::uint32_t seed, float most) {
  auto values = testing::fractions(count, seed);
  for (float& value : values) value = most * (std::fabs(value) + 1e-6f) / 1.001f;
  return values;
}

/// FIRE with `width` hidden units and random weights; the arrays live as long as it.
struct RandomFire {
  std::size_t width, heads;
  std::vector<float> weight1 = testing::fractions(width, 341), bias1 = testing::fractions(width, 342);
  std::vector<float> weight2 = testing::fractions(width * heads, 343), bias2 = testing::fractions(heads, 344);

  [[nodiscard]] posenc::FireOptions options() const {
    return {.perceptron = {.weight1 = weight1, .bias1 = bias1, .weight2 = weight2, .bias2 = bias2}};
  }

  /// Inputs of the perceptron.
  [[nodiscard]] Quad input(std::int64_t distance, std::int64_t query) const {
    const auto o = options();
    const Quad position = query > 512 ? static_cast<Quad>(query) : 512;
    return reference::logarithm(1 + static_cast<Quad>(o.c) * size_of(distance)) /
           (reference::logarithm(1 + static_cast<Quad>(o.c) * position) + static_cast<Quad>(o.epsilon));
  }

  [[nodiscard]] Quad exact(std::size_t h, std::int64_t distance, std::int64_t query) const {
    const Quad x = input(distance, query);
    Quad sum = bias2[h];
    for (std::size_t n = 0; n < width; ++n) {
      const Quad hidden = weight1[n] * x + static_cast<Quad>(bias1[n]);
      if (hidden > 0) sum += weight2[h * width + n] * hidden;
    }
    return sum;
  }
};

}  // namespace

TEST_CASE("kerple: both kernels are accurate for any shape", "[kerple][accuracy]") {
  Generator generator(330);
  double worst = 0;
  for (int round = 0; round < 150; ++round) {
    const auto positions = value_of(RelativePositions::make(random_shape(generator)));
    const bool power = generator.below(2) == 0;
    const Future future = generator.below(2) == 0 ? Future::keep : Future::mask;
    const auto r1 = positive(positions.heads(), generator.next(), 3);
    const auto r2 = positive(positions.heads(), generator.next(), power ? 2 : round % 3 == 0 ? 1e-7f : 5);
    std::vector<float> bias(positions.heads() * positions.distances());
    value_of(posenc::kerple_bias({power ? KerpleKernel::power : KerpleKernel::logarithmic, r1, r2}, positions, future,
                                 bias));
    worst = std::fmax(worst, testing::worst_ulp(positions, future, bias, [&](std::size_t h, std::int64_t d) {
                        const Quad rate = r2[h];
                        if (d == 0) return static_cast<Quad>(0);
                        return -static_cast<Quad>(r1[h]) * (power ? reference::power(size_of(d), rate)
                                                                  : reference::logarithm(1 + rate * size_of(d)));
                      }));
  }
  std::printf("largest error: kerple: %.4f ulp\n", worst);
  CHECK(worst <= 0.501);
}

// ParallelKerplePower.forward in chijames/KERPLE: wei = exp(-wei_a * diff^wei_p).
TEST_CASE("kerple: weights are accurate down to the smallest", "[kerple][accuracy]") {
  Generator generator(331);
  for (int round = 0; round < 60; ++round) {
    const auto positions = value_of(RelativePositions::make(random_shape(generator)));
    const auto r1 = positive(positions.heads(), generator.next(), round % 2 == 0 ? 3 : 0.01f);
    const auto r2 = positive(positions.heads(), generator.next(), 2);
    std::vector<float> weights(positions.heads() * positions.distances());
    value_of(posenc::kerple_bias({KerpleKernel::weight, r1, r2}, positions, Future::keep, weights));
    for (std::size_t at = 0; at < weights.size(); ++at) {
      const std::size_t h = at / positions.distances();
      const std::int64_t d = positions.distance(at % positions.distances());
      const Quad power = d == 0 ? static_cast<Quad>(0) : reference::power(size_of(d), r2[h]);
      const Quad exact = reference::exponential(-static_cast<Quad>(r1[h]) * power);
      if (exact < 0x1p-126)
        REQUIRE(static_cast<double>(reference::magnitude(weights[at] - exact)) <= 0x1.001p-150);
      else
        REQUIRE(reference::ulp_error(weights[at], exact) <= 0.501);
    }
  }
  const auto positions = value_of(RelativePositions::make({.queries = 1, .keys = 1}));
  std::vector<float> out(1, testing::untouched);
  const std::vector<float> one{1};
  require_error(posenc::kerple_bias({KerpleKernel::weight, one, one}, positions, Future::mask, out), "future", "mask");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("kerple: wrong parameters are Errors and nothing is written", "[kerple]") {
  const auto positions = value_of(RelativePositions::make({.heads = 2, .queries = 1, .keys = 1}));
  const std::vector<float> good{1, 2};
  std::vector<float> out(2, testing::untouched);
  for (const float bad : {0.0f, -1.0f, std::nanf(""), std::numeric_limits<float>::infinity()}) {
    const std::vector<float> wrong{1, bad};
    require_error(posenc::kerple_bias({KerpleKernel::power, wrong, good}, positions, Future::keep, out), "r1", "");
    require_error(posenc::kerple_bias({KerpleKernel::power, good, wrong}, positions, Future::keep, out), "r2", "");
  }
  const std::vector<float> steep{1, 2.5f};
  require_error(posenc::kerple_bias({KerpleKernel::power, good, steep}, positions, Future::keep, out), "r2", "2.5");
  require_error(posenc::kerple_bias({KerpleKernel::power, good, {}}, positions, Future::keep, out), "r2", "0");
  require_error(
      posenc::kerple_bias({KerpleKernel::power, good, good}, positions, Future::keep, std::span(out).first(1)), "out",
      "1");
  require_error(posenc::from_name<posenc::KerpleKernel>("log"), "kernel", "log");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("sandwich: sums of cosines, counted from one or from zero", "[sandwich][accuracy]") {
  Generator generator(335);
  double worst = 0;
  for (int round = 0; round < 60; ++round) {
    const auto positions = value_of(RelativePositions::make(random_shape(generator)));
    const bool paper = generator.below(2) == 0;
    const auto dim = static_cast<std::int64_t>(2 + 2 * generator.below(40));
    const Future future = generator.below(2) == 0 ? Future::keep : Future::mask;
    std::vector<float> bias(positions.heads() * positions.distances());
    value_of(
        posenc::sandwich_bias({.dim = dim, .indices = paper ? SandwichIndices::paper : SandwichIndices::sinusoidal},
                              positions, future, bias));
    for (std::size_t at = 0; at < bias.size(); ++at) {
      const std::int64_t d = positions.distance(at % positions.distances());
      if (future == Future::mask && d > 0) {
        REQUIRE(std::isinf(bias[at]));
        continue;
      }
      Quad sum = 0;
      for (std::int64_t i = paper ? 1 : 0; i < dim / 2 + (paper ? 1 : 0); ++i)
        sum += reference::phase(size_of(d) * reference::power(10000, -static_cast<Quad>(2 * i) / dim)).cosine - 1;
      const auto heads = static_cast<Quad>(positions.heads());
      const auto h = static_cast<Quad>(at / positions.distances() + 1);
      const Quad exact = sum / (8 * h / heads);
      const double ulp = std::ldexp(1.0, std::ilogb(static_cast<double>(exact == 0 ? 1 : exact)) - 23);
      const double tolerance = 0.5 * ulp + static_cast<double>(dim * heads / h) * 2e-15;
      worst = std::fmax(worst, static_cast<double>(reference::magnitude(bias[at] - exact)) / tolerance);
    }
  }
  std::printf("largest error: sandwich: %.4f of what is promised\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("sandwich: wrong options are Errors", "[sandwich]") {
  const auto positions = value_of(RelativePositions::make({.queries = 1, .keys = 2, .query_offset = 1 << 29}));
  std::vector<float> out(2, testing::untouched);
  require_error(posenc::sandwich_bias({.dim = 7}, positions, Future::keep, out), "dim", "7");
  require_error(posenc::sandwich_bias({.dim = 0}, positions, Future::keep, out), "dim", "0");
  require_error(posenc::sandwich_bias({.base = -1}, positions, Future::keep, out), "base", "-1");
  require_error(posenc::sandwich_bias({.base = 1e-9}, positions, Future::keep, out), "queryOffset", "536870912");
  require_error(posenc::sandwich_bias({}, positions, Future::keep, std::span(out).first(1)), "out", "1");
  require_error(posenc::from_name<posenc::SandwichIndices>("one"), "indices", "one");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("fire: the perceptron of log distances, and its compact form up to the threshold", "[fire][accuracy]") {
  Generator generator(340);
  double worst = 0;
  // From 509 on some of the queries are beyond the threshold.
  for (const std::int64_t offset : {0, 5, 500, 509, 600, 100000}) {
    const RandomFire fire{32, 3};
    const auto positions =
        value_of(RelativePositions::make({.heads = 3, .queries = 7, .keys = 9, .query_offset = offset}));
    std::vector<float> bias(3 * 7 * 9);
    value_of(posenc::fire_bias(fire.options(), positions, Future::keep, bias));
    for (std::size_t at = 0; at < bias.size(); ++at) {
      const auto query = static_cast<std::int64_t>(at / 9 % 7) + offset;
      const Quad exact = fire.exact(at / 63, static_cast<std::int64_t>(at % 9) - query, query);
      const double ulp = std::ldexp(1.0, std::ilogb(static_cast<double>(exact)) - 23);
      const double tolerance = 0.5 * ulp + 1e-14 * 64;
      worst = std::fmax(worst, static_cast<double>(reference::magnitude(bias[at] - exact)) / tolerance);
    }
    std::vector<float> compact(3 * 15, testing::untouched);
    const auto result = posenc::fire_bias_compact(fire.options(), positions, Future::keep, compact);
    if (offset + 6 > 512) {
      require_error(result, "queryOffset", "");
      CHECK(testing::is_untouched(compact));
    } else {
      value_of(result);
      std::vector<float> full(bias.size());
      value_of(posenc::relative_expand(positions, 1, compact, full));
      CHECK(testing::same_bits(full, bias));
    }
  }
  std::printf("largest error: fire: %.4f of what is promised\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("fire: corners that cancel, in any number, and slices", "[fire][accuracy]") {
  Generator generator(345);
  double worst = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t width = 1 + generator.below(round % 6 == 0 ? 300 : 12);
    RandomFire fire{width, 2};
    // Large terms of either sign, corners at the same place, units that never count.
    for (std::size_t n = 0; n < width; ++n) {
      fire.weight1[n] *= std::ldexp(1.0f, static_cast<int>(generator.below(16)));
      fire.bias1[n] *= std::ldexp(1.0f, static_cast<int>(generator.below(16)));
      if (generator.below(8) == 0) fire.weight1[n] = 0;
      if (generator.below(8) == 0) fire.bias1[n] = 0;
      if (n == 0 || generator.below(3) != 0) continue;
      fire.weight1[n] = fire.weight1[n - 1];
      fire.bias1[n] = fire.bias1[n - 1];
      for (std::size_t h = 0; h < 2; ++h) fire.weight2[h * width + n] = -fire.weight2[h * width + n - 1];
    }
    auto options = fire.options();
    options.threshold = 512;
    const auto offset = static_cast<std::int64_t>(generator.below(1200)) - 100;
    const std::int64_t queries = 9, keys = round % 6 == 0 ? 700 : 40;
    const Future future = generator.below(2) == 0 ? Future::keep : Future::mask;
    const auto positions =
        value_of(RelativePositions::make({.heads = 2, .queries = queries, .keys = keys, .query_offset = offset}));
    std::vector<float> bias(static_cast<std::size_t>(2 * queries * keys));
    value_of(posenc::fire_bias(options, positions, future, bias));
    for (std::size_t at = 0; at < bias.size(); ++at) {
      const auto query = static_cast<std::int64_t>(at) / keys % queries + offset;
      const auto distance = static_cast<std::int64_t>(at) % keys - query;
      if (future == Future::mask && distance > 0) {
        REQUIRE(testing::same_bits(bias[at], -std::numeric_limits<float>::infinity()));
        continue;
      }
      const std::size_t h = at / static_cast<std::size_t>(queries * keys);
      const Quad exact = fire.exact(h, distance, query);
      const Quad x = fire.input(distance, query);
      Quad sizes = reference::magnitude(fire.bias2[h]);
      for (std::size_t n = 0; n < width; ++n)
        sizes += reference::magnitude(fire.weight2[h * width + n]) *
                 (reference::magnitude(fire.weight1[n]) * x + reference::magnitude(fire.bias1[n]));
      const double ulp = std::ldexp(1.0, std::ilogb(static_cast<double>(exact)) - 23);
      worst = std::fmax(worst, static_cast<double>(reference::magnitude(bias[at] - exact)) /
                                   (0.5 * ulp + 4e-15 * static_cast<double>(sizes)));
    }
    // One query alone, and a part of its keys.
    const auto one =
        value_of(RelativePositions::make({.heads = 2, .queries = 1, .keys = 33, .query_offset = offset + 4}));
    std::vector<float> row(2 * 33);
    value_of(posenc::fire_bias(options, one, future, row));
    for (std::size_t at = 0; at < row.size(); ++at)
      REQUIRE(testing::same_bits(row[at], bias[(at / 33 * 9 + 4) * static_cast<std::size_t>(keys) + at % 33]));
  }
  std::printf("largest error: fire with corners that cancel: %.4f of what is promised\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("fire: masked where the key comes later", "[fire]") {
  const RandomFire fire{4, 1};
  const auto positions = value_of(RelativePositions::make({.queries = 3, .keys = 4}));
  std::vector<float> bias(12);
  value_of(posenc::fire_bias(fire.options(), positions, Future::mask, bias));
  for (std::size_t at = 0; at < 12; ++at) CHECK(std::isinf(bias[at]) == (at % 4 > at / 4));
}

TEST_CASE("fire: what is not finite in the perceptron makes NaN where it counts", "[fire]") {
  RandomFire fire{4, 1};
  const auto positions = value_of(RelativePositions::make({.queries = 3, .keys = 40}));
  // The corner of the last unit lies beyond all keys: from there on it would count.
  fire.weight1 = {1, 1, 1, 1};
  fire.bias1 = {0.5f, 0, -0.1f, -2};
  std::vector<float> good(120), bias(120);
  value_of(posenc::fire_bias(fire.options(), positions, Future::keep, good));
  fire.weight2[3] = std::numeric_limits<float>::infinity();
  value_of(posenc::fire_bias(fire.options(), positions, Future::keep, bias));
  CHECK(testing::same_bits(bias, good));
  fire.weight2[1] = std::nanf("");
  value_of(posenc::fire_bias(fire.options(), positions, Future::keep, bias));
  for (const float value : bias) CHECK(testing::same_bits(value, std::numeric_limits<float>::quiet_NaN()));
}

TEST_CASE("fire: wrong options are Errors and nothing is written", "[fire]") {
  const RandomFire fire{4, 2};
  const auto positions = value_of(RelativePositions::make({.heads = 2, .queries = 1, .keys = 2}));
  std::vector<float> out(4, testing::untouched);
  const auto refused = [&](auto change, std::string_view argument) {
    auto options = fire.options();
    change(options);
    require_error(posenc::fire_bias(options, positions, Future::keep, out), argument, "");
    CHECK(testing::is_untouched(out));
  };
  const auto shorter = std::span(fire.weight1).first(3);
  refused([](auto& o) { o.c = std::nan(""); }, "c");
  refused([](auto& o) { o.threshold = 0; }, "threshold");
  refused([](auto& o) { o.epsilon = -1; }, "epsilon");
  refused([](auto& o) { o.c = o.epsilon = 0; }, "epsilon");
  refused([&](auto& o) { o.perceptron.weight1 = shorter; }, "weight1");
  refused([&](auto& o) { o.perceptron.weight2 = shorter; }, "weight2");
  refused([&](auto& o) { o.perceptron.bias2 = shorter; }, "bias2");
  refused([&](auto& o) { o.perceptron.bias1 = {}; }, "bias1");
  require_error(posenc::fire_bias(fire.options(), positions, Future::keep, std::span(out).first(3)), "out", "3");
}

TEST_CASE("relative biases: they have the bits that are stored", "[hashes]") {
  const auto positions = testing::hashed_positions();
  std::vector<float> out(positions.heads() * positions.distances());
  // Power kernel; r1 = 0.1, 0.2, ... 0.6 and r2 = 0.25, 0.5, ... 1.5, as float32.
  const std::vector<float> r1{0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f}, r2{0.25f, 0.5f, 0.75f, 1.0f, 1.25f, 1.5f};
  value_of(posenc::kerple_bias({KerpleKernel::power, r1, r2}, positions, Future::keep, out));
  testing::check_hash("kerple power", "a9f3da3011c9ecbb", {out});
  value_of(posenc::sandwich_bias({}, positions, Future::keep, out));
  testing::check_hash("sandwich", "5958b94b7b2e58c5", {out});
  // 6 heads, 7 hidden units: weights and biases of the seeds 341 to 344; in compact form, and beyond the threshold.
  const RandomFire fire{7, 6};
  value_of(posenc::fire_bias_compact(fire.options(), positions, Future::keep, out));
  testing::check_hash("fire", "d7f971875bb79a3d", {out});
  const auto beyond = value_of(RelativePositions::make({.heads = 6, .queries = 40, .keys = 600, .query_offset = 540}));
  std::vector<float> full(std::size_t{6} * 40 * 600);
  value_of(posenc::fire_bias(fire.options(), beyond, Future::mask, full));
  testing::check_hash("fire beyond its threshold", "9069d45c7fc657f9", {full});
}
