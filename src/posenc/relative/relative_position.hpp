#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/range.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc {

inline constexpr std::int64_t max_heads = std::int64_t{1} << 16;
inline constexpr std::int64_t max_positions = std::int64_t{1} << 29;

/// The shape of every attention bias, [heads, queries, keys]. Query i is at position query_offset + i, key j at
/// position j: with keys in a cache, query_offset is the number of tokens before the first query.
struct BiasShape {
  std::int64_t heads = 1;
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  std::int64_t query_offset = 0;

  static constexpr std::tuple ranges{
      ranged("heads", &BiasShape::heads, whole_from(1, max_heads)),
      ranged("queries", &BiasShape::queries, whole_from(0, max_positions)),
      ranged("keys", &BiasShape::keys, whole_from(0, max_positions)),
      ranged("queryOffset", &BiasShape::query_offset, whole_from(-max_positions, max_positions)),
  };
};

/// Lists what a bias may hold where the key comes after the query.
enum class Future : std::uint8_t {
  keep,  ///< the formula's value
  mask,  ///< -infinity: causal attention
};

template <>
inline constexpr auto names_of<Future> = Names("future", {{"keep", Future::keep}, {"mask", Future::mask}});

/// A checked BiasShape, and the relative positions in it: key - query, an int32.
///
/// There are queries + keys - 1 different ones (none when either is 0). What depends on the relative position alone is
/// computed once for each, in the compact form [heads, distances()], from the smallest to the largest; entry
/// [h, i, j] of the full form is entry [h, j - i + queries - 1] of the compact one.
class RelativePositions {
 public:
  /// Errors: an extent outside its range, named "heads", "queries", "keys" or "queryOffset".
  [[nodiscard]] static Expected<RelativePositions> make(const BiasShape& shape);

  [[nodiscard]] std::size_t heads() const { return heads_; }
  [[nodiscard]] std::size_t queries() const { return queries_; }
  [[nodiscard]] std::size_t keys() const { return keys_; }
  [[nodiscard]] std::size_t distances() const { return queries_ == 0 || keys_ == 0 ? 0 : queries_ + keys_ - 1; }

  /// The position of a query.
  [[nodiscard]] std::int64_t query_position(std::size_t query) const {
    return query_offset_ + static_cast<std::int64_t>(query);
  }

  /// The relative position at index c of the compact form.
  [[nodiscard]] std::int64_t distance(std::size_t c) const {
    return static_cast<std::int64_t>(c) - query_position(queries_ - 1);
  }

  /// Where the compact form holds the pair of a query and key 0; the keys that follow are the next entries.
  [[nodiscard]] std::size_t compact_row(std::size_t query) const { return queries_ - 1 - query; }

  /// How many of the first keys are at the query's position or before it.
  [[nodiscard]] std::size_t keys_up_to(std::size_t query) const;

 private:
  std::size_t heads_ = 0, queries_ = 0, keys_ = 0;
  std::int64_t query_offset_ = 0;
};

/// Writes the relative positions in compact form, [distances]. Error: a size of `out` that differs.
[[nodiscard]] Expected<void> relative_offsets(const RelativePositions& positions, std::span<std::int32_t> out);

/// From the compact form to the full one: `compact` [heads, distances, inner] to `out` [heads, queries, keys, inner].
/// For biases `inner` is 1, for vectors their dim. Errors: sizes that differ.
[[nodiscard]] Expected<void> relative_expand(const RelativePositions& positions, std::size_t inner,
                                             std::span<const float> compact, std::span<float> out);
[[nodiscard]] Expected<void> relative_expand(const RelativePositions& positions, std::size_t inner,
                                             std::span<const std::int32_t> compact, std::span<std::int32_t> out);

/// Which difference is encoded.
enum class RelativeSign : std::uint8_t {
  key_minus_query,  ///< j - i
  query_minus_key,  ///< i - j (Transformer-XL): sines change their sign
};

template <>
inline constexpr auto names_of<RelativeSign> = Names(
    "sign", {{"key-minus-query", RelativeSign::key_minus_query}, {"query-minus-key", RelativeSign::query_minus_key}});

/// The sinusoidal encoding of every relative position, in compact form [distances, dim], from the smallest key - query
/// to the largest whatever the sign. relative_expand with inner = dim makes [queries, keys, dim] of it.
/// Errors and largest error: those of Sinusoidal::table; memory.
[[nodiscard]] Expected<void> relative_sinusoidal(const Sinusoidal& sinusoidal, RelativeSign sign,
                                                 const RelativePositions& positions, std::span<float> out);

}  // namespace posenc
