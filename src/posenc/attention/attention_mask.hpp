#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"

namespace posenc {

/// Extents of an array over [batch, heads, queries, keys], row-major; 1 where an axis is shared.
struct PairShape {
  std::size_t batch = 1, heads = 1, queries = 1, keys = 1;
};

/// What `true` means. Both are in use, and the wrong one gives no error.
enum class MaskMeaning : std::uint8_t {
  attend,  ///< the query may see the key (torch's scaled_dot_product_attention, Hugging Face's attention_mask)
  ignore,  ///< it may not (torch's nn.MultiheadAttention: attn_mask and key_padding_mask)
};

/// "attend" | "ignore"; an Error that lists them for anything else.
[[nodiscard]] Expected<MaskMeaning> mask_meaning_from_name(std::string_view name);

/// Which keys a query may see: those that every part allows. Anything but 0 is true.
struct AttentionMask {
  MaskMeaning meaning = MaskMeaning::attend;  ///< of both arrays
  std::span<const std::uint8_t> pairs = {};   ///< of pairs_shape; empty: none
  PairShape pairs_shape = {};
  std::span<const std::uint8_t> keys = {};  ///< padding, [batch, keys]; empty: none
  bool causal = false;                      ///< key j only where j <= query_offset + i
  std::int64_t query_offset = 0;            ///< of causal: how many keys come before query 0, -2^53 ... 2^53
};

}  // namespace posenc
