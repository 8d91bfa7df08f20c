#pragma once

#include <cstddef>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/diagnosis/laws/turns.hpp"

namespace posenc::diagnosis {

/// Positions at which the turns of two laws differ most, at most `most` of them, below `length`: what to sample next.
/// Errors: memory.
[[nodiscard]] Expected<std::vector<double>> telling_positions(const TurnLaw& a, const TurnLaw& b, double length,
                                                              std::size_t most = 8);

}  // namespace posenc::diagnosis
