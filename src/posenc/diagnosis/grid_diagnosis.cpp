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
#include "posenc/diagnosis/engine/listed.hpp"
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
  Noise noise = {};

  /// The type of the results; doubles are made of numbers of float32. Errors: what is no tensor of a known type.
  [[nodiscard]] Expected<void> set_type(const SampledTensor& tensor, std::string_view argument) {
    POSENC_TRY_LET(types, stored_types_of(tensor, argument));
    noise.type = types.front();
    noise.type.rounding = std::max(noise.type.rounding, float32_rounding);
    noise.is_stored = kind != Kind::vectors;
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

  /// The columns that a pair's first and second number have, some twice: of vectors its dimensions; of a cache or a
  /// table, which is what becomes of (1, 0), its cosine and sine.
  struct Columns {
    std::array<std::size_t, 2> first, second;
  };
  [[nodiscard]] Columns columns_of(const GridSimulation& made, std::size_t i) const {
    const GridPair& pair = made.pairs()[i];
    const std::size_t pairs = made.pairs().size();
    if (kind == Kind::vectors) return {{pair.first, pair.first}, {pair.second, pair.second}};
    if (kind == Kind::cache && width == pairs) return {{i, i}, {width + i, width + i}};
    if (kind == Kind::cache) return {{pair.first, pair.second}, {width + pair.first, width + pair.second}};
    const GridComputation& of = made.computation();
    const bool by_axis = of.arrangement == Arrangement::by_axis;
    const std::size_t half = pairs / of.axes.size(), run = by_axis ? half : pairs;
    const std::size_t start = by_axis ? 2 * half * (i / half) : 0, own = by_axis ? i % half : i;
    const bool is_cosine_first = of.column_order == Order::cosines_first;
    const auto column = [&](bool is_behind) {
      const std::size_t function = is_behind ? 1 : 0;
      return start + (of.column_order == Order::interleaved ? 2 * own + function : function * run + own);
    };
    const std::size_t cosine = column(!is_cosine_first), sine = column(is_cosine_first);
    return {{cosine, cosine}, {sine, sine}};
  }

  /// Makes a token's values. Dimensions that do not rotate are copied, and rows in front of a table are zeros.
  void simulate(GridSimulation& made, std::size_t token, std::size_t head, GridRow& row) const {
    const double factor = made.computation().factor;
    const bool is_vector = kind == Kind::vectors;
    row.values.assign(kind == Kind::cache ? 2 * width : width, 0);
    row.bounds.assign(row.values.size(), noise.type.least);
    for (std::size_t k = 0; is_vector && k < width; ++k) {
      row.values[k] = factor * input_at(token, head, k);
      row.bounds[k] = (factor == 1 ? 1 : 1.1) * noise.type.unit(std::fabs(row.values[k]));
    }
    const auto& angles = made.at(token);
    if (angles.empty() && kind != Kind::cache) return;
    for (std::size_t i = 0; i < made.pairs().size(); ++i) {
      const auto [cosine, sine, error] = angles.empty() ? GridSimulation::Angle{} : angles[i];
      const double x = factor * (is_vector ? input_at(token, head, made.pairs()[i].first) : 1);
      const double y = is_vector ? factor * input_at(token, head, made.pairs()[i].second) : 0;
      const auto put = [&](const std::array<std::size_t, 2>& columns, double a, double b, double across) {
        for (const std::size_t k : columns) {
          if (k >= row.values.size()) continue;  // what is too many is cut off
          row.values[k] = a + b;
          row.bounds[k] =
              noise.of(std::fabs(a) + std::fabs(b), std::fabs(a + b), factor != 1, std::fabs(x) + std::fabs(y)) +
              error * (across + error * (std::fabs(x) + std::fabs(y)));
        }
      };
      const auto [first, second] = columns_of(made, i);
      put(first, x * cosine, -y * sine, std::fabs(x * sine) + std::fabs(y * cosine));
      put(second, x * sine, y * cosine, std::fabs(x * cosine) + std::fabs(y * sine));
    }
  }
};

class GridSearch {
 public:
  GridSearch(const GridSample& sample, CellGrid grid, GridComputation right)
      : sample_(sample),
        grid_(std::move(grid)),
        right_(std::move(right)),
        changes_(grid_changes(right_, grid_.extents)) {
    others_.push_back(grid_);
    for (const std::int64_t times : {1, 2, 4, 16, 64}) {
      std::vector<std::int64_t> extents(grid_.extents.size());
      for (std::size_t axis = 0; axis < extents.size(); ++axis)
        extents[axis] = times * right_.merge * (2 + static_cast<std::int64_t>(axis));
      others_.push_back({std::move(extents)});
    }
  }

  Diagnosis run() {
    if (are_zeros(sample_.given) && are_zeros(sample_.sines)) return too_little_of(sample_.noise.type.name);
    for_each_listed(right_, changes_, true, [&](const GridComputation& made, std::vector<Mistake> mistakes) {
      if (explains(made)) add(made, std::move(mistakes));
      return counting_.size() < most_counted;
    });
    if (counting_.empty()) estimate();
    return concluded(
        std::move(counting_), sample_.noise.type.name, [&](Diagnosis& found) { tell(found); },
        [&] { return departure(); });
  }

 private:
  [[nodiscard]] bool agrees_at(const GridRow& row, std::size_t token, std::size_t head, std::size_t k) const {
    return std::fabs(sample_.given_at(token, head, k) - row.values[k]) <= row.bounds[k];
  }
  [[nodiscard]] bool agrees(const GridRow& row, std::size_t token, std::size_t head) const {
    for (std::size_t k = 0; k < row.values.size(); ++k)
      if (!agrees_at(row, token, head, k)) return false;
    return true;
  }

  /// Whether a computation is one of such a grid and makes numbers of this shape.
  [[nodiscard]] bool is_possible(const GridSimulation& simulation) const {
    const std::size_t pairs = simulation.pairs().size();
    return simulation.is_possible() &&
           (sample_.kind != GridSample::Kind::cache || sample_.width == pairs || sample_.width == 2 * pairs);
  }

  /// Whether a computation makes every value. The last cells tell most.
  bool explains(const GridComputation& made) {
    GridSimulation simulation(made, grid_, pairs_.of(made));
    if (!is_possible(simulation)) return false;
    for (std::size_t token = sample_.tokens; token-- > 0;)
      for (std::size_t head = 0; head < sample_.heads; ++head) {
        sample_.simulate(simulation, token, head, row_);
        if (!agrees(row_, token, head)) return false;
      }
    return true;
  }

  /// Makes the values of some cells of a grid, from any input.
  GridRow elsewhere(const GridComputation& made, const CellGrid& grid) {
    constexpr std::size_t most_cells = 24;
    GridSample any = sample_;
    any.input = {};
    any.heads = any.inner = 1;
    any.tokens = grid.cells() + static_cast<std::size_t>(made.around.before + made.around.after);
    GridRow all;
    GridSimulation simulation(made, grid, pairs_.of(made));
    const std::size_t count = is_possible(simulation) ? std::min(any.tokens, most_cells) : 0;
    for (std::size_t i = 0; i < count; ++i) {
      any.simulate(simulation, i * (any.tokens - 1) / std::max<std::size_t>(count - 1, 1), 0, row_);
      all.values.insert(all.values.end(), row_.values.begin(), row_.values.end());
      all.bounds.insert(all.bounds.end(), row_.bounds.begin(), row_.bounds.end());
    }
    return all;
  }

  static bool differ(const GridRow& one, const GridRow& other) {
    if (one.values.size() != other.values.size()) return true;
    for (std::size_t k = 0; k < one.values.size(); ++k)
      if (std::fabs(one.values[k] - other.values[k]) > one.bounds[k] + other.bounds[k]) return true;
    return false;
  }

  /// Counts what explains every value; what no grid tells from another within the noise is the same.
  void add(const GridComputation& made, std::vector<Mistake> mistakes, bool is_estimated = false) {
    std::vector<GridRow> rows;
    rows.reserve(others_.size());
    for (const CellGrid& grid : others_) rows.push_back(elsewhere(made, grid));
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

  /// Finds what would tell the first explanation from the others: other inputs, if they do from all, else the smallest
  /// grid that tells most.
  void tell(Diagnosis& found) const {
    std::size_t most = 0;
    for (std::size_t i = 0; i < others_.size(); ++i) {
      std::size_t told = 0;
      for (const Left& each : left_) {
        const GridRow &first = left_[0].elsewhere[i], &other = each.elsewhere[i];
        told += first.values.size() == other.values.size() && differ(first, other) ? 1 : 0;
      }
      const bool is_own = i == 0;
      if (told <= most || (is_own && told + 1 < left_.size())) continue;
      most = told;
      found.tells = {is_own ? "inputs" : "grid"};
      if (!is_own) found.next.assign(others_[i].extents.begin(), others_[i].extents.end());
    }
  }

  /// Calls note(made, given) with some values of a computation; false where it is none of such a grid.
  bool compare_some(const GridComputation& made, const auto& note) {
    GridSimulation simulation(made, grid_, pairs_.of(made));
    if (!is_possible(simulation)) return false;
    for (const std::size_t token : some_tokens()) {
      sample_.simulate(simulation, token, 0, row_);
      for (std::size_t k = 0; k < row_.values.size(); ++k) note(row_.values[k], sample_.given_at(token, 0, k));
    }
    return true;
  }

  /// The first cells of each axis and the last of all: these show a number that is far off, too.
  [[nodiscard]] std::vector<std::size_t> some_tokens() const {
    const std::size_t cells = grid_.cells(), before = static_cast<std::size_t>(right_.around.before);
    std::vector<std::size_t> made{before + cells - 1};
    std::size_t stride = cells;
    for (const std::int64_t extent : grid_.extents) {
      stride /= static_cast<std::size_t>(extent);
      for (std::int64_t i = 0; i < std::min<std::int64_t>(extent, 3); ++i)
        made.push_back(before + static_cast<std::size_t>(i) * stride);
    }
    return made;
  }

  /// Numbers that no list has: a factor beside one change, then the base, the start or the extent by itself.
  void estimate() {
    const auto add_shortest = [&](GridComputation made, double number, auto option,
                                  const std::vector<Mistake>& mistakes) {
      const auto explains_with = [&](double rounded) {
        made.*option = rounded;
        return rounded != 0 && explains(made);
      };
      if (shortest_number(number, explains_with)) add(made, mistakes, true);
    };
    const Mistake scaled = right_.is_table ? Mistake::amplitude : Mistake::factor_other;
    for_each_listed(right_, changes_, false, [&](const GridComputation& made, std::vector<Mistake> mistakes) {
      double across = 0, squares = 0;
      const auto note = [&](double value, double given) {
        across += value * given;
        squares += value * value;
      };
      if (made.factor != right_.factor || !compare_some(made, note)) return true;
      mistakes.push_back(scaled);
      add_shortest(made, across / squares, &GridComputation::factor, mistakes);
      return true;
    });
    const auto search = [&](Mistake mistake, double from, double to, double step, auto option, bool is_log) {
      GridComputation made = right_;
      const double best = least_at(from, to, step, [&](double x) {
        made.*option = is_log ? std::exp(x) : x;
        double sum = 0;
        const auto note = [&](double value, double given) { sum += (given - value) * (given - value); };
        return compare_some(made, note) ? sum : std::numeric_limits<double>::infinity();
      });
      add_shortest(right_, is_log ? std::exp(best) : best, option, {mistake});
    };
    if (!counting_.empty()) return;
    search(Mistake::base, 0.5, 18, 0.05, &GridComputation::base, true);
    search(Mistake::first_position, -64, 64, 0.25, &GridComputation::start, false);
    if (right_.is_table || right_.extent) search(Mistake::position_scale, -4, 9, 0.05, &GridComputation::extent, true);
  }

  /// The tokens, heads and pairs at which values are not those expected.
  [[nodiscard]] Departure departure() {
    Departures made;
    const auto& pairs = pairs_.of(right_);
    GridSimulation simulation(right_, grid_, pairs);
    const bool is_vector = sample_.kind == GridSample::Kind::vectors;
    for (std::size_t token = 0; token < sample_.tokens; ++token)
      for (std::size_t head = 0; head < sample_.heads; ++head) {
        sample_.simulate(simulation, token, head, row_);
        if (agrees(row_, token, head)) continue;
        made.add(token, head);
        for (std::size_t i = 0; i < pairs.size() && is_vector; ++i)
          if (!agrees_at(row_, token, head, pairs[i].first) || !agrees_at(row_, token, head, pairs[i].second))
            made.add_pair(i);
      }
    return made.take(sample_.tokens, is_vector);
  }

  GridSample sample_;
  CellGrid grid_;
  GridComputation right_;
  ListedChanges<GridComputation> changes_;
  GridPairs pairs_;
  GridRow row_;
  Counting counting_;
  std::vector<CellGrid> others_;  ///< this grid, with other inputs, and some of which no side is as long as another
  struct Left {
    GridComputation computation;
    std::vector<GridRow> elsewhere;
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
  if (before.shape.back() != right.dim)
    return invalid_argument("before", static_cast<double>(before.shape.back()), expected::last_extent, {right.dim});
  sample.width = static_cast<std::size_t>(right.dim);
  for (std::size_t i = axis + 1; i + 1 < before.shape.size(); ++i)
    sample.inner *= static_cast<std::size_t>(before.shape[i]);
  sample.heads = before.values.size() / (sample.tokens * sample.width);
  return GridSearch(sample, std::move(grid), std::move(right)).run();
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
  for (const std::int64_t each : right.dims) dims += static_cast<std::size_t>(each);
  if (cosines.values.size() != sample.tokens * sample.width)
    return invalid_argument("expected.grid", static_cast<double>(sample.tokens),
                            {"the grid whose cells are the rows of cos"});
  if (sample.width != dims && 2 * sample.width != dims)
    return invalid_argument("cos", static_cast<double>(cosines.shape.back()),
                            {"a value a pair or a dimension as its last extent"});
  return GridSearch(sample, std::move(grid), std::move(right)).run();
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
  return GridSearch(sample, std::move(grid), std::move(right)).run();
}

}  // namespace posenc
