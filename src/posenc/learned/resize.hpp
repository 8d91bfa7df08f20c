#pragma once

#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/range.hpp"
#include "posenc/learned/learned_table.hpp"

namespace posenc {

enum class Interpolation : std::uint8_t {
  linear,  ///< along each axis: torch's "linear" and "bilinear"
  cubic,   ///< Keys 1981 along each axis, a = -0.75, or -0.5 with antialias: torch's "bicubic"
};

template <>
inline constexpr auto names_of<Interpolation> =
    Names("interpolation", {{"linear", Interpolation::linear}, {"cubic", Interpolation::cubic}});

/// A sequence is a grid of height 1.
struct GridSize {
  std::int64_t height = 0;
  std::int64_t width = 0;
};

/// The defaults are those of timm's resample_abs_pos_embed.
struct ResizeOptions {
  Interpolation interpolation = Interpolation::cubic;
  /// Where an axis becomes shorter its kernel becomes as much wider, so that every old row counts. (Where it becomes
  /// longer only the cubic's a differs, and what is beyond an edge: weights that are left are scaled to a sum of 1.)
  bool antialias = true;
  /// The first and last rows stay in place: new row i reads at i (from - 1) / (to - 1), and not at
  /// (i + 1/2) from / to - 1/2. Not with antialias, for which torch has no such meaning.
  bool align_corners = false;
  /// Rows before the grid's that are kept as they are: class token, registers.
  std::int64_t prefix = 0;

  static constexpr std::tuple ranges{ranged("prefixTokens", &ResizeOptions::prefix, whole_from(0, max_rows))};
};

/// The defaults for a sequence: those of torch's interpolate, mode "linear".
inline constexpr ResizeOptions sequence_resize{.interpolation = Interpolation::linear, .antialias = false};

/// A learned table for another length or another grid, as torch.nn.functional.interpolate with a size (not a
/// scale_factor) makes it; without antialias what is beyond an edge has the edge's value.
///
/// table: [prefix + from.height * from.width, dim]; out: [prefix + to.height * to.width, dim]; row-major.
/// Positions are exact, weights and sums in double (torch: float32), one rounding. An axis that keeps its length is not
/// touched: the same size gives the same bits. Largest error: 0.501 ulp + 1e-15 * the sum of |weight * value|.
/// Errors: dim; extents outside 1 ... max_rows ("from", "to"; 0 is fine for `to`, and for `from` where `to` has none);
/// prefix outside 0 ... max_rows ("prefixTokens"); align_corners with antialias; sizes that do not fit; memory.
[[nodiscard]] Expected<void> resize_table(std::span<const float> table, std::int64_t dim, const GridSize& from,
                                          const GridSize& to, const ResizeOptions& options, std::span<float> out);

}  // namespace posenc
