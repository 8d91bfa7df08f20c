#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/attention/attention.hpp"
#include "posenc/base/dtype.hpp"
#include "posenc/base/error.hpp"
#include "posenc/frequencies/positions.hpp"
#include "posenc/rotary/rotary_step.hpp"

namespace posenc {

/// Where a cache holds keys and values, both of one dtype: [sequences, heads, capacity, dim] and value_dim.
struct KeyCacheMemory {
  std::size_t sequences = 1, heads = 1, capacity = 0, dim = 0, value_dim = 0;
  DType dtype = DType::float32;
  void *keys = nullptr, *values = nullptr;
};

/// Keys and values of tokens that come in: `tokens` of each sequence that they are for.
struct NewKeys {
  ConstStored keys;    ///< [batch, tokens, heads, dim] or, heads first, [batch, heads, tokens, dim]
  ConstStored values;  ///< likewise, of value_dim
  std::size_t tokens = 0;
  CacheAxes axes = CacheAxes::heads_first;
  std::span<const std::int64_t> sequences;  ///< [batch]: for which sequence each row of the batch is
  std::span<const std::int64_t> lengths;    ///< [batch]: how many tokens that sequence has, behind which these go
};

/// Writes keys and values behind those that a cache has, the keys rotated at their positions, [batch, tokens], unless
/// `step` is null. What is written is rotated in float32 and rounded to the cache's dtype once: the bits of
/// Rotary::apply. Nothing else of the cache is read or changed, and nothing of it where there is an Error: sizes that
/// do not fit; a sequence that is not there or is named twice ("sequences"); one without room for so many tokens
/// ("capacity"); those of Rotary::apply; memory.
[[nodiscard]] Expected<void> append_keys(const KeyCacheMemory& cache, const NewKeys& given, RotaryStep* step,
                                         const Positions& positions);

}  // namespace posenc
