#pragma once

#include <cstddef>
#include <span>

#include "angle_rows.hpp"
#include "lanes.hpp"
#include "posenc/aligned_array.hpp"
#include "posenc/error.hpp"
#include "posenc/positions.hpp"

namespace posenc {

/// Writes sinusoidal rows of consecutive whole positions: with a centre's row F, its derivative G (each sine's place
/// holds the cosine, each cosine's the negative sine) and the fine part's cosines C and sines S, all of them with a
/// value for every lane, the row of centre + fine is F C + G S and that of centre - fine is F C - G S. One loop without
/// a branch or a shuffle serves every order of lanes.
class SinusoidRows {
 public:
  /// `angles` must outlive this. Errors: memory.
  [[nodiscard]] static Expected<SinusoidRows> make(const Lanes& lanes, std::size_t dim, AngleRows& angles);

  /// The rows of first, first + 1, ..., whole positions that parts_of takes apart; amplitude 1.
  void write(double first, std::span<float> out);

 private:
  SinusoidRows(const Lanes& lanes, std::size_t dim, std::size_t stride, AngleRows& angles, AlignedArray<double> memory);

  static constexpr std::size_t reach = static_cast<std::size_t>(PositionParts::reach);

  /// Two rows in turns, a block of one and a block of the other: one address reads both.
  [[nodiscard]] double* fine(std::size_t steps) { return memory_.data() + steps * stride_; }
  [[nodiscard]] double* centre() { return fine(reach + 1); }
  [[nodiscard]] double* scratch() { return fine(reach + 2); }
  void set_centre(const PositionParts& parts);
  void put(const double* sines, double sign, const double* cosines, std::size_t which, double* rows);
  void write_row(double fine_part, float* row);
  void write_block(float* first);

  Lanes lanes_;
  std::size_t dim_, stride_;
  AngleRows* angles_;
  AlignedArray<double> memory_;
};

}  // namespace posenc
