#include "posenc/diagnosis/bias/bucket_steps.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "posenc/relative/relative_position.hpp"

// std::pow bounds maximal distances; which of them fit is then decided by T5Buckets.

namespace posenc::diagnosis {
namespace {

/// More buckets of one direction than any model has: others are not tried, to save time.
constexpr std::int64_t most_directed = 512;

/// Largest distances that are far beyond what models have mean no more than these.
constexpr double most_distance = 1 << 20;

/// Whether the values of any head change from one distance to the next.
void note_step(const BiasProfile& profile, std::int64_t from, std::int64_t to, std::size_t x, BucketSteps& steps) {
  const auto is_inside = [&](std::int64_t d) { return d >= profile.first && d <= profile.last(); };
  if (!is_inside(from) || !is_inside(to)) return;
  const auto a = static_cast<std::size_t>(from - profile.first), b = static_cast<std::size_t>(to - profile.first);
  for (std::size_t head = 0; head < profile.extents.heads; ++head) {
    if (!profile.has(head, a) || !profile.has(head, b)) continue;
    steps.seen[x] = true;
    const std::size_t row = head * profile.distances;
    if (profile.low[row + a] != profile.low[row + b]) steps.changed[x] = true;
  }
}

/// Maximal distances, from more than `low` to `high`, of n buckets of which bucket exact + k begins at starts[k - 1].
struct DistanceRange {
  double low = 0, high = 0;
};
DistanceRange distance_range(std::span<const std::int64_t> starts, std::int64_t exact, std::int64_t steps,
                             std::size_t last) {
  const auto e = static_cast<double>(exact), m = static_cast<double>(steps);
  DistanceRange range{e, most_distance};
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double power = m / static_cast<double>(i + 1);
    range.low = std::max(range.low, e * std::pow(static_cast<double>(starts[i] - 1) / e, power));
    range.high = std::min(range.high, e * std::pow(static_cast<double>(starts[i]) / e, power));
  }
  // The next bucket begins where nothing was seen.
  if (static_cast<std::int64_t>(starts.size()) + 1 < steps)
    range.low =
        std::max(range.low, e * std::pow(static_cast<double>(last) / e, m / static_cast<double>(starts.size() + 1)));
  return range;
}

}  // namespace

std::size_t BucketSteps::first_run() const {
  std::size_t run = 0;
  while (run + 1 < size() && changed[run + 1]) ++run;
  return run;
}

BucketSteps steps_of(const BiasProfile& profile, std::int64_t centre, BucketSide side) {
  const std::int64_t past = std::max<std::int64_t>(centre - profile.first, 0);
  const std::int64_t future = std::max<std::int64_t>(profile.last_open - centre, 0);
  const std::int64_t size = side == BucketSide::past     ? past
                            : side == BucketSide::future ? future
                                                         : std::max(past, future);
  BucketSteps steps{std::vector<bool>(static_cast<std::size_t>(size) + 1),
                    std::vector<bool>(static_cast<std::size_t>(size) + 1)};
  for (std::int64_t x = 1; x <= size; ++x) {
    const auto at = static_cast<std::size_t>(x);
    if (side != BucketSide::future) note_step(profile, centre - x + 1, centre - x, at, steps);
    if (side != BucketSide::past) note_step(profile, centre + x - 1, centre + x, at, steps);
  }
  while (steps.size() > 1 && !steps.seen.back()) {
    steps.seen.pop_back();
    steps.changed.pop_back();
  }
  return steps;
}

StepFit fit_of(const BucketSteps& steps, const T5Buckets& buckets) {
  StepFit fit = StepFit::exact;
  for (std::size_t x = 1; x < steps.size(); ++x) {
    if (!steps.seen[x]) continue;
    const auto d = static_cast<std::int64_t>(x);
    const bool begins = buckets.bucket(-d) != buckets.bucket(1 - d);
    if (steps.changed[x] && !begins) return StepFit::none;
    if (steps.changed[x] != begins) fit = StepFit::some;
  }
  return fit;
}

std::vector<DirectedBuckets> solve_buckets(const BucketSteps& steps, std::span<const std::int64_t> preferred) {
  std::vector<DirectedBuckets> solved;
  const std::size_t run = steps.first_run();
  if (run + 1 >= steps.size()) return solved;
  const auto try_numbers = [&](std::int64_t n, std::int64_t max_distance) {
    if (std::ranges::find(solved, DirectedBuckets{n, max_distance}) != solved.end()) return false;
    const auto buckets = T5Buckets::make({n, max_distance, false});
    if (!buckets || fit_of(steps, *buckets) != StepFit::exact) return false;
    solved.push_back({n, max_distance});
    return true;
  };
  const std::int64_t most = std::min<std::int64_t>(2 * static_cast<std::int64_t>(run) + 1, most_directed);
  for (std::int64_t n = 2; n <= most; ++n) {
    const std::int64_t exact = n / 2;
    std::vector<std::int64_t> starts;
    for (std::size_t x = static_cast<std::size_t>(exact) + 1; x < steps.size(); ++x)
      if (steps.changed[x]) starts.push_back(static_cast<std::int64_t>(x));
    if (std::ssize(starts) >= n - exact) continue;
    const DistanceRange range = distance_range(starts, exact, n - exact, steps.size() - 1);
    if (range.low > range.high + 2) continue;
    const auto low = static_cast<std::int64_t>(std::floor(range.low)), high = static_cast<std::int64_t>(range.high);
    bool is_solved = false;
    for (const std::int64_t distance : preferred)
      if (distance >= low && distance <= high + 1 && distance > exact) is_solved |= try_numbers(n, distance);
    // The bounds are off by a rounding at most.
    for (std::int64_t distance = std::max(low, exact + 1); distance <= std::min(low + 2, high + 1) && !is_solved;
         ++distance)
      is_solved = try_numbers(n, distance);
    if (is_solved && static_cast<double>(high) < most_distance) try_numbers(n, high);
  }
  return solved;
}

}  // namespace posenc::diagnosis
