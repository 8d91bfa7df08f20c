#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/grid/grid_points.hpp"
#include "posenc/grid/point_rotary.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"

namespace posenc {

/// The frequencies of an axis that has c dimensions, i = 0 ... c/2 - 1, in radians for a coordinate of 1.
enum class GridFrequencies : std::uint8_t {
  language,     ///< base^(-2i/c), as for text
  cycles,       ///< 2 pi base^(-2i/c): the periods are base^(2i/c) (DINOv3)
  pixel,        ///< pi times c/2 numbers from 1 to max_frequency / 2 at equal distances (rotary-embedding-torch)
  pixel_bands,  ///< pi times c/2 numbers from 1 to max_frequency / 2 at equal ratios (timm)
};

/// Which frequencies an axis takes.
enum class GridLadder : std::uint8_t {
  own,     ///< all of its own, made for its dimensions
  shared,  ///< one list is made for all dimensions and dealt to the axes: frequency i goes to axis i mod axes (Pixtral)
};

struct RotaryGridOptions {
  std::int64_t dim = 0;             ///< dimensions of a head
  std::vector<std::int64_t> dims;   ///< how many each axis rotates, even, >= 2, together at most dim; 1 to 8 axes
  Layout layout = Layout::unnamed;  ///< half or interleaved; has to be named
  double base = 10000;              ///< theta
  GridFrequencies frequencies = GridFrequencies::language;
  GridLadder ladder = GridLadder::own;
  double max_frequency = 10;  ///< of the pixel frequencies
  /// Which axis has the first pairs.
  AxisOrder order = AxisOrder::first_first;
  /// Whether every axis's dimensions are laid out separately. Otherwise the layout spans them all: with Layout::half,
  /// the pairs of every axis lie in both halves of the head.
  bool separate = false;

  static constexpr std::tuple ranges{
      ranged("dim", &RotaryGridOptions::dim, whole_from(2, max_dim)),
      ranged("base", &RotaryGridOptions::base, above(0)),
      ranged("maxFrequency", &RotaryGridOptions::max_frequency, from(2)),
  };
};

/// Rotary position embedding of an axis per coordinate: each has pairs of its own.
/// Errors: an option outside its range; those of Frequencies::make; memory.
/// Largest error of an angle, beyond that of PointRotary: GridFrequencies::cycles 4e-17 of itself (2 pi is rounded to
/// double), pixel and pixel_bands 2e-16 of itself (so is every frequency).
[[nodiscard]] Expected<PointRotary> rotary_grid(const RotaryGridOptions& options);

/// Rotary position embeddings of grids as implementations have them. c is what dim / axes gives, coordinates are
/// indices from 0 and the axes' pairs come in the order of the shape unless something else is said.
enum class RotaryGridPreset : std::uint8_t {
  axial,       ///< of no implementation: any number of axes of c dimensions; the layout has to be given
  qwen2_vl,    ///< vision tower of Qwen2-VL, 2.5 and 3 (transformers): [h, w] or [t, h, w], t not rotated; half
  pixtral,     ///< transformers: [h, w], one list of frequencies of dim, even ones for h, odd ones for w; half
  dinov3,      ///< transformers: [h, w], centred, 2 pi base^(-2i/c), base 100; half. Training's shifts are left out
  llama4,      ///< vision tower (transformers): [h, w], w's pairs first, indices from 1; interleaved
  timm,        ///< RotaryEmbeddingCat as EVA-02 uses it: [h, w], interleaved
  timm_pixel,  ///< RotaryEmbeddingCat's default, in_pixels: points from -1 to 1, frequencies at equal ratios up to
               ///< max_frequency (224) / 2 half cycles; interleaved
  rope_vit,    ///< RoPE-Axial of Heo et al.: [h, w], w's pairs first, base 100; interleaved
  croco,       ///< RoPE2D (CroCo, DUSt3R, VGGT): [h, w], base 100; half within the dimensions of each axis
  lucidrains,  ///< rotary-embedding-torch, freqs_for "lang": any number of axes; interleaved
  lucidrains_pixel,  ///< the same, "pixel": points from -1 to 1, frequencies at equal distances up to
                     ///< max_frequency (10) / 2 half cycles
  wan,        ///< Wan 2.1 (diffusers): [t, h, w]; h and w have 2 floor(dim / 6) dimensions, t the rest; interleaved
  cogvideox,  ///< CogVideoX (diffusers) without crops: [t, h, w]; dim / 4, 3 dim / 8, 3 dim / 8 dimensions; interleaved
  hunyuan_video,  ///< HunyuanVideo (diffusers): [t, h, w]; 16, 56, 56 dimensions where dim is 128; base 256;
                  ///< interleaved
  flux,           ///< FLUX.1 (diffusers): as HunyuanVideo, base 10000
};

template <>
inline constexpr auto names_of<RotaryGridPreset> =
    Names("preset", {{"axial", RotaryGridPreset::axial},
                     {"qwen2-vl", RotaryGridPreset::qwen2_vl},
                     {"pixtral", RotaryGridPreset::pixtral},
                     {"dinov3", RotaryGridPreset::dinov3},
                     {"llama4", RotaryGridPreset::llama4},
                     {"timm", RotaryGridPreset::timm},
                     {"timm-pixel", RotaryGridPreset::timm_pixel},
                     {"rope-vit", RotaryGridPreset::rope_vit},
                     {"croco", RotaryGridPreset::croco},
                     {"rotary-embedding-torch", RotaryGridPreset::lucidrains},
                     {"rotary-embedding-torch-pixel", RotaryGridPreset::lucidrains_pixel},
                     {"wan", RotaryGridPreset::wan},
                     {"cogvideox", RotaryGridPreset::cogvideox},
                     {"hunyuan-video", RotaryGridPreset::hunyuan_video},
                     {"flux", RotaryGridPreset::flux}});

/// A preset, and what is to differ from it.
struct RotaryGridChoice {
  RotaryGridPreset preset = RotaryGridPreset::axial;
  std::int64_t dim = 0;                             ///< dimensions of a head
  std::optional<Layout> layout = std::nullopt;      ///< RotaryGridPreset::axial must have it
  std::optional<double> base = std::nullopt;        ///< not for pixel frequencies
  std::optional<std::int64_t> axes = std::nullopt;  ///< where the preset leaves it open and dimensions are not given
  std::vector<std::int64_t> dims;                   ///< in the order of the shape's axes; the preset's if empty
  std::optional<double> start = std::nullopt;       ///< of indices
  std::vector<std::int64_t> reference;              ///< of indices: the grid of pretraining (timm's ref_feat_shape)
  /// spatial_merge_size: cells come in blocks of merge x merge. RotaryGridPreset::qwen2_vl must have it; else 1.
  std::optional<std::int64_t> merge = std::nullopt;
  std::optional<double> max_frequency = std::nullopt;  ///< of pixel frequencies alone

  static constexpr std::tuple ranges{
      ranged("dim", &RotaryGridChoice::dim, whole_from(2, max_dim)),
      ranged("axes", &RotaryGridChoice::axes, whole_from(1, max_axes)),
      ranged("mergeSize", &RotaryGridChoice::merge, whole_from(1, max_merge)),
  };
};

struct RotaryGridPlan {
  RotaryGridOptions rotary;
  GridPointOptions points;
};

/// The plain options that a choice stands for.
/// Errors: a number of axes that the preset does not know or that is missing; a dim that the preset cannot divide among
/// the axes; an option that means nothing for the preset, or that it has no default for.
[[nodiscard]] Expected<RotaryGridPlan> resolve(const RotaryGridChoice& choice);

}  // namespace posenc
