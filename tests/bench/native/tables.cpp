// Sinusoidal tables with all set-up, beside filling the same memory.
#include <cstdint>
#include <vector>

#include "against.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace {

using namespace native_bench;
using posenc::Precision;

void table(benchmark::State& state, Precision precision) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const std::int64_t dim = state.range(1);
  std::vector<float> out(rows * static_cast<std::size_t>(dim)), filled(out.size());
  const auto work = [&] {
    const auto encoding = value_of(posenc::Sinusoidal::make({.frequencies = {.dim = dim}}));
    succeed(encoding.table(posenc::Positions::range(rows), out, precision));
    benchmark::ClobberMemory();
  };
  against(state, "fill", out.size() * sizeof(float), work, [&] { fill(filled); });
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Args({2048, 512})->Args({8192, 1024})->Args({131072, 128})->UseManualTime();
}
BENCHMARK_CAPTURE(table, exact, Precision::exact)->Apply(sizes);
BENCHMARK_CAPTURE(table, fast, Precision::fast)->Apply(sizes);

/// The limits beside one another.
void copying(benchmark::State& state) {
  std::vector<float> to(static_cast<std::size_t>(state.range(0)) * 256), from(to), filled(to);
  against(state, "fill", to.size() * sizeof(float), [&] { copy(to, from); }, [&] { fill(filled); });
}
BENCHMARK(copying)->Arg(16)->Arg(256)->Arg(4096)->Arg(32768)->UseManualTime();

void multiplying(benchmark::State& state) {
  std::vector<float> x(static_cast<std::size_t>(state.range(0)) * 256), filled(x);
  against(state, "fill", x.size() * sizeof(float), [&] { multiply(x); }, [&] { fill(filled); });
}
BENCHMARK(multiplying)->Arg(16)->Arg(256)->Arg(4096)->Arg(32768)->UseManualTime();

}  // namespace
