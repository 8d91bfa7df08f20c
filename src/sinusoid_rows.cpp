#include "sinusoid_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <xsimd/xsimd.hpp>

#include "rounded_store.hpp"

namespace posenc {
namespace {

using Batch = xsimd::batch<double>;

/// Values of one row that stand together.
constexpr std::size_t block = 2 * Batch::size;

/// A row with the values of sines where the order has sines, and those of cosines, times a sign, where it has cosines.
void spread(const Lanes& lanes, const double* __restrict sines, double sign, const double* __restrict cosines,
            double* __restrict out) {
  if (lanes.stride == 1) {
    std::copy_n(sines, lanes.sines, out + lanes.first_sine);
    for (std::size_t i = 0; i < lanes.cosines; ++i) out[lanes.first_cosine + i] = sign * cosines[i];
    return;
  }
  for (std::size_t i = 0; i < lanes.cosines; ++i) {
    out[2 * i] = sines[i];
    out[2 * i + 1] = sign * cosines[i];
  }
  if (lanes.sines > lanes.cosines) out[2 * lanes.cosines] = sines[lanes.cosines];
}

/// Two rows in turns: F and G, or C and S.
struct Pair {
  Batch first[2], second[2];

  explicit Pair(const double* rows)
      : first{Batch::load_aligned(rows), Batch::load_aligned(rows + Batch::size)},
        second{Batch::load_aligned(rows + block), Batch::load_aligned(rows + block + Batch::size)} {}
};

void write_plus(const Pair& centre, const Pair& fine, Batch sign, float* out) {
  store_rounded(centre.first[0] * fine.first[0] + sign * (centre.second[0] * fine.second[0]),
                centre.first[1] * fine.first[1] + sign * (centre.second[1] * fine.second[1]), out);
}

void write_both(const Pair& centre, const double* rows, float* plus, float* minus) {
  const Pair fine(rows);
  const Batch u0 = centre.first[0] * fine.first[0], v0 = centre.second[0] * fine.second[0];
  const Batch u1 = centre.first[1] * fine.first[1], v1 = centre.second[1] * fine.second[1];
  store_rounded(u0 + v0, u1 + v1, plus);
  store_rounded(u0 - v0, u1 - v1, minus);
}

/// The four rows of centre + fine, centre - fine, for two neighbouring fine parts, from one reading of the centre's.
/// `plus` and `minus` are the rows of the first; the others stand dim further out. dim is a
/// multiple of a block.
void write_four(const double* centre, const double* fine, std::size_t stride, std::size_t dim, float* plus,
                float* minus) {
  const double* const further = fine + stride;
  float* const plus_further = plus + dim;
  float* const minus_further = minus - dim;
  for (std::size_t k = 0; k < dim; k += block) {
    const Pair from(centre + 2 * k);
    write_both(from, fine + 2 * k, plus + k, minus + k);
    write_both(from, further + 2 * k, plus_further + k, minus_further + k);
  }
}

}  // namespace

SinusoidRows::SinusoidRows(const Lanes& lanes, std::size_t dim, std::size_t stride, AngleRows& angles,
                           AlignedArray<double> memory)
    : lanes_(lanes), dim_(dim), stride_(stride), angles_(&angles), memory_(std::move(memory)) {
  for (std::size_t steps = 0; steps <= reach; ++steps) {
    const AngleRows::Row row = angles.fine(steps);
    put(row.cosines, 1, row.cosines, 0, fine(steps));
    put(row.sines, 1, row.sines, 1, fine(steps));
  }
}

Expected<SinusoidRows> SinusoidRows::make(const Lanes& lanes, std::size_t dim, AngleRows& angles) {
  const std::size_t stride = 2 * ((dim + block - 1) / block * block);
  auto memory = AlignedArray<double>::make((reach + 3) * stride);
  if (!memory) return std::unexpected(memory.error());
  return SinusoidRows(lanes, dim, stride, angles, std::move(*memory));
}

/// Makes a row and puts its blocks into two rows in turns, as the first or the second.
void SinusoidRows::put(const double* sines, double sign, const double* cosines, std::size_t which, double* rows) {
  spread(lanes_, sines, sign, cosines, scratch());
  for (std::size_t k = 0; 2 * k < stride_; k += block) std::copy_n(scratch() + k, block, rows + 2 * k + which * block);
}

void SinusoidRows::set_centre(const PositionParts& parts) {
  const AngleRows::Row row = angles_->centre(parts);
  put(row.sines, 1, row.cosines, 0, centre());
  put(row.cosines, -1, row.sines, 1, centre());
}

void SinusoidRows::write_row(double fine_part, float* row) {
  const double* const from = fine(static_cast<std::size_t>(std::fabs(fine_part)));
  const Batch sign(fine_part < 0 ? -1 : 1);
  std::size_t k = 0;
  for (; k + block <= dim_; k += block) write_plus(Pair(centre() + 2 * k), Pair(from + 2 * k), sign, row + k);
  if (k == dim_) return;
  std::array<float, block> last;
  write_plus(Pair(centre() + 2 * k), Pair(from + 2 * k), sign, last.data());
  std::copy_n(last.data(), dim_ - k, row + k);
}

/// All rows around the centre, the first of them at `first`.
void SinusoidRows::write_block(float* first) {
  float* const middle = first + reach * dim_;
  write_row(0, middle);
  if (dim_ % block != 0) {
    for (std::size_t steps = 1; steps <= reach; ++steps) {
      write_row(static_cast<double>(steps), middle + steps * dim_);
      write_row(-static_cast<double>(steps), middle - steps * dim_);
    }
    return;
  }
  static_assert(reach % 2 == 0);
  for (std::size_t steps = 1; steps < reach; steps += 2)
    write_four(centre(), fine(steps), stride_, dim_, middle + steps * dim_, middle - steps * dim_);
}

void SinusoidRows::write(double first, std::span<float> out) {
  constexpr std::size_t around = 2 * reach + 1;
  const std::size_t rows = out.size() / dim_;
  for (std::size_t row = 0; row < rows;) {
    const PositionParts parts = parts_of(first + static_cast<double>(row));
    set_centre(parts);
    float* const at = out.data() + row * dim_;
    const std::size_t left = static_cast<std::size_t>(PositionParts::reach - parts.fine) + 1;
    const std::size_t count = std::min(left, rows - row);
    if (count == around)
      write_block(at);
    else
      for (std::size_t i = 0; i < count; ++i) write_row(parts.fine + static_cast<double>(i), at + i * dim_);
    row += count;
  }
}

}  // namespace posenc
