#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/range.hpp"
#include "posenc/relative/relative_position.hpp"

namespace posenc {

struct T5Options {
  std::int64_t buckets = 32;        ///< rows of the table; at least 4 when bidirectional
  std::int64_t max_distance = 128;  ///< from here on all distances share the last bucket; more than the exact buckets
  bool bidirectional = true;        ///< half of the buckets are for keys after the query; else those share bucket 0

  static constexpr std::tuple ranges{
      ranged("buckets", &T5Options::buckets, whole_from(2, 4096)),
      ranged("maxDistance", &T5Options::max_distance, whole_from(2, max_positions)),
  };
};

/// Relative position buckets of T5 (Raffel et al. 2020; Hugging Face transformers, `_relative_position_bucket`).
///
/// The first e = n / 2 of the n buckets of one direction hold one distance each; distance x >= e goes into bucket
/// e + floor((n - e) ln(x / e) / ln(max_distance / e)), at most n - 1. All divisions by 2 round down.
///
/// Where each bucket begins is decided on logarithms of about 98 bits, of which equality within 2^-70 counts as
/// reached, so that boundaries at exact powers fall where the formula has them. Hugging Face takes the logarithm in
/// float32. For its defaults (32 buckets, distance 128, either direction) that gives the same bucket for every
/// distance. Of all sets of 4 to 64 buckets and distances to 512 it differs in 26 of 60946, at 33 distances: where the
/// formula's value is a whole number and float32 falls short of it, one bucket lower (17 buckets of one direction, up
/// to distance 27: distance 12 is in bucket 10 there, 11 here).
class T5Buckets {
 public:
  /// Errors: buckets, or max_distance outside exact buckets + 1 ... max_positions, named "maxDistance"; memory.
  [[nodiscard]] static Expected<T5Buckets> make(const T5Options& options);

  /// The bucket of a relative position, key - query.
  [[nodiscard]] std::int32_t bucket(std::int64_t distance) const;

  /// Writes the buckets in compact form, [distances]. Error: a size of `out` that differs.
  [[nodiscard]] Expected<void> ids(const RelativePositions& positions, std::span<std::int32_t> out) const;

  /// Looks the buckets up in a learned `table`, [buckets, heads]; writes the bias in compact form, [heads, distances].
  /// Errors: sizes that differ.
  [[nodiscard]] Expected<void> bias(const RelativePositions& positions, Future future, std::span<const float> table,
                                    std::span<float> out) const;

 private:
  [[nodiscard]] std::size_t shared_by(std::int64_t distance, std::size_t most) const;

  AlignedArray<std::int64_t> starts_;  ///< the smallest distance of each bucket of one direction
  std::size_t buckets_ = 0;
  bool bidirectional_ = true;
};

}  // namespace posenc
