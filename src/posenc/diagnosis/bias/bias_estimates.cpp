#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "posenc/diagnosis/bias/bias_search.hpp"
#include "posenc/diagnosis/engine/listed.hpp"

// What no list has: numbers that are estimated from the values, rounded to the shortest that explain them, and then
// compared like any other. std::log and its like make numbers to try.

namespace posenc::diagnosis {
namespace {

/// An estimate is off, too: values are as far from it as their rounding and its own error, which is the smaller one.
constexpr double estimate_slack = 2;

/// Fewer values than this do not determine two parameters; so many are looked at for an estimate.
constexpr std::size_t least_fitted = 4, most_fitted = 64;

/// Whether function(distance) explains a head's values, up to the error of what was estimated.
template <class Function>
bool explains_head(const PairSample& sample, std::size_t head, const Function& function) {
  for (std::size_t c = 0; c < sample.distances; ++c) {
    if (!sample.has(head, c)) continue;
    const double value = function(sample.distance(c)), noise = estimate_slack * sample.type.noise(value, 4);
    const std::size_t at = head * sample.distances + c;
    const double far = std::max(std::fabs(sample.low[at] - value), std::fabs(sample.high[at] - value));
    if (!(far <= noise)) return false;
  }
  return true;
}

/// What a head's values are of those that function(distance) makes; nothing of fewer than two: one has a factor
/// whatever it is.
template <class Function>
std::optional<double> ratio_of_head(const PairSample& sample, std::size_t head, const Function& function) {
  double sum = 0, count = 0;
  for (std::size_t c = 0; c < sample.distances; ++c) {
    const double value = sample.has(head, c) ? function(sample.distance(c)) : 0;
    if (value == 0 || !std::isfinite(value)) continue;
    sum += sample.middle(head, c) / value;
    ++count;
  }
  return count < 2 ? std::nullopt : std::optional(sum / count);
}

std::optional<double> ratio_of_window(const PairSample& sample, const BiasNumbers& numbers, std::size_t head) {
  double sum = 0, squares = 0;
  for (std::size_t at = 0; at < sample.queries * sample.keys; ++at) {
    const double value = numbers.value_of(sample, head, sample.query_of(at), sample.key_of(at));
    sum += value * sample.at(0, head, sample.query_of(at), sample.key_of(at));
    squares += value * value;
  }
  return squares > 0 ? std::optional(sum / squares) : std::nullopt;
}

/// Where a bias of no list may have its queries: where they are, a few places off, at 0.
std::vector<std::int64_t> possible_centres(const PairSample& sample) {
  return {0, 1, -1, 2, -2, 3, -3, -sample.first_query};
}

/// The mask that shows, about a centre.
BiasMask seen_mask(const PairSample& sample, std::int64_t centre) {
  if (sample.last_open == sample.last) return BiasMask::open;
  return sample.last_open == std::min(centre, sample.last) && centre != 0 ? BiasMask::moved : BiasMask::own;
}

/// One slope a head, each the shortest that explains its values; nothing where one has none.
std::optional<std::vector<double>> fitted_slopes(const PairSample& sample, Reach reach, std::int64_t centre) {
  std::vector<double> slopes;
  const auto reached = [&](std::int64_t d) { return reach_of(reach, static_cast<double>(d - centre)); };
  for (std::size_t head = 0; head < sample.heads; ++head) {
    const auto ratio = ratio_of_head(sample, head, reached);
    const auto slope = ratio ? shortest_number(*ratio,
                                               [&](double number) {
                                                 return explains_head(
                                                     sample, head, [&](std::int64_t d) { return number * reached(d); });
                                               })
                             : std::nullopt;
    if (!slope) return std::nullopt;
    slopes.push_back(*slope);
  }
  return slopes;
}

double kernel_of(bool is_power, double r2, double x) {
  return x == 0 ? 0 : is_power ? std::pow(x, r2) : std::log1p(r2 * x);
}

/// The r2 with which values are nearest to multiples of the kernel, in logarithms: looked for coarsely, then nearer.
double fitted_r2(std::span<const std::pair<double, double>> points, bool is_power) {
  const auto misfit = [&](double log_r2) {
    double sum = 0, squares = 0;
    for (const auto& [x, log_value] : points) {
      const double off = log_value - std::log(kernel_of(is_power, std::exp(log_r2), x));
      sum += off;
      squares += off * off;
    }
    return squares - sum * sum / static_cast<double>(points.size());
  };
  return std::exp(least_at(-12, is_power ? 0.75 : 12, 0.25, misfit));
}

/// The parameters of each head, two a head; empty where a head has none.
std::vector<double> fitted_kernel(const PairSample& sample, std::int64_t centre, bool is_power, double sign) {
  std::vector<double> parameters;
  for (std::size_t head = 0; head < sample.heads; ++head) {
    std::vector<std::pair<double, double>> points;  // distances, and the logarithms of values
    for (std::size_t c = 0; c < sample.distances; c += sample.distances / most_fitted + 1) {
      if (!sample.has(head, c) || sample.distance(c) == centre) continue;
      const double value = -sign * sample.middle(head, c);
      if (!(value > 0)) return {};
      points.emplace_back(std::fabs(static_cast<double>(sample.distance(c) - centre)), std::log(value));
    }
    if (points.size() < least_fitted) return {};
    const auto made = [&](double r1, double r2) {
      return [=](std::int64_t d) {
        return -sign * r1 * kernel_of(is_power, r2, std::fabs(static_cast<double>(d - centre)));
      };
    };
    // Whatever r2 is, r1 follows from the values.
    double r1 = 0;
    const auto explains = [&](double r2) {
      r1 = ratio_of_head(sample, head, made(1, r2)).value_or(0);
      return r1 > 0 && explains_head(sample, head, made(r1, r2));
    };
    const auto r2 = shortest_number(fitted_r2(points, is_power), explains);
    if (!r2) return {};
    const auto shorter =
        shortest_number(r1, [&](double number) { return explains_head(sample, head, made(number, *r2)); });
    parameters.insert(parameters.end(), {shorter.value_or(r1), *r2});
  }
  return parameters;
}

}  // namespace

void BiasSearch::add_estimate(FoundBias found, std::vector<Mistake> mistakes, const BiasWay& way) {
  if (way.is_negative) mistakes.push_back(Mistake::sign);
  if (way.centre != 0) mistakes.push_back(Mistake::first_position);
  found.causal = way.mask != BiasMask::open;
  if (sample_.last > 0 && found.causal != expected_.causal) mistakes.push_back(Mistake::causal);
  found.first_query = sample_.first_query + way.centre;
  found.negative = way.is_negative;
  Explanation explanation;
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

/// A factor, or ALiBi's steepness, beside one change at most.
void BiasSearch::estimate_numbers() {
  const std::string_view expected_type = expected_.type;
  const bool has_numbers = !source_.table.empty() || !source_.parameters.empty();
  const std::string_view type = has_numbers ? expected_type : "alibi";
  const BiasWay right = expected_way(type, expected_, sample_);
  for_each_listed(
      right, bias_changes(type, expected_, sample_), false, [&](BiasWay way, std::vector<Mistake> mistakes) {
        if (mistakes.size() == 1 && !counting_.empty()) return false;
        const auto numbers = BiasNumbers::make(way, source_);
        if (!numbers || std::min(way.edge(), sample_.last) != sample_.last_open) return true;
        // Where the steepness is another one, logarithms of the ratios lie on a line through 0.
        double logs = 0, products = 0, squares = 0, count = 0;
        for (std::size_t head = 0; head < sample_.heads; ++head) {
          const auto ratio =
              way.is_window() ? ratio_of_window(sample_, *numbers, head)
                              : ratio_of_head(sample_, head, [&](std::int64_t d) { return numbers->value(head, d); });
          if (!ratio) continue;
          const double share = way.has_slopes() ? share_of(way.rule, head) : 0;
          logs += std::log2(*ratio);
          products -= share * std::log2(*ratio);
          squares += share * share;
          ++count;
        }
        const auto attempt = [&](double BiasWay::* number, double estimate, Mistake mistake) {
          BiasWay tried = way;
          std::optional<BiasResidual> residual;
          (void)shortest_number(estimate, [&](double rounded) {
            if (rounded <= 0 || rounded > most_steepness) return false;
            tried.*number = rounded;
            residual = compare(sample_, *BiasNumbers::make(tried, source_), estimate_slack);
            return residual.has_value();
          });
          if (!residual) return;
          std::vector<Mistake> all = mistakes;
          all.insert(all.begin(), mistake);
          residual->is_estimated = true;
          add(*BiasNumbers::make(tried, source_), std::move(all), *residual);
        };
        const Mistake of_factor = way.has_slopes() ? Mistake::factor_other : Mistake::amplitude;
        if (way.factor == right.factor) attempt(&BiasWay::factor, std::exp2(logs / count), of_factor);
        // One slope has a factor, and more than two a factor beside it.
        if (squares > 0 && count > (way.factor == right.factor ? 0 : 2) && way.steepness == right.steepness)
          attempt(&BiasWay::steepness, way.steepness + products / squares, Mistake::slopes);
        return true;
      });
}

void BiasSearch::estimate_slopes() {
  if (!source_.table.empty()) return;
  for (const Reach reach : {Reach::symmetric, Reach::linear, Reach::flat})
    for (const std::int64_t centre : possible_centres(sample_)) {
      auto slopes = fitted_slopes(sample_, reach, centre);
      if (!slopes || !counting_.empty()) continue;
      BiasWay way = expected_way("alibi", expected_, sample_);
      std::vector<Mistake> mistakes{expects("alibi") ? Mistake::slopes : Mistake::distance};
      if (expects("alibi") && reach != way.reach && sample_.last_open > centre) mistakes.push_back(Mistake::distance);
      way.centre = centre;
      way.mask = seen_mask(sample_, centre);
      way.is_negative = std::ranges::all_of(*slopes, [](double slope) { return slope < 0; });
      FoundBias found;
      found.type = "linear";
      found.slopes = *std::move(slopes);
      if (sample_.last_open > centre)
        found.distance = reach == Reach::symmetric ? "symmetric" : reach == Reach::linear ? "linear" : "flat";
      add_estimate(std::move(found), std::move(mistakes), way);
    }
}

void BiasSearch::estimate_buckets() {
  if (!source_.table.empty() || !sample_.is_exact) return;
  const auto attempt = [&](const BiasWay& way, std::vector<Mistake> mistakes, double slack) {
    const auto numbers = BiasNumbers::make(way, source_);
    auto residual = numbers ? compare(sample_, *numbers, slack) : std::nullopt;
    if (!residual || !residual->shows) return false;
    residual->is_estimated = true;
    add(*numbers, std::move(mistakes), *residual);
    return true;
  };
  // Neighbours whose learned numbers are alike.
  if (is_learned() && attempt(expected_way(expected_.type, expected_, sample_), {}, estimate_slack)) return;
  // Distances at which a bucket begins, of keys before the query.
  const std::int64_t seen = -sample_.first;
  std::vector<std::int64_t> starts;
  for (std::int64_t x = 1; x <= seen && sample_.last_open >= 0; ++x)
    if (sample_.changes_at(static_cast<std::size_t>(1 - x - sample_.first)).value_or(false)) starts.push_back(x);
  if (seen < 3 || starts.empty()) return;
  const BiasMask mask = seen_mask(sample_, 0);
  std::vector<Mistake> mistakes{Mistake::buckets};
  if (sample_.last > 0 && mask != (expected_.causal ? BiasMask::own : BiasMask::open))
    mistakes.push_back(Mistake::causal);
  BiasWay clipped = expected_way("clipped", expected_, sample_);
  clipped.max_distance = starts.back();
  clipped.mask = mask;
  if (starts.back() < seen && attempt(clipped, mistakes, 1)) return;
  // A largest distance m has bucket e + k begin at e (m / e)^(k / (n - e)): the latest start that was seen tells it
  // best, and so do those that were not.
  for (std::int64_t n = 4; n <= 256; ++n) {
    const std::int64_t exact = n / 2, later = std::ssize(starts) - exact;
    if (later < 1 || starts[static_cast<std::size_t>(exact) - 1] != exact || later >= n - exact) continue;
    const auto e = static_cast<double>(exact), steps = static_cast<double>(n - exact);
    const auto length_at = [&](std::int64_t start, std::int64_t bucket) {
      return e * std::pow(static_cast<double>(start) / e, steps / static_cast<double>(bucket));
    };
    double low = e, high = 0x1p20;
    for (std::int64_t k = 1; k <= later; ++k) {
      const std::int64_t start = starts[static_cast<std::size_t>(exact + k) - 1];
      low = std::max(low, length_at(start - 1, k));
      high = std::min(high, length_at(start, k));
    }
    if (later + 1 < n - exact) low = std::max(low, length_at(seen, later + 1));
    for (const bool both : {true, false}) {
      BiasWay way = expected_way("t5", expected_, sample_);
      way.mask = mask;
      way.bidirectional = both;
      way.buckets = both ? 2 * n : n;
      // The shortest number of the range; its bounds are off by a rounding at most.
      (void)shortest_number((low + high) / 2, [&](double length) {
        way.max_distance = static_cast<std::int64_t>(length);
        return length > low - 1 && length <= high + 1 && length < 0x1p20 && attempt(way, mistakes, 1);
      });
    }
  }
}

void BiasSearch::estimate_kernels() {
  if (!source_.table.empty()) return;
  double sum = 0;
  for (std::size_t c = 0; c < sample_.distances; ++c) sum += sample_.has(0, c) ? sample_.middle(0, c) : 0;
  for (const bool is_power : {false, true})
    for (const std::int64_t centre : possible_centres(sample_)) {
      std::vector<double> parameters = fitted_kernel(sample_, centre, is_power, sum > 0 ? -1 : 1);
      if (parameters.empty()) continue;
      FoundBias found;
      found.type = is_power ? "kerple-power" : "kerple-log";
      found.parameters = std::move(parameters);
      BiasWay way;
      way.centre = centre;
      way.is_negative = sum > 0;
      way.mask = seen_mask(sample_, centre);
      std::vector<Mistake> mistakes;
      if (!expects(found.type) || !source_.parameters.empty()) mistakes.push_back(Mistake::distance);
      add_estimate(std::move(found), std::move(mistakes), way);
      break;
    }
}

void BiasSearch::add_any_function() {
  // A single row is a function of the distance whatever it is.
  if (!source_.table.empty() || !sample_.is_exact || sample_.queries < 2 || sample_.keys < 2) return;
  FoundBias found;
  found.type = "toeplitz";
  BiasWay way;
  way.mask = seen_mask(sample_, 0);
  add_estimate(std::move(found), {Mistake::distance}, way);
}

}  // namespace posenc::diagnosis
