#include "posenc/learned/resize.hpp"

#include <algorithm>
#include <cmath>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/pieces.hpp"
#include "posenc/base/try.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/learned/learned_table.hpp"

namespace posenc {
namespace {

/// Keys' kernel at a distance 0 <= x < 2.
double cubic(double x, double a) {
  return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : (((x - 5) * x + 8) * x - 4) * a;
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// The weights with which rows first, first + 1, ... of one axis make a new one. Positions are fractions of whole
/// numbers below 2^62, so that nothing but the weights themselves is rounded.
class Axis {
 public:
  static Expected<Axis> make(std::int64_t from, std::int64_t to, const ResizeOptions& options) {
    Axis axis;
    axis.from_ = from;
    axis.to_ = to;
    axis.options_ = options;
    POSENC_TRY(allocate({{axis.weights_, to == 0 ? 0 : static_cast<std::size_t>(axis.most_weights())}}));
    return axis;
  }

  void move_to(std::int64_t i) {
    if (from_ == to_) {
      set_first_and_count(i, 1);
      weights_[0] = 1;
    } else if (options_.antialias) {
      spread(i);
    } else {
      interpolate(i);
    }
  }

  /// in: rows of `size` values, `stride` apart; out = the sum of weight * row.
  template <class T, class Out>
  void combine(const T* in, std::size_t stride, std::size_t size, Out* out) const {
    const T* const rows = in + static_cast<std::size_t>(first_) * stride;
    std::size_t dimension = 0;
    for (; dimension + piece_size <= size; dimension += piece_size) {
      Doubles sum = weights_[0] * Doubles::load(rows + dimension);
      for (std::size_t k = 1; k < count_; ++k) sum = sum + weights_[k] * Doubles::load(rows + k * stride + dimension);
      sum.store(out + dimension);
    }
    for (; dimension < size; ++dimension) {
      double sum = weights_[0] * static_cast<double>(rows[dimension]);
      for (std::size_t k = 1; k < count_; ++k) sum += weights_[k] * static_cast<double>(rows[k * stride + dimension]);
      out[dimension] = static_cast<Out>(sum);
    }
  }

 private:
  [[nodiscard]] std::int64_t reach() const { return options_.interpolation == Interpolation::linear ? 1 : 2; }

  [[nodiscard]] std::int64_t most_weights() const {
    const std::int64_t wide = options_.antialias ? 2 * reach() * std::max(from_, to_) / to_ + 2 : 2 * reach();
    return std::min(from_, wide);
  }

  void set_first_and_count(std::int64_t first, std::int64_t count) {
    first_ = first;
    count_ = static_cast<std::size_t>(count);
    std::ranges::fill(weights_.span(), 0.0);
  }

  /// 2 * reach rows around the point; those beyond an edge add their weight to the edge.
  void interpolate(std::int64_t i) {
    const std::int64_t point = options_.align_corners ? i * (from_ - 1) : (2 * i + 1) * from_ - to_;
    const std::int64_t unit = options_.align_corners ? std::max<std::int64_t>(to_ - 1, 1) : 2 * to_;
    const std::int64_t row = floor_quotient(point, unit);
    const std::int64_t rest = point - row * unit;
    const auto inside = [&](std::int64_t at) { return std::clamp<std::int64_t>(at, 0, from_ - 1); };
    const std::int64_t first = inside(row + 1 - reach());
    set_first_and_count(first, inside(row + reach()) - first + 1);
    for (std::int64_t at = row + 1 - reach(); at <= row + reach(); ++at) {
      const double distance = static_cast<double>(std::abs((at - row) * unit - rest)) / static_cast<double>(unit);
      weights_[static_cast<std::size_t>(inside(at) - first)] += reach() == 1 ? 1 - distance : cubic(distance, -0.75);
    }
  }

  /// Every row within reach, in units of the longer of the old and the new row; weights of sum 1.
  void spread(std::int64_t i) {
    const std::int64_t unit = 2 * std::max(from_, to_);
    const std::int64_t centre = (2 * i + 1) * from_;
    const std::int64_t begin = floor_quotient(centre - reach() * unit - to_, 2 * to_) + 1;
    const std::int64_t end = -floor_quotient(to_ - centre - reach() * unit, 2 * to_);
    const std::int64_t first = std::max<std::int64_t>(begin, 0);
    set_first_and_count(first, std::min(end, from_) - first);
    double sum = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      const std::int64_t point = (2 * (first + static_cast<std::int64_t>(k)) + 1) * to_;
      const double distance = static_cast<double>(std::abs(point - centre)) / static_cast<double>(unit);
      sum += weights_[k] = reach() == 1 ? 1 - distance : cubic(distance, -0.5);
    }
    for (std::size_t k = 0; k < count_; ++k) weights_[k] /= sum;
  }

  std::int64_t from_ = 0, to_ = 0;
  ResizeOptions options_;
  std::int64_t first_ = 0;
  std::size_t count_ = 0;
  AlignedArray<double> weights_;
};

/// [prefix + height * width, dim]
Expected<void> check_table(std::string_view argument, std::size_t size, const GridSize& grid, std::int64_t prefix,
                           std::int64_t dim) {
  const auto dims = static_cast<std::size_t>(dim);
  // Below 2^59: no overflow.
  const auto rows = static_cast<std::uint64_t>(prefix) + static_cast<std::uint64_t>(grid.height * grid.width);
  if (size % dims == 0 && size / dims == rows) return {};
  return invalid_argument(
      argument, static_cast<double>(size),
      {"(", decimal(prefix), " + ", decimal(grid.height), " * ", decimal(grid.width), ") * ", decimal(dim), " values"});
}

Expected<void> check_grid(std::string_view argument, const GridSize& grid, std::int64_t least) {
  POSENC_TRY(check_whole(argument, grid.height, least, max_rows));
  return check_whole(argument, grid.width, least, max_rows);
}

}  // namespace

Expected<void> resize_table(std::span<const float> table, std::int64_t dim, const GridSize& from, const GridSize& to,
                            const ResizeOptions& options, std::span<float> out) {
  POSENC_TRY(check_whole("dim", dim, 1, max_dim));
  POSENC_TRY(check_grid("to", to, 0));
  const bool none = to.height == 0 || to.width == 0;
  POSENC_TRY(check_grid("from", from, none ? 0 : 1));
  POSENC_TRY(check_ranges(options));
  if (options.align_corners && options.antialias)
    return invalid_argument("alignCorners", std::string("true"), expected::exactly, {"false"}, " with antialias");
  POSENC_TRY(check_table("table", table.size(), from, options.prefix, dim));
  POSENC_TRY(check_table("out", out.size(), to, options.prefix, dim));

  const auto dims = static_cast<std::size_t>(dim);
  const std::size_t prefix = static_cast<std::size_t>(options.prefix) * dims;
  const std::size_t old_width = static_cast<std::size_t>(from.width) * dims;
  POSENC_TRY_LET(rows, Axis::make(from.height, to.height, options));
  POSENC_TRY_LET(columns, Axis::make(from.width, to.width, options));
  POSENC_TRY_LET(row, AlignedArray<double>::make(none ? 0 : old_width));

  std::ranges::copy(table.first(prefix), out.begin());
  if (none) return {};
  float* to_write = out.data() + prefix;
  for (std::int64_t y = 0; y < to.height; ++y) {
    rows.move_to(y);
    rows.combine(table.data() + prefix, old_width, old_width, row.data());
    for (std::int64_t x = 0; x < to.width; ++x, to_write += dims) {
      columns.move_to(x);
      columns.combine(row.data(), dims, dims, to_write);
    }
  }
  return {};
}

}  // namespace posenc
