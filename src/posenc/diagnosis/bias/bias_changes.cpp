#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "posenc/diagnosis/bias/bias_ways.hpp"

namespace posenc::diagnosis {
namespace {

/// Parts of a computation: two changes of one part are none of a pair.
enum BiasPart : std::uint8_t {
  bias_slopes_part,
  bias_steepness_part,
  bias_reach_part,
  bias_rounding_part,
  bias_buckets_part,
  bias_place_part,
  bias_factor_part,
  bias_sign_part,
  bias_exchange_part,
  bias_mask_part
};

/// Heads are shared out among so many devices at most.
constexpr std::int64_t most_devices = 16;

/// Whether two rules give as many heads the same slopes.
bool same(const SlopeRule& a, const SlopeRule& b, std::size_t count) {
  for (std::size_t h = 0; h < count; ++h)
    if (share_of(a, h) != share_of(b, h)) return false;
  return true;
}

/// The rule that was expected, by default that of the paper for the bias's heads.
SlopeRule expected_rule(const BiasExpectation& expected, std::size_t heads) {
  if (expected.type != name_of(BiasType::alibi)) return {"paper", static_cast<std::int64_t>(heads), 0};
  return {expected.slopes == "mpt" ? std::string_view("mpt") : std::string_view("paper"),
          expected.heads.value_or(static_cast<std::int64_t>(heads)), expected.first_head};
}

/// Rules that implementations mix up, the expected one first: for the bias's heads, for powers of two beside them, for
/// those of a device of several (of two to 16), alone or on every device, from exponent 0 on.
std::vector<SlopeRule> slope_rules(const BiasExpectation& expected, std::size_t heads) {
  std::vector<SlopeRule> rules{expected_rule(expected, heads)};
  const auto add = [&](const SlopeRule& rule) {
    const auto is_known = [&](const SlopeRule& each) { return same(each, rule, heads); };
    if (std::ranges::none_of(rules, is_known)) rules.push_back(rule);
  };
  const auto own = static_cast<std::int64_t>(heads);
  const auto higher = static_cast<std::int64_t>(std::bit_ceil(heads));
  const auto lower = static_cast<std::int64_t>(std::bit_floor(heads));
  for (const std::string_view name : {"paper", "geometric"}) add({name, own, 0});
  for (const std::int64_t near : {higher, 2 * higher, 4 * higher}) add({"paper", near, 0});
  add({"geometric", lower, 0});
  for (const std::int64_t near : {own, higher, lower}) add({"geometric", near, -1});
  for (std::int64_t first = -2; first <= std::max<std::int64_t>(own, 8); ++first) add({"geometric", own, first});
  for (std::int64_t devices = 2; devices <= most_devices; devices *= 2)
    for (std::int64_t device = 0; device < devices; ++device) add({"paper", devices * own, device * own});
  for (std::int64_t devices = 2; devices <= most_devices && own % devices == 0; devices *= 2)
    for (const std::int64_t of : {own, own / devices}) add({"paper", of, 0, own / devices});
  const std::int64_t all = expected_rule(expected, heads).heads;
  for (std::int64_t first = 0; first + own <= all && first / own < most_devices; first += own)
    add({"paper", all, first});
  return rules;
}

/// All other shapes of as many cells: ids do not depend on the rows of a table.
std::vector<std::vector<std::int64_t>> other_windows(const WindowWay& right) {
  std::vector<std::vector<std::int64_t>> made;
  const std::int64_t depth = right.extents.size() > 2 ? right.extents[0] : 1, plane = right.cells() / depth;
  for (std::int64_t height = 1; height <= plane; ++height) {
    if (plane % height != 0) continue;
    made.push_back({height, plane / height});
    if (right.extents.size() > 2) made.back().insert(made.back().begin(), depth);
  }
  return made;
}

}  // namespace

BiasWay expected_way(BiasType type, const BiasExpectation& expected, const PairSample& sample) {
  BiasWay way;
  way.type = type;
  way.rule = expected_rule(expected, sample.heads);
  way.mask = expected.causal ? BiasMask::own : BiasMask::open;
  way.window = {.extents = expected.window.extents, .class_token = expected.window.class_token};
  if (expected.type != name_of(type)) return way;
  way.steepness = expected.steepness;
  way.reach = expected.distance == "linear" ? Reach::linear : Reach::symmetric;
  way.buckets = expected.buckets;
  way.max_distance = expected.max_distance;
  way.bidirectional = expected.bidirectional;
  return way;
}

ListedChanges<BiasWay> bias_changes(BiasType type, const BiasExpectation& expected, const PairSample& sample) {
  ListedChanges<BiasWay> changes;
  const auto add = [&](Mistake mistake, BiasPart part, std::function<void(BiasWay&)> make) {
    changes.push_back({part, mistake, std::move(make)});
  };
  const auto add_each = [&](Mistake mistake, BiasPart part, auto BiasWay::* option, const auto& values) {
    for (const auto& value : values) add(mistake, part, [=](BiasWay& way) { way.*option = value; });
  };
  using Lengths = std::vector<std::int64_t>;
  // Biases get multiplied by scales of scores, by the logarithms between base 2 and e, and by halves.
  std::vector<double> factors{1.4426950408889634, 0.6931471805599453, 0.5, 2};
  for (const double dim : {64, 128, 96, 80, 256, 32, 40, 48, 72, 112, 160, 192})
    for (const double factor : {1 / std::sqrt(dim), std::sqrt(dim), 1 / dim}) factors.push_back(factor);
  if (type == BiasType::swin || type == BiasType::ids) {
    const WindowWay right{.extents = expected.window.extents, .class_token = expected.window.class_token};
    const std::int64_t middle = (right.rows() - 1) / 2;
    const auto of_window = [&](Mistake mistake, BiasPart part, auto option, const auto& value) {
      add(mistake, part, [=](BiasWay& way) { way.window.*option = value; });
    };
    for (std::size_t axis = 0; axis < right.extents.size(); ++axis)
      for (std::size_t other = axis + 1; other < right.extents.size(); ++other) {
        Lengths extents = right.extents;
        std::swap(extents[axis], extents[other]);
        of_window(Mistake::axes_order, bias_buckets_part, &WindowWay::extents, extents);
      }
    for (const Lengths& extents : other_windows(right))
      of_window(Mistake::buckets, bias_buckets_part, &WindowWay::extents, extents);
    of_window(Mistake::cell_order, bias_slopes_part, &WindowWay::by_columns, true);
    of_window(Mistake::axes_order, bias_reach_part, &WindowWay::index, WindowIndex::reversed);
    of_window(Mistake::buckets, bias_reach_part, &WindowWay::index, WindowIndex::own_width);
    add(Mistake::sign, bias_place_part, [](BiasWay& way) { way.is_exchanged = true; });
    add(Mistake::positions_constant, bias_place_part, [](BiasWay& way) { way.is_constant = true; });
    if (right.class_token) of_window(Mistake::arrangement, bias_slopes_part, &WindowWay::class_last, true);
    add(Mistake::sign, bias_sign_part, [](BiasWay& way) { way.is_negative = true; });
    if (type == BiasType::swin) add_each(Mistake::amplitude, bias_factor_part, &BiasWay::factor, factors);
    if (type == BiasType::ids)
      add_each(Mistake::first_position, bias_factor_part, &BiasWay::offset,
               std::array{1.0, -1.0, static_cast<double>(-middle)});
    return changes;
  }
  const bool has_slopes = type == BiasType::alibi, is_kernel = diagnosis::is_kernel(type);
  if (has_slopes) {
    add_each(Mistake::slopes, bias_slopes_part, &BiasWay::rule, slope_rules(expected, sample.heads));
    add_each(Mistake::slopes, bias_steepness_part, &BiasWay::steepness,
             std::vector<double>{16, 4, 2, 1, 32, 8, 6, 10, 12, 5});
    add_each(Mistake::distance, bias_reach_part, &BiasWay::reach,
             std::array{Reach::symmetric, Reach::linear, Reach::flat});
    add_each(Mistake::slopes_bfloat16, bias_rounding_part, &BiasWay::rounding,
             std::array{BiasRounding::slopes_bfloat16});
    add_each(Mistake::slopes_float16, bias_rounding_part, &BiasWay::rounding, std::array{BiasRounding::slopes_float16});
    if (sample.type.is_coarse())
      add_each(Mistake::terms_rounded, bias_rounding_part, &BiasWay::rounding, std::array{BiasRounding::distances});
  } else {
    if (!is_kernel) add(Mistake::positions_constant, bias_place_part, [](BiasWay& way) { way.is_constant = true; });
    add(is_kernel ? Mistake::distance : Mistake::sign, bias_exchange_part,
        [](BiasWay& way) { way.is_exchanged = true; });
  }
  if (is_kernel)
    add_each(Mistake::distance, bias_reach_part, &BiasWay::type,
             std::array{BiasType::kerple_log, BiasType::kerple_power});
  const Lengths lengths{128, 64, 256, 512, 1024, 32, 16, 8, 20, 50, 100, 200, 2048, expected.max_distance};
  if (type == BiasType::clipped) add_each(Mistake::buckets, bias_buckets_part, &BiasWay::max_distance, lengths);
  // Which buckets there are is one part: all of its options may be others.
  if (type == BiasType::t5)
    for (const std::int64_t buckets : Lengths{32, 64, 16, 128, 8, 24, 48, 40, 20, 12, expected.buckets})
      for (const std::int64_t length : lengths)
        for (const bool both : {true, false})
          add(Mistake::buckets, bias_buckets_part, [=](BiasWay& way) {
            way.buckets = buckets;
            way.max_distance = length;
            way.bidirectional = both;
          });
  // Queries at 0, and the last query at the last key.
  Lengths shifts{1, -1, 2, -2, 3, -3, -sample.first_query, sample.last_query_at_last_key() - sample.first_query};
  std::erase(shifts, 0);
  add_each(Mistake::first_position, bias_place_part, &BiasWay::centre, shifts);
  if (has_slopes || is_kernel || !expected.table.empty()) {
    add(Mistake::sign, bias_sign_part, [](BiasWay& way) { way.is_negative = true; });
    add_each(has_slopes ? Mistake::factor_other : Mistake::amplitude, bias_factor_part, &BiasWay::factor, factors);
  }
  add_each(Mistake::causal, bias_mask_part, &BiasWay::mask, std::array{BiasMask::open, BiasMask::own});
  // Causal, and where the queries are placed wrongly that is where the mask has them.
  add(expected.causal ? Mistake::first_position : Mistake::causal, bias_mask_part,
      [](BiasWay& way) { way.mask = BiasMask::moved; });
  return changes;
}

}  // namespace posenc::diagnosis
