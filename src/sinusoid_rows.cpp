#include "sinusoid_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <xsimd/xsimd.hpp>

#include "rounded_store.hpp"

namespace posenc {
namespace {

using Row = AngleRows::Row;
using Batch = xsimd::batch<double>;

/// Sines and cosines of frequencies from index i on, or of one, as Value.
template <class Value>
struct Angle {
  Value sine, cosine;
};

Angle<Batch> batch_at(const Row& row, std::size_t i) {
  return {Batch::load_aligned(row.sines + i), Batch::load_aligned(row.cosines + i)};
}
Angle<double> value_at(const Row& row, std::size_t i) { return {row.sines[i], row.cosines[i]}; }

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
struct InTurns {
  static constexpr std::size_t step = Batch::size;

  const Lanes& lanes;

  static void store(const Angle<Batch>* angles, std::size_t i, float* row) {
    store_rounded_in_turns(angles[0].sine, angles[0].cosine, row + 2 * i);
  }
};

/// Rows with all sines together and all cosines.
struct Apart {
  static constexpr std::size_t step = 2 * Batch::size;

  const Lanes& lanes;

  void store(const Angle<Batch>* angles, std::size_t i, float* row) const {
    store_rounded(angles[0].sine, angles[1].sine, row + lanes.first_sine + i);
    store_rounded(angles[0].cosine, angles[1].cosine, row + lanes.first_cosine + i);
  }
};

void store(const Lanes& lanes, const Angle<double>& angle, std::size_t i, float* row) {
  row[lanes.sine(i)] = static_cast<float>(angle.sine);
  if (i < lanes.cosines) row[lanes.cosine(i)] = static_cast<float>(angle.cosine);
}

/// A fine part's angles and the rows to write on both sides of the centre.
struct Fine {
  Row angles;
  float *plus, *minus;
};

/// The rows on both sides of the centre for two fine parts, from one reading of the centre's.
template <class Store>
void write_sides(const Store& order, const Row& centre, const Fine (&fines)[2]) {
  constexpr std::size_t batches = Store::step / Batch::size;
  const std::size_t whole = order.lanes.cosines / Store::step * Store::step;
  for (std::size_t i = 0; i < whole; i += Store::step) {
    Angle<Batch> from[batches];
    for (std::size_t b = 0; b < batches; ++b) from[b] = batch_at(centre, i + b * Batch::size);
    for (const Fine& fine : fines) {
      Angle<Batch> plus[batches], minus[batches];
      for (std::size_t b = 0; b < batches; ++b) {
        const Sides<Batch> sides(from[b], batch_at(fine.angles, i + b * Batch::size));
        plus[b] = sides.plus;
        minus[b] = sides.minus;
      }
      order.store(plus, i, fine.plus);
      order.store(minus, i, fine.minus);
    }
  }
  for (std::size_t i = whole; i < order.lanes.sines; ++i)
    for (const Fine& fine : fines) {
      const Sides<double> sides(value_at(centre, i), value_at(fine.angles, i));
      store(order.lanes, sides.plus, i, fine.plus);
      store(order.lanes, sides.minus, i, fine.minus);
    }
}

void write_sides(const Lanes& lanes, const Row& centre, const Fine (&fines)[2]) {
  if (lanes.stride == 2)
    write_sides(InTurns{lanes}, centre, fines);
  else
    write_sides(Apart{lanes}, centre, fines);
}

/// Smaller outputs stay in the caches, where a copy costs more than it saves.
constexpr std::size_t least_tiled_bytes = std::size_t{24} << 20;

}  // namespace

Expected<SinusoidRows> SinusoidRows::make(const Lanes& lanes, AngleRows& angles, std::size_t bytes) {
  if (auto made = angles.make_tables(); !made) return std::unexpected(made.error());
  const std::size_t rows = bytes < least_tiled_bytes ? 0 : 2 * reach + 1;
  auto tile = AlignedArray<float>::make(rows * (lanes.sines + lanes.cosines));
  if (!tile) return std::unexpected(tile.error());
  return SinusoidRows(lanes, angles, std::move(*tile));
}

/// All rows around the centre, the first of them at `first`.
void SinusoidRows::write_block(const Row& centre, float* first) {
  float* const middle = first + reach * dim();
  const auto fine = [&](std::size_t steps) {
    return Fine{angles_->fine(steps), middle + steps * dim(), middle - steps * dim()};
  };
  // The centre's own row, twice, since rows come in fours; what is written in front of it is overwritten below.
  const Fine none{angles_->fine(0), middle, middle - dim()};
  write_sides(lanes_, centre, {none, none});
  static_assert(reach % 2 == 0);
  for (std::size_t steps = 1; steps < reach; steps += 2) write_sides(lanes_, centre, {fine(steps), fine(steps + 1)});
}

void SinusoidRows::write(double first, std::span<float> out) {
  constexpr std::size_t around = 2 * reach + 1;
  const std::size_t rows = out.size() / dim();
  for (std::size_t row = 0; row < rows;) {
    const PositionParts parts = parts_of(first + static_cast<double>(row));
    const Row centre = angles_->centre(parts);
    float* const at = out.data() + row * dim();
    const std::size_t left = static_cast<std::size_t>(PositionParts::reach - parts.fine) + 1;
    const std::size_t count = std::min(left, rows - row);
    if (count == around) {
      write_block(centre, tile_.size() == 0 ? at : tile_.data());
      if (tile_.size() != 0) std::memcpy(at, tile_.data(), tile_.size() * sizeof(float));
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        const Row angles = angles_->at(first + static_cast<double>(row + i));
        write_row(lanes_, 1, angles.sines, angles.cosines, std::span(at + i * dim(), dim()));
      }
    }
    row += count;
  }
}

}  // namespace posenc
