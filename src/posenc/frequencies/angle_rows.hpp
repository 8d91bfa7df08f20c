#pragma once

#include <cstddef>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/frequencies/angle_row.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/frequencies/phase.hpp"
#include "posenc/frequencies/position_parts.hpp"

namespace posenc {

/// Sines and cosines of many positions, one after the other: tables of the middle and fine parts (position_parts.hpp),
/// filled as positions need them, and the last coarse part leave one addition of angles for most positions. The first
/// position is computed without them: it may be the only one.
class AngleRows {
 public:
  /// `frequencies` must outlive this. Errors: memory.
  [[nodiscard]] static Expected<AngleRows> make(const Frequencies& frequencies);

  using Row = AngleRow<double>;

  /// What sines_and_cosines gives, bit for bit; valid until the next call.
  [[nodiscard]] Row at(double position);

  /// Makes room for the tables, without which centre and fine must not be called. Errors: memory.
  [[nodiscard]] Expected<void> make_tables();

  /// The sum of the coarse and the middle part of a whole position; valid until the next call.
  [[nodiscard]] Row centre(const PositionParts& parts);

  /// The fine part `steps`, 0 ... reach.
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
  void add_multiple(double unit, double count);
  void add(const Row& a, double steps, const Row& b, double* sines_to);

  const Frequencies* frequencies_ = nullptr;
  AlignedArray<double> memory_;
  AlignedArray<double> sum_;  ///< the result, and two rows to compute it without tables
  bool asked_before_ = false;
  bool filled_[row_count] = {};
  double coarse_[coarse_rows] = {};               ///< what the coarse rows hold, once filled
  double centre_coarse_ = 0, centre_middle_ = 0;  ///< and the centre's
};

}  // namespace posenc
