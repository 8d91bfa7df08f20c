#pragma once

#include <optional>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/samples/head_samples.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"
#include "posenc/diagnosis/samples/reading.hpp"

namespace posenc::diagnosis {

/// What rotations are looked for among.
struct RotationQuestion {
  const Expectation* expected = nullptr;
  std::optional<Reading> expected_reading = std::nullopt;
  std::span<const double> positions;  ///< [axes, tokens of the whole tensor]
  std::size_t axes = 1;
  LawLists* lists = nullptr;
};

/// Candidates, and what the values cost without any.
struct RotationAnswers {
  std::vector<Candidate> candidates;
  double lawless = 0;
};

/// The readings that fit best, whatever turned the pairs; the best first. One alone where nothing has moved.
[[nodiscard]] std::vector<ReadingFit> best_readings(const RotationQuestion& question, const HeadSamples& samples);

/// What may have turned the pairs of these readings. Errors: those of explain_turns.
[[nodiscard]] Expected<RotationAnswers> explain_readings(const RotationQuestion& question, const HeadSamples& samples,
                                                         std::span<const ReadingFit> readings);

}  // namespace posenc::diagnosis
