#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "posenc/diagnosis/bias/pair_sample.hpp"
#include "posenc/diagnosis/bias/slope_rules.hpp"
#include "posenc/diagnosis/engine/changes.hpp"
#include "posenc/relative/t5.hpp"

namespace posenc::diagnosis {

/// What slopes are multiplied by, of the distance x.
enum class Reach : std::uint8_t {
  symmetric,  ///< -|x|
  linear,     ///< x
  flat,       ///< min(x, 0)
};
[[nodiscard]] double reach_of(Reach reach, std::int64_t x);

/// Which keys are masked.
enum class BiasMask : std::uint8_t {
  open,   ///< none
  own,    ///< those after the query
  moved,  ///< those after where the bias has the query
};

/// What is rounded to the type of the results before slopes and distances are multiplied.
enum class RoundedFirst : std::uint8_t { nothing, slopes, both };

/// A computation of a bias: all that an implementation may have done.
struct BiasWay {
  std::string_view type;  ///< "alibi" | "t5" | "clipped"
  SlopeRule rule;         ///< of ALiBi, as the next four
  double steepness = 8;
  Reach reach = Reach::symmetric;
  RoundedFirst rounded = RoundedFirst::nothing;
  std::int64_t buckets = 32, max_distance = 128;  ///< of T5; clipped ones have max_distance
  bool bidirectional = true;                      ///< of T5
  bool is_exchanged = false;                      ///< queries and keys, of a table
  bool is_constant = false;                       ///< of a table: all tokens have one position
  double factor = 1;
  bool is_negative = false;
  std::int64_t centre = 0;  ///< the distance at which the bias has query and key together
  BiasMask mask = BiasMask::open;
  bool operator==(const BiasWay&) const = default;

  [[nodiscard]] bool has_slopes() const { return type == "alibi"; }
  /// The largest distance that is not masked.
  [[nodiscard]] std::int64_t edge() const;
};

/// The lists of T5's buckets that were needed so far.
class BucketLists {
 public:
  /// Null where there is no such list.
  [[nodiscard]] const T5Buckets* of(std::int64_t buckets, std::int64_t max_distance, bool bidirectional);

 private:
  std::map<std::tuple<std::int64_t, std::int64_t, bool>, std::optional<T5Buckets>> made_;
};

/// The numbers that a way makes. Those of a table that was not given are not known: each bucket has any number, the
/// same in every place, and another one than its neighbours.
class BiasNumbers {
 public:
  /// `table` is [buckets, heads], or empty. Nothing where the way makes no numbers.
  [[nodiscard]] static std::optional<BiasNumbers> make(const BiasWay& way, std::size_t heads,
                                                       std::span<const float> table, const ResultType& type,
                                                       BucketLists& lists);

  [[nodiscard]] const BiasWay& way() const { return way_; }
  [[nodiscard]] bool is_known() const { return way_.has_slopes() || !table_.empty(); }
  /// What -|distance| is multiplied by.
  [[nodiscard]] double slope(std::size_t head) const;
  /// -infinity where it is masked.
  [[nodiscard]] double value(std::size_t head, std::int64_t distance) const;
  /// How far off a value may be.
  [[nodiscard]] double noise(std::size_t head, double value) const;
  /// Of a table, the row.
  [[nodiscard]] std::int64_t bucket(std::int64_t distance) const;

 private:
  BiasWay way_;
  std::span<const float> table_;
  std::size_t heads_ = 0;
  ResultType type_;
  const T5Buckets* buckets_ = nullptr;
};

/// The largest residual of values that are all explained: in what the arithmetic may cause, and in units in the last
/// place; and whether other ways would not have explained them just as well whatever they are.
struct BiasResidual {
  double units = 0, ulps = 0;
  bool shows = true;
};

/// Compares every value; nothing where one of them is not explained. `slack` multiplies the intervals: estimated
/// numbers are off, too, and learned ones may be alike. `any_mask`: what is masked is not looked at.
[[nodiscard]] std::optional<BiasResidual> compare(const PairSample& sample, const BiasNumbers& numbers,
                                                  double slack = 1, bool any_mask = false);

/// The same of slopes times the distance of each key from one of them, `anchor`, whatever the query: a constant of each
/// row away, which softmax does not see.
[[nodiscard]] std::optional<BiasResidual> compare_keys(const PairSample& sample, const BiasNumbers& numbers,
                                                       std::size_t anchor);

/// A number for each place at which two ways may differ: here, far before the queries and, where `with_future`, behind
/// them.
[[nodiscard]] std::vector<double> numbers_everywhere(const BiasNumbers& numbers, const PairSample& sample,
                                                     bool with_future);

/// The nearest distance, of those that the sample does not have, at which two ways differ by more than the noise: of
/// keys before the query if there is one.
[[nodiscard]] std::optional<std::int64_t> telling_distance(const BiasNumbers& a, const BiasNumbers& b,
                                                           const PairSample& sample);

/// The ways that were expected (of a type, its default where another one was expected), and all known mistakes.
[[nodiscard]] BiasWay expected_way(std::string_view type, const BiasExpectation& expected, const PairSample& sample);
[[nodiscard]] std::vector<ListedChange<BiasWay>> bias_changes(std::string_view type, const BiasExpectation& expected,
                                                              const PairSample& sample);

/// What biases are multiplied by: scales of scores, the logarithm of an exponential to base 2, halves.
[[nodiscard]] std::span<const double> bias_factors();

}  // namespace posenc::diagnosis
