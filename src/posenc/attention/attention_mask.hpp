#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/range.hpp"

namespace posenc {

/// Extents of an array over [batch, heads, queries, keys], row-major; 1 where an axis is shared.
struct PairShape {
  std::size_t batch = 1, heads = 1, queries = 1, keys = 1;

  /// An Error unless each extent is the one of `full` or 1, and `size`, the size of `argument`, is their product.
  [[nodiscard]] Expected<void> check(std::string_view argument, std::size_t size, const PairShape& full) const;
};

/// How to walk an array of a PairShape: a shared axis has stride 0.
struct PairStrides {
  explicit PairStrides(const PairShape& shape)
      : keys(shape.keys == 1 ? 0 : 1),
        queries(shape.queries == 1 ? 0 : shape.keys),
        heads(shape.heads == 1 ? 0 : shape.queries * shape.keys),
        batch(shape.batch == 1 ? 0 : shape.heads * shape.queries * shape.keys) {}

  [[nodiscard]] std::size_t row(std::size_t b, std::size_t h, std::size_t i) const {
    return b * batch + h * heads + i * queries;
  }

  std::size_t keys, queries, heads, batch;
};

/// How the bias of pairs is laid out.
enum class BiasForm : std::uint8_t {
  full,     ///< over [batch, heads, queries, keys], of which each may be shared
  compact,  ///< [heads or 1, queries + keys - 1]: the pair (i, j) has entry queries - 1 - i + j, as `compact` biases do
};

template <>
inline constexpr auto names_of<BiasForm> =
    Names("biasForm", {{"full", BiasForm::full}, {"compact", BiasForm::compact}});

/// An Error unless `size`, the size of `argument`, and its shape are those of a bias of this form for pairs; a compact
/// one has {1, heads or 1, 1, queries + keys - 1}.
[[nodiscard]] Expected<void> check_bias_shape(std::string_view argument, std::size_t size, const PairShape& shape,
                                              BiasForm form, const PairShape& pairs);

/// The meaning of `true` in a mask. Both are in use, and a mask that is taken for the other gives no error.
enum class MaskMeaning : std::uint8_t {
  attend,  ///< the query may see the key (torch's scaled_dot_product_attention, Hugging Face's attention_mask)
  ignore,  ///< it may not (torch's nn.MultiheadAttention: attn_mask and key_padding_mask)
};

template <>
inline constexpr auto names_of<MaskMeaning> =
    Names("maskMeaning", {{"attend", MaskMeaning::attend}, {"ignore", MaskMeaning::ignore}});

/// Which keys a query may see: those that every part allows. Anything but 0 is true.
struct AttentionMask {
  MaskMeaning meaning = MaskMeaning::attend;  ///< of both arrays
  std::span<const std::uint8_t> pairs = {};   ///< of pairs_shape; empty: none
  PairShape pairs_shape = {};
  std::span<const std::uint8_t> keys = {};           ///< padding, [batch, keys]; empty: none
  bool causal = false;                               ///< key j only where j <= query_offset + i
  std::int64_t query_offset = 0;                     ///< how many keys come before query 0
  std::int64_t window = 0;                           ///< key j only where j > query_offset + i - window; 0: none
  std::span<const std::int64_t> lengths = {};        ///< [batch], only so many of the keys each; empty: all
  std::span<const std::int64_t> query_offsets = {};  ///< [batch], in place of query_offset; empty: it is for all

  static constexpr std::int64_t most_offset = std::int64_t{1} << 53;
  static constexpr std::tuple ranges{
      ranged("queryOffset", &AttentionMask::query_offset, whole_from(-most_offset, most_offset)),
      ranged("window", &AttentionMask::window, whole_from(0, most_offset)),
  };

  /// Returns how many keys come before the first query of a row of the batch.
  [[nodiscard]] std::int64_t offset(std::size_t b) const {
    return query_offsets.empty() ? query_offset : query_offsets[b];
  }

  /// An Error unless its arrays have these extents, lengths are at most that of the keys, and the rest is in its range.
  [[nodiscard]] Expected<void> check(const PairShape& full) const;
  /// The same of all but `pairs`.
  [[nodiscard]] Expected<void> check_keys(std::size_t batch, std::size_t most) const;
};

}  // namespace posenc
