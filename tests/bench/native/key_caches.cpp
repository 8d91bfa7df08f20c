// Cached keys [512, 32, 128] after edits, in place, beside a plain rotation of as many; of q8_0, beside a plain loop.
// Those of by_heads are [32, 512, 128].
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "against.hpp"
#include "posenc/key_cache/key_ledger.hpp"
#include "posenc/rotary/rotary.hpp"

namespace {

using namespace native_bench;
using posenc::KeyEdit;
using posenc::KeyLedger;
using posenc::Keys;
using posenc::KeyType;
using posenc::Positions;
using posenc::Rotary;
using posenc::SequenceShape;
namespace edit = posenc::edit;

constexpr std::int64_t tokens = 512, heads = 32, dim = 128;

SequenceShape by_tokens() { return value_of(SequenceShape::make(std::array{tokens, heads, dim})); }
SequenceShape by_heads() { return value_of(SequenceShape::make(std::array{heads, tokens, dim}, {.sequence = 1})); }

struct Cache {
  Cache(KeyType of, const SequenceShape& stands) : shape(stands), type(of), bytes(posenc::bytes_of(of, shape.size())) {
    // 0.5 of each type but q8_0, whose blocks are of small numbers.
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::byte>(type == KeyType::q8_0 ? (i % 34 == 1 ? 0x20 : 0) : (i % 2 == 1 ? 0x3a : 0));
  }

  [[nodiscard]] Keys keys() { return {type, bytes, shape, {}}; }

  SequenceShape shape;
  KeyType type;
  std::vector<std::byte> bytes;
};

Rotary rotary_of() { return value_of(Rotary::make({.dim = dim, .layout = posenc::Layout::half})); }

std::vector<double> positions_of(std::int64_t count) {
  std::vector<double> positions(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<double>(i);
  return positions;
}

/// Dequantises, rotates and quantises again, head by head.
void rotate_blocks(std::vector<std::byte>& bytes, const std::vector<float>& cosines, const std::vector<float>& sines) {
  constexpr std::size_t pairs = dim / 2, blocks = dim / 32;
  for (std::size_t head = 0; head < static_cast<std::size_t>(tokens * heads); ++head) {
    std::array<float, dim> x{};
    std::byte* const first = bytes.data() + head * blocks * 34;
    for (std::size_t block = 0; block < blocks; ++block) {
      // 1 / 128, which is what all blocks here have.
      for (std::size_t i = 0; i < 32; ++i)
        x[block * 32 + i] = 0.0078125F * static_cast<float>(static_cast<std::int8_t>(first[block * 34 + 2 + i]));
    }
    for (std::size_t i = 0; i < pairs; ++i) {
      const float a = x[i], b = x[i + pairs], c = cosines[i], s = sines[i];
      x[i] = a * c - b * s;
      x[i + pairs] = a * s + b * c;
    }
    for (std::size_t block = 0; block < blocks; ++block) {
      float most = 0;
      for (std::size_t i = 0; i < 32; ++i) most = std::max(most, std::fabs(x[block * 32 + i]));
      const float inverse = most > 0 ? 127 / most : 0;
      for (std::size_t i = 0; i < 32; ++i)
        first[block * 34 + 2 + i] =
            static_cast<std::byte>(static_cast<std::int8_t>(std::round(x[block * 32 + i] * inverse)));
    }
  }
}

/// `edits` of new ledgers, again and again, beside Rotary::apply.
template <class Make>
void edited(benchmark::State& state, KeyType type, const SequenceShape& shape, const Make& edits) {
  const auto rotary = rotary_of();
  Cache cache(type, shape), other(type, shape);
  const auto positions = positions_of(tokens);
  auto ledger = value_of(KeyLedger::make({.rotation = rotary}, cache.keys(), positions));
  double by = 3;
  const auto work = [&] {
    by = -by;
    const std::vector<KeyEdit> all = edits(by);
    succeed(ledger.edit(cache.keys(), all));
    benchmark::ClobberMemory();
  };
  std::vector<float> cosines(dim / 2), sines(dim / 2);
  for (std::size_t i = 0; i < cosines.size(); ++i)
    cosines[i] = std::cos(static_cast<float>(i)), sines[i] = std::sin(static_cast<float>(i));
  const auto usual = [&] {
    if (type == KeyType::q8_0)
      rotate_blocks(other.bytes, cosines, sines);
    else if (type == KeyType::float32)
      succeed(rotary.apply({reinterpret_cast<float*>(other.bytes.data()), cache.shape.size()}, cache.shape,
                           Positions::range(tokens)));
    else
      succeed(rotary.apply(posenc::Span16(type == KeyType::float16 ? posenc::DType::float16 : posenc::DType::bfloat16,
                                          {reinterpret_cast<std::uint16_t*>(other.bytes.data()), cache.shape.size()}),
                           cache.shape, Positions::range(tokens)));
    benchmark::ClobberMemory();
  };
  against(state, "plain", cache.bytes.size(), work, usual);
}

std::vector<KeyEdit> shifted(double by) { return {{edit::Shift{{}, {by}}}}; }

/// A token comes behind the others for the one that goes: there are as many as before.
std::vector<KeyEdit> dropped(double) { return {{edit::Drop{{4, 5}}}, {edit::Insert{.at = tokens - 1, .count = 1}}}; }

BENCHMARK_CAPTURE(edited, shift_float32, KeyType::float32, by_tokens(), shifted)->UseManualTime();
BENCHMARK_CAPTURE(edited, shift_float16, KeyType::float16, by_tokens(), shifted)->UseManualTime();
BENCHMARK_CAPTURE(edited, shift_bfloat16, KeyType::bfloat16, by_tokens(), shifted)->UseManualTime();
BENCHMARK_CAPTURE(edited, shift_q8_0, KeyType::q8_0, by_tokens(), shifted)->UseManualTime();
BENCHMARK_CAPTURE(edited, drop_float32, KeyType::float32, by_tokens(), dropped)->UseManualTime();
BENCHMARK_CAPTURE(edited, drop_float16, KeyType::float16, by_tokens(), dropped)->UseManualTime();
BENCHMARK_CAPTURE(edited, drop_bfloat16, KeyType::bfloat16, by_tokens(), dropped)->UseManualTime();
BENCHMARK_CAPTURE(edited, drop_by_heads_float32, KeyType::float32, by_heads(), dropped)->UseManualTime();
BENCHMARK_CAPTURE(edited, drop_by_heads_float16, KeyType::float16, by_heads(), dropped)->UseManualTime();
BENCHMARK_CAPTURE(edited, drop_by_heads_bfloat16, KeyType::bfloat16, by_heads(), dropped)->UseManualTime();

}  // namespace
