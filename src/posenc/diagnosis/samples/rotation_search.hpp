#pragma once

#include <optional>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/samples/head_samples.hpp"
#include "posenc/diagnosis/samples/pairing.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"

namespace posenc::diagnosis {

/// The expectation and the positions of rotations that are looked for.
struct RotationQuestion {
  const Expectation* expected = nullptr;
  std::optional<Pairing> expected_pairing = std::nullopt;
  std::span<const double> positions;  ///< [axes, tokens of the whole tensor]
  std::size_t axes = 1;
  HypothesisLists* lists = nullptr;
};

/// The pairings that fit best, whatever reversed the pairs; the best first. One alone where nothing has moved.
[[nodiscard]] std::vector<PairingFit> best_pairings(const RotationQuestion& question, const HeadSamples& samples);

/// Finds what may have rotated the pairs of these pairings. Errors: those of explain_rotations.
[[nodiscard]] Expected<RotationAnswers> explain_pairings(const RotationQuestion& question, const HeadSamples& samples,
                                                         std::span<const PairingFit> pairings);

}  // namespace posenc::diagnosis
