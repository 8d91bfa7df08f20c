#include "posenc/relative/fire.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/double_double.hpp"
#include "posenc/base/scalar_maths.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"
#include "posenc/relative/kernels/diagonal_rows.hpp"

namespace posenc {
namespace {

double divisor(const FireOptions& options, double query_position) {
  return logarithm_1p(std::fabs(options.c * std::fmax(query_position, options.threshold))) + options.epsilon;
}

Expected<void> check_options(const FireOptions& options, std::size_t heads) {
  POSENC_TRY(check_ranges(options));
  if (divisor(options, 0) == 0)
    return invalid_argument("epsilon", options.epsilon, expected::above, {0}, " where c is 0");
  return options.perceptron.check(1, heads);
}

/// A value that is not finite becomes the one quiet NaN.
double finite(double x) { return std::isfinite(x) ? x : std::numeric_limits<double>::quiet_NaN(); }

/// The perceptron has one input: as a function of it every head is a polygon, whose corners are where hidden units
/// begin or cease to be positive.
class Polygons {
 public:
  /// `perceptron` is checked. For inputs >= 0.
  static Expected<Polygons> make(const Perceptron& perceptron, std::size_t heads) {
    const std::size_t hidden = perceptron.bias1.size();
    AlignedArray<Corner> corners;
    Polygons made;
    made.heads_ = heads;
    POSENC_TRY(allocate({{corners, hidden}, {made.lines_, (hidden + 1) * heads}}, Fill::none));
    // Lines are summed in twice the precision: what one corner adds another may take away.
    POSENC_TRY_LET(sums, AlignedArray<DoubleDouble>::make(2 * heads));
    const auto add = [&](std::size_t n, double sign) {
      for (std::size_t h = 0; h < heads; ++h) {
        const double weight = sign * static_cast<double>(perceptron.weight2[h * hidden + n]);
        sums[2 * h] = sums[2 * h] + DoubleDouble{weight * static_cast<double>(perceptron.weight1[n]), 0};
        sums[2 * h + 1] = sums[2 * h + 1] + DoubleDouble{weight * static_cast<double>(perceptron.bias1[n]), 0};
      }
    };
    for (std::size_t h = 0; h < perceptron.bias2.size(); ++h)
      sums[2 * h + 1] = {static_cast<double>(perceptron.bias2[h]), 0};
    for (std::size_t n = 0; n < hidden; ++n) {
      const auto rate = static_cast<double>(perceptron.weight1[n]), start = static_cast<double>(perceptron.bias1[n]);
      const double at = -start / rate;
      if (start > 0 || (start == 0 && rate > 0)) add(n, 1);
      if (at > 0 && at <= std::numeric_limits<double>::max()) corners[made.corners_++] = {at, n};
    }
    // A heap's sort: less code than the one for speed.
    const auto placed = corners.span().first(made.corners_);
    const auto is_before = [](const Corner& a, const Corner& b) {
      return a.at < b.at || (a.at == b.at && a.unit < b.unit);
    };
    std::make_heap(placed.begin(), placed.end(), is_before);
    std::sort_heap(placed.begin(), placed.end(), is_before);
    made.corner_ = std::move(corners);
    for (std::size_t k = 0; k <= made.corners_; ++k) {
      if (k > 0) add(made.corner_[k - 1].unit, perceptron.weight1[made.corner_[k - 1].unit] > 0 ? 1 : -1);
      for (std::size_t h = 0; h < heads; ++h)
        made.lines_[k * heads + h] = {finite(sums[2 * h].high), finite(sums[2 * h + 1].high)};
    }
    return made;
  }

  struct Line {
    double slope, intercept;
  };

  /// How many corners are at x or before it.
  [[nodiscard]] std::size_t segment(double x) const {
    const auto corners = corner_.span().first(corners_);
    return static_cast<std::size_t>(std::ranges::upper_bound(corners, x, {}, &Corner::at) - corners.begin());
  }
  /// Where a segment begins, and where the next one does.
  [[nodiscard]] double begin(std::size_t segment) const { return segment == 0 ? -1 : corner_[segment - 1].at; }
  [[nodiscard]] double end(std::size_t segment) const {
    return segment == corners_ ? std::numeric_limits<double>::infinity() : corner_[segment].at;
  }
  [[nodiscard]] const Line& line(std::size_t segment, std::size_t head) const {
    return lines_[segment * heads_ + head];
  }

 private:
  struct Corner {
    double at;
    std::size_t unit;
  };

  std::size_t heads_ = 0, corners_ = 0;
  AlignedArray<Corner> corner_;
  AlignedArray<Line> lines_;
};

/// Holds what both forms need: ln(|c d| + 1) of each distance, the heads' polygons, and memory for a row.
class Fire {
 public:
  static Expected<Fire> make(const FireOptions& options, const RelativePositions& positions) {
    POSENC_TRY(check_options(options, positions.heads()));
    const std::size_t distances = positions.distances();
    POSENC_TRY_LET(polygons, Polygons::make(options.perceptron, positions.heads()));
    Fire made(positions, std::move(polygons));
    const std::size_t padded = distances + together;
    POSENC_TRY(allocate({{made.inputs_, padded}}));
    POSENC_TRY(allocate({{made.logarithms_, distances}, {made.runs_, distances}, {made.line_, padded}}, Fill::none));
    for (std::size_t c = 0; c < distances; ++c)
      made.logarithms_[c] = logarithm_1p(std::fabs(options.c * static_cast<double>(positions.distance(c))));
    return made;
  }

  /// Writes `count` adjacent entries from index c of the compact form on, head by head, `stride` apart.
  void write(std::size_t c, std::size_t count, double divisor, Future future, float* out, std::size_t stride) {
    // The first distances are before the query, and their sizes fall.
    const auto before = static_cast<std::size_t>(
        std::clamp<std::int64_t>(-positions_->distance(c), 0, static_cast<std::int64_t>(count)));
    const bool masked = future == Future::mask;
    const bool has_own = before < count && positions_->distance(c + before) == 0;
    const std::size_t kept = masked ? before + (has_own ? 1 : 0) : count;
    for (std::size_t j = 0; j < kept; ++j) inputs_[j] = logarithms_[c + j] / divisor;
    const std::size_t runs = find_runs(before, kept);
    for (std::size_t h = 0; h < positions_->heads(); ++h) {
      std::size_t j = 0;
      for (std::size_t r = 0; r < runs; ++r) {
        const auto [slope, intercept] = polygons_.line(runs_[r].segment, h);
        const Batch slopes(slope), intercepts(intercept);
        // The next run overwrites what is written beyond this one's end.
        for (; j < runs_[r].end; j += together)
          store_rounded(Batch::load_unaligned(inputs_.data() + j) * slopes + intercepts,
                        Batch::load_unaligned(inputs_.data() + j + Batch::size) * slopes + intercepts,
                        line_.data() + j);
        j = runs_[r].end;
      }
      std::copy_n(line_.data(), kept, out + h * stride);
      std::fill(out + h * stride + kept, out + h * stride + count, -std::numeric_limits<float>::infinity());
    }
  }

 private:
  using Batch = xsimd::batch<double>;
  static constexpr std::size_t together = 2 * Batch::size;

  /// Neighbouring entries of one segment, as far as `end`.
  struct Run {
    std::size_t end, segment;
  };

  Fire(const RelativePositions& positions, Polygons polygons)
      : positions_(&positions), polygons_(std::move(polygons)) {}

  std::size_t find_runs(std::size_t before, std::size_t kept) {
    std::size_t found = 0;
    for (std::size_t j = 0; j < kept; ++found) {
      const std::size_t segment = polygons_.segment(inputs_[j]);
      const double begin = polygons_.begin(segment), end = polygons_.end(segment);
      double* const last = inputs_.data() + (j < before ? before : kept);
      const double* const next =
          std::partition_point(inputs_.data() + j + 1, last, [&](double x) { return begin <= x && x < end; });
      j = static_cast<std::size_t>(next - inputs_.data());
      runs_[found] = {j, segment};
    }
    return found;
  }

  const RelativePositions* positions_;
  Polygons polygons_;
  AlignedArray<double> logarithms_, inputs_;
  AlignedArray<Run> runs_;
  AlignedArray<float> line_;
};

/// How many of the first queries are at the threshold or before it: the divisor of all of them is the same.
std::size_t near_queries(const FireOptions& options, const RelativePositions& positions) {
  std::size_t near = 0;
  while (near < positions.queries() && static_cast<double>(positions.query_position(near)) <= options.threshold) ++near;
  return near;
}

/// The rows of these queries, which are slices of one line a head.
Expected<void> write_near_rows(Fire& fire, const FireOptions& options, const RelativePositions& positions,
                               std::size_t near, Future future, std::span<float> out) {
  if (near == 0) return {};
  const std::size_t keys = positions.keys();
  const std::size_t length = near + keys - 1;
  POSENC_TRY_LET(lines, AlignedArray<float>::make(positions.heads() * length));
  fire.write(positions.compact_row(near - 1), length, divisor(options, 0), future, lines.data(), length);
  for (std::size_t h = 0; h < positions.heads(); ++h)
    write_diagonal_rows(lines.data() + h * length + near - 1, near, keys, 1,
                        out.data() + h * positions.queries() * keys);
  return {};
}

}  // namespace

Expected<void> fire_bias(const FireOptions& options, const RelativePositions& positions, Future future,
                         std::span<float> out) {
  const std::size_t keys = positions.keys();
  POSENC_TRY(check_extents("out", out.size(), {positions.heads(), positions.queries(), keys}));
  POSENC_TRY_LET(fire, Fire::make(options, positions));
  if (out.empty()) return {};
  const std::size_t near = near_queries(options, positions);
  POSENC_TRY(write_near_rows(fire, options, positions, near, future, out));
  for (std::size_t i = near; i < positions.queries(); ++i)
    fire.write(positions.compact_row(i), keys, divisor(options, static_cast<double>(positions.query_position(i))),
               future, out.data() + i * keys, positions.queries() * keys);
  return {};
}

Expected<void> fire_bias_compact(const FireOptions& options, const RelativePositions& positions, Future future,
                                 std::span<float> out) {
  const std::size_t distances = positions.distances();
  POSENC_TRY(check_size("out", out.size(), positions.heads(), distances));
  POSENC_TRY_LET(fire, Fire::make(options, positions));
  if (distances == 0) return {};
  if (static_cast<double>(positions.query_position(positions.queries() - 1)) > options.threshold)
    return invalid_argument("queryOffset", static_cast<double>(positions.query_position(0)), expected::compact_queries);
  fire.write(0, distances, divisor(options, 0), future, out.data(), distances);
  return {};
}

}  // namespace posenc
