#include "posenc/diagnosis/axes/axis_turns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

#include "posenc/base/check.hpp"
#include "posenc/diagnosis/axes/axis_assignment.hpp"
#include "posenc/diagnosis/axes/axis_views.hpp"
#include "posenc/diagnosis/laws/evidence.hpp"
#include "posenc/diagnosis/laws/law_list.hpp"
#include "posenc/diagnosis/laws/turn_angles.hpp"
#include "posenc/diagnosis/laws/turn_scores.hpp"
#include "posenc/grid/grid_points.hpp"

namespace posenc::diagnosis {
namespace {

/// Assignments that are weighed with every law, and those for which laws are looked for anew: that takes time.
constexpr std::size_t most_assignments = 48, most_searched = 4;

/// Explanations that are kept beyond those asked for: some say the same.
constexpr std::size_t most_kept = 32;

/// What it costs to say that every axis has frequencies of its own.
constexpr double own_ladder_bits = 4;

double bits_of(const AxisExplanation& explanation) { return explanation.turn.surprise + explanation.turn.cost; }

bool has_given(const TurnLaw& law) { return std::holds_alternative<scaling::Given>(law.plan.scaling); }

std::vector<Mistake> but_arithmetic(std::vector<Mistake> mistakes) {
  std::erase_if(mistakes, [](Mistake mistake) {
    return mistake >= Mistake::angles_float32 && mistake <= Mistake::angles_product;
  });
  std::ranges::sort(mistakes);
  return mistakes;
}

class AxisSearch {
 public:
  AxisSearch(const Turns& turns, std::span<const double> points, std::size_t axes, const AxisContext& context)
      : turns_(turns), points_(points), axes_(axes), context_(context) {
    for (std::size_t axis = 0; axis < axes; ++axis)
      scores_.emplace_back(turns, points.subspan(axis * turns.tokens, turns.tokens));
    assignments_ = axis_assignments(axis_choices(turns, points, axes), context, most_assignments);
  }

  /// Laws of one known mistake, with every assignment that has one mistake, or two where the law has none.
  void try_listed() {
    const LawList list = list_laws(context_.turns, false);
    std::vector<std::size_t> order(list.laws.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return list.groups[a] < list.groups[b]; });
    std::optional<std::size_t> group;
    bool is_predicted = false;
    for (const std::size_t i : order) {
      const auto& [law, mistakes] = list.laws[i];
      if (group != list.groups[i]) is_predicted = predict(law);
      group = list.groups[i];
      if (!is_predicted) continue;
      TurnExplanation turn;
      turn.law = law;
      turn.mistakes = mistakes;
      turn.cost = mistake_bits * static_cast<double>(mistakes.size());
      for (const AxisAssignment& assignment : assignments_)
        if (mistakes.size() + assignment.mistakes.size() <= 2) offer(turn, assignment);
    }
  }

  /// Laws of two known mistakes, and those that the turns say, for the likeliest assignments.
  Expected<void> try_estimated() {
    for (std::size_t i = 0; i < std::min(assignments_.size(), most_searched); ++i) {
      const AxisView view = view_of(turns_, points_, assignments_[i].axis_of_pair, all_pairs());
      auto explained = explain_turns(view.turns, view.positions, context_.turns);
      if (!explained) return error_of(explained);
      for (const TurnExplanation& turn : *explained)
        if (predict(turn.law))
          for (const AxisAssignment& assignment : assignments_) offer(turn, assignment);
    }
    return {};
  }

  /// Laws of each axis's pairs alone.
  Expected<void> try_own_ladders() {
    for (std::size_t i = 0; i < std::min(assignments_.size(), most_searched); ++i)
      if (auto tried = try_own_ladder(assignments_[i]); !tried) return tried;
    return {};
  }

  [[nodiscard]] bool is_explained() const { return !kept_.empty() && kept_.front().turn.units <= explained_units; }
  [[nodiscard]] bool is_law() const { return is_explained() && !has_given(kept_.front().turn.law); }

  [[nodiscard]] std::vector<AxisExplanation> take(std::size_t most) && {
    std::vector<AxisExplanation> made;
    std::vector<PredictedTurns> predictions;
    for (AxisExplanation& each : kept_) {
      if (made.size() == most) break;
      if (!predict(each.turn.law)) continue;
      PredictedTurns predicted = composed(each.axis_of_pair);
      bool says_nothing_new = false;
      for (std::size_t i = 0; i < made.size() && !says_nothing_new; ++i) {
        const double apart = scores_[0].apart(predictions[i], made[i].turn.law, predicted, each.turn.law);
        if (i == 0) each.turn.apart = apart;
        const bool same_mistakes = but_arithmetic(made[i].turn.mistakes) == but_arithmetic(each.turn.mistakes);
        const bool other_arithmetic = made[i].turn.law.arithmetic != each.turn.law.arithmetic;
        says_nothing_new = apart <= indistinct_units &&
                           ((same_mistakes && (other_arithmetic || apart == 0)) || each.turn.is_estimated);
      }
      if (says_nothing_new) continue;
      predictions.push_back(std::move(predicted));
      made.push_back(std::move(each));
    }
    return made;
  }

 private:
  [[nodiscard]] std::vector<std::size_t> all_pairs() const {
    std::vector<std::size_t> pairs(turns_.pairs);
    std::iota(pairs.begin(), pairs.end(), std::size_t{0});
    return pairs;
  }

  /// What a law predicts for the positions of every axis; whether it can be had.
  bool predict(const TurnLaw& law) {
    predicted_.resize(axes_);
    for (std::size_t axis = 0; axis < axes_; ++axis)
      if (!scores_[axis].predict(law, predicted_[axis])) return false;
    return true;
  }

  [[nodiscard]] PredictedTurns composed(const std::vector<std::int64_t>& axis_of_pair) const {
    PredictedTurns made = predicted_[0];
    for (std::size_t token = 0; token < turns_.tokens; ++token)
      for (std::size_t pair = 0; pair < turns_.pairs; ++pair) {
        const std::size_t at = token * turns_.pairs + pair;
        const PredictedTurns& from = predicted_[static_cast<std::size_t>(axis_of_pair[pair])];
        made.cosines[at] = from.cosines[at];
        made.sines[at] = from.sines[at];
        if (!made.loose.empty()) made.loose[at] = from.loose[at];
      }
    return made;
  }

  void offer(const TurnExplanation& turn, const AxisAssignment& assignment,
             const std::optional<TurnLaw>& own_ladder = std::nullopt) {
    const double cost = turn.cost + assignment.cost;
    const double bound = kept_.size() < most_kept ? std::numeric_limits<double>::infinity() : bits_of(kept_.back());
    const TurnFit fit = scores_[0].fit(composed(assignment.axis_of_pair), turn.law, bound - cost);
    if (!(fit.surprise + cost < bound)) return;
    AxisExplanation made{turn, assignment.axis_of_pair, assignment.sections, assignment.order, own_ladder};
    made.turn.cost = cost;
    made.turn.surprise = fit.surprise;
    made.turn.units = fit.units;
    made.turn.residual = fit.residual;
    made.turn.mistakes = assignment.mistakes;
    made.turn.mistakes.insert(made.turn.mistakes.end(), turn.mistakes.begin(), turn.mistakes.end());
    const auto place = std::ranges::upper_bound(kept_, bits_of(made), {}, bits_of);
    kept_.insert(place, std::move(made));
    if (kept_.size() > most_kept) kept_.pop_back();
  }

  Expected<void> try_own_ladder(const AxisAssignment& assignment) {
    std::vector<double> frequencies(turns_.pairs);
    std::optional<TurnLaw> first;
    bool is_one_law = true;
    double costs = 0, dearest = 0;
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      std::vector<std::size_t> pairs;
      for (std::size_t pair = 0; pair < turns_.pairs; ++pair)
        if (assignment.axis_of_pair[pair] == static_cast<std::int64_t>(axis)) pairs.push_back(pair);
      if (pairs.empty()) continue;
      const AxisView view = view_of(turns_, points_, assignment.axis_of_pair, pairs);
      auto explained = explain_turns(view.turns, view.positions, {}, 1);
      if (!explained) return error_of(explained);
      if (explained->empty() || explained->front().units > explained_units) return {};
      const TurnLaw& law = explained->front().law;
      const auto angles = TurnAngles::make(law);
      if (!angles) return error_of(angles);
      if (!first) first = law;
      if (!goes_with(*first, law)) return {};
      is_one_law = is_one_law && same_ladder(*first, law);
      const LawNumbers numbers = numbers_of(law, angles->radians());
      for (std::size_t k = 0; k < pairs.size(); ++k) frequencies[pairs[k]] = std::fabs(numbers.rates[k]);
      costs += explained->front().cost;
      dearest = std::max(dearest, explained->front().cost);
    }
    if (!first) return {};
    TurnExplanation turn;
    turn.law = *first;
    turn.law.plan = {.dim = 2 * static_cast<std::int64_t>(turns_.pairs), .layout = Layout::half};
    turn.law.plan.scaling = scaling::Given{std::move(frequencies), 1};
    turn.law.position_scale = 1;
    turn.law.first_position = first->first_position / first->position_scale;
    turn.law.reciprocal = false;
    turn.law.arithmetic = AngleArithmetic::exact;
    turn.is_estimated = true;
    turn.cost = own_ladder_bits + (is_one_law ? dearest : costs);
    if (predict(turn.law)) offer(turn, assignment, is_one_law ? first : std::nullopt);
    return {};
  }

  /// Whether laws of two axes can be one of all: where frequencies may differ.
  static bool goes_with(const TurnLaw& a, const TurnLaw& b) {
    return a.negative == b.negative && a.exchanged == b.exchanged && is_same(a.factor, b.factor) &&
           std::fabs(a.first_position / a.position_scale - b.first_position / b.position_scale) < 0x1p-20;
  }

  /// Whether both make their frequencies in the same way, each for its own pairs.
  static bool same_ladder(const TurnLaw& a, const TurnLaw& b) {
    if (has_given(a) || has_given(b) || a.reciprocal != b.reciprocal || !is_same(a.plan.base, b.plan.base))
      return false;
    const auto own = [](const TurnLaw& law) {
      return static_cast<double>(denominator_of(plain_plan(law.plan))) / static_cast<double>(law.plan.dim);
    };
    return is_same(own(a), own(b)) && is_same(a.position_scale, b.position_scale) &&
           a.plan.scaling.index() == b.plan.scaling.index();
  }

  const Turns& turns_;
  std::span<const double> points_;
  std::size_t axes_;
  const AxisContext& context_;
  std::vector<TurnScores> scores_;  ///< of the turns, by the positions of each axis
  std::vector<AxisAssignment> assignments_;
  std::vector<PredictedTurns> predicted_;
  std::vector<AxisExplanation> kept_;
};

}  // namespace

Expected<std::vector<AxisExplanation>> explain_axis_turns(const Turns& turns, std::span<const double> points,
                                                          std::size_t axes, const AxisContext& context,
                                                          std::size_t most) {
  if (auto checked = check_whole("axes", static_cast<std::int64_t>(axes), 2, static_cast<std::int64_t>(max_axes));
      !checked)
    return error_of(checked);
  if (auto checked = check_whole("pairs", static_cast<std::int64_t>(turns.pairs), 1, max_dim / 2); !checked)
    return error_of(checked);
  if (auto checked = check_arrays({{"cosines", turns.cosines.size(), {turns.tokens, turns.pairs}},
                                   {"sines", turns.sines.size(), {turns.tokens, turns.pairs}},
                                   {"units", turns.units.size(), {turns.tokens, turns.pairs}},
                                   {"positions", points.size(), {axes, turns.tokens}}});
      !checked)
    return error_of(checked);
  for (const double point : points)
    if (!std::isfinite(point)) return invalid_argument("positions", point, {"finite numbers"});
  AxisSearch search(turns, points, axes, context);
  search.try_listed();
  if (!search.is_explained())
    if (auto tried = search.try_estimated(); !tried) return error_of(tried);
  if (!search.is_law())
    if (auto tried = search.try_own_ladders(); !tried) return error_of(tried);
  return std::move(search).take(most);
}

}  // namespace posenc::diagnosis
