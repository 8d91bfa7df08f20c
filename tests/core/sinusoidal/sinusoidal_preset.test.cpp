#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "posenc/sinusoidal/sinusoidal.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Exponent;
using posenc::Order;
using posenc::Positions;
using posenc::resolve;
using posenc::SinusoidalChoice;
using posenc::SinusoidalOptions;
using posenc::SinusoidalPreset;
using reference::LargestErrors;
using reference::Quad;
using testing::require_error;
using testing::same_bits;
using testing::table_of;
using testing::value_of;

namespace {

/// Dimension `dimension` of `dim` at a position.
using Formula = std::function<Quad(double position, std::int64_t dimension, std::int64_t dim)>;

Quad sine(Quad angle) { return reference::phase(angle).sine; }
Quad cosine(Quad angle) { return reference::phase(angle).cosine; }

/// max_period^(-i / denominator)
Quad decay(std::int64_t i, Quad denominator, double max_period = 10000) {
  return i == 0 ? 1 : reference::power(max_period, -static_cast<Quad>(i) / denominator);
}

void check_against(const char* what, const SinusoidalChoice& choice, double amplitude, const Formula& formula) {
  const std::vector<double> positions{0, 1, 2, 17.25, 999, -3, 131071, 2147483647.0};
  const auto table = table_of(value_of(resolve(choice)), Positions::list(positions));
  LargestErrors errors;
  for (std::size_t row = 0; row < positions.size(); ++row)
    for (std::int64_t dimension = 0; dimension < choice.dim; ++dimension)
      errors.note(table[row * static_cast<std::size_t>(choice.dim) + static_cast<std::size_t>(dimension)],
                  formula(positions[row], dimension, choice.dim));
  INFO(what << ", dim " << choice.dim << ": " << errors.ulp << " ulp, " << errors.absolute);
  CHECK(errors.ulp <= 0.501);
  CHECK(errors.absolute <= 3.0e-8 * std::exp2(std::ceil(std::log2(amplitude))));
}

/// [sin | cos] or [cos | sin] of half dimensions each, an odd dimension of 0.
Formula halves(bool cosines_first, double shift, double max_period = 10000, double scale = 1) {
  return [=](double position, std::int64_t dimension, std::int64_t dim) -> Quad {
    const std::int64_t half = dim / 2;
    if (dimension == 2 * half) return 0;
    const Quad angle = scale * decay(dimension % half, static_cast<Quad>(half) - shift, max_period) * position;
    return (dimension < half) == cosines_first ? cosine(angle) : sine(angle);
  };
}

}  // namespace

TEST_CASE("sinusoid preset: paper is what a Sinusoidal is by default", "[sinusoid_preset]") {
  const auto plain = table_of({.frequencies = {.dim = 37}}, Positions::range(9));
  CHECK(same_bits(table_of(value_of(resolve(SinusoidalChoice{.dim = 37})), Positions::range(9)), plain));
}

TEST_CASE("sinusoid preset: tensor2tensor and Whisper", "[sinusoid_preset]") {
  for (const std::int64_t dim : {4, 5, 6, 63, 384})
    check_against("tensor2tensor", {.dim = dim, .preset = SinusoidalPreset::tensor2tensor}, 1, halves(false, 1));
  for (const std::int64_t dim : {2, 3})  // one frequency: 1
    check_against("tensor2tensor", {.dim = dim, .preset = SinusoidalPreset::tensor2tensor}, 1, halves(false, 0));
  for (const std::int64_t dim : {4, 384}) {
    check_against("whisper", {.dim = dim, .preset = SinusoidalPreset::whisper}, 1, halves(false, 1));
    CHECK(same_bits(
        table_of(value_of(resolve({.dim = dim, .preset = SinusoidalPreset::whisper})), Positions::range(50)),
        table_of(value_of(resolve({.dim = dim, .preset = SinusoidalPreset::tensor2tensor})), Positions::range(50))));
  }
  require_error(resolve({.dim = 5, .preset = SinusoidalPreset::whisper}), "dim", "5");
  require_error(posenc::Sinusoidal::make(value_of(resolve({.dim = 2, .preset = SinusoidalPreset::whisper}))), "shift",
                "1");
}

TEST_CASE("sinusoid preset: diffusers with every flag", "[sinusoid_preset]") {
  for (const std::int64_t dim : {4, 7, 32, 321})
    for (const bool flip_sin_to_cos : {false, true})
      for (const double downscale_freq_shift : {0.0, 1.0, 0.5})
        for (const double scale : {1.0, 1000.0})
          for (const double max_period : {10000.0, 2000.0}) {
            const SinusoidalChoice choice{.dim = dim,
                                          .preset = SinusoidalPreset::diffusers,
                                          .base = max_period,
                                          .shift = downscale_freq_shift,
                                          .scale = scale,
                                          .order = flip_sin_to_cos ? Order::cosines_first : Order::split};
            check_against("diffusers", choice, 1, halves(flip_sin_to_cos, downscale_freq_shift, max_period, scale));
          }
  check_against("diffusers", {.dim = 10, .preset = SinusoidalPreset::diffusers}, 1, halves(false, 1));
  for (const std::int64_t dim : {2, 3})
    require_error(posenc::Sinusoidal::make(value_of(resolve({.dim = dim, .preset = SinusoidalPreset::diffusers}))),
                  "shift", "1");
}

TEST_CASE("sinusoid preset: ggml", "[sinusoid_preset]") {
  for (const std::int64_t dim : {2, 3, 8, 321})
    check_against("ggml", {.dim = dim, .preset = SinusoidalPreset::ggml}, 1, halves(true, 0));
}

TEST_CASE("sinusoid preset: mlx, from the highest frequency to the lowest, rows of length 1", "[sinusoid_preset]") {
  for (const std::int64_t dim : {4, 6, 64, 322}) {
    const Quad amplitude = reference::square_root(static_cast<Quad>(2) / static_cast<Quad>(dim));
    const double min_freq = 0.0001;
    check_against("mlx", {.dim = dim, .preset = SinusoidalPreset::mlx}, std::sqrt(2.0 / static_cast<double>(dim)),
                  [&](double position, std::int64_t dimension, std::int64_t) {
                    const std::int64_t half = dim / 2;
                    const Quad zero_to_one = static_cast<Quad>(dimension % half) / static_cast<Quad>(half - 1);
                    // min_freq is 0.0001 and not the double next to it
                    const Quad angle = reference::power(10000, -zero_to_one) * position;
                    return amplitude * (dimension < half ? sine(angle) : cosine(angle));
                  });
    const auto frequencies =
        reference::frequencies(value_of(resolve({.dim = dim, .preset = SinusoidalPreset::mlx})).frequencies);
    CHECK(frequencies.front() == 1);
    CHECK(std::abs(static_cast<double>(frequencies.back()) - min_freq) < 1e-19);
    const auto row =
        table_of(value_of(resolve({.dim = dim, .preset = SinusoidalPreset::mlx})), Positions::range(1, 77));
    double square = 0;
    for (const float value : row) square += static_cast<double>(value) * value;
    CHECK(std::abs(square - 1) < 1e-6);
  }
  require_error(resolve({.dim = 9, .preset = SinusoidalPreset::mlx}), "dim", "9");
}

TEST_CASE("sinusoid preset: what is given wins", "[sinusoid_preset]") {
  const auto options = value_of(resolve({.dim = 8,
                                         .preset = SinusoidalPreset::mlx,
                                         .base = 7,
                                         .exponent = Exponent::paper,
                                         .scale = 3,
                                         .order = Order::interleaved,
                                         .amplitude = 2}));
  CHECK(options.frequencies.dim == 8);
  CHECK(options.frequencies.base == 7);
  CHECK(options.frequencies.exponent == Exponent::paper);
  CHECK(options.frequencies.shift == 0);
  CHECK(options.frequencies.scale == 3);
  CHECK(options.order == Order::interleaved);
  CHECK(options.amplitude == 2);
}

TEST_CASE("sinusoid preset: by name", "[sinusoid_preset]") {
  CHECK(value_of(posenc::from_name<posenc::SinusoidalPreset>("whisper")) == SinusoidalPreset::whisper);
  CHECK(value_of(posenc::from_name<posenc::SinusoidalPreset>("ggml")) == SinusoidalPreset::ggml);
  CHECK(value_of(posenc::from_name<posenc::Order>("cosines-first")) == Order::cosines_first);
  for (const char* name : {"Whisper", "", "detr"})
    require_error(posenc::from_name<posenc::SinusoidalPreset>(name), "preset", name);
}

// fairseq/modules/sinusoidal_positional_embedding.py: emb[padding_idx, :] = 0.
TEST_CASE("sinusoid: the row of padding is 0, wherever it stands", "[sinusoid_preset]") {
  const std::vector<double> ids{1, 1, 2, 3, 1.5, 1};
  const auto positions = posenc::Positions::list(ids);
  const auto made = value_of(resolve({.dim = 7, .preset = SinusoidalPreset::tensor2tensor}));
  const auto plain = testing::table_of(made, positions);
  auto table = plain;
  posenc::clear_padding(positions, 1, std::as_writable_bytes(std::span(table)));
  for (std::size_t i = 0; i < table.size(); ++i) CHECK(testing::same_bits(table[i], ids[i / 7] == 1 ? 0.0f : plain[i]));
  posenc::clear_padding(posenc::Positions::range(0), 1, {});
}

TEST_CASE("sinusoid: a wrong amplitude is an Error", "[sinusoid]") {
  for (const double amplitude : {std::nan(""), 0x1p128, -static_cast<double>(INFINITY)})
    require_error(posenc::Sinusoidal::make({.frequencies = {.dim = 8}, .amplitude = amplitude}), "amplitude", "");
}

TEST_CASE("sinusoid presets: mlx has the bits that are stored", "[hashes]") {
  // 100 rows of dim 66, from position 7.
  const auto mlx = testing::value_of(posenc::resolve({.dim = 66, .preset = posenc::SinusoidalPreset::mlx}));
  testing::check_hash("table mlx", "383b22fe13288fab", {testing::table_of(mlx, posenc::Positions::range(100, 7))});
}
