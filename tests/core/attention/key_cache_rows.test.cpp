/// Keys and values written to a cache behind those that it has.

#include "posenc/attention/key_cache_rows.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <vector>

#include "posenc/rotary/rotary.hpp"
#include "testing/testing.hpp"

using posenc::CacheAxes;
using posenc::ConstSpan16;
using posenc::ConstStored;
using posenc::DType;
using posenc::KeyCacheMemory;
using posenc::NewKeys;
using posenc::Positions;
using posenc::Rotary;
using posenc::RotaryStep;
using posenc::Span16;
using testing::fractions;
using testing::same_bits;
using testing::value_of;

namespace {

using Floats = std::vector<float>;
using Bits = std::vector<std::uint16_t>;

constexpr DType row_dtypes[] = {DType::float32, DType::float16, DType::bfloat16};

/// Values of any dtype.
struct RowValues {
  RowValues(const Floats& values, DType its_dtype) : dtype(its_dtype), floats(values), bits(values.size()) {
    if (dtype != DType::float32) value_of(posenc::convert(floats, Span16(dtype, bits)));
  }

  [[nodiscard]] ConstStored view() const {
    return dtype == DType::float32 ? ConstStored(floats) : ConstStored(ConstSpan16(dtype, bits));
  }
  void* data() { return dtype == DType::float32 ? static_cast<void*>(floats.data()) : bits.data(); }
  [[nodiscard]] Floats widened() const {
    Floats wide = floats;
    if (dtype != DType::float32) value_of(posenc::convert(ConstSpan16(dtype, bits), wide));
    return wide;
  }

  DType dtype;
  Floats floats;
  Bits bits;
};

}  // namespace

TEST_CASE("key cache rows: rotated once, rounded once, each at its place, and nothing else", "[attention]") {
  constexpr std::size_t sequences = 3, heads = 2, capacity = 7, dim = 8, value_dim = 6, tokens = 2;
  const auto rotary = value_of(Rotary::make({.dim = dim, .layout = posenc::Layout::half}));
  auto step = value_of(RotaryStep::make(rotary));
  const std::vector<std::int64_t> rows{2, 0}, lengths{5, 1};
  const std::vector<double> positions{5, 6, 100, 2.5};
  for (const DType from : row_dtypes)
    for (const DType to : row_dtypes)
      for (const CacheAxes axes : {CacheAxes::heads_first, CacheAxes::sequence_first})
        for (const bool is_rotated : {false, true}) {
          const RowValues key(fractions(2 * heads * tokens * dim, 1), from);
          const RowValues value(fractions(2 * heads * tokens * value_dim, 2), from);
          RowValues keys(fractions(sequences * heads * capacity * dim, 3), to);
          RowValues values(fractions(sequences * heads * capacity * value_dim, 4), to);
          const bool heads_first = axes == CacheAxes::heads_first;
          // What is there afterwards: the same values, and the new ones at their places.
          Floats wanted_keys = keys.widened(), wanted_values = values.widened(), rotated = key.widened();
          const posenc::SequenceShape shape =
              value_of(posenc::SequenceShape::make(heads_first ? std::vector<std::int64_t>{2, heads, tokens, dim}
                                                               : std::vector<std::int64_t>{2, tokens, heads, dim},
                                                   {.sequence = heads_first ? 2 : 1, .batch = 0}));
          if (is_rotated) value_of(rotary.apply(rotated, shape, Positions::lists(positions, 2)));
          const RowValues rounded_keys(rotated, to), rounded_values(value.widened(), to);
          for (std::size_t b = 0; b < 2; ++b)
            for (std::size_t h = 0; h < heads; ++h)
              for (std::size_t t = 0; t < tokens; ++t) {
                const std::size_t row = heads_first ? (b * heads + h) * tokens + t : (b * tokens + t) * heads + h;
                const auto place = (static_cast<std::size_t>(rows[b]) * heads + h) * capacity +
                                   static_cast<std::size_t>(lengths[b]) + t;
                std::memcpy(&wanted_keys[place * dim], &rounded_keys.widened()[row * dim], dim * sizeof(float));
                std::memcpy(&wanted_values[place * value_dim], &rounded_values.widened()[row * value_dim],
                            value_dim * sizeof(float));
              }
          const KeyCacheMemory cache{sequences, heads, capacity, dim, value_dim, to, keys.data(), values.data()};
          const NewKeys given{key.view(), value.view(), tokens, axes, rows, lengths};
          value_of(posenc::append_keys(cache, given, is_rotated ? &step : nullptr, Positions::lists(positions, 2)));
          REQUIRE(same_bits(keys.widened(), wanted_keys));
          REQUIRE(same_bits(values.widened(), wanted_values));
        }
}

TEST_CASE("key cache rows: what has no room or does not fit is an error, and nothing is written", "[attention]") {
  constexpr std::size_t sequences = 3, heads = 2, capacity = 7, dim = 8, value_dim = 6, tokens = 2;
  const auto rotary = value_of(Rotary::make({.dim = dim, .layout = posenc::Layout::half}));
  auto step = value_of(RotaryStep::make(rotary));
  const Floats key = fractions(2 * heads * tokens * dim, 1), value = fractions(2 * heads * tokens * value_dim, 2);
  const Floats before = fractions(sequences * heads * capacity * dim, 3);
  Floats keys = before, values = before;
  values.resize(sequences * heads * capacity * value_dim);
  const KeyCacheMemory cache{sequences, heads, capacity, dim, value_dim, DType::float32, keys.data(), values.data()};
  const std::vector<double> positions{1, 2, 3, 4};
  const auto attempt = [&](const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& lengths,
                           std::size_t count, std::span<const double> at = {}) {
    return posenc::append_keys(cache, {key, value, count, CacheAxes::heads_first, rows, lengths}, &step,
                               Positions::lists(at.empty() ? positions : at, 2));
  };
  // The second row's sequence is full: the first one's is not written either.
  testing::require_error(attempt({0, 1}, {0, 6}, tokens), "capacity", "7");
  testing::require_error(attempt({1, 1}, {0, 0}, tokens), "sequences", "1");
  testing::require_error(attempt({0, 3}, {0, 0}, tokens), "sequences", "3");
  testing::require_error(attempt({0, 1}, {0}, tokens), "lengths", "1");
  testing::require_error(attempt({0, 1}, {0, 0}, 3), "key", "64");
  const std::vector<double> far{1, 2, 1e300, 4};
  testing::require_error(attempt({0, 1}, {0, 0}, tokens, far), "positions", "1e+300");
  CHECK(same_bits(keys, before));
  CHECK(same_bits(values, std::span(before).first(values.size())));
  value_of(attempt({0, 1}, {0, 5}, tokens));
}
