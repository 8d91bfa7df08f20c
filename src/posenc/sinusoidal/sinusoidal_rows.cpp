#include "posenc/sinusoidal/sinusoidal_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"

namespace posenc {
namespace {

/// Frequencies that are written together, two vectors.
template <class Scalar>
struct Piece {
  using Batch = xsimd::batch<Scalar>;
  static constexpr std::size_t batches = 2, size = batches * Batch::size;

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

/// Rows in which each sine is followed by its cosine.
struct InterleavedRow {
  static constexpr std::size_t together = 2;  ///< pairs of rows that are written in one pass: this is the usual order

  explicit InterleavedRow(const Dims&) {}

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
  static constexpr std::size_t together = 1;

  explicit SplitRow(const Dims& dims) : first_sine(dims.first_sine), first_cosine(dims.first_cosine) {}

  template <class Scalar>
  void store(const Angle<Piece<Scalar>>& angle, std::size_t i, float* row) const {
    store_rounded(angle.sine.values, row + first_sine + i);
    store_rounded(angle.cosine.values, row + first_cosine + i);
  }

  std::size_t first_sine, first_cosine;
};

void store(const Dims& dims, const Angle<double>& angle, std::size_t i, float* row) {
  row[dims.sine(i)] = static_cast<float>(angle.sine);
  if (i < dims.cosines) row[dims.cosine(i)] = static_cast<float>(angle.cosine);
}

/// Where the rows of a block go.
struct RowPlaces {
  std::size_t from, count;  ///< the rows that are wanted
  float *out, *spare;       ///< the first of them, and what takes the others
  std::size_t dim;

  [[nodiscard]] bool has(std::size_t index) const {
    return index - from < count;
  }  // in front of `from` it wraps around
  [[nodiscard]] float* operator[](std::size_t index) const { return has(index) ? out + (index - from) * dim : spare; }
};

/// A fine part, and where the rows centre + fine and centre - fine go.
template <class Scalar>
struct RowPair {
  AngleRow<Scalar> fine;
  float *plus, *minus;

  RowPair(std::size_t steps, AngleRow<Scalar> first_fine, std::size_t padded, const RowPlaces& rows)
      : fine{first_fine.sines + 2 * padded * (steps - 1), first_fine.cosines + 2 * padded * (steps - 1)},
        plus(rows[SinusoidalRows::reach + steps]),
        minus(rows[SinusoidalRows::reach - steps]) {}
};

/// A pair from frequency i on: a remainder too short for a piece. Compiled once for all orders.
template <class Scalar>
[[gnu::noinline]] void write_rest(const Dims& dims, std::size_t i, AngleRow<Scalar> centre,
                                  const RowPair<Scalar>& pair) {
  for (; i < dims.sines; ++i) {
    const Sides<Scalar> sides({centre.sines[i], centre.cosines[i]}, {pair.fine.sines[i], pair.fine.cosines[i]});
    store(dims, {sides.plus.sine, sides.plus.cosine}, i, pair.plus);
    store(dims, {sides.minus.sine, sides.minus.cosine}, i, pair.minus);
  }
}

/// The rows of these pairs, in one pass, which reads the centre once for all.
template <class Scalar, class Order, class... Pairs>
void write_pairs(const Dims& dims, AngleRow<Scalar> centre, const Pairs&... pairs) {
  using Whole = Piece<Scalar>;
  const Order order(dims);
  std::size_t i = 0;
  for (; i + Whole::size <= dims.cosines; i += Whole::size) {
    const Angle<Whole> at{Whole::at(centre.sines + i), Whole::at(centre.cosines + i)};
    const auto write = [&](const RowPair<Scalar>& pair) {
      const Sides<Whole> sides(at, {Whole::at(pair.fine.sines + i), Whole::at(pair.fine.cosines + i)});
      order.store(sides.plus, i, pair.plus);
      order.store(sides.minus, i, pair.minus);
    };
    (write(pairs), ...);
  }
  if (i < dims.sines) (write_rest(dims, i, centre, pairs), ...);
}

/// All rows of a block but the centre's own. `fine`: the first fine part; the others follow, each 2 * padded further.
template <class Scalar, class Order>
void write_sides(const Dims& dims, AngleRow<Scalar> centre, AngleRow<Scalar> fine, std::size_t padded,
                 const RowPlaces& rows) {
  constexpr std::size_t reach = SinusoidalRows::reach, together = Order::together;
  static_assert(reach % together == 0);
  const auto pair_at = [&](std::size_t steps) { return RowPair<Scalar>(steps, fine, padded, rows); };
  const auto is_wanted = [&](std::size_t steps) { return rows.has(reach + steps) || rows.has(reach - steps); };
  for (std::size_t steps = 1; steps <= reach; steps += together) {
    if (!is_wanted(steps) && !is_wanted(steps + together - 1)) continue;
    if constexpr (together == 2)
      write_pairs<Scalar, Order>(dims, centre, pair_at(steps), pair_at(steps + 1));
    else
      write_pairs<Scalar, Order>(dims, centre, pair_at(steps));
  }
}

/// The centre's own row. What adding a fine part of 0 to it would do to a sine of -0, adding 0 does.
template <class Order>
void write_centre(const Dims& dims, AngleRow<double> centre, float* row) {
  using Whole = Piece<double>;
  const Order order(dims);
  Whole none;
  for (auto& value : none.values) value = 0.0;
  std::size_t i = 0;
  for (; i + Whole::size <= dims.cosines; i += Whole::size)
    order.store(Angle<Whole>{Whole::at(centre.sines + i) + none, Whole::at(centre.cosines + i)}, i, row);
  for (; i < dims.sines; ++i) store(dims, {centre.sines[i] + 0.0, centre.cosines[i]}, i, row);
}

void write_centre(const Dims& dims, AngleRow<double> centre, float* row) {
  if (dims.stride == 2)
    write_centre<InterleavedRow>(dims, centre, row);
  else
    write_centre<SplitRow>(dims, centre, row);
}

template <class Scalar>
void write_sides(const Dims& dims, AngleRow<Scalar> centre, AngleRow<Scalar> fine, std::size_t padded,
                 const RowPlaces& rows) {
  if (dims.stride == 2)
    write_sides<Scalar, InterleavedRow>(dims, centre, fine, padded, rows);
  else
    write_sides<Scalar, SplitRow>(dims, centre, fine, padded, rows);
}

/// Smaller outputs stay in the caches, where a copy costs more than it saves, and rows of a page are streams of their
/// own.
constexpr std::size_t least_tiled_bytes = std::size_t{24} << 20, long_row_bytes = std::size_t{4} << 10;
/// About this much is assembled before it is copied out: what a second-level cache holds.
constexpr std::size_t tile_bytes = std::size_t{256} << 10;

}  // namespace

Expected<SinusoidalRows> SinusoidalRows::make(const Dims& dims, AngleRows& angles, std::size_t bytes,
                                              Precision precision) {
  POSENC_TRY(angles.make_tables());
  SinusoidalRows made(dims);
  const std::size_t block = rows_of_block * std::max<std::size_t>(made.dim(), 1);
  const std::size_t tiled = std::max<std::size_t>(tile_bytes / (block * sizeof(float)), 1) * block;
  const bool is_tiled = bytes >= least_tiled_bytes && made.dim() * sizeof(float) < long_row_bytes;
  made.tile_size_ = is_tiled ? tiled : 0;
  made.rounded_size_ = precision == Precision::fast ? (reach + 1) * 2 * angles.padded_count() : 0;
  POSENC_TRY_LET(memory, AlignedArray<float>::make_unfilled(made.rounded_size_ + made.tile_size_ + made.dim()));
  made.memory_ = std::move(memory);
  for (std::size_t steps = 1; steps <= reach; ++steps) {
    const AngleRow<double> fine = angles.fine(steps);
    if (made.rounded_size_ > 0) made.round(fine, angles.padded_count(), steps);
  }
  return made;
}

/// Keeps a row, rounded to float32, at `index`.
AngleRow<float> SinusoidalRows::round(const AngleRow<double>& row, std::size_t padded, std::size_t index) {
  float* const sines = memory_.data() + 2 * padded * index;
  for (std::size_t i = 0; i < padded; i += Piece<double>::size) {
    store_rounded(Piece<double>::at(row.sines + i).values, sines + i);
    store_rounded(Piece<double>::at(row.cosines + i).values, sines + padded + i);
  }
  return {sines, sines + padded};
}

void SinusoidalRows::write_block(AngleRows& angles, const PositionParts& parts, std::size_t from, std::size_t count,
                                 float* out) {
  const AngleRow<double> centre = angles.centre(parts);
  const std::size_t padded = angles.padded_count();
  const RowPlaces rows{from, count, out, memory_.data() + rounded_size_ + tile_size_, dim()};
  write_centre(dims_, centre, rows[reach]);
  if (rounded_size_ == 0) return write_sides(dims_, centre, angles.fine(1), padded, rows);
  const float* const fine = memory_.data() + 2 * padded;
  write_sides(dims_, round(centre, padded, 0), {fine, fine + padded}, padded, rows);
}

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
  if (tile_size_ == 0) return write_rows(angles, first, out);
  // Tiles end where blocks do.
  std::size_t size = tile_size_ - row_in_block(parts_of(first)) * dim();
  for (std::size_t at = 0; at < out.size(); at += std::exchange(size, tile_size_)) {
    const auto tile = memory_.span().subspan(rounded_size_, std::min(size, out.size() - at));
    const std::size_t row = at / dim();
    write_rows(angles, first + static_cast<double>(row), tile);
    std::memcpy(out.data() + at, tile.data(), tile.size_bytes());
  }
}

}  // namespace posenc
