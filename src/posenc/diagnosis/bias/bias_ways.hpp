#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "posenc/diagnosis/bias/pair_sample.hpp"
#include "posenc/diagnosis/engine/changes.hpp"
#include "posenc/relative/t5.hpp"

namespace posenc::diagnosis {

/// Steeper slopes are 0 at once.
inline constexpr double most_steepness = 1000;

/// ALiBi's slopes for some number of heads, of which a bias has those from `first` on.
struct SlopeRule {
  std::string_view name;  ///< "paper" | "mpt" | "geometric": 2^(-steepness h / heads), h = 1, 2, ...
  std::int64_t heads = 1;
  std::int64_t first = 0;
  std::int64_t period = 0;  ///< slopes begin again after so many heads; 0: they do not
  bool operator==(const SlopeRule&) const = default;
};

/// The exponent of a head over the steepness.
[[nodiscard]] double share_of(const SlopeRule& rule, std::size_t head);

/// How the differences of two cells become one number.
enum class WindowIndex : std::uint8_t {
  plain,      ///< the last axis counts fastest, each axis by as many differences as it has
  reversed,   ///< the first axis counts fastest
  own_width,  ///< an axis is multiplied by the number of its own differences, not by those of the axes behind it
};

/// How the pairs of a window's tokens have rows of a table, or ids.
struct WindowWay {
  std::vector<std::int64_t> extents;
  bool class_token = false;
  bool by_columns = false;  ///< cells are numbered column by column
  WindowIndex index = WindowIndex::plain;
  bool class_last = false;
  bool operator==(const WindowWay&) const = default;

  [[nodiscard]] std::int64_t cells() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents) product *= extent;
    return product;
  }
  [[nodiscard]] std::int64_t tokens() const { return cells() + (class_token ? 1 : 0); }
  [[nodiscard]] std::int64_t rows() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents) product *= 2 * extent - 1;
    return product + (class_token ? 3 : 0);
  }
};

/// The rows, or ids, of all pairs.
class WindowRows {
 public:
  WindowRows() = default;
  explicit WindowRows(WindowWay way);

  [[nodiscard]] std::int64_t row(std::int64_t query, std::int64_t key) const;
  /// The row of two tokens in one place.
  [[nodiscard]] std::int64_t centre() const { return centre_; }

 private:
  [[nodiscard]] std::int64_t sum_of(std::int64_t cell) const;

  WindowWay way_ = {};
  std::vector<std::int64_t> strides_, sums_;
  std::int64_t centre_ = 0;
};

/// The function of the distance x by which slopes are multiplied.
enum class Reach : std::uint8_t {
  symmetric,  ///< -|x|
  linear,     ///< x
  flat,       ///< min(x, 0)
};
[[nodiscard]] double reach_of(Reach reach, double x);

/// Which keys are masked.
enum class BiasMask : std::uint8_t {
  open,   ///< none
  own,    ///< those after the query
  moved,  ///< those after where the bias has the query
  seen,   ///< those that are: no list has them
};

/// Which operands are rounded before slopes and distances are combined.
enum class BiasRounding : std::uint8_t {
  nothing,
  slopes_float16,
  slopes_bfloat16,
  distances,  ///< slopes and distances, to the type of the results
  products,   ///< slope * key and slope * query, each to the type of the results
};

/// What makes a bias, named so by users up to `swin`.
enum class BiasType : std::uint8_t {
  any,  ///< nothing was expected
  alibi,
  t5,
  clipped,
  kerple_log,
  kerple_power,
  swin,      ///< of a window
  ids,       ///< of a window, and no values
  linear,    ///< estimated: of any slopes
  toeplitz,  ///< estimated: any function of the distance
};
[[nodiscard]] std::string_view name_of(BiasType type);
/// What has this name; nothing where none has.
[[nodiscard]] std::optional<BiasType> bias_type_of(std::string_view name);
[[nodiscard]] inline bool is_kernel(BiasType type) {
  return type == BiasType::kerple_log || type == BiasType::kerple_power;
}

/// A computation of a bias: all that an implementation may have done.
struct BiasWay {
  SlopeRule rule;  ///< of ALiBi, as the next three
  double steepness = 8;
  Reach reach = Reach::symmetric;
  BiasRounding rounding = BiasRounding::nothing;
  BiasType type = BiasType::any;
  BiasMask mask = BiasMask::open;
  bool is_negative = false;
  bool bidirectional = true;                      ///< of T5
  bool is_exchanged = false;                      ///< queries and keys, of a table; KERPLE's r1 and r2
  bool is_constant = false;                       ///< of a table: all tokens have one position
  std::int64_t buckets = 32, max_distance = 128;  ///< of T5; clipped ones have max_distance
  WindowWay window = {};
  double factor = 1, offset = 0;
  std::int64_t centre = 0;           ///< the distance at which the bias has query and key together
  std::vector<double> numbers = {};  ///< estimated: the slopes of a linear one, KERPLE's two parameters a head
  bool operator==(const BiasWay&) const = default;

  [[nodiscard]] bool has_slopes() const { return type == BiasType::alibi; }
  [[nodiscard]] bool is_window() const { return type == BiasType::swin || type == BiasType::ids; }
  [[nodiscard]] bool is_kernel() const { return diagnosis::is_kernel(type); }
  [[nodiscard]] bool has_buckets() const {
    return type == BiasType::t5 || type == BiasType::clipped || type == BiasType::toeplitz;
  }
  /// The largest distance that is not masked.
  [[nodiscard]] std::int64_t edge() const;
  /// Whether that is what the sample has.
  [[nodiscard]] bool fits_mask(const PairSample& sample) const {
    return mask == BiasMask::seen || std::min(edge(), sample.last) == sample.last_open;
  }
};

/// The numbers that a way is made with: T5's table and KERPLE's parameters, which may be unknown, and T5's buckets.
struct BiasSource {
  std::size_t heads = 0;
  ResultType type;
  std::span<const float> table;
  std::span<const double> parameters;
  std::map<std::tuple<std::int64_t, std::int64_t, bool>, std::optional<T5Buckets>> buckets = {};
};

/// The numbers that a way makes. Those of a table that was not given are not known: each bucket has any number, the
/// same in every place, and another one than its neighbours.
class BiasNumbers {
 public:
  /// Returns nothing where the way makes no numbers. The source has to outlive them.
  [[nodiscard]] static std::optional<BiasNumbers> make(const BiasWay& way, BiasSource& source);

  [[nodiscard]] const BiasWay& way() const { return way_; }
  [[nodiscard]] bool is_known() const { return !way_.has_buckets() || !source_->table.empty(); }
  /// The slope by which -|distance| is multiplied.
  [[nodiscard]] double slope(std::size_t head) const {
    while (slopes_.size() <= head) slopes_.push_back(rounded_slope(slopes_.size()));
    return slopes_[head];
  }
  /// -infinity where it is masked.
  [[nodiscard]] double value(std::size_t head, std::int64_t distance) const;
  [[nodiscard]] double open_value(std::size_t head, std::int64_t distance) const;
  /// The row of the table, or the id, that a pair of a window's tokens has.
  [[nodiscard]] std::int64_t row_of(std::size_t query, std::size_t key) const;
  /// The value of a pair of tokens, given by their indices; NaN where the table has no such row.
  [[nodiscard]] double value_of(const PairSample& sample, std::size_t head, std::size_t query, std::size_t key) const;
  /// How far off a value may be.
  [[nodiscard]] double noise(std::size_t head, double value) const;
  /// The table's row for a distance.
  [[nodiscard]] std::int64_t bucket(std::int64_t distance) const;

 private:
  [[nodiscard]] double rounded_slope(std::size_t head) const;

  BiasWay way_;
  const BiasSource* source_ = nullptr;
  const T5Buckets* buckets_ = nullptr;
  WindowRows rows_;
  mutable std::vector<double> slopes_;  ///< of the heads that were asked for so far
};

/// The largest residual of values that are all explained: in what the arithmetic may cause, and in units in the last
/// place; whether other ways would not have explained them just as well whatever they are; and whether numbers of no
/// list were needed.
struct BiasResidual {
  double units = 0, ulps = 0;
  bool shows = true, is_estimated = false;
};

/// Compares every value; nothing where one of them is not explained. `slack` multiplies the intervals: estimated
/// numbers are off, too, and learned ones may be alike. `only`: of one head.
[[nodiscard]] std::optional<BiasResidual> compare(const PairSample& sample, const BiasNumbers& numbers,
                                                  double slack = 1, std::optional<std::size_t> only = std::nullopt);

/// The same up to a constant of each row, which softmax does not see: one that makes the first key 0, or the last one,
/// or any, which no list has.
[[nodiscard]] std::optional<BiasResidual> compare_rows(const PairSample& sample, const BiasNumbers& numbers);

/// A number for each place at which two ways may differ, as results have it: here, far before the queries and, where
/// `with_future`, behind them.
[[nodiscard]] std::vector<double> numbers_everywhere(const BiasNumbers& numbers, const PairSample& sample,
                                                     bool with_future);

/// The nearest distance, of those that the sample does not have, at which two ways differ by more than the noise: of
/// keys before the query if there is one.
[[nodiscard]] std::optional<std::int64_t> telling_distance(const BiasNumbers& a, const BiasNumbers& b,
                                                           const PairSample& sample);

/// The way that was expected (of a type, its default where another one was expected), and all known mistakes.
[[nodiscard]] BiasWay expected_way(BiasType type, const BiasExpectation& expected, const PairSample& sample);
[[nodiscard]] ListedChanges<BiasWay> bias_changes(BiasType type, const BiasExpectation& expected,
                                                  const PairSample& sample);

}  // namespace posenc::diagnosis
