#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/diagnosis/bias_diagnosis.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"

namespace posenc::diagnosis {

/// The extents of a bias, checked.
struct BiasExtents {
  std::size_t batch = 1, heads = 0, queries = 0, keys = 0;  ///< all entries of a batch are one profile
  std::int64_t first_query = 0;
};

/// Errors: those that diagnose_bias has about samples, but for dtype and values.
[[nodiscard]] Expected<BiasExtents> extents_of(const BiasSamples& samples);

/// A value from this on is a mask: -10000, which models add to what is masked, as bfloat16 has it. Scores of no model
/// come near.
inline constexpr double largest_mask = -9984;
[[nodiscard]] inline bool is_masked(double value) { return value <= largest_mask; }

/// The values of a bias by distance, key minus query: all that a function of it has to explain.
struct BiasProfile {
  BiasExtents extents;
  StoredType type;
  std::size_t distances = 0;
  std::int64_t first = 0;  ///< the smallest distance
  /// [heads, distances]: the smallest and the largest value at a distance, +infinity and -infinity where all were
  /// masked; and the largest magnitude of what they were computed from, which bounds their rounding.
  AlignedArray<double> low, high, magnitude;
  std::size_t values = 0;      ///< that are no mask
  std::int64_t last_open = 0;  ///< the largest distance that is not masked everywhere
  bool exact = true;           ///< all values at a distance are the same
  bool anchored = false;       ///< distances are between keys of a row, values are differences
  /// Says of the given positions, whatever the distances here are: there are keys after a query, and none of them is
  /// open.
  bool shows_future = false, masks_future = true;
  /// Some values are masked though farther keys are not, which may be no mask of padding: that of no bias known here.
  bool has_holes = false;
  /// The keys of a row are compared with the key at their query, as distances from the query want it.
  bool meets_queries = true;

  [[nodiscard]] bool has(std::size_t head, std::size_t c) const {
    return low[head * distances + c] <= high[head * distances + c];
  }
  [[nodiscard]] std::int64_t distance(std::size_t c) const { return first + static_cast<std::int64_t>(c); }
  [[nodiscard]] std::int64_t last() const { return distance(distances - 1); }
  /// A learned value costs its significant bits.
  [[nodiscard]] double value_bits() const;
};

/// Makes the profile by the distance between key and query. Errors: a value that is NaN or +infinity; dtype; memory.
[[nodiscard]] Expected<BiasProfile> profile_by_distance(const BiasSamples& samples, const BiasExtents& extents);

/// Makes the profile by the distance between keys: each row less its smallest value. `type` is that of the values.
/// Errors: memory.
[[nodiscard]] Expected<BiasProfile> profile_by_key(const BiasSamples& samples, const BiasProfile& by_distance);

/// The cost and the largest residuals of predictions for a profile's values.
struct BiasResidual {
  double data_bits = 0, units = 0, ulps = 0;

  /// The value predicted at a distance that has one; `floor` is what its arithmetic may cause beyond one rounding.
  void add(const BiasProfile& profile, std::size_t at, double predicted, double floor);
};

}  // namespace posenc::diagnosis
