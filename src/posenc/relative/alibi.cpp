#include "posenc/relative/alibi.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "posenc/attention/alibi_slope.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/kernels/diagonal_rows.hpp"

namespace posenc {
namespace {

/// The fraction of the steepness that is the exponent of head h of `heads`, h from 0: a multiple of a power of two.
double share(AlibiSlopes slopes, std::size_t h, std::size_t heads) {
  if (slopes == AlibiSlopes::paper) return alibi_share(h, heads);
  const std::size_t higher = std::bit_ceil(heads);
  if (higher == heads) return static_cast<double>(h + 1) / static_cast<double>(heads);
  const std::size_t index = h < higher / 2 ? 2 * h + 2 : 2 * (h - higher / 2) + 1;
  return static_cast<double>(index) / static_cast<double>(higher);
}

double slope_of(const AlibiOptions& options, std::size_t h, std::size_t heads) {
  return alibi_slope(options.steepness * share(options.slopes, h, heads));
}

}  // namespace

Expected<void> alibi_slopes(const AlibiOptions& options, std::span<float> out) {
  POSENC_TRY(check_whole("heads", static_cast<std::int64_t>(out.size()), 1, max_heads));
  POSENC_TRY(check_ranges(options));
  for (std::size_t h = 0; h < out.size(); ++h) out[h] = static_cast<float>(slope_of(options, h, out.size()));
  return {};
}

Expected<void> alibi_bias(const AlibiOptions& options, const RelativePositions& positions, Future future,
                          std::span<float> out) {
  POSENC_TRY(check_ranges(options));
  const std::size_t distances = positions.distances();
  POSENC_TRY(check_size("out", out.size(), positions.heads(), distances));
  if (out.empty()) return {};
  const std::size_t kept = kept_distances(positions, future);
  const bool linear = options.distance == AlibiDistance::linear;
  const auto first = static_cast<std::int32_t>(positions.distance(0));
  for (std::size_t h = 0; h < positions.heads(); ++h) {
    float* const line = out.data() + h * distances;
    const double slope = slope_of(options, h, positions.heads());
    for (std::size_t c = 0; c < kept; ++c) {
      const std::int32_t distance = first + static_cast<std::int32_t>(c);
      // The sign is changed on the integer: a double's zero would become -0, with some compilers only.
      line[c] = static_cast<float>(slope * static_cast<double>(linear || distance < 0 ? distance : -distance));
    }
    std::fill(line + kept, line + distances, -std::numeric_limits<float>::infinity());
  }
  return {};
}

}  // namespace posenc
