#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/error.hpp"

namespace posenc {

/// A tensor's axes as rotation sees them: [outer, sequence, inner, dim], row-major. For [batch, seq, heads, dim] and
/// sequence axis 1: outer = batch, inner = heads.
class SequenceShape {
 public:
  /// `sequence_axis` counts from the end when negative. Without it: -3, as in [..., seq, heads, dim], or the first
  /// axis of [seq, dim].
  /// Errors: fewer than two axes; a negative extent; more values than memory can hold; an axis that is not there or is
  /// the last.
  [[nodiscard]] static Expected<SequenceShape> make(std::span<const std::int64_t> shape,
                                                    std::optional<std::int64_t> sequence_axis);
  [[nodiscard]] std::size_t outer() const { return outer_; }
  [[nodiscard]] std::size_t sequence() const { return sequence_; }
  [[nodiscard]] std::size_t inner() const { return inner_; }
  [[nodiscard]] std::size_t dim() const { return dim_; }
  [[nodiscard]] std::size_t size() const { return outer_ * sequence_ * inner_ * dim_; }

 private:
  std::size_t outer_ = 0, sequence_ = 0, inner_ = 0, dim_ = 0;
};

}  // namespace posenc
