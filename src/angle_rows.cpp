#include "angle_rows.hpp"

#include <cmath>
#include <utility>

namespace posenc {

Expected<AngleRows> AngleRows::make(const Frequencies& frequencies) {
  auto memory = AlignedArray<double>::make(2 * row_count * frequencies.padded_count());
  if (!memory) return std::unexpected(memory.error());
  AngleRows made;
  made.frequencies_ = &frequencies;
  made.memory_ = std::move(*memory);
  return made;
}

/// Row n of a table: n units, as the sum of two lower rows.
AngleRows::Row AngleRows::table_row(std::size_t first, std::size_t n, double unit) {
  const std::size_t at = first + n;
  if (std::exchange(filled_[at], true)) return row(at);
  if (n < 2) {
    direct_sines_and_cosines(*frequencies_, static_cast<double>(n) * unit, sines(at), cosines(at));
    return row(at);
  }
  const Row lower = table_row(first, n % 2 == 0 ? n / 2 : n - 1, unit);
  add(lower, 1, n % 2 == 0 ? lower : table_row(first, 1, unit), at);
  return row(at);
}

/// Puts the sum of a and `steps` times the unit of b, which is the row of |steps|, into a row.
void AngleRows::add(const Row& a, double steps, const Row& b, std::size_t to) {
  add_angles(a.sines, a.cosines, std::signbit(steps) ? -1 : 1, b.sines, b.cosines, padded_count(), sines(to),
             cosines(to));
}

AngleRows::Row AngleRows::centre(const PositionParts& parts) {
  const bool same_coarse = filled_[coarse_row] && coarse_ == parts.coarse;
  if (same_coarse && filled_[centre_row] && middle_ == parts.middle) return row(centre_row);
  if (!same_coarse) {
    direct_sines_and_cosines(*frequencies_, parts.coarse, sines(coarse_row), cosines(coarse_row));
    coarse_ = parts.coarse;
    filled_[coarse_row] = true;
  }
  const double steps = parts.middle_steps();
  add(row(coarse_row), steps, table_row(middle_first, static_cast<std::size_t>(std::fabs(steps)), PositionParts::step),
      centre_row);
  middle_ = parts.middle;
  filled_[centre_row] = true;
  return row(centre_row);
}

AngleRows::Row AngleRows::at(double position) {
  const PositionParts parts = parts_of(position);
  if (!parts.whole) {
    direct_sines_and_cosines(*frequencies_, position, sines(sum_row), cosines(sum_row));
    return row(sum_row);
  }
  const Row from = centre(parts);
  add(from, parts.fine, fine(static_cast<std::size_t>(std::fabs(parts.fine))), sum_row);
  return row(sum_row);
}

}  // namespace posenc
