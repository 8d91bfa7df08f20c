#include "posenc/diagnosis/hypotheses/hypothesis_ranking.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "posenc/base/try.hpp"

namespace posenc::diagnosis {
namespace {

/// Explanations that are kept beyond those asked for: some are left out in the end.
constexpr std::size_t spare = 24;

double total(const RotationExplanation& explanation) { return explanation.data_bits + explanation.cost; }

bool is_arithmetic(Mistake mistake) { return mistake >= Mistake::angles_float32 && mistake <= Mistake::angles_product; }

std::vector<Mistake> without_arithmetic(const std::vector<Mistake>& mistakes) {
  std::vector<Mistake> others;
  for (const Mistake mistake : mistakes)
    if (!is_arithmetic(mistake)) others.push_back(mistake);
  std::sort(others.begin(), others.end());
  return others;
}

}  // namespace

double HypothesisRanking::bound() const {
  if (kept_.size() < most_ + spare) return std::numeric_limits<double>::infinity();
  return total(kept_.back());
}

double HypothesisRanking::units() const {
  return kept_.empty() ? std::numeric_limits<double>::infinity() : kept_.front().units;
}

void HypothesisRanking::offer(const RotationHypothesis& hypothesis, const std::vector<Mistake>& mistakes, double cost,
                              const PredictedRotations& predicted, bool is_estimated) {
  const RotationFit fit = scores_->fit(predicted, hypothesis, bound() - cost);
  if (!(fit.data_bits + cost < bound())) return;
  RotationExplanation made{.hypothesis = hypothesis,
                           .mistakes = mistakes,
                           .data_bits = fit.data_bits,
                           .cost = cost,
                           .units = fit.units,
                           .residual = fit.residual,
                           .is_estimated = is_estimated};
  const auto place =
      std::upper_bound(kept_.begin(), kept_.end(), total(made),
                       [](double bits, const RotationExplanation& other) { return bits < total(other); });
  kept_.insert(place, std::move(made));
  if (kept_.size() > most_ + spare) kept_.pop_back();
}

Expected<std::vector<RotationExplanation>> HypothesisRanking::finish() {
  std::vector<RotationExplanation> made;
  std::vector<PredictedRotations> predictions;  // what those made predict
  for (RotationExplanation& explanation : kept_) {
    if (made.size() == most_) break;
    PredictedRotations now;
    POSENC_TRY(scores_->predict(explanation.hypothesis, now));
    bool is_redundant = false;
    for (std::size_t i = 0; i < made.size() && !is_redundant; ++i) {
      const double apart = scores_->apart(predictions[i], made[i].hypothesis, now, explanation.hypothesis);
      if (i == 0) explanation.apart = apart;
      const bool same_but_arithmetic =
          without_arithmetic(made[i].mistakes) == without_arithmetic(explanation.mistakes) &&
          made[i].hypothesis.arithmetic != explanation.hypothesis.arithmetic;
      is_redundant = apart <= indistinct_units && (same_but_arithmetic || explanation.is_estimated);
    }
    if (is_redundant) continue;
    made.push_back(std::move(explanation));
    predictions.push_back(std::move(now));
  }
  return made;
}

}  // namespace posenc::diagnosis
