#include "posenc/diagnosis/bias/bias_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "posenc/diagnosis/engine/listed.hpp"

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

FoundBias found_by(const BiasNumbers& numbers, const PairSample& sample, const BiasSource& source, bool by_rows) {
  const BiasWay& way = numbers.way();
  FoundBias found;
  found.type = way.type;
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
  } else if (way.has_slopes() || way.type == "linear") {
    for (std::size_t head = 0; head < sample.heads; ++head) found.slopes.push_back(numbers.slope(head));
    if (sample.last_open > way.centre) found.distance = reach_names[static_cast<std::size_t>(way.reach)];
    if (!way.has_slopes()) return found;
    found.slope_rule = way.rule.name;
    found.rule_heads = way.rule.heads;
    found.rule_first = way.rule.first;
    found.rule_period = way.rule.period;
    found.steepness = way.steepness;
  } else if (way.type != "toeplitz") {
    if (way.type == "t5") found.parameters.push_back(static_cast<double>(way.buckets));
    found.parameters.push_back(static_cast<double>(way.max_distance));
    found.bidirectional = way.bidirectional;
  }
  return found;
}

/// The options by which the library's function makes the ids of a window, or the bias of a table.
FoundMade made_by(const BiasWay& way, const PairSample& sample) {
  if (way.is_window()) {
    FoundMade made{.function = way.type == "ids" ? "swinIndex" : "swinBias", .options = {}};
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

}  // namespace

BiasSearch::BiasSearch(const PairSample& sample, const BiasExpectation& expected)
    : sample_(sample), expected_(expected) {
  source_.heads = sample.heads;
  source_.type = sample.type;
  if (expects("t5") || expects("swin")) source_.table = expected.table;
  if (expected.type.starts_with("kerple")) source_.parameters = expected.parameters;
}

bool BiasSearch::is_learned() const { return (expects("t5") && source_.table.empty()) || expects("clipped"); }

std::vector<Mistake> BiasSearch::named(std::string_view type, std::vector<Mistake> mistakes) const {
  if (expected_.type.empty()) return {};
  // Two options of one name are one mistake.
  const auto alike = std::ranges::unique(mistakes);
  mistakes.erase(alike.begin(), alike.end());
  if (expects(type) || (type.starts_with("kerple") && !source_.parameters.empty())) return mistakes;
  std::erase_if(mistakes, [](Mistake mistake) { return !is_of_any_type(mistake); });
  mistakes.insert(mistakes.begin(), Mistake::distance);
  return mistakes;
}

void BiasSearch::add(const BiasNumbers& numbers, std::vector<Mistake> mistakes, const BiasResidual& residual,
                     bool by_rows) {
  const BiasWay& way = numbers.way();
  Explanation explanation;
  explanation.mistakes = std::move(mistakes);
  explanation.units = residual.units;
  explanation.ulps = residual.ulps;
  if (!expected_.type.empty()) {
    explanation.factor = (way.is_negative ? -1 : 1) / way.factor;
    explanation.shift = 0 - static_cast<double>(way.centre) - way.offset;
  }
  if (way.is_window() || (way.type == "t5" && numbers.is_known()))
    explanation.found = made_by(way, sample_);
  else
    explanation.found = found_by(numbers, sample_, source_, by_rows);
  // No list has the numbers of a table that nobody gave, where all of them are one, nor a mask with holes.
  // Where nothing was expected, the numbers of learned buckets are read off the values as well.
  const bool is_guessed = !numbers.is_known() && (expected_.type.empty() || way.is_constant ||
                                                  (way.type == "clipped" && may_be_window(sample_, way)));
  left_.push_back(numbers);
  changes_.push_back(explanation.mistakes.size());
  const bool with_future = !expected_.type.empty() || sample_.last > 0;
  counting_.add(std::move(explanation), numbers_everywhere(numbers, sample_, with_future),
                residual.is_estimated || is_guessed || sample_.has_holes);
}

void BiasSearch::look(std::string_view type, Terms terms) {
  BiasWay right = expected_way(type, expected_, sample_);
  const bool by_rows = terms == Terms::by_rows, any_mask = terms == Terms::any_mask;
  if (any_mask) right.mask = BiasMask::open;
  if (terms == Terms::products) right.rounding = BiasRounding::products;
  // Learned numbers that are different at all distances are those of any buckets: what was expected may be among them.
  bool says_nothing = false;
  const std::vector<ListedChange<BiasWay>> changes = bias_changes(type, expected_, sample_);
  // What is no mistake by itself comes with one at most, but for single rows, which show little.
  const bool with_pairs = (!by_rows && terms != Terms::products) || sample_.queries == 1;
  for_each_listed(right, changes, with_pairs, [&](const BiasWay& way, std::vector<Mistake> mistakes) {
    // A place that no row shows, and a mask that is not looked at, are not asked about.
    if ((by_rows && way.centre != 0) || (any_mask && way.mask != BiasMask::open)) return true;
    if (terms == Terms::products && way.rounding != BiasRounding::products) return true;
    if (!any_mask && !way.fits_mask(sample_)) return true;
    const auto numbers = BiasNumbers::make(way, source_);
    if (!numbers) return true;
    auto residual = by_rows ? compare_rows(sample_, *numbers) : compare(sample_, *numbers, 1, any_mask);
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

void BiasSearch::look_all(Terms terms) {
  const bool has_kernel = !source_.parameters.empty();
  if (expects("t5") || expects("clipped") || has_kernel) look(expected_.type, terms);
  // Learned numbers may be any: those of a law as well.
  if (is_learned() || counting_.empty()) look("alibi", terms);
  if (!source_.table.empty() || has_kernel || !sample_.is_exact) return;
  for (const std::string_view type : {"t5", "clipped"})
    if (counting_.empty() && !expects(type)) look(type, terms);
}

void BiasSearch::set_tells(Diagnosis& diagnosis) const {
  if (diagnosis.verdict != Verdict::ambiguous || left_.empty()) return;
  if (left_[0].way().is_window()) {
    // All pairs are here: only a table whose rows differ can tell more.
    if (expects("swin")) diagnosis.tells = {"table"};
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

Departure BiasSearch::departure() {
  const auto numbers = BiasNumbers::make(expected_way(expected_.type, expected_, sample_), source_);
  if (expected_.type.empty() || !numbers || !numbers->is_known()) return {};
  Departures made;
  for (std::size_t at = 0; at < sample_.values.size(); ++at) {
    const std::size_t head = sample_.head_of(at), query = sample_.query_of(at);
    const double given = sample_.values[at], meant = numbers->value_of(sample_, head, query, sample_.key_of(at));
    if (given == meant || (is_masked(given) && is_masked(meant))) continue;
    if (!(std::fabs(given - meant) <= numbers->noise(head, meant))) made.add(query, head);
  }
  return made.take(sample_.queries, !expects("ids"));
}

/// All that a bias of the distance may be: what is listed, and where that explains nothing what is estimated.
void BiasSearch::search() {
  look_all(Terms::plain);
  // A single row may have its constant in any case; of others one is looked for where nothing else explains them.
  const bool is_row = sample_.queries == 1 && sample_.keys > 1 && !expects("t5") && !expects("clipped");
  if (is_row) look("alibi", Terms::by_rows);
  if (counting_.empty() && !sample_.is_exact) look("alibi", Terms::products);
  if (counting_.empty() && sample_.keys > 1) look_all(Terms::by_rows);
  const bool has_own_mask =
      sample_.last_open != sample_.last && sample_.last_open != std::min<std::int64_t>(sample_.last, 0);
  if (counting_.empty() && has_own_mask) look_all(Terms::any_mask);
  for (const auto estimate :
       {&BiasSearch::estimate_numbers, &BiasSearch::estimate_slopes, &BiasSearch::estimate_buckets,
        &BiasSearch::estimate_kernels, &BiasSearch::add_any_function})
    if (counting_.empty()) (this->*estimate)();
}

Diagnosis BiasSearch::diagnose() && {
  Diagnosis diagnosis;
  diagnosis.dtype = sample_.type.name;
  if (sample_.last_open < sample_.first) return diagnosis;
  // Learned biases start as zeros; and one distance has one value, whatever made it, but for the one id of one token.
  const bool is_window = expects("swin") || expects("ids"), is_token = expects("ids") && sample_.keys == 1;
  if (!is_token && (sample_.is_zero() || (sample_.distances == 1 && source_.table.empty()))) {
    diagnosis.verdict = Verdict::too_little;
    return diagnosis;
  }
  if (is_window) {
    look(expected_.type);
    if (counting_.empty() && expects("swin")) estimate_numbers();
  } else {
    search();
  }
  Diagnosis counted = std::move(counting_).take();
  counted.dtype = diagnosis.dtype;
  set_tells(counted);
  if (counted.explanations.empty()) counted.departure = departure();
  return counted;
}

}  // namespace posenc::diagnosis
