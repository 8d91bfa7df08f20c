#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/learning/task.hpp"
#include "posenc/learning/training.hpp"

namespace posenc::learning {

/// Writes the positions of examples, [sequences, length], all below `reach`, which is at least the length. The
/// positions of an example depend on the seed and its index alone. Largest bias of a draw: reach * 2^-32.
void write_positions(PositionSampling sampling, std::uint64_t seed, const ExampleIndex& index, std::size_t length,
                     std::int32_t reach, std::span<std::int32_t> positions);

}  // namespace posenc::learning
