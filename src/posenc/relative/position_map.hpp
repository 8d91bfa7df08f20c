#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

/// Names the method that maps the distance of a key from its query to the one that a trained model is shown.
enum class PositionMapType : std::uint8_t {
  unnamed,       ///< refused
  self_extend,   ///< Jin et al. 2024, arXiv 2401.01325; datamllab/LongLM, self_extend_patch/Llama.py at 18950b5
  rerope,        ///< Su 2023, kexue.fm/archives/9708; bojone/rerope, rerope_patch.py at 2cbd019
  leaky_rerope,  ///< the same, leaky_rerope_patch.py
  dual_chunk,    ///< An et al. 2024, arXiv 2402.17463; HKUNLP/ChunkLlama, chunkllama_attn_replace.py at 15c5787;
                 ///< Qwen2.5-1M in vLLM, rotary_embedding/dual_chunk_rope.py at 07b1349
};

template <>
inline constexpr auto names_of<PositionMapType> = Names("type", {{"self-extend", PositionMapType::self_extend},
                                                                 {"rerope", PositionMapType::rerope},
                                                                 {"leaky-rerope", PositionMapType::leaky_rerope},
                                                                 {"dual-chunk", PositionMapType::dual_chunk}});

/// An option that a type does not read has to be left out; the rest has no default.
struct PositionMapOptions {
  PositionMapType type = PositionMapType::unnamed;
  std::optional<std::int64_t> window = std::nullopt;      ///< of all but dual_chunk: 1 ... max_positions
  std::optional<std::int64_t> group = std::nullopt;       ///< of self_extend: 1 ... max_positions
  std::optional<double> factor = std::nullopt;            ///< of leaky_rerope, its scaling_factor: 1 ... 2^20
  std::optional<std::int64_t> chunk_size = std::nullopt;  ///< of dual_chunk: 1 ... max_positions
  std::optional<std::int64_t> local_size = std::nullopt;  ///< of dual_chunk: 0 ... chunk_size - 1
};

/// A map of positions: which relative position the score of query i and key j has, and how rotations make it. Pairs
/// fall into regions. In each of them the score is a plain product of q rotated at query_position and k rotated at
/// key_position. With w = window, g = group, f = factor, c = chunk_size - local_size, and / rounding down but for f:
///
///   type          regions                          query at            key at   distance
///   self-extend   window: i - j < w                i                   j        i - j
///                 group: the others                i/g + w - w/g       j/g      i/g - j/g + w - w/g
///   rerope        window: i - j < w                i                   j        i - j
///                 beyond: the others               w                   0        w
///   leaky-rerope  window: i - j < w                i                   j        i - j
///                 leaky: the others                (i + w (f - 1)) / f  j / f   w + (i - j - w) / f
///   dual-chunk    intra: i/c = j/c                 i mod c             j mod c  i - j
///                 succ: i/c = j/c + 1              min(i mod c + c, chunk_size)  j mod c
///                 inter: the others                min(2c - 1, chunk_size)       j mod c
///
/// SelfExtend's authors divide w by g without rounding in their Llama patch, by rounding down in their paper and in the
/// same file for decoding: the same wherever g divides w. What the implementations multiply queries or keys by is left
/// out: log(i + 1) / log(trained length) in ReRoPE, 0.1 log(length / original length) + 1 of keys in vLLM's dual
/// chunks.
class PositionMap {
 public:
  /// Errors: no type; an option that is missing, out of range, or of another type.
  [[nodiscard]] static Expected<PositionMap> make(const PositionMapOptions& options);

  [[nodiscard]] std::size_t regions() const { return options_.type == PositionMapType::dual_chunk ? 3 : 2; }

  /// The index of the pair's region; -1 where the key is after the query, which all of these mask. i, j >= 0.
  [[nodiscard]] std::int32_t region(std::int64_t query, std::int64_t key) const;

  /// Where a region rotates a query and a key. Whole numbers but for the leaky ones, rounded to double.
  [[nodiscard]] double query_position(std::size_t region, std::int64_t query) const;
  [[nodiscard]] double key_position(std::size_t region, std::int64_t key) const;

  /// Holds what `write` writes: `distances` and `regions` [queries, keys], `query_positions` [regions, queries] and
  /// `key_positions` [regions, keys]. A distance is that of query - key in its region, and the plain one where the key
  /// is after the query: exact, but for the leaky ones, whose sum is rounded before and after it is divided.
  struct Outputs {
    std::span<double> distances;
    std::span<std::int32_t> regions;
    std::span<double> query_positions;
    std::span<double> key_positions;
  };
  /// Errors: a query at a negative position; sizes that differ.
  [[nodiscard]] Expected<void> write(const RelativePositions& positions, const Outputs& out) const;

 private:
  explicit PositionMap(const PositionMapOptions& options);

  /// The first key of a query's region 0 or 1; those before it are in the next one.
  [[nodiscard]] std::int64_t first_key(std::size_t region, std::int64_t query) const;

  PositionMapOptions options_;
  std::int64_t window_, group_, chunk_;  ///< chunk_: without the local part; 1 of what the type does not have
  double factor_;
};

}  // namespace posenc
