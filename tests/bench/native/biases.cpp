// Attention biases [16, 1024, 1024], beside filling the same memory; CoPE, beside filling what it writes.
#include <cmath>
#include <cstddef>
#include <vector>

#include "against.hpp"
#include "posenc/relative/alibi.hpp"
#include "posenc/relative/cope.hpp"
#include "posenc/relative/fire.hpp"
#include "posenc/relative/kerple.hpp"
#include "posenc/relative/sandwich.hpp"
#include "posenc/relative/swin.hpp"
#include "posenc/relative/t5.hpp"

namespace {

using namespace native_bench;
using posenc::Future;
using posenc::RelativePositions;

constexpr posenc::BiasShape shape{.heads = 16, .queries = 1024, .keys = 1024};
constexpr std::size_t heads = 16, size = heads * 1024 * 1024;

std::vector<float> numbers(std::size_t count) {
  std::vector<float> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<float>(std::sin(static_cast<double>(i)));
  return made;
}

/// `work(out)` beside filling `values` of memory.
template <class Work>
void filling(benchmark::State& state, std::size_t values, const Work& work) {
  std::vector<float> out(values), filled(values);
  const auto whole = [&] {
    succeed(work(std::span(out)));
    benchmark::ClobberMemory();
  };
  against(state, "fill", values * sizeof(float), whole, [&] { fill(filled); });
}

/// A bias of the distance alone: `write(positions, compact)`, and its rows.
template <class Write>
void by_distance(benchmark::State& state, const Write& write) {
  const auto positions = value_of(RelativePositions::make(shape));
  std::vector<float> compact(positions.heads() * positions.distances());
  filling(state, size, [&](std::span<float> out) {
    succeed(write(positions, std::span(compact)));
    return posenc::relative_expand(positions, 1, compact, out);
  });
}

void alibi(benchmark::State& state) {
  by_distance(state, [](const RelativePositions& positions, std::span<float> compact) {
    return posenc::alibi_bias({}, positions, Future::keep, compact);
  });
}
BENCHMARK(alibi)->UseManualTime();

void t5(benchmark::State& state) {
  const posenc::T5Options options;
  const auto buckets = value_of(posenc::T5Buckets::make(options));
  const auto table = numbers(static_cast<std::size_t>(options.buckets) * heads);
  by_distance(state, [&](const RelativePositions& positions, std::span<float> compact) {
    return buckets.bias(positions, Future::keep, table, compact);
  });
}
BENCHMARK(t5)->UseManualTime();

void kerple(benchmark::State& state) {
  const std::vector<float> r1(heads, 0.5F), r2(heads, 0.25F);
  by_distance(state, [&](const RelativePositions& positions, std::span<float> compact) {
    return posenc::kerple_bias({.r1 = r1, .r2 = r2}, positions, Future::keep, compact);
  });
}
BENCHMARK(kerple)->UseManualTime();

void sandwich(benchmark::State& state) {
  by_distance(state, [](const RelativePositions& positions, std::span<float> compact) {
    return posenc::sandwich_bias({}, positions, Future::keep, compact);
  });
}
BENCHMARK(sandwich)->UseManualTime();

void swin(benchmark::State& state) {
  const auto table = numbers(63 * 63 * heads);
  filling(state, size,
          [&](std::span<float> out) { return posenc::swin_bias({.height = 32, .width = 32}, heads, table, out); });
}
BENCHMARK(swin)->UseManualTime();

/// With a threshold that no query passes, and with one that half of them do.
void fire(benchmark::State& state, double threshold) {
  constexpr std::size_t hidden = 32;
  const auto weight1 = numbers(hidden), bias1 = numbers(hidden), weight2 = numbers(heads * hidden);
  posenc::FireOptions options;
  options.threshold = threshold;
  options.perceptron = {.weight1 = weight1, .bias1 = bias1, .weight2 = weight2, .bias2 = {}};
  const auto positions = value_of(RelativePositions::make(shape));
  filling(state, size, [&](std::span<float> out) { return posenc::fire_bias(options, positions, Future::keep, out); });
}
BENCHMARK_CAPTURE(fire, below, 1024.0)->UseManualTime();
BENCHMARK_CAPTURE(fire, beyond, 512.0)->UseManualTime();

void cope(benchmark::State& state) {
  constexpr std::size_t count = 8, side = 256, dim = 64;
  const auto query = numbers(count * side * dim), logits = numbers(count * side * side),
             embedding = numbers(side * dim);
  const posenc::CopeInputs inputs{.dim = dim, .query = query, .logits = logits, .embedding = embedding};
  const auto positions = value_of(RelativePositions::make({.heads = count, .queries = side, .keys = side}));
  std::vector<float> counts(count * side * side);
  filling(state, counts.size(),
          [&](std::span<float> out) { return posenc::cope_bias(positions, inputs, out, counts); });
}
BENCHMARK(cope)->UseManualTime();

}  // namespace
