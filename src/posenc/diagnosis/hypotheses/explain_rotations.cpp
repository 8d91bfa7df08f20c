#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/base/try.hpp"
#include "posenc/diagnosis/estimates/estimated_hypotheses.hpp"
#include "posenc/diagnosis/hypotheses/evidence.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_ranking.hpp"
#include "posenc/diagnosis/hypotheses/rotation_costs.hpp"

namespace posenc::diagnosis {
namespace {

/// Hypotheses are weighed by so many tokens first where there are more, and the best of them by all.
constexpr std::size_t screening_tokens = 8, screened_hypotheses = 48;

/// Beside an explanation by a known hypothesis, estimated ones count that leave half as much, or one rounding.
constexpr double clearly_less = 0.5;

/// Weighs all hypotheses that known mistakes make. Those with the same exact angles are weighed together: rounded
/// angles are computed only where the exact ones are near.
void offer_listed(const RotationCosts& scores, HypothesisList& list, HypothesisRanking& ranking) {
  std::vector<std::size_t> order(list.hypotheses.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t k) { return std::pair{list.groups[k], list.hypotheses[k].hypothesis.arithmetic}; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  PredictedRotations exact, rounded;
  bool has_exact = false, has_rounded = false;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto& [hypothesis, mistakes] = list.hypotheses[order[k]];
    const std::size_t before = order[k == 0 ? 0 : k - 1];
    if (k == 0 || list.groups[order[k]] != list.groups[before]) {
      HypothesisAngles& angles = list.angles[list.plans[order[k]]];
      angles.move_to(hypothesis.first_position, hypothesis.position_scale);
      has_exact = scores.predict(angles, exact).has_value();
    }
    // Positions that a hypothesis cannot have, such as those beyond float16, were not made by it.
    if (!has_exact) continue;
    if (k == 0 || key(order[k]) != key(before)) has_rounded = false;
    const RotationExplanation made{
        .hypothesis = hypothesis, .mistakes = mistakes, .cost = mistake_bits * static_cast<double>(mistakes.size())};
    if (hypothesis.arithmetic == AngleArithmetic::exact) {
      ranking.offer(made, exact);
    } else if (scores.may_be_rounded(exact, hypothesis, list.numbers[order[k]])) {
      has_rounded = has_rounded || scores.predict(hypothesis, rounded).has_value();
      if (has_rounded) ranking.offer(made, rounded);
    }
  }
}

/// Tokens evenly spread in order of position, the first and the last among them.
std::vector<std::size_t> spread_tokens(std::span<const double> positions) {
  std::vector<std::size_t> order(positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::fabs(positions[a]) < std::fabs(positions[b]); });
  std::vector<std::size_t> chosen;
  chosen.reserve(screening_tokens);
  for (std::size_t k = 0; k < screening_tokens; ++k)
    chosen.push_back(order[k * (order.size() - 1) / (screening_tokens - 1)]);
  return chosen;
}

void offer_all(const RotationCosts& scores, const std::vector<RotationExplanation>& from, HypothesisRanking& to) {
  PredictedRotations predicted;
  for (const RotationExplanation& each : from)
    if (scores.predict(each.hypothesis, predicted)) to.offer(each, predicted);
}

/// Weighs the same hypotheses by some tokens first.
void offer_screened(const RotationCosts& scores, HypothesisList& list, HypothesisRanking& ranking) {
  const PairRotations& rotations = scores.rotations();
  if (rotations.tokens <= screening_tokens) {
    offer_listed(scores, list, ranking);
    return;
  }
  PairRotations some{.tokens = 0, .pairs = rotations.pairs, .cosines = {}, .sines = {}, .units = {}};
  std::vector<double> positions;
  for (const std::size_t token : spread_tokens(scores.positions())) {
    ++some.tokens;
    positions.push_back(scores.positions()[token]);
    const auto copy = [&](const std::vector<double>& from, std::vector<double>& to) {
      const auto start = from.begin() + static_cast<std::ptrdiff_t>(token * rotations.pairs);
      to.insert(to.end(), start, start + static_cast<std::ptrdiff_t>(rotations.pairs));
    };
    copy(rotations.cosines, some.cosines), copy(rotations.sines, some.sines), copy(rotations.units, some.units);
  }
  const RotationCosts some_scores(some, positions);
  HypothesisRanking first(some_scores, screened_hypotheses);
  offer_listed(some_scores, list, first);
  offer_all(scores, first.kept(), ranking);
}

}  // namespace

Expected<std::vector<RotationExplanation>> explain_rotations(const PairRotations& rotations,
                                                             std::span<const double> positions,
                                                             const RotationContext& context, std::size_t most) {
  POSENC_TRY(check_whole("pairs", static_cast<std::int64_t>(rotations.pairs), 1, max_dim / 2));
  const RotationCosts scores(rotations, positions);
  most = std::max<std::size_t>(most, 1);
  HypothesisRanking ranking(scores, most);
  HypothesisLists own;
  HypothesisLists& lists = context.lists != nullptr ? *context.lists : own;
  if (context.expected) offer_screened(scores, lists.list(context, true), ranking);
  const auto predict = [&](const RotationExplanation& explanation, PredictedRotations& out) {
    return scores.predict(explanation.hypothesis, out).has_value();
  };
  const double units = ranking.units();
  if (ranking.needs_estimates()) {
    HypothesisRanking others(scores, most);
    offer_estimated(scores, context, lists.list(context, false), others);
    const double less = ranking.may_be_mimicked() ? explained_units : std::max(one_rounding, clearly_less * units);
    // Equal ones would take the places of others.
    if (units > explained_units || others.units() <= less)
      offer_all(scores, std::move(others).finish(predict), ranking);
  }
  return std::move(ranking).finish(predict);
}

}  // namespace posenc::diagnosis
