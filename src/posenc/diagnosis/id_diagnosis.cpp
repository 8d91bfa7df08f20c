#include "posenc/diagnosis/id_diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/positions/position_pattern.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"

namespace posenc {
namespace {

using namespace diagnosis;

constexpr std::array<std::string_view, 9> id_presets{"qwen2-vl",    "qwen2.5-vl",   "qwen3-vl",
                                                     "glm4v",       "qwen2.5-omni", "qwen3-omni",
                                                     "ernie4.5-vl", "bailing",      "hunyuan-vl"};

/// Rates of configurations, the commonest first.
constexpr std::array<double, 5> usual_rates{2, 1, 4, 25, 50};

/// A preset costs so many bits where nothing was expected: one of nine.
constexpr double preset_bits = 3;

/// The largest temporal merge of any preset.
constexpr std::int64_t most_temporal_merge = 2;

/// A preset, or what may have been done in its place.
struct IdRule {
  std::string_view preset;
  MropeOptions options;
  bool with_seconds = false;  ///< seconds_per_grid are looked at
  double cost = 0;
  bool other_rate = false;
};

bool counts_seconds(const MropeOptions& options) {
  return options.time == MropeTime::seconds || options.time == MropeTime::whole_seconds ||
         options.time == MropeTime::unrounded;
}

void add_versions(std::vector<IdRule>& rules, const IdRule& rule) {
  for (const MropeNext next : {MropeNext::past_maximum, MropeNext::past_extent}) {
    IdRule version = rule;
    version.options.next = next;
    version.cost += next == rule.options.next ? 0 : choice_bits;
    rules.push_back(version);
    const bool has_seconds = rule.options.time == MropeTime::seconds || rule.options.time == MropeTime::whole_seconds;
    if (!has_seconds || rule.options.grid != MropeGrid::corner) continue;
    version.options.time = rule.options.time == MropeTime::seconds ? MropeTime::whole_seconds : MropeTime::seconds;
    version.cost += choice_bits;
    rules.push_back(version);
  }
}

/// Adds a preset as given, in its versions, and at other rates.
Expected<void> add_rules(const IdSamples& samples, std::string_view preset, const IdExpectation& expected,
                         std::vector<IdRule>& rules) {
  POSENC_TRY_LET(made, mrope_options(preset));
  if (preset == expected.preset) {
    made.time = expected.time.value_or(made.time);
    made.next = expected.next.value_or(made.next);
  }
  IdRule rule{preset, made, false, 0, false};
  if (samples.merge) rule.options.merge = *samples.merge;
  rule.with_seconds = counts_seconds(rule.options) && rule.options.grid == MropeGrid::corner;
  if (!rule.with_seconds) {
    add_versions(rules, rule);
    return {};
  }
  const std::optional<double> given =
      samples.tokens_per_second ? samples.tokens_per_second : rule.options.tokens_per_second;
  if (given) {
    rule.options.tokens_per_second = given;
    add_versions(rules, rule);
    IdRule unread = rule;
    unread.with_seconds = false;
    unread.cost = usual_number_bits;
    unread.other_rate = true;
    rules.push_back(unread);
  }
  for (const double rate : usual_rates) {
    if (given && *given == rate) continue;
    IdRule other = rule;
    other.options.tokens_per_second = rate;
    other.other_rate = given.has_value();
    other.cost = given ? usual_number_bits : choice_bits;
    add_versions(rules, other);
  }
  return {};
}

/// More frames or sound than there are ids: before every preset counts them all.
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

class IdSearch {
 public:
  IdSearch(const IdSamples& samples, const IdExpectation& expected)
      : samples_(samples), meant_(expected), expected_(expected.preset), tokens_(samples.ids.size() / samples.axes) {
    without_seconds_.assign(samples.segments.begin(), samples.segments.end());
    for (MropeSegment& segment : without_seconds_) segment.seconds_per_grid.reset();
  }

  /// Compares the ids with those of a preset or one of its versions. Errors: memory.
  Expected<void> look(const IdRule& rule) {
    if (rule.options.axes() != samples_.axes) return {};
    POSENC_TRY_LET(ids, AlignedArray<std::int32_t>::make(samples_.ids.size()));
    const auto written = write(rule, ids.span());
    if (!written) {
      if (!refused_ || rule.preset == expected_) refused_ = written.error();
      return {};
    }
    was_made_ = true;
    if (rule.preset == expected_ && expected_ids_.size() == 0) {
      own_ = rule.options;
      POSENC_TRY_LET(kept, AlignedArray<std::int32_t>::make(ids.size()));
      std::ranges::copy(ids.span(), kept.data());
      expected_ids_ = std::move(kept);
    }
    for (const double offset : {0.0, samples_.ids[0] - static_cast<double>(ids[0])}) compare(rule, ids.span(), offset);
    return {};
  }

  [[nodiscard]] Expected<Diagnosis> take() && {
    if (!was_made_) {
      if (refused_) return std::unexpected(*std::move(refused_));
      return invalid_argument("axes", static_cast<double>(samples_.axes), {"as many axes as a preset has: 3, or 4"});
    }
    if (candidates_.empty()) add_patterns();
    if (candidates_.empty()) candidates_.push_back(std::move(closest_));
    Diagnosis diagnosis;
    diagnosis.dtype = "float64";
    weigh(std::move(candidates_), static_cast<double>(samples_.ids.size()) * any_number_bits, diagnosis);
    return diagnosis;
  }

 private:
  [[nodiscard]] Expected<void> write(const IdRule& rule, std::span<std::int32_t> out) const {
    const std::span<const MropeSegment> segments =
        rule.with_seconds ? samples_.segments : std::span<const MropeSegment>(without_seconds_);
    POSENC_TRY_LET(tokens, count_mrope_tokens(rule.options, segments));
    POSENC_TRY(check_size("ids", samples_.ids.size(), samples_.axes, tokens));
    POSENC_TRY(mrope_positions(rule.options, segments, {.out = out, .length = tokens_}));
    return {};
  }

  /// The id that an axis of the preset gives a token; axis -1 has the token's index.
  [[nodiscard]] double id_of(std::span<const std::int32_t> ids, std::int64_t axis, std::size_t token) const {
    return axis < 0 ? static_cast<double>(token)
                    : static_cast<double>(ids[static_cast<std::size_t>(axis) * tokens_ + token]);
  }

  [[nodiscard]] bool matches(std::span<const std::int32_t> ids, std::int64_t axis, std::size_t observed,
                             double offset) const {
    for (std::size_t token = 0; token < tokens_; ++token)
      if (samples_.ids[observed * tokens_ + token] != id_of(ids, axis, token) + offset) return false;
    return true;
  }

  /// The axis that each observed one has: its own if it may be, then another, then the tokens' indices.
  [[nodiscard]] std::vector<std::int64_t> axes_of(std::span<const std::int32_t> ids, double offset) const {
    std::vector<std::int64_t> axes;
    const auto count = static_cast<std::int64_t>(samples_.axes);
    for (std::int64_t observed = 0; observed < count; ++observed) {
      std::optional<std::int64_t> found;
      for (std::int64_t k = 0; k <= count && !found; ++k) {
        const std::int64_t axis = k == count ? -1 : (observed + k) % count;
        if (matches(ids, axis, static_cast<std::size_t>(observed), offset)) found = axis;
      }
      if (!found) return {};
      axes.push_back(*found);
    }
    return axes;
  }

  void compare(const IdRule& rule, std::span<const std::int32_t> ids, double offset) {
    std::vector<std::int64_t> axes = axes_of(ids, offset);
    Candidate candidate;
    candidate.cost = rule.cost + (offset == 0 ? 0 : usual_number_bits) + (rule.preset == expected_ ? 0 : preset_bits);
    if (!axes.empty()) {
      add(std::move(candidate), rule, std::move(axes), ids, offset);
      return;
    }
    FoundIds found = found_ids(rule, offset);
    std::size_t departing = 0;
    double largest = 0;
    for (std::size_t token = 0; token < tokens_; ++token) {
      double difference = 0;
      for (std::size_t axis = 0; axis < samples_.axes; ++axis)
        difference = std::max(difference, std::fabs(samples_.ids[axis * tokens_ + token] - offset -
                                                    id_of(ids, static_cast<std::int64_t>(axis), token)));
      if (difference == 0) continue;
      if (departing++ == 0) found.departs = token;
      largest = std::max(largest, difference);
    }
    candidate.data_bits = static_cast<double>(departing) * any_number_bits;
    candidate.cost += !expected_.empty() && rule.preset != expected_ ? mistake_bits : 0;
    if (closest_.explanation.units > 0 && candidate.total() >= closest_.total()) return;
    candidate.explanation.units = explained_units + largest;
    candidate.explanation.ulps = largest;
    candidate.explanation.found = std::move(found);
    closest_ = std::move(candidate);
  }

  /// The patterns by which the ids differ from those expected, the same on all axes where they do.
  void add_patterns() {
    if (expected_ids_.size() == 0) return;
    const std::vector<double> right(expected_ids_.span().begin(), expected_ids_.span().end());
    std::vector<PositionPattern> patterns;
    for (std::size_t axis = 0; axis < samples_.axes; ++axis) {
      std::vector<PositionPattern> own = position_patterns(std::span(right).subspan(axis * tokens_, tokens_),
                                                           samples_.ids.subspan(axis * tokens_, tokens_));
      if (own.empty()) continue;
      if (own.front().mistake == Mistake::positions_other) return;
      if (!patterns.empty() && own.front().mistake != patterns.front().mistake) return;
      patterns = std::move(own);
    }
    for (PositionPattern& pattern : patterns) {
      FoundIds found = found_ids({.preset = expected_, .options = own_}, 0);
      found.positions = {.values = {samples_.ids.begin(), samples_.ids.end()},
                         .tokens = std::move(pattern.tokens),
                         .amount = pattern.amount};
      Candidate candidate{.cost = mistake_bits + any_number_bits * static_cast<double>(pattern.numbers)};
      candidate.explanation.found = std::move(found);
      candidate.explanation.mistakes = {pattern.mistake};
      candidates_.push_back(std::move(candidate));
    }
  }

  [[nodiscard]] static FoundIds found_ids(const IdRule& rule, double offset) {
    FoundIds found;
    found.preset = rule.preset;
    found.time = rule.options.time;
    found.next = rule.options.next;
    if (counts_seconds(rule.options)) found.tokens_per_second = rule.options.tokens_per_second;
    found.offset = offset;
    return found;
  }

  void add(Candidate candidate, const IdRule& rule, std::vector<std::int64_t> axes, std::span<const std::int32_t> ids,
           double offset) {
    FoundIds found = found_ids(rule, offset);
    found.axes = std::move(axes);
    std::vector<Mistake>& mistakes = candidate.explanation.mistakes;
    if (!expected_.empty()) note_mistakes(rule, found, ids, mistakes);
    std::size_t unusual = expected_.empty() && offset != 0 ? 1 : 0;
    if (expected_.empty() && moved(found)) ++unusual;
    candidate.cost += mistake_bits * static_cast<double>(mistakes.size() + unusual);
    if (!expected_.empty()) candidate.explanation.shift = -offset;
    candidate.explanation.found = found;
    // Versions of a preset that make the same ids are one, and so are all presets where one was expected.
    const std::uint64_t hash = hash_of(ids);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const auto& other = std::get<FoundIds>(candidates_[i].explanation.found);
      const bool is_same = (other.preset == found.preset || !expected_.empty()) && other.axes == found.axes &&
                           other.offset == offset && hashes_[i] == hash;
      if (!is_same) continue;
      if (candidate.total() < candidates_[i].total()) candidates_[i] = std::move(candidate);
      return;
    }
    candidates_.push_back(std::move(candidate));
    hashes_.push_back(hash);
  }

  /// FNV-1a of 64 bits.
  [[nodiscard]] static std::uint64_t hash_of(std::span<const std::int32_t> ids) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const std::int32_t id : ids) hash = (hash ^ static_cast<std::uint32_t>(id)) * 0x100000001b3;
    return hash;
  }

  static bool moved(const FoundIds& found) {
    for (std::size_t axis = 0; axis < found.axes.size(); ++axis)
      if (found.axes[axis] != static_cast<std::int64_t>(axis)) return true;
    return false;
  }

  void note_mistakes(const IdRule& rule, const FoundIds& found, std::span<const std::int32_t> ids,
                     std::vector<Mistake>& mistakes) const {
    if (rule.other_rate || rule.preset != expected_) {
      note_rule(ids, mistakes);
    } else if (!has_expected_ids(ids)) {
      if (found.time != own_.time) mistakes.push_back(Mistake::time_rule);
      if (meant_.next && found.next != own_.next) mistakes.push_back(Mistake::next_rule);
    }
    if (moved(found)) {
      std::vector<std::int64_t> sorted = found.axes;
      std::ranges::sort(sorted);
      const bool all = sorted.front() == 0 && std::ranges::adjacent_find(sorted) == sorted.end();
      mistakes.push_back(all ? Mistake::axes_order : Mistake::axis_missing);
    }
    if (found.offset != 0) mistakes.push_back(Mistake::first_position);
  }

  [[nodiscard]] bool has_expected_ids(std::span<const std::int32_t> ids) const {
    return std::ranges::equal(ids, expected_ids_.span());
  }

  /// Notes how the ids of another preset, or of another rate, differ from those expected.
  void note_rule(std::span<const std::int32_t> ids, std::vector<Mistake>& mistakes) const {
    if (expected_ids_.size() == 0) {
      mistakes.push_back(Mistake::scaling_other);
      return;
    }
    bool time_alone = true, all_alike = true, same = true;
    for (std::size_t token = 0; token < tokens_; ++token)
      for (std::size_t axis = 0; axis < samples_.axes; ++axis) {
        const std::int32_t difference = ids[axis * tokens_ + token] - expected_ids_[axis * tokens_ + token];
        if (difference != 0) same = false;
        if (difference != 0 && axis > 0) time_alone = false;
        if (difference != ids[token] - expected_ids_[token]) all_alike = false;
      }
    if (same) return;
    mistakes.push_back(all_alike && !time_alone ? Mistake::first_position : Mistake::scaling_other);
  }

  const IdSamples& samples_;
  IdExpectation meant_;
  std::string_view expected_;  ///< the preset
  std::vector<MropeSegment> without_seconds_;
  std::size_t tokens_ = 0;
  AlignedArray<std::int32_t> expected_ids_;
  MropeOptions own_;  ///< the rule of these
  std::optional<Error> refused_;
  bool was_made_ = false;
  std::vector<Candidate> candidates_;
  std::vector<std::uint64_t> hashes_;  ///< of the ids that each is made of
  Candidate closest_;
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
  std::vector<IdRule> rules;
  // The expected one first: others are compared with its ids.
  if (!expected.preset.empty()) POSENC_TRY(add_rules(samples, expected.preset, expected, rules));
  for (const std::string_view preset : id_presets)
    if (preset != expected.preset) POSENC_TRY(add_rules(samples, preset, expected, rules));
  IdSearch search(samples, expected);
  for (const IdRule& rule : rules) POSENC_TRY(search.look(rule));
  return std::move(search).take();
}

}  // namespace posenc
