#include "posenc/diagnosis/hypotheses/hypothesis_ranking.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "posenc/diagnosis/hypotheses/evidence.hpp"

namespace posenc::diagnosis {
namespace {

/// Values of 16 bits have larger units.
constexpr double coarse_unit = 0x1p-16;

/// Predictions that differ by so few units are the same in other words.
constexpr double same_units = 0x1p-10;

}  // namespace

double HypothesisRanking::units() const {
  return kept().empty() ? std::numeric_limits<double>::infinity() : kept().front().units;
}

bool HypothesisRanking::may_be_mimicked() const {
  return !kept().empty() && !kept().front().mistakes.empty() &&
         std::ranges::min(costs_->rotations().units) > coarse_unit;
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
      const bool may_merge = explanation.is_estimated ||
                             made[i].hypothesis.arithmetic != explanation.hypothesis.arithmetic ||
                             (merges_equal && apart == 0);
      // Numbers that were estimated are as good as a known mistake, and no better than what was expected.
      const bool is_fit = explanation.is_estimated && made[i].mistakes.empty() &&
                          explanation.data_bits + outdone_bits > made[i].data_bits;
      // Another base with another denominator says the same, and in a coarser arithmetic no less; other axes may not.
      const bool is_coarser = made[i].hypothesis.arithmetic == AngleArithmetic::exact &&
                              explanation.hypothesis.arithmetic != AngleArithmetic::exact;
      const bool is_same = explanation.is_estimated && !merges_equal && (is_coarser || apart <= same_units);
      const bool is_alike =
          may_merge && without_arithmetic(made[i].mistakes) == without_arithmetic(explanation.mistakes);
      is_redundant = apart <= indistinct_units && (is_fit || is_same || is_alike);
    }
    if (is_redundant) continue;
    made.push_back(std::move(explanation));
    predictions.push_back(std::move(predicted));
  }
  return made;
}

}  // namespace posenc::diagnosis
