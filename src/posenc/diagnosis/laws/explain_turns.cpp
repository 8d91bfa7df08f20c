#include "posenc/diagnosis/laws/explain_turns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "posenc/base/check.hpp"
#include "posenc/diagnosis/estimates/estimated_turns.hpp"
#include "posenc/diagnosis/laws/evidence.hpp"
#include "posenc/diagnosis/laws/law_list.hpp"
#include "posenc/diagnosis/laws/turn_ranking.hpp"
#include "posenc/diagnosis/laws/turn_scores.hpp"

namespace posenc::diagnosis {
namespace {

Expected<void> check_turns(const Turns& turns, std::span<const double> positions) {
  for (const auto& [argument, size] : {std::pair{"cosines", turns.cosines.size()},
                                       std::pair{"sines", turns.sines.size()}, std::pair{"units", turns.units.size()}})
    if (auto checked = check_size(argument, size, turns.tokens, turns.pairs); !checked) return checked;
  if (auto checked = check_size("positions", positions.size(), turns.tokens); !checked) return checked;
  for (const double position : positions)
    if (!std::isfinite(position)) return invalid_argument("positions", position, {"finite numbers"});
  return check_whole("pairs", static_cast<std::int64_t>(turns.pairs), 1, max_dim / 2);
}

/// Laws are weighed by so many tokens first where there are more, and the best of them by all.
constexpr std::size_t screening_tokens = 8, screened_laws = 48;

/// Weighs all laws that known mistakes make. Those with the same exact angles stand together: of an arithmetic they are
/// computed only where these are near.
void offer_listed(const TurnScores& scores, LawList& list, TurnRanking& ranking) {
  std::vector<std::size_t> order(list.laws.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t k) { return std::pair{list.groups[k], list.laws[k].law.arithmetic}; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  PredictedTurns exact, rounded;
  bool has_exact = false, has_rounded = false;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto& [law, mistakes] = list.laws[order[k]];
    const std::size_t before = order[k == 0 ? 0 : k - 1];
    if (k == 0 || list.groups[order[k]] != list.groups[before]) {
      TurnAngles& angles = list.angles[list.plans[order[k]]];
      angles.move_to(law.first_position, law.position_scale);
      has_exact = scores.predict(angles, exact).has_value();
    }
    // Positions that a law cannot have, such as those beyond float16, were not made by it.
    if (!has_exact) continue;
    if (k == 0 || key(order[k]) != key(before)) has_rounded = false;
    const double cost = mistake_bits * static_cast<double>(mistakes.size());
    if (law.arithmetic == AngleArithmetic::exact) {
      ranking.offer(law, mistakes, cost, exact);
    } else if (scores.may_be_rounded(exact, law, list.numbers[order[k]])) {
      has_rounded = has_rounded || scores.predict(law, rounded).has_value();
      if (has_rounded) ranking.offer(law, mistakes, cost, rounded);
    }
  }
}

/// The same tokens, evenly spread: the first and the last of them in order of position.
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

/// offer_listed, by some tokens first.
void offer_screened(const TurnScores& scores, LawList& list, TurnRanking& ranking) {
  const Turns& turns = scores.turns();
  if (turns.tokens <= screening_tokens) {
    offer_listed(scores, list, ranking);
    return;
  }
  Turns some{.tokens = 0, .pairs = turns.pairs, .cosines = {}, .sines = {}, .units = {}};
  std::vector<double> positions;
  for (const std::size_t token : spread_tokens(scores.positions())) {
    ++some.tokens;
    positions.push_back(scores.positions()[token]);
    const auto copy = [&](const std::vector<double>& from, std::vector<double>& to) {
      const auto start = from.begin() + static_cast<std::ptrdiff_t>(token * turns.pairs);
      to.insert(to.end(), start, start + static_cast<std::ptrdiff_t>(turns.pairs));
    };
    copy(turns.cosines, some.cosines), copy(turns.sines, some.sines), copy(turns.units, some.units);
  }
  const TurnScores some_scores(some, positions);
  TurnRanking first(some_scores, screened_laws);
  offer_listed(some_scores, list, first);
  PredictedTurns predicted;
  for (const TurnExplanation& kept : first.kept())
    if (scores.predict(kept.law, predicted)) ranking.offer(kept.law, kept.mistakes, kept.cost, predicted);
}

}  // namespace

Expected<std::vector<TurnExplanation>> explain_turns(const Turns& turns, std::span<const double> positions,
                                                     const TurnContext& context, std::size_t most) {
  if (auto checked = check_turns(turns, positions); !checked) return error_of(checked);
  const TurnScores scores(turns, positions);
  TurnRanking ranking(scores, std::max<std::size_t>(most, 1));
  LawLists own;
  LawLists& lists = context.lists != nullptr ? *context.lists : own;
  if (context.expected) offer_screened(scores, lists.list(context, true), ranking);
  if (ranking.units() > explained_units) offer_estimated(scores, context, lists.list(context, false), ranking);
  return ranking.finish();
}

}  // namespace posenc::diagnosis
