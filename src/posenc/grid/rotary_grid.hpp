#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/grid/point_rotary.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"

namespace posenc {

/// The frequencies of an axis that has c lanes, i = 0 ... c/2 - 1, in radians for a coordinate of 1.
enum class AxialFrequencies : std::uint8_t {
  language,     ///< base^(-2i/c), as for text
  turns,        ///< 2 pi base^(-2i/c): the periods are base^(2i/c) (DINOv3)
  pixel,        ///< pi times c/2 numbers from 1 to max_frequency / 2 at equal distances (rotary-embedding-torch)
  pixel_bands,  ///< pi times c/2 numbers from 1 to max_frequency / 2 at equal ratios (timm)
};

/// Which frequencies an axis takes.
enum class AxialLadder : std::uint8_t {
  own,     ///< all of its own, made for its lanes
  shared,  ///< one list is made for all lanes and dealt out: frequency i goes to axis i mod axes (Pixtral)
};

struct AxialRotaryOptions {
  std::int64_t dim = 0;             ///< lanes of a head, 2 ... max_dim
  std::vector<std::int64_t> lanes;  ///< how many each axis rotates, even, >= 2, together at most dim; 1 to 8 axes
  Layout layout = Layout::unnamed;  ///< half or interleaved; has to be named
  double base = 10000;              ///< theta, finite and > 0
  AxialFrequencies frequencies = AxialFrequencies::language;
  AxialLadder ladder = AxialLadder::own;
  double max_frequency = 10;  ///< of the pixel frequencies: finite, >= 2
  /// Which axis has the first pairs.
  AxisOrder order = AxisOrder::first_first;
  /// Whether every axis's lanes are laid out separately. Otherwise the layout spans them all: with Layout::half, the
  /// pairs of every axis lie in both halves of the head.
  bool separate = false;
};

/// Rotary position embedding of an axis per coordinate: each has pairs of its own.
/// Errors: an option outside its range; those of Frequencies::make; memory.
/// Largest error of an angle, beyond that of PointRotary: AxialFrequencies::turns 4e-17 of itself (2 pi is rounded to
/// double), pixel and pixel_bands 2e-16 of itself (so is every frequency).
[[nodiscard]] Expected<PointRotary> axial_rotary(const AxialRotaryOptions& options);

}  // namespace posenc
