#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "posenc/diagnosis/mistake.hpp"

namespace posenc::diagnosis {

/// How the positions that tokens have differ from those they should have.
struct PositionPattern {
  Mistake mistake = Mistake::positions_other;
  /// The tokens at which it shows: where documents begin, where padding begins or ends, where the offset begins.
  std::vector<std::int64_t> tokens;
  double amount = 0;  ///< the modulus, the bound, what is added, or the one position of all
};

/// The patterns that make `found` of `expected`, one position a token, the simplest first; several where the positions
/// do not distinguish them, Mistake::positions_other where none does, nothing where they are alike.
[[nodiscard]] std::vector<PositionPattern> position_patterns(std::span<const double> expected,
                                                             std::span<const double> found);

}  // namespace posenc::diagnosis
