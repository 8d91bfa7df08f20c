#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <vector>

#include "attention/attention_testing.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/attention/dropout.hpp"
#include "testing/testing.hpp"

using posenc::AttentionOptions;
using posenc::BatchedAttentionShape;
using posenc::MaskMeaning;
using posenc::SumPrecision;
using testing::AttentionCase;
using testing::float_infinity;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

/// A mask of random booleans; true may be any number but 0.
std::vector<std::uint8_t> random_mask(std::size_t size, testing::Generator& generator) {
  std::vector<std::uint8_t> mask(size);
  for (auto& value : mask) value = static_cast<std::uint8_t>(generator.below(3));
  return mask;
}

using Floats = std::vector<float>;

Floats slice(const Floats& values, std::size_t first, std::size_t count) {
  const auto part = std::span(values).subspan(first, count);
  return {part.begin(), part.end()};
}

}  // namespace

TEST_CASE("scaled dot product: every option at once, within the promised error", "[attention][accuracy]") {
  testing::Generator generator(720);
  for (const SumPrecision precision : {SumPrecision::exact, SumPrecision::float32}) {
    double worst_weight = 0, worst_output = 0;
    for (int round = 0; round < 150; ++round) {
      AttentionCase c(testing::random_batched_shape(generator), generator);
      testing::randomize(c, generator);
      c.options.precision = precision;
      c.forward();
      const auto exact = reference::attend(c.problem(), c.arguments());
      const double tolerance = c.weight_tolerance();
      for (std::size_t i = 0; i < c.weights.size(); ++i) {
        const double error = static_cast<double>(reference::magnitude(c.weights[i] - exact.weights[i]));
        worst_weight = std::fmax(worst_weight, error / (tolerance * static_cast<double>(exact.weights[i]) + 0x1p-148));
      }
      worst_output = std::fmax(worst_output, reference::worst_share(c.output, exact.output, c.output_tolerance()));
    }
    std::printf("largest error: scaled dot product, %s: weights %.4f, outputs %.4f of the bound\n",
                precision == SumPrecision::exact ? "exact" : "float32", worst_weight, worst_output);
    CHECK(worst_weight <= 1);
    CHECK(worst_output <= 1);
  }
}

TEST_CASE("scaled dot product: the bits of attention where both can be asked", "[attention]") {
  testing::Generator generator(721);
  for (int round = 0; round < 50; ++round) {
    auto shape = testing::random_batched_shape(generator);
    shape.batch = 1;
    shape.kv_heads = shape.heads;
    AttentionCase c(shape, generator);
    c.bias = fractions(c.weights.size(), generator.next());
    c.options.bias = c.bias;
    c.options.bias_shape = c.pairs();
    c.options.bias_scaled = round % 2 == 0;
    c.forward();
    Floats weights(c.weights.size()), output(c.output.size());
    value_of(posenc::attention({shape.queries, shape.keys, shape.dim, shape.value_dim, shape.heads}, c.options.scale,
                               c.query, c.key, c.value, weights, output, {c.bias, c.options.bias_scaled}));
    REQUIRE(same_bits(weights, c.weights));
    REQUIRE(same_bits(output, c.output));
  }
}

TEST_CASE("scaled dot product: causal rows, and decoding one query at a time", "[attention]") {
  testing::Generator generator(722);
  AttentionCase c({.batch = 1, .heads = 1, .kv_heads = 1, .queries = 9, .keys = 9, .dim = 4, .value_dim = 3},
                  generator);
  c.options.mask.causal = true;
  c.forward();
  for (std::size_t i = 0; i < 9; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 9; ++j) {
      CHECK((c.weights[i * 9 + j] == 0) == (j > i));
      sum += c.weights[i * 9 + j];
    }
    CHECK(std::abs(sum - 1) <= 1.2e-7);
  }
  for (std::size_t past = 0; past < 9; ++past) {
    AttentionCase one(c.shape, generator);
    one.shape.queries = 1;
    one.resize();
    one.query = slice(c.query, past * 4, 4);
    one.key = c.key;
    one.value = c.value;
    one.options.scale = c.options.scale;
    one.options.mask = {.causal = true, .query_offset = static_cast<std::int64_t>(past)};
    one.forward();
    REQUIRE(same_bits(one.weights, std::span(c.weights).subspan(past * 9, 9)));
    REQUIRE(same_bits(one.output, std::span(c.output).subspan(past * 3, 3)));
    // A cache that ends with the query's own key needs no mask.
    one.shape.keys = past + 1;
    one.resize();
    one.key = slice(c.key, 0, (past + 1) * 4);
    one.value = slice(c.value, 0, (past + 1) * 3);
    one.options.mask = {};
    one.forward();
    REQUIRE(same_bits(one.weights, std::span(c.weights).subspan(past * 9, past + 1)));
    REQUIRE(same_bits(one.output, std::span(c.output).subspan(past * 3, 3)));
  }
}

TEST_CASE("scaled dot product: offsets beyond the keys on either side", "[attention]") {
  testing::Generator generator(723);
  AttentionCase c({.queries = 3, .keys = 4, .dim = 2, .value_dim = 2}, generator);
  c.forward();
  const Floats free = c.weights;
  c.options.mask = {.causal = true, .query_offset = std::int64_t{1} << 53};
  c.forward();
  CHECK(same_bits(c.weights, free));
  c.options.mask.query_offset = -(std::int64_t{1} << 53);
  c.forward();
  CHECK(same_bits(c.weights, Floats(12)));
  CHECK(same_bits(c.output, Floats(6)));
}

TEST_CASE("scaled dot product: both meanings of a mask, and the equivalent bias", "[attention]") {
  testing::Generator generator(724);
  for (int round = 0; round < 30; ++round) {
    AttentionCase c(testing::random_batched_shape(generator), generator);
    auto mask = random_mask(c.weights.size(), generator);
    c.options.mask = {.pairs = mask, .pairs_shape = c.pairs()};
    c.forward();
    const Floats weights = c.weights, output = c.output;
    Floats bias;
    for (auto& value : mask) {
      bias.push_back(value != 0 ? 0 : -float_infinity);
      value = value == 0;
    }
    c.options.mask.meaning = MaskMeaning::ignore;
    c.forward();
    REQUIRE(same_bits(c.weights, weights));
    REQUIRE(same_bits(c.output, output));
    c.options.mask = {};
    c.options.bias = bias;
    c.options.bias_shape = c.pairs();
    c.forward();
    REQUIRE(same_bits(c.weights, weights));
    REQUIRE(same_bits(c.output, output));
  }
}

TEST_CASE("scaled dot product: shared axes are the array written out", "[attention]") {
  testing::Generator generator(725);
  const BatchedAttentionShape shape{
      .batch = 2, .heads = 4, .kv_heads = 2, .queries = 3, .keys = 5, .dim = 2, .value_dim = 2};
  for (unsigned shared = 0; shared < 16; ++shared) {
    AttentionCase c(shape, generator);
    const auto extent = [&](unsigned axis, std::size_t full) { return (shared >> axis & 1) != 0 ? 1 : full; };
    const posenc::PairShape small{extent(0, 2), extent(1, 4), extent(2, 3), extent(3, 5)};
    const std::size_t size = small.batch * small.heads * small.queries * small.keys;
    const auto bias = fractions(size, generator.next());
    const auto mask = random_mask(size, generator);
    c.options.bias = bias;
    c.options.mask.pairs = mask;
    c.options.bias_shape = c.options.mask.pairs_shape = small;
    c.forward();
    const Floats weights = c.weights;
    Floats full_bias;
    std::vector<std::uint8_t> full_mask;
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t h = 0; h < 4; ++h)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 5; ++j) {
            const std::size_t at =
                ((b % small.batch * small.heads + h % small.heads) * small.queries + i % small.queries) * small.keys +
                j % small.keys;
            full_bias.push_back(bias[at]);
            full_mask.push_back(mask[at]);
          }
    c.options.bias = full_bias;
    c.options.mask.pairs = full_mask;
    c.options.bias_shape = c.options.mask.pairs_shape = c.pairs();
    c.forward();
    REQUIRE(same_bits(c.weights, weights));
  }
}

TEST_CASE("scaled dot product: padding does not contribute, even where it is NaN", "[attention]") {
  testing::Generator generator(726);
  AttentionCase c({.batch = 2, .heads = 2, .kv_heads = 1, .queries = 3, .keys = 6, .dim = 2, .value_dim = 3},
                  generator);
  const std::vector<std::uint8_t> keys{1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1};
  c.options.mask.keys = keys;
  for (std::size_t row = 0; row < 12; ++row)
    if (keys[row] == 0) {
      std::fill_n(c.key.begin() + static_cast<std::ptrdiff_t>(row * 2), 2, std::nanf(""));
      std::fill_n(c.value.begin() + static_cast<std::ptrdiff_t>(row * 3), 3, std::nanf(""));
    }
  c.forward();
  for (std::size_t b = 0; b < 2; ++b) {
    AttentionCase alone(c.shape, generator);
    alone.shape.batch = 1;
    alone.shape.keys = 4;
    alone.resize();
    alone.query = slice(c.query, b * 12, 12);
    alone.key = slice(c.key, b * 12 + b * 4, 8);
    alone.value = slice(c.value, b * 18 + b * 6, 12);
    alone.options.scale = c.options.scale;
    alone.forward();
    REQUIRE(same_bits(alone.output, std::span(c.output).subspan(b * 18, 18)));
  }
}

TEST_CASE("scaled dot product: packed sequences under a block mask are the sequences apart", "[attention]") {
  testing::Generator generator(727);
  const std::vector<std::size_t> lengths{3, 1, 5, 2};
  const std::size_t total = 11;
  AttentionCase packed({.heads = 2, .kv_heads = 2, .queries = total, .keys = total, .dim = 4, .value_dim = 3},
                       generator);
  std::vector<std::size_t> sequence;
  for (std::size_t s = 0; s < lengths.size(); ++s) sequence.insert(sequence.end(), lengths[s], s);
  std::vector<std::uint8_t> mask;
  for (const std::size_t i : sequence)
    for (const std::size_t j : sequence) mask.push_back(i == j);
  packed.options.mask = {.pairs = mask, .pairs_shape = {1, 1, total, total}, .causal = true};
  packed.forward();
  std::size_t first = 0;
  for (const std::size_t length : lengths) {
    for (std::size_t h = 0; h < 2; ++h) {
      AttentionCase apart(packed.shape, generator);
      apart.shape.heads = apart.shape.kv_heads = 1;
      apart.shape.queries = apart.shape.keys = length;
      apart.resize();
      const std::size_t row = h * total + first;
      apart.query = slice(packed.query, row * 4, length * 4);
      apart.key = slice(packed.key, row * 4, length * 4);
      apart.value = slice(packed.value, row * 3, length * 3);
      apart.options.scale = packed.options.scale;
      apart.options.mask.causal = true;
      apart.forward();
      REQUIRE(same_bits(apart.output, std::span(packed.output).subspan(row * 3, length * 3)));
    }
    first += length;
  }
}

TEST_CASE("scaled dot product: grouped heads are heads whose keys are repeated", "[attention]") {
  testing::Generator generator(728);
  for (const std::size_t kv_heads : {1u, 2u, 3u}) {
    AttentionCase grouped(
        {.batch = 2, .heads = 6, .kv_heads = kv_heads, .queries = 3, .keys = 4, .dim = 3, .value_dim = 2}, generator);
    grouped.forward();
    AttentionCase repeated(grouped.shape, generator);
    repeated.shape.kv_heads = 6;
    repeated.resize();
    repeated.query = grouped.query;
    repeated.options.scale = grouped.options.scale;
    repeated.key.clear();
    repeated.value.clear();
    for (std::size_t head = 0; head < 12; ++head) {
      const std::size_t shared = head / 6 * kv_heads + head % 6 / (6 / kv_heads);
      for (std::size_t i = 0; i < 12; ++i) repeated.key.push_back(grouped.key[shared * 12 + i]);
      for (std::size_t i = 0; i < 8; ++i) repeated.value.push_back(grouped.value[shared * 8 + i]);
    }
    repeated.forward();
    REQUIRE(same_bits(grouped.weights, repeated.weights));
    REQUIRE(same_bits(grouped.output, repeated.output));
  }
}

TEST_CASE("scaled dot product: without positions the order of keys is forgotten", "[attention]") {
  testing::Generator generator(729);
  AttentionCase c({.queries = 6, .keys = 6, .dim = 8, .value_dim = 4}, generator);
  c.forward();
  std::vector<std::size_t> order(6);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::rotate(order, order.begin() + 2);
  std::swap(order[0], order[3]);
  AttentionCase moved = c;
  for (std::size_t row = 0; row < 6; ++row) {
    std::copy_n(c.query.begin() + static_cast<std::ptrdiff_t>(order[row] * 8), 8,
                moved.query.begin() + static_cast<std::ptrdiff_t>(row * 8));
    std::copy_n(c.key.begin() + static_cast<std::ptrdiff_t>(order[row] * 8), 8,
                moved.key.begin() + static_cast<std::ptrdiff_t>(row * 8));
    std::copy_n(c.value.begin() + static_cast<std::ptrdiff_t>(order[row] * 4), 4,
                moved.value.begin() + static_cast<std::ptrdiff_t>(row * 4));
  }
  moved.forward();
  for (std::size_t row = 0; row < 6; ++row)
    for (std::size_t v = 0; v < 4; ++v)
      CHECK(std::abs(moved.output[row * 4 + v] - c.output[order[row] * 4 + v]) <= 1.2e-7);
}

TEST_CASE("scaled dot product: dropout of the weights is dropout of the weights", "[attention][dropout]") {
  testing::Generator generator(730);
  AttentionCase c({.batch = 2, .heads = 2, .kv_heads = 1, .queries = 5, .keys = 7, .dim = 3, .value_dim = 1},
                  generator);
  c.forward();
  const Floats weights = c.weights, output = c.output;
  c.options.dropout = {.p = 0.4, .seed = 99, .first = 1000};
  c.forward();
  CHECK(same_bits(c.weights, weights));
  Floats dropped(weights.size());
  value_of(posenc::dropout(c.options.dropout, weights, dropped));
  for (std::size_t at = 0; at < 20; ++at) {
    double sum = 0;
    for (std::size_t j = 0; j < 7; ++j) sum += double{dropped[at * 7 + j]} * double{c.value[at / 10 * 7 + j]};
    CHECK(std::abs(c.output[at] - sum) <= 4e-7);
  }
  c.options.dropout.training = false;
  c.forward();
  CHECK(same_bits(c.output, output));
}

TEST_CASE("scaled dot product: empty shapes", "[attention]") {
  testing::Generator generator(731);
  for (const BatchedAttentionShape& shape :
       {BatchedAttentionShape{.batch = 0, .queries = 2, .keys = 2, .dim = 2, .value_dim = 2},
        BatchedAttentionShape{.heads = 0, .kv_heads = 0, .queries = 2, .keys = 2, .dim = 2, .value_dim = 2},
        BatchedAttentionShape{.queries = 0, .keys = 2, .dim = 2, .value_dim = 2},
        BatchedAttentionShape{.queries = 2, .keys = 0, .dim = 2, .value_dim = 2},
        BatchedAttentionShape{.queries = 2, .keys = 2, .dim = 0, .value_dim = 2},
        BatchedAttentionShape{.queries = 2, .keys = 2, .dim = 2, .value_dim = 0},
        BatchedAttentionShape{
            .queries = static_cast<std::size_t>(testing::very_many), .keys = 0, .dim = 0, .value_dim = 0}}) {
    AttentionCase c(shape, generator);
    c.forward();
    if (shape.keys == 0) CHECK(same_bits(c.output, Floats(c.output.size())));
    if (shape.dim == 0 && shape.keys == 2) CHECK(same_bits(c.weights, Floats(4, 0.5f)));
  }
}

TEST_CASE("scaled dot product: what does not fit is an Error and nothing is written", "[attention]") {
  testing::Generator generator(732);
  AttentionCase c({.batch = 2, .heads = 4, .kv_heads = 2, .queries = 3, .keys = 5, .dim = 2, .value_dim = 2},
                  generator);
  const auto bias = fractions(c.weights.size(), 1);
  const std::vector<std::uint8_t> mask(c.weights.size(), 1);
  const auto refused = [&](auto change, std::string_view argument, std::string_view value) {
    AttentionCase wrong = c;
    change(wrong);
    require_error(wrong.attempt(), argument, value);
    CHECK(testing::is_untouched(wrong.weights));
    CHECK(testing::is_untouched(wrong.output));
  };
  refused([](auto& w) { w.query.pop_back(); }, "query", "47");
  refused([](auto& w) { w.key.pop_back(); }, "key", "39");
  refused([](auto& w) { w.value.push_back(0); }, "value", "41");
  refused([](auto& w) { w.weights.pop_back(); }, "weights", "119");
  refused([](auto& w) { w.output.pop_back(); }, "output", "47");
  refused([](auto& w) { w.shape.kv_heads = 3; }, "kvHeads", "3");
  refused([](auto& w) { w.shape.kv_heads = 0; }, "kvHeads", "0");
  refused([](auto& w) { w.shape.kv_heads = 8; }, "kvHeads", "8");
  refused([](auto& w) { w.options.scale = HUGE_VAL; }, "scale", "inf");
  refused([](auto& w) { w.options.dropout.p = 2; }, "p", "2");
  refused([](auto& w) { w.options.mask.query_offset = (std::int64_t{1} << 53) + 2; }, "queryOffset",
          "9007199254740994");
  refused([&](auto& w) { w.options.bias = bias; }, "bias", "120");
  refused([&](auto& w) { w.options.bias = bias, w.options.bias_shape = {2, 3, 3, 5}; }, "bias", "[2, 3, 3, 5]");
  refused([&](auto& w) { w.options.mask.pairs = mask, w.options.mask.pairs_shape = {2, 4, 5, 3}; }, "mask",
          "[2, 4, 5, 3]");
  refused([&](auto& w) { w.options.mask.pairs = mask, w.options.mask.pairs_shape = {1, 4, 3, 5}; }, "mask", "120");
  refused([&](auto& w) { w.options.mask.keys = std::span(mask).first(5); }, "keyMask", "5");
  for (const float value : {float_infinity, std::nanf("")}) {
    auto bad = bias;
    bad[7] = value;
    refused([&](auto& w) { w.options.bias = bad, w.options.bias_shape = w.pairs(); }, "bias",
            value == float_infinity ? "inf" : "nan");
  }
  constexpr std::size_t root = std::size_t{1} << (sizeof(std::size_t) * 4);  // its square is 0 in size_t
  Floats one(1);
  require_error(posenc::attention({root, root, 1, 1, 1, 0, 0}, {}, posenc::AttentionInputs{}, one, {}), "weights", "1");
  CHECK_FALSE(posenc::from_name<posenc::MaskMeaning>("keep"));
  CHECK(value_of(posenc::from_name<posenc::MaskMeaning>("ignore")) == MaskMeaning::ignore);
}

TEST_CASE("scaled dot product: gradients by the formulas and by finite differences", "[attention][accuracy]") {
  testing::Generator generator(733);
  double worst_exact = 0;
  std::vector<double> worst(8);
  for (int round = 0; round < 120; ++round) {
    AttentionCase c(testing::random_batched_shape(generator), generator);
    testing::randomize(c, generator);
    const bool exactly = round % 2 == 0;
    c.options.precision = exactly ? SumPrecision::exact : SumPrecision::float32;
    c.forward();
    const auto d_output = fractions(c.output.size(), generator.next());
    const auto exact = reference::attend_backward(c.problem(), c.arguments(), reference::widened(d_output));
    auto gradients = c.backward(d_output);
    const std::vector<std::pair<Floats*, const std::vector<reference::Sum>*>> pairs{{&gradients.query, &exact.query},
                                                                                    {&gradients.key, &exact.key},
                                                                                    {&gradients.value, &exact.value},
                                                                                    {&gradients.bias, &exact.bias}};
    for (std::size_t which = 0; which < 4; ++which) {
      double& share = worst[exactly ? which : which + 4];
      share =
          std::fmax(share, reference::worst_share(*pairs[which].first, *pairs[which].second, c.gradient_tolerance()));
    }
    if (round >= 8) continue;
    // The formulas themselves.
    auto in = c.arguments();
    for (const auto& [part, formula] : {std::pair(&in.query, &exact.query), std::pair(&in.key, &exact.key),
                                        std::pair(&in.value, &exact.value), std::pair(&in.bias, &exact.bias)}) {
      const auto loss = [&](const reference::Values& at) {
        const auto before = std::exchange(*part, at);
        const auto result = reference::attend(c.problem(), in);
        *part = before;
        reference::Quad sum = 0;
        for (std::size_t i = 0; i < d_output.size(); ++i) sum += result.output[i].value * d_output[i];
        return sum;
      };
      const auto found = reference::differences(loss, *part);
      for (std::size_t i = 0; i < found.size(); ++i)
        worst_exact = std::fmax(worst_exact, static_cast<double>(reference::magnitude(found[i] - (*formula)[i].value)));
    }
  }
  for (const std::size_t at : {0u, 4u})
    std::printf("largest error: gradients, %s: query %.4f, key %.4f, value %.4f, bias %.4f of the bound\n",
                at == 0 ? "exact" : "float32", worst[at], worst[at + 1], worst[at + 2], worst[at + 3]);
  CHECK(worst_exact <= 1e-14);
  for (const double share : worst) CHECK(share <= 1);
}

TEST_CASE("scaled dot product: unwanted gradients change nothing in the others", "[attention]") {
  testing::Generator generator(734);
  AttentionCase c({.batch = 2, .heads = 2, .kv_heads = 1, .queries = 3, .keys = 4, .dim = 2, .value_dim = 3},
                  generator);
  c.forward();
  const auto d_output = fractions(c.output.size(), 5);
  const auto all = c.backward(d_output);
  Floats key(c.key.size());
  value_of(posenc::attention_backward(c.shape, c.options, {c.query, c.key, c.value}, d_output, {.key = key}));
  CHECK(same_bits(key, all.key));
}

TEST_CASE("scaled dot product: a query that sees nothing moves nothing", "[attention]") {
  testing::Generator generator(735);
  AttentionCase c({.queries = 2, .keys = 3, .dim = 2, .value_dim = 2}, generator);
  c.options.mask = {.causal = true, .query_offset = -1};
  c.forward();
  const auto gradients = c.backward({1, 2, 3, 4});
  CHECK(same_bits(std::span(gradients.query).first(2), Floats(2)));
  CHECK(gradients.value[0] == 3);
  CHECK(gradients.value[1] == 4);
  CHECK(same_bits(std::span(gradients.value).subspan(2), Floats(4)));
}

TEST_CASE("scaled dot product: wrong sizes of gradients are Errors and nothing is written", "[attention]") {
  testing::Generator generator(736);
  AttentionCase c({.batch = 2, .heads = 2, .kv_heads = 1, .queries = 3, .keys = 4, .dim = 2, .value_dim = 3},
                  generator);
  c.forward();
  const auto d_output = fractions(c.output.size(), 6);
  Floats out(100, testing::untouched);
  const std::span<float> all(out);
  const auto refused = [&](const posenc::AttentionGradients& gradients, std::string_view argument) {
    require_error(posenc::attention_backward(c.shape, c.options, {c.query, c.key, c.value}, d_output, gradients),
                  argument, "");
    CHECK(testing::is_untouched(out));
  };
  refused({.query = all.first(23)}, "gradients.query");
  refused({.key = all.first(17)}, "gradients.key");
  refused({.value = all.first(25)}, "gradients.value");
  refused({.query = all.first(24), .bias = all.last(2)}, "gradients.bias");
  require_error(
      posenc::attention_backward(c.shape, c.options, {c.query, c.key, c.value}, std::span(d_output).first(5), {}),
      "output", "5");
}

TEST_CASE("scaled dot product: weights, outputs and gradients have the bits that are stored", "[hashes]") {
  // A batch of 2 with 4 heads that share 2, 5 queries and 7 keys of dim 8, values of dim 6; causal from offset 2, a
  // bias [4, 1, 7], dropout of 0.25 with seed 9. The weights, the output, then the gradients of query, key, value and
  // bias. query, key, value, bias and the output's gradient are fractions of the seeds 12 to 16.
  const posenc::BatchedAttentionShape shape{2, 4, 2, 5, 7, 8, 6};
  const auto query = testing::fractions(320, 12), key = testing::fractions(224, 13),
             value = testing::fractions(168, 14), bias = testing::fractions(28, 15);
  posenc::AttentionOptions options{.scale = 0.5, .bias = bias, .bias_shape = {1, 4, 1, 7}};
  options.mask = {.causal = true, .query_offset = 2};
  options.dropout = {.p = 0.25, .seed = 9};
  options.precision = SumPrecision::exact;
  std::vector<float> weights(280), output(240), d_query(320), d_key(224), d_value(168), d_bias(28);
  testing::value_of(posenc::attention(shape, options, {query, key, value}, weights, output));
  testing::value_of(posenc::attention_backward(shape, options, {query, key, value}, testing::fractions(240, 16),
                                               {d_query, d_key, d_value, d_bias}));
  testing::check_hash("masked attention", "75dbb4e5061f8db3", {weights, output, d_query, d_key, d_value, d_bias});
}
