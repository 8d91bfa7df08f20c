#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/hypotheses/explain_rotations.hpp"
#include "posenc/diagnosis/hypotheses/mistaken_hypotheses.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/samples/pairing.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"

namespace posenc::diagnosis {

/// The expectation of so many rotated dimensions, of heads with `head_dim` in all.
[[nodiscard]] RotationContext rotation_context(const Expectation& expected, std::size_t rotated, std::size_t head_dim);

/// PairRotations of the pairs that a pairing sees.
struct MeasuredPairs {
  const PairRotations* rotations = nullptr;
  std::span<const double> positions;  ///< [axes, tokens]
  std::size_t axes = 1;
  Pairing pairing;
  std::size_t dims = 0;  ///< of the head
  HypothesisLists* lists = nullptr;
};

/// Finds FoundRotations that may have made these rotations, with the mistakes of dimensions and of hypotheses, and
/// their remedies. `explanation.ulps` is the largest residual itself. Errors: those of explain_rotations.
[[nodiscard]] Expected<std::vector<Candidate>> explain_pairs(const MeasuredPairs& seen, const Expectation& expected,
                                                             const std::optional<Pairing>& expected_pairing);

/// Sets what mends the mistakes of a hypothesis; there is a plan.
void set_hypothesis_remedy(const Expectation& expected, const RotationHypothesis& hypothesis, Explanation& explanation);

/// An explanation of the pairs, with the mistakes of their dimensions and what mends them.
[[nodiscard]] Candidate candidate_of(RotationExplanation explanation, const MeasuredPairs& seen,
                                     const Expectation& expected, const std::optional<Pairing>& expected_pairing);

/// Makes an expectation of the rotation that a diagnosis found; without a plan where that is more than a plan says.
[[nodiscard]] Expectation expectation_of(const Diagnosis& found);

/// A hypothesis of the pairs alone, as one of the head.
[[nodiscard]] FoundRotation found_rotation(RotationHypothesis hypothesis, const Pairing& pairing, std::size_t dims);

}  // namespace posenc::diagnosis
