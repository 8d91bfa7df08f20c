/// Attention with relative positions: a bias, Shaw's tables, Transformer-XL's terms.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <vector>

#include "posenc/attention/attention.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "relative/relative_testing.hpp"
#include "testing/reference.hpp"
#include "testing/testing.hpp"

using posenc::Future;
using posenc::RelativePositions;
using posenc::SumPrecision;
using reference::Quad;
using testing::float_infinity;
using testing::fractions;
using testing::require_error;
using testing::value_of;

namespace {

constexpr std::size_t head_dim = 5;
constexpr std::size_t head_value_dim = 3;
/// Random tensors for one shape.
struct Case {
  explicit Case(const posenc::BiasShape& shape) : positions(value_of(RelativePositions::make(shape))) {}

  RelativePositions positions;
  std::size_t heads = positions.heads(), queries = positions.queries(), keys = positions.keys();
  std::vector<float> query = fractions(heads * queries * head_dim, 351), key = fractions(heads * keys * head_dim, 352),
                     value = fractions(heads * keys * head_value_dim, 353);
  std::vector<float> weights = std::vector<float>(heads * queries * keys, testing::untouched),
                     output = std::vector<float>(heads * queries * head_value_dim, testing::untouched);

  [[nodiscard]] Quad query_at(std::size_t h, std::size_t i, std::size_t d) const {
    return query[(h * queries + i) * head_dim + d];
  }
  [[nodiscard]] Quad key_at(std::size_t h, std::size_t j, std::size_t d) const {
    return key[(h * keys + j) * head_dim + d];
  }
  [[nodiscard]] bool later(std::size_t i, std::size_t j) const {
    return positions.distance(positions.compact_row(i) + j) > 0;
  }

  using OfPair = std::function<Quad(std::size_t, std::size_t, std::size_t)>;
  using OfValue = std::function<Quad(std::size_t, std::size_t, std::size_t, std::size_t)>;

  /// The largest error of weights and outputs as a share of what is promised: of a weight, and of the weighted sizes of
  /// what makes an output. score(h, i, j), before the softmax, and the size of what it is a sum of; value_of_pair(h, i,
  /// j, v), and its size; masked(h, i, j).
  [[nodiscard]] double worst(SumPrecision precision, const OfPair& score, const OfPair& score_size,
                             const OfValue& value_of_pair, const OfValue& value_size,
                             const std::function<bool(std::size_t, std::size_t, std::size_t)>& masked,
                             std::size_t table_rows = 0) const {
    double largest_error = 0;
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t i = 0; i < queries; ++i) {
        std::vector<Quad> exact(keys);
        Quad sum = 0, most = 0;
        for (std::size_t j = 0; j < keys; ++j) {
          sum += exact[j] = masked(h, i, j) ? 0 : reference::exponential(score(h, i, j));
          if (!masked(h, i, j)) most = std::max(most, score_size(h, i, j));
        }
        for (Quad& weight : exact) weight = sum == 0 ? 0 : weight / sum;
        constexpr double u = 0x1p-24;
        const bool is_exact = precision == SumPrecision::exact;
        const auto count = static_cast<double>(keys);
        const double of_weight =
            is_exact ? 1.2e-7 : (2 * (head_dim + 4) * static_cast<double>(most) + count / 16 + 16) * u;
        const double of_output = is_exact ? 1.2e-7 : of_weight + (count + static_cast<double>(table_rows)) * u;
        const std::size_t at = h * queries + i;
        for (std::size_t j = 0; j < keys; ++j)
          note(largest_error, weights[at * keys + j], exact[j], exact[j], of_weight);
        for (std::size_t v = 0; v < head_value_dim; ++v) {
          Quad total = 0, sizes = 0;
          for (std::size_t j = 0; j < keys; ++j) {
            total += exact[j] * value_of_pair(h, i, j, v);
            sizes += exact[j] * value_size(h, i, j, v);
          }
          note(largest_error, output[at * head_value_dim + v], total, sizes, of_output);
        }
      }
    return largest_error;
  }

  static void note(double& largest_error, float value, Quad exact, Quad size, double promised) {
    const double error = static_cast<double>(reference::magnitude(value - exact));
    largest_error = std::fmax(largest_error, error / (promised * static_cast<double>(size) + 0x1p-149));
  }

  /// Values without what tables add.
  [[nodiscard]] Quad value_at(std::size_t h, std::size_t j, std::size_t v) const {
    return value[(h * keys + j) * head_value_dim + v];
  }
};

}  // namespace

TEST_CASE("attention: a bias before or after the scale, heads apart, masked rows of zeros", "[attention][accuracy]") {
  testing::Generator generator(350);
  double worst = 0;
  for (int round = 0; round < 100; ++round) {
    Case c(testing::random_shape(generator));
    auto bias = fractions(c.weights.size(), generator.next());
    for (float& value : bias)
      if (generator.below(4) == 0) value = -float_infinity;
    // One query whose keys are all masked.
    for (std::size_t j = 0; j < std::min(c.keys, bias.size()); ++j) bias[j] = -float_infinity;
    const bool scaled = generator.below(2) == 0;
    value_of(posenc::attention({c.queries, c.keys, head_dim, head_value_dim, c.heads}, 0.75, c.query, c.key, c.value,
                               c.weights, c.output, {bias, scaled}, posenc::SumPrecision::exact));
    const auto bias_at = [&](std::size_t h, std::size_t i, std::size_t j) {
      return bias[(h * c.queries + i) * c.keys + j];
    };
    const auto value = [&](std::size_t h, std::size_t, std::size_t j, std::size_t v) { return c.value_at(h, j, v); };
    worst = std::fmax(
        worst, c.worst(
                   SumPrecision::exact,
                   [&](std::size_t h, std::size_t i, std::size_t j) {
                     Quad sum = 0;
                     for (std::size_t d = 0; d < head_dim; ++d) sum += c.query_at(h, i, d) * c.key_at(h, j, d);
                     return sum * static_cast<Quad>(0.75) + bias_at(h, i, j) * static_cast<Quad>(scaled ? 0.75 : 1);
                   },
                   [](std::size_t, std::size_t, std::size_t) { return static_cast<Quad>(0); }, value,
                   [&](std::size_t h, std::size_t, std::size_t j, std::size_t v) {
                     return reference::magnitude(c.value_at(h, j, v));
                   },
                   [&](std::size_t h, std::size_t i, std::size_t j) { return std::isinf(bias_at(h, i, j)); }));
  }
  std::printf("largest error: attention with a bias: %.4f of 1.2e-7\n", worst);
  CHECK(worst <= 1);
}

TEST_CASE("attention: a bias of NaN, of +float_infinity, of another size is an Error", "[attention]") {
  Case c({1, 2, 2, 0});
  for (const auto& bias : {std::vector<float>{0, std::nanf(""), 0, 0}, std::vector<float>{0, 0, 0, float_infinity},
                           std::vector<float>(3)}) {
    require_error(
        posenc::attention({2, 2, head_dim, head_value_dim}, 1, c.query, c.key, c.value, c.weights, c.output, {bias}),
        "bias", "");
    CHECK(testing::is_untouched(c.weights));
    CHECK(testing::is_untouched(c.output));
  }
}

TEST_CASE("shaw: tables of keys and values, clipped, causal or not", "[shaw][accuracy]") {
  testing::Generator generator(360);
  double worst[2] = {};
  for (int round = 0; round < 200; ++round) {
    auto shape = testing::random_shape(generator);
    // Some of several blocks of queries, of keys and of rows of the tables.
    const bool is_large = round % 20 == 0;
    if (is_large) shape = {2, 70 + static_cast<std::int64_t>(generator.below(40)), 150, shape.query_offset};
    Case c(shape);
    const auto reach = static_cast<std::int64_t>(generator.below(is_large ? 120 : 6));
    const auto rows = static_cast<std::size_t>(2 * reach + 1);
    const auto key_table = fractions(generator.below(4) == 0 ? 0 : rows * head_dim, 361);
    const auto value_table = fractions(generator.below(4) == 0 ? 0 : rows * head_value_dim, 362);
    const Future future = generator.below(2) == 0 ? Future::keep : Future::mask;
    const auto precision = generator.below(2) == 0 ? SumPrecision::exact : SumPrecision::float32;
    const posenc::ShawInputs inputs{head_dim, head_value_dim, 1.5,       reach,       future,   c.query,
                                    c.key,    c.value,        key_table, value_table, precision};
    value_of(posenc::shaw_attention(c.positions, inputs, c.weights, c.output));
    std::vector<float> alone(c.output.size());
    value_of(posenc::shaw_attention(c.positions, inputs, {}, alone));
    CHECK(testing::same_bits(alone, c.output));
    const auto id = [&](std::size_t i, std::size_t j) {
      const std::int64_t d = c.positions.distance(c.positions.compact_row(i) + j);
      return static_cast<std::size_t>((d < -reach ? -reach : d > reach ? reach : d) + reach);
    };
    const auto key_row = [&](std::size_t i, std::size_t j, std::size_t d) {
      return static_cast<Quad>(key_table.empty() ? 0.0f : key_table[id(i, j) * head_dim + d]);
    };
    const auto value_row = [&](std::size_t i, std::size_t j, std::size_t v) {
      return static_cast<Quad>(value_table.empty() ? 0.0f : value_table[id(i, j) * head_value_dim + v]);
    };
    double& largest = worst[precision == SumPrecision::exact ? 0 : 1];
    largest = std::fmax(
        largest, c.worst(
                     precision,
                     [&](std::size_t h, std::size_t i, std::size_t j) {
                       Quad sum = 0;
                       for (std::size_t d = 0; d < head_dim; ++d)
                         sum += c.query_at(h, i, d) * (c.key_at(h, j, d) + key_row(i, j, d));
                       return sum * static_cast<Quad>(1.5);
                     },
                     [&](std::size_t h, std::size_t i, std::size_t j) {
                       Quad sum = 0;
                       for (std::size_t d = 0; d < head_dim; ++d)
                         sum += reference::magnitude(c.query_at(h, i, d)) *
                                (reference::magnitude(c.key_at(h, j, d)) + reference::magnitude(key_row(i, j, d)));
                       return sum * static_cast<Quad>(1.5);
                     },
                     [&](std::size_t h, std::size_t i, std::size_t j, std::size_t v) {
                       return c.value_at(h, j, v) + value_row(i, j, v);
                     },
                     [&](std::size_t h, std::size_t i, std::size_t j, std::size_t v) {
                       return reference::magnitude(c.value_at(h, j, v)) + reference::magnitude(value_row(i, j, v));
                     },
                     [&](std::size_t, std::size_t i, std::size_t j) { return future == Future::mask && c.later(i, j); },
                     static_cast<std::size_t>(2 * (reach + 1))));
  }
  std::printf("largest error: shaw: %.4f of 1.2e-7; in float32 %.4f of what is promised\n", worst[0], worst[1]);
  CHECK(worst[0] <= 1);
  CHECK(worst[1] <= 1);
}

TEST_CASE("shaw: a slice of the queries has the bits of the whole", "[shaw]") {
  const std::size_t queries = 75, keys = 140;
  Case c({1, queries, keys, 60});
  const auto key_table = fractions(81 * head_dim, 364), value_table = fractions(81 * head_value_dim, 365);
  posenc::ShawInputs inputs{head_dim, head_value_dim, 1,       40,        Future::mask,
                            c.query,  c.key,          c.value, key_table, value_table};
  value_of(posenc::shaw_attention(c.positions, inputs, {}, c.output));
  for (const std::size_t first : {0U, 1U, 33U, 74U}) {
    const std::size_t count = std::min<std::size_t>(queries - first, 9);
    const auto positions = value_of(
        RelativePositions::make({1, static_cast<std::int64_t>(count), keys, static_cast<std::int64_t>(60 + first)}));
    inputs.query = std::span(c.query).subspan(first * head_dim, count * head_dim);
    std::vector<float> part(count * head_value_dim);
    value_of(posenc::shaw_attention(positions, inputs, {}, part));
    CHECK(testing::same_bits(part, std::span(c.output).subspan(first * head_value_dim, part.size())));
  }
}

TEST_CASE("shaw: rows of tables that nobody sees leave no trace, whatever they hold", "[shaw]") {
  Case c({1, 3, 4, 0});
  auto key_table = fractions(9 * head_dim, 366), value_table = fractions(9 * head_value_dim, 367);
  const posenc::ShawInputs inputs{head_dim, head_value_dim, 1,       4,         Future::mask,
                                  c.query,  c.key,          c.value, key_table, value_table};
  value_of(posenc::shaw_attention(c.positions, inputs, {}, c.output));
  for (std::size_t i = 5 * head_dim; i < key_table.size(); ++i) key_table[i] = std::nanf("");
  for (std::size_t i = 5 * head_value_dim; i < value_table.size(); ++i) value_table[i] = float_infinity;
  std::vector<float> output(c.output.size());
  value_of(posenc::shaw_attention(c.positions, inputs, {}, output));
  CHECK(testing::same_bits(output, c.output));
}

TEST_CASE("shaw: sizes that do not fit are Errors and nothing is written", "[shaw]") {
  Case c({1, 2, 3, 0});
  const auto table = fractions(3 * head_dim, 363);
  const posenc::ShawInputs good{head_dim, head_value_dim, 1, 1, Future::keep, c.query, c.key, c.value, table, {}};
  const auto refused = [&](auto change, std::string_view argument) {
    auto inputs = good;
    change(inputs);
    require_error(posenc::shaw_attention(c.positions, inputs, c.weights, c.output), argument, "");
    CHECK(testing::is_untouched(c.weights));
  };
  refused([](auto& in) { in.scale = std::nan(""); }, "scale");
  refused([](auto& in) { in.max_distance = -1; }, "maxDistance");
  refused([](auto& in) { in.max_distance = 2; }, "keyTable");
  refused([&](auto& in) { in.value_table = table; }, "valueTable");
  refused([](auto& in) { in.query = in.query.subspan(1); }, "query");
  refused([](auto& in) { in.key = in.key.subspan(1); }, "key");
  refused([](auto& in) { in.value = in.value.subspan(1); }, "value");
  require_error(posenc::shaw_attention(c.positions, good, std::span(c.weights).first(5), c.output), "weights", "5");
  require_error(posenc::shaw_attention(c.positions, good, c.weights, std::span(c.output).first(5)), "output", "5");
}

TEST_CASE("transformer-xl: content and position terms with a memory", "[transformer_xl][accuracy]") {
  testing::Generator generator(370);
  double worst[2] = {};
  for (int round = 0; round < 200; ++round) {
    auto shape = testing::random_shape(generator);
    if (round % 20 == 0) shape = {2, 70 + static_cast<std::int64_t>(generator.below(40)), 150, shape.query_offset};
    Case c(shape);
    const std::size_t distances = c.positions.distances();
    const auto relative = fractions(c.heads * distances * head_dim, 371);
    const auto u = fractions(c.heads * head_dim, 372);
    const auto v = fractions(c.heads * head_dim, 373);
    const Future future = generator.below(2) == 0 ? Future::keep : Future::mask;
    const auto precision = generator.below(2) == 0 ? SumPrecision::exact : SumPrecision::float32;
    const posenc::TransformerXlInputs inputs{head_dim, head_value_dim, 0.9, future, c.query,  c.key,
                                             c.value,  relative,       u,   v,      precision};
    value_of(posenc::transformer_xl_attention(c.positions, inputs, c.weights, c.output));
    std::vector<float> alone(c.output.size());
    value_of(posenc::transformer_xl_attention(c.positions, inputs, {}, alone));
    CHECK(testing::same_bits(alone, c.output));
    const auto relative_at = [&](std::size_t h, std::size_t i, std::size_t j, std::size_t d) {
      return static_cast<Quad>(relative[(h * distances + c.queries - 1 + j - i) * head_dim + d]);
    };
    double& largest = worst[precision == SumPrecision::exact ? 0 : 1];
    largest = std::fmax(
        largest,
        c.worst(
            precision,
            [&](std::size_t h, std::size_t i, std::size_t j) {
              Quad sum = 0;
              for (std::size_t d = 0; d < head_dim; ++d)
                sum += (c.query_at(h, i, d) + u[h * head_dim + d]) * c.key_at(h, j, d) +
                       (c.query_at(h, i, d) + v[h * head_dim + d]) * relative_at(h, i, j, d);
              return sum * static_cast<Quad>(0.9);
            },
            [&](std::size_t h, std::size_t i, std::size_t j) {
              Quad sum = 0;
              for (std::size_t d = 0; d < head_dim; ++d) {
                const Quad query = reference::magnitude(c.query_at(h, i, d));
                sum += (query + std::fabs(u[h * head_dim + d])) * reference::magnitude(c.key_at(h, j, d)) +
                       (query + std::fabs(v[h * head_dim + d])) * reference::magnitude(relative_at(h, i, j, d));
              }
              return sum * static_cast<Quad>(0.9);
            },
            [&](std::size_t h, std::size_t, std::size_t j, std::size_t at) { return c.value_at(h, j, at); },
            [&](std::size_t h, std::size_t, std::size_t j, std::size_t at) {
              return reference::magnitude(c.value_at(h, j, at));
            },
            [&](std::size_t, std::size_t i, std::size_t j) { return future == Future::mask && c.later(i, j); }));
  }
  std::printf("largest error: transformer-xl: %.4f of 1.2e-7; in float32 %.4f of what is promised\n", worst[0],
              worst[1]);
  CHECK(worst[0] <= 1);
  CHECK(worst[1] <= 1);
}

TEST_CASE("transformer-xl: sizes that do not fit are Errors and nothing is written", "[transformer_xl]") {
  Case c({2, 2, 3, 1});
  const auto relative = fractions(2 * 4 * head_dim, 376);
  const auto u = fractions(2 * head_dim, 377);
  const posenc::TransformerXlInputs good{
      head_dim, head_value_dim, 1, Future::keep, c.query, c.key, c.value, relative, u, u};
  const auto refused = [&](auto change, std::string_view argument) {
    auto inputs = good;
    change(inputs);
    require_error(posenc::transformer_xl_attention(c.positions, inputs, c.weights, c.output), argument, "");
    CHECK(testing::is_untouched(c.weights));
  };
  refused([](auto& in) { in.scale = std::nan(""); }, "scale");
  refused([](auto& in) { in.query = in.query.subspan(1); }, "query");
  refused([](auto& in) { in.key = in.key.subspan(1); }, "key");
  refused([](auto& in) { in.value = in.value.subspan(1); }, "value");
  refused([](auto& in) { in.relative = in.relative.subspan(1); }, "relative");
  refused([](auto& in) { in.content_bias = in.content_bias.subspan(1); }, "contentBias");
  refused([](auto& in) { in.position_bias = {}; }, "positionBias");
}
