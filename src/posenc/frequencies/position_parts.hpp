#pragma once

#include <cmath>
#include <cstddef>

namespace posenc {

/// A position as a sum of three, coarse + middle + fine, exactly. Sine and cosine of a sum follow from those of its
/// parts by multiplication, and there are few middle and few fine parts: tables of these save all other positions an
/// evaluation of their own. The rows of those tables are sums too: n units are n / 2 units twice, or n - 1 units and
/// one. The parts depend on the position alone, so that it has the same bits in every table and slice.
struct PositionParts {
  static constexpr double reach = 16;            ///< fine is a whole number from -reach to reach
  static constexpr double step = 2 * reach + 1;  ///< middle is a multiple of it, from -reach * step to reach * step
  static constexpr double stride = step * step;  ///< coarse is a multiple of it

  double coarse = 0, middle = 0, fine = 0;
  bool whole = false;  ///< else the position is `coarse` alone

  /// How many steps the middle part is away from the coarse one.
  [[nodiscard]] double middle_steps() const { return middle / step; }
};

/// Beyond this positions are not split: 2^44, where quotients are still rounded far less than 1 / stride.
inline constexpr double largest_whole = 17592186044416.0;

/// Those of -position are the negative ones.
inline PositionParts parts_of(double position) {
  if (!(std::fabs(position) <= largest_whole) || position != std::nearbyint(position)) return {.coarse = position};
  // No ties: both divisors are odd.
  const double coarse = std::nearbyint(position / PositionParts::stride) * PositionParts::stride;
  const double rest = position - coarse;
  const double middle = std::nearbyint(rest / PositionParts::step) * PositionParts::step;
  return {.coarse = coarse, .middle = middle, .fine = rest - middle, .whole = true};
}

}  // namespace posenc
