#include "posenc/grid/point_rotary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/frequencies/angles.hpp"
#include "posenc/rotary/kernels/rotate.hpp"

namespace posenc {
namespace {

constexpr Name row_names[]{
    {"pairs", CacheRow::pairs},
    {"lanes", CacheRow::lanes},
};

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// The lanes of one block from the values of its pairs.
void spread(Layout layout, std::span<const float> pairs, float* lanes) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool half = layout == Layout::half;
    lanes[half ? i : 2 * i] = pairs[i];
    lanes[half ? i + pairs.size() : 2 * i + 1] = pairs[i];
  }
}

}  // namespace

template <>
Expected<CacheRow> from_name(std::string_view name) {
  return from_name<CacheRow>(row_names, "row", name);
}

Expected<void> check_point_layout(Layout layout) {
  if (layout == Layout::half || layout == Layout::interleaved) return {};
  if (layout == Layout::unnamed) return std::unexpected(from_name<Layout>("").error());
  return wrong("layout", std::string("\"deinterleaved\""), {"\"half\" or \"interleaved\""});
}

/// Scratch memory for the cosines and sines of one point, every pair of every head.
class PointRotary::Angles {
 public:
  static Expected<Angles> make(const PointRotaryPlan& plan, Direction direction) {
    std::size_t padded = 0;
    for (const AxisFrequencies& axis : plan.axes) padded = std::max(padded, axis.frequencies.padded_count());
    auto exact = AlignedArray<double>::make(3 * padded);
    auto last = AlignedArray<double>::make(plan.axes.size());
    auto rounded = AlignedArray<float>::make(2 * plan.heads * plan.pairs);
    if (!exact || !last) return std::unexpected(!exact ? exact.error() : last.error());
    if (!rounded) return std::unexpected(rounded.error());
    return Angles(plan, direction, padded, std::move(*exact), std::move(*last), std::move(*rounded));
  }

  void set(const Points& points, std::size_t point) {
    const std::size_t axes = plan_->axes.size();
    bool changed = false;
    for (std::size_t a = 0; a < axes; ++a) {
      const double coordinate = points.at(axes, point, a);
      // Adjacent cells of a grid share most coordinates.
      if (known_ && same_bits(coordinate, last_[a])) continue;
      last_[a] = coordinate;
      changed = true;
      if (!plan_->summed) set_axis(plan_->axes[a], coordinate);
    }
    if (plan_->summed && changed) set_sums();
    known_ = true;
  }

  [[nodiscard]] const float* cosines() const { return rounded_.data(); }
  [[nodiscard]] const float* sines() const { return rounded_.data() + count(); }
  [[nodiscard]] std::size_t count() const { return rounded_.size() / 2; }

 private:
  Angles(const PointRotaryPlan& plan, Direction direction, std::size_t padded, AlignedArray<double> exact,
         AlignedArray<double> last, AlignedArray<float> rounded)
      : plan_(&plan),
        sign_(direction == Direction::inverse ? -1 : 1),
        sines_(exact.data()),
        cosines_(sines_ + padded),
        cycles_(cosines_ + padded),
        exact_(std::move(exact)),
        last_(std::move(last)),
        rounded_(std::move(rounded)) {}

  void set_axis(const AxisFrequencies& axis, double coordinate) {
    sines_and_cosines(axis.frequencies, coordinate, sines_, cosines_);
    const auto factor = static_cast<float>(axis.frequencies.attention_factor());
    for (std::size_t i = 0; i < axis.pairs.size(); ++i) store(axis.pairs[i], i, factor);
  }

  void set_sums() {
    const std::size_t padded = plan_->axes.front().frequencies.padded_count();
    std::fill_n(cycles_, padded, 0.0);
    for (std::size_t a = 0; a < plan_->axes.size(); ++a) add_cycles(plan_->axes[a].frequencies, last_[a], cycles_);
    sines_and_cosines(cycles_, padded, sines_, cosines_);
    for (std::size_t i = 0; i < count(); ++i) store(i, i, 1);
  }

  void store(std::size_t pair, std::size_t i, float factor) {
    rounded_[pair] = static_cast<float>(cosines_[i]) * factor;
    rounded_[count() + pair] = static_cast<float>(sign_ * sines_[i]) * factor;
  }

  const PointRotaryPlan* plan_;
  double sign_;
  double *sines_, *cosines_, *cycles_;
  AlignedArray<double> exact_, last_;
  AlignedArray<float> rounded_;
  bool known_ = false;
};

PointRotary PointRotary::from(PointRotaryPlan plan) {
  PointRotary made;
  made.plan_ = std::move(plan);
  return made;
}

double PointRotary::attention_factor() const { return plan_.axes.front().frequencies.attention_factor(); }

Expected<void> PointRotary::check(const Points& points, const TokensAround& around) const {
  constexpr std::int64_t most = std::int64_t{1} << 30;  // both and the points can then be counted in 32 bits
  if (auto checked = check_whole("prefixTokens", around.before, 0, most); !checked) return checked;
  if (auto checked = check_whole("suffixTokens", around.after, 0, most); !checked) return checked;
  if (points.size() % axes() != 0)
    return wrong(points.argument(), static_cast<double>(points.size()),
                 {"a multiple of ", decimal(axes()), " numbers: a coordinate for each axis"});
  for (std::size_t point = 0; point < points.size() / axes(); ++point)
    for (std::size_t a = 0; a < axes(); ++a) {
      const double coordinate = points.at(axes(), point, a);
      if (!has_exact_angles(coordinate, plan_.axes[a].frequencies.largest()))
        return wrong(points.argument(), coordinate,
                     {"finite numbers whose largest angle, |coordinate| * frequency, is at most 2^53 radians"});
    }
  return {};
}

Expected<void> PointRotary::cache(const Points& points, const TokensAround& around, CacheRow row,
                                  std::span<float> cosines, std::span<float> sines) const {
  if (auto checked = check(points, around); !checked) return checked;
  const auto before = static_cast<std::size_t>(around.before);
  const std::size_t count = points.size() / axes();
  const std::size_t rows = before + count + static_cast<std::size_t>(around.after);
  const std::size_t width = plan_.heads * (row == CacheRow::lanes ? rotary_dim() : plan_.pairs);
  if (auto checked = check_size("cosines", cosines.size(), rows, width); !checked) return checked;
  if (auto checked = check_size("sines", sines.size(), rows, width); !checked) return checked;
  auto angles = Angles::make(plan_, Direction::forward);
  if (!angles) return std::unexpected(angles.error());

  std::ranges::fill(cosines, 1.0f);
  std::ranges::fill(sines, 0.0f);
  for (std::size_t point = 0; point < count; ++point) {
    angles->set(points, point);
    const std::size_t at = (before + point) * width;
    if (row == CacheRow::pairs) {
      std::copy_n(angles->cosines(), width, cosines.begin() + static_cast<std::ptrdiff_t>(at));
      std::copy_n(angles->sines(), width, sines.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    for (std::size_t first = 0; first < angles->count();)
      for (const std::size_t pairs : plan_.blocks) {
        spread(plan_.layout, {angles->cosines() + first, pairs}, cosines.data() + at + 2 * first);
        spread(plan_.layout, {angles->sines() + first, pairs}, sines.data() + at + 2 * first);
        first += pairs;
      }
  }
  return {};
}

/// How many lists of points there are.
Expected<std::size_t> PointRotary::count_batches(const SequenceShape& shape, const Points& points,
                                                 const TokensAround& around) const {
  const std::size_t count = points.size() / axes();
  const auto before = static_cast<std::size_t>(around.before);
  const auto after = static_cast<std::size_t>(around.after);
  if (before > shape.sequence())
    return wrong("prefixTokens", static_cast<double>(before),
                 {"at most as many as the sequence has (", decimal(shape.sequence()), ")"});
  if (after > shape.sequence() - before)
    return wrong("suffixTokens", static_cast<double>(after),
                 {"at most as many as the sequence has behind the prefix (", decimal(shape.sequence() - before), ")"});
  const std::size_t tokens = shape.sequence() - before - after;
  if (count == tokens) return 1;
  const std::size_t batches = tokens == 0 || count % tokens != 0 ? 0 : count / tokens;
  if (batches != 0 && shape.outer() != 0 && shape.outer() % batches == 0) return batches;
  return wrong(points.argument(), static_cast<double>(count),
               {decimal(tokens), " points, as the sequence has tokens to rotate, or as many for each of a batch"});
}

Expected<void> PointRotary::check_heads(const SequenceShape& shape) const {
  if (plan_.heads == 1 || shape.inner() == plan_.heads) return {};
  if (shape.inner() == 1 && shape.outer() % plan_.heads == 0) return {};
  return wrong("shape", static_cast<double>(shape.inner() == 1 ? shape.outer() : shape.inner()),
               {decimal(plan_.heads), " heads, behind the sequence axis or in front of it"});
}

namespace {

/// All by the same angles, or each by the row `angle_stride` behind the last one's.
void rotate(const PointRotaryPlan& plan, HeadRun heads, bool grouped, AngleRow<float> angles,
            std::size_t angle_stride) {
  for (const std::size_t pairs : plan.blocks) {
    rotate_heads({plan.layout, Direction::forward, pairs, grouped, nullptr}, heads, angles, angle_stride);
    heads.first += 2 * pairs;
    angles.cosines += pairs;
    angles.sines += pairs;
  }
}

}  // namespace

Expected<void> PointRotary::apply(std::span<float> x, const SequenceShape& shape, const Points& points,
                                  const TokensAround& around, Direction direction) const {
  if (shape.dim() != dim() || (shape.lane_stride() != 1 && !x.empty()))
    return wrong("shape", static_cast<double>(shape.dim()), {decimal(dim()), " (dim) as its last extent"});
  if (auto checked = check_size("x", x.size(), shape.size()); !checked) return checked;
  if (auto checked = check_heads(shape); !checked) return checked;
  if (auto checked = check(points, around); !checked) return checked;
  const auto batches = count_batches(shape, points, around);
  if (!batches) return std::unexpected(batches.error());
  auto angles = Angles::make(plan_, direction);
  if (!angles) return std::unexpected(angles.error());

  const std::size_t count = points.size() / axes() / *batches;
  const std::size_t group = shape.outer() / *batches;
  const bool heads_behind = shape.inner() == plan_.heads;
  const bool grouped = fits_caches(shape.size());
  for (std::size_t at = 0; at < *batches * count; ++at) {
    angles->set(points, at);
    const std::size_t token = static_cast<std::size_t>(around.before) + at % count;
    for (std::size_t o = at / count * group; o < (at / count + 1) * group; ++o) {
      float* const first = x.data() + (o * shape.sequence() + token) * shape.inner() * dim();
      const std::size_t head = heads_behind ? 0 : o % plan_.heads;
      rotate(plan_, {first, shape.inner(), dim()}, grouped,
             {angles->sines() + head * plan_.pairs, angles->cosines() + head * plan_.pairs},
             heads_behind && plan_.heads > 1 ? plan_.pairs : 0);
    }
  }
  return {};
}

}  // namespace posenc
