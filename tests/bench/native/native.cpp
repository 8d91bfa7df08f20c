// The C++ library beside what the machine does at best with the same memory: rotations of [tokens, 32, 128] in place
// beside multiplying it, of 16-bit values beside as many of float32; tables with all set-up beside filling it. Both run
// in every round, so that what else the machine does slows both, and their ratio is taken round by round.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "posenc/rotary/rotary.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace {

using posenc::Layout;
using posenc::Positions;

constexpr int rounds = 25;
constexpr std::int64_t heads = 32, dim = 128;

template <class T>
T value_of(posenc::Expected<T> made) {
  if (!made) std::fprintf(stderr, "%s\n", made.error().message().c_str()), std::abort();
  if constexpr (!std::is_void_v<T>) return std::move(*made);
}

/// The milliseconds of `run`, repeated while it works on less than 1 MB.
template <class Run>
double milliseconds(std::size_t bytes, const Run& run) {
  const std::size_t repeats = std::max<std::size_t>(1, (std::size_t{1} << 20) / bytes);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < repeats; ++i) {
    run();
    asm volatile("" ::: "memory");
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  return taken.count() / static_cast<double>(repeats);
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + rounds / 2);
  return values[rounds / 2];
}

template <class Work, class Limit>
void race(const char* name, std::int64_t rows, std::size_t bytes, const Work& work, const Limit& limit) {
  std::vector<double> times, shares;
  for (int round = 0; round < rounds; ++round) {
    const double bound = milliseconds(bytes, limit), own = milliseconds(bytes, work);
    times.push_back(own), shares.push_back(bound / own);
  }
  std::printf("%-28s %7lld rows %9.4f ms %6.3f of the limit\n", name, static_cast<long long>(rows), median(times),
              median(shares));
}

void rotation(const char* name, Layout layout, std::int64_t tokens) {
  const auto shape = value_of(posenc::SequenceShape::make(std::array{tokens, heads, dim}, {.sequence = 0}));
  const auto rotary = value_of(posenc::Rotary::make({.dim = dim, .layout = layout}));
  std::vector<float> x(shape.size(), 0.5F), y = x;
  volatile float one = 1;
  double first = 0;  // each call is at other positions
  const auto apply = [&](auto span) {
    value_of(rotary.apply(span, shape, Positions::range(shape.sequence(), ++first)));
  };
  race(
      name, tokens, x.size() * sizeof(float), [&] { apply(std::span(x)); },
      [&, factor = one] {
        for (float& value : y) value *= factor;
      });
  if (tokens != 256) return;
  std::vector<posenc::Float16> half(x.size());
  std::vector<posenc::BFloat16> brain(x.size());
  const std::size_t bytes = x.size() * sizeof(posenc::Float16);
  race("  float16, beside float32", tokens, bytes, [&] { apply(std::span(half)); }, [&] { apply(std::span(x)); });
  race("  bfloat16, beside float32", tokens, bytes, [&] { apply(std::span(brain)); }, [&] { apply(std::span(x)); });
}

void table(const char* name, posenc::Precision precision, std::size_t rows, std::int64_t width) {
  std::vector<float> out(rows * static_cast<std::size_t>(width));
  const std::size_t bytes = out.size() * sizeof(float);
  const auto write = [&] {
    const auto encoding = value_of(posenc::Sinusoidal::make({.frequencies = {.dim = width}}));
    value_of(encoding.table(Positions::range(rows), out, precision));
  };
  race(name, static_cast<std::int64_t>(rows), bytes, write, [&] { std::memset(out.data(), 1, bytes); });
}

}  // namespace

int main() {
  for (const std::int64_t tokens : {1, 256, 2048}) {
    rotation("RoPE half", Layout::half, tokens);
    rotation("RoPE interleaved", Layout::interleaved, tokens);
  }
  for (const auto& [rows, width] : {std::pair<std::size_t, std::int64_t>{2048, 512}, {8192, 1024}, {131072, 128}}) {
    table("table, exact", posenc::Precision::exact, rows, width);
    table("table, fast", posenc::Precision::fast, rows, width);
  }
}
