#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/grid/point_rotary.hpp"
#include "posenc/rotary/rotary.hpp"

namespace posenc {

/// Which pairs rotate with time, height and width, for sections of s0, s1 and s2 pairs.
enum class MropeOrder : std::uint8_t {
  unnamed,        ///< refused
  spatial_first,  ///< height and width in turn, s1 + s2 pairs, s1 = s2, then s0 of time (ERNIE 4.5 VL)
  chunked,        ///< s0 pairs of time, then s1 of height, then s2 of width (Qwen2-VL)
  interleaved,    ///< height has the pairs 1, 4, 7, ..., s1 of them, width 2, 5, 8, ..., s2, time the others (Qwen3-VL)
};

/// "spatial-first" | "chunked" | "interleaved"; an Error that lists them for anything else.
template <>
[[nodiscard]] Expected<MropeOrder> from_name(std::string_view name);
[[nodiscard]] std::string_view name_of(MropeOrder order);

/// Multimodal rotary position embedding (Qwen2-VL, arXiv 2409.12191; Hugging Face transformers, `mrope_section`): the
/// frequencies of text, but a pair rotates with one of three positions, time, height or width: points of three axes.
/// Text, whose three positions are equal, is rotated as by Rotary, bit for bit.
/// Errors: those of Rotary::make; a layout other than half and interleaved; an order without a name; sections that are
/// not three numbers >= 0 that add up to rotary_dim / 2, or that leave too few pairs to interleave.
[[nodiscard]] Expected<PointRotary> mrope(const RotaryOptions& options, std::span<const std::int64_t> sections,
                                          MropeOrder order);

/// What the temporal position of a video's frame i is, beyond that of frame 0.
enum class MropeTime : std::uint8_t {
  index,          ///< i (Qwen2-VL)
  seconds,        ///< i seconds_per_grid tokens_per_second, in float32 from left to right, without its fraction
  whole_seconds,  ///< the same, seconds_per_grid without its fraction: transformers from 4.50 on has it so by
                  ///< conversion
  frame,          ///< no video has more than one frame: time is written as text between them (Qwen3-VL)
};

/// Where a segment behind an image or a video starts.
enum class MropeNext : std::uint8_t {
  past_maximum,  ///< one behind the largest of its positions (the papers; transformers 4)
  past_extent,   ///< its start + max(h, w) / merge, whatever its time (transformers 5)
};

/// The side on which a row shorter than the others is filled up.
enum class PaddingSide : std::uint8_t { left, right };

/// "index" | "seconds" | "whole-seconds" | "frame"; "past-maximum" | "past-extent"; "left" | "right"; an Error that
/// lists them for anything else.
template <>
[[nodiscard]] Expected<MropeTime> from_name(std::string_view name);
template <>
[[nodiscard]] Expected<MropeNext> from_name(std::string_view name);
template <>
[[nodiscard]] Expected<PaddingSide> from_name(std::string_view name);

/// A part of a sequence: text, an image or a video.
struct MropeSegment {
  enum class Kind : std::uint8_t { text, image, video };

  Kind kind = Kind::text;
  std::int64_t length = 0;    ///< tokens of a text
  std::int64_t grid[3] = {};  ///< t, h, w of an image or a video in patches, before they are merged
  std::optional<double> seconds_per_grid =
      std::nullopt;  ///< of a video, for MropeTime::seconds and whole_seconds alone; 1 by default
};

struct MropeOptions {
  MropeTime time = MropeTime::index;
  MropeNext next = MropeNext::past_maximum;
  std::int64_t merge = 2;  ///< spatial_merge_size: merge * merge patches are one token
  std::optional<double> tokens_per_second =
      std::nullopt;  ///< for MropeTime::seconds and whole_seconds, which must have it
};

/// The options of a model, as its own code has them: "qwen2-vl" (index), "qwen2.5-vl" (seconds), "qwen3-vl" (frame); an
/// Error that lists them for anything else.
[[nodiscard]] Expected<MropeOptions> mrope_options(std::string_view preset);

/// How many tokens the segments are.
/// Errors ("segments[i]. ..."): a length or extent that is negative; h or w that merge does not divide; a video with
/// more than one frame for MropeTime::frame; an image's t other than 1 (0 makes no token); seconds that are negative,
/// not finite or without meaning; positions or tokens above 2^31 - 1; merge or tokens_per_second out of range.
[[nodiscard]] Expected<std::size_t> count_mrope_tokens(const MropeOptions& options,
                                                       std::span<const MropeSegment> segments);

/// A row of positions, [3, rows, length]: time, height, width.
struct MropeRow {
  std::span<std::int32_t> out;
  std::size_t rows = 1, row = 0, length = 0;
  PaddingSide side = PaddingSide::left;
  std::int64_t padding = 1;  ///< the position of tokens that fill the row up: 1 in transformers 4, 0 in 5
};

/// Writes the (t, h, w) positions of a sequence, as get_rope_index of Hugging Face transformers does: text counts up in
/// all three, a grid's token has its place in the grid, counted from where the segment starts. Gives the rope delta:
/// the largest position + 1 - row.length, which is to be added to the index of every token that follows the row.
/// Errors: those of count_mrope_tokens; an out of another size; a row that is too short; a row that is not there; a
/// padding that is no int32.
[[nodiscard]] Expected<std::int64_t> mrope_positions(const MropeOptions& options,
                                                     std::span<const MropeSegment> segments, const MropeRow& row);

}  // namespace posenc
