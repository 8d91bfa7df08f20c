#include "posenc/rotary/fope.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/frequencies/angles.hpp"

namespace posenc {
namespace {

Expected<void> check_original_length(const FopeOptions& options, const Frequencies& frequencies) {
  if (!options.original_length) return {};
  const double length = *options.original_length;
  if (!(length > 0) || !std::isfinite(length)) return wrong("originalLength", length, {"a finite number > 0"});
  const double floor = 6.283185307179586 / length;
  std::size_t above = 0;
  while (above < frequencies.count() && frequencies.radians(above) > floor) ++above;
  if (static_cast<std::int64_t>(above) == options.kept) return {};
  return wrong("originalLength", length,
               {"a length with ", decimal(options.kept),
                " frequencies above 2 pi / length, the matrices' rows; it has ", decimal(above)});
}

using Doubles = xsimd::batch<double>;

/// Matrices [heads, kept, mixed] in double, their rows padded with zeros to whole vectors.
Expected<AlignedArray<double>> padded_rows(std::span<const float> matrices, std::size_t mixed, std::size_t padded) {
  const std::size_t rows = mixed == 0 ? 0 : matrices.size() / mixed;
  auto made = AlignedArray<double>::make(rows * padded);
  if (!made) return made;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t m = 0; m < mixed; ++m) (*made)[row * padded + m] = static_cast<double>(matrices[row * mixed + m]);
  return made;
}

/// The products of `values`, [kept], and a matrix [kept, sums.size()], of which the first out.size() are wanted.
void mix(const double* values, const double* matrix, std::size_t kept, std::span<double> sums, std::span<float> out) {
  for (std::size_t m = 0; m < sums.size(); m += Doubles::size) {
    Doubles sum(0);
    for (std::size_t n = 0; n < kept; ++n)
      sum = sum + Doubles(values[n]) * Doubles::load_aligned(matrix + n * sums.size() + m);
    sum.store_aligned(sums.data() + m);
  }
  for (std::size_t m = 0; m < out.size(); ++m) out[m] = static_cast<float>(sums[m]);
}

}  // namespace

Expected<void> write_fope(const FopeOptions& options, const Positions& positions, std::span<float> cosines,
                          std::span<float> sines) {
  if (auto checked = check_whole("dim", options.dim, 2, max_dim); !checked) return checked;
  if (options.dim % 2 != 0) return wrong("dim", static_cast<double>(options.dim), {"an even number"});
  if (auto checked = check_whole("heads", options.heads, 1, max_dim); !checked) return checked;
  if (auto checked = check_whole("cosines.shape[1]", options.kept, 0, options.dim / 2); !checked) return checked;
  if (auto checked = check_whole("cosines.shape[2]", options.mixed, 0, options.dim / 2); !checked) return checked;
  const auto frequencies = Frequencies::make({.dim = options.dim, .base = options.base});
  if (!frequencies) return error_of(frequencies);
  if (auto checked = check_original_length(options, *frequencies); !checked) return checked;
  if (auto checked = positions.check(frequencies->largest()); !checked) return checked;
  const auto heads = static_cast<std::size_t>(options.heads), kept = static_cast<std::size_t>(options.kept),
             mixed = static_cast<std::size_t>(options.mixed);
  const std::size_t count = positions.count(), pairs = frequencies->count();
  if (auto checked = check_arrays({{"cosines", options.cosines.size(), {heads, kept, mixed}},
                                   {"sines", options.sines.size(), {heads, kept, mixed}},
                                   {"out.cos", cosines.size(), {heads, count, pairs}},
                                   {"out.sin", sines.size(), {heads, count, pairs}}});
      !checked)
    return checked;
  auto rows = AngleRows::make(*frequencies);
  if (!rows) return error_of(rows);
  const std::size_t padded = (mixed + Frequencies::lane_block - 1) / Frequencies::lane_block * Frequencies::lane_block;
  auto sums = AlignedArray<double>::make(padded);
  auto of_cosines = padded_rows(options.cosines, mixed, padded);
  auto of_sines = padded_rows(options.sines, mixed, padded);
  for (auto* const made : {&sums, &of_cosines, &of_sines})
    if (!*made) return error_of(*made);

  std::ranges::fill(cosines, 1.0f);
  std::ranges::fill(sines, 0.0f);
  for (std::size_t p = 0; p < count; ++p) {
    const auto row = rows->at(positions[p]);
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t matrix = h * kept * padded, at = (h * count + p) * pairs;
      mix(row.cosines, of_cosines->data() + matrix, kept, sums->span(), cosines.subspan(at, mixed));
      mix(row.sines, of_sines->data() + matrix, kept, sums->span(), sines.subspan(at, mixed));
    }
  }
  return {};
}

}  // namespace posenc
