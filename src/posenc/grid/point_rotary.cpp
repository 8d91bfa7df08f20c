#include "posenc/grid/point_rotary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc {
namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// The dimensions of one block from the values of its pairs.
void spread(Layout layout, std::span<const float> pairs, float* dims) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool half = layout == Layout::half;
    dims[half ? i : 2 * i] = pairs[i];
    dims[half ? i + pairs.size() : 2 * i + 1] = pairs[i];
  }
}

}  // namespace

Expected<void> check_point_layout(Layout layout) {
  if (layout == Layout::half || layout == Layout::interleaved) return {};
  if (layout == Layout::unnamed) return std::unexpected(from_name<Layout>("").error());
  return invalid_argument("layout", std::string("\"deinterleaved\""), expected::one_of, {"\"half\", \"interleaved\""});
}

namespace {

using Doubles = xsimd::batch<double>;

Doubles load(const double* from) { return Doubles::load_aligned(from); }

/// Coordinates of pictures and of video come again and again: the rows of so many are kept, in this much memory an axis
/// at most.
constexpr std::size_t most_kept = 128, kept_floats = 16384;
/// A row's slot follows from the whole part of its coordinate, or of this, which is an index where indices have 32
/// bits.
constexpr double largest_slot = 0x1p30;

/// No point has it: those are checked.
constexpr double no_coordinate = std::numeric_limits<double>::quiet_NaN();

/// Values times a factor, rounded to float32 once; as many as fill whole vectors.
void round(const double* values, std::size_t count, double factor, float* out) {
  const auto at = [&](std::size_t i) { return Doubles(factor) * load(values + i); };
  for (std::size_t i = 0; i < count; i += 2 * Doubles::size) store_rounded(at(i), at(i + Doubles::size), out + i);
}

}  // namespace

/// The cosines and sines of one point, every pair of every head, and the memory they need.
class PointRotary::Angles {
 public:
  /// The memory for so many points. Errors: memory.
  static Expected<Angles> make(const PointRotaryPlan& plan, Direction direction, std::size_t points) {
    Angles made(plan, direction);
    for (const AxisFrequencies& axis : plan.axes) {
      POSENC_TRY_LET(rows, AngleRows::make(axis.frequencies));
      const std::size_t padded = rows.padded_count();
      const std::size_t kept =
          std::max<std::size_t>(std::min({points / 2, most_kept, kept_floats / (2 * padded + 1)}), 1);
      POSENC_TRY_LET(rounded, AlignedArray<float>::make_unfilled(plan.summed ? 0 : 2 * padded * kept));
      made.padded_ = std::max(made.padded_, padded);
      made.axes_.push_back({.rows = std::move(rows),
                            .row = {},
                            .coordinate = no_coordinate,
                            .kept = std::vector<double>(kept, no_coordinate),
                            .rounded = std::move(rounded)});
    }
    POSENC_TRY(allocate(
        {{made.sum_, plan.summed ? 2 * made.padded_ : 0}, {made.ordered_, 2 * made.count() + Frequencies::dim_block}}));
    return made;
  }

  void set(const Points& points, std::size_t point) {
    bool changed = false;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const double coordinate = points.at(axes_.size(), point, a);
      Axis& axis = axes_[a];
      // Adjacent cells of a grid share most coordinates.
      if (same_bits(coordinate, axis.coordinate)) continue;
      axis.coordinate = coordinate;
      changed = true;
      if (plan_->summed)
        axis.row = axis.rows.at(coordinate);
      else
        set_axis(plan_->axes[a], axis);
    }
    if (plan_->summed && changed) set_sums();
  }

  [[nodiscard]] const float* cosines() const { return ordered_.data(); }
  [[nodiscard]] const float* sines() const { return cosines() + count(); }
  [[nodiscard]] std::size_t count() const { return plan_->heads * plan_->pairs; }

 private:
  struct Axis {
    AngleRows rows;
    AngleRow<double> row;  ///< at the coordinate, if axes are summed
    double coordinate;
    std::vector<double> kept;     ///< the coordinates of the rows in `rounded`
    AlignedArray<float> rounded;  ///< their cosines and sines, each as many as fill whole vectors
  };

  Angles(const PointRotaryPlan& plan, Direction direction)
      : plan_(&plan), sign_(direction == Direction::inverse ? -1 : 1) {}

  void set_axis(const AxisFrequencies& plan, Axis& axis) {
    const std::size_t padded = axis.rows.padded_count();
    const auto slot = static_cast<std::size_t>(std::fmin(std::fabs(axis.coordinate), largest_slot)) % axis.kept.size();
    float* const cosines = axis.rounded.data() + 2 * padded * slot;
    float* const sines = cosines + padded;
    if (!same_bits(axis.kept[slot], axis.coordinate)) {
      const double factor = plan.frequencies.attention_factor();
      const AngleRow<double> row = axis.rows.at(axis.coordinate);
      round(row.cosines, padded, factor, cosines);
      round(row.sines, padded, sign_ * factor, sines);
      axis.kept[slot] = axis.coordinate;
    }
    place(plan.pairs, cosines, ordered_.data());
    place(plan.pairs, sines, ordered_.data() + count());
  }

  [[gnu::noinline]] static void place(const AlignedArray<std::uint32_t>& pairs, const float* values, float* out) {
    const std::size_t size = pairs.size();
    if (size != 0 && pairs[size - 1] - pairs[0] < size)
      std::copy_n(values, size, out + pairs[0]);
    else
      for (std::size_t i = 0; i < size; ++i) out[pairs[i]] = values[i];
  }

  void set_sums() {
    AngleRow<double> sum = axes_.front().row;
    double* const sines = sum_.data();
    double* const cosines = sines + padded_;
    for (std::size_t a = 1; a < axes_.size(); ++a) {
      const AngleRow<double> added = axes_[a].row;
      for (std::size_t i = 0; i < padded_; i += Doubles::size) {
        const Doubles sine = load(sum.sines + i), cosine = load(sum.cosines + i);
        const Doubles other_sine = load(added.sines + i), other_cosine = load(added.cosines + i);
        (sine * other_cosine + cosine * other_sine).store_aligned(sines + i);
        (cosine * other_cosine - sine * other_sine).store_aligned(cosines + i);
      }
      sum = {sines, cosines};
    }
    // The sines overwrite the padding of the cosines' last vectors.
    round(sum.cosines, padded_, 1, ordered_.data());
    round(sum.sines, padded_, sign_, ordered_.data() + count());
  }

  const PointRotaryPlan* plan_;
  double sign_;
  std::size_t padded_ = 0;
  std::vector<Axis> axes_;
  AlignedArray<double> sum_;
  AlignedArray<float> ordered_;  ///< cosines, then sines, in the order of the pairs
};

PointRotary PointRotary::from(PointRotaryPlan plan) {
  PointRotary made;
  made.plan_ = std::move(plan);
  return made;
}

double PointRotary::attention_factor() const { return plan_.axes.front().frequencies.attention_factor(); }

Expected<void> PointRotary::check(const Points& points, const TokensAround& around) const {
  POSENC_TRY(check_ranges(around));
  if (points.size() % axes() != 0)
    return invalid_argument(points.argument(), static_cast<double>(points.size()), expected::multiple, {axes()},
                            " numbers: a coordinate for each axis");
  for (std::size_t point = 0; point < points.size() / axes(); ++point)
    for (std::size_t a = 0; a < axes(); ++a) {
      const double coordinate = points.at(axes(), point, a);
      if (!has_exact_angles(coordinate, plan_.axes[a].frequencies.largest()))
        return invalid_argument(points.argument(), coordinate, expected::exact_angle, {"coordinate"});
    }
  return {};
}

Expected<void> PointRotary::cache(const Points& points, const TokensAround& around, CacheRow row,
                                  std::span<float> cosines, std::span<float> sines) const {
  POSENC_TRY(check(points, around));
  const auto before = static_cast<std::size_t>(around.before);
  const std::size_t count = points.size() / axes();
  const std::size_t rows = before + count + static_cast<std::size_t>(around.after);
  const std::size_t width = plan_.heads * (row == CacheRow::dims ? rotary_dim() : plan_.pairs);
  POSENC_TRY(check_size("cosines", cosines.size(), rows, width));
  POSENC_TRY(check_size("sines", sines.size(), rows, width));
  POSENC_TRY_LET(angles, Angles::make(plan_, Direction::forward, count));

  std::ranges::fill(cosines, 1.0f);
  std::ranges::fill(sines, 0.0f);
  for (std::size_t point = 0; point < count; ++point) {
    angles.set(points, point);
    const std::size_t at = (before + point) * width;
    if (row == CacheRow::pairs) {
      std::copy_n(angles.cosines(), width, cosines.begin() + static_cast<std::ptrdiff_t>(at));
      std::copy_n(angles.sines(), width, sines.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    for (std::size_t first = 0; first < angles.count();)
      for (const std::size_t pairs : plan_.blocks) {
        spread(plan_.layout, {angles.cosines() + first, pairs}, cosines.data() + at + 2 * first);
        spread(plan_.layout, {angles.sines() + first, pairs}, sines.data() + at + 2 * first);
        first += pairs;
      }
  }
  return {};
}

/// How many lists of points there are.
Expected<std::size_t> PointRotary::count_lists(const SequenceShape& shape, const Points& points,
                                               const TokensAround& around) const {
  const std::size_t count = points.size() / axes();
  const auto before = static_cast<std::size_t>(around.before);
  const auto after = static_cast<std::size_t>(around.after);
  if (before > shape.sequence())
    return invalid_argument("prefixTokens", static_cast<double>(before), expected::at_most, {shape.sequence()},
                            ", as many as the sequence has");
  if (after > shape.sequence() - before)
    return invalid_argument("suffixTokens", static_cast<double>(after), expected::at_most, {shape.sequence() - before},
                            ", as many as the sequence has behind the prefix");
  const std::size_t tokens = shape.sequence() - before - after;
  if (count == tokens) return 1;
  if (tokens != 0 && count % tokens == 0) {
    if (count / tokens == shape.batch()) return shape.batch();
    if (shape.outer() * shape.inner() > 1) POSENC_TRY(shape.check_lists(count / tokens));
  }
  return invalid_argument(points.argument(), static_cast<double>(count), expected::points, {tokens});
}

Expected<void> PointRotary::check_heads(const SequenceShape& shape) const {
  if (plan_.heads == 1 || shape.run() == plan_.heads) return {};
  if (shape.inner() == 1 && shape.run() % plan_.heads == 0) return {};
  return invalid_argument("shape", static_cast<double>(shape.run()), expected::heads, {plan_.heads});
}

Expected<std::size_t> PointRotary::check_rotation(std::span<const float> x, const SequenceShape& shape,
                                                  const Points& points, const TokensAround& around) const {
  if (shape.dim() != dim() || shape.is_slice() || (shape.dim_stride() != 1 && !x.empty()))
    return invalid_argument("shape", static_cast<double>(shape.dim()), expected::last_extent, {dim()});
  POSENC_TRY(check_size("x", x.size(), shape.size()));
  POSENC_TRY(check_heads(shape));
  POSENC_TRY(check(points, around));
  return count_lists(shape, points, around);
}

namespace {

/// All by the same angles, or each by the row `angle_stride` behind the last one's.
void rotate(const PointRotaryPlan& plan, HeadRun heads, AngleRow<float> angles, std::size_t angle_stride) {
  for (const std::size_t pairs : plan.blocks) {
    rotate_heads({plan.layout, Direction::forward, pairs, nullptr}, heads, angles, angle_stride);
    heads.first += 2 * pairs;
    angles.cosines += pairs;
    angles.sines += pairs;
  }
}

}  // namespace

Expected<void> PointRotary::apply(std::span<float> x, const SequenceShape& shape, const Points& points,
                                  const TokensAround& around, Direction direction) const {
  POSENC_TRY_LET(lists, check_rotation(x, shape, points, around));
  POSENC_TRY_LET(angles, Angles::make(plan_, direction, points.size() / axes()));

  const std::size_t count = points.size() / axes() / lists, heads = plan_.heads;
  for (std::size_t at = 0; at < lists * count; ++at) {
    angles.set(points, at);
    const std::size_t token = static_cast<std::size_t>(around.before) + at % count;
    const std::size_t first = lists == 1 ? 0 : at / count, rows = lists == 1 ? shape.batch() : 1;
    for (std::size_t row = first; row < first + rows; ++row)
      shape.for_each_run(row, token, [&](std::size_t from, std::size_t run, std::size_t distance) {
        // Heads with angles of their own come in groups, a group for each index of the axes in front of them.
        const std::size_t together = heads == 1 ? run : heads;
        for (std::size_t head = 0; head < run; head += together)
          rotate(plan_, {x.data() + from + head * distance, together, distance}, {angles.sines(), angles.cosines()},
                 heads == 1 ? 0 : plan_.pairs);
      });
  }
  return {};
}

}  // namespace posenc
