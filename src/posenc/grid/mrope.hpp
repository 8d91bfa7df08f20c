#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/grid/point_rotary.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// Which pairs rotate with time, height and width, for sections of s0, s1 and s2 pairs.
enum class MropeOrder : std::uint8_t {
  unnamed,      ///< refused
  chunked,      ///< s0 pairs of time, then s1 of height, then s2 of width (Qwen2-VL, GLM-4V); of any axes, 2 to 8 of
                ///< them (XD-RoPE of HunyuanOCR: position, x, y, image)
  interleaved,  ///< height has the pairs 1, 4, 7, ..., s1 of them, width 2, 5, 8, ..., s2, time the others, be they s0
                ///< or more (Qwen3-VL: apply_interleaved_mrope reads s1 and s2 alone; GenLIP: 8, 12, 12 of 36 pairs)
  time_last,  ///< height and width take turns at the first s1 + s2 pairs, time has the last s0: s1 = s2 (Ernie 4.5 VL,
              ///< whose config lists height, width, time; vLLM's bailing_mrope.py, time first)
};

template <>
inline constexpr auto names_of<MropeOrder> = Names(
    "order",
    {{"chunked", MropeOrder::chunked}, {"interleaved", MropeOrder::interleaved}, {"time-last", MropeOrder::time_last}});

/// Multimodal rotary position embedding (Qwen2-VL, arXiv 2409.12191; Hugging Face transformers, `mrope_section`): the
/// frequencies of text, but a pair rotates with one of three positions, time, height or width: points of three axes.
/// Text, whose three positions are equal, is rotated as by Rotary, bit for bit.
/// Errors: those of Rotary::make; a layout other than half and interleaved; an order without a name; sections that are
/// not three numbers >= 0 (chunked: 2 to 8) that add up to rotary_dim / 2 (at most, interleaved), or that leave too few
/// pairs to interleave or differ where they take turns.
[[nodiscard]] Expected<PointRotary> mrope(const RotaryOptions& options, std::span<const std::int64_t> sections,
                                          MropeOrder order);

/// Which of the axes each pair has, `pairs` of them. Errors: those of mrope about order and sections.
[[nodiscard]] Expected<std::vector<std::size_t>> mrope_axes(std::size_t pairs, std::span<const std::int64_t> sections,
                                                            MropeOrder order);

}  // namespace posenc
