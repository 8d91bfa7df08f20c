#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "posenc/grid/point_rotary.hpp"
#include "posenc/grid/rotary_grid.hpp"
#include "rotary/rotary_reference.hpp"
#include "testing/reference.hpp"

/// Rotation of points as the implementations write it: a table with an angle for every dimension, and x cos + rot(x)
/// sin.
namespace reference {

/// The source of dimension l of rot(x): the other dimension of the pair, and the sign it gets.
struct Partner {
  std::size_t dimension;
  int sign;
};

struct DimAngles {
  std::vector<Quad> angles;
  std::vector<Partner> partners;
};

/// rotate_half and rotate_every_two over `count` dimensions from `first` on.
void add_halves(DimAngles& dims, const std::vector<Quad>& angles);
void add_neighbours(DimAngles& dims, const std::vector<Quad>& angles);

/// base^(-2i/dimensions) for i = 0 ... dimensions/2 - 1, times the coordinate.
[[nodiscard]] std::vector<Quad> ladder(Quad coordinate, std::size_t dims, double base);

/// The rotated dimensions of a head of `dim` dimensions at a point, for a preset with its default options.
[[nodiscard]] DimAngles preset_dims(posenc::RotaryGridPreset preset, std::size_t dim, std::span<const Quad> point);

/// One head rotated.
[[nodiscard]] std::vector<Bounded> rotated_dims(const DimAngles& dims, std::span<const float> head,
                                                posenc::Direction direction);

/// The coordinates of index i of n along `axis` of a grid, by the preset's convention.
[[nodiscard]] Quad preset_coordinate(posenc::RotaryGridPreset preset, std::size_t i, std::size_t n);

}  // namespace reference
