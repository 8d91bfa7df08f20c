#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"

namespace posenc {

/// The options of an implementation, by its name.
enum class AxialPreset : std::uint8_t {
  detr,                  ///< DETR's PositionEmbeddingSine, normalised as its models are: [h, w],
                         ///< counted from 1, / (n + 1e-6) * 2 pi, y then x, interleaved. (DETR puts the lanes first)
  mae,                   ///< MAE's get_2d_sincos_pos_embed: [h, w], the column's lanes first, [sin | cos] each
  timm,                  ///< timm's build_sincos2d_pos_embed: [h, w], sin h, sin w, cos h, cos w
  positional_encodings,  ///< PositionalEncoding1D, 2D and 3D of the PyPI package positional-encodings: interleaved an
                         ///< axis, lanes rounded up, then trimmed
};

/// "detr" | "mae" | "timm" | "positional-encodings"; an Error that lists them for anything else.
[[nodiscard]] Expected<AxialPreset> axial_preset_from_name(std::string_view name);

/// A preset, and what is to differ from it.
struct AxialChoice {
  std::int64_t dim = 0;
  AxialPreset preset = AxialPreset::detr;
  std::optional<double> base = std::nullopt;
  std::optional<Order> order = std::nullopt;
  std::optional<AxisOrder> axes = std::nullopt;
  std::optional<Arrangement> arrangement = std::nullopt;
  std::optional<bool> normalised = std::nullopt;
  std::optional<double> start = std::nullopt;
  std::optional<double> extent = std::nullopt;  ///< 2 pi by default
  std::optional<double> epsilon = std::nullopt;
  std::int64_t prefix_tokens = 0;
};

/// The plain options that a choice stands for, for a grid of `axes` axes.
/// Errors: a number of axes that the preset does not know; an extent or epsilon where nothing is normalised.
[[nodiscard]] Expected<AxialSinusoidOptions> resolve(const AxialChoice& choice, std::size_t axes);

}  // namespace posenc
