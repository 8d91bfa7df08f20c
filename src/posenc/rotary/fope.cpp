#include "posenc/rotary/fope.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/angles.hpp"

namespace posenc {
namespace {

/// How many frequencies are above 2 pi / length; -1 for a length that is not > 0.
std::int64_t count_above(const Frequencies& frequencies, double length) {
  if (!(length > 0)) return -1;
  std::size_t above = 0;
  while (above < frequencies.count() && frequencies.radians(above) > 6.283185307179586 / length) ++above;
  return static_cast<std::int64_t>(above);
}

/// The products of `values`, [kept], and a matrix [kept, sums.size()].
void mix(const double* values, const float* matrix, std::size_t kept, std::span<double> sums, float* out) {
  std::ranges::fill(sums, 0.0);
  for (std::size_t n = 0; n < kept; ++n)
    for (double& sum : sums) sum += values[n] * static_cast<double>(*matrix++);
  for (const double sum : sums) *out++ = static_cast<float>(sum);
}

}  // namespace

Expected<void> write_fope(const FopeOptions& options, const Positions& positions, std::span<float> cosines,
                          std::span<float> sines) {
  if (options.dim % 2 != 0) return invalid_argument("dim", static_cast<double>(options.dim), expected::even);
  POSENC_TRY_LET(frequencies, Frequencies::make({.dim = options.dim, .base = options.base}));
  if (std::min(options.kept, options.mixed) < 0 || std::max(options.kept, options.mixed) > options.dim / 2)
    return invalid_argument("cosines.shape", static_cast<double>(std::max(options.kept, options.mixed)),
                            expected::at_most, {"dim / 2"}, " frequencies and pairs");
  if (options.original_length && !(count_above(frequencies, *options.original_length) == options.kept))
    return invalid_argument("originalLength", *options.original_length, expected::kept_frequencies, {options.kept});
  POSENC_TRY(positions.check(frequencies.largest()));
  const auto heads = static_cast<std::size_t>(options.heads), kept = static_cast<std::size_t>(options.kept),
             mixed = static_cast<std::size_t>(options.mixed);
  const std::size_t count = positions.count(), pairs = frequencies.count();
  POSENC_TRY(check_arrays({{"cosines", options.cosines.size(), {heads, kept, mixed}},
                           {"sines", options.sines.size(), {heads, kept, mixed}},
                           {"out.cos", cosines.size(), {heads, count, pairs}},
                           {"out.sin", sines.size(), {heads, count, pairs}}}));
  POSENC_TRY_LET(rows, AngleRows::make(frequencies));
  POSENC_TRY_LET(sums, AlignedArray<double>::make(mixed));

  std::ranges::fill(cosines, 1.0f);
  std::ranges::fill(sines, 0.0f);
  for (std::size_t p = 0; p < count; ++p) {
    const auto row = rows.at(positions[p]);
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t matrix = h * kept * mixed, at = (h * count + p) * pairs;
      mix(row.cosines, options.cosines.data() + matrix, kept, sums.span(), cosines.data() + at);
      mix(row.sines, options.sines.data() + matrix, kept, sums.span(), sines.data() + at);
    }
  }
  return {};
}

}  // namespace posenc
