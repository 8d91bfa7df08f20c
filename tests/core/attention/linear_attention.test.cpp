#include "posenc/attention/linear_attention.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

#include "frequencies/scaling_reference.hpp"
#include "rotary/rotary_reference.hpp"
#include "testing/testing.hpp"

using posenc::Layout;
using posenc::LinearAttentionOptions;
using posenc::Positions;
using posenc::Rotary;
using posenc::RotaryOptions;
using reference::Quad;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

using Floats = std::vector<float>;

struct LinearInputs {
  Floats query, key, value;
  std::vector<double> query_positions, key_positions;
};

LinearInputs inputs_of(const posenc::AttentionShape& shape, testing::Generator& generator) {
  const auto wide = [&](std::size_t count) {
    auto values = fractions(count, generator.next());
    for (float& value : values) value *= 6;
    return values;
  };
  LinearInputs inputs{wide(shape.heads * shape.queries * shape.dim), wide(shape.heads * shape.keys * shape.dim),
                      wide(shape.heads * shape.keys * shape.value_dim), std::vector<double>(shape.queries),
                      std::vector<double>(shape.keys)};
  for (double& position : inputs.query_positions) position = static_cast<double>(generator.below(100000)) / 4;
  for (double& position : inputs.key_positions) position = static_cast<double>(generator.below(100000)) / 4;
  return inputs;
}

Floats attended(const LinearAttentionOptions& options, const Rotary& rotary, const LinearInputs& inputs) {
  Floats output(options.shape.heads * options.shape.queries * options.shape.value_dim, testing::untouched);
  value_of(posenc::linear_attention(options, rotary, Positions::list(inputs.query_positions),
                                    Positions::list(inputs.key_positions), inputs.query, inputs.key, inputs.value,
                                    output));
  return output;
}

std::vector<Quad> features(std::span<const float> x) {
  std::vector<Quad> result;
  for (const float value : x) result.push_back(value > 0 ? value + Quad(1) : reference::exponential(value));
  return result;
}

/// Dimensions beyond the pairs stay, whatever the attention factor.
std::vector<Quad> rotated(std::vector<Quad> dims, Layout layout, const reference::Scaled& scaled, double position) {
  const auto& [frequencies, factor] = scaled;
  const std::size_t pairs = frequencies.size();
  for (std::size_t i = 0; i < pairs; ++i) {
    Quad& a = dims[layout == Layout::half ? i : 2 * i];
    Quad& b = dims[layout == Layout::half ? i + pairs : 2 * i + 1];
    const reference::Phase rotation = reference::phase(frequencies[i] * position);
    const Quad first = factor * (a * rotation.cosine - b * rotation.sine);
    b = factor * (a * rotation.sine + b * rotation.cosine);
    a = first;
  }
  return dims;
}

Quad dot(const std::vector<Quad>& a, const std::vector<Quad>& b) {
  Quad sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The worst error as a share of what is promised, against the sum over keys as in the paper.
double worst_share(const LinearAttentionOptions& options, const RotaryOptions& rotary, const LinearInputs& inputs,
                   std::span<const float> output) {
  const auto& [queries, keys, dim, value_dim, heads] = options.shape;
  const auto scaled = reference::scaled(posenc::plan_of(rotary));
  double worst = 0;
  for (std::size_t at = 0; at < heads * queries; ++at) {
    const std::size_t i = at % queries;
    const auto query = features(std::span(inputs.query).subspan(at * dim, dim));
    const auto rotated_query = rotated(query, rotary.layout, scaled, inputs.query_positions[i]);
    std::vector<Quad> sums(value_dim), magnitudes(value_dim);
    Quad denominator = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      if (options.causal && static_cast<std::int64_t>(j) > static_cast<std::int64_t>(i) + options.query_offset) break;
      const std::size_t row = at / queries * keys + j;
      const auto key = features(std::span(inputs.key).subspan(row * dim, dim));
      const Quad weight = dot(rotated_query, rotated(key, rotary.layout, scaled, inputs.key_positions[j]));
      const Quad plain = dot(query, key);
      denominator += plain;
      for (std::size_t v = 0; v < value_dim; ++v) {
        const Quad value = inputs.value[row * value_dim + v];
        sums[v] += weight * value;
        magnitudes[v] += plain * reference::magnitude(value);
      }
    }
    for (std::size_t v = 0; v < value_dim; ++v) {
      const float got = output[at * value_dim + v];
      if (denominator == 0) {
        REQUIRE(same_bits(got, 0.0f));
        continue;
      }
      const Quad exact = sums[v] / denominator;
      const Quad promised = reference::unit * reference::magnitude(exact) +
                            Quad(3e-14) * static_cast<double>(dim) * magnitudes[v] / denominator;
      worst = std::max(worst, static_cast<double>(reference::magnitude(got - exact) / promised));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("linear attention: the formula, causal and not", "[attention][accuracy]") {
  testing::Generator generator(81);
  double worst = 0;
  for (int round = 0; round < 60; ++round) {
    const LinearAttentionOptions options{
        .shape = {1 + generator.below(6), generator.below(9), 10, generator.below(4), 1 + generator.below(2)},
        .causal = generator.below(2) == 0,
        .query_offset = static_cast<std::int64_t>(generator.below(8)) - 3};
    const Layout layout = generator.below(2) == 0 ? Layout::half : Layout::interleaved;
    const posenc::Scaling rules[] = {posenc::scaling::Default{},
                                     posenc::scaling::Yarn{.factor = 4, .original_length = 512}};
    const RotaryOptions rotary{.dim = 10, .layout = layout, .rotary_dim = 8, .scaling = rules[generator.below(2)]};
    const LinearInputs inputs = inputs_of(options.shape, generator);
    worst = std::max(worst,
                     worst_share(options, rotary, inputs, attended(options, value_of(Rotary::make(rotary)), inputs)));
  }
  std::printf("largest error: linear attention: %.4f of the bound\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("linear attention: a causal query is the last one of its keys", "[attention]") {
  testing::Generator generator(82);
  const auto rotary = value_of(Rotary::make({.dim = 6, .layout = Layout::half}));
  const posenc::AttentionShape shape{5, 5, 6, 3, 1};
  const LinearInputs inputs = inputs_of(shape, generator);
  const auto causal = attended({.shape = shape, .causal = true}, rotary, inputs);
  for (std::size_t i = 0; i < 5; ++i) {
    LinearInputs one = inputs;
    one.query.assign(inputs.query.begin() + static_cast<std::ptrdiff_t>(6 * i),
                     inputs.query.begin() + static_cast<std::ptrdiff_t>(6 * i + 6));
    one.query_positions = {inputs.query_positions[i]};
    one.key.resize(6 * (i + 1));
    one.value.resize(3 * (i + 1));
    one.key_positions.resize(i + 1);
    CHECK(same_bits(attended({.shape = {1, i + 1, 6, 3, 1}}, rotary, one), std::span(causal).subspan(3 * i, 3)));
  }
}

TEST_CASE("linear attention: however many come at once, a query has the bits of itself alone", "[attention]") {
  testing::Generator generator(84);
  const auto rotary = value_of(Rotary::make({.dim = 6, .layout = Layout::interleaved}));
  for (const std::int64_t offset : {-70, 0, 5, 90, 200})
    for (const std::size_t width : {std::size_t{1}, std::size_t{7}, std::size_t{33}}) {
      const posenc::AttentionShape shape{201, 137, 6, width, 1};
      const LinearInputs inputs = inputs_of(shape, generator);
      const auto whole = attended({.shape = shape, .causal = true, .query_offset = offset}, rotary, inputs);
      for (std::size_t i = 0; i < shape.queries; i += 13) {
        LinearInputs one = inputs;
        one.query.assign(inputs.query.begin() + static_cast<std::ptrdiff_t>(6 * i),
                         inputs.query.begin() + static_cast<std::ptrdiff_t>(6 * i + 6));
        one.query_positions = {inputs.query_positions[i]};
        const auto alone = attended({.shape = {1, shape.keys, 6, width, 1},
                                     .causal = true,
                                     .query_offset = offset + static_cast<std::int64_t>(i)},
                                    rotary, one);
        INFO("offset " << offset << ", width " << width << ", query " << i);
        REQUIRE(same_bits(alone, std::span(whole).subspan(width * i, width)));
      }
    }
}

TEST_CASE("linear attention: depends on the layout only through the pairs", "[attention]") {
  testing::Generator generator(83);
  const posenc::AttentionShape shape{3, 4, 8, 2, 1};
  const LinearInputs inputs = inputs_of(shape, generator);
  const auto with = [&](Layout layout) {
    return attended({.shape = shape}, value_of(Rotary::make({.dim = 8, .layout = layout})), inputs);
  };
  CHECK(same_bits(with(Layout::interleaved), with(Layout::deinterleaved)));
  CHECK_FALSE(same_bits(with(Layout::interleaved), with(Layout::half)));
}

TEST_CASE("linear attention: what does not fit is an Error and nothing is written", "[attention]") {
  const auto rotary = value_of(Rotary::make({.dim = 4, .layout = Layout::half}));
  Floats out(4, testing::untouched);
  const Floats q(8), k(12), v(6);
  const auto refused = [&](const LinearAttentionOptions& options, std::size_t queries, std::size_t keys,
                           std::size_t key_size, std::string_view argument, double offset = 0) {
    require_error(posenc::linear_attention(options, rotary, Positions::range(queries, offset),
                                           Positions::range(keys, offset), q, std::span(k).first(key_size), v, out),
                  argument, "");
  };
  const posenc::AttentionShape shape{2, 3, 4, 2, 1};
  refused({.shape = {2, 3, 5, 2, 1}}, 2, 3, 12, "dim");
  refused({.shape = {3, 3, 4, 2, 1}}, 3, 3, 12, "query");
  refused({.shape = shape}, 2, 3, 11, "key");
  refused({.shape = {2, 3, 4, 3, 1}}, 2, 3, 12, "value");
  refused({.shape = {2, 3, 4, 2, std::size_t{1} << 30}}, 2, 3, 12, "query");
  refused({.shape = shape}, 1, 3, 12, "queryPositions");
  refused({.shape = shape}, 2, 4, 12, "keyPositions");
  refused({.shape = shape}, 2, 3, 12, "queryPositions", std::nan(""));
  refused({.shape = shape, .query_offset = std::int64_t{1} << 60}, 2, 3, 12, "queryOffset");
  require_error(posenc::linear_attention({.shape = shape}, rotary, Positions::range(2), Positions::range(3), q, k, v,
                                         std::span(out).first(3)),
                "output", "3");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("linear attention: outputs have the bits that are stored", "[hashes]") {
  // 12 queries fractions(192, 14) from position 28, 40 keys fractions(640, 15) from 0, values fractions(320, 16);
  // dim 16, values of dim 8, layout half, causal with query offset 28.
  std::vector<float> output(12 * 8);
  testing::value_of(posenc::linear_attention(
      {.shape = {12, 40, 16, 8, 1}, .causal = true, .query_offset = 28},
      testing::value_of(posenc::Rotary::make({.dim = 16, .layout = posenc::Layout::half})),
      posenc::Positions::range(12, 28), posenc::Positions::range(40), testing::fractions(192, 14),
      testing::fractions(640, 15), testing::fractions(320, 16), output));
  testing::check_hash("linear attention", "79cb6bece870f029", {output});
}
