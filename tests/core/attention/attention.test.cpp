#include "posenc/attention/attention.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "posenc/attention/linear.hpp"
#include "posenc/rotary/rotary.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::AttentionShape;
using posenc::SumPrecision;
using reference::Quad;
using testing::fractions;
using testing::same_bits;
using testing::untouched;
using testing::value_of;

namespace {

struct PlainInputs {
  AttentionShape shape;
  double scale;
  std::vector<float> query, key, value;
};

struct Outputs {
  std::vector<float> weights, output;
};

PlainInputs random_inputs(const AttentionShape& shape, double scale, std::uint32_t seed) {
  return {shape, scale, fractions(shape.queries * shape.dim, seed), fractions(shape.keys * shape.dim, seed + 1),
          fractions(shape.keys * shape.value_dim, seed + 2)};
}

Outputs attend(const PlainInputs& in) {
  Outputs out{std::vector<float>(in.shape.queries * in.shape.keys, untouched),
              std::vector<float>(in.shape.queries * in.shape.value_dim, untouched)};
  value_of(posenc::attention(in.shape, in.scale, in.query, in.key, in.value, out.weights, out.output, {},
                             SumPrecision::exact));
  return out;
}

/// The softmax of one query's scores.
std::vector<Quad> exact_weights(const PlainInputs& in, std::size_t query) {
  const auto [queries, keys, dim, value_dim, heads] = in.shape;
  std::vector<Quad> weights(keys);
  for (std::size_t key = 0; key < keys; ++key)
    for (std::size_t i = 0; i < dim; ++i)
      weights[key] += static_cast<Quad>(in.scale) * in.query[query * dim + i] * in.key[key * dim + i];
  Quad largest = weights[0];
  for (const Quad score : weights) largest = score > largest ? score : largest;
  Quad sum = 0;
  for (Quad& weight : weights) sum += weight = reference::exponential(weight - largest);
  for (Quad& weight : weights) weight /= sum;
  return weights;
}

/// The largest error of a weight, and of an output, each as a share of what is promised; all must be <= 1.
double worst_ratio(const PlainInputs& in, const Outputs& out) {
  const auto [queries, keys, dim, value_dim, heads] = in.shape;
  double worst = 0;
  for (std::size_t query = 0; query < queries; ++query) {
    const auto exact = exact_weights(in, query);
    for (std::size_t key = 0; key < keys; ++key) {
      const double error = static_cast<double>(reference::magnitude(out.weights[query * keys + key] - exact[key]));
      worst = std::max(worst, error / (1.2e-7 * static_cast<double>(exact[key]) + 0x1p-149));
    }
    for (std::size_t i = 0; i < value_dim; ++i) {
      Quad sum = 0, magnitudes = 0;
      for (std::size_t key = 0; key < keys; ++key) {
        sum += exact[key] * in.value[key * value_dim + i];
        magnitudes += exact[key] * reference::magnitude(in.value[key * value_dim + i]);
      }
      const double error = static_cast<double>(reference::magnitude(out.output[query * value_dim + i] - sum));
      worst = std::max(worst, error / (1.2e-7 * static_cast<double>(magnitudes) + 0x1p-149));
    }
  }
  return worst;
}

double row_sum(std::span<const float> row) {
  double sum = 0;
  for (const float weight : row) sum += weight;
  return sum;
}

/// Half a unit of the sixth digit, and what float32 inputs and results add to it.
void check_six_digits(const std::vector<float>& values, const std::vector<double>& digits) {
  REQUIRE(values.size() == digits.size());
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(std::abs(values[i] - digits[i]) <= 5e-7 + 3e-7);
}

/// Refused with `argument` named, and nothing written.
void check_refused(PlainInputs in, std::size_t weights, std::size_t outputs, std::string_view argument) {
  Outputs out{std::vector<float>(weights, untouched), std::vector<float>(outputs, untouched)};
  testing::require_error(posenc::attention(in.shape, in.scale, in.query, in.key, in.value, out.weights, out.output),
                         argument, "");
  CHECK(testing::is_untouched(out.weights));
  CHECK(testing::is_untouched(out.output));
}

void check_linear_refused(std::size_t x, std::size_t weight, std::size_t in, std::size_t y, std::string_view argument) {
  INFO("x " << x << ", weight " << weight << ", in " << in << ", y " << y);
  std::vector<float> out(y, untouched);
  testing::require_error(posenc::linear(fractions(x, 1), fractions(weight, 2), in, posenc::SumPrecision::exact, out),
                         argument, "");
  CHECK(testing::is_untouched(out));
}

}  // namespace

TEST_CASE("linear: y = x W^T within its promised error", "[attention][accuracy]") {
  for (const std::size_t in : {1u, 2u, 3u, 8u, 17u, 300u})
    for (const std::size_t outs : {1u, 2u, 9u}) {
      constexpr std::size_t rows = 4;
      const auto x = fractions(rows * in, 71);
      const auto weight = fractions(outs * in, 72);
      std::vector<float> y(rows * outs, untouched);
      value_of(posenc::linear(x, weight, in, posenc::SumPrecision::exact, y));
      for (std::size_t at = 0; at < y.size(); ++at) {
        Quad sum = 0, magnitudes = 0;
        for (std::size_t i = 0; i < in; ++i) {
          const Quad product = static_cast<Quad>(x[at / outs * in + i]) * weight[at % outs * in + i];
          sum += product;
          magnitudes += reference::magnitude(product);
        }
        const double ulp = std::ldexp(1.0, std::ilogb(static_cast<double>(sum)) - 23);
        const double tolerance = 0.501 * ulp + 0x1p-52 * static_cast<double>(in) * static_cast<double>(magnitudes);
        REQUIRE(static_cast<double>(reference::magnitude(y[at] - sum)) <= tolerance);
      }
    }
}

TEST_CASE("linear: sizes that do not fit are an Error and nothing is written", "[attention]") {
  check_linear_refused(7, 6, 2, 12, "x");
  check_linear_refused(8, 5, 2, 12, "weight");
  check_linear_refused(8, 6, 2, 11, "y");
  check_linear_refused(8, 6, 2, 13, "y");
  check_linear_refused(8, 6, 0, 12, "in");
}

TEST_CASE("attention: weights and outputs are accurate", "[attention][accuracy]") {
  double worst = 0;
  std::uint32_t seed = 80;
  for (const AttentionShape& shape : {AttentionShape{1, 1, 1, 1}, AttentionShape{3, 5, 2, 2},
                                      AttentionShape{7, 33, 16, 9}, AttentionShape{2, 100, 64, 64}})
    for (const double scale : {1.0, 0.125, -3.0, 20.0, 0.0}) {
      const PlainInputs in = random_inputs(shape, scale, seed += 3);
      worst = std::max(worst, worst_ratio(in, attend(in)));
    }
  std::printf("largest error: attention: %.4f of 1.2e-7\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("attention: weights of scores up to 700 apart are accurate", "[attention][accuracy]") {
  PlainInputs in{{1, 71, 1, 1}, 1.0, {1}, {}, fractions(71, 90)};
  for (int i = 0; i <= 70; ++i) in.key.push_back(static_cast<float>(-10 * i) + 0.3f);
  CHECK(worst_ratio(in, attend(in)) <= 1);
}

TEST_CASE("attention: scores of 10000 and -10000 neither overflow nor vanish", "[attention]") {
  const PlainInputs in{{1, 4, 1, 1}, 100, {1}, {100, -100, 100, 99.99f}, {1, 2, 4, 8}};
  const Outputs out = attend(in);
  CHECK(worst_ratio(in, out) <= 1);
  CHECK(same_bits(out.weights[0], out.weights[2]));
  CHECK(same_bits(out.weights[1], 0));
  const PlainInputs negative{{1, 2, 1, 1}, 100, {1}, {-100, -100}, {1, 3}};
  CHECK(same_bits(attend(negative).weights, std::vector{0.5f, 0.5f}));
  const PlainInputs huge{{1, 2, 1, 1}, 1, {1e38f}, {1e38f, -1e38f}, {1, 3}};
  CHECK(same_bits(attend(huge).weights, std::vector{1.0f, 0.0f}));
  CHECK(same_bits(attend(huge).output, std::vector{1.0f}));
}

TEST_CASE("attention: rows of weights sum to 1", "[attention]") {
  for (const std::size_t keys : {1u, 2u, 10u, 1000u}) {
    const PlainInputs in = random_inputs({5, keys, 8, 1}, 3, 95);
    const Outputs out = attend(in);
    for (std::size_t query = 0; query < 5; ++query)
      CHECK(std::abs(row_sum(std::span(out.weights).subspan(query * keys, keys)) - 1) <= 1.2e-7);
  }
}

TEST_CASE("attention: equal scores give equal weights", "[attention]") {
  for (const std::size_t keys : {1u, 3u, 7u, 16u, 100u}) {
    PlainInputs in = random_inputs({2, keys, 4, 3}, 0.5, 97);
    for (std::size_t i = 4; i < in.key.size(); ++i) in.key[i] = in.key[i % 4];
    for (const float weight : attend(in).weights)
      CHECK(same_bits(weight, static_cast<float>(1.0 / static_cast<double>(keys))));
  }
}

TEST_CASE("attention: no queries are fine", "[attention]") {
  CHECK(attend(random_inputs({0, 3, 4, 2}, 1, 99)).output.empty());
}

TEST_CASE("attention: post C's three tokens", "[attention][documents]") {
  const std::vector<float> tokens{1.0f, 0.2f, 0.3f, 1.0f, -0.9f, 0.5f};
  PlainInputs in{{3, 3, 2, 2}, 1 / std::sqrt(2.0), std::vector<float>(6), std::vector<float>(6), tokens};
  value_of(posenc::linear(tokens, std::array{1.0f, 0.8f, -0.8f, 1.0f}, 2, posenc::SumPrecision::exact, in.query));
  value_of(posenc::linear(tokens, std::array{-1.0f, 0.6f, 0.6f, 1.0f}, 2, posenc::SumPrecision::exact, in.key));
  const auto angles = reference::radians({10, 20, 30});
  const posenc::RotaryOptions options{.dim = 2, .layout = posenc::Layout::interleaved};
  const std::array<std::int64_t, 2> shape{3, 2};
  in.query = testing::rotated(options, in.query, shape, posenc::Positions::list(angles));
  in.key = testing::rotated(options, in.key, shape, posenc::Positions::list(angles));
  const Outputs out = attend(in);
  CHECK(worst_ratio(in, out) <= 1);
  // The whole chain in 40 digits, rounded to 6.
  check_six_digits(out.weights,
                   {0.109277, 0.203211, 0.687513, 0.154747, 0.391422, 0.453831, 0.517204, 0.374390, 0.108406});
  check_six_digits(out.output, {-0.448522, 0.568822, -0.136274, 0.649287, 0.531956, 0.532034});
}

TEST_CASE("attention: sizes that do not fit are an Error and nothing is written", "[attention]") {
  const PlainInputs in = random_inputs({3, 4, 2, 5}, 1, 100);
  PlainInputs wrong = in;
  wrong.query.pop_back();
  check_refused(wrong, 12, 15, "query");
  wrong = in;
  wrong.key.push_back(1);
  check_refused(wrong, 12, 15, "key");
  wrong = in;
  wrong.value.pop_back();
  check_refused(wrong, 12, 15, "value");
  check_refused(in, 11, 15, "weights");
  check_refused(in, 12, 16, "output");
}

TEST_CASE("attention: a scale that is not finite is an Error and nothing is written", "[attention]") {
  for (const double scale : {std::nan(""), std::numeric_limits<double>::infinity()})
    check_refused(random_inputs({3, 4, 2, 5}, scale, 101), 12, 15, "scale");
}

TEST_CASE("attention: sizes that overflow are an Error", "[attention]") {
  constexpr std::size_t root = std::size_t{1} << (sizeof(std::size_t) * 4);  // its square is 0 in size_t
  check_refused({{root, root, 0, 0}, 1, {}, {}, {}}, 1, 0, "weights");
  check_refused({{root, 0, root, 0}, 1, {}, {}, {}}, 0, 0, "query");
}

TEST_CASE("attention: weights, then outputs, have the bits that are stored", "[hashes]") {
  // One head of 12 queries and 40 keys of dim 16, values of dim 8, scale 2.5: fractions of the seeds 7, 8 and 9.
  std::vector<float> weights(12 * 40), output(12 * 8);
  testing::value_of(posenc::attention({12, 40, 16, 8}, 2.5, testing::fractions(12 * 16, 7),
                                      testing::fractions(40 * 16, 8), testing::fractions(40 * 8, 9), weights, output,
                                      {}, SumPrecision::exact));
  testing::check_hash("attention", "5379efadc8f5d5b7", {weights, output});
}
