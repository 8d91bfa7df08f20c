// Attention biases [32, 1024, 1024], beside filling the same memory.
#include <cstddef>
#include <vector>

#include "against.hpp"
#include "posenc/relative/alibi.hpp"
#include "posenc/relative/t5.hpp"

namespace {

using namespace native_bench;
using posenc::Future;

constexpr posenc::BiasShape shape{.heads = 32, .queries = 1024, .keys = 1024};
constexpr std::size_t size = std::size_t{32} * 1024 * 1024;

void alibi(benchmark::State& state) {
  const auto positions = value_of(posenc::RelativePositions::make(shape));
  std::vector<float> compact(positions.heads() * positions.distances()), out(size), filled(size);
  const auto work = [&] {
    succeed(posenc::alibi_bias({}, positions, Future::keep, compact));
    succeed(posenc::relative_expand(positions, 1, compact, out));
    benchmark::ClobberMemory();
  };
  against(state, "fill", size * sizeof(float), work, [&] { fill(filled); });
}
BENCHMARK(alibi)->UseManualTime();

void t5(benchmark::State& state) {
  const auto positions = value_of(posenc::RelativePositions::make(shape));
  const posenc::T5Options options;
  const auto buckets = value_of(posenc::T5Buckets::make(options));
  const std::vector<float> table(static_cast<std::size_t>(options.buckets * shape.heads), 0.25f);
  std::vector<float> compact(positions.heads() * positions.distances()), out(size), filled(size);
  const auto work = [&] {
    succeed(buckets.bias(positions, Future::keep, table, compact));
    succeed(posenc::relative_expand(positions, 1, compact, out));
    benchmark::ClobberMemory();
  };
  against(state, "fill", size * sizeof(float), work, [&] { fill(filled); });
}
BENCHMARK(t5)->UseManualTime();

}  // namespace
