#include "posenc/relative/t5.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/kernels/diagonal_rows.hpp"

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
  // In double it is known up to a whole number.
  const double short_of_all = static_cast<double>(steps - step) / static_cast<double>(steps);
  const auto end = static_cast<double>(max_distance);
  const auto near = static_cast<std::int64_t>(
      end * exponential(short_of_all * (logarithm(static_cast<double>(exact)) - logarithm(end))));
  if (near > least && !reached(near - 1)) least = near;
  if (near + 1 < most && reached(near + 1)) most = near + 1;
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
  POSENC_TRY(check_ranges(options));
  if (options.bidirectional && options.buckets < 4)
    return invalid_argument("buckets", static_cast<double>(options.buckets), expected::whole_at_least, {4},
                            " when bidirectional");
  const std::int64_t directed = options.bidirectional ? options.buckets / 2 : options.buckets;
  const std::int64_t exact = directed / 2;
  POSENC_TRY(check_whole("maxDistance", options.max_distance, exact + 1, max_positions));
  POSENC_TRY_LET(starts, AlignedArray<std::int64_t>::make(static_cast<std::size_t>(directed)));
  for (std::int64_t bucket = 0; bucket < directed; ++bucket)
    starts[static_cast<std::size_t>(bucket)] =
        bucket <= exact ? bucket : bucket_start(exact, options.max_distance, bucket - exact, directed - exact);
  T5Buckets made;
  made.starts_ = std::move(starts);
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

/// How many relative positions from this one on share its bucket, as far as `most`.
std::size_t T5Buckets::shared_by(std::int64_t distance, std::size_t most) const {
  const auto starts = starts_.span();
  if (distance > 0 && !bidirectional_) return most;
  const auto id = static_cast<std::size_t>(bucket(distance));
  // Before the query sizes fall to where the bucket begins, after it they rise to where the next one does.
  const std::size_t next = id - (distance > 0 ? starts.size() : 0) + 1;
  if (distance > 0 && next == starts.size()) return most;
  const std::int64_t count = distance > 0 ? starts[next] - distance : 1 - starts[id] - distance;
  return std::min(most, static_cast<std::size_t>(count));
}

Expected<void> T5Buckets::ids(const RelativePositions& positions, std::span<std::int32_t> out) const {
  POSENC_TRY(check_size("out", out.size(), positions.distances()));
  for (std::size_t c = 0; c < out.size();) {
    const std::int64_t distance = positions.distance(c);
    const std::size_t count = shared_by(distance, out.size() - c);
    std::ranges::fill(out.subspan(c, count), bucket(distance));
    c += count;
  }
  return {};
}

Expected<void> T5Buckets::bias(const RelativePositions& positions, Future future, std::span<const float> table,
                               std::span<float> out) const {
  POSENC_TRY(check_size("table", table.size(), buckets_, positions.heads()));
  const std::size_t distances = positions.distances();
  POSENC_TRY(check_size("out", out.size(), positions.heads(), distances));
  const std::size_t kept = kept_distances(positions, future);
  for (std::size_t c = 0; c < distances;) {
    const std::int64_t distance = positions.distance(c);
    const std::size_t count = c < kept ? shared_by(distance, kept - c) : distances - c;
    const float* const row = table.data() + static_cast<std::size_t>(bucket(distance)) * positions.heads();
    for (std::size_t h = 0; h < positions.heads(); ++h)
      std::ranges::fill(out.subspan(h * distances + c, count),
                        c < kept ? row[h] : -std::numeric_limits<float>::infinity());
    c += count;
  }
  return {};
}

}  // namespace posenc
