#include "posenc/sinusoidal/sinusoidal_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "posenc/base/simd.hpp"

namespace posenc {
namespace {

/// Frequencies that are written together: what fills vectors of float32, in vectors of Scalar.
template <class Scalar>
struct Piece {
  using Batch = xsimd::batch<Scalar>;
  static constexpr std::size_t size = xsimd::batch<double>::size * 2, batches = size / Batch::size;

  Batch values[batches];

  static Piece at(const Scalar* from) {
    Piece piece;
    unrolled<batches>([&](std::size_t b) { piece.values[b] = Batch::load_aligned(from + b * Batch::size); });
    return piece;
  }

  Piece operator*(const Piece& other) const {
    return combined(other, [](Batch a, Batch b) { return a * b; });
  }
  Piece operator+(const Piece& other) const {
    return combined(other, [](Batch a, Batch b) { return a + b; });
  }
  Piece operator-(const Piece& other) const {
    return combined(other, [](Batch a, Batch b) { return a - b; });
  }

 private:
  template <class Operation>
  [[nodiscard]] Piece combined(const Piece& other, const Operation& operation) const {
    Piece made;
    unrolled<batches>([&](std::size_t b) { made.values[b] = operation(values[b], other.values[b]); });
    return made;
  }
};

/// Sines and cosines, as Value.
template <class Value>
struct Angle {
  Value sine, cosine;
};

/// A sum of angles and the difference, from the same products.
template <class Value>
struct Sides {
  Angle<Value> plus, minus;

  Sides(const Angle<Value>& a, const Angle<Value>& b) {
    const Value sine_cosine = a.sine * b.cosine, cosine_sine = a.cosine * b.sine;
    const Value cosine_cosine = a.cosine * b.cosine, sine_sine = a.sine * b.sine;
    plus = {sine_cosine + cosine_sine, cosine_cosine - sine_sine};
    minus = {sine_cosine - cosine_sine, cosine_cosine + sine_sine};
  }
};

/// Rows in which each sine is followed by its cosine. The usual order is worth the code of whole blocks at once.
struct InterleavedRow {
  static constexpr std::size_t together = Frequencies::lane_block;

  explicit InterleavedRow(const Lanes&) {}

  template <class Scalar>
  void store(const Angle<Piece<Scalar>>& angle, std::size_t i, float* row) const {
    using Whole = Piece<Scalar>;
    unrolled<Whole::batches>([&](std::size_t b) {
      store_rounded_interleaved(angle.sine.values[b], angle.cosine.values[b], row + 2 * (i + b * Whole::Batch::size));
    });
  }
};

/// Rows with all sines together and all cosines.
struct SplitRow {
  static constexpr std::size_t together = Piece<double>::size;

  explicit SplitRow(const Lanes& lanes) : first_sine(lanes.first_sine), first_cosine(lanes.first_cosine) {}

  template <class Scalar>
  void store(const Angle<Piece<Scalar>>& angle, std::size_t i, float* row) const {
    store_rounded(angle.sine.values, row + first_sine + i);
    store_rounded(angle.cosine.values, row + first_cosine + i);
  }

  std::size_t first_sine, first_cosine;
};

void store(const Lanes& lanes, const Angle<double>& angle, std::size_t i, float* row) {
  row[lanes.sine(i)] = static_cast<float>(angle.sine);
  if (i < lanes.cosines) row[lanes.cosine(i)] = static_cast<float>(angle.cosine);
}

/// The rows centre + fine and centre - fine from frequency i on: a remainder too short for a piece. Compiled once for
/// all orders.
template <class Scalar>
[[gnu::noinline]] void write_rest(const Lanes& lanes, std::size_t i, AngleRow<Scalar> centre, AngleRow<Scalar> fine,
                                  float* plus, float* minus) {
  for (; i < lanes.sines; ++i) {
    const Sides<Scalar> sides({centre.sines[i], centre.cosines[i]}, {fine.sines[i], fine.cosines[i]});
    store(lanes, {sides.plus.sine, sides.plus.cosine}, i, plus);
    store(lanes, {sides.minus.sine, sides.minus.cosine}, i, minus);
  }
}

/// The rows centre + fine and centre - fine.
template <class Scalar, class Order>
void write_sides(const Lanes& lanes, AngleRow<Scalar> centre, AngleRow<Scalar> fine, float* plus, float* minus) {
  constexpr std::size_t block = Order::together, piece = Piece<Scalar>::size;
  const Order order(lanes);
  const std::size_t count = lanes.cosines;
  const auto write = [&](std::size_t i) {
    const Sides<Piece<Scalar>> sides({Piece<Scalar>::at(centre.sines + i), Piece<Scalar>::at(centre.cosines + i)},
                                     {Piece<Scalar>::at(fine.sines + i), Piece<Scalar>::at(fine.cosines + i)});
    order.store(sides.plus, i, plus);
    order.store(sides.minus, i, minus);
  };
  std::size_t i = 0;
  for (; i + block <= count; i += block) unrolled<block / piece>([&](std::size_t k) { write(i + k * piece); });
  for (; i + piece <= count; i += piece) write(i);
  if (i < lanes.sines) write_rest(lanes, i, centre, fine, plus, minus);
}

/// The centre's own row. What adding a fine part of 0 to it would do to a sine of -0, adding 0 does.
template <class Order>
void write_centre(const Lanes& lanes, AngleRow<double> centre, float* row) {
  using Whole = Piece<double>;
  const Order order(lanes);
  Whole none;
  for (auto& value : none.values) value = 0.0;
  std::size_t i = 0;
  for (; i + Whole::size <= lanes.cosines; i += Whole::size)
    order.store(Angle<Whole>{Whole::at(centre.sines + i) + none, Whole::at(centre.cosines + i)}, i, row);
  for (; i < lanes.sines; ++i) store(lanes, {centre.sines[i] + 0.0, centre.cosines[i]}, i, row);
}

void write_centre(const Lanes& lanes, AngleRow<double> centre, float* row) {
  if (lanes.stride == 2)
    write_centre<InterleavedRow>(lanes, centre, row);
  else
    write_centre<SplitRow>(lanes, centre, row);
}

template <class Scalar>
void write_sides(const Lanes& lanes, AngleRow<Scalar> centre, AngleRow<Scalar> fine, float* plus, float* minus) {
  if (lanes.stride == 2)
    write_sides<Scalar, InterleavedRow>(lanes, centre, fine, plus, minus);
  else
    write_sides<Scalar, SplitRow>(lanes, centre, fine, plus, minus);
}

/// Smaller outputs stay in the caches, where a copy costs more than it saves.
constexpr std::size_t least_tiled_bytes = std::size_t{24} << 20;
/// About this much is assembled before it is copied out: what a second-level cache holds.
constexpr std::size_t tile_bytes = std::size_t{256} << 10;

}  // namespace

Expected<SinusoidalRows> SinusoidalRows::make(const Lanes& lanes, AngleRows& angles, std::size_t bytes,
                                              Precision precision) {
  if (auto made = angles.make_tables(); !made) return std::unexpected(made.error());
  SinusoidalRows made(lanes);
  auto spare = AlignedArray<float>::make_unfilled(made.dim());
  if (!spare) return std::unexpected(spare.error());
  const std::size_t block = rows_of_block * std::max<std::size_t>(made.dim(), 1);
  const std::size_t tile_size = std::max<std::size_t>(tile_bytes / (block * sizeof(float)), 1) * block;
  auto tile = AlignedArray<float>::make_unfilled(bytes < least_tiled_bytes ? 0 : tile_size);
  if (!tile) return std::unexpected(tile.error());
  const std::size_t rounded_rows = precision == Precision::fast ? reach + 2 : 0;
  auto rounded = AlignedArray<float>::make_unfilled(rounded_rows * 2 * angles.padded_count());
  if (!rounded) return std::unexpected(rounded.error());
  made.spare_ = std::move(*spare);
  made.tile_ = std::move(*tile);
  made.rounded_ = std::move(*rounded);
  return made;
}

/// A row rounded to float32, kept at `index`.
AngleRow<float> SinusoidalRows::rounded(const AngleRow<double>& row, std::size_t padded, std::size_t index) {
  float* const sines = rounded_.data() + 2 * padded * index;
  for (std::size_t i = 0; i < padded; i += Piece<double>::size) {
    store_rounded(Piece<double>::at(row.sines + i).values, sines + i);
    store_rounded(Piece<double>::at(row.cosines + i).values, sines + padded + i);
  }
  return {sines, sines + padded};
}

AngleRow<float> SinusoidalRows::rounded_fine(AngleRows& angles, std::size_t steps) {
  const std::size_t padded = angles.padded_count();
  const float* const known = rounded_.data() + 2 * padded * steps;
  if (std::exchange(is_rounded_[steps], true)) return {known, known + padded};
  return rounded(angles.fine(steps), padded, steps);
}

void SinusoidalRows::write_block(AngleRows& angles, const PositionParts& parts, std::size_t from, std::size_t count,
                                 float* out) {
  const AngleRow<double> centre = angles.centre(parts);
  const bool fast = rounded_.size() != 0;
  const AngleRow<float> rounded_centre = fast ? rounded(centre, angles.padded_count(), reach + 1) : AngleRow<float>();
  float* const spare = spare_.data();
  const auto row = [&](std::size_t index) {
    return index - from < count ? out + (index - from) * dim() : spare;  // what is in front of `from` wraps around
  };
  write_centre(lanes_, centre, row(reach));
  for (std::size_t steps = 1; steps <= reach; ++steps) {
    float* const plus = row(reach + steps);
    float* const minus = row(reach - steps);
    if (plus == spare && minus == spare) continue;
    if (fast)
      write_sides(lanes_, rounded_centre, rounded_fine(angles, steps), plus, minus);
    else
      write_sides(lanes_, centre, angles.fine(steps), plus, minus);
  }
}

namespace {

/// The row of its block that a position has.
std::size_t row_in_block(const PositionParts& parts) {
  return static_cast<std::size_t>(parts.fine + PositionParts::reach);
}

}  // namespace

/// Rows of consecutive positions, one block after another.
void SinusoidalRows::write_rows(AngleRows& angles, double first, std::span<float> out) {
  const std::size_t rows = out.size() / dim();
  for (std::size_t row = 0; row < rows;) {
    const PositionParts parts = parts_of(first + static_cast<double>(row));
    const std::size_t from = row_in_block(parts);
    const std::size_t count = std::min(rows_of_block - from, rows - row);
    write_block(angles, parts, from, count, out.data() + row * dim());
    row += count;
  }
}

void SinusoidalRows::write(AngleRows& angles, double first, std::span<float> out) {
  if (tile_.size() == 0) return write_rows(angles, first, out);
  // Tiles end where blocks do.
  std::size_t size = tile_.size() - row_in_block(parts_of(first)) * dim();
  for (std::size_t at = 0; at < out.size(); at += std::exchange(size, tile_.size())) {
    const auto tile = tile_.span().first(std::min(size, out.size() - at));
    const std::size_t row = at / dim();
    write_rows(angles, first + static_cast<double>(row), tile);
    std::memcpy(out.data() + at, tile.data(), tile.size_bytes());
  }
}

}  // namespace posenc
