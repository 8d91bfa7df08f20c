#include "posenc/frequencies/packed_positions.hpp"

#include "posenc/base/check.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

constexpr std::int64_t most = 2147483647;

Expected<void> check_boundaries(std::span<const std::int64_t> boundaries) {
  if (boundaries.empty()) return invalid_argument("boundaries", "none", expected::boundaries);
  if (boundaries[0] != 0)
    return invalid_argument("boundaries", static_cast<double>(boundaries[0]), expected::exactly, {0},
                            ", the start of the first");
  for (std::size_t k = 1; k < boundaries.size(); ++k)
    POSENC_TRY(check_whole("boundaries", boundaries[k], boundaries[k - 1], most));
  return {};
}

Expected<void> check_mask(std::span<const std::int32_t> mask, std::size_t sequence, std::size_t size) {
  if (sequence > static_cast<std::size_t>(most))
    return invalid_argument("sequence", static_cast<double>(sequence), expected::at_most, {most});
  if (!mask.empty() && (sequence == 0 || mask.size() % sequence != 0))
    return invalid_argument("mask", static_cast<double>(mask.size()), expected::rows_of, {sequence});
  POSENC_TRY(check_size("out", size, mask.size()));
  std::uint32_t seen = 0;  // in all of them
  for (const std::int32_t value : mask) seen |= static_cast<std::uint32_t>(value);
  for (std::size_t i = 0; seen > 1 && i < mask.size(); ++i)
    if (mask[i] != 0 && mask[i] != 1)
      return invalid_argument("mask", static_cast<double>(mask[i]), expected::one_of, {"0, 1"});
  return {};
}

/// 0, 1, ... size - 1
void write_counted(std::size_t size, std::int32_t* out) {
  using Counts = xsimd::batch<std::int32_t>;
  constexpr std::size_t vectors = 4, together = vectors * Counts::size;
  std::int32_t first[Counts::size];
  for (std::size_t k = 0; k < Counts::size; ++k) first[k] = static_cast<std::int32_t>(k);
  Counts counts = Counts::load_unaligned(first);
  std::size_t i = 0;
  for (; i + together <= size; i += together) {
    unrolled<vectors>([&](std::size_t k) {
      (counts + Counts(static_cast<std::int32_t>(k * Counts::size))).store_unaligned(out + i + k * Counts::size);
    });
    counts = counts + Counts(static_cast<std::int32_t>(together));
  }
  for (; i < size; ++i) out[i] = static_cast<std::int32_t>(i);
}

}  // namespace

Expected<void> packed_positions(std::span<const std::int64_t> boundaries, std::span<std::int32_t> out) {
  POSENC_TRY(check_boundaries(boundaries));
  POSENC_TRY(check_size("out", out.size(), static_cast<std::size_t>(boundaries.back())));
  for (std::size_t k = 1; k < boundaries.size(); ++k) {
    const auto first = static_cast<std::size_t>(boundaries[k - 1]);
    write_counted(static_cast<std::size_t>(boundaries[k]) - first, out.data() + first);
  }
  return {};
}

Expected<void> mask_positions(std::span<const std::int32_t> mask, std::size_t sequence, std::int64_t padding,
                              std::span<std::int32_t> out) {
  if (padding < -most - 1 || padding > most)
    return invalid_argument("padding", static_cast<double>(padding), expected::whole, {}, " of 32 bits");
  POSENC_TRY(check_mask(mask, sequence, out.size()));
  for (std::size_t start = 0; start < mask.size(); start += sequence) {
    std::int32_t tokens = 0;
    for (std::size_t i = start; i < start + sequence; ++i) {
      out[i] = mask[i] != 0 ? tokens : static_cast<std::int32_t>(padding);
      tokens += mask[i];
    }
  }
  return {};
}

}  // namespace posenc
