#include "posenc/attention/attention_mask.hpp"

#include <string>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

std::string listed(const PairShape& shape) {
  std::string text = "[";
  for (const std::size_t extent : {shape.batch, shape.heads, shape.queries, shape.keys}) {
    if (text.size() > 1) text.append(", ");
    text.append(decimal(extent));
  }
  return text.append("]");
}

bool fits_extent(std::size_t extent, std::size_t full) { return extent == full || extent == 1; }

}  // namespace

Expected<void> check_bias_shape(std::string_view argument, std::size_t size, const PairShape& shape, BiasForm form,
                                const PairShape& pairs) {
  if (form == BiasForm::full) return shape.check(argument, size, pairs);
  const std::size_t distances = pairs.queries == 0 || pairs.keys == 0 ? 0 : pairs.queries + pairs.keys - 1;
  const bool fits = shape.batch == 1 && fits_extent(shape.heads, pairs.heads) && shape.queries == 1;
  if (!fits || shape.keys != distances)
    return invalid_argument(argument, listed(shape),
                            {"the compact form, [", decimal(pairs.heads), " or 1, ", decimal(distances), "]"});
  return check_extents(argument, size, {shape.heads, distances});
}

Expected<void> PairShape::check(std::string_view argument, std::size_t size, const PairShape& full) const {
  if (!fits_extent(batch, full.batch) || !fits_extent(heads, full.heads) || !fits_extent(queries, full.queries) ||
      !fits_extent(keys, full.keys))
    return invalid_argument(
        argument, listed(*this),
        {"a shape that fits [batch, heads, queries, keys] = ", listed(full), ": each extent the same or 1"});
  return check_extents(argument, size, {batch, heads, queries, keys});
}

Expected<void> AttentionMask::check(const PairShape& full) const {
  if (!pairs.empty()) POSENC_TRY(pairs_shape.check("mask", pairs.size(), full));
  return check_keys(full.batch, full.keys);
}

Expected<void> AttentionMask::check_keys(std::size_t batch, std::size_t most) const {
  POSENC_TRY(check_ranges(*this));
  POSENC_TRY(check_wanted({{"cache.length", lengths.size(), {batch}},
                           {"queryOffset", query_offsets.size(), {batch}},
                           {"keyMask", keys.size(), {batch, most}}}));
  for (const std::int64_t length : lengths)
    POSENC_TRY(check_whole("cache.length", length, 0, static_cast<std::int64_t>(most)));
  for (const std::int64_t first : query_offsets)
    POSENC_TRY(check_whole("queryOffset", first, -most_offset, most_offset));
  return {};
}

}  // namespace posenc
