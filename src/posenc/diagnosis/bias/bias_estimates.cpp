#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "posenc/diagnosis/bias/bias_search.hpp"

// What no list has: numbers that are estimated from the values, rounded to the shortest that explain them, and then
// compared like any other. std::log and its like make numbers to try.

namespace posenc::diagnosis {
namespace {

/// An estimate is off, too: values are as far from it as their rounding and its own error, which is the smaller one.
constexpr double estimate_slack = 2;

/// Significant digits of a double.
constexpr int most_decimal_digits = 17;

/// The shortest decimal number near a value that `explains`.
template <class Explains>
std::optional<double> shortest_number(double value, const Explains& explains) {
  if (!std::isfinite(value)) return std::nullopt;
  for (int digits = 1; digits <= most_decimal_digits; ++digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    const double rounded = std::strtod(text, nullptr);
    if (explains(rounded)) return rounded;
  }
  return std::nullopt;
}

/// Whether function(distance) explains a head's values, up to the error of what was estimated.
template <class Function>
bool explains_head(const PairSample& sample, std::size_t head, const Function& function, double roundings = 4) {
  for (std::size_t c = 0; c < sample.distances; ++c) {
    if (!sample.has(head, c)) continue;
    const double value = function(sample.distance(c)), noise = estimate_slack * sample.type.noise(value, roundings);
    const std::size_t at = head * sample.distances + c;
    if (!(std::fabs(sample.low[at] - value) <= noise && std::fabs(sample.high[at] - value) <= noise)) return false;
  }
  return true;
}

/// Where the bias may have its queries: where they are, a few places off, at 0, and where the largest values are
/// smallest.
std::vector<std::int64_t> possible_centres(const PairSample& sample) {
  std::vector<std::int64_t> centres{0, 1, -1, 2, -2, 3, -3, -sample.first_query};
  std::size_t steepest = 0;
  double largest = -1, smallest = std::numeric_limits<double>::infinity();
  for (std::size_t head = 0; head < sample.heads; ++head)
    for (std::size_t c = 0; c < sample.distances; ++c)
      if (sample.has(head, c) && std::fabs(sample.middle(head, c)) > largest) {
        largest = std::fabs(sample.middle(head, c));
        steepest = head;
      }
  std::int64_t meeting = 0;
  for (std::size_t c = 0; c < sample.distances; ++c)
    if (sample.has(steepest, c) && std::fabs(sample.middle(steepest, c)) < smallest) {
      smallest = std::fabs(sample.middle(steepest, c));
      meeting = sample.distance(c);
    }
  if (std::ranges::find(centres, meeting) == centres.end()) centres.push_back(meeting);
  return centres;
}

/// The mask that shows, about a centre.
BiasMask seen_mask(const PairSample& sample, std::int64_t centre) {
  if (sample.last_open == sample.last) return BiasMask::open;
  return sample.last_open == std::min(centre, sample.last) && centre != 0 ? BiasMask::moved : BiasMask::own;
}

/// One slope a head, each the shortest that explains its values; nothing where one has none.
std::optional<std::vector<double>> fitted_slopes(const PairSample& sample, Reach reach, std::int64_t centre) {
  std::vector<double> slopes;
  for (std::size_t head = 0; head < sample.heads; ++head) {
    double sum = 0, count = 0;
    for (std::size_t c = 0; c < sample.distances; ++c) {
      const double x = reach_of(reach, sample.distance(c) - centre);
      if (!sample.has(head, c) || x == 0) continue;
      sum += sample.middle(head, c) / x;
      ++count;
    }
    // One value has a slope whatever it is.
    if (count < 2) return std::nullopt;
    const auto slope = shortest_number(sum / count, [&](double rounded) {
      return explains_head(sample, head, [&](std::int64_t d) { return rounded * reach_of(reach, d - centre); });
    });
    if (!slope) return std::nullopt;
    slopes.push_back(*slope);
  }
  return slopes;
}

/// A number of ALiBi's that may be another one, and its estimate.
struct SlopeNumber {
  Mistake mistake;
  double BiasWay::* number;
  double value;
};

/// The steepness by itself, and the factor beside the expected steepness: lines in logarithms of the slopes.
std::array<SlopeNumber, 2> slope_numbers(const BiasWay& way, std::span<const double> slopes) {
  double products = 0, squares = 0, logs = 0;
  for (std::size_t h = 0; h < slopes.size(); ++h) {
    const double share = share_of(way.rule, h), bits = -std::log2(std::fabs(slopes[h] / way.factor));
    products += share * bits;
    squares += share * share;
    logs += way.steepness * share - bits;
  }
  return {{{Mistake::factor_other, &BiasWay::factor, std::exp2(logs / static_cast<double>(slopes.size()))},
           {Mistake::slopes, &BiasWay::steepness, products / squares}}};
}

/// Values of a head as a logarithm of a kernel has them.
struct KernelPoint {
  double x, log_value;
};

/// Distances of a head that are fitted, to save time, and fewer than which do not determine two parameters.
constexpr std::size_t most_fitted = 512, least_fitted = 4;

std::vector<KernelPoint> kernel_points(const PairSample& sample, std::size_t head, std::int64_t centre, double sign) {
  std::vector<KernelPoint> points;
  for (std::size_t c = 0; c < sample.distances; c += sample.distances / most_fitted + 1) {
    if (!sample.has(head, c) || sample.distance(c) == centre) continue;
    const double value = -sign * sample.middle(head, c);
    if (!(value > 0)) return {};
    points.push_back({std::fabs(static_cast<double>(sample.distance(c) - centre)), std::log(value)});
  }
  return points;
}

struct KernelNumbers {
  double r1 = 0, r2 = 0;
};

/// -r1 |d|^r2: a line in logarithms.
KernelNumbers fitted_power(std::span<const KernelPoint> points) {
  double xs = 0, ys = 0, products = 0, squares = 0;
  for (const KernelPoint& point : points) xs += std::log(point.x), ys += point.log_value;
  const auto n = static_cast<double>(points.size());
  for (const KernelPoint& point : points) {
    const double x = std::log(point.x) - xs / n;
    products += x * point.log_value;
    squares += x * x;
  }
  const double slope = products / squares;
  return {std::exp((ys - slope * xs) / n), slope};
}

/// -r1 ln(1 + r2 |d|): ln r2 by steps of Gauss and Newton from where the nearest and the farthest value have it.
KernelNumbers fitted_logarithm(std::span<const KernelPoint> points) {
  const auto kernel = [](double log_r2, double x) { return std::log(std::log1p(std::exp(log_r2) * x)); };
  const auto [near, far] = std::ranges::minmax_element(points, {}, &KernelPoint::x);
  double low = -30, high = 30;
  for (int k = 0; k < 40; ++k) {
    const double middle = (low + high) / 2;
    const double growth = kernel(middle, far->x) - kernel(middle, near->x);
    (growth > far->log_value - near->log_value ? low : high) = middle;
  }
  double log_r2 = (low + high) / 2, log_r1 = 0;
  for (int k = 0; k <= 8; ++k) {
    double rest = 0, slope = 0, products = 0, squares = 0;
    for (const KernelPoint& point : points) {
      const double t = std::exp(log_r2) * point.x, own = t / (1 + t) / std::log1p(t);
      const double residual = point.log_value - kernel(log_r2, point.x);
      rest += residual;
      slope += own;
      products += residual * own;
      squares += own * own;
    }
    const auto n = static_cast<double>(points.size());
    log_r1 = rest / n;
    const double step = (n * products - rest * slope) / (n * squares - slope * slope);
    if (k < 8 && std::isfinite(step)) log_r2 = std::clamp(log_r2 + std::clamp(step, -1.0, 1.0), -30.0, 30.0);
  }
  return {std::exp(log_r1), std::exp(log_r2)};
}

/// The parameters of each head, two a head; empty where a head has none.
std::vector<double> fitted_kernel(const PairSample& sample, std::int64_t centre, bool is_power, double sign) {
  std::vector<double> parameters;
  for (std::size_t head = 0; head < sample.heads; ++head) {
    const auto points = kernel_points(sample, head, centre, sign);
    if (points.size() < least_fitted) return {};
    const KernelNumbers fitted = is_power ? fitted_power(points) : fitted_logarithm(points);
    // The kernel is positive definite up to the power of 2.
    if (!(fitted.r1 > 0 && fitted.r2 > 0 && std::isfinite(fitted.r1 * fitted.r2)) || (is_power && fitted.r2 > 2.01))
      return {};
    const auto explains = [&](double r1, double r2) {
      return explains_head(sample, head, [&](std::int64_t d) {
        const double x = std::fabs(static_cast<double>(d - centre));
        return x == 0 ? 0.0 : -sign * r1 * (is_power ? std::pow(x, r2) : std::log1p(r2 * x));
      });
    };
    const auto r2 = shortest_number(fitted.r2, [&](double number) { return explains(fitted.r1, number); });
    if (!r2) return {};
    const auto r1 = shortest_number(fitted.r1, [&](double number) { return explains(number, *r2); });
    parameters.insert(parameters.end(), {r1.value_or(fitted.r1), *r2});
  }
  return parameters;
}

/// The largest distances of n buckets of one direction whose buckets begin where values change, from more than `low`
/// to `high`.
struct LengthRange {
  double low, high;
};
LengthRange length_range(const std::vector<std::int64_t>& starts, std::int64_t exact, std::int64_t steps,
                         std::int64_t seen) {
  const auto e = static_cast<double>(exact), m = static_cast<double>(steps);
  LengthRange range{e, 0x1p20};
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double power = m / static_cast<double>(i + 1);
    range.low = std::max(range.low, e * std::pow(static_cast<double>(starts[i] - 1) / e, power));
    range.high = std::min(range.high, e * std::pow(static_cast<double>(starts[i]) / e, power));
  }
  // The next bucket begins where nothing was seen.
  if (std::ssize(starts) + 1 < steps)
    range.low =
        std::max(range.low, e * std::pow(static_cast<double>(seen) / e, m / static_cast<double>(starts.size() + 1)));
  return range;
}

}  // namespace

void BiasSearch::add_estimate(FoundBias found, std::vector<Mistake> mistakes, const BiasWay& way,
                              const BiasResidual& residual) {
  if (way.is_negative) mistakes.push_back(Mistake::sign);
  if (way.centre != 0) mistakes.push_back(Mistake::first_position);
  found.causal = way.mask != BiasMask::open;
  if (sample_.last > 0 && found.causal != expected_.causal) mistakes.push_back(Mistake::causal);
  found.first_query = sample_.first_query + way.centre;
  found.negative = way.is_negative;
  Explanation explanation;
  explanation.units = residual.units;
  explanation.ulps = residual.ulps;
  if (!expected_.type.empty()) {
    explanation.mistakes = std::move(mistakes);
    explanation.factor = way.is_negative ? -1 : 1;
    explanation.shift = way.centre == 0 ? 0 : -static_cast<double>(way.centre);
  }
  // Estimates that are not the same are rivals.
  std::vector<double> numbers{static_cast<double>(found.type.size()), static_cast<double>(way.centre)};
  numbers.insert(numbers.end(), found.parameters.begin(), found.parameters.end());
  explanation.found = std::move(found);
  counting_.add(std::move(explanation), std::move(numbers), true);
}

void BiasSearch::estimate_factor() {
  if (table().empty()) return;
  const auto scaled = [&](BiasWay way, std::vector<Mistake> mistakes) {
    if (way.factor != 1 || std::min(way.edge(), sample_.last) != sample_.last_open) return true;
    auto numbers = BiasNumbers::make(way, sample_.heads, table(), sample_.type, lists_);
    if (!numbers) return true;
    double largest = 0, factor = 0;
    for (std::size_t head = 0; head < sample_.heads; ++head)
      for (std::size_t c = 0; c < sample_.distances; ++c) {
        const double value = sample_.has(head, c) ? numbers->value(head, sample_.distance(c)) : 0;
        if (!(std::fabs(value) > largest)) continue;
        largest = std::fabs(value);
        factor = sample_.middle(head, c) / value;
      }
    std::optional<BiasResidual> residual;
    const auto explains = [&](double number) {
      way.factor = number;
      numbers = BiasNumbers::make(way, sample_.heads, table(), sample_.type, lists_);
      residual = number > 0 ? compare(sample_, *numbers, estimate_slack) : std::nullopt;
      return residual.has_value();
    };
    if (!explains(factor) || !shortest_number(factor, explains)) return true;
    mistakes.push_back(Mistake::amplitude);
    add(*numbers, std::move(mistakes), *residual, true, false);
    return true;
  };
  for_each_listed(expected_way("t5", expected_, sample_), bias_changes("t5", expected_, sample_), true, scaled);
}

void BiasSearch::estimate_slopes() {
  if (!table().empty()) return;
  struct Fit {
    BiasWay way;
    std::vector<double> slopes;
  };
  std::vector<Fit> fits;
  for (const Reach reach : {Reach::symmetric, Reach::linear, Reach::flat})
    for (const std::int64_t centre : possible_centres(sample_)) {
      auto slopes = fitted_slopes(sample_, reach, centre);
      if (!slopes) continue;
      BiasWay way = expected_way("alibi", expected_, sample_);
      way.reach = reach;
      way.centre = centre;
      way.mask = seen_mask(sample_, centre);
      way.is_negative = std::ranges::all_of(*slopes, [](double slope) { return slope < 0; });
      fits.push_back({way, *std::move(slopes)});
    }
  const BiasWay right = expected_way("alibi", expected_, sample_);
  // One number alone; then the steepness beside each listed factor, which more than two slopes tell apart.
  std::vector<std::pair<SlopeRule, double>> bases;
  for (const SlopeRule& rule : slope_rules(expected_, sample_.heads)) bases.emplace_back(rule, 1);
  if (sample_.heads > 2)
    for (const double factor : bias_factors()) bases.emplace_back(right.rule, factor);
  for (const auto& [rule, factor] : bases)
    for (const Fit& fit : fits) {
      const bool one_sign = fit.way.is_negative || std::ranges::all_of(fit.slopes, [](double s) { return s > 0; });
      if (!one_sign || !counting_.empty()) continue;
      BiasWay way = fit.way;
      way.rule = rule;
      way.factor = factor;
      for (const SlopeNumber& number : slope_numbers(way, fit.slopes)) {
        if (factor != 1 && number.mistake == Mistake::factor_other) continue;
        BiasWay tried = way;
        std::optional<BiasResidual> residual;
        (void)shortest_number(number.value, [&](double rounded) {
          tried.*number.number = rounded;
          if (!(rounded > 0 && rounded < 1e3)) return false;
          residual = compare(sample_, *BiasNumbers::make(tried, sample_.heads, {}, sample_.type, lists_),
                             estimate_slack, true);
          return residual.has_value();
        });
        if (!residual) continue;
        std::vector<Mistake> mistakes{number.mistake};
        if (factor != 1) mistakes.push_back(Mistake::factor_other);
        if (!(rule == right.rule) && number.mistake != Mistake::slopes) mistakes.push_back(Mistake::slopes);
        if (tried.reach != right.reach && sample_.last > 0) mistakes.push_back(Mistake::distance);
        if (tried.is_negative) mistakes.push_back(Mistake::sign);
        if (tried.centre != 0) mistakes.push_back(Mistake::first_position);
        if (tried.mask != right.mask && sample_.last > 0) mistakes.push_back(Mistake::causal);
        add(*BiasNumbers::make(tried, sample_.heads, {}, sample_.type, lists_), std::move(mistakes), *residual, true,
            false);
      }
    }
  if (!counting_.empty() || fits.empty()) return;
  const Fit& first = fits.front();
  FoundBias found;
  found.type = "linear";
  found.slopes = first.slopes;
  if (sample_.last_open > first.way.centre)
    found.distance = first.way.reach == Reach::symmetric ? "symmetric"
                     : first.way.reach == Reach::linear  ? "linear"
                                                         : "flat";
  std::vector<Mistake> mistakes;
  if (!expects("linear")) mistakes.push_back(expects("alibi") ? Mistake::slopes : Mistake::distance);
  if (expects("alibi") && first.way.reach != right.reach && !found.distance.empty())
    mistakes.push_back(Mistake::distance);
  add_estimate(std::move(found), std::move(mistakes), first.way, {});
}

void BiasSearch::estimate_buckets() {
  if (!table().empty() || !sample_.is_exact) return;
  const auto attempt = [&](const BiasWay& way, std::vector<Mistake> mistakes, double slack) {
    const auto numbers = BiasNumbers::make(way, sample_.heads, {}, sample_.type, lists_);
    const auto residual = numbers ? compare(sample_, *numbers, slack) : std::nullopt;
    if (!residual || !residual->shows) return false;
    add(*numbers, std::move(mistakes), *residual, true, false);
    return true;
  };
  // Neighbours whose learned numbers are alike.
  if (expects("t5") || expects("clipped"))
    if (attempt(expected_way(expected_.type, expected_, sample_), {}, estimate_slack)) return;
  const auto changes_at = [&](std::int64_t d) {
    const auto c = static_cast<std::size_t>(d - sample_.first);
    for (std::size_t head = 0; head < sample_.heads; ++head)
      if (sample_.has(head, c) && sample_.has(head, c - 1) && sample_.middle(head, c) != sample_.middle(head, c - 1))
        return true;
    return false;
  };
  const std::int64_t seen = -sample_.first;
  if (seen < 3 || sample_.last_open < 0) return;
  // Distances at which a bucket begins, of keys before the query.
  std::vector<std::int64_t> starts;
  for (std::int64_t x = 1; x <= seen; ++x)
    if (changes_at(1 - x)) starts.push_back(x);
  if (starts.empty()) return;
  BiasWay clipped = expected_way("clipped", expected_, sample_);
  clipped.max_distance = starts.back();
  clipped.mask = seen_mask(sample_, 0);
  const std::vector<Mistake> mask =
      sample_.last > 0 && clipped.mask != (expected_.causal ? BiasMask::own : BiasMask::open)
          ? std::vector{Mistake::causal}
          : std::vector<Mistake>{};
  std::vector<Mistake> mistakes = mask;
  mistakes.insert(mistakes.begin(), Mistake::buckets);
  if (starts.back() < seen && attempt(clipped, mistakes, 1)) return;
  std::int64_t run = 0;
  while (run < std::ssize(starts) && starts[static_cast<std::size_t>(run)] == run + 1) ++run;
  for (std::int64_t n = 2; n <= std::min<std::int64_t>(2 * run + 1, 512); ++n) {
    const std::int64_t exact = n / 2;
    const std::vector<std::int64_t> later(starts.begin() + static_cast<std::ptrdiff_t>(exact), starts.end());
    if (std::ssize(later) >= n - exact) continue;
    const LengthRange range = length_range(later, exact, n - exact, seen);
    for (const bool both : {true, false}) {
      BiasWay way = expected_way("t5", expected_, sample_);
      way.mask = clipped.mask;
      way.bidirectional = both;
      way.buckets = both ? 2 * n : n;
      // The shortest number of the range; its bounds are off by a rounding at most.
      (void)shortest_number((range.low + range.high) / 2, [&](double length) {
        way.max_distance = static_cast<std::int64_t>(length);
        return length > range.low - 1 && length <= range.high + 1 && length < 0x1p20 && attempt(way, mistakes, 1);
      });
    }
  }
}

void BiasSearch::estimate_kernels() {
  if (!table().empty()) return;
  for (const bool is_power : {false, true})
    for (const double sign : {1.0, -1.0}) {
      bool is_found = false;
      for (const std::int64_t centre : possible_centres(sample_)) {
        if (is_found) break;
        std::vector<double> parameters = fitted_kernel(sample_, centre, is_power, sign);
        if (parameters.empty()) continue;
        is_found = true;
        FoundBias found;
        found.type = is_power ? "kerple-power" : "kerple-log";
        found.parameters = std::move(parameters);
        BiasWay way;
        way.centre = centre;
        way.is_negative = sign < 0;
        way.mask = seen_mask(sample_, centre);
        std::vector<Mistake> mistakes;
        if (!expects(found.type)) mistakes.push_back(Mistake::distance);
        add_estimate(std::move(found), std::move(mistakes), way, {});
      }
    }
}

void BiasSearch::add_any_function() {
  // A single row is a function of the distance whatever it is.
  if (!table().empty() || !sample_.is_exact || sample_.queries < 2 || sample_.keys < 2) return;
  FoundBias found;
  found.type = "toeplitz";
  BiasWay way;
  way.mask = seen_mask(sample_, 0);
  std::vector<Mistake> mistakes;
  if (!expects("toeplitz")) mistakes.push_back(Mistake::distance);
  add_estimate(std::move(found), std::move(mistakes), way, {});
}

}  // namespace posenc::diagnosis
