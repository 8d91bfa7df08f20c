#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"

namespace posenc {

/// Positions of sequences that were packed one behind the other into one: each counts from 0. `boundaries` are the
/// cumulative lengths (cu_seqlens), 0 first and the number of tokens last: [0, 3, 5] gives 0 1 2 0 1.
/// Errors: no boundary; the first not 0; one less than that before it; a size of `out` other than the last.
[[nodiscard]] Expected<void> packed_positions(std::span<const std::int64_t> boundaries, std::span<std::int32_t> out);

/// The position that mask_positions gives padding where nothing else is wanted, as Hugging Face transformers does.
inline constexpr std::int64_t default_padding_position = 1;

/// Positions from an attention mask [batch, sequence], row-major, 1 for a token and 0 for padding, on either side or
/// between: a token's position is the number of tokens before it in its row. Padding gets `padding`: 1 in Hugging Face
/// transformers (a masked_fill of cumsum - 1), 0 elsewhere; nothing should ever read it.
/// Errors: a value other than 0 and 1; sizes that do not fit; rows of more than 2^31 - 1 values; a padding that is no
/// int32.
[[nodiscard]] Expected<void> mask_positions(std::span<const std::int32_t> mask, std::size_t sequence,
                                            std::int64_t padding, std::span<std::int32_t> out);

}  // namespace posenc
