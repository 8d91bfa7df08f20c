#include "posenc/rotary/float32_rotary.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::Layout;
using posenc::Positions;
using posenc::RotaryOptions;
using reference::Quad;
using testing::require_error;
using testing::same_bits;
using testing::value_of;
namespace scaling = posenc::scaling;

namespace {

using Floats = std::vector<float>;

constexpr float two_pi = 6.283185307179586f;

float rounded(Quad x) { return static_cast<float>(static_cast<double>(x)); }

/// base ** (arange(0, dim, 2).float() / dim)
Floats powers(float base, int dim) {
  Floats result;
  for (int i = 0; i < dim; i += 2)
    result.push_back(rounded(reference::power(base, static_cast<float>(i) / static_cast<float>(dim))));
  return result;
}

Floats inverse(Floats values) {
  for (float& value : values) value = 1.0f / value;
  return values;
}

Floats frequencies_of(const RotaryOptions& options) {
  const auto rotary = value_of(posenc::make_float32_rotary(options));
  const auto frequencies = rotary.angle_source()->frequencies();
  return {frequencies.begin(), frequencies.end()};
}

RotaryOptions plan(std::int64_t dim, double base, posenc::Scaling rule,
                   std::optional<std::int64_t> length = std::nullopt) {
  return {.dim = dim, .layout = Layout::half, .base = base, .scaling = std::move(rule), .length = length};
}

struct Float32Cache {
  Floats cosines, sines;
};

Float32Cache cache_of(const posenc::Rotary& rotary, const std::vector<double>& positions) {
  const std::size_t size = positions.size() * rotary.rotary_dim() / 2;
  Float32Cache cache{Floats(size), Floats(size)};
  value_of(rotary.cache(Positions::list(positions), cache.cosines, cache.sines));
  return cache;
}

/// The largest difference of any cosine or sine from that of the true angle.
double distance_from_exact(std::int64_t dim, const std::vector<double>& positions) {
  const RotaryOptions options{.dim = dim, .layout = Layout::half};
  const Float32Cache exact = cache_of(value_of(posenc::Rotary::make(options)), positions);
  const Float32Cache float32 = cache_of(value_of(posenc::make_float32_rotary(options)), positions);
  double largest = 0;
  for (std::size_t i = 0; i < exact.sines.size(); ++i)
    largest = std::max({largest, std::fabs(static_cast<double>(exact.sines[i]) - float32.sines[i]),
                        std::fabs(static_cast<double>(exact.cosines[i]) - float32.cosines[i])});
  return largest;
}

}  // namespace

TEST_CASE("float32 rotary: frequencies without scaling, and divided", "[rotary]") {
  for (const int dim : {2, 14, 64, 96, 128})
    for (const float base : {10000.0f, 500000.0f, 1e6f, 150000.0f}) {
      const Floats unscaled = inverse(powers(base, dim));
      CHECK(same_bits(frequencies_of(plan(dim, base, scaling::Default{})), unscaled));
      Floats divided = unscaled;
      for (float& value : divided) value /= 3.7f;
      CHECK(same_bits(frequencies_of(plan(dim, base, scaling::Linear{3.7})), divided));
    }
}

TEST_CASE("float32 rotary: dynamic NTK rounds the base it has computed", "[rotary]") {
  const double base = 10000 * std::pow(4.0 * 9000 / 2048 - 3, 64.0 / 62);
  CHECK(same_bits(frequencies_of(plan(64, 10000, scaling::Dynamic{4, 2048}, 9000)),
                  inverse(powers(static_cast<float>(base), 64))));
  CHECK(same_bits(frequencies_of(plan(64, 10000, scaling::Dynamic{4, 2048}, 100)), inverse(powers(10000, 64))));
}

TEST_CASE("float32 rotary: YaRN's blend", "[rotary]") {
  const Floats power = powers(10000, 64);
  // d ln(L0 / (2 pi r)) / (2 ln b) for r = 32 and 1, rounded outwards.
  const auto index = [](double cycles) { return 64 * std::log(4096 / (cycles * 2 * M_PI)) / (2 * std::log(10000.0)); };
  const double low = std::floor(index(32));
  const double high = std::ceil(index(1));
  Floats expected;
  for (int i = 0; i < 32; ++i) {
    const float ramp = (static_cast<float>(i) - static_cast<float>(low)) / static_cast<float>(high - low);
    const float kept = 1.0f - std::min(std::max(ramp, 0.0f), 1.0f);
    const float at = power[static_cast<std::size_t>(i)];
    expected.push_back(1.0f / (40.0f * at) * (1.0f - kept) + 1.0f / at * kept);
  }
  CHECK(same_bits(frequencies_of(plan(64, 10000, scaling::Yarn{.factor = 40, .original_length = 4096})), expected));
}

TEST_CASE("float32 rotary: LongRoPE's factors", "[rotary]") {
  scaling::Longrope rule{};
  rule.factor = 32;
  rule.original_length = 4096;
  for (int i = 0; i < 8; ++i) {
    rule.short_factor.push_back(1 + 0.1 * i);
    rule.long_factor.push_back(1.3 + 7.7 * i);
  }
  const Floats power = powers(10000, 16);
  for (const std::int64_t length : {4096, 4097}) {
    Floats expected;
    for (std::size_t i = 0; i < 8; ++i) {
      const double factor = length > 4096 ? rule.long_factor[i] : rule.short_factor[i];
      expected.push_back(1.0f / (static_cast<float>(factor) * power[i]));
    }
    CHECK(same_bits(frequencies_of(plan(16, 10000, rule, length)), expected));
  }
}

TEST_CASE("float32 rotary: Llama 3.1's three parts", "[rotary]") {
  Floats expected = inverse(powers(500000, 128));
  int blended = 0;
  for (float& value : expected) {
    const float wavelength = 1.0f / value * two_pi;
    if (wavelength > 8192.0f / 1) {
      value /= 8.0f;
    } else if (wavelength >= 8192.0f / 4) {
      const float smooth = (1.0f / wavelength * 8192.0f - 1.0f) / 3.0f;
      value = (1.0f - smooth) * value / 8.0f + smooth * value;
      ++blended;
    }
  }
  CHECK(blended > 2);
  CHECK(same_bits(frequencies_of(plan(128, 500000, scaling::Llama3{8, 1, 4, 8192})), expected));
  // Where both factors are the same there is nothing to blend, and nothing to divide by zero.
  for (const float value : frequencies_of(plan(128, 500000, scaling::Llama3{8, 2, 2, 8192}))) CHECK(value > 0);
}

TEST_CASE("float32 rotary: proportional and given frequencies", "[rotary]") {
  Floats expected = inverse(powers(10000, 32));
  for (std::size_t i = 0; i < 16; ++i) expected[i] = i < 4 ? expected[i] / 2.0f : 0.0f;
  CHECK(same_bits(frequencies_of(plan(32, 10000, scaling::Proportional{0.25, 2})), expected));
  CHECK(same_bits(frequencies_of(plan(4, 10000, scaling::Given{{0.1, -3}, 1})), Floats{0.1f, -3.0f}));
}

TEST_CASE("float32 rotary: cosines and sines of the rounded angle", "[rotary][accuracy]") {
  const std::vector<double> positions{0, 1, 3.3, -77, 4095, 131071, 1048575, 16777217, 9007199254740992.0};
  const RotaryOptions options = plan(64, 10000, scaling::Default{});
  const auto rotary = value_of(posenc::make_float32_rotary(options));
  const Float32Cache cache = cache_of(rotary, positions);
  reference::LargestErrors errors;
  double worst_ulp = 0;
  std::size_t at = 0;
  for (const double position : positions)
    for (const float frequency : rotary.angle_source()->frequencies()) {
      const reference::Phase phase = reference::phase(frequency * static_cast<float>(position));
      errors.note(cache.cosines[at], phase.cosine);
      errors.note(cache.sines[at], phase.sine);
      worst_ulp = std::max({worst_ulp, reference::ulp_error(cache.cosines[at], phase.cosine),
                            reference::ulp_error(cache.sines[at], phase.sine)});
      ++at;
    }
  std::printf("largest error: float32 rotary: %.4f ulp, %.4e absolute; anywhere %.4f ulp\n", errors.ulp,
              errors.absolute, worst_ulp);
  CHECK(errors.ulp <= 0.501);
  CHECK(errors.absolute <= 3.0e-8);
  CHECK(worst_ulp <= 0.6);
}

TEST_CASE("float32 rotary: is as far from the true angles as what it stands for", "[rotary]") {
  // This has been measured of transformers' own tables, for base 10000 and 128 dimensions, at these positions.
  CHECK(std::fabs(distance_from_exact(128, {4095}) / 1.4e-4 - 1) < 0.05);
  CHECK(std::fabs(distance_from_exact(128, {1048575}) / 2.5e-2 - 1) < 0.05);
}

TEST_CASE("float32 rotary: rotates, shifts and inverts by the same cosines and sines", "[rotary]") {
  const RotaryOptions options = plan(8, 10000, scaling::Yarn{.factor = 2, .original_length = 32});
  const auto rotary = value_of(posenc::make_float32_rotary(options));
  const std::vector<double> positions{70001};
  const Float32Cache cache = cache_of(rotary, positions);
  Floats x{1, 1, 1, 1, 0, 0, 0, 0};
  const auto shape = testing::sequence_first(testing::Shape{1, 8});
  value_of(rotary.apply(x, shape, Positions::list(positions)));
  CHECK(same_bits(std::span(x).first(4), cache.cosines));
  CHECK(same_bits(std::span(x).subspan(4), cache.sines));
  CHECK(rotary.attention_factor() == value_of(posenc::Rotary::make(options)).attention_factor());
}

TEST_CASE("float32 rotary: wrong options are an Error", "[rotary]") {
  require_error(posenc::make_float32_rotary({.dim = 8}), "layout", "");
  require_error(
      posenc::make_float32_rotary({.dim = 8, .layout = Layout::half, .exponent = posenc::Exponent::double_stepped}),
      "exponent", "");
  require_error(posenc::make_float32_rotary(plan(8, 10000, scaling::Dynamic{4, 2048})), "length", "none");
}

TEST_CASE("float32 rotary: the cosines, then the sines, have the bits that are stored", "[hashes]") {
  // Positions 8192 to 8222 with YaRN: dim 64, base 10000, factor 40, original length 4096.
  const posenc::scaling::Yarn yarn{.factor = 40, .original_length = 4096};
  const auto rotary =
      testing::value_of(posenc::make_float32_rotary({.dim = 64, .layout = posenc::Layout::half, .scaling = yarn}));
  std::vector<float> cosines(31 * 32), sines(31 * 32);
  testing::value_of(rotary.cache(posenc::Positions::range(31, 8192), cosines, sines));
  testing::check_hash("cache float32 yarn", "a7d607552f2f307b", {cosines, sines});
}
