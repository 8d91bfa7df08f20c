#include "posenc/diagnosis/bias/window_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/bias/bias_ways.hpp"
#include "posenc/diagnosis/engine/changes.hpp"
#include "posenc/diagnosis/engine/counting.hpp"
#include "posenc/relative/swin.hpp"

namespace posenc::diagnosis {
namespace {

/// Parts of a window's computation.
enum WindowPart : std::uint8_t {
  extents_part,
  cells_part,
  index_part,
  tokens_part,
  values_part,
  negation_part,
  offset_part
};

/// How the differences of two cells become one number.
enum class WindowIndex : std::uint8_t {
  plain,      ///< the last axis counts fastest, each axis by as many differences as it has
  reversed,   ///< the first axis counts fastest
  own_width,  ///< an axis is multiplied by the number of its own differences, not by those of the axes behind it
};

/// A computation of the pairs of a window.
struct WindowWay {
  std::vector<std::int64_t> extents;
  bool class_token = false;
  bool by_columns = false;  ///< cells are numbered column by column
  WindowIndex index = WindowIndex::plain;
  bool is_exchanged = false, is_constant = false, class_last = false;
  bool is_negative = false;
  double factor = 1, offset = 0;
  bool operator==(const WindowWay&) const = default;

  [[nodiscard]] std::int64_t cells() const {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
  }
  [[nodiscard]] std::int64_t tokens() const { return cells() + (class_token ? 1 : 0); }
  [[nodiscard]] std::int64_t rows() const {
    std::int64_t rows = class_token ? 3 : 0, product = 1;
    for (const std::int64_t extent : extents) product *= 2 * extent - 1;
    return rows + product;
  }
};

/// The rows of the table, or ids, that a way reads.
class WindowRows {
 public:
  explicit WindowRows(const WindowWay& way) : way_(way), strides_(way.extents.size(), 1) {
    const std::size_t axes = way.extents.size();
    const auto differences = [&](std::size_t axis) { return 2 * way.extents[axis] - 1; };
    for (std::size_t k = 1; k < axes; ++k) {
      const std::size_t axis = way.index == WindowIndex::reversed ? k : axes - 1 - k;
      const std::size_t faster = way.index == WindowIndex::reversed ? axis - 1 : axis + 1;
      strides_[axis] = strides_[faster] * differences(way.index == WindowIndex::own_width ? axis : faster);
    }
    const std::int64_t cells = way.cells();
    for (std::int64_t cell = 0; cell < cells; ++cell) sums_.push_back(sum_of(cell));
    for (std::size_t axis = 0; axis < axes; ++axis) centre_ += (way.extents[axis] - 1) * strides_[axis];
  }

  [[nodiscard]] std::int64_t row(std::int64_t query, std::int64_t key) const {
    if (way_.is_exchanged) std::swap(query, key);
    if (way_.class_token) {
      const std::int64_t token = way_.class_last ? way_.cells() : 0, patches = way_.rows() - 3;
      if (query == token || key == token) return patches + (query != token ? 1 : key != token ? 0 : 2);
      if (!way_.class_last) --query, --key;
    }
    if (way_.is_constant) return centre_;
    return sums_[static_cast<std::size_t>(query)] - sums_[static_cast<std::size_t>(key)] + centre_;
  }

 private:
  [[nodiscard]] std::int64_t sum_of(std::int64_t cell) const {
    std::int64_t sum = 0;
    const std::size_t axes = way_.extents.size();
    for (std::size_t k = 0; k < axes; ++k) {
      // The last two axes of a cell are the row and the column.
      const std::size_t axis = way_.by_columns && k < 2 ? axes - 2 + k : axes - 1 - k;
      sum += cell % way_.extents[axis] * strides_[axis];
      cell /= way_.extents[axis];
    }
    return sum;
  }

  const WindowWay& way_;
  std::vector<std::int64_t> strides_, sums_;
  std::int64_t centre_ = 0;
};

/// What is compared: [heads, tokens, tokens], ids or values of a table.
struct WindowSample {
  const SampleValues& values;
  std::size_t heads, tokens;
  ResultType type;
  std::span<const float> table;  ///< empty: ids
};

/// A value that a way makes; nothing where its table has no such row.
std::optional<double> window_value(const WindowSample& sample, const WindowWay& way, std::int64_t row,
                                   std::size_t head) {
  double value = static_cast<double>(row);
  if (!sample.table.empty()) {
    const std::size_t at = static_cast<std::size_t>(row) * sample.heads + head;
    if (row < 0 || at >= sample.table.size()) return std::nullopt;
    value = sample.table[at];
  }
  return (way.is_negative ? -way.factor : way.factor) * value + way.offset;
}

/// Whether a given value is the one that was made, and how many of what roundings may cause it is off.
std::optional<double> units_off(const WindowSample& sample, const WindowWay& way, double given, double made,
                                double slack) {
  const double far = std::fabs(given - made);
  if (far == 0) return 0;
  const double noise = sample.table.empty() ? 0 : sample.type.noise(made, way.factor == 1 ? 0 : 4);
  return far <= slack * noise ? std::optional(far / noise) : std::nullopt;
}

/// Calls see(at, head, value) for all values that a way makes, until it is false; whether it never was.
template <class See>
bool each_value(const WindowSample& sample, const WindowWay& way, const See& see) {
  const WindowRows rows(way);
  const auto tokens = static_cast<std::int64_t>(sample.tokens);
  for (std::size_t at = 0; at < sample.values.size();)
    for (std::int64_t query = 0; query < tokens; ++query)
      for (std::int64_t key = 0; key < tokens; ++key, ++at) {
        const std::size_t head = at / sample.tokens / sample.tokens % sample.heads;
        const auto value = window_value(sample, way, rows.row(query, key), head);
        if (!value || !see(at, head, *value)) return false;
      }
  return true;
}

std::optional<BiasResidual> compare_window(const WindowSample& sample, const WindowWay& way, double slack = 1) {
  BiasResidual residual;
  const bool is_explained = each_value(sample, way, [&](std::size_t at, std::size_t, double value) {
    const auto units = units_off(sample, way, sample.values[at], value, slack);
    if (!units) return false;
    residual.units = std::max(residual.units, *units);
    return true;
  });
  residual.ulps = residual.units / 2;
  return is_explained ? std::optional(residual) : std::nullopt;
}

/// All windows of as many cells, but the expected one: ids do not depend on the rows of a table.
std::vector<std::vector<std::int64_t>> other_windows(const WindowWay& right) {
  std::vector<std::vector<std::int64_t>> made;
  const std::int64_t depth = right.extents.size() > 2 ? right.extents[0] : 1, plane = right.cells() / depth;
  for (std::int64_t height = 1; height <= plane; ++height) {
    if (plane % height != 0) continue;
    made.push_back({height, plane / height});
    if (right.extents.size() > 2) made.back().insert(made.back().begin(), depth);
  }
  return made;
}

std::vector<ListedChange<WindowWay>> window_changes(const WindowWay& right, bool is_bias) {
  std::vector<ListedChange<WindowWay>> changes;
  const auto add = [&](Mistake mistake, WindowPart part, std::function<void(WindowWay&)> make) {
    changes.push_back({part, mistake, std::move(make)});
  };
  for (std::size_t axis = 0; axis < right.extents.size(); ++axis)
    for (std::size_t other = axis + 1; other < right.extents.size(); ++other)
      add(Mistake::axes_order, extents_part, [=](WindowWay& way) { std::swap(way.extents[axis], way.extents[other]); });
  for (const auto& extents : other_windows(right))
    add(Mistake::buckets, extents_part, [=](WindowWay& way) { way.extents = extents; });
  add(Mistake::cell_order, cells_part, [](WindowWay& way) { way.by_columns = true; });
  add(Mistake::axes_order, index_part, [](WindowWay& way) { way.index = WindowIndex::reversed; });
  add(Mistake::buckets, index_part, [](WindowWay& way) { way.index = WindowIndex::own_width; });
  add(Mistake::sign, tokens_part, [](WindowWay& way) { way.is_exchanged = true; });
  add(Mistake::positions_constant, tokens_part, [](WindowWay& way) { way.is_constant = true; });
  if (right.class_token) add(Mistake::arrangement, cells_part, [](WindowWay& way) { way.class_last = true; });
  add(Mistake::sign, negation_part, [](WindowWay& way) { way.is_negative = true; });
  if (is_bias)
    for (const double factor : bias_factors())
      add(Mistake::amplitude, values_part, [=](WindowWay& way) { way.factor = factor; });
  else
    for (const double offset : {1.0, -1.0, -static_cast<double>((right.rows() - 1) / 2)})
      add(Mistake::first_position, offset_part, [=](WindowWay& way) { way.offset = offset; });
  return changes;
}

FoundMade found_window(const WindowWay& way, bool is_bias) {
  FoundMade found{.function = is_bias ? "swinBias" : "swinIndex"};
  if (way.extents.size() > 2) found.options.push_back({"depth", static_cast<double>(way.extents[0])});
  found.options.push_back({"height", static_cast<double>(way.extents[way.extents.size() - 2])});
  found.options.push_back({"width", static_cast<double>(way.extents.back())});
  if (way.class_token) found.options.push_back({"classToken", true});
  return found;
}

/// What a way makes of a table whose rows are all different.
std::vector<double> window_numbers(const WindowSample& sample, const WindowWay& way) {
  const WindowRows rows(way);
  const double factor = way.is_negative ? -way.factor : way.factor;
  std::vector<double> numbers;
  for (std::int64_t pair = 0; pair < way.tokens() * way.tokens(); ++pair)
    // Rows are counted from 1: a factor of row 0 shows, too.
    numbers.push_back(factor * static_cast<double>(rows.row(pair / way.tokens(), pair % way.tokens()) +
                                                   (sample.table.empty() ? 0 : 1)) +
                      way.offset);
  return numbers;
}

void set_window_departure(const WindowSample& sample, const WindowWay& right, Diagnosis& diagnosis) {
  std::set<std::int64_t> queries, heads;
  each_value(sample, right, [&](std::size_t at, std::size_t head, double value) {
    if (units_off(sample, right, sample.values[at], value, 1)) return true;
    queries.insert(static_cast<std::int64_t>(at / sample.tokens % sample.tokens));
    if (!sample.table.empty()) heads.insert(static_cast<std::int64_t>(head));
    return true;
  });
  if (queries.size() == sample.tokens) return;
  diagnosis.departure.tokens.assign(queries.begin(), queries.end());
  diagnosis.departure.heads.assign(heads.begin(), heads.end());
  diagnosis.departure.of_tokens = static_cast<std::int64_t>(sample.tokens);
}

Diagnosis diagnose_window(const WindowSample& sample, const WindowWay& right) {
  const bool is_bias = !sample.table.empty();
  Diagnosis diagnosis;
  diagnosis.dtype = sample.type.name;
  bool is_zero = true;
  for (std::size_t at = 0; at < sample.values.size() && is_zero; ++at) is_zero = sample.values[at] == 0;
  // One token has the id 0.
  if (is_zero && (is_bias || sample.tokens > 1)) {
    diagnosis.verdict = Verdict::too_little;
    return diagnosis;
  }
  Counting counting;
  const auto add = [&](const WindowWay& way, std::vector<Mistake> mistakes, const BiasResidual& residual,
                       bool is_estimated) {
    Explanation explanation;
    explanation.found = found_window(way, is_bias);
    const auto alike = std::ranges::unique(mistakes);
    mistakes.erase(alike.begin(), alike.end());
    explanation.mistakes = std::move(mistakes);
    explanation.units = residual.units;
    explanation.ulps = residual.ulps;
    explanation.factor = (way.is_negative ? -1 : 1) / way.factor;
    explanation.shift = way.offset == 0 ? 0 : -way.offset;
    counting.add(std::move(explanation), window_numbers(sample, way), is_estimated);
  };
  const std::vector<ListedChange<WindowWay>> changes = window_changes(right, is_bias);
  for_each_listed(right, changes, true, [&](const WindowWay& way, std::vector<Mistake> mistakes) {
    if (const auto residual = compare_window(sample, way)) add(way, std::move(mistakes), *residual, false);
    return true;
  });
  const auto scaled = [&](WindowWay way, std::vector<Mistake> mistakes) {
    double largest = 0, factor = 0;
    each_value(sample, way, [&](std::size_t at, std::size_t, double value) {
      if (std::fabs(value) <= largest) return true;
      largest = std::fabs(value);
      factor = sample.values[at] / value;
      return true;
    });
    if (way.factor != 1 || !(factor > 0) || !std::isfinite(factor)) return true;
    way.factor = factor;
    mistakes.push_back(Mistake::amplitude);
    if (const auto residual = compare_window(sample, way, 2)) add(way, std::move(mistakes), *residual, true);
    return true;
  };
  if (counting.empty() && is_bias) for_each_listed(right, changes, true, scaled);
  Diagnosis counted = std::move(counting).take();
  counted.dtype = diagnosis.dtype;
  // All pairs are here: only a table whose rows differ can tell more.
  if (counted.verdict == Verdict::ambiguous && is_bias) counted.tells.push_back("table");
  if (counted.explanations.empty()) set_window_departure(sample, right, counted);
  return counted;
}

Expected<WindowWay> window_way(const WindowExpectation& expected) {
  const auto axes = static_cast<std::int64_t>(expected.extents.size());
  POSENC_TRY(check_whole("expected.window", axes, 2, 3));
  for (const std::int64_t extent : expected.extents) POSENC_TRY(check_whole("expected.window", extent, 1, max_side));
  return WindowWay{.extents = expected.extents, .class_token = expected.class_token};
}

}  // namespace

Expected<Diagnosis> diagnose_window_bias(const PairSample& sample, const BiasExpectation& expected) {
  POSENC_TRY_LET(way, window_way(expected.window));
  const auto tokens = static_cast<std::size_t>(way.tokens());
  POSENC_TRY(check_size("bias.data", sample.values.size() / sample.batch / sample.heads, tokens, tokens));
  POSENC_TRY(check_size("expected.table", expected.table.size(), static_cast<std::size_t>(way.rows()), sample.heads));
  return diagnose_window({sample.values, sample.heads, tokens, sample.type, expected.table}, way);
}

}  // namespace posenc::diagnosis

namespace posenc {

Expected<Diagnosis> diagnose_window_ids(const SampledTensor& ids, const WindowExpectation& expected) {
  POSENC_TRY_LET(way, diagnosis::window_way(expected));
  const auto tokens = static_cast<std::size_t>(way.tokens());
  const std::size_t pairs = tokens * tokens;
  if (ids.values.empty() || ids.values.size() % pairs != 0)
    POSENC_TRY(check_size("ids.data", ids.values.size(), tokens, tokens));
  for (std::size_t at = 0; at < ids.values.size(); ++at)
    if (!std::isfinite(ids.values[at]))
      return invalid_argument("ids.data[" + decimal(at) + "]", ids.values[at], expected::finite);
  Diagnosis found = diagnosis::diagnose_window({ids.values, 1, tokens, {}, {}}, way);
  found.dtype = "float64";
  return found;
}

}  // namespace posenc
