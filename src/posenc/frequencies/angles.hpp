#pragma once

#include <cmath>
#include <cstddef>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/frequencies/frequencies.hpp"

namespace posenc {

/// Whether angles are exact for a position and frequencies up to this one: |position * frequency| <= max_angle and,
/// so that splitting does not overflow where frequencies are 0, |position| <= 2^990. Not for NaN.
[[nodiscard]] inline bool has_exact_angles(double position, double largest_frequency) {
  const double magnitude = std::fabs(position);
  return magnitude <= 0x1p990 && magnitude * largest_frequency <= max_angle;
}

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

/// The parts of -position are the negative ones.
inline PositionParts parts_of(double position) {
  if (!(std::fabs(position) <= largest_whole) || position != std::nearbyint(position)) return {.coarse = position};
  // No ties: both divisors are odd.
  const double coarse = std::nearbyint(position / PositionParts::stride) * PositionParts::stride;
  const double rest = position - coarse;
  const double middle = std::nearbyint(rest / PositionParts::step) * PositionParts::step;
  return {.coarse = coarse, .middle = middle, .fine = rest - middle, .whole = true};
}

/// Sine and cosine of position * frequency for every frequency, in double: `sines` and `cosines` get
/// frequencies.padded_count() values each, on 64-byte boundaries.
///
/// Valid while |position * frequency| <= max_angle. Largest error: 1e-14 absolute. Position 0 gives exactly 0 and 1;
/// -position gives -sine and cosine, bit for bit. IEEE operations only: the same bits on every machine. Whole positions
/// are computed from their parts; AngleRows does that for many with less work.
void sines_and_cosines(const Frequencies& frequencies, double position, double* sines, double* cosines);

/// Adds position * frequency, less whole cycles, to `cycles` (frequencies.padded_count() values on a 64-byte boundary),
/// for angles that are sums. Each call adds at most half a cycle and an error of 1e-16 cycles.
void add_cycles(const Frequencies& frequencies, double position, double* cycles);

/// Sine and cosine of angles in cycles, |cycles| < 2^20: `padded_count` of them, a multiple of Frequencies::dim_block,
/// on 64-byte boundaries all. Largest error: 1e-14 absolute, for cycles that are exact.
void sines_and_cosines(const double* cycles, std::size_t padded_count, double* sines, double* cosines);

/// Sines and cosines of a position times each frequency: the one view of them that every kernel takes. AngleRows and
/// RotaryAngles pad them to whole vectors and put them on 64-byte boundaries.
template <class Scalar>
struct AngleRow {
  const Scalar* sines = nullptr;
  const Scalar* cosines = nullptr;
};

/// Sines and cosines of many positions, one after the other: tables of the middle and fine parts, filled as positions
/// need them, and the last coarse part leave one addition of angles for most positions. The first position is computed
/// without them: it may be the only one.
class AngleRows {
 public:
  /// `frequencies` must outlive this. Errors: memory.
  [[nodiscard]] static Expected<AngleRows> make(const Frequencies& frequencies);

  using Row = AngleRow<double>;

  /// Returns what sines_and_cosines gives, bit for bit; valid until the next call.
  [[nodiscard]] Row at(double position);

  /// Makes room for the tables, without which centre and fine must not be called. Errors: memory.
  [[nodiscard]] Expected<void> make_tables();

  /// The sum of the coarse and the middle part of a whole position; valid until the next call.
  [[nodiscard]] Row centre(const PositionParts& parts);

  /// The fine part `steps`, 0 ... reach. Those that were asked for are one after the other, 2 * padded_count() apart.
  [[nodiscard]] Row fine(std::size_t steps) { return table_row(fine_first, steps, 1); }

  [[nodiscard]] std::size_t padded_count() const { return frequencies_->padded_count(); }

 private:
  /// Rows in memory_, after which come their cosines.
  static constexpr std::size_t per_table = static_cast<std::size_t>(PositionParts::reach) + 1;
  static constexpr std::size_t coarse_rows = 8;  ///< of neighbouring coarse parts: positions may jump back and forth
  static constexpr std::size_t fine_first = 0, middle_first = per_table, coarse_first = 2 * per_table,
                               centre_row = coarse_first + coarse_rows, row_count = centre_row + 1;

  [[nodiscard]] double* sines(std::size_t row) { return memory_.data() + 2 * row * padded_count(); }
  [[nodiscard]] double* cosines(std::size_t row) { return sines(row) + padded_count(); }
  [[nodiscard]] Row row(std::size_t row) { return {sines(row), cosines(row)}; }
  [[nodiscard]] Row table_row(std::size_t first, std::size_t steps, double unit);
  [[nodiscard]] Row coarse(double position);
  [[nodiscard]] bool has_tables() const { return memory_.size() != 0; }
  void add(const Row& a, double steps, const Row& b, double* sines_to);

  const Frequencies* frequencies_ = nullptr;
  AlignedArray<double> memory_;
  AlignedArray<double> sum_;  ///< the result
  bool asked_before_ = false;
  bool filled_[row_count] = {};
  double coarse_[coarse_rows] = {};               ///< what the coarse rows hold, once filled
  double centre_coarse_ = 0, centre_middle_ = 0;  ///< and the centre's
};

}  // namespace posenc
