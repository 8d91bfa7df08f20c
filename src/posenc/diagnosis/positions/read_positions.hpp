#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/diagnosis.hpp"
#include "posenc/diagnosis/hypotheses/hypothesis_list.hpp"
#include "posenc/diagnosis/positions/position_pattern.hpp"
#include "posenc/diagnosis/samples/pairing.hpp"
#include "posenc/diagnosis/samples/ranking.hpp"

namespace posenc::diagnosis {

/// Rotations whose tokens may have other positions than those given.
struct RotatedTokens {
  std::span<const double> positions;  ///< [axes, tokens]
  std::size_t axes = 1;
  std::vector<Pairing> pairings;  ///< the likeliest first
  std::size_t dims = 0;           ///< of the head
  HypothesisLists* lists = nullptr;
  /// Tokens that depart most from what was expected. They are read before all others: where they have no positions,
  /// as most damage has none, no more is looked at.
  std::vector<std::size_t> departing = {};
  /// The rotations of some tokens by a pairing.
  std::function<PairRotations(const Pairing&, std::vector<std::size_t> tokens)> rotations_of;
};

/// Positions that explain all rotations, by what was expected or by one mistake more.
struct ReadPositions {
  std::vector<double> values;             ///< [axes, tokens]
  std::vector<PositionPattern> patterns;  ///< by which they differ from those given, the simplest first
  double bits = 0;                        ///< the evidence of them, beyond what the first pattern costs
};

/// Reads the position of each token. Nothing where no positions explain the rotations, or several do, or they are those
/// given. Errors: those of HypothesisAngles, memory.
[[nodiscard]] Expected<std::optional<ReadPositions>> read_positions(const RotatedTokens& rotated,
                                                                    const Expectation& expected);

/// Where a rotation was found with other positions by a rule (backwards, shifted, multiplied), notes the patterns that
/// make the same positions of those given: both are named, and neither is certain.
void add_patterns(const SampledPositions& given, const Expectation& expected, Diagnosis& diagnosis);

/// Notes that tokens have these positions in what was found of them: the mistake, and a verdict that is no surer than
/// the pattern.
void note_positions(const ReadPositions& read, Diagnosis& diagnosis);

}  // namespace posenc::diagnosis
