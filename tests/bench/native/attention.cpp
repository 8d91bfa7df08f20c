// Linear layers and attention, beside as many multiplications and additions in registers; softmax beside copying.
#include "posenc/attention/attention.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "against.hpp"
#include "posenc/attention/linear.hpp"
#include "posenc/attention/softmax.hpp"
#include "posenc/attention/sum_precision.hpp"
#include "posenc/relative/relative_position.hpp"
#include "posenc/relative/shaw.hpp"
#include "posenc/relative/transformer_xl.hpp"

namespace {

using namespace native_bench;
using posenc::SumPrecision;

/// Thirteen chains of vectors, as in yardsticks/registers.cpp, in the width that the compiler is told to use.
void multiply_add(double operations) {
#ifdef __AVX__
  constexpr std::size_t dims = 8;
#else
  constexpr std::size_t dims = 4;
#endif
  using Vector [[gnu::vector_size(dims * sizeof(float))]] = float;
  constexpr std::size_t chains = 13;
  Vector sums[chains] = {};
  const Vector factor = Vector{} + 0.5F, term = Vector{} + 1.0F;
  for (double done = 0; done < operations; done += 8.0 * chains * dims * 2)
    for (int step = 0; step < 8; ++step)
#pragma GCC unroll 13
      for (std::size_t chain = 0; chain < chains; ++chain) sums[chain] = sums[chain] * factor + term;
  for (Vector& sum : sums) benchmark::DoNotOptimize(sum);
}

/// Numbers from -1 to 1.
std::vector<float> numbers(std::size_t count) {
  std::vector<float> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<float>((i * 7919) % 2003) / 1001 - 1;
  return made;
}

struct Layer {
  posenc::LinearExtents extents;
  std::vector<float> x, weight, y;

  explicit Layer(const benchmark::State& state)
      : extents{.rows = static_cast<std::size_t>(state.range(0)),
                .in = static_cast<std::size_t>(state.range(1)),
                .out = static_cast<std::size_t>(state.range(1))},
        x(numbers(extents.rows * extents.in)),
        weight(numbers(extents.out * extents.in)),
        y(numbers(extents.rows * extents.out)) {}

  [[nodiscard]] std::size_t bytes() const { return (x.size() + weight.size() + y.size()) * sizeof(float); }
  [[nodiscard]] double operations() const { return 2.0 * static_cast<double>(x.size() * extents.out); }
};

void linear(benchmark::State& state) {
  Layer layer(state);
  const auto work = [&] {
    succeed(posenc::linear({.weight = layer.weight}, layer.extents, SumPrecision::float32, layer.x, layer.y));
    benchmark::ClobberMemory();
  };
  against(state, "registers", layer.bytes(), work, [&] { multiply_add(layer.operations()); });
}
BENCHMARK(linear)->Args({1024, 256})->Args({256, 32})->UseManualTime();

void linear_backward(benchmark::State& state) {
  const Layer layer(state);
  std::vector<float> dx(layer.x.size()), dw(layer.weight.size()), db(layer.extents.out);
  const auto work = [&] {
    succeed(posenc::linear_backward({.weight = layer.weight}, layer.extents, SumPrecision::float32, layer.x, layer.y,
                                    {dx, dw, db}));
    benchmark::ClobberMemory();
  };
  against(state, "registers", layer.bytes(), work, [&] { multiply_add(2 * layer.operations()); });
}
BENCHMARK(linear_backward)->Args({1024, 256})->Args({256, 32})->UseManualTime();

void softmax(benchmark::State& state) {
  const std::size_t width = 1024;
  const auto x = numbers(width * width);
  std::vector<float> y(x.size()), copied(x.size());
  const auto work = [&] {
    succeed(posenc::softmax(width, SumPrecision::float32, x, y));
    benchmark::ClobberMemory();
  };
  against(state, "copy", x.size() * sizeof(float), work, [&] { copy(copied, x); });
}
BENCHMARK(softmax)->UseManualTime();

struct Attention {
  posenc::BatchedAttentionShape shape;
  std::vector<float> query, key, value, output;
  posenc::ScaledDotProductOptions options;

  Attention(std::size_t heads, std::size_t queries, std::size_t keys, std::size_t dim)
      : shape{.heads = heads, .kv_heads = heads, .queries = queries, .keys = keys, .dim = dim, .value_dim = dim},
        query(numbers(heads * queries * dim)),
        key(numbers(heads * keys * dim)),
        value(numbers(heads * keys * dim)),
        output(query.size()) {
    options.scale = posenc::attention_scale(dim);
  }

  [[nodiscard]] posenc::AttentionInputs inputs() const { return {query, key, value}; }
  [[nodiscard]] double operations() const { return 4.0 * static_cast<double>(query.size() * shape.keys); }
};

constexpr std::size_t heads = 8, length = 512, dim = 64;

void attention(benchmark::State& state, bool causal) {
  Attention given(heads, length, length, dim);
  given.options.mask.causal = causal;
  const auto work = [&] {
    succeed(posenc::scaled_dot_product(given.shape, given.options, given.inputs(), {}, given.output));
    benchmark::ClobberMemory();
  };
  against(state, "registers", given.query.size() * sizeof(float), work, [&] { multiply_add(given.operations()); });
}
BENCHMARK_CAPTURE(attention, whole, false)->UseManualTime();
BENCHMARK_CAPTURE(attention, causal, true)->UseManualTime();

void attention_backward(benchmark::State& state) {
  const Attention given(heads, length, length, dim);
  const auto gradient = numbers(given.output.size());
  std::vector<float> dq(given.query.size()), dk(given.key.size()), dv(given.value.size());
  const auto work = [&] {
    succeed(posenc::scaled_dot_product_backward(given.shape, given.options, given.inputs(), gradient,
                                                {.query = dq, .key = dk, .value = dv}));
    benchmark::ClobberMemory();
  };
  against(state, "registers", given.query.size() * sizeof(float), work,
          [&] { multiply_add(2.5 * given.operations()); });
}
BENCHMARK(attention_backward)->UseManualTime();

/// `work(given, weights)` beside attention without relative positions.
template <class Work>
void beside_attention(benchmark::State& state, const Work& work) {
  Attention given(heads, length, length, dim);
  Attention without = given;
  const auto whole = [&] {
    succeed(work(given));
    benchmark::ClobberMemory();
  };
  const auto plain = [&] {
    succeed(posenc::scaled_dot_product(without.shape, without.options, without.inputs(), {}, without.output));
    benchmark::ClobberMemory();
  };
  against(state, "attention", given.query.size() * sizeof(float), whole, plain);
}

posenc::RelativePositions positions() {
  return value_of(posenc::RelativePositions::make({.heads = heads, .queries = length, .keys = length}));
}

void compact_bias(benchmark::State& state) {
  const auto bias = numbers(heads * (2 * length - 1));
  beside_attention(state, [&](Attention& given) {
    auto options = given.options;
    options.bias = bias;
    options.bias_shape = {1, heads, 1, 2 * length - 1};
    options.bias_form = posenc::BiasForm::compact;
    return posenc::scaled_dot_product(given.shape, options, given.inputs(), {}, given.output);
  });
}
BENCHMARK(compact_bias)->UseManualTime();

void shaw_attention(benchmark::State& state) {
  constexpr std::int64_t most = 32;
  const auto keys = numbers((2 * most + 1) * dim), values = numbers((2 * most + 1) * dim);
  beside_attention(state, [&](Attention& given) {
    return posenc::shaw_attention(positions(),
                                  {.dim = dim,
                                   .value_dim = dim,
                                   .scale = given.options.scale,
                                   .max_distance = most,
                                   .query = given.query,
                                   .key = given.key,
                                   .value = given.value,
                                   .key_table = keys,
                                   .value_table = values},
                                  {}, given.output);
  });
}
BENCHMARK(shaw_attention)->UseManualTime();

void transformer_xl(benchmark::State& state) {
  const auto relative = numbers(heads * (2 * length - 1) * dim), bias = numbers(heads * dim);
  beside_attention(state, [&](Attention& given) {
    return posenc::transformer_xl_attention(positions(),
                                            {.dim = dim,
                                             .value_dim = dim,
                                             .scale = given.options.scale,
                                             .query = given.query,
                                             .key = given.key,
                                             .value = given.value,
                                             .relative = relative,
                                             .content_bias = bias,
                                             .position_bias = bias},
                                            {}, given.output);
  });
}
BENCHMARK(transformer_xl)->UseManualTime();

/// One query a head: keys and values are read once.
void one_query(benchmark::State& state) {
  Attention given(32, 1, 4096, 128);
  const auto work = [&] {
    succeed(posenc::scaled_dot_product(given.shape, given.options, given.inputs(), {}, given.output));
    benchmark::ClobberMemory();
  };
  const auto reading = [&] {
    std::uint32_t seen = 0;
    for (const auto* from : {&given.key, &given.value})
      for (const float x : *from) seen ^= std::bit_cast<std::uint32_t>(x);
    benchmark::DoNotOptimize(seen);
  };
  against(state, "reading", 2 * given.key.size() * sizeof(float), work, reading);
}
BENCHMARK(one_query)->UseManualTime();

}  // namespace
