#pragma once

#include <cstddef>
#include <cstdint>

#include "posenc/base/check.hpp"
#include "posenc/frequencies/positions.hpp"
#include "posenc/rotary/sequence_shape.hpp"

namespace posenc {

/// An Error unless rotary_dim is even and in 2 ... dim.
[[nodiscard]] inline Expected<void> check_rotary_dim(std::int64_t rotary_dim, std::int64_t dim) {
  if (rotary_dim >= 2 && rotary_dim <= dim && rotary_dim % 2 == 0) return {};
  return wrong("rotaryDim", static_cast<double>(rotary_dim), {"an even number from 2 to dim (", decimal(dim), ")"});
}

/// An Error unless positions are [seq], or [batch, seq] in as many lists as the shape's batch axis has rows. Otherwise
/// whether each of those has its own.
[[nodiscard]] inline Expected<bool> check_positions_fit(const Positions& positions, const SequenceShape& shape) {
  const auto lists = positions.batch();
  if (lists && *lists != shape.batch())
    return wrong("positions", decimal(*lists) + " lists",
                 {decimal(shape.batch()), " lists: one for each index of the batch axis, or one for all"});
  if (const auto checked = check_size("positions", positions.count(), shape.sequence() * lists.value_or(1)); !checked)
    return std::unexpected(checked.error());
  return lists.has_value();
}

}  // namespace posenc
