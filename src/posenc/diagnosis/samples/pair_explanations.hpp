#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/laws/mistaken_laws.hpp"
#include "posenc/diagnosis/laws/turns.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"
#include "posenc/diagnosis/samples/reading.hpp"

namespace posenc::diagnosis {

/// What is known beforehand of so many rotated dimensions, of heads with `head_dim` in all.
[[nodiscard]] TurnContext turn_context(const Expectation& expected, std::size_t rotated, std::size_t head_dim);

/// Turns of the pairs that a reading sees.
struct SeenPairs {
  const Turns* turns = nullptr;
  std::span<const double> positions;  ///< [axes, tokens]
  std::size_t axes = 1;
  Reading reading;
  std::size_t dims = 0;  ///< of the head
  LawLists* lists = nullptr;
};

/// FoundRotations that may have made these turns, with the mistakes of dimensions and of laws, and what to do about
/// them. `explanation.ulps` is the largest residual itself. Errors: those of explain_turns.
[[nodiscard]] Expected<std::vector<Candidate>> explain_pairs(const SeenPairs& seen, const Expectation& expected,
                                                             const std::optional<Reading>& expected_reading);

/// A law of the pairs alone, as one of the head.
[[nodiscard]] FoundRotation found_rotation(TurnLaw law, const Reading& reading, std::size_t dims);

}  // namespace posenc::diagnosis
