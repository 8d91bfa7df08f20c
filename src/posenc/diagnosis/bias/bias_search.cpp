#include "posenc/diagnosis/bias/bias_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace posenc::diagnosis {
namespace {

constexpr std::array<std::string_view, 3> reach_names{"symmetric", "linear", "flat"};

/// More distances than this are not proposed.
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

FoundBias found_by(const BiasNumbers& numbers, const PairSample& sample, bool by_rows) {
  const BiasWay& way = numbers.way();
  FoundBias found;
  found.type = way.type;
  found.causal = way.mask != BiasMask::open;
  found.up_to_rows = by_rows;
  found.first_query = sample.first_query + way.centre;
  found.negative = way.is_negative || way.is_exchanged;
  if (way.has_slopes()) {
    for (std::size_t head = 0; head < sample.heads; ++head) found.slopes.push_back(numbers.slope(head));
    if (sample.last_open > way.centre) found.distance = reach_names[static_cast<std::size_t>(way.reach)];
    found.slope_rule = way.rule.name;
    found.rule_heads = way.rule.heads;
    found.rule_first = way.rule.first;
    found.rule_period = way.rule.period;
    found.steepness = way.steepness;
    found.factor = way.factor;
    return found;
  }
  if (way.type == "t5") found.parameters.push_back(static_cast<double>(way.buckets));
  found.parameters.push_back(static_cast<double>(way.max_distance));
  found.bidirectional = way.bidirectional;
  return found;
}

/// The options by which the library's function makes the bias of a table.
FoundMade made_by(const BiasWay& way, const PairSample& sample) {
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

}  // namespace

BiasSearch::BiasSearch(const PairSample& sample, const BiasExpectation& expected)
    : sample_(sample), expected_(expected) {}

bool BiasSearch::is_expected_type(std::string_view type) const {
  return expects(type) || (type == "alibi" && expects("linear"));
}

std::span<const float> BiasSearch::table() const { return expects("t5") ? expected_.table : std::span<const float>(); }

std::vector<Mistake> BiasSearch::named(std::string_view type, std::vector<Mistake> mistakes) const {
  if (expected_.type.empty()) return {};
  // Two options of one name are one mistake.
  const auto alike = std::ranges::unique(mistakes);
  mistakes.erase(alike.begin(), alike.end());
  if (is_expected_type(type)) return mistakes;
  std::erase_if(mistakes, [](Mistake mistake) { return !is_of_any_type(mistake); });
  mistakes.insert(mistakes.begin(), Mistake::distance);
  return mistakes;
}

void BiasSearch::add(const BiasNumbers& numbers, std::vector<Mistake> mistakes, const BiasResidual& residual,
                     bool is_estimated, bool by_rows) {
  const BiasWay& way = numbers.way();
  Explanation explanation;
  explanation.mistakes = named(way.type, std::move(mistakes));
  explanation.units = residual.units;
  explanation.ulps = residual.ulps;
  if (!expected_.type.empty()) {
    explanation.factor = (way.is_negative ? -1 : 1) / way.factor;
    if (way.centre != 0) explanation.shift = -static_cast<double>(way.centre);
  }
  if (way.type == "t5" && numbers.is_known())
    explanation.found = made_by(way, sample_);
  else
    explanation.found = found_by(numbers, sample_, by_rows);
  // No list has the numbers of a table that nobody gave, where all of them are one, nor a mask with holes.
  // Where nothing was expected, the numbers of learned buckets are read off the values as well.
  const bool is_guessed = !numbers.is_known() && (expected_.type.empty() || way.is_constant ||
                                                  (way.type == "clipped" && may_be_window(sample_, way)));
  left_.push_back(numbers);
  changes_.push_back(explanation.mistakes.size());
  const bool with_future = !expected_.type.empty() || sample_.last > 0;
  counting_.add(std::move(explanation), numbers_everywhere(numbers, sample_, with_future),
                is_estimated || is_guessed || sample_.has_holes);
}

void BiasSearch::look(std::string_view type, const BiasTerms& terms) {
  BiasWay right = expected_way(type, expected_, sample_);
  right.rounded = terms.rounded;
  std::vector<Mistake> always;
  if (terms.any_mask) {
    right.mask = BiasMask::open;
    always.push_back(Mistake::causal);
  }
  // Learned numbers that are different at all distances are those of any buckets: what was expected may be among them.
  bool says_nothing = false;
  const std::vector<ListedChange<BiasWay>> changes = bias_changes(type, expected_, sample_);
  for_each_listed(right, changes, true, [&](const BiasWay& way, std::vector<Mistake> mistakes) {
    // A place that no row shows, and a mask that is not looked at, are not asked about.
    if ((terms.by_rows && way.centre != 0) || (terms.any_mask && way.mask != BiasMask::open)) return true;
    if (!terms.any_mask && std::min(way.edge(), sample_.last) != sample_.last_open) return true;
    const auto numbers = BiasNumbers::make(way, sample_.heads, table(), sample_.type, lists_);
    if (!numbers) return true;
    // Slopes times keys start at the first key or end at the last one.
    auto residual = terms.by_rows ? compare_keys(sample_, *numbers, 0) : compare(sample_, *numbers, 1, terms.any_mask);
    if (!residual && terms.by_rows) residual = compare_keys(sample_, *numbers, sample_.keys - 1);
    if (!residual) return true;
    if (way == right && expects(type)) says_nothing = !residual->shows;
    if (!residual->shows && !says_nothing) return true;
    for (const Mistake mistake : always) mistakes.push_back(mistake);
    add(*numbers, std::move(mistakes), *residual, terms.any_mask || terms.rounded != RoundedFirst::nothing,
        terms.by_rows);
    return true;
  });
}

void BiasSearch::look_all(const BiasTerms& terms) {
  const bool is_learned = (expects("t5") && table().empty()) || expects("clipped");
  for (const std::string_view type : {"t5", "clipped"})
    if (expects(type)) look(type, terms);
  // Learned numbers may be any: those of a law as well.
  if (is_learned || counting_.empty()) look("alibi", terms);
  const bool is_row = sample_.queries == 1 && sample_.keys > 1 && !expects("t5") && !expects("clipped");
  if (!terms.any_mask && (counting_.empty() || is_row)) {
    BiasTerms by_rows = terms;
    by_rows.by_rows = true;
    look("alibi", by_rows);
  }
  if (!table().empty() || !sample_.is_exact) return;
  for (const std::string_view type : {"t5", "clipped"})
    if (counting_.empty() && !expects(type)) look(type, terms);
}

void BiasSearch::set_tells(Diagnosis& diagnosis) const {
  if (diagnosis.verdict != Verdict::ambiguous) return;
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
  if (next.empty() && !needs_keys && !left_.empty() && !left_[first].is_known()) diagnosis.tells.push_back("table");
}

void BiasSearch::set_departure(Diagnosis& diagnosis) {
  if (!expects("alibi") && table().empty()) return;
  const auto numbers =
      BiasNumbers::make(expected_way(expected_.type, expected_, sample_), sample_.heads, table(), sample_.type, lists_);
  if (!numbers) return;
  std::set<std::int64_t> queries, heads;
  for (std::size_t at = 0; at < sample_.values.size(); ++at) {
    const std::size_t key = at % sample_.keys, query = at / sample_.keys % sample_.queries;
    const std::size_t head = at / sample_.keys / sample_.queries % sample_.heads;
    const double given = sample_.values[at];
    const double meant = numbers->value(head, sample_.distance(sample_.queries - 1 - query + key));
    if (is_masked(given) && is_masked(meant)) continue;
    if (std::fabs(given - meant) <= numbers->noise(head, meant)) continue;
    queries.insert(static_cast<std::int64_t>(query));
    heads.insert(static_cast<std::int64_t>(head));
  }
  if (queries.size() == sample_.queries) return;
  diagnosis.departure.tokens.assign(queries.begin(), queries.end());
  diagnosis.departure.heads.assign(heads.begin(), heads.end());
  diagnosis.departure.of_tokens = static_cast<std::int64_t>(sample_.queries);
}

Diagnosis BiasSearch::diagnose() && {
  Diagnosis diagnosis;
  diagnosis.dtype = sample_.type.name;
  if (sample_.last_open < sample_.first) return diagnosis;
  // Learned biases start as zeros; and one distance has one value, whatever made it.
  const bool says_nothing = sample_.is_zero() || (sample_.distances == 1 && table().empty());
  if (says_nothing) {
    diagnosis.verdict = Verdict::too_little;
    return diagnosis;
  }
  look_all({});
  const bool has_own_mask =
      sample_.last_open != sample_.last && sample_.last_open != std::min<std::int64_t>(sample_.last, 0);
  if (counting_.empty() && has_own_mask) look_all({.any_mask = true});
  for (const RoundedFirst rounded : {RoundedFirst::slopes, RoundedFirst::both})
    if (counting_.empty() && sample_.type.digits < 24) look("alibi", {.rounded = rounded});
  for (const auto estimate : {&BiasSearch::estimate_factor, &BiasSearch::estimate_slopes, &BiasSearch::estimate_buckets,
                              &BiasSearch::estimate_kernels, &BiasSearch::add_any_function})
    if (counting_.empty()) (this->*estimate)();
  Diagnosis counted = std::move(counting_).take();
  counted.dtype = diagnosis.dtype;
  set_tells(counted);
  if (counted.explanations.empty()) set_departure(counted);
  return counted;
}

}  // namespace posenc::diagnosis
