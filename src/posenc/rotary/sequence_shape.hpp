#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/frequencies/positions.hpp"

namespace posenc {

/// Which axis of a shape is which; negative indices count from the end.
struct SequenceAxes {
  /// Has no default where there are three axes or more: [seq, heads, dim] and [heads, seq, dim] are both usual. Of two
  /// it is the one that is not dim's.
  std::optional<std::int64_t> sequence = std::nullopt;
  /// The dimensions of a head; the last axis by default.
  std::optional<std::int64_t> dim = std::nullopt;
  /// The axis whose indices may have positions of their own, [batch, seq]: without it all share one list, [seq].
  std::optional<std::int64_t> batch = std::nullopt;
};

/// A row-major tensor as rotation sees it: axes for the sequence, the head's dimensions and maybe the batch, in any
/// order, and all others, which are rotated alike.
class SequenceShape {
 public:
  /// Errors: fewer than two axes; a negative extent; more values than memory can hold; an axis that is not there or is
  /// named twice; three axes or more of which none is named the sequence's.
  [[nodiscard]] static Expected<SequenceShape> make(std::span<const std::int64_t> shape, const SequenceAxes& axes = {});

  /// Returns the same tensor, of whose heads only these dimensions are seen: what is beside them (DeepSeek's heads have
  /// dimensions without positions in front) is left alone. Errors: dimensions that a head does not have.
  [[nodiscard]] Expected<SequenceShape> dims(std::int64_t first, std::size_t count) const;

  [[nodiscard]] std::size_t batch() const { return batch_.extent; }  ///< 1 where no axis was named
  /// An Error where there are several lists of positions and no axis was named that has them.
  [[nodiscard]] Expected<void> check_lists(std::size_t lists) const;
  [[nodiscard]] std::size_t sequence() const { return sequence_.extent; }
  [[nodiscard]] std::size_t dim() const { return dim_.extent; }
  /// Whether heads have dimensions that are not seen.
  [[nodiscard]] bool is_slice() const { return outer_ * inner_ * sequence() * dim() != size_; }
  [[nodiscard]] std::size_t dim_stride() const { return dim_.stride; }  ///< 1 when dim is the last axis
  [[nodiscard]] std::size_t sequence_stride() const { return sequence_.stride; }
  /// The heads of for_each_run's runs, and their distance.
  [[nodiscard]] std::size_t run() const { return rest_.back().extent; }
  [[nodiscard]] std::size_t run_stride() const { return rest_.back().stride; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Values of the axes in front of the sequence's, and of those behind it, dim not counted.
  [[nodiscard]] std::size_t outer() const { return outer_; }
  [[nodiscard]] std::size_t inner() const { return inner_; }

  /// An Error unless positions are [seq], or [batch, seq] in one list or as many as the batch axis has rows.
  /// Otherwise whether each of those has its own.
  [[nodiscard]] Expected<bool> check_positions(const Positions& positions) const;

  /// Calls use(offset of the first dimension, heads, their distance) for every run of heads of token `s` of row `b` of
  /// the batch that are equally far apart, in order.
  template <class Use>
  void for_each_run(std::size_t b, std::size_t s, const Use& use) const {
    const std::size_t token = first_ + b * batch_.stride + s * sequence_.stride;
    const auto& [i, j, k, l] = rest_;
    for (std::size_t at_i = 0; at_i < i.extent; ++at_i)
      for (std::size_t at_j = 0; at_j < j.extent; ++at_j)
        for (std::size_t at_k = 0; at_k < k.extent; ++at_k)
          use(token + at_i * i.stride + at_j * j.stride + at_k * k.stride, l.extent, l.stride);
  }

 private:
  struct Axis {
    std::size_t extent = 1, stride = 0;
  };

  Axis batch_, sequence_, dim_;
  std::array<Axis, 4> rest_;  ///< the other axes, adjacent ones merged: three axes leave room for four such groups
  std::size_t size_ = 0, outer_ = 1, inner_ = 1;
  bool has_batch_ = false;
  std::size_t first_ = 0;  ///< where the first dimension of the first head is
};

}  // namespace posenc
