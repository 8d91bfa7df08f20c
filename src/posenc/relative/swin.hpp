#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/base/error.hpp"
#include "posenc/base/range.hpp"
#include "posenc/relative/perceptron.hpp"

namespace posenc {

/// A window of patches, numbered row by row.
/// Patches of a side of a window.
inline constexpr std::int64_t max_side = 4096;

struct SwinWindow {
  std::int64_t height = 0;
  std::int64_t width = 0;
  bool class_token = false;  ///< BEiT: one token before the patches, with three rows of the table of its own

  static constexpr std::tuple ranges{
      ranged("height", &SwinWindow::height, whole_from(1, max_side)),
      ranged("width", &SwinWindow::width, whole_from(1, max_side)),
  };
};

/// Rows of a bias table: (2 height - 1) (2 width - 1), and three more with a class token: from it to a patch, from a
/// patch to it, to itself. Errors: height or width out of range.
[[nodiscard]] Expected<std::size_t> swin_table_rows(const SwinWindow& window);

/// Tokens of a window. Errors: height or width out of range.
[[nodiscard]] Expected<std::size_t> swin_tokens(const SwinWindow& window);

/// The relative position index of Swin Transformer (Liu et al. 2021), [tokens, tokens]: for tokens i, j at (y, x)
/// it is (y_i - y_j + height - 1) (2 width - 1) + x_i - x_j + width - 1.
/// Errors: height or width; a size of `out` that differs; memory.
[[nodiscard]] Expected<void> swin_index(const SwinWindow& window, std::span<std::int32_t> out);

/// Looks the index up in a table [rows, heads]: a bias [heads, tokens, tokens]. The table is the compact form.
/// Errors: height or width; sizes that differ; memory.
[[nodiscard]] Expected<void> swin_bias(const SwinWindow& window, std::size_t heads, std::span<const float> table,
                                       std::span<float> out);

/// Log-spaced continuous position bias (Liu et al. 2022, "Swin Transformer V2").
struct SwinLogCpb {
  SwinWindow window;                   ///< without a class token
  std::int64_t pretrained_height = 0;  ///< of the window the perceptron was trained with; 0: this window's
  std::int64_t pretrained_width = 0;
  Perceptron perceptron;  ///< 2 inputs (y, x), one output a head; Swin V2's has 512 hidden and no bias2

  static constexpr std::tuple ranges{
      ranged("pretrainedHeight", &SwinLogCpb::pretrained_height, whole_from(0, max_side)),
      ranged("pretrainedWidth", &SwinLogCpb::pretrained_width, whole_from(0, max_side)),
  };
};

/// The perceptron's inputs, [rows, 2]: y, then x; sign(t) log2(|t| + 1) / 3 of t = 8 d / (extent - 1), d = -(extent of
/// the window - 1) ... and extent the pretrained one. An extent of 1 counts as 2: its only d is 0.
/// Largest error: 0.501 ulp. Errors: height, width or the pretrained ones; a size of `out` that differs; memory.
[[nodiscard]] Expected<void> swin_log_coordinates(const SwinLogCpb& cpb, std::span<float> out);

/// The table for swin_bias, [rows, heads]: 16 sigmoid(perceptron(coordinates)), on coordinates in double.
/// Largest error: 0.5 ulp + 4e-14 * the sum of the magnitudes the perceptron adds up.
/// Errors: those of the coordinates and the perceptron; a size of `out` that differs; memory.
[[nodiscard]] Expected<void> swin_log_cpb(const SwinLogCpb& cpb, std::size_t heads, std::span<float> out);

}  // namespace posenc
