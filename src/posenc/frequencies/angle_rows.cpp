#include "posenc/frequencies/angle_rows.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace posenc {

Expected<AngleRows> AngleRows::make(const Frequencies& frequencies) {
  auto sum = AlignedArray<double>::make_unfilled(6 * frequencies.padded_count());
  if (!sum) return std::unexpected(sum.error());
  AngleRows made;
  made.frequencies_ = &frequencies;
  made.sum_ = std::move(*sum);
  return made;
}

Expected<void> AngleRows::make_tables() {
  if (has_tables()) return {};
  auto memory = AlignedArray<double>::make_unfilled(2 * row_count * padded_count());
  if (!memory) return std::unexpected(memory.error());
  memory_ = std::move(*memory);
  return {};
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
  add(lower, 1, n % 2 == 0 ? lower : table_row(first, 1, unit), sines(at));
  return row(at);
}

/// Writes the sum of a and `steps` times the unit of b, which is the row of |steps|: sines, and cosines behind them.
void AngleRows::add(const Row& a, double steps, const Row& b, double* sines_to) {
  add_angles(a.sines, a.cosines, std::signbit(steps) ? -1 : 1, b.sines, b.cosines, padded_count(), sines_to,
             sines_to + padded_count());
}

AngleRows::Row AngleRows::coarse(double position) {
  const auto slot = static_cast<std::size_t>(static_cast<std::int64_t>(position / PositionParts::stride)) % coarse_rows;
  const std::size_t at = coarse_first + slot;
  if (!std::exchange(filled_[at], true) || coarse_[slot] != position)
    direct_sines_and_cosines(*frequencies_, position, sines(at), cosines(at));
  coarse_[slot] = position;
  return row(at);
}

AngleRows::Row AngleRows::centre(const PositionParts& parts) {
  if (filled_[centre_row] && centre_coarse_ == parts.coarse && centre_middle_ == parts.middle) return row(centre_row);
  const double steps = parts.middle_steps();
  add(coarse(parts.coarse), steps,
      table_row(middle_first, static_cast<std::size_t>(std::fabs(steps)), PositionParts::step), sines(centre_row));
  centre_coarse_ = parts.coarse;
  centre_middle_ = parts.middle;
  filled_[centre_row] = true;
  return row(centre_row);
}

/// Adds `count` units to the sum: sines_and_cosines' own steps, on rows.
void AngleRows::add_multiple(double unit, double count) {
  double* const unit_sines = sum_.data() + 2 * padded_count();
  double* const sines = unit_sines + 2 * padded_count();
  const Row once{unit_sines, unit_sines + padded_count()}, sum{sum_.data(), sum_.data() + padded_count()};
  const Row multiple{sines, sines + padded_count()};
  const auto n = static_cast<unsigned>(std::fabs(count));
  direct_sines_and_cosines(*frequencies_, unit, unit_sines, unit_sines + padded_count());
  direct_sines_and_cosines(*frequencies_, n == 0 ? 0 : unit, sines, sines + padded_count());
  for (unsigned bit = std::bit_floor(n) >> 1; bit != 0; bit >>= 1) {
    add(multiple, 1, multiple, sines);
    if ((n & bit) != 0) add(multiple, 1, once, sines);
  }
  add(sum, count, multiple, sum_.data());
}

AngleRows::Row AngleRows::at(double position) {
  const PositionParts parts = parts_of(position);
  const Row sum{sum_.data(), sum_.data() + padded_count()};
  // Tables pay for their set-up from the second whole position on. Without memory for them, positions take longer.
  const bool again = parts.whole && std::exchange(asked_before_, true);
  if (again && make_tables()) {
    const Row from = centre(parts);
    add(from, parts.fine, fine(static_cast<std::size_t>(std::fabs(parts.fine))), sum_.data());
    return sum;
  }
  direct_sines_and_cosines(*frequencies_, parts.coarse, sum_.data(), sum_.data() + padded_count());
  if (!parts.whole) return sum;
  add_multiple(PositionParts::step, parts.middle_steps());
  add_multiple(1, parts.fine);
  return sum;
}

}  // namespace posenc
