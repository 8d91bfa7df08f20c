#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "posenc/diagnosis/bias/bias_profile.hpp"
#include "posenc/relative/t5.hpp"

namespace posenc::diagnosis {

/// The distances x from a centre at which the values of one direction, or of both together, change.
struct BucketSteps {
  /// [x]: whether the values at x - 1 and at x are both known, and whether they differ, x from 1 on.
  std::vector<bool> seen, changed;

  [[nodiscard]] std::size_t size() const { return seen.size(); }
  /// The number of steps, from the first on, that are changes.
  [[nodiscard]] std::size_t first_run() const;
};

enum class BucketSide : std::uint8_t { past, future, both };
[[nodiscard]] BucketSteps steps_of(const BiasProfile& profile, std::int64_t centre, BucketSide side);

/// Buckets of one direction, of which the first half have one distance each: those of T5.
struct DirectedBuckets {
  std::int64_t buckets = 0, max_distance = 0;
  bool operator==(const DirectedBuckets&) const = default;
};

/// The agreement of steps and buckets.
enum class StepFit : std::uint8_t {
  none,   ///< values change within a bucket
  some,   ///< some buckets have equal values
  exact,  ///< values change exactly where buckets begin
};
[[nodiscard]] StepFit fit_of(const BucketSteps& steps, const T5Buckets& buckets);

/// Buckets that begin exactly where the values change: for each number of buckets, `preferred` maximal distances that
/// do, or else the least that does, and the largest. At most a few dozen.
[[nodiscard]] std::vector<DirectedBuckets> solve_buckets(const BucketSteps& steps,
                                                         std::span<const std::int64_t> preferred);

}  // namespace posenc::diagnosis
