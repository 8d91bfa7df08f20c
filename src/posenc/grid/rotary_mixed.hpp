#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/grid/point_rotary.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"

namespace posenc {

struct RotaryMixedOptions {
  std::int64_t dim = 0;  ///< dimensions of a head
  /// How many dimensions rotate, the first ones: even, 2 ... dim; all of them by default.
  std::optional<std::int64_t> rotary_dim = std::nullopt;
  std::int64_t heads = 1;           ///< 1: all heads have the same frequencies
  std::int64_t axes = 2;            ///< coordinates of a point
  Layout layout = Layout::unnamed;  ///< half or interleaved; has to be named
  /// Which coordinate's frequencies come first. The authors' code, and mixed_frequencies, have x first: the last
  /// coordinate of (y, x).
  AxisOrder order = AxisOrder::last_first;

  static constexpr std::tuple ranges{
      ranged("dim", &RotaryMixedOptions::dim, whole_from(2, max_dim)),
      ranged("heads", &RotaryMixedOptions::heads, whole_from(1, max_dim)),
      ranged("axes", &RotaryMixedOptions::axes, whole_from(1, max_axes)),
  };
};

/// Rotary position embedding with a direction for every pair (RoPE-Mixed; Heo et al. 2024, arXiv 2403.13298): its angle
/// is the sum over all axes of coordinate times frequency. `frequencies`: [axes, heads, rotary_dim / 2] in radians for
/// a coordinate of 1, given or learned.
/// Errors: an option outside its range; frequencies of another size, not finite or above max_angle; memory.
[[nodiscard]] Expected<PointRotary> rotary_mixed(const RotaryMixedOptions& options,
                                                 std::span<const double> frequencies);

struct MixedFrequencyOptions {
  std::int64_t dim = 0;  ///< dimensions that rotate, a multiple of 4
  std::int64_t heads = 1;
  double base = 10;  ///< theta
  /// Seeds the random directions; without it the directions are those of the axes: the first half of a head's pairs
  /// rotates with x, the second with y.
  std::optional<std::uint64_t> seed = std::nullopt;

  static constexpr std::tuple ranges{
      ranged("dim", &MixedFrequencyOptions::dim, whole_from(4, max_dim)),
      ranged("heads", &MixedFrequencyOptions::heads, whole_from(1, max_dim)),
      ranged("base", &MixedFrequencyOptions::base, above(0)),
  };
};

/// The frequencies that training of RoPE-Mixed starts from, [2, heads, dim / 2], those of x first: pair i and pair
/// i + dim / 4 of a head have the magnitude base^(-4i/dim); the one points in the head's direction, the other is
/// perpendicular to it. A head's direction is SplitMix64(seed)'s next output, its upper 53 bits as a part of a cycle.
/// Errors: what the options say; a size that differs; memory.
/// Largest error: 2e-16 + 1e-14 of the magnitude; the same bits on every machine.
[[nodiscard]] Expected<void> mixed_frequencies(const MixedFrequencyOptions& start, std::span<double> out);

}  // namespace posenc
