/// Attention of few queries, and of keys and values as a cache holds them.

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "attention/attention_testing.hpp"
#include "posenc/attention/attention.hpp"
#include "testing/testing.hpp"

using posenc::BatchedAttentionShape;
using posenc::BiasForm;
using posenc::CacheAxes;
using posenc::CachedAttentionInputs;
using posenc::ConstSpan16;
using posenc::ConstStored;
using posenc::DType;
using posenc::SumPrecision;
using testing::AttentionCase;
using testing::fractions;
using testing::same_bits;
using testing::value_of;

namespace {

using Floats = std::vector<float>;

constexpr DType dtypes[] = {DType::float32, DType::float16, DType::bfloat16};

/// Keys or values of [batch, kv_heads, keys, width] in a cache of this capacity, whose other values are NaN.
struct Cache {
  Cache(const Floats& values, const BatchedAttentionShape& shape, std::size_t width, std::size_t capacity,
        CacheAxes axes, DType its_dtype)
      : dtype(its_dtype),
        floats(shape.batch * shape.kv_heads * capacity * width, std::numeric_limits<float>::quiet_NaN()),
        bits(floats.size()) {
    for (std::size_t row = 0; row < shape.batch * shape.kv_heads; ++row)
      for (std::size_t k = 0; k < shape.keys; ++k) {
        const std::size_t b = row / shape.kv_heads, h = row % shape.kv_heads;
        const std::size_t at =
            axes == CacheAxes::heads_first ? row * capacity + k : (b * capacity + k) * shape.kv_heads + h;
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>((row * shape.keys + k) * width), width,
                    floats.begin() + static_cast<std::ptrdiff_t>(at * width));
      }
    if (dtype != DType::float32) value_of(posenc::convert(floats, posenc::Span16(dtype, bits)));
  }

  [[nodiscard]] ConstStored view() const {
    return dtype == DType::float32 ? ConstStored(floats) : ConstStored(ConstSpan16(dtype, bits));
  }

  DType dtype;
  Floats floats;
  std::vector<std::uint16_t> bits;
};

/// Rounds values to the dtype.
Floats rounded(Floats values, DType dtype) {
  if (dtype == DType::float32) return values;
  std::vector<std::uint16_t> bits(values.size());
  value_of(posenc::convert(values, posenc::Span16(dtype, bits)));
  value_of(posenc::convert(ConstSpan16(dtype, bits), values));
  return values;
}

/// The outputs and weights of a case whose keys and values are in caches.
AttentionCase cached(AttentionCase c, std::size_t capacity, CacheAxes axes, DType key_type, DType value_type) {
  const Cache key(c.key, c.shape, c.shape.dim, capacity, axes, key_type);
  const Cache value(c.value, c.shape, c.shape.value_dim, capacity, axes, value_type);
  c.resize();
  value_of(
      posenc::attention(c.shape, c.options, {c.query, key.view(), value.view(), capacity, axes}, c.weights, c.output));
  return c;
}

}  // namespace

TEST_CASE("cached attention: one to eight queries have the bits of their rows of the whole", "[attention]") {
  testing::Generator generator(790);
  constexpr std::size_t queries = 41;
  for (const SumPrecision precision : {SumPrecision::float32, SumPrecision::exact})
    for (const std::size_t kv_heads : {1U, 2U, 4U})
      for (const std::size_t keys : {1U, 8U, 63U, 260U, 1001U})
        for (const std::size_t dim : {64U, 36U, 5U}) {
          if (keys > 500 && (precision == SumPrecision::exact || dim == 5)) continue;
          const std::size_t value_dim = dim == 36 ? 64 : dim;
          AttentionCase whole(
              {.heads = 4, .kv_heads = kv_heads, .queries = queries, .keys = keys, .dim = dim, .value_dim = value_dim},
              generator);
          whole.options.precision = precision;
          // ALiBi's form, and a window.
          const auto compact = fractions(4 * (queries + keys - 1), generator.next());
          const bool is_biased = generator.below(2) == 0;
          if (is_biased) {
            whole.options.bias = compact;
            whole.options.bias_shape = {1, 4, 1, queries + keys - 1};
            whole.options.bias_form = BiasForm::compact;
          }
          std::vector<std::uint8_t> window(queries * keys);
          for (std::size_t i = 0; i < queries; ++i)
            for (std::size_t j = 0; j < keys; ++j)
              window[i * keys + j] = j + 90 > i * keys / queries && j < keys - keys / 9;
          if (generator.below(2) == 0) whole.options.mask = {.pairs = window, .pairs_shape = {1, 1, queries, keys}};
          whole.forward();
          for (std::size_t count = 1; count <= 8; ++count) {
            const std::size_t first = generator.below(queries - count + 1);
            AttentionCase part(whole.shape, generator);
            part.shape.queries = count;
            part.key = whole.key;
            part.value = whole.value;
            part.options = whole.options;
            part.query.clear();
            Floats bias;
            for (std::size_t h = 0; h < 4; ++h) {
              const auto from = whole.query.begin() + static_cast<std::ptrdiff_t>((h * queries + first) * dim);
              part.query.insert(part.query.end(), from, from + static_cast<std::ptrdiff_t>(count * dim));
              const auto entries =
                  std::span(compact).subspan(h * (queries + keys - 1) + queries - first - count, count + keys - 1);
              bias.insert(bias.end(), entries.begin(), entries.end());
            }
            if (is_biased) {
              part.options.bias = bias;
              part.options.bias_shape.keys = count + keys - 1;
            }
            if (!part.options.mask.pairs.empty()) {
              part.options.mask.pairs = std::span(window).subspan(first * keys, count * keys);
              part.options.mask.pairs_shape.queries = count;
            }
            part.weights.assign(4 * count * keys, 0);
            part.output.assign(4 * count * value_dim, 0);
            part.forward();
            INFO(count << " queries from " << first << ", " << keys << " keys of " << dim << ", " << kv_heads);
            for (std::size_t h = 0; h < 4; ++h) {
              REQUIRE(same_bits(std::span(part.output).subspan(h * count * value_dim, count * value_dim),
                                std::span(whole.output).subspan((h * queries + first) * value_dim, count * value_dim)));
              REQUIRE(same_bits(std::span(part.weights).subspan(h * count * keys, count * keys),
                                std::span(whole.weights).subspan((h * queries + first) * keys, count * keys)));
            }
          }
        }
}

TEST_CASE("cached attention: as they lie, of any dtype, the bits of the same values in order", "[attention]") {
  testing::Generator generator(791);
  for (const SumPrecision precision : {SumPrecision::float32, SumPrecision::exact})
    for (const DType key_type : dtypes)
      for (const DType value_type : dtypes)
        for (const CacheAxes axes : {CacheAxes::heads_first, CacheAxes::sequence_first})
          for (const std::size_t queries : {1U, 3U, 8U, 40U}) {
            const std::size_t keys = 1 + generator.below(150), dim = 8 * (1 + generator.below(9)) + generator.below(2);
            AttentionCase c({.batch = 2,
                             .heads = 4,
                             .kv_heads = 2,
                             .queries = queries,
                             .keys = keys,
                             .dim = dim,
                             .value_dim = 72 - dim / 2},
                            generator);
            c.options.precision = precision;
            c.options.mask = {.causal = true, .query_offset = static_cast<std::int64_t>(keys / 2)};
            c.key = rounded(c.key, key_type);
            c.value = rounded(c.value, value_type);
            c.forward();
            for (const std::size_t capacity : {keys, keys + 37}) {
              const AttentionCase found = cached(c, capacity, axes, key_type, value_type);
              REQUIRE(same_bits(found.output, c.output));
              REQUIRE(same_bits(found.weights, c.weights));
            }
            if (queries != 3 || precision == SumPrecision::exact) continue;
            const auto exact = reference::attend(c.problem(), c.arguments());
            CHECK(reference::worst_share(c.output, exact.output, c.output_tolerance()) <= 1);
          }
}

TEST_CASE("cached attention: values that are not finite, and the smallest, in 16 bits", "[attention]") {
  testing::Generator generator(792);
  for (const DType dtype : {DType::float16, DType::bfloat16})
    for (const std::size_t queries : {1U, 2U, 5U})
      for (const float scale : {1.0f, 1e30f, 1e-30f}) {
        AttentionCase c({.heads = 2, .kv_heads = 2, .queries = queries, .keys = 90, .dim = 32, .value_dim = 32},
                        generator);
        for (float& x : c.query) x *= scale;
        c.options.scale = 1 / static_cast<double>(scale);
        // Subnormal float16, then what has no finite value there.
        for (std::size_t k = 0; k < c.key.size(); k += 7) c.key[k] *= 0x1p-20f;
        for (std::size_t k = 0; k < c.value.size(); k += 5) c.value[k] *= 0x1p-20f;
        for (const float bad : {0.0f, testing::float_infinity, -std::numeric_limits<float>::quiet_NaN(), 65504.0f}) {
          c.key[40 * 32 + 9] = bad;
          c.value[17 * 32 + 3] = bad;
          c.key = rounded(c.key, dtype);
          c.value = rounded(c.value, dtype);
          c.forward();
          const AttentionCase found = cached(c, 96, CacheAxes::sequence_first, dtype, dtype);
          REQUIRE(same_bits(found.output, c.output));
          REQUIRE(same_bits(found.weights, c.weights));
        }
      }
}

TEST_CASE("cached attention: what does not fit is an error, and nothing is written", "[attention]") {
  testing::Generator generator(793);
  AttentionCase c({.heads = 2, .kv_heads = 2, .queries = 1, .keys = 6, .dim = 4, .value_dim = 4}, generator);
  const auto attempt = [&](std::size_t capacity) {
    const CachedAttentionInputs inputs{c.query, c.key, c.value, capacity};
    return posenc::attention(c.shape, c.options, inputs, {}, c.output);
  };
  testing::require_error(attempt(5), "keys", "6");
  testing::require_error(attempt(7), "key", "48");
  CHECK(testing::is_untouched(c.output));
  c.shape.keys = 5;
  value_of(attempt(6));
}

TEST_CASE("cached attention: ALiBi is the bias of its formula, from each query's index on", "[attention]") {
  testing::Generator generator(794);
  for (const std::size_t heads : {1U, 8U, 12U})
    for (const SumPrecision precision : {SumPrecision::float32, SumPrecision::exact}) {
      AttentionCase c({.batch = 2, .heads = heads, .kv_heads = 1, .queries = 5, .keys = 150, .dim = 8, .value_dim = 3},
                      generator);
      c.options.precision = precision;
      const std::vector<std::int64_t> offsets{145, 60};
      c.options.mask = {.causal = heads == 8, .query_offsets = offsets};
      AttentionCase explicit_bias = c;
      c.options.alibi = true;
      c.forward();
      // 2^(-8 (h + 1) / n) of n heads; beyond the last power of two, every other one of twice as many.
      const std::size_t lower = std::size_t{1} << (std::bit_width(heads) - 1);
      for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t h = 0; h < heads; ++h)
          for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t j = 0; j < 150; ++j) {
              const auto up = static_cast<long double>(h < lower ? 2 * (h + 1) : 2 * (h - lower) + 1);
              const auto slope = std::exp2(-8 * up / static_cast<long double>(2 * lower));
              const auto distance = static_cast<std::int64_t>(j) - offsets[b] - static_cast<std::int64_t>(i);
              explicit_bias.bias.push_back(static_cast<float>(-slope * static_cast<long double>(std::abs(distance))));
            }
      explicit_bias.options.bias = explicit_bias.bias;
      explicit_bias.options.bias_shape = c.pairs();
      explicit_bias.forward();
      CHECK(same_bits(c.output, explicit_bias.output));
      CHECK(same_bits(c.weights, explicit_bias.weights));
    }
}

TEST_CASE("cached attention: rows read the sequences they name, and queries lie in either order", "[attention]") {
  testing::Generator generator(795);
  const std::vector<std::int64_t> sequences{2, 0};
  AttentionCase all({.batch = 3, .heads = 4, .kv_heads = 2, .queries = 3, .keys = 70, .dim = 8, .value_dim = 5},
                    generator);
  AttentionCase some = all;
  some.shape.batch = 2;
  some.query.clear();
  all.forward();
  // [batch, queries, heads, dim] of the named sequences.
  for (const std::int64_t b : sequences)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t h = 0; h < 4; ++h) {
        const std::size_t row = (static_cast<std::size_t>(b) * 4 + h) * 3 + i;
        const auto from = all.query.begin() + static_cast<std::ptrdiff_t>(row * 8);
        some.query.insert(some.query.end(), from, from + 8);
      }
  CachedAttentionInputs inputs{some.query, some.key, some.value};
  inputs.query_axes = CacheAxes::sequence_first;
  inputs.sequences = sequences;
  inputs.cache_batch = 3;
  Floats output(std::size_t{2} * 3 * 4 * 5);
  value_of(posenc::attention(some.shape, some.options, inputs, {}, output));
  for (std::size_t row = 0; row < 24; ++row) {
    const std::size_t b = static_cast<std::size_t>(sequences[row / 12]), i = row / 4 % 3, h = row % 4;
    CHECK(
        same_bits(std::span(output).subspan(row * 5, 5), std::span(all.output).subspan(((b * 4 + h) * 3 + i) * 5, 5)));
  }
  const std::vector<std::int64_t> beyond{2, 3};
  inputs.sequences = beyond;
  testing::require_error(posenc::attention(some.shape, some.options, inputs, {}, output), "cache.sequences", "3");
}

TEST_CASE("cached attention: in float32 alone, the bits of the other", "[attention]") {
  testing::Generator generator(796);
  for (int round = 0; round < 300; ++round) {
    auto shape = testing::random_batched_shape(generator);
    if (round % 3 == 0) shape = {.heads = 4, .kv_heads = 2, .queries = 40, .keys = 200, .dim = 8, .value_dim = 16};
    AttentionCase c(shape, generator);
    testing::randomize(c, generator);
    c.options.dropout = {};
    c.options.mask.pairs = {};
    c.options.bias_shape = {1, c.shape.heads, c.shape.queries, c.shape.keys};
    if (!c.bias.empty()) c.bias = fractions(c.shape.heads * c.shape.queries * c.shape.keys, generator.next());
    c.options.bias = c.bias;
    c.options.alibi = generator.below(2) == 0;
    const DType dtype = dtypes[generator.below(3)];
    const Cache key(c.key, c.shape, c.shape.dim, c.shape.keys, CacheAxes::heads_first, dtype);
    const Cache value(c.value, c.shape, c.shape.value_dim, c.shape.keys, CacheAxes::heads_first, dtype);
    const CachedAttentionInputs inputs{c.query, key.view(), value.view()};
    value_of(posenc::attention(c.shape, c.options, inputs, c.weights, c.output));
    Floats weights(c.weights.size()), output(c.output.size());
    value_of(posenc::float32_attention(c.shape, c.options, inputs, weights, output));
    REQUIRE(same_bits(output, c.output));
    REQUIRE(same_bits(weights, c.weights));
  }
}
