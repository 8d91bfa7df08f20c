/// Gradients of relative positions: Shaw's tables, learned biases; and the bits of attention with them.

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "attention/attention_testing.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/learned/table_bias.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/t5.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "relative/relative_testing.hpp"
#include "testing/testing.hpp"

using posenc::Future;
using posenc::RelativePositions;
using posenc::SumPrecision;
using reference::Quad;
using reference::Values;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

using Floats = std::vector<float>;

constexpr std::size_t key_width = 3;
constexpr std::size_t value_width = 2;

struct ShawCase {
  ShawCase(testing::Generator& generator, const posenc::BiasShape& shape)
      : positions(value_of(RelativePositions::make(shape))),
        reach(static_cast<std::int64_t>(generator.below(4))),
        future(generator.below(2) == 0 ? Future::keep : Future::mask) {
    const std::size_t rows = 2 * static_cast<std::size_t>(reach) + 1;
    const std::size_t heads = positions.heads();
    query = fractions(heads * positions.queries() * key_width, generator.next());
    key = fractions(heads * positions.keys() * key_width, generator.next());
    value = fractions(heads * positions.keys() * value_width, generator.next());
    key_table = fractions(generator.below(4) == 0 ? 0 : rows * key_width, generator.next());
    value_table = fractions(generator.below(4) == 0 ? 0 : rows * value_width, generator.next());
    d_output = fractions(heads * positions.queries() * value_width, generator.next());
  }

  [[nodiscard]] posenc::ShawInputs inputs() const {
    return {key_width, value_width, 1.25, reach, future, query, key, value, key_table, value_table, precision};
  }

  /// Gradients of query, key, value and both tables.
  [[nodiscard]] std::array<Floats, 5> gradients() const {
    std::array<Floats, 5> made;
    std::size_t at = 0;
    for (const Floats* const of : {&query, &key, &value, &key_table, &value_table})
      made[at++].assign(of->size(), testing::untouched);
    value_of(posenc::shaw_backward(positions, inputs(), d_output, {made[0], made[1], made[2], made[3], made[4]}));
    return made;
  }

  RelativePositions positions;
  std::int64_t reach;
  Future future;
  SumPrecision precision = SumPrecision::exact;
  Floats query, key, value, key_table, value_table, d_output;
};

struct ShawArguments {
  Values query, key, value, key_table, value_table;
};

/// Sum of outputs times d_output.
Quad loss_by_formula(const ShawCase& c, const ShawArguments& in) {
  const std::size_t queries = c.positions.queries(), keys = c.positions.keys();
  Quad loss = 0;
  for (std::size_t at = 0; at < c.positions.heads() * queries; ++at) {
    Quad sum = 0;
    Quad weighted = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      const std::int64_t distance = c.positions.distance(queries - 1 - at % queries + j);
      if (c.future == Future::mask && distance > 0) continue;
      const auto id = static_cast<std::size_t>(
          (distance < -c.reach ? -c.reach : (distance > c.reach ? c.reach : distance)) + c.reach);
      const std::size_t row = at / queries * keys + j;
      Quad score = 0, passed = 0;
      for (std::size_t d = 0; d < key_width; ++d)
        score += in.query[at * key_width + d] *
                 (in.key[row * key_width + d] +
                  (in.key_table.empty() ? static_cast<Quad>(0) : in.key_table[id * key_width + d]));
      for (std::size_t v = 0; v < value_width; ++v)
        passed += c.d_output[at * value_width + v] *
                  (in.value[row * value_width + v] +
                   (in.value_table.empty() ? static_cast<Quad>(0) : in.value_table[id * value_width + v]));
      const Quad power = reference::exponential(score * static_cast<Quad>(1.25));
      sum += power;
      weighted += power * passed;
    }
    if (sum > 0) loss += weighted / sum;
  }
  return loss;
}

}  // namespace

TEST_CASE("shaw: every gradient is that of finite differences", "[shaw][accuracy]") {
  testing::Generator generator(760);
  double worst[2] = {};
  for (int round = 0; round < 25; ++round) {
    const posenc::BiasShape shape{
        static_cast<std::int64_t>(1 + generator.below(2)), static_cast<std::int64_t>(generator.below(5)),
        static_cast<std::int64_t>(generator.below(6)), static_cast<std::int64_t>(generator.below(7)) - 2};
    ShawCase c(generator, shape);
    ShawArguments in{reference::widened(c.query), reference::widened(c.key), reference::widened(c.value),
                     reference::widened(c.key_table), reference::widened(c.value_table)};
    Values exact[5];
    std::size_t at = 0;
    for (Values* const part : {&in.query, &in.key, &in.value, &in.key_table, &in.value_table})
      exact[at++] = reference::differences(
          [&](const Values& changed) {
            const Values before = std::exchange(*part, changed);
            const Quad loss = loss_by_formula(c, in);
            *part = before;
            return loss;
          },
          *part);
    for (const SumPrecision precision : {SumPrecision::exact, SumPrecision::float32}) {
      c.precision = precision;
      const auto found = c.gradients();
      double error = 0, largest = 0;
      for (std::size_t part = 0; part < 5; ++part)
        for (std::size_t i = 0; i < exact[part].size(); ++i) {
          error = std::fmax(error, static_cast<double>(reference::magnitude(found[part][i] - exact[part][i])));
          largest = std::fmax(largest, static_cast<double>(reference::magnitude(exact[part][i])));
        }
      double& so_far = worst[precision == SumPrecision::exact ? 0 : 1];
      if (largest > 0) so_far = std::fmax(so_far, error / largest);
    }
  }
  std::printf("largest error: shaw gradients: %.3g of a call's largest gradient, in float32 %.3g\n", worst[0],
              worst[1]);
  CHECK(worst[0] <= 4e-7);
  CHECK(worst[1] <= 4e-6);
}

TEST_CASE("shaw: gradients of many blocks in float32 are those of double sums", "[shaw][accuracy]") {
  testing::Generator generator(767);
  for (const Future future : {Future::keep, Future::mask}) {
    ShawCase c(generator, {.heads = 2, .queries = 90, .keys = 170, .query_offset = 70});
    c.reach = 50;
    c.future = future;
    c.key_table = fractions(101 * key_width, 768);
    c.value_table = fractions(101 * value_width, 769);
    const auto exact = c.gradients();
    c.precision = SumPrecision::float32;
    const auto found = c.gradients();
    for (std::size_t part = 0; part < 5; ++part) {
      double largest = 0, error = 0;
      for (std::size_t i = 0; i < exact[part].size(); ++i) {
        largest = std::fmax(largest, std::fabs(static_cast<double>(exact[part][i])));
        error = std::fmax(error, std::fabs(static_cast<double>(found[part][i]) - static_cast<double>(exact[part][i])));
      }
      CHECK(error <= 2e-5 * largest);
    }
  }
}

TEST_CASE("shaw: without tables the gradients have the bits of plain attention's", "[shaw]") {
  testing::Generator generator(761);
  testing::AttentionCase plain({.heads = 2, .kv_heads = 2, .queries = 3, .keys = 4, .dim = 3, .value_dim = 2},
                               generator);
  plain.options.mask = {.causal = true, .query_offset = 1};
  plain.forward();
  const auto d_output = fractions(plain.output.size(), 762);
  const auto gradients = plain.backward(d_output);
  Floats query(plain.query.size()), key(plain.key.size()), value(plain.value.size());
  value_of(posenc::shaw_backward(
      value_of(RelativePositions::make({.heads = 2, .queries = 3, .keys = 4, .query_offset = 1})),
      {3, 2, 0.75, 1, Future::mask, plain.query, plain.key, plain.value, {}, {}}, d_output, {query, key, value}));
  CHECK(same_bits(query, gradients.query));
  CHECK(same_bits(key, gradients.key));
  CHECK(same_bits(value, gradients.value));
}

TEST_CASE("shaw: wrong sizes of gradients are Errors and nothing is written", "[shaw]") {
  testing::Generator generator(763);
  const ShawCase c(generator, {.heads = 2, .queries = 3, .keys = 4, .query_offset = 0});
  Floats out(60, testing::untouched);
  const std::span<float> all(out);
  const auto refused = [&](const posenc::ShawGradients& gradients, std::string_view argument) {
    require_error(posenc::shaw_backward(c.positions, c.inputs(), c.d_output, gradients), argument, "");
    CHECK(testing::is_untouched(out));
  };
  refused({.query = all.first(17)}, "gradients.query");
  refused({.key = all.first(25)}, "gradients.key");
  refused({.value = all.first(15)}, "gradients.value");
  refused({.key_table = all.first(50)}, "gradients.keyTable");
  refused({.query = all.first(18), .value_table = all.last(40)}, "gradients.valueTable");
  require_error(posenc::shaw_backward(c.positions, c.inputs(), std::span(c.d_output).first(5), {}), "output", "5");
}

TEST_CASE("table bias: looked up, and its gradient", "[table_bias][accuracy]") {
  testing::Generator generator(764);
  for (int round = 0; round < 50; ++round) {
    const std::size_t pairs = generator.below(40), heads = 1 + generator.below(4), rows = 1 + generator.below(9);
    std::vector<std::int32_t> ids(pairs);
    for (auto& id : ids) id = static_cast<std::int32_t>(generator.below(rows));
    const auto table = fractions(rows * heads, generator.next());
    const auto d_bias = fractions(pairs * heads, generator.next());
    Floats bias(d_bias.size(), testing::untouched), d_table(table.size(), testing::untouched);
    value_of(posenc::table_bias(ids, heads, table, bias));
    value_of(posenc::table_bias_backward(ids, heads, d_bias, d_table));
    std::vector<reference::Sum> exact(table.size());
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t pair = 0; pair < pairs; ++pair) {
        const std::size_t entry = static_cast<std::size_t>(ids[pair]) * heads + h;
        REQUIRE(same_bits(bias[h * pairs + pair], table[entry]));
        exact[entry].add(d_bias[h * pairs + pair]);
      }
    REQUIRE(reference::worst_share(d_table, exact, 0x1p-24) <= 1.0001);
  }
}

TEST_CASE("table bias: T5's bias by its buckets", "[table_bias][t5]") {
  const auto buckets = value_of(posenc::T5Buckets::make({}));
  const auto positions = value_of(RelativePositions::make({.heads = 3, .queries = 20, .keys = 30, .query_offset = 10}));
  std::vector<std::int32_t> ids(positions.distances());
  value_of(buckets.ids(positions, ids));
  const auto table = fractions(32 * 3, 765);
  Floats own(3 * positions.distances()), looked_up(own.size());
  value_of(buckets.bias(positions, Future::keep, table, own));
  value_of(posenc::table_bias(ids, 3, table, looked_up));
  CHECK(same_bits(own, looked_up));
}

TEST_CASE("table bias: ids outside the table and sizes that do not fit are Errors", "[table_bias]") {
  const auto table = fractions(6, 766);
  Floats out(6, testing::untouched);
  const auto refused = [&](const std::vector<std::int32_t>& ids, std::size_t heads, std::size_t size,
                           std::string_view argument, std::string_view value) {
    require_error(posenc::table_bias(ids, heads, table, std::span(out).first(size)), argument, value);
    CHECK(testing::is_untouched(out));
  };
  refused({0, 1, 3}, 2, 6, "ids", "3");
  refused({0, 1, -1}, 2, 6, "ids", "-1");
  refused({0, 1, 2}, 2, 5, "out", "5");
  refused({0, 1, 2}, 4, 6, "table", "6");
  refused({0, 1, 2}, 0, 6, "heads", "0");
  const std::vector<std::int32_t> ids{0, 1, 2};
  require_error(posenc::table_bias_backward(ids, 2, table, std::span(out).first(4)), "ids", "2");
  require_error(posenc::table_bias_backward(ids, 2, std::span(table).first(5), out), "gradient", "5");
  CHECK(testing::is_untouched(out));
}

TEST_CASE("attention, shaw, transformer-xl: without keys every output is 0", "[attention][shaw][transformer_xl]") {
  const auto positions = value_of(posenc::RelativePositions::make({.heads = 1, .queries = 2, .keys = 0}));
  const std::vector<float> query(6, 1.0f);
  const std::vector<float> bias(3, 1.0f);
  std::vector<float> output(4, 1.0f);
  const auto check_zeros = [&](const posenc::Expected<void>& done) {
    value_of(done);
    CHECK(output == std::vector<float>(4));
    output.assign(4, 1.0f);
  };
  check_zeros(posenc::attention({.queries = 2, .keys = 0, .dim = 3, .value_dim = 2}, 1, query, {}, {}, {}, output));
  posenc::ShawInputs shaw;
  shaw.dim = 3;
  shaw.value_dim = 2;
  shaw.query = query;
  check_zeros(posenc::shaw_attention(positions, shaw, {}, output));
  posenc::TransformerXlInputs xl;
  xl.dim = 3;
  xl.value_dim = 2;
  xl.query = query;
  xl.content_bias = xl.position_bias = bias;
  check_zeros(posenc::transformer_xl_attention(positions, xl, {}, output));
}

TEST_CASE("shaw, transformer-xl, cope: they have the bits that are stored", "[hashes]") {
  // 2 heads, 70 queries from position 60 on and 130 keys of dim 12, values of dim 10, causal; tables up to distance 40.
  // Query, key, value, tables, the output's gradient, relative vectors, u and v, logits and embeddings are fractions of
  // the seeds 30 to 39.
  const auto positions =
      value_of(RelativePositions::make({.heads = 2, .queries = 70, .keys = 130, .query_offset = 60}));
  const auto query = fractions(1680, 30), key = fractions(3120, 31), value = fractions(2600, 32);
  const auto key_table = fractions(81 * 12, 33), value_table = fractions(81 * 10, 34), d_output = fractions(1400, 35);
  const auto relative = fractions(std::size_t{2} * 199 * 12, 36), bias = fractions(24, 37);
  const auto results = [&](SumPrecision precision) {
    std::vector<std::vector<float>> out;
    for (const std::size_t size : {1400U, 18200U, 1680U, 3120U, 2600U, 972U, 810U, 1400U, 18200U})
      out.emplace_back(size, testing::untouched);
    const posenc::ShawInputs shaw{12, 10, 0.3, 40, Future::mask, query, key, value, key_table, value_table, precision};
    value_of(posenc::shaw_attention(positions, shaw, out[1], out[0]));
    value_of(posenc::shaw_backward(positions, shaw, d_output, {out[2], out[3], out[4], out[5], out[6]}));
    const posenc::TransformerXlInputs xl{12, 10, 0.3, Future::mask, query, key, value, relative, bias, bias, precision};
    value_of(posenc::transformer_xl_attention(positions, xl, out[8], out[7]));
    return out;
  };
  const auto fast = results(SumPrecision::float32), exact = results(SumPrecision::exact);
  testing::check_hash("shaw", "f8532f8354c4e1c0", {fast[0], fast[1]});
  testing::check_hash("shaw gradients", "06e0fbaac799fe5c", {fast[2], fast[3], fast[4], fast[5], fast[6]});
  testing::check_hash("transformer-xl", "3bb7efd44d558065", {fast[7], fast[8]});
  testing::check_hash("shaw, exact", "183b3f5a3dc8f2d9", {exact[0], exact[1]});
  testing::check_hash("shaw gradients, exact", "d388c5e780f5cc2d", {exact[2], exact[3], exact[4], exact[5], exact[6]});
  testing::check_hash("transformer-xl, exact", "1340d81dc7f2330b", {exact[7], exact[8]});
  std::vector<float> bias_of_counts(18200), counts(18200);
  value_of(posenc::cope_bias(positions, {12, Future::mask, query, fractions(18200, 38), fractions(48 * 12, 39)},
                             bias_of_counts, counts));
  testing::check_hash("cope", "bceb14c5af80cf5b", {bias_of_counts, counts});
}
