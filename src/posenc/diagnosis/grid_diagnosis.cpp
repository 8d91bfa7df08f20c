#include "posenc/diagnosis/grid_diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ranges>
#include <string>
#include <tuple>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/engine/changes.hpp"
#include "posenc/diagnosis/engine/counting.hpp"
#include "posenc/diagnosis/engine/noise.hpp"
#include "posenc/diagnosis/grids/grid_computation.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

/// Numbers of a token (and head), and how far roundings may move each.
struct GridRow {
  std::vector<double> values, bounds;
};

/// Explanations that are told apart: where there are more, none is certain in any case.
constexpr std::size_t most_counted = 64;

/// The values that were given, or a shape that they could have had.
struct GridSample {
  enum class Kind : std::uint8_t { vectors, cache, table };
  Kind kind = Kind::vectors;
  SampleValues input = {}, given = {}, sines = {};
  std::size_t tokens = 0, heads = 1, inner = 1, width = 0;
  StoredType type = {};
  double parts = 4, trig = 2;  ///< roundings of the parts of a sum, and of a cosine

  /// The type of the results; doubles are made of numbers of float32. Errors: what is no tensor of a known type.
  [[nodiscard]] Expected<void> set_type(const SampledTensor& tensor, std::string_view argument) {
    POSENC_TRY_LET(types, stored_types_of(tensor, argument));
    type = types.front();
    if (type.is_coarse()) parts = 2.05, trig = 1.05;
    type.rounding = std::max(type.rounding, float32_rounding);
    return {};
  }

  /// Where a value is: the axis of the dimensions is the last one of vectors, and has `inner` values behind it in a
  /// table.
  [[nodiscard]] std::size_t at(std::size_t token, std::size_t head, std::size_t k) const {
    if (kind == Kind::vectors) return ((head / inner * tokens + token) * inner + head % inner) * width + k;
    return (token / inner * width + k) * inner + token % inner;
  }

  /// Any numbers stand for an input that is not there.
  [[nodiscard]] double input_at(std::size_t token, std::size_t head, std::size_t k) const {
    return input.empty() ? 1 + 0.5 * std::sin(static_cast<double>(3 * k + 1)) : input[at(token, head, k)];
  }

  [[nodiscard]] double given_at(std::size_t token, std::size_t head, std::size_t k) const {
    return k < width ? given[at(token, head, k)] : sines[at(token, head, k - width)];
  }

  /// What a computation makes.
  void simulate(GridSimulation& made, std::size_t token, std::size_t head, GridRow& row) const {
    row.values.assign(kind == Kind::cache ? 2 * width : width, 0);
    row.bounds.assign(row.values.size(), 0);
    const auto& angles = made.at(token);
    const double factor = made.computation().factor;
    const bool is_scaled = factor != 1;
    const auto put = [&](std::size_t k, double value, double other, double error) {
      row.values[k] = factor * value;
      row.bounds[k] = std::fabs(factor) * ((trig + (is_scaled ? 1 : 0)) * type.rounding * std::fabs(value) +
                                           error * (std::fabs(other) + error)) +
                      type.least;
    };
    if (kind == Kind::vectors) {
      for (std::size_t k = 0; k < width; ++k) {
        row.values[k] = factor * input_at(token, head, k);
        row.bounds[k] = (is_scaled ? 1.1 : 1) * type.rounding * std::fabs(row.values[k]) + type.least;
      }
      for (std::size_t i = 0; i < angles.size(); ++i) {
        const auto [cosine, sine, error] = angles[i];
        const GridPair& pair = made.pairs()[i];
        const double x = input_at(token, head, pair.first), y = input_at(token, head, pair.second);
        const auto add = [&](std::size_t k, double a, double b, double across) {
          const double sum = factor * (a + b), all = std::fabs(factor) * (std::fabs(a) + std::fabs(b));
          row.values[k] = sum;
          row.bounds[k] = type.rounding * (parts * all + 1.1 * std::fabs(sum)) +
                          std::fabs(factor) * error * (across + error * (std::fabs(x) + std::fabs(y))) +
                          type.least * (3 + std::fabs(x) + std::fabs(y));
        };
        add(pair.first, x * cosine, -y * sine, std::fabs(x * sine) + std::fabs(y * cosine));
        add(pair.second, y * cosine, x * sine, std::fabs(y * sine) + std::fabs(x * cosine));
      }
      return;
    }
    const std::size_t pairs = made.pairs().size(), axes = made.computation().axes.size(), half = pairs / axes;
    for (std::size_t i = 0; i < pairs; ++i) {
      const auto [cosine, sine, error] = angles.empty() ? GridSimulation::Angle{} : angles[i];
      if (kind == Kind::cache) {
        const GridPair& pair = made.pairs()[i];
        for (const std::size_t k : width == pairs ? std::array{i, i} : std::array{pair.first, pair.second}) {
          put(k, cosine, sine, error);
          put(width + k, sine, cosine, error);
        }
        continue;
      }
      // Rows in front of a table's cells are zeros.
      if (angles.empty()) return;
      const GridComputation& of = made.computation();
      const bool by_axis = of.arrangement == Arrangement::by_axis;
      const std::size_t place = i / half, run = by_axis ? half : pairs, first = by_axis ? 2 * half * place : 0;
      for (std::size_t function : {0u, 1u}) {  // sine, cosine
        const std::size_t which = of.order == Order::cosines_first ? 1 - function : function;
        const std::size_t at = by_axis ? i % half : i;
        const std::size_t k = first + (of.order == Order::interleaved ? 2 * at + which : which * run + at);
        if (k < width) put(k, function == 0 ? sine : cosine, function == 0 ? cosine : sine, error);
      }
    }
  }
};

class GridSearch {
 public:
  GridSearch(GridSample sample, CellGrid grid, GridComputation right)
      : sample_(std::move(sample)),
        grid_(std::move(grid)),
        right_(std::move(right)),
        changes_(grid_changes(right_, grid_.extents)) {
    for (const std::int64_t times : {1, 2, 4, 16, 64}) {
      std::vector<std::int64_t> extents;
      for (std::size_t axis = 0; axis < grid_.extents.size(); ++axis)
        extents.push_back(times * right_.merge * (2 + static_cast<std::int64_t>(axis)));
      others_.push_back({std::move(extents)});
    }
  }

  Diagnosis run() {
    if (are_zeros(sample_.given) && are_zeros(sample_.sines)) {
      Diagnosis nothing;
      nothing.verdict = Verdict::too_little;
      nothing.dtype = sample_.type.name;
      return nothing;
    }
    for_each_listed(right_, changes_, true, [&](const GridComputation& made, std::vector<Mistake> mistakes) {
      if (explains(made)) add(made, std::move(mistakes));
      return counting_.size() < most_counted;
    });
    if (counting_.empty()) estimate();
    const bool is_none = counting_.empty();
    Diagnosis found = std::move(counting_).take();
    found.dtype = sample_.type.name;
    if (found.verdict == Verdict::ambiguous) tell(found);
    if (is_none) found.departure = departure();
    return found;
  }

 private:
  [[nodiscard]] bool agrees(const GridRow& row, std::size_t token, std::size_t head) const {
    for (std::size_t k = 0; k < row.values.size(); ++k)
      if (!(std::fabs(sample_.given_at(token, head, k) - row.values[k]) <= row.bounds[k])) return false;
    return true;
  }

  /// Whether a computation is one of such a grid and makes numbers of this shape.
  [[nodiscard]] bool is_possible(const GridSimulation& simulation) const {
    const std::size_t pairs = simulation.pairs().size();
    return simulation.is_possible() &&
           (sample_.kind != GridSample::Kind::cache || sample_.width == pairs || sample_.width == 2 * pairs);
  }

  /// Whether a computation makes every value. The last cells tell most.
  bool explains(const GridComputation& made) { return explains(made, pairs_.of(made.rotary)); }
  bool explains(const GridComputation& made, const std::vector<GridPair>& pairs) {
    GridSimulation simulation(made, grid_, pairs);
    if (!is_possible(simulation)) return false;
    for (std::size_t token = sample_.tokens; token-- > 0;)
      for (std::size_t head = 0; head < sample_.heads; ++head) {
        sample_.simulate(simulation, token, head, row_);
        if (!agrees(row_, token, head)) return false;
      }
    return true;
  }

  /// Any input of some cells of a grid, and what a computation makes of it.
  GridRow elsewhere(const GridComputation& made, const CellGrid& grid, std::size_t most) {
    GridSample any = sample_;
    any.input = {};
    any.heads = any.inner = 1;
    any.tokens = grid.cells() + static_cast<std::size_t>(made.around.before + made.around.after);
    GridRow all;
    const auto& pairs = pairs_.of(made.rotary);
    GridSimulation simulation(made, grid, pairs);
    if (!is_possible(simulation)) return all;
    const std::size_t count = std::min(any.tokens, most);
    for (std::size_t i = 0; i < count; ++i) {
      any.simulate(simulation, i * (any.tokens - 1) / std::max<std::size_t>(count - 1, 1), 0, row_);
      all.values.insert(all.values.end(), row_.values.begin(), row_.values.end());
      all.bounds.insert(all.bounds.end(), row_.bounds.begin(), row_.bounds.end());
    }
    return all;
  }

  /// The cells of some grids, from small to large, of which blocks divide the sides.
  std::vector<GridRow> elsewhere(const GridComputation& made) {
    std::vector<GridRow> rows;
    for (const CellGrid& grid : others_) rows.push_back(elsewhere(made, grid, 24));
    return rows;
  }

  static bool differ(const GridRow& one, const GridRow& other) {
    if (one.values.size() != other.values.size()) return true;
    for (std::size_t k = 0; k < one.values.size(); ++k)
      if (std::fabs(one.values[k] - other.values[k]) > one.bounds[k] + other.bounds[k]) return true;
    return false;
  }

  /// Counts what explains every value; what no grid tells from another within the noise is the same.
  void add(const GridComputation& made, std::vector<Mistake> mistakes, bool is_estimated = false) {
    std::vector<GridRow> rows = elsewhere(made);
    for (const Left& each : left_)
      if (std::ranges::none_of(std::views::iota(std::size_t{0}, rows.size()),
                               [&](std::size_t i) { return differ(each.elsewhere[i], rows[i]); }))
        return;
    Explanation explanation;
    explanation.found = found_of(made, grid_.extents);
    explanation.mistakes = std::move(mistakes);
    explanation.shift = right_.start - made.start;
    explanation.factor = right_.factor / made.factor;
    counting_.add(std::move(explanation), {static_cast<double>(left_.size())}, is_estimated);
    left_.push_back({made, std::move(rows)});
  }

  /// Finds what would tell the explanations apart: other inputs, else the smallest grid that tells most.
  void tell(Diagnosis& found) {
    const auto told_apart = [&](auto rows_of) {
      std::size_t told = 0;
      for (std::size_t i = 0; i < found.explanations.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const GridRow &one = rows_of(left_[i]), &other = rows_of(left_[j]);
          told += one.values.size() == other.values.size() && differ(one, other) ? 1 : 0;
        }
      return told;
    };
    const std::size_t all = found.explanations.size() * (found.explanations.size() - 1) / 2;
    for (Left& each : left_) each.here = elsewhere(each.computation, grid_, 64);
    if (sample_.kind == GridSample::Kind::vectors &&
        told_apart([](const Left& of) -> const GridRow& { return of.here; }) == all) {
      found.tells = {"inputs"};
      return;
    }
    std::size_t most = 0;
    for (std::size_t i = 0; i < others_.size() && most < all; ++i) {
      const std::size_t told = told_apart([i](const Left& of) -> const GridRow& { return of.elsewhere[i]; });
      if (told <= most) continue;
      most = told;
      found.tells = {"grid"};
      found.next.assign(others_[i].extents.begin(), others_[i].extents.end());
    }
  }

  /// The squares of what a computation leaves of some tokens, in units of roundings.
  double misfit(const GridComputation& made, std::span<const std::size_t> tokens) {
    const bool is_known = made.rotary.base == right_.rotary.base;
    const std::vector<GridPair> own = is_known ? std::vector<GridPair>{} : GridPairs::made(made.rotary);
    const std::vector<GridPair>& pairs = is_known ? pairs_.of(made.rotary) : own;
    GridSimulation simulation(made, grid_, pairs);
    double sum = pairs.empty() ? std::numeric_limits<double>::infinity() : 0;
    for (const std::size_t token : tokens) {
      sample_.simulate(simulation, token, 0, row_);
      for (std::size_t k = 0; k < row_.values.size(); ++k) {
        const double far = sample_.given_at(token, 0, k) - row_.values[k];
        sum += far * far;
      }
    }
    return sum;
  }

  /// Adds the shortest number near this one with which a computation explains every value.
  void add_shortest(GridComputation made, double number, const auto& set, const std::vector<Mistake>& mistakes) {
    if (!std::isfinite(number) || number == 0) return;
    for (int digits = 0; digits < 9; ++digits) {
      const double scale = std::pow(10, digits - std::floor(std::log10(std::fabs(number))));
      set(made, std::nearbyint(number * scale) / scale);
      if (!explains(made, GridPairs::made(made.rotary))) continue;
      add(made, mistakes, true);
      return;
    }
  }

  /// The tokens of the first cells of each axis, or some of all.
  [[nodiscard]] std::vector<std::size_t> some_tokens(bool is_near) const {
    const auto before = static_cast<std::size_t>(right_.around.before);
    std::vector<std::size_t> made;
    if (!is_near) {
      const std::size_t count = std::min<std::size_t>(sample_.tokens, 48);
      for (std::size_t i = 1; i <= count; ++i) made.push_back(i * sample_.tokens / count - 1);
      return made;
    }
    std::size_t stride = grid_.cells();
    for (const std::int64_t extent : grid_.extents) {
      stride /= static_cast<std::size_t>(extent);
      for (std::size_t i = 0; i < std::min<std::size_t>(static_cast<std::size_t>(extent), 3); ++i)
        made.push_back(before + i * stride);
    }
    return made;
  }

  /// Numbers that no list has: a factor beside one change, then the base, the start or the extent by itself.
  void estimate() {
    const Mistake scaled = right_.is_table ? Mistake::amplitude : Mistake::factor_other;
    for_each_listed(right_, changes_, false, [&](const GridComputation& made, std::vector<Mistake> mistakes) {
      if (made.factor != right_.factor) return true;
      const auto& pairs = pairs_.of(made.rotary);
      GridSimulation simulation(made, grid_, pairs);
      if (!is_possible(simulation)) return true;
      double across = 0, squares = 0;
      for (const std::size_t token : some_tokens(false)) {
        sample_.simulate(simulation, token, 0, row_);
        for (std::size_t k = 0; k < row_.values.size(); ++k) {
          across += row_.values[k] * sample_.given_at(token, 0, k);
          squares += row_.values[k] * row_.values[k];
        }
      }
      mistakes.push_back(scaled);
      add_shortest(made, across / squares, [](GridComputation& of, double by) { of.factor = by; }, mistakes);
      return true;
    });
    if (!counting_.empty()) return;
    search(Mistake::base, 0.5, 18, 0.05, [](GridComputation& of, double by) { of.rotary.base = by; }, true);
    search(Mistake::first_position, -64, 64, 0.25, [](GridComputation& of, double by) { of.start = by; }, false);
    if (right_.is_table || right_.extent)
      search(Mistake::position_scale, -4, 9, 0.05, [](GridComputation& of, double by) { of.extent = by; }, true);
  }

  /// Looks through a range, of logarithms or not, and then nearer around what fits best: at the first cells, at all.
  void search(Mistake mistake, double from, double to, double step, const auto& set, bool is_log) {
    GridComputation made = right_;
    double best = 0;
    for (const bool is_near : {true, false}) {
      const std::vector<std::size_t> tokens = some_tokens(is_near);
      const auto at = [&](double x) {
        set(made, is_log ? std::exp(x) : x);
        return misfit(made, tokens);
      };
      double least = std::numeric_limits<double>::infinity();
      for (double x = from; x <= to; x += step)
        if (const double now = at(x); now < least) std::tie(least, best) = std::pair(now, x);
      double low = best - step, high = best + step;
      for (int i = 0; i < 60; ++i) {
        const double third = (high - low) / 3;
        (at(low + third) < at(high - third) ? high : low) =
            at(low + third) < at(high - third) ? high - third : low + third;
      }
      best = (low + high) / 2;
      from = best - step / 4;
      to = best + step / 4;
      step /= 64;
    }
    add_shortest(right_, is_log ? std::exp(best) : best, set, {mistake});
  }

  /// The tokens, heads and pairs at which values are not those expected.
  [[nodiscard]] Departure departure() {
    Departure made;
    const auto& pairs = pairs_.of(right_.rotary);
    GridSimulation simulation(right_, grid_, pairs);
    std::vector<bool> tokens(sample_.tokens), heads(sample_.heads), columns(sample_.width);
    for (std::size_t token = 0; token < sample_.tokens; ++token)
      for (std::size_t head = 0; head < sample_.heads; ++head) {
        sample_.simulate(simulation, token, head, row_);
        for (std::size_t k = 0; k < row_.values.size(); ++k)
          if (!(std::fabs(sample_.given_at(token, head, k) - row_.values[k]) <= row_.bounds[k]))
            tokens[token] = heads[head] = columns[k % sample_.width] = true;
      }
    const auto places = [](const std::vector<bool>& of) {
      std::vector<std::int64_t> all;
      for (std::size_t i = 0; i < of.size(); ++i)
        if (of[i]) all.push_back(static_cast<std::int64_t>(i));
      return all;
    };
    made.tokens = places(tokens);
    if (made.tokens.size() == sample_.tokens) return {};
    made.of_tokens = static_cast<std::int64_t>(sample_.tokens);
    if (sample_.kind != GridSample::Kind::vectors) return made;
    made.heads = places(heads);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (columns[pairs[i].first] || columns[pairs[i].second]) made.pairs.push_back(static_cast<std::int64_t>(i));
    return made;
  }

  GridSample sample_;
  CellGrid grid_;
  GridComputation right_;
  std::vector<ListedChange<GridComputation>> changes_;
  GridPairs pairs_;
  GridRow row_;
  Counting counting_;
  std::vector<CellGrid> others_;  ///< no side is as long as another
  struct Left {
    GridComputation computation;
    std::vector<GridRow> elsewhere;
    GridRow here = {};
  };
  std::vector<Left> left_;  ///< as they were counted: those with the fewest changes first
};

/// The axis that has the tokens: the one that is named, or the only one of as many.
Expected<std::size_t> grid_token_axis(const std::vector<std::int64_t>& shape, std::size_t tokens,
                                      std::optional<std::int64_t> named) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  if (named) {
    POSENC_TRY(check_whole("seqAxis", *named, -rank, rank - 2));
    const auto axis = static_cast<std::size_t>(*named < 0 ? *named + rank : *named);
    if (axis + 1 < shape.size() && shape[axis] == static_cast<std::int64_t>(tokens)) return axis;
  }
  std::string fitting;
  std::optional<std::size_t> found;
  for (std::size_t axis = 0; axis + 1 < shape.size() && !named; ++axis) {
    if (shape[axis] != static_cast<std::int64_t>(tokens)) continue;
    fitting += (found ? ", " : "") + decimal(axis);
    found = axis;
  }
  if (fitting.contains(','))
    return invalid_argument("seqAxis", std::string("none"),
                            {"the axis of the sequence: axes ", fitting, " are as long"});
  if (found) return *found;
  return invalid_argument("expected.grid", static_cast<double>(tokens),
                          {"the grid whose cells are the tokens of before, with those around them"});
}

std::size_t grid_tokens(const GridComputation& made, const CellGrid& grid) {
  return grid.cells() + static_cast<std::size_t>(made.around.before + made.around.after);
}

}  // namespace

Expected<Diagnosis> diagnose_grid_vectors(const SampledTensor& before, const SampledTensor& after,
                                          std::optional<std::int64_t> sequence_axis,
                                          const RotaryGridExpectation& expected) {
  POSENC_TRY_LET(right, computation_of(expected));
  CellGrid grid{expected.grid};
  POSENC_TRY(stored_types_of(before, "before"));
  GridSample sample{.input = before.values, .given = after.values, .tokens = grid_tokens(right, grid)};
  POSENC_TRY(sample.set_type(after, "after"));
  POSENC_TRY(check_size("after", after.values.size(), before.values.size()));
  POSENC_TRY_LET(axis, grid_token_axis(before.shape, sample.tokens, sequence_axis));
  if (before.shape.back() != right.rotary.dim)
    return invalid_argument("before", static_cast<double>(before.shape.back()), expected::last_extent,
                            {right.rotary.dim});
  sample.width = static_cast<std::size_t>(right.rotary.dim);
  for (std::size_t i = axis + 1; i + 1 < before.shape.size(); ++i)
    sample.inner *= static_cast<std::size_t>(before.shape[i]);
  sample.heads = before.values.size() / (sample.tokens * sample.width);
  return GridSearch(std::move(sample), std::move(grid), std::move(right)).run();
}

Expected<Diagnosis> diagnose_grid_cache(const SampledTensor& cosines, const SampledTensor& sines,
                                        const RotaryGridExpectation& expected) {
  POSENC_TRY_LET(right, computation_of(expected));
  CellGrid grid{expected.grid};
  GridSample sample{.kind = GridSample::Kind::cache, .given = cosines.values, .sines = sines.values};
  POSENC_TRY(stored_types_of(sines, "sin"));
  POSENC_TRY(sample.set_type(cosines, "cos"));
  POSENC_TRY(check_size("sin", sines.values.size(), cosines.values.size()));
  sample.tokens = grid_tokens(right, grid);
  sample.width = static_cast<std::size_t>(cosines.shape.back());
  std::size_t dims = 0;
  for (const std::int64_t each : right.rotary.dims) dims += static_cast<std::size_t>(each);
  if (cosines.values.size() != sample.tokens * sample.width)
    return invalid_argument("expected.grid", static_cast<double>(sample.tokens),
                            {"the grid whose cells are the rows of cos"});
  if (sample.width != dims && 2 * sample.width != dims)
    return invalid_argument("cos", static_cast<double>(cosines.shape.back()),
                            {"a value a pair or a dimension as its last extent"});
  return GridSearch(std::move(sample), std::move(grid), std::move(right)).run();
}

Expected<Diagnosis> diagnose_grid_table(const SampledTensor& table, const SinusoidalGridExpectation& expected) {
  POSENC_TRY_LET(right, computation_of(expected));
  CellGrid grid{expected.shape, expected.mask};
  GridSample sample{.kind = GridSample::Kind::table, .given = table.values, .tokens = grid_tokens(right, grid)};
  POSENC_TRY(sample.set_type(table, "table"));
  sample.width = static_cast<std::size_t>(right.columns);
  const auto& shape = table.shape;
  const auto axis = shape.back() == right.columns ? shape.end() - 1 : std::ranges::find(shape, right.columns);
  if (axis == shape.end())
    return invalid_argument("table", static_cast<double>(shape.back()),
                            {"an axis of ", decimal(right.columns), " dimensions, the expected dim"});
  for (auto behind = axis + 1; behind != shape.end(); ++behind) sample.inner *= static_cast<std::size_t>(*behind);
  if (table.values.size() != sample.tokens * sample.width)
    return invalid_argument("table", static_cast<double>(table.values.size()),
                            {decimal(sample.tokens * sample.width), " values, as expected.shape and dim"});
  return GridSearch(std::move(sample), std::move(grid), std::move(right)).run();
}

}  // namespace posenc
