#include "posenc/relative/sandwich.hpp"

#include <cmath>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/frequencies/positions.hpp"
#include "posenc/relative/kernels/diagonal_rows.hpp"

namespace posenc {
namespace {

/// Sums of cosines, for one set of frequencies of which the first may be left out.
class CosineSum {
 public:
  static Expected<CosineSum> make(const FrequencyOptions& options, bool skip_first) {
    CosineSum made;
    POSENC_TRY_LET(frequencies, Frequencies::make(options));
    made.frequencies_ = std::move(frequencies);
    made.first_ = skip_first ? 1 : 0;
    return made;
  }

  /// Adds the sums of cos(size * frequency) - 1, in order, for sizes from `least` on.
  [[nodiscard]] Expected<void> add_to(std::span<double> sums, std::int64_t least) const {
    POSENC_TRY_LET(angles, AngleRows::make(frequencies_));
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const double* const cosines = angles.at(static_cast<double>(least + static_cast<std::int64_t>(k))).cosines;
      double sum = 0;
      for (std::size_t i = first_; i < frequencies_.count(); ++i) sum += cosines[i] - 1;
      sums[k] += sum;
    }
    return {};
  }

  [[nodiscard]] double largest() const { return frequencies_.largest(); }

 private:
  Frequencies frequencies_;
  std::size_t first_ = 0;
};

Expected<void> check_reach(const RelativePositions& positions, double largest_frequency) {
  if (positions.distances() == 0) return {};
  const auto first = static_cast<double>(positions.distance(0));
  const auto last = static_cast<double>(positions.distance(positions.distances() - 1));
  if (std::fmax(std::fabs(first), std::fabs(last)) * largest_frequency <= max_angle) return {};
  return invalid_argument("queryOffset", static_cast<double>(positions.query_position(0)), expected::exact_angle,
                          {"position"});
}

}  // namespace

Expected<void> sandwich_bias(const SandwichOptions& options, const RelativePositions& positions, Future future,
                             std::span<float> out) {
  POSENC_TRY(check_ranges(options));
  if (options.dim % 2 != 0) return invalid_argument("dim", static_cast<double>(options.dim), expected::even);
  const bool from_one = options.indices == SandwichIndices::paper;
  POSENC_TRY_LET(sum, CosineSum::make({.dim = options.dim, .base = options.base}, from_one));
  // Counting from one ends with base^-1: the second frequency of dim 4 in double steps.
  POSENC_TRY_LET(last, CosineSum::make({.dim = 4, .base = options.base, .exponent = Exponent::double_stepped}, true));
  POSENC_TRY(check_reach(positions, std::fmax(sum.largest(), from_one ? last.largest() : 0)));
  POSENC_TRY(check_size("out", out.size(), positions.heads(), positions.distances()));
  const DistanceSizes sizes(positions, future);
  POSENC_TRY_LET(sums, AlignedArray<double>::make(sizes.count()));
  POSENC_TRY_LET(values, AlignedArray<float>::make_unfilled(sizes.count()));
  POSENC_TRY(sum.add_to(sums.span(), sizes.least()));
  POSENC_TRY(from_one ? last.add_to(sums.span(), sizes.least()) : Expected<void>());
  const std::size_t distances = positions.distances();
  const auto heads = static_cast<double>(positions.heads());
  for (std::size_t h = 0; h < (distances == 0 ? 0 : positions.heads()); ++h) {
    for (std::size_t k = 0; k < sums.size(); ++k)
      values[k] = static_cast<float>(sums[k] * heads / (8 * static_cast<double>(h + 1)));
    sizes.write(values.span(), out.subspan(h * distances, distances));
  }
  return {};
}

}  // namespace posenc
