#pragma once

#include <string_view>
#include <vector>

#include "posenc/grid/rotary_grid.hpp"
#include "testing/testing.hpp"

namespace testing {

using posenc::PointRotary;
using posenc::Points;
using posenc::RotaryGridPreset;

inline constexpr RotaryGridPreset grid_presets[] = {
    RotaryGridPreset::axial,      RotaryGridPreset::qwen2_vl,         RotaryGridPreset::pixtral,
    RotaryGridPreset::dinov3,     RotaryGridPreset::llama4,           RotaryGridPreset::timm,
    RotaryGridPreset::timm_pixel, RotaryGridPreset::rope_vit,         RotaryGridPreset::croco,
    RotaryGridPreset::lucidrains, RotaryGridPreset::lucidrains_pixel, RotaryGridPreset::wan,
    RotaryGridPreset::cogvideox,  RotaryGridPreset::hunyuan_video,    RotaryGridPreset::flux};

/// A preset for a head, with the other options that it needs.
[[nodiscard]] inline posenc::RotaryGridChoice choice_of(RotaryGridPreset preset, std::int64_t dim) {
  posenc::RotaryGridChoice choice;
  choice.preset = preset;
  choice.dim = dim;
  if (preset == RotaryGridPreset::qwen2_vl) choice.merge = 1;
  if (preset == RotaryGridPreset::axial) choice.layout = posenc::Layout::half;
  if (preset == RotaryGridPreset::axial || preset == RotaryGridPreset::lucidrains ||
      preset == RotaryGridPreset::lucidrains_pixel)
    choice.axes = 2;
  return choice;
}

/// Whether the preset has 16, 56 and 56 dimensions and no others.
[[nodiscard]] inline bool needs_128(RotaryGridPreset preset) {
  return preset == RotaryGridPreset::hunyuan_video || preset == RotaryGridPreset::flux;
}

[[nodiscard]] inline PointRotary rotary_of(const posenc::RotaryGridChoice& choice) {
  return value_of(posenc::rotary_grid(value_of(posenc::resolve(choice)).rotary));
}

[[nodiscard]] inline std::vector<double> points_of(const posenc::GridPointOptions& options, const Shape& shape) {
  std::vector<double> points(value_of(posenc::count_cells(options, shape)) * static_cast<std::size_t>(options.axes));
  value_of(posenc::grid_points(options, shape, points));
  return points;
}

struct PointCache {
  std::vector<float> cosines, sines;
};

[[nodiscard]] inline PointCache cache_of(const PointRotary& rotary, const Points& points,
                                         const posenc::TokensAround& around = {},
                                         posenc::CacheRow row = posenc::CacheRow::pairs) {
  const std::size_t width = rotary.heads() * rotary.rotary_dim() / (row == posenc::CacheRow::pairs ? 2 : 1);
  const std::size_t rows = points.size() / rotary.axes() + static_cast<std::size_t>(around.before + around.after);
  PointCache cache{std::vector<float>(rows * width, untouched), std::vector<float>(rows * width, untouched)};
  value_of(rotary.cache(points, around, row, cache.cosines, cache.sines));
  return cache;
}

[[nodiscard]] inline std::vector<float> rotated(const PointRotary& rotary, std::vector<float> x, const Shape& shape,
                                                const Points& points, const posenc::TokensAround& around = {},
                                                posenc::Direction direction = posenc::Direction::forward,
                                                std::optional<std::int64_t> sequence_axis = {}) {
  posenc::SequenceAxes axes{.sequence = sequence_axis};
  if (!sequence_axis && shape.size() > 2) axes.sequence = -3;
  if (shape.size() > 3) axes.batch = 0;
  value_of(rotary.apply(x, value_of(posenc::SequenceShape::make(shape, axes)), points, around, direction));
  return x;
}

[[nodiscard]] inline std::vector<double> random_points(std::size_t count, Generator& generator, double span) {
  std::vector<double> points(count);
  for (double& coordinate : points) coordinate = span * static_cast<double>(generator.fraction());
  return points;
}

}  // namespace testing
