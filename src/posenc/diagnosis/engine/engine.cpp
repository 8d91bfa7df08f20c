#include "posenc/diagnosis/engine/engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "posenc/diagnosis/engine/free_numbers.hpp"
#include "posenc/diagnosis/hypotheses/usual_numbers.hpp"
#include "posenc/diagnosis/positions/token_positions.hpp"
#include "posenc/rotary/certificate/rounding_error.hpp"

namespace posenc::diagnosis {
namespace {

/// Hypotheses that are far off are dropped by so many tokens; those that are left are compared with all.
constexpr std::size_t measured_tokens = 48;

/// Of the tokens that depart so many are looked at before others.
constexpr std::size_t most_departing = 6;

/// Positions are read of so many tokens at a time.
constexpr std::size_t read_tokens = 256;

/// Where more tokens than this may be anywhere, the others say nothing of them.
constexpr std::size_t most_open = 64;

/// So far from those given positions are near them.
constexpr double near_given = 512;

/// So many computations that explain the values with a factor of no list show that they do not tell which.
constexpr std::size_t most_scaled = 64;

/// A computation with some axes, and the mistakes of both.
Finding finding_of(const ListedHypothesis& each, const AxisAssignment& assignment, const Comparison& residual) {
  Finding made{.hypothesis = each.hypothesis,
               .mistakes = assignment.mistakes,
               .assignment = assignment,
               .numbers = each.numbers,
               .residual = residual};
  made.mistakes.insert(made.mistakes.end(), each.mistakes.begin(), each.mistakes.end());
  return made;
}

/// Whether a pattern of positions is none of a pair with this hypothesis: it rotates nothing, or says itself where
/// positions are.
bool hides_patterns(const ListedHypothesis& each) {
  const auto is_hidden = [](Mistake mistake) {
    return mistake == Mistake::first_position || mistake == Mistake::position_scale || mistake == Mistake::not_rotated;
  };
  return each.is_family || each.numbers.factor == 0 || std::ranges::any_of(each.mistakes, is_hidden);
}

/// Positions are read of rotations by exact angles, or those that were named.
bool can_read(const ListedHypothesis& each, const RotationContext& context) {
  const HypothesisNumbers& numbers = each.numbers;
  return !hides_patterns(each) && numbers.cosines == DType::float32 && numbers.sine_rows == 0 &&
         numbers.arithmetic == context.expected_arithmetic.value_or(AngleArithmetic::exact);
}

bool same_frequencies(const RotaryOptions& a, const RotaryOptions& b) {
  const std::vector<double> first = radians_of(a), second = radians_of(b);
  return !first.empty() && std::equal(first.begin(), first.end(), second.begin(), second.end(), is_same);
}

Mistake exponent_mistake(std::int64_t found, std::int64_t expected, const RotaryOptions& plan,
                         const RotationContext& context) {
  if (found == context.head_dim && context.head_dim > plan.dim) return Mistake::exponent_head_dim;
  if (found == 2 * expected) return Mistake::exponent_doubled;
  if (2 * found == expected) return Mistake::exponent_halved;
  if (found == expected - 2) return Mistake::exponent_half_minus_one;
  return Mistake::exponent_rotary_dim;
}

/// Appends how the numbers of an estimated plan differ from those expected.
void name_plan(const RotaryOptions& found, const RotaryOptions& expected, const RotationContext& context,
               std::vector<Mistake>& mistakes) {
  if (same_frequencies(found, expected)) return;
  RotaryOptions changed = expected;
  const bool is_given = std::holds_alternative<scaling::Given>(found.scaling);
  if (!is_given && denominator_of(found) != denominator_of(expected)) {
    mistakes.push_back(exponent_mistake(denominator_of(found), denominator_of(expected), expected, context));
    changed.exponent_dim = found.exponent_dim;
  }
  if (!is_given && found.base != expected.base) {
    mistakes.push_back(Mistake::base);
    changed.base = found.base;
  }
  if (same_frequencies(found, changed)) return;
  const bool was_unscaled = std::holds_alternative<scaling::Default>(expected.scaling);
  mistakes.push_back(std::holds_alternative<scaling::Default>(found.scaling) ? Mistake::scaling_missing
                     // Where no rule was expected, positions that are divided look like linear scaling.
                     : was_unscaled && std::holds_alternative<scaling::Linear>(found.scaling) ? Mistake::position_scale
                                                                                              : Mistake::scaling_other);
}

/// Whether nothing else that explains the values can say more: one of the findings turns nothing, and others turn. Two
/// of these, since values that were moved to other places say that there was a rotation, and not which.
bool tell_nothing(const std::vector<Finding>& found) {
  std::size_t still = 0, turning = 0;
  for (const Finding& each : found) (each.turns_nothing() ? still : turning) += each.residual.is_blind ? 0 : 1;
  return still > 0 && turning > 1;
}

/// The shortest numbers of a line through positions that were read to `error`, a * given + b: nothing where they have
/// none.
struct Line {
  double scale = 1, first = 0;
};
std::optional<Line> line_of(std::span<const double> given, std::span<const double> found, double error) {
  const auto [least, most] = std::ranges::minmax_element(given);
  const auto a = static_cast<std::size_t>(least - given.begin()), b = static_cast<std::size_t>(most - given.begin());
  Line made;
  if (given[a] != given[b]) {
    const double gap = given[b] - given[a], scale = (found[b] - found[a]) / gap, reach = error / gap;
    made.scale = shortest_between(scale - reach, scale + reach);
  }
  if (made.scale == 0) return std::nullopt;
  const double first = found[a] - made.scale * given[a];
  made.first = shortest_between(first - error, first + error);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (std::fabs(made.scale * given[i] + made.first - found[i]) > 4 * error + 1e-10 * std::fabs(found[i]))
      return std::nullopt;
  return made;
}

}  // namespace

Engine::Engine(const Question& question) : question_(question) {
  question_.departing = question.departing.first(std::min(question.departing.size(), most_departing));
  // The last ones are looked at first.
  std::vector<std::size_t> tokens = spread_indices(question.view.tokens(), measured_tokens);
  for (const std::size_t token : question_.departing)
    if (std::ranges::find(tokens, token) == tokens.end()) tokens.push_back(token);
  measured_ = measure(question.view, std::move(tokens));
}

bool Engine::has_unseen_pairs() const {
  for (std::size_t pair = 0; pair < measured_.pairs; ++pair) {
    bool is_seen = false;
    for (std::size_t i = 0; i < measured_.tokens.size(); ++i)
      is_seen = is_seen || std::isfinite(measured_.error[measured_.at(i, pair)]);
    if (!is_seen) return true;
  }
  return false;
}

/// Calls `keep` with what may have been done where nothing was expected.
void Engine::for_known(Keep keep) const {
  const Places& places = question_.places;
  const auto fits = [&](std::size_t pair, std::size_t axis, double rate, double first, double off_by) {
    for (std::size_t i = 0; i < measured_.tokens.size(); ++i) {
      const std::size_t at = measured_.at(i, pair);
      const double size = std::hypot(measured_.real[at], measured_.imaginary[at]);
      if (!(measured_.error[at] < size)) continue;
      const double angle = rate * (places.at(axis, measured_.tokens[i]) + first);
      const double off =
          std::hypot(measured_.real[at] / size - std::cos(angle), measured_.imaginary[at] / size - std::sin(angle));
      if (!(off <= 2 * measured_.error[at] / size + off_by * std::fabs(angle))) return false;
    }
    return true;
  };
  // Whether the first pairs may have turned so, along any axis, forwards or backwards, from the first position on or
  // next to it.
  const auto may_turn = [&](std::size_t pair, double rate, double off_by) {
    for (std::size_t axis = 0; axis < places.axes; ++axis)
      for (const double first : {0.0, 1.0, -1.0})
        for (const double turned : {rate, -rate})
          if (fits(pair, axis, turned, first, off_by)) return true;
    return false;
  };
  list_known(question_.context, 2 * static_cast<std::int64_t>(measured_.pairs), may_turn, keep);
}

std::vector<AxisAssignment> Engine::assignments() const {
  const Places& places = question_.places;
  bool are_alike = true;
  for (std::size_t axis = 1; axis < places.axes; ++axis)
    for (std::size_t token = 0; token < places.tokens(); ++token)
      are_alike = are_alike && places.at(axis, token) == places.at(0, token);
  if (!are_alike) return axis_assignments(measured_, places, question_.axes);
  std::vector<AxisAssignment> made{{.sections = question_.axes.sections, .order = question_.axes.order}};
  if (made[0].sections.empty()) made[0].order = MropeOrder::unnamed;
  // Positions of text do not show which axes pairs take.
  if (!made[0].sections.empty()) made.push_back({.mistakes = {Mistake::axis_missing}});
  return made;
}

/// Frequencies that begin again in the section of each axis, over its own dimensions.
std::vector<ListedHypothesis> Engine::restarted(const AxisAssignment& assignment) const {
  const RotationContext& context = question_.context;
  std::vector<RotaryOptions> plans;
  if (context.expected)
    plans.push_back(plain_plan(*context.expected));
  else
    for (const double base : usual_bases) plans.push_back({.dim = 2, .layout = Layout::half, .base = base});
  std::vector<ListedHypothesis> made;
  for (const RotaryOptions& plan : plans) {
    std::vector<std::int64_t> counts(question_.places.axes), seen(question_.places.axes);
    for (const std::int64_t axis : assignment.axis_of_pair) ++counts[static_cast<std::size_t>(axis)];
    std::vector<std::vector<double>> lists;
    for (const std::int64_t count : counts) {
      RotaryOptions own = plan;
      own.dim = 2 * std::max<std::int64_t>(count, 1), own.exponent_dim = std::nullopt;
      lists.push_back(radians_of(own));
    }
    std::vector<double> frequencies;
    for (const std::int64_t each : assignment.axis_of_pair) {
      const auto axis = static_cast<std::size_t>(each);
      if (lists[axis].empty()) return {};
      frequencies.push_back(lists[axis][static_cast<std::size_t>(seen[axis]++)]);
    }
    ListedHypothesis listed;
    listed.hypothesis.plan = {.dim = 2 * std::ssize(frequencies), .layout = Layout::half, .base = plan.base};
    listed.hypothesis.plan.scaling = scaling::Given{frequencies, 1};
    listed.hypothesis.negative = context.expected_inverse;
    if (const auto factor = attention_factor(plan_of(plan))) listed.hypothesis.factor = *factor;
    if (context.expected) listed.mistakes = {Mistake::restarted};
    listed.numbers = numbers_of(listed.hypothesis, frequencies);
    made.push_back(std::move(listed));
  }
  return made;
}

/// Whether a hypothesis need not be tried: the pairs' lengths changed, which only sines of other rows explain, or its
/// cosines are no coarser than the results. Those of float16 are, in a cache of bfloat16 with sines as small as its
/// subnormals.
bool Engine::is_left_out(const ListedHypothesis& each) const {
  const DType type = each.numbers.cosines;
  if (!question_.keeps_lengths && each.numbers.sine_rows == 0) return true;
  const double unit = unit_of(rounding_of(type)).value, own = question_.context.rounding;
  const Noise& noise = question_.view.noise();
  if (type == DType::float32 || unit > own) return false;
  const auto is_small = [](double rate) { return rate != 0 && std::fabs(rate) < 0x1p-17; };
  return !noise.is_stored || unit == own || noise.type.rounding != own ||
         std::ranges::none_of(each.numbers.rates, is_small);
}

bool Engine::try_listed(const ListedHypothesis& each, const AxisAssignment& assignment, std::vector<Finding>& found,
                        bool is_estimated) const {
  if (is_left_out(each)) return false;
  if (!may_explain(measured_, question_.places, each.numbers, is_named(), assignment.axis_of_pair)) return false;
  Finding made = finding_of(each, assignment, {});
  if (std::ranges::any_of(found, [&](const Finding& other) { return made.is_same_as(other); })) return true;
  made.residual = compare(question_.view, question_.places, each.hypothesis, is_named(), assignment.axis_of_pair,
                          nullptr, {}, each.angles);
  if (!made.residual.explains) return false;
  made.is_estimated = is_estimated;
  found.push_back(std::move(made));
  return true;
}

/// The axes that pairs were expected to take; nothing where these are not known.
std::optional<AxisAssignment> Engine::meant_axes() const {
  AxisAssignment made;
  if (question_.places.axes == 1) return made;
  made.sections = question_.axes.sections, made.order = question_.axes.order;
  made.axis_of_pair = mrope_axes(made.sections, made.order, measured_.pairs);
  if (made.axis_of_pair.empty()) return std::nullopt;
  return made;
}

/// The patterns that make these of the positions given: of several axes, one for all that are not as given.
std::vector<PositionPattern> Engine::patterns_of(std::span<const double> values) const {
  const Places& places = question_.places;
  const std::size_t tokens = places.tokens();
  std::vector<PositionPattern> made;
  for (std::size_t axis = 0; axis < places.axes; ++axis) {
    std::vector<PositionPattern> own =
        position_patterns(places.positions.subspan(axis * tokens, tokens), values.subspan(axis * tokens, tokens));
    if (own.empty()) continue;
    if (made.empty())
      made = std::move(own);
    else if (own.front().mistake != made.front().mistake || own.front().amount != made.front().amount)
      return {{.mistake = Mistake::positions_other, .tokens = {}}};
  }
  return made;
}

/// Patterns of positions that are of the list as any change is: those that need no number are tried with each change,
/// those that begin at a token or have a bound with what was expected alone.
void Engine::try_patterns(std::size_t most_mistakes, std::vector<Finding>& found) const {
  const std::span<const double> given = question_.places.positions;
  constexpr std::size_t most_tokens = 64;
  const std::size_t count = question_.places.tokens();
  const auto meant = meant_axes();
  if (!question_.context.expected || most_mistakes == 0 || !meant) return;
  struct Pattern {
    std::vector<double> values;
    PositionPattern name;
    bool has_number = false, leaves_none = false;  ///< none of the positions is other than 0
  };
  std::vector<Pattern> patterns;
  using Own = std::span<const double>;
  using enum Mistake;
  /// The position of token i, by those of its axis and the rule's numbers: a token k, a bound.
  using Rule = double (*)(Own own, std::size_t i, std::size_t k, double bound);
  const auto add = [&](Mistake mistake, Rule rule, std::size_t k = 0, double bound = 0) {
    Pattern made{.values = {}, .name = {.mistake = mistake, .tokens = {}, .amount = bound}, .has_number = k != 0};
    if (mistake == positions_restarted) made.name.amount = 0;
    if (k != 0) made.name.tokens = {static_cast<std::int64_t>(k % count)};
    for (std::size_t axis = 0; axis < question_.places.axes; ++axis)
      for (std::size_t i = 0; i < count; ++i)
        made.values.push_back(rule(given.subspan(axis * count, count), i, k, bound));
    const auto is_known = [&](const Pattern& other) { return other.values == made.values; };
    // Where a bound of a token's makes all of them 0, nothing was rotated; a modulus leaves what is between them.
    made.leaves_none = made.has_number && std::ranges::all_of(made.values, [](double each) { return each == 0; });
    const bool is_other = !made.leaves_none || (mistake == positions_modulo && bound > 1);
    if (is_other && !std::ranges::equal(made.values, given) && std::ranges::none_of(patterns, is_known))
      patterns.push_back(std::move(made));
  };
  const auto index = [](Own, std::size_t i, std::size_t, double) { return static_cast<double>(i); };
  const auto counted = [](Own own, std::size_t i, std::size_t, double) { return own[0] + static_cast<double>(i); };
  const auto reversed = [](Own own, std::size_t i, std::size_t, double) { return own[own.size() - 1 - i]; };
  // Begins again at 0, or where the first token is.
  const auto begun_again = [](Own own, std::size_t i, std::size_t k, double from_first) {
    return i < k ? own[i] : static_cast<double>(i - k) + from_first * own[0];
  };
  const auto clamped = [](Own own, std::size_t i, std::size_t, double bound) { return std::min(own[i], bound); };
  const auto modulo = [](Own own, std::size_t i, std::size_t, double bound) { return std::fmod(own[i], bound); };
  add(token_indices, index);
  add(counted_on, counted);
  if (count >= 2) add(positions_reversed, reversed);
  for (std::size_t k = 1; k < count && count <= most_tokens; ++k)
    for (const double from_first : {1.0, 0.0}) add(positions_restarted, begun_again, k, from_first);
  for (std::size_t k = 1; k < given.size() && count <= most_tokens; ++k)
    for (const double bound : {given[k], std::floor(given[k])}) {
      add(positions_clamped, clamped, k, bound);
      if (bound > 0) add(positions_modulo, modulo, k, bound);
    }
  const auto try_pattern = [&](const Pattern& pattern, const AxisAssignment& assignment) {
    const Places places{.positions = pattern.values, .axes = question_.places.axes};
    const std::size_t rest = most_mistakes - 1 - assignment.mistakes.size();
    for (const ListedHypothesis& each : question_.lists.list(question_.context, rest)) {
      if (hides_patterns(each) || is_left_out(each)) continue;
      if (pattern.has_number && !each.mistakes.empty()) break;
      if (!may_explain(measured_, places, each.numbers, is_named(), assignment.axis_of_pair)) continue;
      const Comparison residual = compare(question_.view, places, each.hypothesis, is_named(), assignment.axis_of_pair);
      if (!residual.explains) continue;
      std::vector<PositionPattern> names = patterns_of(pattern.values);
      // Positions that do not count their tokens, and those of several axes, have the name of the rule.
      if (question_.places.axes > 1 || names.front().mistake == positions_other || pattern.leaves_none)
        names = {pattern.name};
      for (const PositionPattern& name : names) {
        Finding made = finding_of(each, assignment, residual);
        made.mistakes.push_back(name.mistake);
        made.positions = {.values = pattern.values, .tokens = name.tokens, .amount = name.amount};
        found.push_back(std::move(made));
      }
    }
  };
  for (const Pattern& pattern : patterns) {
    // With several axes, patterns with a number are tried only where nothing else explains the values.
    if (pattern.has_number && question_.places.axes > 1 && !found.empty()) break;
    try_pattern(pattern, *meant);
    if (question_.places.axes == 1 || most_mistakes < 2 || pattern.has_number) continue;
    const Places moved{.positions = pattern.values, .axes = question_.places.axes};
    const auto moves = [&](std::int64_t axis) {
      const std::size_t start = static_cast<std::size_t>(axis) * count;
      return !std::ranges::equal(given.subspan(start, count), moved.positions.subspan(start, count));
    };
    if (moves(0)) try_pattern(pattern, {.mistakes = {axis_missing}});
    for (const AxisAssignment& each : axis_assignments(measured_, moved, question_.axes))
      if (each.mistakes.size() == 1 && std::ranges::any_of(each.axis_of_pair, moves)) try_pattern(pattern, each);
  }
}

std::vector<Finding> Engine::listed(std::size_t most_mistakes, std::size_t most) const {
  std::vector<Finding> found;
  const std::vector<AxisAssignment> assigned = assignments();
  bool is_enough = false;
  const auto keep = [&](const ListedHypothesis& each) {
    const std::size_t before = found.size();
    for (const AxisAssignment& assignment : assigned) (void)try_listed(each, assignment, found);
    is_enough = found.size() > before && (found.size() >= most || tell_nothing(found));
    return !is_enough;
  };
  if (!question_.context.expected) for_known(keep);
  if (is_enough) return found;
  for (const AxisAssignment& assignment : assigned)
    for (const ListedHypothesis& each : question_.lists.list(question_.context, most_mistakes)) {
      // The family is what could have been meant: it stands for what was expected, and not beside mistakes.
      const std::size_t mistakes = each.mistakes.size() + assignment.mistakes.size() + (each.is_family ? 1 : 0);
      if (mistakes > most_mistakes) continue;
      (void)try_listed(each, assignment, found);
      if (found.size() >= most) return found;
    }
  for (const AxisAssignment& assignment : assigned)
    if (!assignment.axis_of_pair.empty() && assignment.mistakes.size() < most_mistakes)
      for (const ListedHypothesis& each : restarted(assignment)) (void)try_listed(each, assignment, found);
  try_patterns(most_mistakes, found);
  return found;
}

Engine::Reading Engine::read_positions(const ListedHypothesis& each, const AxisAssignment& assignment,
                                       const ReadingRange& range) const {
  const Places& places = question_.places;
  const std::size_t tokens = places.tokens();
  Reading made;
  // Of positions that are rounded, others are as good.
  made.is_open = is_of_16_bits(each.numbers.arithmetic);
  std::vector<std::optional<std::vector<double>>> possible(places.positions.size());
  std::size_t open = 0;
  auto angles = HypothesisAngles::make(each.hypothesis);
  if (!angles || angles->pairs() != measured_.pairs) return made;
  Simulation simulation(question_.view, *angles, each.hypothesis, is_named(), assignment.axis_of_pair);
  const auto read = [&](std::vector<std::size_t> some) {
    const Measured measured = measure(question_.view, some);
    for (std::size_t axis = 0; axis < places.axes; ++axis)
      for (std::size_t i = 0; i < some.size(); ++i) {
        std::optional<std::vector<double>>& own = possible[axis * tokens + some[i]];
        Comparison comparison;
        const auto explains = [&](double position) {
          comparison.explains = true;
          return simulation.turn(axis, position) && simulation.compare(some[i], axis, comparison);
        };
        own = read_position(measured, i, each.numbers, assignment.axis_of_pair, static_cast<std::int64_t>(axis),
                            places.at(axis, some[i]), range, explains);
        made.is_open = made.is_open || !own;
        if (own ? own->empty() : ++open > most_open) return false;
      }
    return true;
  };
  if (!read({question_.departing.begin(), question_.departing.end()})) return made;
  for (std::size_t start = 0; start < tokens; start += read_tokens) {
    std::vector<std::size_t> some;
    for (std::size_t token = start; token < std::min(start + read_tokens, tokens); ++token) some.push_back(token);
    if (!read(std::move(some))) return made;
  }
  made.values.emplace_back();
  for (std::size_t axis = 0; axis < places.axes; ++axis) {
    const std::size_t start = axis * tokens;
    const auto own = read_together(places.positions.subspan(start, tokens), std::span(possible).subspan(start, tokens));
    std::vector<std::vector<double>> all;
    for (const std::vector<double>& before : made.values)
      for (const std::vector<double>& next : own) {
        if (all.size() == most_together) break;
        all.push_back(before);
        all.back().insert(all.back().end(), next.begin(), next.end());
      }
    made.values = std::move(all);
  }
  // What was given is no other reading.
  std::erase_if(made.values, [&](const auto& values) { return std::ranges::equal(values, places.positions); });
  if (!made.values.empty()) return made;
  made.is_open = true;
  made.nearest.reserve(possible.size());
  for (std::size_t at = 0; at < possible.size(); ++at) {
    const double given = places.positions[at];
    const auto distance = [&](double position) { return std::fabs(position - given); };
    const auto& own = possible[at];
    made.nearest.push_back(own ? *std::ranges::min_element(*own, {}, distance) : given);
  }
  return made;
}

/// Adds what explains the positions that were read: a line, patterns with a name, or, where neither does, any.
void Engine::add_moved(const ListedHypothesis& each, const AxisAssignment& assignment, std::vector<double> values,
                       std::vector<Finding>& found) const {
  const Places& places = question_.places;
  const std::size_t tokens = places.tokens();
  const std::vector<PositionPattern> patterns = patterns_of(values);
  if (patterns.empty()) return;
  const bool is_named_pattern = patterns.front().mistake != Mistake::positions_other;
  // In 16 bits positions that are not whole are read to a tenth.
  for (const double error : {1e-6, 1e-4, 1e-3, 1e-2, 1e-1}) {
    const auto line = line_of(places.positions, values, error);
    // Two tokens are on a line of any two numbers.
    const bool has_both = line && std::fabs(line->scale) != 1 && line->first != 0;
    if (!line || (is_named_pattern && tokens >= 3) || (has_both && tokens < 3)) continue;
    ListedHypothesis moved = each;
    RotationHypothesis& hypothesis = moved.hypothesis;
    hypothesis.first_position += hypothesis.position_scale * line->first;
    hypothesis.position_scale *= std::fabs(line->scale);
    if (line->scale < 0) {
      hypothesis.negative = !hypothesis.negative, hypothesis.first_position = -hypothesis.first_position;
      if (std::erase(moved.mistakes, Mistake::sign) == 0) moved.mistakes.push_back(Mistake::sign);
    }
    if (std::fabs(line->scale) != 1) moved.mistakes.push_back(Mistake::position_scale);
    if (line->first != 0) moved.mistakes.push_back(Mistake::first_position);
    if (!question_.context.expected) moved.mistakes.clear();
    moved.numbers = numbers_of(hypothesis);
    if (try_listed(moved, assignment, found, true)) return;
  }
  for (const PositionPattern& pattern : patterns) {
    const Places other{.positions = values, .axes = places.axes};
    Finding made = finding_of(each, assignment,
                              compare(question_.view, other, each.hypothesis, is_named(), assignment.axis_of_pair));
    if (!made.residual.explains) return;
    made.mistakes.push_back(pattern.mistake);
    // Positions of no known pattern could be those of another encoding; one position shows no pattern.
    made.is_estimated =
        !is_named_pattern || std::ranges::count(places.positions, places.positions[0]) == std::ssize(places.positions);
    made.positions = {.values = values, .tokens = pattern.tokens, .amount = pattern.amount};
    found.push_back(std::move(made));
  }
}

std::vector<Finding> Engine::moved(std::size_t most_mistakes, double& farthest) const {
  std::vector<Finding> found;
  if (!question_.context.expected || most_mistakes == 0 || !question_.keeps_lengths) return found;
  const auto meant = meant_axes();
  bool is_open = false;
  if (!meant) return found;
  for (const ListedHypothesis& each : question_.lists.list(question_.context, most_mistakes - 1)) {
    if (each.mistakes.size() > 1 || !can_read(each, question_.context)) continue;
    const auto tokens = static_cast<double>(question_.places.tokens());
    const double far = std::max(reading_reach(each.numbers, question_.places), tokens * tokens / 2);
    const bool is_first = each.mistakes.empty();
    std::vector<double> nearest;
    // Where far positions are open, near ones are the likeliest: near 0, or near those given.
    for (const ReadingRange& range : {ReadingRange{far}, {near_reach()}, {near_given, true}}) {
      Reading read = read_positions(each, *meant, range);
      is_open = is_open || (is_first && read.is_open);
      for (std::vector<double>& values : read.values) add_moved(each, *meant, std::move(values), found);
      if (nearest.empty()) nearest = std::move(read.nearest);
      if (is_first && read.is_open && found.empty()) continue;
      if (is_first && !range.is_around) farthest = std::max(farthest, range.reach);
      break;
    }
    if (is_first && found.empty() && !nearest.empty()) {
      add_moved(each, *meant, std::move(nearest), found);
      for (Finding& made : found) made.is_open = true;
    }
    if (!found.empty() && is_first) break;
  }
  // Where those of what was expected are open, or far ones may explain as much, no others are certain.
  is_open = is_open || std::ranges::any_of(found, [](const Finding& each) { return each.residual.is_weak; });
  for (Finding& each : found) each.is_estimated = each.is_estimated || is_open;
  // Positions of a pattern say more than any others, and one mistake less.
  const auto is_other = [](const Finding& each) {
    return std::ranges::count(each.mistakes, Mistake::positions_other) != 0;
  };
  if (std::ranges::any_of(found, std::not_fn(is_other))) std::erase_if(found, is_other);
  return found;
}

/// Twice as far as the positions that were given, or some hundreds.
double Engine::near_reach() const {
  double reach = std::max(near_given, static_cast<double>(question_.places.tokens()));
  for (const double position : question_.places.positions) reach = std::max(reach, 2 * std::fabs(position));
  return reach;
}

double Engine::expected_factor() const {
  const auto& expected = question_.context.expected;
  return expected ? attention_factor(plan_of(plain_plan(*expected))).value_or(1) : 1.0;
}

/// Appends a computation with the first of some factors by which it explains the values.
void Engine::try_factors(ListedHypothesis each, const AxisAssignment& assignment, std::span<const double> factors,
                         std::vector<Finding>& found) const {
  const std::vector<Mistake> mistakes = each.mistakes;
  for (const double factor : factors) {
    each.hypothesis.factor = each.numbers.factor = factor;
    each.mistakes = mistakes;
    if (question_.context.expected && !is_same(factor, expected_factor()))
      each.mistakes.push_back(factor == 1 ? Mistake::factor_missing : Mistake::factor_other);
    if (try_listed(each, assignment, found, true)) return;
  }
}

std::vector<Finding> Engine::estimated() const {
  std::vector<Finding> found;
  const RotationContext& context = question_.context;
  const std::vector<double> factors = free_factors(measured_, expected_factor());
  if (factors.empty() || !question_.keeps_lengths) return found;
  const std::vector<AxisAssignment> assigned = assignments();
  const auto keep = [&](const ListedHypothesis& each, const AxisAssignment& assignment) {
    try_factors(each, assignment, factors, found);
  };
  const auto keep_scaled = [&](const ListedHypothesis& each) {
    for (const AxisAssignment& assignment : assigned)
      if (!is_same(factors.front(), each.numbers.factor) && each.mistakes.size() + assignment.mistakes.size() <= 1 &&
          std::ranges::none_of(each.mistakes, is_of_factor))
        keep(each, assignment);
    return found.size() < most_scaled && !tell_nothing(found);
  };
  // Those with a factor were listed without it.
  if (!context.expected && !is_same(factors.front(), 1)) for_known(keep_scaled);
  for (const ListedHypothesis& each : question_.lists.list(context, 1)) (void)keep_scaled(each);
  if (!found.empty()) return found;
  for (const AxisAssignment& assignment : assigned) {
    auto free = free_rates(measured_, question_.places, assignment.axis_of_pair);
    if (!free) continue;
    double sum = 0;
    for (const double rate : free->rates) sum += rate < 0 ? -1 : rate > 0 ? 1 : 0;
    const bool is_back = sum < 0;
    if (is_back)
      for (double& rate : free->rates) rate = -rate;
    const FreeSample sample{.measured = measured_,
                            .places = question_.places,
                            .axis_of_pair = assignment.axis_of_pair,
                            .sign = is_back ? -1.0 : 1.0,
                            .first = context.expected_first};
    for (const RotaryOptions& plan : free_plans(*free, context, &sample))
      for (const bool exchanged : {false, true}) {
        ListedHypothesis each;
        each.hypothesis.plan = plan;
        each.hypothesis.exchanged = exchanged, each.hypothesis.negative = is_back != exchanged;
        if (context.expected) {
          // The positions of what was expected are taken first.
          each.hypothesis.first_position = context.expected_first;
          each.hypothesis.position_scale = 1;
          name_plan(plan, plain_plan(*context.expected), context, each.mistakes);
          if (each.hypothesis.negative != context.expected_inverse) each.mistakes.push_back(Mistake::sign);
          if (exchanged) each.mistakes.push_back(Mistake::exchanged);
        }
        each.hypothesis.factor = factors.front();
        each.numbers = numbers_of(each.hypothesis);
        keep(each, assignment);
        if (!found.empty()) return found;
        // A law at other positions, which frequencies of no law could have any of.
        const bool is_law = !std::holds_alternative<scaling::Given>(plan.scaling);
        if (!is_law || question_.places.axes > 1) continue;
        for (auto& values : read_positions(each, assignment, {reading_reach(each.numbers, question_.places)}).values)
          add_moved(each, assignment, std::move(values), found);
        for (Finding& made : found) made.is_estimated = true;
        if (!found.empty()) return found;
      }
  }
  return found;
}

}  // namespace posenc::diagnosis
