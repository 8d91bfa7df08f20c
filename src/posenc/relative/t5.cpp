#include "posenc/relative/t5.hpp"

#include <algorithm>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/relative/diagonal_rows.hpp"

namespace posenc {
namespace {

/// The smallest x with steps * ln(x / exact) >= step * ln(max_distance / exact), for a step below steps.
std::int64_t bucket_start(std::int64_t exact, std::int64_t max_distance, std::int64_t step, std::int64_t steps) {
  const DoubleDouble ln_exact = log(static_cast<double>(exact));
  const DoubleDouble minus_one{-1, 0};
  const DoubleDouble wanted = (log(static_cast<double>(max_distance)) + minus_one * ln_exact) *
                              DoubleDouble{static_cast<double>(step), 0} / DoubleDouble{static_cast<double>(steps), 0};
  const auto reached = [&](std::int64_t x) {
    const DoubleDouble ln_x = log(static_cast<double>(x)) + minus_one * ln_exact;
    return (ln_x + minus_one * wanted).high > -0x1p-70;
  };
  std::int64_t least = exact;
  std::int64_t most = max_distance;
  while (least < most) {
    const std::int64_t middle = least + (most - least) / 2;
    if (reached(middle))
      most = middle;
    else
      least = middle + 1;
  }
  return least;
}

}  // namespace

Expected<T5Buckets> T5Buckets::make(const T5Options& options) {
  if (auto checked = check_whole("buckets", options.buckets, options.bidirectional ? 4 : 2, 4096); !checked)
    return std::unexpected(checked.error());
  const std::int64_t directed = options.bidirectional ? options.buckets / 2 : options.buckets;
  const std::int64_t exact = directed / 2;
  if (auto checked = check_whole("maxDistance", options.max_distance, exact + 1, max_positions); !checked)
    return std::unexpected(checked.error());
  auto starts = AlignedArray<std::int64_t>::make(static_cast<std::size_t>(directed));
  if (!starts) return std::unexpected(starts.error());
  for (std::int64_t bucket = 0; bucket < directed; ++bucket)
    (*starts)[static_cast<std::size_t>(bucket)] =
        bucket <= exact ? bucket : bucket_start(exact, options.max_distance, bucket - exact, directed - exact);
  T5Buckets made;
  made.starts_ = std::move(*starts);
  made.buckets_ = static_cast<std::size_t>(options.buckets);
  made.bidirectional_ = options.bidirectional;
  return made;
}

std::int32_t T5Buckets::bucket(std::int64_t distance) const {
  const bool after = distance > 0;
  const std::int64_t size = after ? (bidirectional_ ? distance : 0) : -distance;
  const auto starts = starts_.span();
  const auto directed = std::ranges::upper_bound(starts, size) - starts.begin() - 1;
  return static_cast<std::int32_t>(directed + (after && bidirectional_ ? std::ssize(starts) : 0));
}

Expected<void> T5Buckets::ids(const RelativePositions& positions, std::span<std::int32_t> out) const {
  if (auto checked = check_size("out", out.size(), positions.distances()); !checked) return checked;
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = bucket(positions.distance(c));
  return {};
}

Expected<void> T5Buckets::bias(const RelativePositions& positions, Future future, std::span<const float> table,
                               std::span<float> out) const {
  if (auto checked = check_size("table", table.size(), buckets_, positions.heads()); !checked) return checked;
  // Looked up once a distance, not once a head.
  auto buckets = AlignedArray<std::int32_t>::make(positions.distances());
  if (!buckets) return std::unexpected(buckets.error());
  if (auto found = ids(positions, buckets->span()); !found) return found;
  return write_compact(positions, future, out, [&](std::size_t h, std::int64_t distance) {
    const std::int32_t id = (*buckets)[static_cast<std::size_t>(distance - positions.distance(0))];
    return table[static_cast<std::size_t>(id) * positions.heads() + h];
  });
}

}  // namespace posenc
