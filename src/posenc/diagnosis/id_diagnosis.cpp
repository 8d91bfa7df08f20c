#include "posenc/diagnosis/id_diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/engine/listed.hpp"
#include "posenc/diagnosis/positions/position_pattern.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

constexpr std::array<std::string_view, 9> id_presets{"qwen2-vl",    "qwen2.5-vl",   "qwen3-vl",
                                                     "glm4v",       "qwen2.5-omni", "qwen3-omni",
                                                     "ernie4.5-vl", "bailing",      "hunyuan-vl"};

/// Rates of configurations, the commonest first.
constexpr std::array<double, 5> usual_rates{2, 1, 4, 25, 50};

/// The largest temporal merge of any preset.
constexpr std::int64_t most_temporal_merge = 2;

/// A computation of ids: a preset's rules, and the steps that are no rules.
struct IdComputation {
  std::string_view preset;
  MropeOptions options;
  bool with_seconds = false;       ///< seconds_per_grid are looked at
  std::vector<std::int64_t> axes;  ///< whose ids each axis has; -1: the indices of the tokens
  double offset = 0;

  [[nodiscard]] bool counts_seconds() const {
    return options.time == MropeTime::seconds || options.time == MropeTime::whole_seconds ||
           options.time == MropeTime::unrounded;
  }

  void set_time(MropeTime time, std::optional<double> rate) {
    options.time = time;
    with_seconds = counts_seconds() && options.grid == MropeGrid::corner;
    if (!counts_seconds())
      options.tokens_per_second.reset();
    else if (with_seconds)
      options.tokens_per_second = rate ? rate : options.tokens_per_second.value_or(usual_rates.front());
  }
};

/// Refuses more frames or sound than there are ids, before every preset counts them all.
Expected<void> check_segments(const IdSamples& samples) {
  const auto tokens = static_cast<std::int64_t>(samples.ids.size() / samples.axes);
  for (std::size_t i = 0; i < samples.segments.size(); ++i) {
    const MropeSegment& segment = samples.segments[i];
    const bool has_cells = segment.grid[1] > 0 && segment.grid[2] > 0;
    const std::int64_t least =
        std::max(segment.audio.value_or(0), has_cells ? segment.grid[0] / most_temporal_merge : 0);
    if (least > tokens)
      return invalid_argument("segments[" + decimal(i) + "]", static_cast<double>(least),
                              {"no more tokens than ids (", decimal(tokens), ")"});
  }
  return {};
}

/// Sequences of which rules make different ids: pictures, frames, seconds that are whole or not, sound.
std::vector<std::vector<MropeSegment>> telling_segments(std::int64_t merge) {
  using Kind = MropeSegment::Kind;
  const auto grid = [merge](Kind kind, std::int64_t t, std::int64_t h, std::int64_t w, std::optional<double> seconds,
                            std::optional<std::int64_t> audio = {}) {
    return MropeSegment{.kind = kind, .grid = {t, h * merge, w * merge}, .seconds_per_grid = seconds, .audio = audio};
  };
  const MropeSegment text{.length = 3, .grid = {}, .seconds_per_grid = {}, .audio = {}};
  const MropeSegment image = grid(Kind::image, 1, 2, 4, {});
  return {{text, image, text, image, text},
          {text, grid(Kind::video, 1, 2, 3, {}), text},
          {text, grid(Kind::video, 4, 2, 3, 1), text},
          {text, grid(Kind::video, 4, 2, 3, 1.5), text},
          {text, grid(Kind::video, 4, 2, 3, 1, 9), text}};
}

class IdSearch {
 public:
  IdSearch(const IdSamples& samples, const IdExpectation& expected)
      : samples_(samples), meant_(expected), tokens_(samples.ids.size() / samples.axes) {}

  Expected<Diagnosis> run() {
    if (meant_.preset.empty()) {
      look_all();
    } else {
      POSENC_TRY_LET(options, mrope_options(meant_.preset));
      look_expected(computation_of(meant_.preset, options));
    }
    if (!was_made_) {
      if (refused_) return std::unexpected(*std::move(refused_));
      return invalid_argument("axes", static_cast<double>(samples_.axes), {"as many axes as a preset has: 3, or 4"});
    }
    return concluded(
        std::move(counting_), "float64", [](Diagnosis& found) { found.tells = {"segments"}; },
        [&] { return departure_; });
  }

 private:
  /// Tries every preset, as nothing was expected: first as it is, then with one other rule; moved axes and added
  /// numbers only where neither explains the ids.
  void look_all() {
    const ListedChanges<IdComputation> none;
    for (const int stage : {0, 1, 2, 3}) {
      if (stage >= 2 && !counting_.empty()) return;
      for (const IdComputation& right : presets()) {
        if (stage == 3) look_elsewhere(right, rules_of(right));
        if (stage == 3 && !counting_.empty()) return;
        const auto moves = stage == 2 ? moves_of(right) : none;
        for_each_listed(right, stage == 0 ? none : rules_of(right), false, [&](const auto& rule, const auto&) {
          for_each_listed(rule, moves, true, [&](const auto& made, const auto&) { return look(made, {}); });
          return true;
        });
      }
    }
  }

  void look_expected(const IdComputation& right) {
    ListedChanges<IdComputation> changes = rules_of(right);
    // Another preset is the name of what no single rule says.
    for (const auto& more : {moves_of(right), presets_but(right.preset)})
      changes.insert(changes.end(), more.begin(), more.end());
    for_each_listed(right, changes, true, [&](const IdComputation& made, std::vector<Mistake> mistakes) {
      return look(made, std::move(mistakes));
    });
    if (!counting_.empty()) return;
    look_elsewhere(right, changes);
    for (const IdComputation& other : presets())
      if (counting_.empty())
        for_each_listed(other, rules_of(other), false,
                        [&](const IdComputation& made, const auto&) { return look(made, {Mistake::scaling_other}); });
    add_patterns(right);
  }

  enum IdPart : std::uint8_t { of_rule, of_time, of_next, of_rate, of_axes, of_offset };

  [[nodiscard]] IdComputation computation_of(std::string_view preset, const MropeOptions& options) const {
    IdComputation made{.preset = preset, .options = options, .axes = {}};
    if (samples_.merge) made.options.merge = *samples_.merge;
    const bool is_meant = preset == meant_.preset;
    made.set_time(is_meant ? meant_.time.value_or(options.time) : options.time, samples_.tokens_per_second);
    if (is_meant) made.options.next = meant_.next.value_or(options.next);
    for (std::size_t axis = 0; axis < samples_.axes; ++axis) made.axes.push_back(static_cast<std::int64_t>(axis));
    return made;
  }

  [[nodiscard]] std::vector<IdComputation> presets() const {
    std::vector<IdComputation> made;
    for (const std::string_view preset : id_presets)
      if (const auto options = mrope_options(preset)) made.push_back(computation_of(preset, *options));
    return made;
  }

  [[nodiscard]] ListedChanges<IdComputation> presets_but(std::string_view own) const {
    ListedChanges<IdComputation> made;
    for (const IdComputation& other : presets())
      if (other.preset != own)
        made.push_back({of_rule, Mistake::scaling_other, [other](IdComputation& of) {
                          of.preset = other.preset;
                          of.options = other.options;
                          of.with_seconds = other.with_seconds;
                        }});
    return made;
  }

  /// Other rules of times, of where ids go on, and other rates.
  [[nodiscard]] ListedChanges<IdComputation> rules_of(const IdComputation& right) const {
    ListedChanges<IdComputation> made;
    const auto rate = samples_.tokens_per_second;
    if (right.options.grid == MropeGrid::corner)
      for (const MropeTime time :
           {MropeTime::index, MropeTime::seconds, MropeTime::whole_seconds, MropeTime::unrounded, MropeTime::frame})
        if (time != right.options.time)
          made.push_back({of_time, Mistake::time_rule, [time, rate](IdComputation& of) { of.set_time(time, rate); }});
    for (const MropeNext next : {MropeNext::past_maximum, MropeNext::past_extent})
      if (meant_.next && next != right.options.next)
        made.push_back({of_next, Mistake::next_rule, [next](IdComputation& of) { of.options.next = next; }});
    if (!right.with_seconds) return made;
    for (const double other : usual_rates)
      if (other != right.options.tokens_per_second)
        made.push_back({of_rate, Mistake::scaling_other, [other](IdComputation& of) {
                          if (of.with_seconds) of.options.tokens_per_second = other;
                        }});
    made.push_back({of_rate, Mistake::scaling_other, [](IdComputation& of) { of.with_seconds = false; }});
    return made;
  }

  /// Tries each rule with a number added to all ids, which is on no list.
  void look_elsewhere(const IdComputation& right, const ListedChanges<IdComputation>& changes) {
    for_each_listed(right, changes, false, [&](IdComputation made, std::vector<Mistake> mistakes) {
      const std::vector<double> ids = ids_of(made, samples_.segments);
      if (ids.size() != samples_.ids.size() || made.offset != 0) return true;
      made.offset = samples_.ids[0] - ids[0];
      if (meant_.preset.empty())
        mistakes.clear();
      else
        mistakes.push_back(Mistake::first_position);
      return look(made, std::move(mistakes), true);
    });
  }

  /// Axes in another order, with the ids of another or with the indices of the tokens; a number that is added.
  [[nodiscard]] static ListedChanges<IdComputation> moves_of(const IdComputation& right) {
    ListedChanges<IdComputation> made;
    const auto add = [&](Mistake mistake, std::vector<std::int64_t> axes) {
      made.push_back({of_axes, mistake, [axes = std::move(axes)](IdComputation& of) { of.axes = axes; }});
    };
    const auto count = static_cast<std::int64_t>(right.axes.size());
    for (auto order = right.axes; std::ranges::next_permutation(order).found;) add(Mistake::axes_order, order);
    for (std::int64_t source = -1; source < count; ++source) {
      add(Mistake::axis_missing, std::vector<std::int64_t>(right.axes.size(), source));
      for (std::size_t axis = 0; axis < right.axes.size(); ++axis) {
        if (right.axes[axis] == source) continue;
        auto axes = right.axes;
        axes[axis] = source;
        add(Mistake::axis_missing, axes);
      }
    }
    for (const double by : {1.0, -1.0})
      made.push_back({of_offset, Mistake::first_position, [by](IdComputation& of) { of.offset = by; }});
    return made;
  }

  /// The ids of the rules alone; none where they are refused.
  const std::vector<std::int32_t>& rule_ids(const IdComputation& of, std::span<const MropeSegment> segments) {
    const bool is_own = segments.data() == samples_.segments.data();
    const auto key = [](const IdComputation& own) {
      const MropeOptions& options = own.options;
      return std::tie(options.time, options.next, options.grid, options.audio, options.merge, options.temporal_merge,
                      options.tokens_per_second, options.seconds_per_chunk, own.with_seconds);
    };
    for (const auto& [known, ids] : made_)
      if (is_own && key(known) == key(of)) return ids;
    std::vector<std::int32_t>& ids = is_own ? made_.emplace_back(of, std::vector<std::int32_t>{}).second : other_;
    ids.clear();
    std::vector<MropeSegment> own(segments.begin(), segments.end());
    if (!of.with_seconds)
      for (MropeSegment& segment : own) segment.seconds_per_grid.reset();
    if (of.options.axes() != samples_.axes) return ids;
    auto tokens = count_mrope_tokens(of.options, own);
    if (tokens && is_own && *tokens != tokens_)
      tokens = std::unexpected(check_size("ids", samples_.ids.size(), samples_.axes, *tokens).error());
    if (tokens) {
      ids.resize(samples_.axes * *tokens);
      if (mrope_positions(of.options, own, {.out = ids, .length = *tokens})) return ids;
      ids.clear();
    } else if (is_own && (!refused_ || of.preset == meant_.preset)) {
      refused_ = tokens.error();
    }
    return ids;
  }

  /// The ids that a computation makes; empty where it is refused.
  std::vector<double> ids_of(const IdComputation& of, std::span<const MropeSegment> segments) {
    const std::vector<std::int32_t>& rule = rule_ids(of, segments);
    const std::size_t tokens = rule.size() / samples_.axes;
    std::vector<double> ids;
    for (const std::int64_t axis : of.axes)
      for (std::size_t token = 0; token < tokens; ++token)
        ids.push_back(of.offset +
                      (axis < 0 ? static_cast<double>(token) : rule[static_cast<std::size_t>(axis) * tokens + token]));
    return ids;
  }

  /// Counts a computation if it makes the ids. Where no rule of what follows was named that of any version is right.
  bool look(IdComputation made, std::vector<Mistake> mistakes, bool is_estimated = false) {
    for (const MropeNext next : {made.options.next, MropeNext::past_maximum, MropeNext::past_extent}) {
      if (meant_.next && next != made.options.next) continue;
      made.options.next = next;
      const std::vector<double> ids = ids_of(made, samples_.segments);
      was_made_ = was_made_ || !ids.empty();
      if (ids.empty()) continue;
      if (std::ranges::equal(ids, samples_.ids)) {
        add(made, std::move(mistakes), is_estimated);
        break;
      }
      if (!meant_.preset.empty() && mistakes.empty()) note_departure(ids);
    }
    return true;
  }

  /// Counts it, unless it is one that was counted: the same of all segments. Where something was expected, segments
  /// that one of them refuses say nothing: they are none of the expected preset's, or no number is wrong in silence.
  void add(const IdComputation& made, std::vector<Mistake> mistakes, bool is_estimated) {
    std::vector<std::vector<double>> all;
    for (const std::vector<MropeSegment>& segments : telling_segments(made.options.merge))
      all.push_back(ids_of(made, segments));
    const bool is_lenient = !meant_.preset.empty();
    for (const auto& known : left_)
      if (std::ranges::equal(known, all, [&](const auto& a, const auto& b) {
            return a == b || (is_lenient && (a.empty() || b.empty()));
          }))
        return;
    Explanation explanation;
    if (!meant_.preset.empty()) explanation.shift = -made.offset;
    explanation.mistakes = std::move(mistakes);
    explanation.found = found_ids(made);
    counting_.add(std::move(explanation), {static_cast<double>(left_.size())}, is_estimated);
    left_.push_back(std::move(all));
  }

  [[nodiscard]] static FoundIds found_ids(const IdComputation& made) {
    FoundIds found;
    found.preset = made.preset;
    found.time = made.options.time;
    found.next = made.options.next;
    if (made.counts_seconds()) found.tokens_per_second = made.options.tokens_per_second;
    found.offset = made.offset;
    found.axes = made.axes;
    return found;
  }

  /// The tokens that are not those of the nearest version of what was expected.
  void note_departure(std::span<const double> ids) {
    Departures now;
    for (std::size_t at = 0; at < ids.size(); ++at)
      if (ids[at] != samples_.ids[at]) now.add(at % tokens_, 0);
    const Departure made = now.take(tokens_, false);
    if (departure_.tokens.empty() || made.tokens.size() < departure_.tokens.size()) departure_ = made;
  }

  /// The patterns by which the ids differ from those expected, the same on all axes where they do.
  void add_patterns(const IdComputation& right) {
    const std::vector<double> ids = ids_of(right, samples_.segments);
    if (ids.empty()) return;
    std::vector<PositionPattern> patterns;
    for (std::size_t axis = 0; axis < samples_.axes; ++axis) {
      std::vector<PositionPattern> own = position_patterns(std::span(ids).subspan(axis * tokens_, tokens_),
                                                           samples_.ids.subspan(axis * tokens_, tokens_));
      if (own.empty()) continue;
      // Ids are not rotated.
      const bool is_of_keys = own.front().mistake == Mistake::rotated_again;
      if (is_of_keys || own.front().mistake == Mistake::positions_other) return;
      if (!patterns.empty() && own.front().mistake != patterns.front().mistake) return;
      patterns = std::move(own);
    }
    for (PositionPattern& pattern : patterns) {
      FoundIds found = found_ids(right);
      found.positions = {.values = {samples_.ids.begin(), samples_.ids.end()},
                         .tokens = std::move(pattern.tokens),
                         .amount = pattern.amount};
      Explanation explanation;
      explanation.found = std::move(found);
      explanation.mistakes = {pattern.mistake};
      // No two patterns continue alike.
      counting_.add(std::move(explanation), {static_cast<double>(pattern.mistake)}, pattern.amount != 0);
    }
  }

  const IdSamples& samples_;
  IdExpectation meant_;
  std::size_t tokens_ = 0;
  std::vector<std::pair<IdComputation, std::vector<std::int32_t>>> made_;
  std::vector<std::int32_t> other_;
  std::optional<Error> refused_;
  bool was_made_ = false;
  Departure departure_;
  std::vector<std::vector<std::vector<double>>> left_;  ///< what those that were counted make of telling segments
  Counting counting_;
};

}  // namespace

Expected<Diagnosis> diagnose_ids(const IdSamples& samples, const IdExpectation& expected) {
  POSENC_TRY(check_whole("axes", static_cast<std::int64_t>(samples.axes), 3, 4));
  if (samples.ids.empty() || samples.ids.size() % samples.axes != 0)
    return invalid_argument("ids", static_cast<double>(samples.ids.size()),
                            {"as many a token as axes, of at least one token"});
  for (std::size_t i = 0; i < samples.ids.size(); ++i)
    if (!std::isfinite(samples.ids[i]))
      return invalid_argument("ids[" + decimal(i) + "]", samples.ids[i], expected::finite);
  POSENC_TRY(check_segments(samples));
  return IdSearch(samples, expected).run();
}

}  // namespace posenc
