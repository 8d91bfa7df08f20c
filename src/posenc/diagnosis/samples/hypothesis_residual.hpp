#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/hypotheses/rotation_hypothesis.hpp"
#include "posenc/diagnosis/samples/stored_type.hpp"

namespace posenc::diagnosis {

/// The largest residuals of values by a hypothesis.
struct HypothesisResidual {
  double units = 0;  ///< in what its arithmetic could cause; infinite where it cannot have a position
  double residual = 0;
  double roundings = 0;  ///< of values of 16 bits that are stored as they were computed, beside those of float32

  void add(const HypothesisResidual& other);
};

/// The type of cosines and sines that are stored as they were computed, times an amplitude.
struct StoredAs {
  StoredType type;
  double amplitude = 1;
};

/// The residual of rotations at positions [axes, tokens]. `axis_of_pair` is empty where all pairs have the first axis.
[[nodiscard]] HypothesisResidual hypothesis_residual(PairRotations rotations, std::span<const double> positions,
                                                     const RotationHypothesis& hypothesis,
                                                     std::span<const std::int64_t> axis_of_pair,
                                                     const StoredAs& stored = {});

/// Tokens are searched for hypotheses by a few, and what is found is checked by all, so many at a time.
inline constexpr std::size_t tokens_a_check = 96;

/// The tokens from `start` on that are checked together.
[[nodiscard]] std::vector<std::size_t> checked_tokens(std::size_t start, std::size_t count);

/// Positions [axes, tokens] of some tokens; 0, 1, 2, ... where there are none.
[[nodiscard]] std::vector<double> positions_at(std::span<const double> positions, std::size_t axes,
                                               std::span<const std::size_t> tokens);

/// Notes the residual of all values by the first explanation: where it does not explain them, nothing does, and where
/// one has too many roundings it is not certain. `rounding` is that of the values.
void note_check(const HypothesisResidual& all, double rounding, Diagnosis& diagnosis);

}  // namespace posenc::diagnosis
