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
  /// Without it, when dim is the last axis: -3, as in [..., seq, heads, dim], or the first axis of [seq, dim].
  std::optional<std::int64_t> sequence = std::nullopt;
  /// The lanes of a head; the last axis by default.
  std::optional<std::int64_t> dim = std::nullopt;
  /// The axis whose indices may have positions of their own, [batch, seq]. Without it all share one list, [seq].
  std::optional<std::int64_t> batch = std::nullopt;
};

/// A row-major tensor as rotation sees it: axes for the sequence, the head's lanes and maybe the batch, in any order,
/// and all others, which are rotated alike.
class SequenceShape {
 public:
  /// Errors: fewer than two axes; a negative extent; more values than memory can hold; an axis that is not there or is
  /// named twice; no sequence axis though dim is not the last of three axes or more.
  [[nodiscard]] static Expected<SequenceShape> make(std::span<const std::int64_t> shape, const SequenceAxes& axes = {});

  [[nodiscard]] std::size_t batch() const { return batch_.extent; }  ///< 1 where no axis was named
  [[nodiscard]] std::size_t sequence() const { return sequence_.extent; }
  [[nodiscard]] std::size_t dim() const { return dim_.extent; }
  [[nodiscard]] std::size_t lane_stride() const { return dim_.stride; }  ///< 1 when dim is the last axis
  [[nodiscard]] std::size_t sequence_stride() const { return sequence_.stride; }
  /// Where a token's first head is; how many runs for_each_run finds there, of how many heads, at which distance.
  [[nodiscard]] std::size_t token(std::size_t b, std::size_t s) const {
    return b * batch_.stride + s * sequence_.stride;
  }
  [[nodiscard]] std::size_t runs() const { return rest_[0].extent * rest_[1].extent * rest_[2].extent; }
  [[nodiscard]] std::size_t run() const { return rest_.back().extent; }
  [[nodiscard]] std::size_t run_stride() const { return rest_.back().stride; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Values of the axes in front of the sequence's, and of those behind it, dim not counted.
  [[nodiscard]] std::size_t outer() const { return outer_; }
  [[nodiscard]] std::size_t inner() const { return inner_; }

  /// An Error unless positions are [seq], or [batch, seq] in as many lists as the batch axis has rows. Otherwise
  /// whether each of those has its own.
  [[nodiscard]] Expected<bool> check_positions(const Positions& positions) const;

  /// Calls use(offset of the first lane) for every head of token `s` of row `b` of the batch, in order.
  template <class Use>
  void for_each_head(std::size_t b, std::size_t s, const Use& use) const {
    for_each_run(b, s, [&](std::size_t offset, std::size_t count, std::size_t stride) {
      for (std::size_t head = 0; head < count; ++head) use(offset + head * stride);
    });
  }

  /// The same for runs of heads that are equally far apart: use(offset of the first lane, heads, their distance).
  template <class Use>
  void for_each_run(std::size_t b, std::size_t s, const Use& use) const {
    const auto& [i, j, k, l] = rest_;
    for (std::size_t at_i = 0; at_i < i.extent; ++at_i)
      for (std::size_t at_j = 0; at_j < j.extent; ++at_j)
        for (std::size_t at_k = 0; at_k < k.extent; ++at_k)
          use(token(b, s) + at_i * i.stride + at_j * j.stride + at_k * k.stride, l.extent, l.stride);
  }

 private:
  struct Axis {
    std::size_t extent = 1, stride = 0;
  };

  Axis batch_, sequence_, dim_;
  std::array<Axis, 4> rest_;  ///< the other axes, adjacent ones merged: three axes leave room for four such groups
  std::size_t size_ = 0, outer_ = 1, inner_ = 1;
};

}  // namespace posenc
