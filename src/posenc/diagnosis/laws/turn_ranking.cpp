#include "posenc/diagnosis/laws/turn_ranking.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace posenc::diagnosis {
namespace {

/// Explanations that are kept beyond those asked for: some are left out in the end.
constexpr std::size_t spare = 24;

double total(const TurnExplanation& explanation) { return explanation.surprise + explanation.cost; }

bool is_arithmetic(Mistake mistake) { return mistake >= Mistake::angles_float32 && mistake <= Mistake::angles_product; }

std::vector<Mistake> without_arithmetic(const std::vector<Mistake>& mistakes) {
  std::vector<Mistake> others;
  for (const Mistake mistake : mistakes)
    if (!is_arithmetic(mistake)) others.push_back(mistake);
  std::sort(others.begin(), others.end());
  return others;
}

}  // namespace

double TurnRanking::bound() const {
  if (kept_.size() < most_ + spare) return std::numeric_limits<double>::infinity();
  return total(kept_.back());
}

double TurnRanking::units() const {
  return kept_.empty() ? std::numeric_limits<double>::infinity() : kept_.front().units;
}

void TurnRanking::offer(const TurnLaw& law, const std::vector<Mistake>& mistakes, double cost,
                        const PredictedTurns& predicted, bool is_estimated) {
  const TurnFit fit = scores_->fit(predicted, law, bound() - cost);
  if (!(fit.surprise + cost < bound())) return;
  TurnExplanation made{.law = law,
                       .mistakes = mistakes,
                       .surprise = fit.surprise,
                       .cost = cost,
                       .units = fit.units,
                       .residual = fit.residual,
                       .is_estimated = is_estimated};
  const auto place = std::upper_bound(kept_.begin(), kept_.end(), total(made),
                                      [](double bits, const TurnExplanation& other) { return bits < total(other); });
  kept_.insert(place, std::move(made));
  if (kept_.size() > most_ + spare) kept_.pop_back();
}

Expected<std::vector<TurnExplanation>> TurnRanking::finish() {
  std::vector<TurnExplanation> made;
  std::vector<PredictedTurns> stood;  // what those made predict
  for (TurnExplanation& explanation : kept_) {
    if (made.size() == most_) break;
    PredictedTurns now;
    if (auto done = scores_->predict(explanation.law, now); !done) return error_of(done);
    bool says_nothing_new = false;
    for (std::size_t i = 0; i < made.size() && !says_nothing_new; ++i) {
      const double apart = scores_->apart(stood[i], made[i].law, now, explanation.law);
      if (i == 0) explanation.apart = apart;
      const bool same_but_arithmetic =
          without_arithmetic(made[i].mistakes) == without_arithmetic(explanation.mistakes) &&
          made[i].law.arithmetic != explanation.law.arithmetic;
      says_nothing_new = apart <= indistinct_units && (same_but_arithmetic || explanation.is_estimated);
    }
    if (says_nothing_new) continue;
    made.push_back(std::move(explanation));
    stood.push_back(std::move(now));
  }
  return made;
}

}  // namespace posenc::diagnosis
