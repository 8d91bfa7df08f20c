#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"

namespace posenc {

/// One row from its sines and cosines, each rounded here, once.
inline void write_row(const Dims& dims, double amplitude, const double* sines, const double* cosines,
                      std::span<float> row) {
  float* const first_sine = row.data() + dims.first_sine;
  float* const first_cosine = row.data() + dims.first_cosine;
  for (std::size_t i = 0; i < dims.sines; ++i) first_sine[i * dims.stride] = static_cast<float>(amplitude * sines[i]);
  for (std::size_t i = 0; i < dims.cosines; ++i)
    first_cosine[i * dims.stride] = static_cast<float>(amplitude * cosines[i]);
  std::ranges::fill(row.subspan(dims.sines + dims.cosines), 0.0f);
}

/// Writes sinusoidal rows of consecutive whole positions; amplitude 1, no dimension of a row left over. Around a centre
/// they come in pairs, centre + fine and centre - fine: both are sums and differences of the same four products, of
/// doubles (Precision::exact) or of the same values rounded to float32 (Precision::fast).
class SinusoidalRows {
 public:
  /// None, until one that was made is moved here.
  SinusoidalRows() : dims_(Order::interleaved, 0, 0) {}

  static constexpr std::size_t reach = static_cast<std::size_t>(PositionParts::reach);
  static constexpr std::size_t rows_of_block = 2 * reach + 1;

  /// The row of its block that a position has.
  [[nodiscard]] static std::size_t row_in_block(const PositionParts& parts) {
    return static_cast<std::size_t>(parts.fine + PositionParts::reach);
  }

  /// `bytes` of the whole output. Makes the tables of `angles`, which is then passed to every function below.
  /// Errors: memory.
  [[nodiscard]] static Expected<SinusoidalRows> make(const Dims& dims, AngleRows& angles, std::size_t bytes,
                                                     Precision precision);

  /// The rows of first, first + 1, ..., positions that parts_of splits.
  void write(AngleRows& angles, double first, std::span<float> out);

  /// Writes, of the block around the centre of `parts`, `count` rows from index `from` of rows_of_block on.
  void write_block(AngleRows& angles, const PositionParts& parts, std::size_t from, std::size_t count, float* out);

 private:
  explicit SinusoidalRows(const Dims& dims) : dims_(dims) {}

  void write_rows(AngleRows& angles, double first, std::span<float> out);
  [[nodiscard]] std::size_t dim() const { return dims_.sines + dims_.cosines; }
  AngleRow<float> round(const AngleRow<double>& row, std::size_t padded, std::size_t index);

  Dims dims_;
  /// In this order. For Precision::fast, rounded: the centre's row, and those of the fine parts from 1 on. For outputs
  /// that the caches do not hold, a tile: some blocks. A row for results that are not needed.
  AlignedArray<float> memory_;
  std::size_t rounded_size_ = 0, tile_size_ = 0;
};

}  // namespace posenc
