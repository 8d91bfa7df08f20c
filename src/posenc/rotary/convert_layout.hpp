#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// Between which layouts dimensions change places: half or interleaved, each.
struct ConvertLayoutOptions {
  std::int64_t dim = 0;                                   ///< dimensions of a head
  std::optional<std::int64_t> rotary_dim = std::nullopt;  ///< the dimensions that rotate; dim by default
  Layout from = Layout::unnamed;
  Layout to = Layout::unnamed;

  static constexpr std::tuple ranges{ranged("dim", &ConvertLayoutOptions::dim, whole_from(2, max_dim))};
};

/// Puts each head's dimensions where another layout has them; those that do not rotate stay. A permutation: exact, and
/// undone by exchanging `from` and `to`. `x` and `out`: [heads, dim, inner], any number of heads, row-major:
///
/// - vectors (queries, keys, a projection's bias): inner = 1;
/// - the weight of a projection, W_q or W_k [heads * dim, in]: inner = in. A model whose W_q and W_k are converted
///   gives the same scores with the other layout. From interleaved to half is what Hugging Face's conversion of Llama
///   checkpoints does; from half to interleaved what goes to GGUF for ggml's "normal" rotation.
///
/// Errors: dim outside 1 ... max_dim; a rotary_dim that is odd or outside 2 ... dim; a layout other than those two (of
/// Layout::deinterleaved the dimensions going in are interleaved, those coming out half); an inner of 0; a size of x
/// that is no multiple of dim * inner, or of out that differs; memory that overlaps.
[[nodiscard]] Expected<void> convert_layout(const ConvertLayoutOptions& options, std::size_t inner,
                                            std::span<const float> x, std::span<float> out);

}  // namespace posenc
