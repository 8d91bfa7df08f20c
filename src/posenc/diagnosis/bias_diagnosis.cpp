#include "posenc/diagnosis/bias_diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/bias/bias_ways.hpp"
#include "posenc/diagnosis/engine/listed.hpp"
#include "posenc/relative/swin.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

constexpr std::array<std::string_view, 3> reach_names{"symmetric", "linear", "flat"};

/// At most so many distances are proposed.
constexpr std::size_t most_bias_next = 8;

/// The mistakes of a bias of another type than the expected one that mean the same.
bool is_of_any_type(Mistake mistake) {
  return mistake == Mistake::sign || mistake == Mistake::first_position || mistake == Mistake::causal;
}

/// Whether all values from the distance on at which a bias is clipped are one, in all heads and on both sides: a mask
/// of a window may be such a constant, too.
bool may_be_window(const PairSample& sample, const BiasWay& way) {
  std::set<double> ends;
  for (std::size_t head = 0; head < sample.heads; ++head)
    for (std::size_t c = 0; c < sample.distances; ++c)
      if (sample.has(head, c) && std::abs(sample.distance(c) - way.centre) >= way.max_distance)
        ends.insert(sample.middle(head, c));
  return ends.size() == 1;
}

FoundBias found_by(const BiasNumbers& numbers, const PairSample& sample, const BiasSource& source, bool by_rows) {
  const BiasWay& way = numbers.way();
  FoundBias found;
  found.type = name_of(way.type);
  found.causal = way.mask != BiasMask::open;
  found.up_to_rows = by_rows;
  found.first_query = sample.first_query + way.centre;
  found.negative = way.is_negative || (way.is_exchanged && !way.is_kernel());
  found.factor = way.factor;
  if (way.is_kernel()) {
    const std::span<const double> own = way.numbers.empty() ? source.parameters : way.numbers;
    found.parameters.assign(own.begin(), own.end());
    for (std::size_t at = 0; way.is_exchanged && at < found.parameters.size(); at += 2)
      std::swap(found.parameters[at], found.parameters[at + 1]);
  } else if (way.has_slopes() || way.type == BiasType::linear) {
    for (std::size_t head = 0; head < sample.heads; ++head) found.slopes.push_back(numbers.slope(head));
    if (sample.last_open > way.centre) found.distance = reach_names[static_cast<std::size_t>(way.reach)];
    if (!way.has_slopes()) return found;
    found.slope_rule = way.rule.name;
    found.rule_heads = way.rule.heads;
    found.rule_first = way.rule.first;
    found.rule_period = way.rule.period;
    found.steepness = way.steepness;
  } else if (way.type != BiasType::toeplitz) {
    if (way.type == BiasType::t5) found.parameters.push_back(static_cast<double>(way.buckets));
    found.parameters.push_back(static_cast<double>(way.max_distance));
    found.bidirectional = way.bidirectional;
  }
  return found;
}

/// The options by which the library's function makes the ids of a window, or the bias of a table.
FoundMade made_by(const BiasWay& way, const PairSample& sample) {
  if (way.is_window()) {
    FoundMade made{.function = way.type == BiasType::ids ? "swinIndex" : "swinBias", .options = {}};
    const std::vector<std::int64_t>& extents = way.window.extents;
    if (extents.size() > 2) made.options.push_back({"depth", static_cast<double>(extents[0])});
    made.options.push_back({"height", static_cast<double>(extents[extents.size() - 2])});
    made.options.push_back({"width", static_cast<double>(extents.back())});
    if (way.window.class_token) made.options.push_back({"classToken", true});
    return made;
  }
  FoundMade found{.function = "t5"};
  found.options = {{"queries", static_cast<double>(sample.queries)},
                   {"keys", static_cast<double>(sample.keys)},
                   {"buckets", static_cast<double>(way.buckets)},
                   {"maxDistance", static_cast<double>(way.max_distance)},
                   {"bidirectional", way.bidirectional},
                   {"queryOffset", static_cast<double>(sample.first_query + way.centre)},
                   {"future", std::string_view(way.mask == BiasMask::open ? "keep" : "mask")}};
  return found;
}

/// An estimate is off, too: values are as far from it as their rounding and its own error, which is the smaller one.
constexpr double estimate_slack = 2;

/// Fewer values than this do not determine two parameters; so many are looked at for an estimate.
constexpr std::size_t least_fitted = 4, most_fitted = 64;

constexpr std::int64_t most_estimated_length = 1 << 20;

/// What a head's values are of those that a way makes; nothing of fewer than `least`.
std::optional<double> ratio_of_head(const PairSample& sample, const BiasNumbers& numbers, std::size_t head,
                                    double least = 2) {
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
  return count < least ? std::nullopt : std::optional(sum / count);
}

/// Where a bias of no list may have its queries: where they are, a few places off, at 0.
std::vector<std::int64_t> possible_centres(const PairSample& sample) {
  return {0, 1, -1, 2, -2, 3, -3, -sample.first_query};
}

/// The mask that shows, about a centre.
BiasMask seen_mask(const PairSample& sample, std::int64_t centre) {
  if (sample.last_open == sample.last) return BiasMask::open;
  if (centre != 0 && sample.last_open == std::min(centre, sample.last)) return BiasMask::moved;
  return sample.last_open == std::min<std::int64_t>(0, sample.last) ? BiasMask::own : BiasMask::seen;
}

/// Counts the ways that make every value of a bias.
class BiasSearch {
 public:
  BiasSearch(const PairSample& sample, const BiasExpectation& expected)
      : sample_(sample), expected_(expected), type_(bias_type_of(expected.type).value_or(BiasType::any)) {
    source_.heads = sample.heads;
    source_.type = sample.type;
    if (expects(BiasType::t5) || expects(BiasType::swin)) source_.table = expected.table;
    if (is_kernel(type_)) source_.parameters = expected.parameters;
  }

  [[nodiscard]] Diagnosis diagnose() && {
    const std::string_view type = sample_.type.name;
    if (sample_.last_open < sample_.first) {
      Diagnosis masked;
      masked.dtype = type;
      return masked;
    }
    // Learned biases start as zeros; and one distance has one value, whatever made it, but for the one id of one token.
    const bool is_window = expects(BiasType::swin) || expects(BiasType::ids),
               is_token = expects(BiasType::ids) && sample_.keys == 1;
    if (!is_token && (sample_.is_zero() || (sample_.distances == 1 && source_.table.empty())))
      return too_little_of(type);
    if (is_window) {
      look(type_);
      if (counting_.empty() && expects(BiasType::swin)) estimate_numbers();
    } else {
      search();
      if (counting_.empty() && source_.table.empty() && fits_any_slopes()) return too_little_of(type);
    }
    return concluded(
        std::move(counting_), type, [&](Diagnosis& found) { set_tells(found); }, [&] { return departure(); });
  }

 private:
  /// How ways are compared.
  enum class Terms : std::uint8_t {
    plain,
    by_rows,   ///< up to a constant of each row
    any_mask,  ///< what is masked is not looked at
    products,  ///< of slopes with keys and with queries, rounded apart
  };

  [[nodiscard]] bool expects(BiasType type) const { return type_ == type; }

  [[nodiscard]] bool is_learned() const {
    return (expects(BiasType::t5) && source_.table.empty()) || expects(BiasType::clipped);
  }

  [[nodiscard]] std::vector<Mistake> named(BiasType type, std::vector<Mistake> mistakes) const {
    if (expects(BiasType::any)) return {};
    // Two options of one name are one mistake.
    const auto alike = std::ranges::unique(mistakes);
    mistakes.erase(alike.begin(), alike.end());
    if (expects(type) || (is_kernel(type) && !source_.parameters.empty())) return mistakes;
    std::erase_if(mistakes, [](Mistake mistake) { return !is_of_any_type(mistake); });
    mistakes.insert(mistakes.begin(), Mistake::distance);
    return mistakes;
  }

  void add(const BiasNumbers& numbers, std::vector<Mistake> mistakes, const BiasResidual& residual,
           bool by_rows = false) {
    const BiasWay& way = numbers.way();
    Explanation explanation;
    explanation.mistakes = std::move(mistakes);
    explanation.units = residual.units;
    explanation.ulps = residual.ulps;
    if (!expects(BiasType::any)) {
      explanation.factor = (way.is_negative ? -1 : 1) / way.factor;
      explanation.shift = 0 - static_cast<double>(way.centre) - way.offset;
    }
    if (way.is_window() || (way.type == BiasType::t5 && numbers.is_known()))
      explanation.found = made_by(way, sample_);
    else
      explanation.found = found_by(numbers, sample_, source_, by_rows);
    // A table that was not given, constants and masks with holes are on no list: their numbers are guessed.
    // Where nothing was expected, the numbers of learned buckets are read off the values as well.
    const bool is_guessed = !numbers.is_known() && (expects(BiasType::any) || way.is_constant ||
                                                    (way.type == BiasType::clipped && may_be_window(sample_, way)));
    left_.push_back(numbers);
    changes_.push_back(explanation.mistakes.size());
    const bool with_future = !expects(BiasType::any) || sample_.last > 0;
    counting_.add(std::move(explanation), numbers_everywhere(numbers, sample_, with_future),
                  residual.is_estimated || is_guessed || sample_.has_holes);
  }

  void look(BiasType type, Terms terms = Terms::plain) {
    BiasWay right = expected_way(type, expected_, sample_);
    const bool by_rows = terms == Terms::by_rows, any_mask = terms == Terms::any_mask;
    if (any_mask) right.mask = BiasMask::seen;
    if (terms == Terms::products) right.rounding = BiasRounding::products;
    // Learned numbers that are different at all distances are those of any buckets: what was expected may be among
    // them.
    bool says_nothing = false;
    const ListedChanges<BiasWay> changes = bias_changes(type, expected_, sample_);
    // Constants of rows and rounded products are no mistakes: one mistake may come with them, two in single rows only.
    const bool with_pairs = (!by_rows && terms != Terms::products) || sample_.queries == 1;
    for_each_listed(right, changes, with_pairs, [&](const BiasWay& way, std::vector<Mistake> mistakes) {
      // A place that no row shows, and a mask that is not looked at, are not asked about.
      if ((by_rows && way.centre != 0) || (any_mask && way.mask != BiasMask::seen)) return true;
      if (terms == Terms::products && way.rounding != BiasRounding::products) return true;
      if (!way.fits_mask(sample_)) return true;
      const auto numbers = BiasNumbers::make(way, source_);
      if (!numbers) return true;
      auto residual = by_rows ? compare_rows(sample_, *numbers) : compare(sample_, *numbers);
      if (!residual) return true;
      if (way == right && expects(type)) says_nothing = !residual->shows;
      if (!residual->shows && !says_nothing) return true;
      if (any_mask) mistakes.push_back(Mistake::causal);
      // Float32's own roundings are no mistake.
      if (terms == Terms::products && sample_.type.is_coarse()) mistakes.push_back(Mistake::terms_rounded);
      residual->is_estimated |= any_mask;
      add(*numbers, named(type, std::move(mistakes)), *residual, by_rows);
      return true;
    });
  }

  /// Whether no head has more than one value beside zeros, which are slopes of some rule whatever they are.
  [[nodiscard]] bool fits_any_slopes() const {
    for (std::size_t head = 0; head < sample_.heads; ++head) {
      std::size_t count = 0;
      for (std::size_t c = 0; c < sample_.distances; ++c)
        if (sample_.has(head, c) && sample_.middle(head, c) != 0 && ++count > 1) return false;
    }
    return sample_.is_exact;
  }

  void look_all(Terms terms) {
    const bool has_kernel = !source_.parameters.empty();
    if (expects(BiasType::t5) || expects(BiasType::clipped) || has_kernel) look(type_, terms);
    // Learned numbers may be any: those of a law as well.
    if (is_learned() || counting_.empty()) look(BiasType::alibi, terms);
    if (!source_.table.empty() || has_kernel || !sample_.is_exact) return;
    for (const BiasType type : {BiasType::t5, BiasType::clipped})
      if (counting_.empty() && !expects(type)) look(type, terms);
  }

  void set_tells(Diagnosis& diagnosis) const {
    if (left_[0].way().is_window()) {
      // All pairs are here: only a table whose rows differ can tell more.
      if (expects(BiasType::swin)) diagnosis.tells = {"table"};
      return;
    }
    const auto first = static_cast<std::size_t>(std::ranges::min_element(changes_) - changes_.begin());
    std::set<double> next;
    bool needs_keys = false;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const auto distance = telling_distance(left_[first], left_[i], sample_);
      if (!distance) continue;
      if (*distance > 0 && sample_.last <= 0)
        needs_keys = true;
      else
        next.insert(static_cast<double>(*distance));
    }
    diagnosis.next.assign(next.rbegin(), next.rend());
    if (diagnosis.next.size() > most_bias_next) diagnosis.next.resize(most_bias_next);
    if (needs_keys) diagnosis.tells.push_back("keys");
    // Queries and keys that are exchanged have buckets, too: the table says which are which.
    if (next.empty() && !needs_keys && !left_[first].is_known()) diagnosis.tells.push_back("table");
  }

  [[nodiscard]] Departure departure() {
    const auto numbers = BiasNumbers::make(expected_way(type_, expected_, sample_), source_);
    if (expects(BiasType::any) || !numbers || !numbers->is_known()) return {};
    Departures made;
    for (std::size_t at = 0; at < sample_.values.size(); ++at) {
      const std::size_t head = sample_.head_of(at), query = sample_.query_of(at);
      const double given = sample_.values[at], meant = numbers->value_of(sample_, head, query, sample_.key_of(at));
      if (given == meant || (is_masked(given) && is_masked(meant))) continue;
      if (!(std::fabs(given - meant) <= numbers->noise(head, meant))) made.add(query, head);
    }
    return made.take(sample_.queries, !expects(BiasType::ids));
  }

  /// Tries the listed biases of the distance, and estimates one where none of them explains the values.
  void search() {
    look_all(Terms::plain);
    // A single row may have its constant in any case; of others one is looked for where nothing else explains them.
    const bool is_row =
        sample_.queries == 1 && sample_.keys > 1 && !expects(BiasType::t5) && !expects(BiasType::clipped);
    if (is_row) look(BiasType::alibi, Terms::by_rows);
    if (counting_.empty() && !sample_.is_exact) look(BiasType::alibi, Terms::products);
    if (counting_.empty() && sample_.keys > 1) look_all(Terms::by_rows);
    if (counting_.empty() && seen_mask(sample_, 0) == BiasMask::seen) look_all(Terms::any_mask);
    for (const auto estimate :
         {&BiasSearch::estimate_numbers, &BiasSearch::estimate_slopes, &BiasSearch::estimate_buckets,
          &BiasSearch::estimate_kernels, &BiasSearch::add_any_function})
      if (counting_.empty()) (this->*estimate)();
  }

  [[nodiscard]] bool explains_head(const BiasWay& way, std::size_t head) {
    const auto numbers = BiasNumbers::make(way, source_);
    return numbers && compare(sample_, *numbers, estimate_slack, head);
  }

  bool add_estimate(const BiasWay& way, std::vector<Mistake> mistakes, double slack) {
    const auto numbers = BiasNumbers::make(way, source_);
    auto residual = numbers ? compare(sample_, *numbers, slack) : std::nullopt;
    if (!residual || !residual->shows) return false;
    if (way.is_negative) mistakes.push_back(Mistake::sign);
    if (way.centre != 0) mistakes.push_back(Mistake::first_position);
    if (sample_.last > 0 && (way.mask != BiasMask::open) != expected_.causal) mistakes.push_back(Mistake::causal);
    residual->is_estimated = true;
    add(*numbers, named(way.type == BiasType::linear ? BiasType::alibi : way.type, std::move(mistakes)), *residual);
    return true;
  }

  /// A factor, or ALiBi's steepness, beside one change at most.
  void estimate_numbers() {
    const bool has_numbers = !source_.table.empty() || !source_.parameters.empty();
    const BiasType type = has_numbers ? type_ : BiasType::alibi;
    const BiasWay right = expected_way(type, expected_, sample_);
    const auto use = [&](const BiasWay& way, const std::vector<Mistake>& mistakes) {
      if (mistakes.size() == 1 && !counting_.empty()) return false;
      const auto numbers = BiasNumbers::make(way, source_);
      if (!numbers || !way.fits_mask(sample_)) return true;
      // Where the steepness is another one, logarithms of the ratios lie on a line through 0.
      double logs = 0, products = 0, squares = 0, count = 0;
      // One value has a factor whatever it is; those of several heads have one if the rule of their slopes is right.
      const double least = sample_.heads > 1 && way.has_slopes() ? 1 : 2;
      for (std::size_t head = 0; head < sample_.heads; ++head) {
        const auto ratio = ratio_of_head(sample_, *numbers, head, least);
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
  void estimate_slopes() {
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
        way.type = BiasType::linear;
        way.numbers.assign(sample_.heads, 1);
        way.reach = reach;
        way.centre = centre;
        way.mask = seen_mask(sample_, centre);
        if (!fits(way)) continue;
        way.is_negative = std::ranges::all_of(way.numbers, [](double slope) { return slope < 0; });
        std::vector<Mistake> mistakes{Mistake::slopes};
        if (reach != expected_way(BiasType::alibi, expected_, sample_).reach && sample_.last_open > centre)
          mistakes.push_back(Mistake::distance);
        if (add_estimate(way, std::move(mistakes), estimate_slack)) return;
      }
  }

  void estimate_buckets() {
    if (!source_.table.empty() || !sample_.is_exact) return;
    // Neighbours whose learned numbers are alike.
    BiasWay way = expected_way(type_, expected_, sample_);
    if (is_learned() && way.fits_mask(sample_) && add_estimate(way, {}, estimate_slack)) return;
    // Distances at which a bucket begins, of keys before the query.
    const std::int64_t seen = -sample_.first;
    std::vector<std::int64_t> starts;
    for (std::int64_t x = 1; x <= seen && sample_.last_open >= 0; ++x)
      if (sample_.changes_at(static_cast<std::size_t>(1 - x - sample_.first)).value_or(false)) starts.push_back(x);
    if (seen < 3 || starts.empty()) return;
    way = {};
    way.mask = seen_mask(sample_, 0);
    way.type = BiasType::clipped;
    way.max_distance = starts.back();
    if (starts.back() < seen && add_estimate(way, {Mistake::buckets}, 1)) return;
    // A largest distance m has bucket e + k begin at e (m / e)^(k / (n - e)): each start that was seen bounds it, and
    // so does the first that was not.
    way.type = BiasType::t5;
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
  void estimate_kernels() {
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
      const double log_r2 = least_at(-12, way.type == BiasType::kerple_power ? 0.75 : 12, 0.25, misfit);
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
    for (const BiasType type : {BiasType::kerple_log, BiasType::kerple_power})
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
  void add_any_function() {
    if (!source_.table.empty() || !sample_.is_exact || sample_.queries < 2 || sample_.keys < 2) return;
    BiasWay way;
    way.type = BiasType::toeplitz;
    way.mask = seen_mask(sample_, 0);
    way.max_distance = std::numeric_limits<std::int64_t>::max();
    (void)add_estimate(way, {}, estimate_slack);
  }

  const PairSample& sample_;
  const BiasExpectation& expected_;
  BiasType type_;
  BiasSource source_;
  Counting counting_;
  std::vector<BiasNumbers> left_;     ///< the ways that explain the values
  std::vector<std::size_t> changes_;  ///< the number of mistakes of each
};

/// No model has more buckets.
constexpr std::int64_t most_buckets = 4096;

Expected<void> check_expected_bias(const BiasExpectation& expected, const PairSample& sample) {
  if (bias_type_of(expected.type).value_or(BiasType::toeplitz) > BiasType::swin)
    return invalid_argument("expected.type", expected.type,
                            {R"("alibi", "t5", "kerple-log", "kerple-power", "clipped" or "swin")"});
  POSENC_TRY(from_name<AlibiSlopes>(expected.slopes));
  POSENC_TRY(from_name<AlibiDistance>(expected.distance));
  const bool has_steepness = expected.steepness > 0 && expected.steepness <= most_steepness;
  if (!has_steepness)
    return invalid_argument("expected.steepness", expected.steepness, expected::above_to, {0, most_steepness});
  const auto heads = static_cast<std::int64_t>(sample.heads);
  POSENC_TRY(check_whole("expected.heads", expected.heads.value_or(heads), heads, max_heads));
  POSENC_TRY(check_whole("expected.firstHead", expected.first_head, 0, expected.heads.value_or(heads) - heads));
  POSENC_TRY(check_whole("expected.buckets", expected.buckets, 2, most_buckets));
  POSENC_TRY(check_whole("expected.maxDistance", expected.max_distance, 1, max_positions));
  if (!expected.parameters.empty())
    POSENC_TRY(check_size("expected.parameters", expected.parameters.size(), sample.heads, std::size_t{2}));
  for (const double parameter : expected.parameters)
    if (parameter <= 0 || !std::isfinite(parameter))
      return invalid_argument("expected.parameters", parameter, expected::finite_above, {0});
  if (expected.type != "t5" || expected.table.empty()) return {};
  // Options that T5's own function refuses are refused in its words.
  POSENC_TRY(T5Buckets::make({expected.buckets, expected.max_distance, expected.bidirectional}));
  return check_size("expected.table", expected.table.size(), static_cast<std::size_t>(expected.buckets), sample.heads);
}

/// The tokens of a window.
Expected<std::size_t> window_tokens(const WindowExpectation& window) {
  POSENC_TRY(check_whole("expected.window", static_cast<std::int64_t>(window.extents.size()), 2, 3));
  for (const std::int64_t extent : window.extents) POSENC_TRY(check_whole("expected.window", extent, 1, max_side));
  // Where a size has 32 bits, a window that no memory has is the largest of its sizes, and not a remainder.
  constexpr std::int64_t most = std::numeric_limits<std::ptrdiff_t>::max();
  return static_cast<std::size_t>(std::min(WindowWay{window.extents, window.class_token}.tokens(), most));
}

}  // namespace

Expected<Diagnosis> diagnose_bias(const BiasSamples& samples, const BiasExpectation& expected) {
  POSENC_TRY_LET(sample, PairSample::make(samples));
  POSENC_TRY(check_expected_bias(expected, sample));
  if (expected.type == "swin") {
    POSENC_TRY_LET(tokens, window_tokens(expected.window));
    POSENC_TRY(check_size("bias.data", sample.queries * sample.keys, tokens, tokens));
    const auto rows = WindowWay{expected.window.extents, expected.window.class_token}.rows();
    POSENC_TRY(check_size("expected.table", expected.table.size(), static_cast<std::size_t>(rows), sample.heads));
  }
  return BiasSearch(sample, expected).diagnose();
}

Expected<Diagnosis> diagnose_window_ids(const SampledTensor& ids, const WindowExpectation& expected) {
  POSENC_TRY_LET(tokens, window_tokens(expected));
  // Divided and not multiplied: the pairs of a large window may not fit into a size.
  const std::size_t rows = ids.values.size() / tokens;
  if (ids.values.empty() || rows * tokens != ids.values.size() || rows % tokens != 0)
    POSENC_TRY(check_size("ids.data", ids.values.size(), tokens, tokens));
  for (std::size_t at = 0; at < ids.values.size(); ++at)
    if (!std::isfinite(ids.values[at]))
      return invalid_argument("ids.data[" + decimal(at) + "]", ids.values[at], expected::finite);
  const auto side = static_cast<std::int64_t>(tokens);
  POSENC_TRY_LET(sample, PairSample::make({{ids.values, {static_cast<std::int64_t>(rows) / side, 1, side, side}}}));
  const BiasExpectation meant{.type = "ids", .window = expected};
  Diagnosis found = BiasSearch(sample, meant).diagnose();
  found.dtype = "float64";
  return found;
}

}  // namespace posenc
