#include "posenc/relative/alibi.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/array_maths.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/kernels/diagonal_rows.hpp"

namespace posenc {
namespace {

/// The fraction of the steepness that is the exponent of head h of `heads`, h from 0: a multiple of a power of two.
double share(AlibiSlopes slopes, std::size_t h, std::size_t heads) {
  if (slopes == AlibiSlopes::paper) {
    const std::size_t lower = std::bit_floor(heads);
    const bool extra = h >= lower;
    return static_cast<double>(extra ? 2 * (h - lower) + 1 : h + 1) / static_cast<double>(extra ? 2 * lower : lower);
  }
  const std::size_t higher = std::bit_ceil(heads);
  if (higher == heads) return static_cast<double>(h + 1) / static_cast<double>(heads);
  const std::size_t index = h < higher / 2 ? 2 * h + 2 : 2 * (h - higher / 2) + 1;
  return static_cast<double>(index) / static_cast<double>(higher);
}

/// 2^-exponent of the heads from `first` on, exact where the exponent is whole.
void write_slopes(const AlibiOptions& options, std::size_t heads, std::size_t first, std::span<double> out) {
  const auto exponent = [&](std::size_t k) { return options.steepness * share(options.slopes, first + k, heads); };
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = ln_2.high * (std::floor(exponent(k)) - exponent(k));
  exponentials(out);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = std::ldexp(out[k], -static_cast<int>(std::floor(exponent(k))));
}

}  // namespace

Expected<void> alibi_slopes(const AlibiOptions& options, std::span<float> out) {
  POSENC_TRY(check_whole("heads", static_cast<std::int64_t>(out.size()), 1, max_heads));
  POSENC_TRY(check_ranges(options));
  double block[64];
  for (std::size_t first = 0; first < out.size(); first += std::size(block)) {
    const auto slopes = std::span(block).first(std::min(std::size(block), out.size() - first));
    write_slopes(options, out.size(), first, slopes);
    for (std::size_t k = 0; k < slopes.size(); ++k) out[first + k] = static_cast<float>(slopes[k]);
  }
  return {};
}

Expected<void> alibi_bias(const AlibiOptions& options, const RelativePositions& positions, Future future,
                          std::span<float> out) {
  POSENC_TRY(check_ranges(options));
  POSENC_TRY_LET(slopes, AlignedArray<double>::make(positions.heads()));
  write_slopes(options, slopes.size(), 0, slopes.span());
  const std::size_t distances = positions.distances();
  POSENC_TRY(check_size("out", out.size(), positions.heads(), distances));
  if (out.empty()) return {};
  const std::size_t kept = kept_distances(positions, future);
  const bool linear = options.distance == AlibiDistance::linear;
  const auto first = static_cast<std::int32_t>(positions.distance(0));
  for (std::size_t h = 0; h < slopes.size(); ++h) {
    float* const line = out.data() + h * distances;
    const double slope = slopes[h];
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
