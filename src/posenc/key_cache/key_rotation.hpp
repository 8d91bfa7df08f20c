#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/grid/point_rotary.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/xpos.hpp"

namespace posenc {

/// Says by what the keys of a cache were rotated, and at how many coordinates a token: rotation of positions, of points
/// (M-RoPE, grids) or xPos's of keys. A view: what it was made of must outlive it and must not move.
class KeyRotation {
 public:
  KeyRotation(const Rotary& rotary) : rotary_(&rotary) {}
  KeyRotation(const Xpos& xpos) : rotary_(&xpos.rotary()), xpos_(&xpos) {}
  KeyRotation(const PointRotary& points) : points_(&points) {}

  /// Dimensions of a head that it sees; of these rotary_dim() rotate.
  [[nodiscard]] std::size_t dim() const { return points_ != nullptr ? points_->dim() : rotary_->dim(); }
  [[nodiscard]] std::size_t rotary_dim() const {
    return points_ != nullptr ? points_->rotary_dim() : rotary_->rotary_dim();
  }
  [[nodiscard]] std::size_t pairs() const { return rotary_dim() / 2; }
  /// Numbers that say where a token is: 1, or the coordinates of its point.
  [[nodiscard]] std::size_t axes() const { return points_ != nullptr ? points_->axes() : 1; }
  /// More than 1 where heads have angles of their own.
  [[nodiscard]] std::size_t heads() const { return points_ != nullptr ? points_->heads() : 1; }
  [[nodiscard]] bool is_summed() const { return points_ != nullptr && points_->plan().summed; }
  /// Where rotated dimensions are: Layout::deinterleaved has written Layout::half.
  [[nodiscard]] Layout layout() const;
  /// Pairs of each run of dimensions that is laid out separately.
  [[nodiscard]] std::vector<std::size_t> blocks() const;

  [[nodiscard]] const Frequencies& frequencies(std::size_t axis) const {
    return points_ != nullptr ? points_->plan().axes[axis].frequencies : rotary_->frequencies();
  }
  /// Which pairs an axis rotates; empty where they are all, in order.
  [[nodiscard]] std::span<const std::uint32_t> pairs_of(std::size_t axis) const;
  /// Returns what makes its angles where they are not the exact ones, or null.
  [[nodiscard]] const AngleSource* angle_source() const {
    return points_ != nullptr ? nullptr : rotary_->angle_source();
  }
  /// xPos, or null.
  [[nodiscard]] const Xpos* xpos() const { return xpos_; }

  /// The power of zeta that keys at a position are multiplied by, 0 without xPos.
  [[nodiscard]] double steps(double position) const;

  /// Whether both make the same angles, factors and scales, and so differ at most in where dimensions are.
  [[nodiscard]] bool has_angles_of(const KeyRotation& other) const;
  /// Whether both have their dimensions in the same places.
  [[nodiscard]] bool has_dims_of(const KeyRotation& other) const;

  /// An Error unless keys of this rotation can become those of `other`: as many dimensions, rotated dimensions, heads
  /// and coordinates, and no attention factor of 0.
  [[nodiscard]] Expected<void> check_becomes(const KeyRotation& other) const;

  /// An Error about `argument` unless the angles at these coordinates, axes() of them, are exact, and the scale of xPos
  /// stays in its reach.
  [[nodiscard]] Expected<void> check_position(std::string_view argument, const double* coordinates) const;

 private:
  const Rotary* rotary_ = nullptr;
  const Xpos* xpos_ = nullptr;
  const PointRotary* points_ = nullptr;
};

}  // namespace posenc
