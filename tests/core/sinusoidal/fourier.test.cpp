#include "posenc/sinusoidal/fourier.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::AngleUnit;
using posenc::fourier_preset;
using posenc::FourierFeatures;
using posenc::FourierOptions;
using posenc::Order;
using reference::LargestErrors;
using reference::Quad;
using testing::Generator;
using testing::infinity;
using testing::require_error;
using testing::untouched;
using testing::value_of;

namespace {

std::vector<float> features_of(const FourierFeatures& fourier, const std::vector<double>& points) {
  std::vector<float> out(points.size() / fourier.inputs() * fourier.dims(), untouched);
  value_of(fourier.features(points, out));
  return out;
}

std::vector<double> random_values(Generator& generator, std::size_t count, double scale) {
  std::vector<double> values(count);
  for (double& value : values) value = scale * (generator.fraction() + generator.fraction() * 0x1p-30);
  return values;
}

/// The scalar product of weights row `feature` and a point, in radians.
Quad angle_of(const FourierOptions& options, const std::vector<double>& weights, std::size_t feature,
              const std::vector<double>& points, std::size_t point) {
  const auto inputs = static_cast<std::size_t>(options.inputs);
  Quad sum = 0;
  for (std::size_t k = 0; k < inputs; ++k) {
    const Quad x = points[point * inputs + k];
    sum += weights[feature * inputs + k] * (options.logarithmic ? reference::logarithm(x) : x);
  }
  if (options.unit == AngleUnit::cycles) return sum * 2 * reference::pi();
  return options.unit == AngleUnit::half_cycles ? sum * reference::pi() : sum;
}

void check_errors(const FourierOptions& options, const std::vector<double>& weights,
                  const std::vector<double>& points) {
  const auto fourier = value_of(FourierFeatures::make(options, weights));
  const auto inputs = static_cast<std::size_t>(options.inputs);
  const std::size_t features = weights.size() / inputs;
  REQUIRE(fourier.dims() == 2 * features);
  const auto out = features_of(fourier, points);
  LargestErrors errors;
  for (std::size_t point = 0; point < points.size() / inputs; ++point)
    for (std::size_t i = 0; i < features; ++i) {
      const auto phase = reference::phase(angle_of(options, weights, i, points, point));
      const float* const row = out.data() + point * 2 * features;
      const bool interleaved = options.order == Order::interleaved;
      const std::size_t first = interleaved ? 2 * i : i;
      const std::size_t second = interleaved ? 2 * i + 1 : features + i;
      const bool cosines_first = options.order == Order::cosines_first;
      errors.note(row[first], cosines_first ? phase.cosine : phase.sine);
      errors.note(row[second], cosines_first ? phase.sine : phase.cosine);
    }
  INFO("inputs " << inputs << ", unit " << static_cast<int>(options.unit) << ", order "
                 << static_cast<int>(options.order) << ": " << errors.ulp << " ulp, " << errors.absolute);
  CHECK(errors.ulp <= 0.501);
  CHECK(errors.absolute <= 3.0e-8);
}

}  // namespace

TEST_CASE("fourier: diffusers, sin and cos of 2 pi w ln x", "[fourier]") {
  Generator generator(41);
  const auto options = value_of(fourier_preset("diffusers", 1));
  CHECK(options.logarithmic);
  const auto weights = random_values(generator, 128, 16 * 4);
  check_errors(options, weights, {1, 0.5, 0.002, 80, 999, 1e-300, 1e300, 1.0000001});
  auto flipped = options;
  flipped.order = Order::cosines_first;
  check_errors(flipped, weights, {0.02, 7});
  auto plain = options;
  plain.logarithmic = false;
  check_errors(plain, weights, {0.02, -7, 0, 1e9});
  check_errors(options, random_values(generator, 8, 1e10), {0.3, 5});  // a logarithm of one double would not do
}

TEST_CASE("fourier: rff, cos and sin of 2 pi B x for points of several coordinates", "[fourier]") {
  Generator generator(42);
  for (const std::int64_t inputs : {1, 2, 3, 8}) {
    const auto options = value_of(fourier_preset("rff", inputs));
    const auto count = static_cast<std::size_t>(inputs);
    check_errors(options, random_values(generator, 33 * count, 10), random_values(generator, 20 * count, 3));
    check_errors(options, random_values(generator, 5 * count, 1e3), random_values(generator, 20 * count, 1e9));
  }
}

TEST_CASE("fourier: every unit and order", "[fourier]") {
  Generator generator(43);
  for (const auto unit : {AngleUnit::cycles, AngleUnit::half_cycles, AngleUnit::radians})
    for (const auto order : {Order::interleaved, Order::split, Order::cosines_first})
      check_errors({.inputs = 3, .unit = unit, .order = order}, random_values(generator, 21, 100),
                   random_values(generator, 30, 50));
}

TEST_CASE("fourier: NeRF, for every coordinate sin and cos of 2^k pi x", "[fourier]") {
  const std::vector<double> points{0.25, -0.7, 1, 0.1, 1.0 / 3, -1};
  for (const auto unit : {AngleUnit::half_cycles, AngleUnit::radians}) {
    const auto out = features_of(value_of(FourierFeatures::nerf(3, 10, posenc::NerfPreset::paper, unit)), points);
    REQUIRE(out.size() == 2 * 3 * 20);
    LargestErrors errors;
    for (std::size_t coordinate = 0; coordinate < 6; ++coordinate)
      for (std::size_t k = 0; k < 10; ++k) {
        const Quad scaled = std::ldexp(points[coordinate], static_cast<int>(k));
        const auto phase = reference::phase(unit == AngleUnit::radians ? scaled : scaled * reference::pi());
        errors.note(out[coordinate * 20 + 2 * k], phase.sine);
        errors.note(out[coordinate * 20 + 2 * k + 1], phase.cosine);
      }
    CHECK(errors.ulp <= 0.501);
    CHECK(errors.absolute <= 3.0e-8);
  }
  const auto quarter = features_of(value_of(FourierFeatures::nerf(1, 3)), {0.5});  // pi/2, pi, 2 pi: exactly
  CHECK(quarter == std::vector<float>{1, 0, 0, -1, 0, 1});
}

TEST_CASE("fourier: NeRF's code, the point and then level by level", "[fourier]") {
  const std::vector<double> points{0.25, -0.7, 1, 0.1, 1.0 / 3, -1};
  const auto nerf = value_of(FourierFeatures::nerf(3, 4, posenc::NerfPreset::code));
  REQUIRE(nerf.dims() == 3 + 2 * 3 * 4);
  const auto out = features_of(nerf, points);
  LargestErrors errors;
  for (std::size_t at = 0; at < out.size(); ++at) {
    const std::size_t dimension = at % 27;
    const double* const point = points.data() + at / 27 * 3;
    if (dimension < 3) {
      CHECK(out[at] == static_cast<float>(point[dimension]));
      continue;
    }
    const std::size_t level = (dimension - 3) / 6;
    const auto phase = reference::phase(std::ldexp(point[(dimension - 3) % 3], static_cast<int>(level)));
    errors.note(out[at], (dimension - 3) / 3 % 2 == 0 ? phase.sine : phase.cosine);
  }
  CHECK(errors.ulp <= 0.501);
  CHECK(errors.absolute <= 3.0e-8);
}

TEST_CASE("fourier: a point depends on no other; nothing gives nothing", "[fourier]") {
  Generator generator(44);
  const auto weights = random_values(generator, 10, 5);
  const auto fourier = value_of(FourierFeatures::make({.inputs = 2}, weights));
  const auto points = random_values(generator, 14, 4);
  const auto all = features_of(fourier, points);
  for (std::size_t i = 0; i < 7; ++i)
    CHECK(testing::same_bits(features_of(fourier, {points[2 * i], points[2 * i + 1]}),
                             std::span(all).subspan(i * 10, 10)));
  CHECK(features_of(fourier, {}).empty());
  CHECK(features_of(value_of(FourierFeatures::make({}, {})), {1, 2}).empty());
}

TEST_CASE("fourier: what is wrong is named", "[fourier]") {
  require_error(FourierFeatures::make({.inputs = 0}, {}), "inputs", "0");
  require_error(FourierFeatures::make({.inputs = 1025}, {}), "inputs", "1025");
  require_error(FourierFeatures::make({.inputs = 2}, std::vector<double>(3)), "weights", "3");
  require_error(FourierFeatures::make({}, std::vector<double>{1, infinity}), "weights", "inf");
  require_error(FourierFeatures::make({}, std::vector<double>{std::nan("")}), "weights", "nan");
  require_error(FourierFeatures::nerf(0, 3), "inputs", "0");
  require_error(FourierFeatures::nerf(3, 0), "levels", "0");
  require_error(FourierFeatures::nerf(3, 53), "levels", "53");
  require_error(fourier_preset("RFF", 1), "preset", "rff");
  require_error(posenc::from_name<posenc::NerfPreset>("bmild"), "preset", "bmild");
  require_error(posenc::from_name<posenc::AngleUnit>("degrees"), "unit", "degrees");
  CHECK(value_of(posenc::from_name<posenc::AngleUnit>("half-cycles")) == AngleUnit::half_cycles);

  std::vector<float> out(4, untouched);
  const std::vector<double> weights{1, 3};
  const auto fourier = value_of(FourierFeatures::make({}, weights));
  const auto logarithmic = value_of(FourierFeatures::make({.logarithmic = true}, weights));
  const auto plane = value_of(FourierFeatures::make({.inputs = 2}, weights));
  require_error(fourier.features(std::vector<double>{1, 2}, out), "out", "4");
  require_error(fourier.features(std::vector<double>{std::nan("")}, out), "points", "nan");
  require_error(fourier.features(std::vector<double>{0x1p53}, out), "points", "9");
  require_error(logarithmic.features(std::vector<double>{0}, out), "points", "0");
  require_error(logarithmic.features(std::vector<double>{infinity}, out), "points", "inf");
  require_error(plane.features(std::vector<double>{1, 2, 3}, out), "points", "3");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("fourier: features have the bits that are stored", "[hashes]") {
  // 20 points fractions(60, 10) of 3 inputs, weights fractions(99, 11), preset rff.
  const auto weights = testing::fractions(99, 11), points = testing::fractions(60, 10);
  const auto fourier = testing::value_of(posenc::FourierFeatures::make(
      testing::value_of(posenc::fourier_preset("rff", 3)), std::vector<double>(weights.begin(), weights.end())));
  std::vector<float> out(20 * fourier.dims());
  testing::value_of(fourier.features(std::vector<double>(points.begin(), points.end()), out));
  testing::check_hash("fourier rff", "2b1b974f9c3c4cf4", {out});
}
