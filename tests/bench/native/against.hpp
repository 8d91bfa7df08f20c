#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "posenc/base/error.hpp"

// A workload beside what the machine can do at best: both run in every round, so that what else the machine does
// slows both, and their ratio is taken round by round.

namespace native_bench {

[[noreturn]] inline void give_up(const posenc::Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  std::abort();
}

/// The value of a call that cannot fail here.
template <class T>
T value_of(posenc::Expected<T> made) {
  if (!made) give_up(made.error());
  return std::move(*made);
}

inline void succeed(const posenc::Expected<void>& done) {
  if (!done) give_up(done.error());
}

inline void fill(std::span<float> x) {
  std::memset(x.data(), 1, x.size_bytes());
  benchmark::ClobberMemory();
}

inline void copy(std::span<float> to, std::span<const float> from) {
  std::memcpy(to.data(), from.data(), to.size_bytes());
  benchmark::ClobberMemory();
}

inline void multiply(std::span<float> x) {
  float factor = 1;
  benchmark::DoNotOptimize(factor);
  for (float& value : x) value *= factor;
  benchmark::ClobberMemory();
}

/// Times `work`, of `bytes`, and counts how fast it is beside `limit`: 1 is as fast. Short work is repeated until the
/// clock's resolution does not matter.
template <class Work, class Limit>
void against(benchmark::State& state, const char* limit_name, std::size_t bytes, const Work& work, const Limit& limit) {
  using Clock = std::chrono::steady_clock;
  const std::size_t repeats = std::max<std::size_t>(1, (std::size_t{1} << 20) / bytes);
  const auto seconds = [repeats](const auto& run) {
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < repeats; ++i) run();
    return std::chrono::duration<double>(Clock::now() - begin).count() / static_cast<double>(repeats);
  };
  seconds(work);
  seconds(limit);
  std::vector<double> ratios;
  for (auto _ : state) {
    const double bound = seconds(limit), own = seconds(work);
    state.SetIterationTime(own);
    ratios.push_back(bound / own);
  }
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::ranges::nth_element(ratios, middle);
  state.counters[std::string("of_") + limit_name] = *middle;
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

}  // namespace native_bench
