#include "posenc/diagnosis/axes/axis_rotations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/axes/axis_assignment.hpp"
#include "posenc/diagnosis/axes/axis_views.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_angles.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_ranking.hpp"
#include "posenc/diagnosis/hypotheses/name_differences.hpp"
#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"
#include "posenc/grid/grid_points.hpp"

namespace posenc::diagnosis {
namespace {

/// Assignments that are weighed with every hypothesis, and those for which hypotheses are looked for anew: that takes
/// time.
constexpr std::size_t most_assignments = 48, most_searched = 4;

/// A hypothesis that gives every axis frequencies of its own costs so many bits more.
constexpr double per_axis_bits = 4;

/// Known mistakes that are tried together, of axes and of hypotheses.
constexpr std::size_t most_mistakes = 2;

/// First positions that were estimated by two axes are the same if they differ by less.
constexpr double same_first = 0x1p-20;

bool has_given(const RotationHypothesis& hypothesis) {
  return std::holds_alternative<scaling::Given>(hypothesis.plan.scaling);
}

class AxisSearch {
 public:
  AxisSearch(const PairRotations& rotations, std::span<const double> points, std::size_t axes,
             const AxisContext& context, std::size_t most)
      : rotations_(rotations),
        points_(points),
        axes_(axes),
        context_(context),
        costs_(costs_of(rotations, points, axes)),
        assignments_(axis_assignments(axis_choices(rotations, points, axes), context, most_assignments)),
        ranking_(costs_[0], most) {}

  /// Tries the hypotheses of one known mistake, with every assignment that has one mistake, or two where the hypothesis
  /// has none.
  void try_listed() {
    const HypothesisList list = list_hypotheses(context_.rotations, false);
    std::vector<std::size_t> order(list.hypotheses.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return list.groups[a] < list.groups[b]; });
    std::optional<std::size_t> group;
    bool is_predicted = false;
    for (const std::size_t i : order) {
      const auto& [hypothesis, mistakes] = list.hypotheses[i];
      if (group != list.groups[i]) is_predicted = predict(hypothesis);
      group = list.groups[i];
      if (!is_predicted) continue;
      const RotationExplanation rotation{
          .hypothesis = hypothesis, .mistakes = mistakes, .cost = mistake_bits * static_cast<double>(mistakes.size())};
      for (std::size_t k = 0; k < assignments_.size(); ++k)
        if (mistakes.size() + assignments_[k].mistakes.size() <= most_mistakes) offer(rotation, k);
    }
  }

  /// Tries the hypotheses of two known mistakes, and those estimated from the rotations, for the likeliest assignments.
  Expected<void> try_estimated() {
    for (std::size_t i = 0; i < std::min(assignments_.size(), most_searched); ++i) {
      const AxisView view = view_of(rotations_, points_, assignments_[i].axis_of_pair, all_pairs());
      POSENC_TRY_LET(explained, explain_rotations(view.rotations, view.positions, context_.rotations));
      for (const RotationExplanation& rotation : explained)
        if (predict(rotation.hypothesis))
          for (std::size_t k = 0; k < assignments_.size(); ++k) offer(rotation, k);
    }
    return {};
  }

  /// Tries hypotheses of each axis's pairs alone.
  Expected<void> try_per_axis_all() {
    for (std::size_t i = 0; i < std::min(assignments_.size(), most_searched); ++i) POSENC_TRY(try_per_axis(i));
    return {};
  }

  [[nodiscard]] bool needs_estimates() const { return ranking_.needs_estimates(); }
  [[nodiscard]] bool is_hypothesis() const {
    return ranking_.units() <= explained_units && !has_given(ranking_.kept().front().hypothesis);
  }

  [[nodiscard]] std::vector<AxisExplanation> take() && {
    const auto predicts = [&](const RotationExplanation& each, PredictedRotations& out) {
      if (!predict(each.hypothesis)) return false;
      out = composed(assignments_[each.variant].axis_of_pair);
      return true;
    };
    std::vector<AxisExplanation> made;
    for (RotationExplanation& each : std::move(ranking_).finish(predicts, true)) {
      const AxisAssignment& assignment = assignments_[each.variant];
      made.push_back({std::move(each), assignment.axis_of_pair, assignment.sections, assignment.order});
    }
    return made;
  }

 private:
  static std::vector<RotationCosts> costs_of(const PairRotations& rotations, std::span<const double> points,
                                             std::size_t axes) {
    std::vector<RotationCosts> made;
    made.reserve(axes);
    for (std::size_t axis = 0; axis < axes; ++axis)
      made.emplace_back(rotations, points.subspan(axis * rotations.tokens, rotations.tokens));
    return made;
  }

  [[nodiscard]] std::vector<std::size_t> all_pairs() const {
    std::vector<std::size_t> pairs(rotations_.pairs);
    std::iota(pairs.begin(), pairs.end(), std::size_t{0});
    return pairs;
  }

  /// Predicts the rotations of a hypothesis for the positions of every axis, and returns whether it can.
  bool predict(const RotationHypothesis& hypothesis) {
    predicted_.resize(axes_);
    for (std::size_t axis = 0; axis < axes_; ++axis)
      if (!costs_[axis].predict(hypothesis, predicted_[axis])) return false;
    return true;
  }

  [[nodiscard]] PredictedRotations composed(const std::vector<std::int64_t>& axis_of_pair) const {
    PredictedRotations made = predicted_[0];
    for (std::size_t token = 0; token < rotations_.tokens; ++token)
      for (std::size_t pair = 0; pair < rotations_.pairs; ++pair) {
        const std::size_t at = token * rotations_.pairs + pair;
        const PredictedRotations& from = predicted_[static_cast<std::size_t>(axis_of_pair[pair])];
        made.cosines[at] = from.cosines[at];
        made.sines[at] = from.sines[at];
        if (!made.loose.empty()) made.loose[at] = from.loose[at];
      }
    return made;
  }

  /// An explanation of the hypothesis whose predictions were made last, for an assignment.
  void offer(RotationExplanation rotation, std::size_t variant) {
    const AxisAssignment& assignment = assignments_[variant];
    rotation.variant = variant;
    rotation.cost += assignment.cost;
    rotation.mistakes.insert(rotation.mistakes.begin(), assignment.mistakes.begin(), assignment.mistakes.end());
    ranking_.offer(std::move(rotation), composed(assignment.axis_of_pair));
  }

  Expected<void> try_per_axis(std::size_t variant) {
    const AxisAssignment& assignment = assignments_[variant];
    std::vector<double> frequencies(rotations_.pairs);
    std::optional<RotationHypothesis> first;
    bool is_one_hypothesis = true;
    double costs = 0, dearest = 0;
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      std::vector<std::size_t> pairs;
      for (std::size_t pair = 0; pair < rotations_.pairs; ++pair)
        if (assignment.axis_of_pair[pair] == static_cast<std::int64_t>(axis)) pairs.push_back(pair);
      if (pairs.empty()) continue;
      const AxisView view = view_of(rotations_, points_, assignment.axis_of_pair, pairs);
      POSENC_TRY_LET(explained, explain_rotations(view.rotations, view.positions, {}, 1));
      if (explained.empty() || explained.front().units > explained_units) return {};
      const RotationHypothesis& hypothesis = explained.front().hypothesis;
      POSENC_TRY_LET(angles, HypothesisAngles::make(hypothesis));
      if (!first) first = hypothesis;
      if (!goes_with(*first, hypothesis)) return {};
      is_one_hypothesis = is_one_hypothesis && same_frequencies(*first, hypothesis);
      const HypothesisNumbers numbers = numbers_of(hypothesis, angles.radians());
      for (std::size_t k = 0; k < pairs.size(); ++k) frequencies[pairs[k]] = std::fabs(numbers.rates[k]);
      costs += explained.front().cost;
      dearest = std::max(dearest, explained.front().cost);
    }
    if (!first) return {};
    RotationExplanation rotation;
    rotation.hypothesis = *first;
    rotation.hypothesis.plan = {.dim = 2 * static_cast<std::int64_t>(rotations_.pairs), .layout = Layout::half};
    rotation.hypothesis.plan.scaling = scaling::Given{std::move(frequencies), 1};
    rotation.hypothesis.position_scale = 1;
    rotation.hypothesis.first_position = first->first_position / first->position_scale;
    rotation.hypothesis.reciprocal = false;
    rotation.hypothesis.arithmetic = AngleArithmetic::exact;
    rotation.is_estimated = true;
    rotation.cost = per_axis_bits + (is_one_hypothesis ? dearest : costs);
    if (context_.rotations.expected) {
      name_differences(rotation.hypothesis, context_.rotations, !is_one_hypothesis, rotation.mistakes);
      if (is_one_hypothesis) name_restarted(*first, rotation.mistakes);
      rotation.cost += mistake_bits * static_cast<double>(rotation.mistakes.size());
    }
    if (predict(rotation.hypothesis)) offer(std::move(rotation), variant);
    return {};
  }

  /// Names how frequencies that begin again for each axis differ from those expected.
  void name_restarted(const RotationHypothesis& first, std::vector<Mistake>& mistakes) const {
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): called where a plan is expected
    const RotaryOptions& expected = *context_.rotations.expected;
    mistakes.push_back(Mistake::restarted);
    if (!is_same(first.plan.base, expected.base)) mistakes.push_back(Mistake::base);
    if (first.plan.scaling.index() != expected.scaling.index()) mistakes.push_back(Mistake::scaling_other);
  }

  /// Whether hypotheses of two axes can be one of all: where frequencies may differ.
  static bool goes_with(const RotationHypothesis& a, const RotationHypothesis& b) {
    return a.negative == b.negative && a.exchanged == b.exchanged && is_same(a.factor, b.factor) &&
           std::fabs(a.first_position / a.position_scale - b.first_position / b.position_scale) < same_first;
  }

  /// Whether both make their frequencies in the same way, each for its own pairs.
  static bool same_frequencies(const RotationHypothesis& a, const RotationHypothesis& b) {
    if (has_given(a) || has_given(b) || a.reciprocal != b.reciprocal || !is_same(a.plan.base, b.plan.base))
      return false;
    const auto own = [](const RotationHypothesis& hypothesis) {
      return static_cast<double>(denominator_of(plain_plan(hypothesis.plan))) /
             static_cast<double>(hypothesis.plan.dim);
    };
    return is_same(own(a), own(b)) && is_same(a.position_scale, b.position_scale) &&
           a.plan.scaling.index() == b.plan.scaling.index();
  }

  const PairRotations& rotations_;
  std::span<const double> points_;
  std::size_t axes_;
  const AxisContext& context_;
  std::vector<RotationCosts> costs_;  ///< of the rotations, by the positions of each axis
  std::vector<AxisAssignment> assignments_;
  HypothesisRanking ranking_;
  std::vector<PredictedRotations> predicted_;
};

}  // namespace

Expected<std::vector<AxisExplanation>> explain_axis_rotations(const PairRotations& rotations,
                                                              std::span<const double> points, std::size_t axes,
                                                              const AxisContext& context, std::size_t most) {
  POSENC_TRY(check_whole("axes", static_cast<std::int64_t>(axes), 2, static_cast<std::int64_t>(max_axes)));
  POSENC_TRY(check_whole("pairs", static_cast<std::int64_t>(rotations.pairs), 1, max_dim / 2));
  AxisSearch search(rotations, points, axes, context, most);
  search.try_listed();
  if (search.needs_estimates()) POSENC_TRY(search.try_estimated());
  if (!search.is_hypothesis()) POSENC_TRY(search.try_per_axis_all());
  return std::move(search).take();
}

}  // namespace posenc::diagnosis
