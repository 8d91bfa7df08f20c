#include "posenc/diagnosis/bias/linear_family.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "posenc/diagnosis/bias/slope_rules.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/shortlist.hpp"

// std::log2 and std::exp2 make numbers to try, which are then rounded or compared.

namespace posenc::diagnosis {
namespace {

/// The function of the distance x from the centre that slopes are multiplied by.
enum class Reach : std::uint8_t {
  past,       ///< x: no keys after the query are seen
  symmetric,  ///< -|x|
  linear,     ///< x
  flat,       ///< min(x, 0)
};
constexpr std::array<std::string_view, 4> distance_names{"", "symmetric", "linear", "flat"};

double reach_of(Reach reach, std::int64_t x) {
  const std::int64_t value = reach == Reach::symmetric ? (x < 0 ? x : -x)
                             : reach == Reach::flat    ? std::min<std::int64_t>(x, 0)
                                                       : x;
  return static_cast<double>(value);
}

/// The arithmetic of slope * distance.
enum class SlopeArithmetic : std::uint8_t {
  exact,    ///< rounded once or twice
  powers,   ///< slopes are float32 powers of the first, whose rounding grows with the exponent
  rounded,  ///< slopes were rounded to the type of the bias
  both,     ///< distances too
  apart,    ///< slope * key - slope * query
};
/// Two products and their difference are rounded, each by a unit of the largest product at most.
constexpr double apart_units = 3;

constexpr SlopeArithmetic arithmetics[]{SlopeArithmetic::exact, SlopeArithmetic::powers, SlopeArithmetic::rounded,
                                        SlopeArithmetic::both, SlopeArithmetic::apart};

/// So many are kept, to save time: as many as are ranked, and some more that weigh on the verdict.
constexpr std::size_t most_linear = 16;

constexpr std::array<double, 10> usual_steepnesses{8, 16, 4, 2, 1, 32, 6, 10, 12, 5};

/// A fitted number so near a usual one is tried as that one, others are not, to save time.
constexpr double near_usual = 0.02;

/// Multipliers of scores that are scaled, of exponentials to base 2, of halves.
std::vector<double> usual_multipliers() {
  std::vector<double> numbers{1.4426950408889634, 0.6931471805599453, 0.5, 2};
  for (const double dim : {64, 128, 96, 80, 256, 32, 40, 48, 72, 112, 160, 192})
    for (const double number : {1 / std::sqrt(dim), std::sqrt(dim), 1 / dim}) numbers.push_back(number);
  return numbers;
}

/// Nearest number of so many significant bits.
double rounded_to(const StoredType& type, double value) {
  int exponent = 0;
  const int digits = -1 - std::ilogb(type.rounding);
  return std::ldexp(std::nearbyint(std::ldexp(std::frexp(value, &exponent), digits)), exponent - digits);
}

/// Slopes that a profile's values have about a centre.
struct FittedSlopes {
  Reach reach = Reach::past;
  std::int64_t centre = 0;
  std::vector<double> slopes;
};

/// A candidate, and what it predicts: slopes * reach.
struct LinearCandidate {
  Candidate candidate;
  Reach reach = Reach::past;
  std::int64_t centre = 0;
  std::vector<double> slopes;

  [[nodiscard]] double total() const { return candidate.cost; }
};

/// Whether both predict the same where a profile has values, to its rounding: numbers that are fitted follow it.
bool predict_same(const BiasProfile& profile, const LinearCandidate& a, const LinearCandidate& b) {
  for (std::size_t head = 0; head < profile.extents.heads; ++head)
    for (std::size_t c = 0; c < profile.distances; ++c) {
      if (!profile.has(head, c)) continue;
      const double first = a.slopes[head] * reach_of(a.reach, profile.distance(c) - a.centre);
      const double second = b.slopes[head] * reach_of(b.reach, profile.distance(c) - b.centre);
      if (std::fabs(first - second) > profile.type.rounding * std::fabs(first)) return false;
    }
  return true;
}

class LinearSearch {
 public:
  LinearSearch(const BiasTask& task, FittedSlopes fitted, SlopeArithmetic arithmetic)
      : task_(task), fitted_(std::move(fitted)), fitted_by_(arithmetic) {
    const auto& extents = task.profile.extents;
    reach_ = static_cast<double>(extents.keys) + std::fabs(static_cast<double>(extents.first_query)) +
             static_cast<double>(extents.queries);
  }

  /// Least squares, each value by its rounding; whether the slopes explain the values.
  bool fit() {
    const BiasProfile& profile = task_.profile;
    fitted_.slopes.assign(profile.extents.heads, 0);
    for (std::size_t head = 0; head < profile.extents.heads; ++head) {
      double products = 0, squares = 0;
      for (std::size_t c = 0; c < profile.distances; ++c) {
        if (!profile.has(head, c)) continue;
        const std::size_t at = head * profile.distances + c;
        const double unit = fitted_by_ == SlopeArithmetic::apart ? 1 : profile.type.unit(profile.magnitude[at]);
        const double x = reach_of(fitted_.reach, profile.distance(c) - fitted_.centre);
        if (x == 0) continue;
        products += x / unit * ((profile.low[at] + profile.high[at]) / 2 / unit);
        squares += x / unit * (x / unit);
      }
      if (squares == 0 || !std::isfinite(products / squares)) return false;
      fitted_.slopes[head] = products / squares;
      if (BiasResidual residual; !add_head(residual, head, fitted_by_, fitted_.slopes[head])) return false;
    }
    return true;
  }

  /// Slopes of any rule, or, where none explains them, any slopes.
  [[nodiscard]] std::vector<LinearCandidate> candidates() {
    const bool negative = fitted_.slopes.front() < 0;
    const bool one_sign = std::ranges::all_of(fitted_.slopes, [&](double s) { return s != 0 && (s < 0) == negative; });
    if (one_sign) {
      const auto rules = slope_rules(task_.expected, fitted_.slopes.size());
      for (std::size_t i = 0; i < rules.size(); ++i)
        // One of the many rules for other heads costs as much as a number.
        try_rule(rules[i], i == 0 || rules[i].heads == std::ssize(fitted_.slopes) ? 0 : usual_number_bits);
    }
    if (found_.empty()) add_free(negative);
    return std::move(found_);
  }

 private:
  /// Whether a head's values are explained by its slope.
  bool add_head(BiasResidual& residual, std::size_t head, SlopeArithmetic arithmetic, double slope,
                double relative = 0) const {
    const BiasProfile& profile = task_.profile;
    const bool rounds = arithmetic == SlopeArithmetic::rounded || arithmetic == SlopeArithmetic::both;
    const double used = rounds ? rounded_to(profile.type, slope) : slope;
    for (std::size_t c = 0; c < profile.distances; ++c) {
      if (!profile.has(head, c)) continue;
      double x = reach_of(fitted_.reach, profile.distance(c) - fitted_.centre);
      if (arithmetic == SlopeArithmetic::both) x = rounded_to(profile.type, x);
      const double predicted = used * x;
      const double floor = arithmetic == SlopeArithmetic::apart ? profile.type.unit(std::fabs(used) * reach_)
                                                                : std::fabs(predicted) * relative;
      residual.add(profile, head * profile.distances + c, predicted, floor);
      if (residual.units > (arithmetic == SlopeArithmetic::apart ? apart_units : explained_units)) return false;
    }
    return true;
  }

  /// float32 powers: the exponent times the rounding of the first.
  [[nodiscard]] static double relative_of(const SlopeRule& rule, SlopeArithmetic arithmetic) {
    return arithmetic == SlopeArithmetic::powers ? static_cast<double>(2 * rule.heads) * float32_rounding : 0;
  }

  /// A rule with numbers that are usual, as far as the slopes allow, or any.
  void try_rule(const SlopeRule& rule, double cost) {
    const std::size_t heads = fitted_.slopes.size();
    double shares = 0, squares = 0, logs = 0, products = 0;
    for (std::size_t h = 0; h < heads; ++h) {
      const double share = share_of(rule, h), bits = -std::log2(std::fabs(fitted_.slopes[h]));
      shares += share;
      squares += share * share;
      logs += bits;
      products += share * bits;
    }
    const auto n = static_cast<double>(heads);
    const double expected = task_.expected.type == "alibi" ? task_.expected.steepness : 8;
    const double alone = products / squares;
    const double beside = (n * products - shares * logs) / (n * squares - shares * shares);
    for (const double steepness : {expected, std::round(alone), alone}) try_numbers(rule, steepness, 1, cost);
    for (const double steepness : {expected, std::round(beside), beside}) {
      const double factor = std::exp2((steepness * shares - logs) / n);
      static const std::vector<double> usual = usual_multipliers();
      const auto* const near =
          &*std::ranges::min_element(usual, {}, [&](double number) { return std::fabs(number / factor - 1); });
      if (std::fabs(*near / factor - 1) < near_usual) try_numbers(rule, steepness, *near, cost);
      try_numbers(rule, steepness, factor, cost);
      if (found_.size() > most_candidates) return;
    }
  }

  void try_numbers(const SlopeRule& rule, double steepness, double factor, double cost) {
    const bool can_be = steepness > 0 && steepness <= most_steepness && factor > 0 && std::isfinite(factor);
    if (!can_be) return;
    const double sign = fitted_.slopes.front() < 0 ? -1 : 1;
    std::vector<double> slopes(fitted_.slopes.size());
    for (std::size_t h = 0; h < slopes.size(); ++h) slopes[h] = sign * factor * slope_of(rule, steepness, h);
    std::optional<BiasResidual> best;
    for (const SlopeArithmetic arithmetic : arithmetics) {
      const bool is_apart = arithmetic == SlopeArithmetic::apart;
      if (is_apart != (fitted_by_ == SlopeArithmetic::apart)) continue;
      BiasResidual residual;
      bool explains = true;
      for (std::size_t h = 0; h < slopes.size() && explains; ++h)
        explains = add_head(residual, h, arithmetic, slopes[h], relative_of(rule, arithmetic));
      if (explains && (!best || residual.data_bits < best->data_bits)) best = residual;
    }
    if (!best) return;
    static const std::vector<double> usual = usual_multipliers();
    FoundBias found = found_bias("alibi", std::move(slopes));
    found.negative = sign < 0;
    found.slope_rule = rule.name;
    found.rule_heads = rule.heads;
    found.rule_first = rule.first;
    found.rule_period = rule.period;
    found.steepness = steepness;
    found.factor = factor;
    const double expected = task_.expected.type == "alibi" ? task_.expected.steepness : 8;
    const double numbers = number_cost(steepness, expected, usual_steepnesses) + number_cost(factor, 1, usual);
    push(std::move(found), *best, cost + numbers);
  }

  void add_free(bool negative) {
    BiasResidual residual;
    for (std::size_t h = 0; h < fitted_.slopes.size(); ++h)
      if (!add_head(residual, h, fitted_by_, fitted_.slopes[h])) return;
    FoundBias found = found_bias("linear", fitted_.slopes);
    found.negative = negative && std::ranges::all_of(fitted_.slopes, [](double s) { return s < 0; });
    const double cost = task_.profile.value_bits() * static_cast<double>(fitted_.slopes.size());
    push(std::move(found), residual, cost);
  }

  void push(FoundBias found, const BiasResidual& residual, double cost) {
    std::vector<double> slopes = found.slopes;
    found_.push_back({bias_candidate(task_, std::move(found), fitted_.centre, residual, cost), fitted_.reach,
                      fitted_.centre, std::move(slopes)});
  }

  [[nodiscard]] FoundBias found_bias(std::string_view type, std::vector<double> slopes) const {
    const BiasProfile& profile = task_.profile;
    FoundBias found;
    found.type = type;
    found.slopes = std::move(slopes);
    // One row of slope * key position, as for a query behind them all.
    const bool by_key = profile.extents.queries == 1 && fitted_.centre == -profile.extents.first_query &&
                        fitted_.centre != 0 && fitted_.reach == Reach::linear;
    found.up_to_rows = profile.anchored || by_key;
    found.distance = distance_names[static_cast<std::size_t>(fitted_.reach)];
    if (by_key && !task_.has_future(0)) found.distance = "";
    return found;
  }

  /// A geometric series of slopes is that of many rules, with other numbers: the first suffice, to save time.
  static constexpr std::size_t most_candidates = 64;

  const BiasTask& task_;
  FittedSlopes fitted_;
  SlopeArithmetic fitted_by_;
  double reach_ = 0;
  std::vector<LinearCandidate> found_;
};

}  // namespace

std::vector<Candidate> linear_candidates(const BiasTask& task, std::span<const std::int64_t> centres,
                                         bool products_apart) {
  Shortlist<LinearCandidate> all;
  const SlopeArithmetic arithmetic = products_apart ? SlopeArithmetic::apart : SlopeArithmetic::exact;
  for (const std::int64_t centre : centres)
    for (const Reach reach : {Reach::past, Reach::symmetric, Reach::linear, Reach::flat}) {
      if ((reach == Reach::past) == task.has_future(centre)) continue;
      // Any constant of a row is as good where the bias is a line over all keys, and nowhere else.
      const bool is_line = reach == Reach::past || reach == Reach::linear;
      if (!is_line && !task.profile.meets_queries) continue;
      LinearSearch search(task, {reach, centre, {}}, arithmetic);
      if (!search.fit()) continue;
      for (LinearCandidate& each : search.candidates()) all.offer(std::move(each));
    }
  const auto is_same = [&](const LinearCandidate& a, const LinearCandidate& b) {
    return predict_same(task.profile, a, b);
  };
  std::vector<Candidate> found;
  for (LinearCandidate& each : std::move(all).merged(most_linear, is_same)) found.push_back(std::move(each.candidate));
  return found;
}

}  // namespace posenc::diagnosis
