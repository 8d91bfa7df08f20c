#include <algorithm>
#include <cmath>
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

constexpr std::int64_t most_estimated_length = 1 << 20;

/// What a head's values are of those that a way makes; nothing of fewer than two: one has a factor whatever it is.
std::optional<double> ratio_of_head(const PairSample& sample, const BiasNumbers& numbers, std::size_t head) {
  double sum = 0, count = 0;
  const auto note = [&](double given, double value) {
    if (value == 0 || !std::isfinite(value)) return;
    sum += given / value;
    ++count;
  };
  if (numbers.way().is_window()) {
    for (std::size_t at = 0; at < sample.queries * sample.keys; ++at) {
      const std::size_t query = sample.query_of(at), key = sample.key_of(at);
      note(sample.at(0, head, query, key), numbers.value_of(sample, head, query, key));
    }
  } else {
    for (std::size_t c = 0; c < sample.distances; ++c)
      if (sample.has(head, c)) note(sample.middle(head, c), numbers.open_value(head, sample.distance(c)));
  }
  return count < 2 ? std::nullopt : std::optional(sum / count);
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

}  // namespace

bool BiasSearch::explains_head(const BiasWay& way, std::size_t head) {
  return compare(sample_, *BiasNumbers::make(way, source_), estimate_slack, true, head).has_value();
}

bool BiasSearch::add_estimate(const BiasWay& way, std::vector<Mistake> mistakes, double slack) {
  const auto numbers = BiasNumbers::make(way, source_);
  auto residual = numbers ? compare(sample_, *numbers, slack, true) : std::nullopt;
  if (!residual || !residual->shows) return false;
  if (way.is_negative) mistakes.push_back(Mistake::sign);
  if (way.centre != 0) mistakes.push_back(Mistake::first_position);
  if (sample_.last > 0 && (way.mask != BiasMask::open) != expected_.causal) mistakes.push_back(Mistake::causal);
  residual->is_estimated = true;
  add(*numbers, named(way.type == "linear" ? "alibi" : way.type, std::move(mistakes)), *residual);
  return true;
}

/// A factor, or ALiBi's steepness, beside one change at most.
void BiasSearch::estimate_numbers() {
  const bool has_numbers = !source_.table.empty() || !source_.parameters.empty();
  const std::string_view type = has_numbers ? std::string_view(expected_.type) : "alibi";
  const BiasWay right = expected_way(type, expected_, sample_);
  const auto use = [&](const BiasWay& way, const std::vector<Mistake>& mistakes) {
    if (mistakes.size() == 1 && !counting_.empty()) return false;
    const auto numbers = BiasNumbers::make(way, source_);
    if (!numbers || !way.fits_mask(sample_)) return true;
    // Where the steepness is another one, logarithms of the ratios lie on a line through 0.
    double logs = 0, products = 0, squares = 0, count = 0;
    for (std::size_t head = 0; head < sample_.heads; ++head) {
      const auto ratio = ratio_of_head(sample_, *numbers, head);
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
      add(*BiasNumbers::make(tried, source_), named(type, std::move(all)), *residual);
    };
    const Mistake of_factor = way.has_slopes() ? Mistake::factor_other : Mistake::amplitude;
    if (way.factor == right.factor) attempt(&BiasWay::factor, std::exp2(logs / count), of_factor);
    // One slope has a factor, and more than two a factor beside it.
    if (squares > 0 && count > (way.factor == right.factor ? 0 : 2) && way.steepness == right.steepness)
      attempt(&BiasWay::steepness, way.steepness + products / squares, Mistake::slopes);
    return true;
  };
  for_each_listed(right, bias_changes(type, expected_, sample_), false, use);
}

/// One slope a head, each the shortest that explains its values.
void BiasSearch::estimate_slopes() {
  if (!source_.table.empty()) return;
  const auto fits = [&](BiasWay& way) {
    for (std::size_t head = 0; head < sample_.heads; ++head) {
      const auto explains = [&](double slope) {
        way.numbers[head] = slope;
        return explains_head(way, head);
      };
      const auto ratio = ratio_of_head(sample_, *BiasNumbers::make(way, source_), head);
      if (!ratio || !shortest_number(*ratio, explains)) return false;
    }
    return true;
  };
  for (const Reach reach : {Reach::symmetric, Reach::linear, Reach::flat})
    for (const std::int64_t centre : possible_centres(sample_)) {
      BiasWay way;
      way.type = "linear";
      way.numbers.assign(sample_.heads, 1);
      way.reach = reach;
      way.centre = centre;
      way.mask = seen_mask(sample_, centre);
      if (!fits(way)) continue;
      way.is_negative = std::ranges::all_of(way.numbers, [](double slope) { return slope < 0; });
      std::vector<Mistake> mistakes{Mistake::slopes};
      if (reach != expected_way("alibi", expected_, sample_).reach && sample_.last_open > centre)
        mistakes.push_back(Mistake::distance);
      if (add_estimate(way, std::move(mistakes), estimate_slack)) return;
    }
}

void BiasSearch::estimate_buckets() {
  if (!source_.table.empty() || !sample_.is_exact) return;
  // Neighbours whose learned numbers are alike.
  BiasWay way = expected_way(expected_.type, expected_, sample_);
  if (is_learned() && way.fits_mask(sample_) && add_estimate(way, {}, estimate_slack)) return;
  // Distances at which a bucket begins, of keys before the query.
  const std::int64_t seen = -sample_.first;
  std::vector<std::int64_t> starts;
  for (std::int64_t x = 1; x <= seen && sample_.last_open >= 0; ++x)
    if (sample_.changes_at(static_cast<std::size_t>(1 - x - sample_.first)).value_or(false)) starts.push_back(x);
  if (seen < 3 || starts.empty()) return;
  way = {};
  way.mask = seen_mask(sample_, 0);
  way.type = "clipped";
  way.max_distance = starts.back();
  if (starts.back() < seen && add_estimate(way, {Mistake::buckets}, 1)) return;
  // A largest distance m has bucket e + k begin at e (m / e)^(k / (n - e)): each start that was seen bounds it, and so
  // does the first that was not.
  way.type = "t5";
  for (std::int64_t n = 4; n <= 256; ++n) {
    const std::int64_t exact = n / 2, later = std::ssize(starts) - exact;
    if (later < 1 || starts[static_cast<std::size_t>(exact) - 1] != exact || later >= n - exact) continue;
    const auto e = static_cast<double>(exact), steps = static_cast<double>(n - exact);
    const auto length_at = [&](std::int64_t start, std::int64_t bucket) {
      return e * std::pow(static_cast<double>(start) / e, steps / static_cast<double>(bucket));
    };
    double low = later + 1 < n - exact ? length_at(seen, later + 1) : e, high = most_estimated_length;
    for (std::int64_t k = 1; k <= later; ++k) {
      const std::int64_t start = starts[static_cast<std::size_t>(exact + k) - 1];
      low = std::max(low, length_at(start - 1, k));
      high = std::min(high, length_at(start, k));
    }
    for (const bool both : {true, false}) {
      way.bidirectional = both;
      way.buckets = both ? 2 * n : n;
      (void)shortest_number((low + high) / 2, [&](double length) {
        way.max_distance = static_cast<std::int64_t>(std::fmin(length, most_estimated_length));
        return add_estimate(way, {Mistake::buckets}, 1);
      });
    }
  }
}

/// KERPLE's two parameters a head.
void BiasSearch::estimate_kernels() {
  if (!source_.table.empty()) return;
  double sum = 0;
  for (std::size_t c = 0; c < sample_.distances; ++c) sum += sample_.has(0, c) ? sample_.middle(0, c) : 0;
  const auto fits = [&](BiasWay& way, std::size_t head) {
    double &r1 = way.numbers[2 * head], &r2 = way.numbers[2 * head + 1];
    // Values are nearest to multiples of the kernel, in logarithms: looked for coarsely, then nearer.
    const auto misfit = [&](double log_r2) {
      r2 = std::exp(log_r2);
      const BiasNumbers numbers = *BiasNumbers::make(way, source_);
      double offs = 0, squares = 0, count = 0;
      for (std::size_t c = 0; c < sample_.distances; c += sample_.distances / most_fitted + 1) {
        if (!sample_.has(head, c) || sample_.distance(c) == way.centre) continue;
        const double off = std::log(sample_.middle(head, c) / numbers.open_value(head, sample_.distance(c)));
        offs += off;
        squares += off * off;
        ++count;
      }
      return count < least_fitted ? std::nan("") : squares - offs * offs / count;
    };
    const double log_r2 = least_at(-12, way.type == "kerple-power" ? 0.75 : 12, 0.25, misfit);
    if (std::isnan(misfit(log_r2))) return false;
    // Whatever r2 is, r1 follows from the values.
    const auto explains_with = [&](double other) {
      r1 = 1, r2 = other;
      r1 = ratio_of_head(sample_, *BiasNumbers::make(way, source_), head).value_or(0);
      return r1 > 0 && explains_head(way, head);
    };
    const auto explains = [&](double shorter) {
      r1 = shorter;
      return explains_head(way, head);
    };
    return shortest_number(std::exp(log_r2), explains_with) && shortest_number(r1, explains);
  };
  for (const std::string_view type : {"kerple-log", "kerple-power"})
    for (const std::int64_t centre : possible_centres(sample_)) {
      BiasWay way;
      way.type = type;
      way.numbers.assign(2 * sample_.heads, 1);
      way.centre = centre;
      way.is_negative = sum > 0;
      way.mask = seen_mask(sample_, centre);
      std::size_t fitted = 0;
      while (fitted < sample_.heads && fits(way, fitted)) ++fitted;
      std::vector<Mistake> mistakes;
      if (!source_.parameters.empty()) mistakes.push_back(Mistake::distance);
      if (fitted == sample_.heads && add_estimate(way, std::move(mistakes), estimate_slack)) break;
    }
}

/// Any function of the distance; a single row is one whatever it is.
void BiasSearch::add_any_function() {
  if (!source_.table.empty() || !sample_.is_exact || sample_.queries < 2 || sample_.keys < 2) return;
  BiasWay way;
  way.type = "toeplitz";
  way.mask = seen_mask(sample_, 0);
  way.max_distance = std::numeric_limits<std::int64_t>::max();
  (void)add_estimate(way, {}, estimate_slack);
}

}  // namespace posenc::diagnosis
