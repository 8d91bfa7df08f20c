// What training takes on a million values, beside copying as many: optimisers, dropout, sums, rows and their gradient,
// conversion.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "against.hpp"
#include "posenc/attention/add.hpp"
#include "posenc/attention/dropout.hpp"
#include "posenc/base/dtype.hpp"
#include "posenc/learned/learned_table.hpp"
#include "posenc/learned/optimizer.hpp"
#include "posenc/rotary/convert_layout.hpp"

namespace {

using namespace native_bench;
using Values = std::vector<float>;

constexpr std::size_t size = std::size_t{1} << 20, tokens = 4096, rows = 2048, dim = size / tokens;

/// Runs `work` and copying beside it.
template <class Work>
void copying(benchmark::State& state, const Work& work) {
  Values to(size), from(size, 1);
  const auto whole = [&] {
    succeed(work());
    benchmark::ClobberMemory();
  };
  against(state, "copy", size * sizeof(float), whole, [&] { copy(to, from); });
}

void adam_step(benchmark::State& state) {
  Values gradient(size, 0.5F), parameters(size, 1), first(size), second(size, 0.1F);
  posenc::AdamOptions options{.lr = 1e-3, .weight_decay = 0.01, .decay = posenc::WeightDecay::decoupled};
  options.step = 3;
  copying(state, [&] { return posenc::adam_step(options, gradient, parameters, first, second); });
}
BENCHMARK(adam_step)->UseManualTime();

void sgd_step(benchmark::State& state) {
  Values gradient(size, 0.5F), parameters(size, 1), buffer(size);
  const posenc::SgdOptions options{.lr = 1e-3, .momentum = 0.9, .step = 2};
  copying(state, [&] { return posenc::sgd_step(options, gradient, parameters, buffer); });
}
BENCHMARK(sgd_step)->UseManualTime();

void dropout(benchmark::State& state) {
  Values x(size, 1), y(size);
  copying(state, [&] { return posenc::dropout({.p = 0.1, .seed = 3}, x, y); });
}
BENCHMARK(dropout)->UseManualTime();

void add(benchmark::State& state) {
  Values x(size, 1), table(size / 4, 1), y(size);
  copying(state, [&] { return posenc::add(x, tokens / 4, dim, table, y); });
}
BENCHMARK(add)->UseManualTime();

std::vector<std::int32_t> some_ids() {
  std::vector<std::int32_t> ids(tokens);
  for (std::size_t i = 0; i < tokens; ++i) ids[i] = static_cast<std::int32_t>(i * 1597 % rows);
  return ids;
}

void lookup_rows(benchmark::State& state) {
  const auto ids = some_ids();
  Values table(rows * dim, 1), y(size);
  copying(state, [&] { return posenc::lookup_rows(table, dim, posenc::TableRows::list(ids), y); });
}
BENCHMARK(lookup_rows)->UseManualTime();

void rows_gradient(benchmark::State& state) {
  const auto ids = some_ids();
  Values gradient(size, 1), table(rows * dim);
  copying(state, [&] { return posenc::rows_gradient(gradient, dim, posenc::TableRows::list(ids), {}, table); });
}
BENCHMARK(rows_gradient)->UseManualTime();

void convert_layout(benchmark::State& state) {
  Values x(size, 1), y(size);
  const posenc::ConvertLayoutOptions options{
      .dim = 128, .from = posenc::Layout::interleaved, .to = posenc::Layout::half};
  copying(state, [&] { return posenc::convert_layout(options, 1, x, y); });
}
BENCHMARK(convert_layout)->UseManualTime();

template <class Half>
void convert(benchmark::State& state) {
  Values x(size, 1);
  std::vector<Half> y(size);
  copying(state, [&] { return posenc::convert(x, std::span(y)); });
}
BENCHMARK(convert<posenc::Float16>)->UseManualTime();
BENCHMARK(convert<posenc::BFloat16>)->UseManualTime();

}  // namespace
