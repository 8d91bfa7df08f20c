#include "posenc/relative/sandwich.hpp"

#include <cmath>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/frequencies/positions.hpp"
#include "posenc/relative/kernels/diagonal_rows.hpp"

namespace posenc {
namespace {

constexpr Name indices_names[]{
    {"paper", SandwichIndices::paper},
    {"sinusoidal", SandwichIndices::sinusoidal},
};

/// Sums of cosines, for one set of frequencies of which the first may be left out.
class CosineSum {
 public:
  static Expected<CosineSum> make(const FrequencyOptions& options, bool skip_first) {
    CosineSum made;
    auto frequencies = Frequencies::make(options);
    if (!frequencies) return std::unexpected(frequencies.error());
    auto scratch = AlignedArray<double>::make(2 * frequencies->padded_count());
    if (!scratch) return std::unexpected(scratch.error());
    made.frequencies_ = std::move(*frequencies);
    made.scratch_ = std::move(*scratch);
    made.first_ = skip_first ? 1 : 0;
    return made;
  }

  /// Of cos(distance * frequency) - 1, in order.
  [[nodiscard]] double at(double distance) {
    double* const cosines = scratch_.data() + frequencies_.padded_count();
    sines_and_cosines(frequencies_, distance, scratch_.data(), cosines);
    double sum = 0;
    for (std::size_t i = first_; i < frequencies_.count(); ++i) sum += cosines[i] - 1;
    return sum;
  }

  [[nodiscard]] double largest() const { return frequencies_.largest(); }

 private:
  Frequencies frequencies_;
  AlignedArray<double> scratch_;
  std::size_t first_ = 0;
};

Expected<void> check_reach(const RelativePositions& positions, double largest_frequency) {
  if (positions.distances() == 0) return {};
  const auto first = static_cast<double>(positions.distance(0));
  const auto last = static_cast<double>(positions.distance(positions.distances() - 1));
  if (std::fmax(std::fabs(first), std::fabs(last)) * largest_frequency <= max_angle) return {};
  return wrong("queryOffset", static_cast<double>(positions.query_position(0)),
               {"relative positions whose largest angle is at most 2^53 radians"});
}

}  // namespace

template <>
Expected<SandwichIndices> from_name(std::string_view name) {
  return from_name<SandwichIndices>(indices_names, "indices", name);
}

Expected<void> sandwich_bias(const SandwichOptions& options, const RelativePositions& positions, Future future,
                             std::span<float> out) {
  if (auto checked = check_whole("dim", options.dim, 2, max_dim); !checked) return checked;
  if (options.dim % 2 != 0) return wrong("dim", static_cast<double>(options.dim), {"an even number"});
  const bool from_one = options.indices == SandwichIndices::paper;
  auto sum = CosineSum::make({.dim = options.dim, .base = options.base}, from_one);
  if (!sum) return std::unexpected(sum.error());
  // Counting from one ends with base^-1: the second frequency of dim 4 in double steps.
  auto last = CosineSum::make({.dim = 4, .base = options.base, .exponent = Exponent::double_stepped}, true);
  if (!last) return std::unexpected(last.error());
  if (auto checked = check_reach(positions, std::fmax(sum->largest(), from_one ? last->largest() : 0)); !checked)
    return checked;
  if (auto checked = check_size("out", out.size(), positions.heads(), positions.distances()); !checked) return checked;
  auto sums = AlignedArray<double>::make(positions.distances());
  if (!sums) return std::unexpected(sums.error());
  for (std::size_t c = 0; c < sums->size(); ++c) {
    const auto distance = static_cast<double>(positions.distance(c));
    (*sums)[c] = sum->at(distance) + (from_one ? last->at(distance) : 0);
  }
  const auto heads = static_cast<double>(positions.heads());
  return write_compact(positions, future, out, [&](std::size_t h, std::int64_t distance) {
    const auto c = static_cast<std::size_t>(distance - positions.distance(0));
    return (*sums)[c] * heads / (8 * static_cast<double>(h + 1));
  });
}

}  // namespace posenc
