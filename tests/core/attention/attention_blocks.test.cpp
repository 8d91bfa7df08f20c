#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "attention/attention_testing.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/attention/kernels/batched_attention.hpp"
#include "posenc/attention/kernels/batched_backward.hpp"
#include "testing/testing.hpp"

using posenc::BatchedAttentionShape;
using posenc::BiasForm;
using posenc::SumPrecision;
using testing::AttentionCase;
using testing::float_infinity;
using testing::fractions;
using testing::require_error;
using testing::same_bits;
using testing::value_of;

namespace {

using Floats = std::vector<float>;

constexpr SumPrecision precisions[] = {SumPrecision::float32, SumPrecision::exact};

const float quiet_nan = std::numeric_limits<float>::quiet_NaN();

/// Every NaN is the one without a sign and without a payload.
bool has_one_nan(std::span<const float> values) {
  return std::ranges::all_of(values,
                             [](float x) { return !std::isnan(x) || std::bit_cast<std::uint32_t>(x) == 0x7fc00000; });
}

bool all_nan(std::span<const float> values) {
  return has_one_nan(values) && std::ranges::all_of(values, [](float x) { return std::isnan(x); });
}

/// Queries first ... first + count - 1 of each head, by themselves.
AttentionCase part_of(const AttentionCase& whole, std::size_t first, std::size_t count, testing::Generator& generator) {
  AttentionCase part(whole.shape, generator);
  part.shape.queries = count;
  part.resize();
  part.options = whole.options;
  part.options.mask.query_offset += static_cast<std::int64_t>(first);
  part.key = whole.key;
  part.value = whole.value;
  part.query.clear();
  for (std::size_t head = 0; head < whole.shape.batch * whole.shape.heads; ++head) {
    const auto rows =
        std::span(whole.query).subspan((head * whole.shape.queries + first) * whole.shape.dim, count * whole.shape.dim);
    part.query.insert(part.query.end(), rows.begin(), rows.end());
  }
  return part;
}

/// A term that is a bias for pairs, and for outputs a vector of ones for each key.
template <class T>
class Ones final : public posenc::AttentionTerm<T> {
 public:
  Ones(const Floats& bias, const BatchedAttentionShape& shape) : bias_(bias), shape_(shape) {}

  void add_scores(const posenc::QueryBlock<T>& block, T* scores) override {
    for (std::size_t r = 0; r < block.rows; ++r)
      for (std::size_t k = 0; k < block.end; ++k)
        scores[r * block.stride + k] +=
            bias_[((block.batch * shape_.heads + block.head) * shape_.queries + block.first + r) * shape_.keys + k];
  }
  void add_outputs(const posenc::QueryBlock<T>& block, const T* weights, T* outputs) override {
    for (std::size_t r = 0; r < block.rows; ++r)
      for (std::size_t k = 0; k < block.end; ++k)
        for (std::size_t v = 0; v < shape_.value_dim; ++v)
          outputs[r * shape_.value_dim + v] += weights[r * block.stride + k];
  }
  void add_weight_gradients(const posenc::QueryBlock<T>& block, const float* d_outputs, T* d_weights) override {
    for (std::size_t r = 0; r < block.rows; ++r)
      for (std::size_t k = 0; k < block.end; ++k)
        for (std::size_t v = 0; v < shape_.value_dim; ++v)
          d_weights[r * block.stride + k] += static_cast<T>(d_outputs[r * shape_.value_dim + v]);
  }
  void add_gradients(const posenc::QueryBlock<T>& block, const T* weights, const T* d_scores, const float*,
                     T*) override {
    for (std::size_t r = 0; r < block.rows; ++r)
      for (std::size_t k = 0; k < block.end; ++k) {
        total += weights[r * block.stride + k];
        d_total += std::fabs(d_scores[r * block.stride + k]);
      }
  }

  T total = 0, d_total = 0;

 private:
  const Floats& bias_;
  BatchedAttentionShape shape_;
};

}  // namespace

TEST_CASE("attention in blocks: every slice of queries has the bits of the whole", "[attention]") {
  testing::Generator generator(770);
  for (const SumPrecision precision : precisions)
    for (const std::size_t kv_heads : {1u, 4u}) {
      AttentionCase whole(
          {.batch = 2, .heads = 4, .kv_heads = kv_heads, .queries = 83, .keys = 197, .dim = 7, .value_dim = 5},
          generator);
      whole.options.precision = precision;
      whole.options.mask = {.causal = true, .query_offset = 101};
      whole.forward();
      for (const std::size_t count : {1u, 2u, 3u, 5u, 6u, 7u, 31u, 33u, 64u})
        for (const std::size_t first : {0u, 1u, 19u}) {
          AttentionCase part = part_of(whole, first, count, generator);
          part.forward();
          Floats alone(part.output.size());
          value_of(posenc::attention(part.shape, part.options, {part.query, part.key, part.value}, {}, alone));
          REQUIRE(same_bits(alone, part.output));
          for (std::size_t head = 0; head < 8; ++head) {
            REQUIRE(same_bits(std::span(part.output).subspan(head * count * 5, count * 5),
                              std::span(whole.output).subspan((head * 83 + first) * 5, count * 5)));
            REQUIRE(same_bits(std::span(part.weights).subspan(head * count * 197, count * 197),
                              std::span(whole.weights).subspan((head * 83 + first) * 197, count * 197)));
          }
        }
    }
}

TEST_CASE("attention in blocks: odd and prime shapes within the promised error", "[attention][accuracy]") {
  testing::Generator generator(771);
  for (const SumPrecision precision : precisions) {
    double worst = 0;
    for (const BatchedAttentionShape& shape :
         {BatchedAttentionShape{1, 2, 1, 67, 131, 19, 33}, BatchedAttentionShape{1, 1, 1, 5, 300, 64, 17},
          BatchedAttentionShape{2, 1, 1, 41, 64, 1, 1}, BatchedAttentionShape{1, 3, 3, 1, 129, 37, 40}}) {
      AttentionCase c(shape, generator);
      testing::randomize(c, generator);
      c.options.precision = precision;
      c.forward();
      const auto exact = reference::attend(c.problem(), c.arguments());
      worst = std::fmax(worst, reference::worst_share(c.output, exact.output, c.output_tolerance()));
      const auto d_output = fractions(c.output.size(), generator.next());
      const auto found = c.backward(d_output);
      const auto gradients = reference::attend_backward(c.problem(), c.arguments(), reference::widened(d_output));
      for (const auto& [values, sums] :
           {std::pair(&found.query, &gradients.query), std::pair(&found.key, &gradients.key),
            std::pair(&found.value, &gradients.value), std::pair(&found.bias, &gradients.bias)})
        worst = std::fmax(worst, reference::worst_share(*values, *sums, c.gradient_tolerance()));
    }
    std::printf("largest error: attention in blocks: %.4f of the bound\n", worst);
    CHECK(worst <= 1);
  }
}

TEST_CASE("attention in blocks: what is masked in blocks is left out without a trace", "[attention]") {
  testing::Generator generator(772);
  for (const SumPrecision precision : precisions) {
    AttentionCase c({.heads = 2, .kv_heads = 1, .queries = 150, .keys = 150, .dim = 6, .value_dim = 4}, generator);
    c.options.precision = precision;
    // Two sequences, the first of 130 keys, then padding that holds NaN.
    const auto sequence = [](std::size_t at) { return at < 130 ? 0 : at < 145 ? 1 : 2; };
    for (std::size_t k = 145 * 6; k < c.key.size(); ++k) c.key[k] = quiet_nan;
    for (std::size_t k = 145 * 4; k < c.value.size(); ++k) c.value[k] = k % 2 == 0 ? quiet_nan : float_infinity;
    std::vector<std::uint8_t> mask;
    Floats bias;
    for (std::size_t i = 0; i < 150; ++i)
      for (std::size_t j = 0; j < 150; ++j) {
        mask.push_back(sequence(i) == sequence(j) && sequence(j) != 2);
        bias.push_back(mask.back() != 0 ? 0 : -float_infinity);
      }
    c.options.mask = {.pairs = mask, .pairs_shape = {1, 1, 150, 150}};
    c.forward();
    const auto d_output = fractions(c.output.size(), 773);
    const auto gradients = c.backward(d_output);
    const Floats output = c.output, weights = c.weights;
    CHECK(std::ranges::none_of(output, [](float x) { return std::isnan(x); }));
    CHECK(std::ranges::none_of(gradients.query, [](float x) { return std::isnan(x); }));
    CHECK(std::ranges::none_of(gradients.value, [](float x) { return std::isnan(x); }));
    c.options.mask = {};
    c.options.bias = bias;
    c.options.bias_shape = {1, 1, 150, 150};
    c.forward();
    CHECK(same_bits(c.output, output));
    CHECK(same_bits(c.weights, weights));
    const auto again = c.backward(d_output);
    CHECK(same_bits(again.query, gradients.query));
    CHECK(same_bits(again.key, gradients.key));
    CHECK(same_bits(again.value, gradients.value));
    // The second sequence begins within a block of keys: its sums are in no block.
    AttentionCase alone(c.shape, generator);
    alone.shape.queries = alone.shape.keys = 130;
    alone.resize();
    alone.options = {.scale = c.options.scale, .precision = precision};
    for (auto [from, to, width] : {std::tuple(&c.key, &alone.key, 6u), std::tuple(&c.value, &alone.value, 4u)})
      std::copy_n(from->begin(), 130 * width, to->begin());
    for (std::size_t h = 0; h < 2; ++h)
      std::copy_n(c.query.begin() + static_cast<std::ptrdiff_t>(h * 900), 780,
                  alone.query.begin() + static_cast<std::ptrdiff_t>(h * 780));
    alone.forward();
    for (std::size_t h = 0; h < 2; ++h)
      CHECK(same_bits(std::span(alone.output).subspan(h * 520, 520), std::span(output).subspan(h * 600, 520)));
  }
}

TEST_CASE("attention: scores of NaN and +infinity make the row NaN, and only that", "[attention]") {
  testing::Generator generator(774);
  for (const SumPrecision precision : precisions)
    for (const std::size_t queries : {1u, 9u}) {
      AttentionCase c({.queries = queries, .keys = 70, .dim = 4, .value_dim = 3}, generator);
      c.options.precision = precision;
      c.options.mask = {.causal = true, .query_offset = 61};
      c.forward();
      const AttentionCase good = c;
      // Key 69 is seen by no query but the last of nine.
      for (const float bad : {quiet_nan, -quiet_nan, float_infinity}) {
        c = good;
        c.key[69 * 4] = bad;
        c.query[(queries - 1) * 4] = 1;
        AttentionCase finite = c;
        finite.key[69 * 4] = 0;
        finite.forward();
        c.forward();
        const std::size_t rows = queries == 9 ? 8 : 1;
        CHECK(same_bits(std::span(c.output).first(rows * 3), std::span(finite.output).first(rows * 3)));
        CHECK(same_bits(std::span(c.weights).first(rows * 70), std::span(finite.weights).first(rows * 70)));
        if (queries == 9) {
          CHECK(all_nan(std::span(c.output).last(3)));
          CHECK(all_nan(std::span(c.weights).last(70)));
        }
        // In the queries: what they see is NaN, what they do not see keeps its weight of 0.
        c = good;
        c.query[0] = bad;
        c.key[0] = 1;
        c.forward();
        CHECK(all_nan(std::span(c.output).first(3)));
        // A score of -infinity counts as masked.
        for (std::size_t k = 0; k < 62; ++k)
          CHECK(
              (std::isnan(bad) || c.key[k * 4] > 0 ? all_nan(std::span(c.weights).subspan(k, 1)) : c.weights[k] == 0));
        CHECK(same_bits(std::span(c.weights).subspan(62, 8), Floats(8)));
        const auto gradients = c.backward(fractions(c.output.size(), 775));
        CHECK(all_nan(std::span(gradients.query).first(4)));
        CHECK(has_one_nan(gradients.key));
        if (queries == 1) CHECK(same_bits(std::span(gradients.key).last(32), Floats(32)));
        // In values: infinities stay, unless they meet; a key that is not seen leaves no trace.
        c = good;
        c.value[0] = bad;
        c.value[69 * 3 + 1] = bad;
        c.forward();
        CHECK((std::isnan(bad) ? all_nan(std::span(c.output).first(1)) : c.output[0] == bad));
        CHECK(same_bits(std::span(c.output).subspan(1, 2), std::span(good.output).subspan(1, 2)));
        c.value[3] = -float_infinity;
        c.forward();
        CHECK(all_nan(std::span(c.output).first(1)));
      }
      // A score that overflows, in what the sums are computed in.
      c = good;
      c.query[0] = 3e38f;
      c.key[0] = 3e38f;
      c.options.scale = precision == SumPrecision::exact ? 1e300 : 1;
      c.forward();
      CHECK(all_nan(std::span(c.output).first(3)));
    }
}

TEST_CASE("attention: a compact bias has the bits of the same bias written out, and so its gradient's sums",
          "[attention]") {
  testing::Generator generator(776);
  for (const SumPrecision precision : precisions)
    for (const std::size_t bias_heads : {1u, 4u})
      for (const auto& [queries, keys] :
           {std::pair(37u, 130u), std::pair(1u, 90u), std::pair(3u, 1u), std::pair(1u, 1u)}) {
        AttentionCase c(
            {.batch = 2, .heads = 4, .kv_heads = 2, .queries = queries, .keys = keys, .dim = 3, .value_dim = 2},
            generator);
        c.options.precision = precision;
        c.options.bias_scaled = bias_heads == 1;
        const std::size_t distances = queries + keys - 1;
        auto compact = fractions(bias_heads * distances, generator.next());
        compact[0] = -float_infinity;
        if (distances > 80) std::fill_n(compact.end() - 30, 29, -float_infinity);
        Floats full;
        for (std::size_t h = 0; h < 4; ++h)
          for (std::size_t i = 0; i < queries; ++i)
            for (std::size_t j = 0; j < keys; ++j)
              full.push_back(compact[h % bias_heads * distances + queries - 1 - i + j]);
        c.options.bias = full;
        c.options.bias_shape = {1, 4, queries, keys};
        c.forward();
        const Floats output = c.output, weights = c.weights;
        const auto d_output = fractions(c.output.size(), 777);
        const auto gradients = c.backward(d_output);
        c.options.bias = compact;
        c.options.bias_form = BiasForm::compact;
        c.options.bias_shape = {1, bias_heads, 1, distances};
        c.forward();
        REQUIRE(same_bits(c.output, output));
        REQUIRE(same_bits(c.weights, weights));
        const auto found = c.backward(d_output);
        REQUIRE(same_bits(found.query, gradients.query));
        REQUIRE(same_bits(found.key, gradients.key));
        std::vector<double> sums(compact.size()), sizes(compact.size());
        for (std::size_t at = 0; at < full.size(); ++at) {
          const std::size_t entry =
              at / keys / queries % bias_heads * distances + queries - 1 - at / keys % queries + at % keys;
          sums[entry] += double{gradients.bias[at]};
          sizes[entry] += std::fabs(double{gradients.bias[at]});
        }
        for (std::size_t entry = 0; entry < sums.size(); ++entry)
          REQUIRE(std::fabs(found.bias[entry] - sums[entry]) <= 2e-5 * sizes[entry] + 1e-9);
      }
  AttentionCase c({.heads = 2, .kv_heads = 2, .queries = 3, .keys = 4, .dim = 2, .value_dim = 2}, generator);
  const Floats bias(24);
  c.options.bias_form = BiasForm::compact;
  const auto refused = [&](const posenc::PairShape& shape, std::size_t size, std::string_view value) {
    c.options.bias = std::span(bias).first(size);
    c.options.bias_shape = shape;
    require_error(c.attempt(), "bias", value);
    CHECK(testing::is_untouched(c.output));
  };
  refused({1, 2, 1, 5}, 10, "[1, 2, 1, 5]");
  refused({1, 2, 1, 1}, 2, "[1, 2, 1, 1]");
  refused({1, 3, 1, 6}, 18, "[1, 3, 1, 6]");
  refused({2, 2, 1, 6}, 24, "[2, 2, 1, 6]");
  refused({1, 2, 3, 4}, 24, "[1, 2, 3, 4]");
  refused({1, 2, 1, 6}, 11, "11");
  CHECK(value_of(posenc::from_name<BiasForm>("compact")) == BiasForm::compact);
  CHECK_FALSE(posenc::from_name<BiasForm>("short"));
}

TEST_CASE("attention's frame: what a term adds to scores is a bias, and to outputs a sum of weights", "[attention]") {
  testing::Generator generator(778);
  AttentionCase c({.batch = 2, .heads = 6, .kv_heads = 2, .queries = 23, .keys = 140, .dim = 5, .value_dim = 3},
                  generator);
  c.options.mask = {.causal = true, .query_offset = 70};
  c.bias = fractions(c.weights.size(), 779);
  c.options.bias = c.bias;
  c.options.bias_shape = c.pairs();
  c.forward();
  const auto d_output = fractions(c.output.size(), 780);
  const auto gradients = c.backward(d_output);
  c.options.bias = {};
  Ones<float> term(c.bias, c.shape);
  auto memory = value_of(posenc::ForwardMemory<float>::make(c.shape));
  Floats weights(c.weights.size()), output(c.output.size());
  posenc::attend<float>(c.shape, c.options, {c.query, c.key, c.value}, memory, weights, output, &term);
  CHECK(same_bits(weights, c.weights));
  for (std::size_t i = 0; i < output.size(); ++i) CHECK(std::fabs(output[i] - c.output[i] - 1) <= 2e-5f);
  auto backward = value_of(posenc::BackwardMemory<float>::make(c.shape, 0));
  Floats query(c.query.size()), key(c.key.size()), value(c.value.size());
  posenc::attend_backward<float>(c.shape, c.options, {c.query, c.key, c.value}, backward, d_output, {query, key, value},
                                 &term);
  // One number added for all keys moves no weight.
  for (std::size_t i = 0; i < query.size(); ++i) CHECK(std::fabs(query[i] - gradients.query[i]) <= 2e-5f);
  CHECK(same_bits(value, gradients.value));
  CHECK(std::fabs(term.total - 2 * 6 * 23) <= 1e-2f);
  CHECK(term.d_total > 0);
}

TEST_CASE("attention in blocks: memory does not grow with the square of the length", "[attention]") {
  const BatchedAttentionShape shape{1, 8, 8, 16384, 16384, 64, 64};
  const auto f = value_of(posenc::ForwardMemory<float>::make(shape));
  CHECK(4 * f.all.size() < std::size_t{16} << 20);
  const auto b = value_of(posenc::BackwardMemory<double>::make(shape, 0));
  CHECK(8 * b.all.size() < std::size_t{64} << 20);
}

TEST_CASE("attention in blocks: outputs and gradients have the bits that are stored", "[hashes]") {
  // 3 heads that share keys, 70 queries and 150 keys of dim 24, values of dim 20; causal from offset 90, a compact bias
  // of -infinity from entry 180 on. Outputs, weights, then the gradients of query, key, value and bias. query, key,
  // value, bias and the output's gradient are fractions of the seeds 22 to 26.
  const BatchedAttentionShape shape{1, 3, 1, 70, 150, 24, 20};
  const auto query = fractions(5040, 22), key = fractions(3600, 23), value = fractions(3000, 24);
  auto bias = fractions(219, 25);
  std::fill(bias.begin() + 180, bias.end(), -float_infinity);
  posenc::AttentionOptions options{
      .scale = 0.7, .bias = bias, .bias_shape = {1, 1, 1, 219}, .bias_form = BiasForm::compact};
  options.mask = {.causal = true, .query_offset = 90};
  const auto results = [&](SumPrecision precision) {
    options.precision = precision;
    std::vector<Floats> out{Floats(4200), Floats(31500), Floats(5040), Floats(3600), Floats(3000), Floats(219)};
    value_of(posenc::attention(shape, options, {query, key, value}, out[1], out[0]));
    value_of(posenc::attention_backward(shape, options, {query, key, value}, fractions(4200, 26),
                                        {out[2], out[3], out[4], out[5]}));
    return out;
  };
  const auto fast = results(SumPrecision::float32), exact = results(SumPrecision::exact);
  testing::check_hash("attention in blocks", "d01d53e27d7e1fd4",
                      {fast[0], fast[1], fast[2], fast[3], fast[4], fast[5]});
  testing::check_hash("attention in blocks, exact", "084efedd5d732421",
                      {exact[0], exact[1], exact[2], exact[3], exact[4], exact[5]});
}
