#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "posenc/base/aligned_array.hpp"
#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/frequencies/frequencies.hpp"
#include "posenc/rotary/rotary.hpp"
#include "posenc/rotary/sequence_shape.hpp"

namespace posenc {

/// Points of several coordinates each, any finite numbers. A view.
class Points {
 public:
  /// [points, axes] or [batch, points, axes], row-major. Errors name them "points".
  [[nodiscard]] static Points rows(std::span<const double> coordinates) { return {coordinates, false}; }

  /// [axes, points] or [axes, batch, points], as M-RoPE's ids are. Errors name them "positions".
  [[nodiscard]] static Points axes_first(std::span<const double> coordinates) { return {coordinates, true}; }

  [[nodiscard]] std::size_t size() const { return coordinates_.size(); }
  [[nodiscard]] double at(std::size_t axes, std::size_t point, std::size_t axis) const {
    return coordinates_[axes_first_ ? axis * (size() / axes) + point : point * axes + axis];
  }
  [[nodiscard]] std::string_view argument() const { return axes_first_ ? "positions" : "points"; }

 private:
  Points(std::span<const double> coordinates, bool axes_first) : coordinates_(coordinates), axes_first_(axes_first) {}

  std::span<const double> coordinates_;
  bool axes_first_;
};

/// Tokens of the sequence that have no point and are not rotated: class and register tokens.
struct TokensAround {
  std::int64_t before = 0;
  std::int64_t after = 0;

  static constexpr std::int64_t most = std::int64_t{1} << 30;  ///< both and the points then fit into 32 bits
  static constexpr std::tuple ranges{
      ranged("prefixTokens", &TokensAround::before, whole_from(0, most)),
      ranged("suffixTokens", &TokensAround::after, whole_from(0, most)),
  };
};

/// Lists what a row of a cache may hold.
enum class CacheRow : std::uint8_t {
  pairs,  ///< a value for each pair: [rows, heads * rotary_dim / 2]
  dims,   ///< a value for each rotated dimension, as models keep them: [rows, heads * rotary_dim]
};

template <>
inline constexpr auto names_of<CacheRow> = Names("row", {{"pairs", CacheRow::pairs}, {"dims", CacheRow::dims}});

/// The frequencies that one coordinate has, and the pairs they rotate.
struct AxisFrequencies {
  Frequencies frequencies;
  /// Frequency i rotates pair pairs[i] of the head; empty where axes are summed: frequency i is then that of pair i.
  AlignedArray<std::uint32_t> pairs;
};

/// Holds what rotary_grid, rotary_mixed and mrope put together.
struct PointRotaryPlan {
  std::vector<AxisFrequencies> axes;
  std::size_t dim = 0;    ///< dimensions of a head
  std::size_t pairs = 0;  ///< of a head
  /// More than 1: every head has pairs of its own, and a pair's angle is the sum over all axes.
  std::size_t heads = 1;
  bool summed = false;
  Layout layout = Layout::half;
  /// Pairs of each run of dimensions that is laid out separately, one run after the other.
  std::vector<std::size_t> blocks;
};

/// Rotary position embedding of points: the angle of a pair is one coordinate times a frequency, or the sum of several
/// such products. Scores depend on the differences of the coordinates alone.
class PointRotary {
 public:
  [[nodiscard]] static PointRotary from(PointRotaryPlan plan);

  /// Cosines and sines of the angles, of `around.before` tokens with angle 0, of every point, of `around.after` tokens
  /// with angle 0. Both outputs have that many rows.
  /// Errors: coordinates that axes() does not divide, that are not finite or whose angle passes max_angle; negative
  /// token counts; a size that differs; memory.
  /// Largest error: that of Rotary::cache.
  [[nodiscard]] Expected<void> cache(const Points& points, const TokensAround& around, CacheRow row,
                                     std::span<float> cosines, std::span<float> sines) const;

  /// Rotates `x` in place. The points are those of the sequence without the tokens around; either one list for all, or
  /// one for each index of the axis that the shape names the batch.
  /// Dimensions from rotary_dim() on stay as they are. With more than one head, the heads are the last axis of those
  /// that have no name. Errors: those of Rotary::apply; those of cache; heads that are not where they should be. `x` is
  /// then unchanged. Largest error: that of Rotary::apply.
  [[nodiscard]] Expected<void> apply(std::span<float> x, const SequenceShape& shape, const Points& points,
                                     const TokensAround& around = {}, Direction direction = Direction::forward) const;

  /// The Error that `apply` would return for these arguments; if none, how many lists of points there are.
  [[nodiscard]] Expected<std::size_t> check_rotation(std::span<const float> x, const SequenceShape& shape,
                                                     const Points& points, const TokensAround& around = {}) const;

  [[nodiscard]] std::size_t dim() const { return plan_.dim; }
  [[nodiscard]] std::size_t rotary_dim() const { return 2 * plan_.pairs; }
  [[nodiscard]] std::size_t axes() const { return plan_.axes.size(); }
  [[nodiscard]] std::size_t heads() const { return plan_.heads; }
  [[nodiscard]] Layout layout() const { return plan_.layout; }
  [[nodiscard]] double attention_factor() const;
  [[nodiscard]] const PointRotaryPlan& plan() const { return plan_; }

 private:
  class Angles;

  [[nodiscard]] Expected<void> check(const Points& points, const TokensAround& around) const;
  [[nodiscard]] Expected<std::size_t> count_lists(const SequenceShape& shape, const Points& points,
                                                  const TokensAround& around) const;
  [[nodiscard]] Expected<void> check_heads(const SequenceShape& shape) const;

  PointRotaryPlan plan_;
};

/// An Error unless rotation of points supports the layout: half or interleaved.
[[nodiscard]] Expected<void> check_point_layout(Layout layout);

}  // namespace posenc
