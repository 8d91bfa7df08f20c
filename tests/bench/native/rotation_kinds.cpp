// Every kind of rotation of [512, 32, 128] in place, beside the usual one of halves.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "against.hpp"
#include "posenc/grid/mrope.hpp"
#include "posenc/grid/rotary_grid.hpp"
#include "posenc/grid/rotary_mixed.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/xpos.hpp"

namespace {

using namespace native_bench;
using posenc::Layout;
using posenc::PointRotary;
using posenc::Positions;
using posenc::Rotary;
using posenc::SequenceShape;

constexpr std::int64_t tokens = 512, heads = 32, dim = 128;

SequenceShape usual_shape() { return value_of(SequenceShape::make(std::array{tokens, heads, dim})); }
Rotary rotary_of(Layout layout) { return value_of(Rotary::make({.dim = dim, .layout = layout})); }

/// `work(x)` beside RoPE half of as many values.
template <class Work>
void beside_half(benchmark::State& state, const Work& work) {
  const auto shape = usual_shape();
  const auto half = rotary_of(Layout::half);
  std::vector<float> x(shape.size(), 0.5F), y = x;
  const auto whole = [&] {
    succeed(work(std::span(x)));
    benchmark::ClobberMemory();
  };
  const auto usual = [&] {
    succeed(half.apply(y, shape, Positions::range(tokens)));
    benchmark::ClobberMemory();
  };
  against(state, "half", x.size() * sizeof(float), whole, usual);
}

void deinterleaved(benchmark::State& state) {
  const auto shape = usual_shape();
  const auto rotary = rotary_of(Layout::deinterleaved);
  beside_half(state, [&](std::span<float> x) { return rotary.apply(x, shape, Positions::range(tokens)); });
}
BENCHMARK(deinterleaved)->UseManualTime();

void dims_not_last(benchmark::State& state) {
  const auto shape = value_of(SequenceShape::make(std::array{heads, dim, tokens}, {.sequence = 2, .dim = 1}));
  const auto rotary = rotary_of(Layout::half);
  beside_half(state, [&](std::span<float> x) { return rotary.apply(x, shape, Positions::range(tokens)); });
}
BENCHMARK(dims_not_last)->UseManualTime();

/// Now the one side, now the other: values stay as large as they are.
void xpos(benchmark::State& state) {
  const auto shape = usual_shape();
  const auto made = value_of(
      posenc::Xpos::make({.rotary = {.dim = dim, .layout = Layout::half}, .centre = static_cast<double>(tokens) / 2}));
  auto side = posenc::XposSide::query, other = posenc::XposSide::key;
  beside_half(state, [&](std::span<float> x) {
    std::swap(side, other);
    return made.apply(x, shape, Positions::range(tokens), side);
  });
}
BENCHMARK(xpos)->UseManualTime();

/// A rotation of points with `axes` coordinates.
void points(benchmark::State& state, const PointRotary& rotary) {
  const auto shape = usual_shape();
  std::vector<double> coordinates(static_cast<std::size_t>(tokens) * rotary.axes());
  for (std::size_t i = 0; i < coordinates.size(); ++i) coordinates[i] = static_cast<double>(i * 7 % 32);
  beside_half(state, [&](std::span<float> x) { return rotary.apply(x, shape, posenc::Points::rows(coordinates)); });
}

void grid(benchmark::State& state) {
  posenc::RotaryGridChoice choice;
  choice.dim = dim;
  choice.layout = Layout::half;
  choice.axes = 2;
  const auto plan = value_of(posenc::resolve(choice));
  points(state, value_of(posenc::rotary_grid(plan.rotary)));
}
BENCHMARK(grid)->UseManualTime();

void mrope(benchmark::State& state) {
  constexpr std::array<std::int64_t, 3> sections{16, 24, 24};
  points(state, value_of(posenc::mrope({.dim = dim, .layout = Layout::half}, sections, posenc::MropeOrder::chunked)));
}
BENCHMARK(mrope)->UseManualTime();

void mixed(benchmark::State& state) {
  std::vector<double> frequencies(static_cast<std::size_t>(dim));
  for (std::size_t i = 0; i < frequencies.size(); ++i) frequencies[i] = std::sin(static_cast<double>(i));
  points(state, value_of(posenc::rotary_mixed({.dim = dim, .layout = Layout::half}, frequencies)));
}
BENCHMARK(mixed)->UseManualTime();

}  // namespace
