#include "posenc/attention/attention_mask.hpp"

#include <algorithm>
#include <string>

#include "posenc/attention/visible_keys.hpp"
#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name meaning_names[]{
    {"attend", MaskMeaning::attend},
    {"ignore", MaskMeaning::ignore},
};

std::string listed(const PairShape& shape) {
  std::string text = "[";
  for (const std::size_t extent : {shape.batch, shape.heads, shape.queries, shape.keys}) {
    if (text.size() > 1) text.append(", ");
    text.append(decimal(extent));
  }
  return text.append("]");
}

bool fits(std::size_t extent, std::size_t full) { return extent == full || extent == 1; }

}  // namespace

Expected<MaskMeaning> mask_meaning_from_name(std::string_view name) {
  return from_name<MaskMeaning>(meaning_names, "maskMeaning", name);
}

Expected<void> check_pairs(std::string_view argument, std::size_t size, const PairShape& shape, const PairShape& full) {
  if (!fits(shape.batch, full.batch) || !fits(shape.heads, full.heads) || !fits(shape.queries, full.queries) ||
      !fits(shape.keys, full.keys))
    return wrong(argument, listed(shape),
                 {"a shape that fits [batch, heads, queries, keys] = ", listed(full), ": each extent the same or 1"});
  return check_extents(argument, size, {shape.batch, shape.heads, shape.queries, shape.keys});
}

Expected<void> check_mask(const AttentionMask& mask, const PairShape& full) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  if (auto checked = check_whole("queryOffset", mask.query_offset, -most, most); !checked) return checked;
  if (!mask.pairs.empty())
    if (auto checked = check_pairs("mask", mask.pairs.size(), mask.pairs_shape, full); !checked) return checked;
  if (mask.keys.empty()) return {};
  return check_extents("keyMask", mask.keys.size(), {full.batch, full.keys});
}

VisibleKeys::VisibleKeys(const AttentionMask& mask, std::size_t keys, std::size_t b, std::size_t h, std::size_t i)
    : end_(keys), attends_(mask.meaning == MaskMeaning::attend) {
  const PairStrides strides(mask.pairs_shape);
  if (!mask.pairs.empty()) pairs_ = mask.pairs.data() + strides.row(b, h, i);
  if (!mask.keys.empty()) keys_ = mask.keys.data() + b * keys;
  stride_ = strides.keys;
  if (mask.causal)
    end_ = static_cast<std::size_t>(std::clamp<std::int64_t>(mask.query_offset + static_cast<std::int64_t>(i) + 1, 0,
                                                             static_cast<std::int64_t>(keys)));
}

}  // namespace posenc
