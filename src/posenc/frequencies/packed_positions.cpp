#include "posenc/frequencies/packed_positions.hpp"

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr std::int64_t most = 2147483647;

Expected<void> check_boundaries(std::span<const std::int64_t> boundaries) {
  if (boundaries.empty()) return wrong("boundaries", "none", {"0, and the end of each sequence"});
  if (boundaries[0] != 0) return wrong("boundaries", static_cast<double>(boundaries[0]), {"0 as the first"});
  for (std::size_t k = 1; k < boundaries.size(); ++k)
    if (auto checked = check_whole("boundaries", boundaries[k], boundaries[k - 1], most); !checked) return checked;
  return {};
}

Expected<void> check_mask(std::span<const std::int32_t> mask, std::size_t sequence, std::size_t size) {
  if (sequence > static_cast<std::size_t>(most))
    return wrong("sequence", static_cast<double>(sequence), {"at most ", decimal(most)});
  if (!mask.empty() && (sequence == 0 || mask.size() % sequence != 0))
    return wrong("mask", static_cast<double>(mask.size()), {"rows of ", decimal(sequence), " values"});
  if (auto checked = check_size("out", size, mask.size()); !checked) return checked;
  for (const std::int32_t value : mask)
    if (value != 0 && value != 1) return wrong("mask", static_cast<double>(value), {"0 or 1"});
  return {};
}

}  // namespace

Expected<void> packed_positions(std::span<const std::int64_t> boundaries, std::span<std::int32_t> out) {
  if (auto checked = check_boundaries(boundaries); !checked) return checked;
  if (auto checked = check_size("out", out.size(), static_cast<std::size_t>(boundaries.back())); !checked)
    return checked;
  for (std::size_t k = 1; k < boundaries.size(); ++k)
    for (std::int64_t i = boundaries[k - 1]; i < boundaries[k]; ++i)
      out[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i - boundaries[k - 1]);
  return {};
}

Expected<void> mask_positions(std::span<const std::int32_t> mask, std::size_t sequence, std::int64_t padding,
                              std::span<std::int32_t> out) {
  if (padding < -most - 1 || padding > most)
    return wrong("padding", static_cast<double>(padding), {"a whole number of 32 bits"});
  if (auto checked = check_mask(mask, sequence, out.size()); !checked) return checked;
  std::int32_t tokens = 0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (i % sequence == 0) tokens = 0;
    out[i] = mask[i] == 1 ? tokens++ : static_cast<std::int32_t>(padding);
  }
  return {};
}

}  // namespace posenc
