#include "posenc/diagnosis/hypotheses/hypothesis_ranking.hpp"

#include <limits>
#include <utility>

namespace posenc::diagnosis {

double HypothesisRanking::units() const {
  return kept().empty() ? std::numeric_limits<double>::infinity() : kept().front().units;
}

void HypothesisRanking::offer(RotationExplanation made, const PredictedRotations& predicted) {
  const RotationFit fit = costs_->fit(predicted, made.hypothesis, best_.bound() - made.cost);
  made.data_bits = fit.data_bits, made.units = fit.units, made.residual = fit.residual;
  best_.offer(std::move(made));
}

std::vector<RotationExplanation> HypothesisRanking::finish(const Predict& predict, bool merges_equal) && {
  std::vector<RotationExplanation> made;
  std::vector<PredictedRotations> predictions;  // of those in `made`
  for (RotationExplanation explanation : kept()) {
    if (made.size() == most_) break;
    PredictedRotations predicted;
    if (!predict(explanation, predicted)) continue;
    bool is_redundant = false;
    for (std::size_t i = 0; i < made.size() && !is_redundant; ++i) {
      const double apart = costs_->apart(predictions[i], made[i].hypothesis, predicted, explanation.hypothesis);
      if (i == 0) explanation.apart = apart;
      const bool may_merge =
          made[i].hypothesis.arithmetic != explanation.hypothesis.arithmetic || (merges_equal && apart == 0);
      is_redundant = apart <= indistinct_units &&
                     (explanation.is_estimated ||
                      (may_merge && without_arithmetic(made[i].mistakes) == without_arithmetic(explanation.mistakes)));
    }
    if (is_redundant) continue;
    made.push_back(std::move(explanation));
    predictions.push_back(std::move(predicted));
  }
  return made;
}

}  // namespace posenc::diagnosis
