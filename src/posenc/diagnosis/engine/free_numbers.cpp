#include "posenc/diagnosis/engine/free_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "posenc/diagnosis/engine/listed.hpp"
#include "posenc/diagnosis/engine/ordering.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"

// std::log, std::exp, std::atan2 and their like are right here: what they estimate is simulated and compared.

namespace posenc::diagnosis {
namespace {

constexpr double turn = 2 * std::numbers::pi;

/// An angle that may be off by more than this says nothing.
constexpr double largest_error = 1;

/// Bases are looked for up to these.
constexpr double least_base = 1.5, most_base = 1e15;

struct Interval {
  double low, high;

  [[nodiscard]] bool is_empty() const { return !(low <= high); }
  /// The narrower interval that the tokens which were not measured leave.
  [[nodiscard]] Interval middle() const { return {(33 * low + 31 * high) / 64, (31 * low + 33 * high) / 64}; }
  void meet(double a, double b) { low = std::max(low, a), high = std::min(high, b); }
};

/// The smallest and the largest angle that may be between two rotations of a pair.
std::optional<Interval> angle_between(const Measured& measured, std::size_t a, std::size_t b) {
  const double of_a = std::hypot(measured.real[a], measured.imaginary[a]);
  const double of_b = std::hypot(measured.real[b], measured.imaginary[b]);
  if (!(measured.error[a] < of_a / 2) || !(measured.error[b] < of_b / 2)) return std::nullopt;
  const double angle = std::atan2(measured.real[a] * measured.imaginary[b] - measured.imaginary[a] * measured.real[b],
                                  measured.real[a] * measured.real[b] + measured.imaginary[a] * measured.imaginary[b]);
  const double error = std::asin(measured.error[a] / of_a) + std::asin(measured.error[b] / of_b) + 1e-15;
  return Interval{angle - error, angle + error};
}

/// The rate of one pair by tokens in the order of their positions.
std::optional<Interval> rate_of(const Measured& measured, std::span<const std::pair<double, std::size_t>> order,
                                std::size_t pair) {
  Interval rate{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  // Nearest positions first: each tells whole turns of those that are farther apart.
  std::vector<std::tuple<double, std::size_t, std::size_t>> apart;
  for (std::size_t i = 1; i < order.size(); ++i)
    apart.emplace_back(order[i].first - order[i - 1].first, order[i - 1].second, order[i].second);
  for (std::size_t span = 2; span < order.size(); span *= 2)
    for (std::size_t i = span; i < order.size(); i += span)
      apart.emplace_back(order[i].first - order[i - span].first, order[i - span].second, order[i].second);
  if (order.size() > 1) apart.emplace_back(order.back().first - order[0].first, order[0].second, order.back().second);
  sort_by(apart, [](const auto& each) { return std::get<0>(each); });
  bool is_first = true;
  for (const auto& [gap, from, to] : apart) {
    const auto angle = angle_between(measured, measured.at(from, pair), measured.at(to, pair));
    if (!angle) continue;
    if (gap == 0) {
      if (angle->low > 0 || angle->high < 0) return std::nullopt;
      continue;
    }
    const double width = (angle->high - angle->low) / 2;
    if (width > largest_error) continue;
    const double middle = (angle->low + angle->high) / 2;
    if (is_first) {
      rate.meet(angle->low / gap, angle->high / gap);
      is_first = false;
      continue;
    }
    if ((rate.high - rate.low) * gap / 2 + width > std::numbers::pi) continue;
    const double turns = std::round(((rate.low + rate.high) / 2 * gap - middle) / turn);
    rate.meet((angle->low + turns * turn) / gap, (angle->high + turns * turn) / gap);
    if (rate.is_empty()) return std::nullopt;
  }
  return rate;
}

/// A plan's frequencies at the logarithm of a base; empty where it has none.
std::vector<double> radians_at(RotaryOptions plan, double log) {
  plan.base = std::exp(log);
  return radians_of(plan);
}

/// Where a pair has a rate, the higher the base the slower it is: `fast` and `slow` are its rates at the ends.
double log_at(const RotaryOptions& plan, std::size_t pair, double rate, Interval log, double fast, double slow) {
  if (rate >= fast) return log.low;
  if (rate <= slow) return log.high;
  // A power of the base alone is on a line of logarithms.
  if (std::holds_alternative<scaling::Default>(plan.scaling) || std::holds_alternative<scaling::Linear>(plan.scaling))
    return log.low + (log.high - log.low) * std::log(fast / rate) / std::log(fast / slow);
  while (log.high - log.low > 1e-13 * log.high) {
    const double tried = (log.low + log.high) / 2;
    const std::vector<double> radians = radians_at(plan, tried);
    (!radians.empty() && radians[pair] > rate ? log.low : log.high) = tried;
  }
  return (log.low + log.high) / 2;
}

/// The logarithms of a plan's base that the rates allow, from the slowest, whose whole turns are none, to
/// the fastest.
std::optional<Interval> log_base(const FreeRates& free, const RotaryOptions& plan) {
  Interval log{std::log(least_base), std::log(most_base)};
  for (std::size_t i = free.rates.size(); i-- > 1;) {
    if (!std::isfinite(free.errors[i])) continue;
    const std::vector<double> fast = radians_at(plan, log.low), slow = radians_at(plan, log.high);
    if (fast.empty() || slow.empty()) return std::nullopt;
    if (fast[i] <= slow[i]) continue;
    double rate = free.rates[i];
    if (free.period > 0) {
      // More than one number of whole turns is possible.
      if (fast[i] - slow[i] + 2 * free.errors[i] > free.period) continue;
      rate += std::round(((fast[i] + slow[i]) / 2 - rate) / free.period) * free.period;
    }
    if (rate + free.errors[i] < slow[i] || rate - free.errors[i] > fast[i]) return std::nullopt;
    const double low = log_at(plan, i, rate + free.errors[i], log, fast[i], slow[i]);
    const double high = log_at(plan, i, rate - free.errors[i], log, fast[i], slow[i]);
    log.meet(low, high);
    if (log.is_empty()) return std::nullopt;
  }
  return log;
}

/// The logarithm of the base at which a plan's angles are nearest to those measured: far positions tell it by more
/// digits than the rates between neighbours do.
double likely_log(const FreeSample& sample, const RotaryOptions& plan, const Interval& log) {
  const Measured& measured = sample.measured;
  const auto misfit = [&](double at) {
    const std::vector<double> radians = radians_at(plan, at);
    double sum = radians.empty() ? std::numeric_limits<double>::infinity() : 0;
    for (std::size_t i = 0; i < measured.tokens.size(); ++i)
      for (std::size_t pair = 0; pair < radians.size(); ++pair) {
        const std::size_t k = measured.at(i, pair), token = measured.tokens[i];
        const std::size_t axis = sample.axis_of_pair.empty() ? 0 : static_cast<std::size_t>(sample.axis_of_pair[pair]);
        const double size = std::hypot(measured.real[k], measured.imaginary[k]), error = measured.error[k] / size;
        if (!(error < largest_error)) continue;
        const double angle = sample.sign * radians[pair] * (sample.places.at(axis, token) + sample.first);
        const double off =
            std::hypot(measured.real[k] / size - std::cos(angle), measured.imaginary[k] / size - std::sin(angle));
        sum += off / error * (off / error);
      }
    return sum;
  };
  if (log.low == log.high) return log.low;
  return least_at(log.low, log.high, (log.high - log.low) / 64, misfit);
}

}  // namespace

double shortest_between(double low, double high) {
  if (low <= 0 && high >= 0) return 0;
  const double size = std::max(std::fabs(low), std::fabs(high));
  for (int digits = 1 - static_cast<int>(std::ceil(std::log10(size))); digits < 20; ++digits) {
    const double unit = std::pow(10.0, std::abs(digits));
    const double rounded = digits > 0 ? std::ceil(low * unit) / unit : std::ceil(low / unit) * unit;
    if (rounded <= high) return rounded;
  }
  return low + (high - low) / 2;
}

std::vector<double> shortest_numbers(double low, double likely, double high) {
  constexpr int halvings = 18;
  std::vector<double> made;
  for (int halving = 0; halving < halvings; ++halving) {
    const double part = std::ldexp(1, -halving);
    const double below = likely - part * (likely - low), above = likely + part * (high - likely);
    for (const auto& [from, to] : {std::pair{below, above}, {below, likely}, {likely, above}})
      if (const double own = shortest_between(from, to); std::ranges::find(made, own) == made.end())
        made.push_back(own);
  }
  return made;
}

std::vector<double> free_factors(const Measured& measured, double expected) {
  Interval factor{0, std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < measured.tokens.size(); ++i)
    for (std::size_t pair = 0; pair < measured.pairs; ++pair) {
      const std::size_t at = measured.at(i, pair);
      const double size = std::hypot(measured.real[at], measured.imaginary[at]);
      factor.meet(size - measured.error[at], size + measured.error[at]);
    }
  if (factor.is_empty()) return {};
  for (const double usual : {expected, 1.0})
    if (factor.low <= usual && usual <= factor.high) return {usual};
  if (!std::isfinite(factor.high)) return {};
  return shortest_numbers(factor.low, (factor.low + factor.high) / 2, factor.high);
}

std::optional<FreeRates> free_rates(const Measured& measured, const Places& places,
                                    std::span<const std::int64_t> axis_of_pair) {
  FreeRates made;
  for (std::size_t pair = 0; pair < measured.pairs; ++pair) {
    const auto axis = axis_of_pair.empty() ? std::size_t{0} : static_cast<std::size_t>(axis_of_pair[pair]);
    std::vector<std::pair<double, std::size_t>> order;
    order.reserve(measured.tokens.size());
    for (std::size_t i = 0; i < measured.tokens.size(); ++i) order.emplace_back(places.at(axis, measured.tokens[i]), i);
    std::ranges::sort(order);
    double step = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
      double a = step, b = order[i].first - order[i - 1].first;
      while (b > 1e-9) a = std::exchange(b, std::fmod(a, b));
      step = a;
    }
    made.period = std::max(made.period, step > 0 ? turn / step : 0);
    const auto rate = rate_of(measured, order, pair);
    if (!rate) return std::nullopt;
    const bool is_seen = std::isfinite(rate->low);
    const double fitted = is_seen ? (rate->low + rate->high) / 2 : 0;
    made.rates.push_back(fitted);
    made.errors.push_back(is_seen ? std::max(rate->high - fitted, fitted - rate->low)
                                  : std::numeric_limits<double>::infinity());
  }
  // The largest step of all axes leaves most turns open; where there is one axis it is its own.
  return made;
}

std::vector<RotaryOptions> free_plans(const FreeRates& free, const RotationContext& context, const FreeSample* sample) {
  std::vector<RotaryOptions> made;
  const auto dim = static_cast<std::int64_t>(2 * free.rates.size());
  RotaryOptions plain{.dim = dim, .layout = Layout::half};
  if (context.expected) {
    plain = plain_plan(*context.expected);
    plain.scaling = scaling::Default{};
  }
  std::vector<std::int64_t> denominators{denominator_of(plain), dim};
  if (context.head_dim > dim) denominators.push_back(context.head_dim);
  const auto add = [&](const RotaryOptions& plan) {
    const auto log = log_base(free, plan);
    if (!log || log->low <= std::log(least_base)) return;
    const double likely = sample != nullptr ? likely_log(*sample, plan, *log) : (log->low + log->high) / 2;
    for (const double base : shortest_numbers(std::exp(log->low), std::exp(likely), std::exp(log->high))) {
      made.push_back(plan);
      made.back().base = base;
    }
  };
  const double first = free.rates.front(), error = free.errors.front();
  const bool is_divided = first > 0 && std::isfinite(error) && std::fabs(first - 1) > error;
  for (const std::int64_t denominator : denominators) {
    RotaryOptions plan = plain;
    plan.exponent_dim = denominator == dim ? std::nullopt : std::optional(denominator);
    add(plan);
    if (!is_divided) continue;
    plan.scaling = scaling::Linear{shortest_between(1 / (first + error), 1 / std::max(first - error, 1e-12))};
    add(plan);
  }
  if (context.expected && !std::holds_alternative<scaling::Default>(context.expected->scaling))
    add(plain_plan(*context.expected));
  std::vector<double> frequencies = free.rates;
  for (std::size_t i = 0; i < frequencies.size(); ++i)
    if (std::isfinite(free.errors[i])) {
      const Interval own = Interval{free.rates[i] - free.errors[i], free.rates[i] + free.errors[i]}.middle();
      frequencies[i] = shortest_between(own.low, own.high);
    }
  plain.exponent_dim = std::nullopt;
  plain.scaling = scaling::Given{std::move(frequencies), 1};
  made.push_back(plain);
  return made;
}

}  // namespace posenc::diagnosis
