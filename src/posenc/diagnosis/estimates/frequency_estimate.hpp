#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace posenc::diagnosis {

/// Phases of one pair at several positions.
struct PairPhases {
  std::vector<double> positions;
  std::vector<double> phases;  ///< radians, of which whole cycles are not known
  std::vector<double> errors;  ///< what roundings may move them by
  /// The position at which the phase is exactly 0, where the first position is known.
  std::optional<double> zero_at;
  /// The relative error of an angle in the coarsest arithmetic that is to be explained.
  double relative_error = 0;
};

/// A frequency that a pair may have.
struct PairFrequency {
  double radians = 0;  ///< a step
  double error = 0;    ///< of it
  double phase = 0;    ///< at position 0
  double phase_error = 0;
  double misfit = 0;  ///< the largest residual, in what it may be
};

/// The distance that all differences of positions are multiples of, where they are whole; else the smallest of them. 0
/// where there are no two positions. Frequencies that differ by whole cycles in it give the same phases.
[[nodiscard]] double lattice_of(std::span<const double> positions, std::optional<double> zero_at);

/// The frequencies of magnitude at most pi / lattice that explain the phases, the best first.
/// Neighbouring positions give a frequency modulo few whole cycles, which positions further apart refine: those that a
/// candidate misses discard it. None where no constant frequency explains them all.
[[nodiscard]] std::vector<PairFrequency> estimate_frequency(const PairPhases& pair, double lattice);

}  // namespace posenc::diagnosis
