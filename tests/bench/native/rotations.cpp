// Rotations of [tokens, 32, 128] in place, beside multiplying the same memory in place; of 16-bit data, beside the
// rotation of as many float32.
#include <array>
#include <cstdint>
#include <vector>

#include "against.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/rotary_cache.hpp"

namespace {

using namespace native_bench;
using posenc::CacheForm;
using posenc::Layout;
using posenc::Positions;
using posenc::Rotary;
using posenc::SequenceShape;

constexpr std::int64_t heads = 32, dim = 128;
constexpr std::int64_t of_4_mb = 256, of_32_mb = 2048;  // tokens

SequenceShape shape_of(std::int64_t tokens) {
  return value_of(SequenceShape::make(std::array{tokens, heads, dim}, {.sequence = 0}));
}

Rotary rotary_of(Layout layout) { return value_of(Rotary::make({.dim = dim, .layout = layout})); }

/// Values no rotation takes out of the ordinary numbers.
std::vector<float> some(const SequenceShape& shape) { return std::vector<float>(shape.size(), 0.5f); }

void rotation(benchmark::State& state, Layout layout) {
  const auto shape = shape_of(state.range(0));
  const auto rotary = rotary_of(layout);
  std::vector<float> x = some(shape), y = x;
  double first = 0;  // a decoder's next token is at another position
  const auto work = [&] {
    succeed(rotary.apply(x, shape, Positions::range(shape.sequence(), first++)));
    benchmark::ClobberMemory();
  };
  against(state, "multiply", x.size() * sizeof(float), work, [&] { multiply(y); });
}

/// The first token without the building of its cosines and sines, too.
void rotation_with_cache(benchmark::State& state, Layout layout) {
  const auto shape = shape_of(state.range(0));
  const auto rotary = rotary_of(layout);
  const auto rows = Positions::range(shape.sequence());
  std::vector<float> cosines(shape.sequence() * dim / 2), sines(cosines.size());
  succeed(write_rotary_cache(rotary, CacheForm::onnx, rows, cosines, sines));
  const posenc::RotaryCache cache{CacheForm::onnx, dim, cosines, sines};
  std::vector<float> x = some(shape), y = x;
  const auto work = [&] {
    succeed(rotate_with_cache(cache, layout, x, shape, rows));
    benchmark::ClobberMemory();
  };
  against(state, "multiply", x.size() * sizeof(float), work, [&] { multiply(y); });
}

template <class Half>
void stored_rotation(benchmark::State& state, Layout layout) {
  const auto shape = shape_of(of_4_mb);
  const auto rotary = rotary_of(layout);
  const auto rows = Positions::range(shape.sequence());
  std::vector<float> y = some(shape);
  std::vector<Half> x(y.size());
  succeed(posenc::convert(y, std::span(x)));
  const auto work = [&] {
    succeed(rotary.apply(std::span(x), shape, rows));
    benchmark::ClobberMemory();
  };
  const auto float32 = [&] {
    succeed(rotary.apply(y, shape, rows));
    benchmark::ClobberMemory();
  };
  against(state, "float32", x.size() * sizeof(Half), work, float32);
}

void float16(benchmark::State& state, Layout layout) { stored_rotation<posenc::Float16>(state, layout); }
void bfloat16(benchmark::State& state, Layout layout) { stored_rotation<posenc::BFloat16>(state, layout); }

void lengths(benchmark::internal::Benchmark* bench) { bench->Arg(1)->Arg(of_4_mb)->Arg(of_32_mb)->UseManualTime(); }
BENCHMARK_CAPTURE(rotation_with_cache, half, Layout::half)->Apply(lengths);
BENCHMARK_CAPTURE(rotation_with_cache, interleaved, Layout::interleaved)->Apply(lengths);
BENCHMARK_CAPTURE(rotation, half, Layout::half)->Apply(lengths);
BENCHMARK_CAPTURE(rotation, interleaved, Layout::interleaved)->Apply(lengths);
BENCHMARK_CAPTURE(float16, half, Layout::half)->UseManualTime();
BENCHMARK_CAPTURE(float16, interleaved, Layout::interleaved)->UseManualTime();
BENCHMARK_CAPTURE(bfloat16, half, Layout::half)->UseManualTime();
BENCHMARK_CAPTURE(bfloat16, interleaved, Layout::interleaved)->UseManualTime();

}  // namespace
