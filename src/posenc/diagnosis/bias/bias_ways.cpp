#include "posenc/diagnosis/bias/bias_ways.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "posenc/relative/relative_position.hpp"

namespace posenc::diagnosis {
namespace {

/// Parts of a computation: two changes of one part are none of a pair.
enum BiasPart : std::uint8_t {
  bias_slopes_part,
  bias_steepness_part,
  bias_reach_part,
  bias_buckets_part,
  bias_place_part,
  bias_factor_part,
  bias_sign_part,
  bias_exchange_part,
  bias_mask_part
};

constexpr std::array<double, 10> bias_steepnesses{16, 4, 2, 1, 32, 8, 6, 10, 12, 5};
constexpr std::array<std::int64_t, 10> bias_bucket_counts{32, 64, 16, 128, 8, 24, 48, 40, 20, 12};
constexpr std::array<std::int64_t, 13> bias_lengths{128, 64, 256, 512, 1024, 32, 16, 8, 20, 50, 100, 200, 2048};
constexpr std::array<std::int64_t, 6> bias_shifts{1, -1, 2, -2, 3, -3};

/// Roundings of a product in float32 and of what it is made of; a value of a table is copied.
constexpr double product_roundings = 4;

/// Every distance up to this one is looked at where tables are compared, and powers of two beyond: no list's bucket
/// begins later.
constexpr std::int64_t near_distance = 256, compared_distance = 2200, farthest_distance = 1 << 20;

/// What is masked, as a number like any other.
constexpr double masked_number = -0x1p100;

const std::vector<double>& listed_bias_factors() {
  static const std::vector<double> factors = [] {
    std::vector<double> made{1.4426950408889634, 0.6931471805599453, 0.5, 2};
    for (const double dim : {64, 128, 96, 80, 256, 32, 40, 48, 72, 112, 160, 192})
      for (const double factor : {1 / std::sqrt(dim), std::sqrt(dim), 1 / dim}) made.push_back(factor);
    return made;
  }();
  return factors;
}

/// Whether two ways differ at a distance as far as values show it: of those that are not known, where they change.
bool differ_at(const BiasNumbers& a, const BiasNumbers& b, std::size_t heads, std::int64_t d) {
  const bool is_masked_here = d > a.way().edge();
  if (is_masked_here != (d > b.way().edge()) || a.is_known() != b.is_known()) return true;
  if (is_masked_here) return false;
  if (!a.is_known()) return (a.bucket(d) == a.bucket(d - 1)) != (b.bucket(d) == b.bucket(d - 1));
  for (std::size_t head = 0; head < heads; ++head) {
    const double one = a.value(head, d), other = b.value(head, d);
    if (one == other) continue;
    if (!(std::fabs(one - other) <= a.noise(head, one) + b.noise(head, other))) return true;
  }
  return false;
}

/// Whether values change nowhere but where buckets do, and there everywhere, unless neighbours may be alike; and
/// whether any two distances have one value: where none have, any function would do.
struct BucketSteps {
  bool fit = false, show_buckets = false;
};
BucketSteps compare_steps(const PairSample& sample, const BiasNumbers& numbers, bool may_be_alike) {
  BucketSteps steps;
  if (!sample.is_exact) return steps;
  for (std::size_t c = 1; c < sample.distances; ++c) {
    bool is_seen = false, changes = false;
    for (std::size_t head = 0; head < sample.heads; ++head) {
      if (!sample.has(head, c) || !sample.has(head, c - 1)) continue;
      is_seen = true;
      changes |= sample.middle(head, c) != sample.middle(head, c - 1);
    }
    if (!is_seen) continue;
    const std::int64_t d = sample.distance(c);
    const bool is_step = numbers.bucket(d) != numbers.bucket(d - 1);
    if (changes != is_step && (changes || !may_be_alike)) return steps;
    steps.show_buckets |= !is_step;
  }
  steps.fit = true;
  return steps;
}

}  // namespace

double reach_of(Reach reach, std::int64_t x) {
  if (reach == Reach::symmetric) return static_cast<double>(x < 0 ? x : -x);
  return static_cast<double>(reach == Reach::flat ? std::min<std::int64_t>(x, 0) : x);
}

std::int64_t BiasWay::edge() const {
  return mask == BiasMask::open ? std::numeric_limits<std::int64_t>::max() : mask == BiasMask::own ? 0 : centre;
}

const T5Buckets* BucketLists::of(std::int64_t buckets, std::int64_t max_distance, bool bidirectional) {
  const auto [at, is_new] = made_.try_emplace({buckets, max_distance, bidirectional});
  if (is_new)
    if (auto made = T5Buckets::make({buckets, max_distance, bidirectional})) at->second = *std::move(made);
  return at->second ? &*at->second : nullptr;
}

std::optional<BiasNumbers> BiasNumbers::make(const BiasWay& way, std::size_t heads, std::span<const float> table,
                                             const ResultType& type, BucketLists& lists) {
  BiasNumbers made;
  made.way_ = way;
  made.heads_ = heads;
  made.type_ = type;
  if (way.type != "t5") return made;
  made.table_ = table;
  // Where the table has fewer rows, nothing could have been read.
  if (!table.empty() && static_cast<std::size_t>(way.buckets) * heads > table.size()) return std::nullopt;
  made.buckets_ = lists.of(way.buckets, way.max_distance, way.bidirectional);
  return made.buckets_ == nullptr ? std::nullopt : std::optional(std::move(made));
}

double BiasNumbers::slope(std::size_t head) const {
  const double slope = (way_.is_negative ? -way_.factor : way_.factor) * slope_of(way_.rule, way_.steepness, head);
  return way_.rounded == RoundedFirst::nothing ? slope : type_.rounded(slope);
}

std::int64_t BiasNumbers::bucket(std::int64_t distance) const {
  const std::int64_t x = way_.is_constant ? 0 : way_.is_exchanged ? way_.centre - distance : distance - way_.centre;
  return buckets_ != nullptr ? buckets_->bucket(x) : std::clamp(x, -way_.max_distance, way_.max_distance);
}

double BiasNumbers::value(std::size_t head, std::int64_t distance) const {
  if (distance > way_.edge()) return -std::numeric_limits<double>::infinity();
  if (!way_.has_slopes()) {
    const double row = table_[static_cast<std::size_t>(bucket(distance)) * heads_ + head];
    return (way_.is_negative ? -way_.factor : way_.factor) * row;
  }
  const double reach = reach_of(way_.reach, distance - way_.centre);
  return slope(head) * (way_.rounded == RoundedFirst::both ? type_.rounded(reach) : reach);
}

double BiasNumbers::noise(std::size_t head, double value) const {
  if (!std::isfinite(value)) return 0;
  const double copied = way_.factor == 1 ? 0 : product_roundings;
  return type_.noise(value, way_.has_slopes() ? product_roundings + power_of(way_.rule, head) : copied);
}

std::optional<BiasResidual> compare(const PairSample& sample, const BiasNumbers& numbers, double slack, bool any_mask) {
  const std::int64_t edge = numbers.way().edge();
  if (!any_mask && std::min(edge, sample.last) != sample.last_open) return std::nullopt;
  if (!numbers.is_known()) {
    const BucketSteps steps = compare_steps(sample, numbers, slack > 1);
    return steps.fit ? std::optional(BiasResidual{.shows = steps.show_buckets}) : std::nullopt;
  }
  BiasResidual residual;
  for (std::size_t head = 0; head < sample.heads; ++head) {
    for (std::size_t c = 0; c < sample.distances; ++c) {
      if (!sample.has(head, c)) continue;
      const double value = numbers.value(head, sample.distance(c));
      const std::size_t at = head * sample.distances + c;
      const double far = std::max(std::fabs(sample.low[at] - value), std::fabs(sample.high[at] - value));
      const double noise = numbers.noise(head, value);
      if (!(far <= slack * noise)) return std::nullopt;
      if (far == 0) continue;
      residual.units = std::max(residual.units, far / noise);
      residual.ulps = std::max(residual.ulps, far / (2 * sample.type.half_unit(value)));
    }
  }
  return residual;
}

std::optional<BiasResidual> compare_keys(const PairSample& sample, const BiasNumbers& numbers, std::size_t anchor) {
  if (std::min(numbers.way().edge(), sample.last) != sample.last_open) return std::nullopt;
  BiasResidual residual;
  for (std::size_t row = 0; row < sample.batch * sample.heads * sample.queries; ++row) {
    const std::size_t head = row / sample.queries % sample.heads, query = row % sample.queries;
    const std::size_t c = sample.queries - 1 - query;
    // What the anchor has at its distance.
    const double constant = numbers.slope(head) * static_cast<double>(-sample.distance(c + anchor));
    for (std::size_t key = 0; key < sample.keys; ++key) {
      const double given = sample.values[row * sample.keys + key];
      if (is_masked(given)) continue;
      const double value = numbers.value(head, sample.distance(c + key)) + constant;
      const double far = std::fabs(given - value), noise = numbers.noise(head, value);
      if (!(far <= noise)) return std::nullopt;
      if (far == 0) continue;
      residual.units = std::max(residual.units, far / noise);
      residual.ulps = std::max(residual.ulps, far / (2 * sample.type.half_unit(value)));
    }
  }
  return residual;
}

std::vector<double> numbers_everywhere(const BiasNumbers& numbers, const PairSample& sample, bool with_future) {
  std::vector<std::int64_t> places{-farthest_distance, farthest_distance};
  if (numbers.way().has_slopes())
    for (std::int64_t d = -4; d <= 4; ++d) places.push_back(d);
  else
    // Far away buckets are wide, and begin far apart.
    for (std::int64_t d = 1; d <= compared_distance; d += d < near_distance ? 1 : 7)
      for (const std::int64_t place : {-d, 1 - d, d}) places.push_back(place);
  if (!with_future) std::erase_if(places, [&](std::int64_t d) { return d > sample.last; });
  std::vector<double> made;
  // One query of a line does not say where it is: that is a constant of its row.
  const BiasWay& way = numbers.way();
  const auto centre = static_cast<double>(way.centre);
  const bool is_row = sample.queries == 1 && way.has_slopes() && way.reach == Reach::linear;
  for (const std::int64_t d : places) {
    if (!numbers.is_known())
      made.push_back(d > way.edge() ? masked_number : static_cast<double>(numbers.bucket(d)));
    else
      for (std::size_t head = 0; head < sample.heads; ++head)
        made.push_back(d > way.edge() ? masked_number
                                      : numbers.value(head, d) + (is_row ? numbers.slope(head) * centre : 0));
  }
  return made;
}

std::optional<std::int64_t> telling_distance(const BiasNumbers& a, const BiasNumbers& b, const PairSample& sample) {
  const auto find = [&](std::int64_t start, std::int64_t step) -> std::optional<std::int64_t> {
    for (std::int64_t d = start; std::abs(d) <= farthest_distance; d += step) {
      if (differ_at(a, b, sample.heads, d)) return d;
      if (std::abs(d) > compared_distance) step = d;
    }
    return std::nullopt;
  };
  const auto before = find(std::min<std::int64_t>(sample.first - 1, -1), -1);
  return before ? before : find(std::max<std::int64_t>(sample.last + 1, 1), 1);
}

BiasWay expected_way(std::string_view type, const BiasExpectation& expected, const PairSample& sample) {
  BiasWay way;
  way.type = type;
  way.rule = expected_rule(expected, sample.heads);
  way.mask = expected.causal ? BiasMask::own : BiasMask::open;
  if (expected.type == type || (type == "alibi" && expected.type == "linear")) {
    way.steepness = expected.steepness;
    way.reach = expected.distance == "linear" ? Reach::linear : Reach::symmetric;
    way.buckets = expected.buckets;
    way.max_distance = expected.max_distance;
    way.bidirectional = expected.bidirectional;
  }
  return way;
}

std::vector<ListedChange<BiasWay>> bias_changes(std::string_view type, const BiasExpectation& expected,
                                                const PairSample& sample) {
  std::vector<ListedChange<BiasWay>> changes;
  const auto add = [&](Mistake mistake, BiasPart part, std::function<void(BiasWay&)> make) {
    changes.push_back({part, mistake, std::move(make)});
  };
  const bool has_slopes = type == "alibi", has_values = has_slopes || !expected.table.empty();
  if (has_slopes) {
    for (const SlopeRule& rule : slope_rules(expected, sample.heads))
      add(Mistake::slopes, bias_slopes_part, [=](BiasWay& way) { way.rule = rule; });
    for (const double steepness : bias_steepnesses)
      add(Mistake::slopes, bias_steepness_part, [=](BiasWay& way) { way.steepness = steepness; });
    for (const Reach reach : {Reach::symmetric, Reach::linear, Reach::flat})
      add(Mistake::distance, bias_reach_part, [=](BiasWay& way) { way.reach = reach; });
  } else {
    add(Mistake::positions_constant, bias_place_part, [](BiasWay& way) { way.is_constant = true; });
    add(Mistake::sign, bias_exchange_part, [](BiasWay& way) { way.is_exchanged = true; });
  }
  if (type == "clipped")
    for (const std::int64_t length : bias_lengths)
      add(Mistake::buckets, bias_buckets_part, [=](BiasWay& way) { way.max_distance = length; });
  // Which buckets there are is one part: all of its options may be others.
  std::vector<std::int64_t> counts(bias_bucket_counts.begin(), bias_bucket_counts.end());
  std::vector<std::int64_t> lengths(bias_lengths.begin(), bias_lengths.end());
  counts.push_back(expected.buckets);
  lengths.push_back(expected.max_distance);
  if (type == "t5")
    for (const std::int64_t buckets : counts)
      for (const std::int64_t length : lengths)
        for (const bool both : {true, false})
          add(Mistake::buckets, bias_buckets_part, [=](BiasWay& way) {
            way.buckets = buckets;
            way.max_distance = length;
            way.bidirectional = both;
          });
  std::vector<std::int64_t> shifts(bias_shifts.begin(), bias_shifts.end());
  // Queries at 0, and the last query at the last key.
  for (const std::int64_t from :
       {std::int64_t{0}, static_cast<std::int64_t>(sample.keys) - static_cast<std::int64_t>(sample.queries)})
    shifts.push_back(from - sample.first_query);
  for (const std::int64_t shift : shifts)
    if (shift != 0) add(Mistake::first_position, bias_place_part, [=](BiasWay& way) { way.centre = shift; });
  if (has_values) {
    add(Mistake::sign, bias_sign_part, [](BiasWay& way) { way.is_negative = true; });
    for (const double factor : bias_factors())
      add(has_slopes ? Mistake::factor_other : Mistake::amplitude, bias_factor_part,
          [=](BiasWay& way) { way.factor = factor; });
  }
  for (const BiasMask mask : {BiasMask::open, BiasMask::own})
    add(Mistake::causal, bias_mask_part, [=](BiasWay& way) { way.mask = mask; });
  // Causal, and where the queries are placed wrongly that is where the mask has them.
  add(expected.causal ? Mistake::first_position : Mistake::causal, bias_mask_part,
      [](BiasWay& way) { way.mask = BiasMask::moved; });
  return changes;
}

std::span<const double> bias_factors() { return listed_bias_factors(); }

}  // namespace posenc::diagnosis
