#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "posenc/base/error.hpp"
#include "posenc/base/names.hpp"
#include "posenc/base/range.hpp"

namespace posenc {

/// Lists how the temporal position of a video's frame i follows from that of frame 0.
enum class MropeTime : std::uint8_t {
  index,          ///< i (Qwen2-VL)
  seconds,        ///< i seconds_per_grid tokens_per_second, in float32 from left to right, without its fraction:
                  ///< transformers 4.49 to 4.51
  whole_seconds,  ///< the same, seconds_per_grid without its fraction: transformers 4.52 to 5.15, by a conversion
  unrounded,      ///< the same as seconds with its fraction, which has to be 0 here (Qwen3-Omni: positions are floats)
  frame,          ///< no video has more than one frame: time is written as text between them (Qwen3-VL, GLM-4V)
};

/// Where a segment behind an image or a video starts.
enum class MropeNext : std::uint8_t {
  past_maximum,  ///< one behind the largest of its positions (the papers; transformers up to 5.2)
  past_extent,   ///< its start + max(h, w) / merge, whatever its time (transformers from 5.3 on)
};

/// The delta of a row is its largest position + 1, less this many.
enum class MropeDelta : std::uint8_t {
  padded,    ///< the row's length: delta is added to an index that counts what fills it up (transformers up to 5.2)
  unpadded,  ///< its own tokens: to an index among these alone (transformers from 5.3 on)
};

/// The side on which a row shorter than the others is filled up.
enum class PaddingSide : std::uint8_t { left, right };

template <>
inline constexpr auto names_of<MropeTime> = Names("time", {{"index", MropeTime::index},
                                                           {"seconds", MropeTime::seconds},
                                                           {"whole-seconds", MropeTime::whole_seconds},
                                                           {"unrounded", MropeTime::unrounded},
                                                           {"frame", MropeTime::frame}});
template <>
inline constexpr auto names_of<MropeNext> =
    Names("next", {{"past-maximum", MropeNext::past_maximum}, {"past-extent", MropeNext::past_extent}});
template <>
inline constexpr auto names_of<MropeDelta> =
    Names("deltas", {{"padded", MropeDelta::padded}, {"unpadded", MropeDelta::unpadded}});
template <>
inline constexpr auto names_of<PaddingSide> =
    Names("padding", {{"left", PaddingSide::left}, {"right", PaddingSide::right}});

/// Where the cells of a grid are, counted from its start.
enum class MropeGrid : std::uint8_t {
  corner,   ///< time, row, column
  centred,  ///< time, time + row - (rows - 1) / 2, time + column - (columns - 1) / 2, rounded down; what follows goes
            ///< on behind the time (Bailing)
  page,     ///< four positions: the token's index, column, row, the image's number in the sequence; a row has a column
            ///< more, its line break (XD-RoPE of HunyuanOCR). Text has its index in all four
};

/// How a video's own sound is written among its frames.
enum class MropeAudio : std::uint8_t {
  none,      ///< not at all
  by_chunk,  ///< tokens of tokens_per_second * seconds_per_chunk positions of the video, then of the sound, in turn
             ///< (Qwen2.5-Omni); each two marks in front and behind have the same position
  by_time,   ///< by their times, the video's first (Qwen3-Omni); the marks count up
};

/// A part of a sequence: text, an image or a video. Sound alone is as text.
struct MropeSegment {
  enum class Kind : std::uint8_t { text, image, video };

  Kind kind = Kind::text;
  std::int64_t length = 0;    ///< tokens of a text
  std::int64_t grid[3] = {};  ///< t, h, w of an image or a video in patches, before they are merged
  std::optional<double> seconds_per_grid = std::nullopt;  ///< of a video, where time is in seconds; 1 by default
  /// Tokens of a video's sound, 1 ... 2^24 beside as many of its frames. Two marks in front (of vision, of sound) and
  /// two behind then belong to the segment.
  std::optional<std::int64_t> audio = std::nullopt;
};

struct MropeOptions {
  MropeTime time = MropeTime::index;
  MropeNext next = MropeNext::past_maximum;
  MropeGrid grid = MropeGrid::corner;
  MropeAudio audio = MropeAudio::none;
  std::int64_t merge = 2;                                  ///< spatial_merge_size: merge * merge patches are one token
  std::int64_t temporal_merge = 1;                         ///< of videos: so many frames are one
  std::optional<double> tokens_per_second = std::nullopt;  ///< where time is in seconds: it must be there
  double seconds_per_chunk = 2;                            ///< of MropeAudio::by_chunk

  static constexpr std::tuple ranges{
      ranged("mergeSize", &MropeOptions::merge, whole_from(1, std::numeric_limits<std::int32_t>::max())),
      ranged("temporalMergeSize", &MropeOptions::temporal_merge,
             whole_from(1, std::numeric_limits<std::int32_t>::max())),
  };

  /// How many positions a token has.
  [[nodiscard]] std::size_t axes() const { return grid == MropeGrid::page ? 4 : 3; }
};

/// The options of a model, as its own code has them; an Error that lists them for anything else. transformers was read
/// at e8c4f0b (August 2026) but for the first two:
/// "qwen2-vl" (index), "qwen2.5-vl" (seconds), "qwen3-vl" and "glm4v" (frame; GLM-4.1V to 4.6V, GLM-OCR),
/// "qwen2.5-omni" (TMRoPE: seconds, 25 tokens each; sound by_chunk), "qwen3-omni" (unrounded, 25; sound by_time),
/// "ernie4.5-vl" (index, two frames of a video in one; transformers has past_extent, SGLang past_maximum),
/// "bailing" (centred, 2 positions a frame; Ling-3.0-VL in SGLang, bailing_mrope.py at a1efab2), "hunyuan-vl" (page).
[[nodiscard]] Expected<MropeOptions> mrope_options(std::string_view preset);

/// How many tokens the segments are.
/// Errors ("segments[i]. ..."): a length or extent that is negative; h or w that merge does not divide, or a video's t
/// that temporal_merge does not; a video with more than one frame for MropeTime::frame; an image's t other than 1 (0
/// makes no token); seconds that are negative, not finite or without meaning, or fractions for MropeTime::unrounded;
/// sound without meaning or out of range; positions or tokens above 2^31 - 1; merge, tokens_per_second or
/// seconds_per_chunk out of range.
[[nodiscard]] Expected<std::size_t> count_mrope_tokens(const MropeOptions& options,
                                                       std::span<const MropeSegment> segments);

/// A row of positions, [options.axes(), rows, length]: time, height, width.
struct MropeRow {
  std::span<std::int32_t> out;
  std::size_t rows = 1, row = 0, length = 0;
  PaddingSide side = PaddingSide::left;
  std::int64_t padding = 1;  ///< the position of tokens that fill the row up: 1 in transformers up to 5.1, then 0
  MropeDelta delta = MropeDelta::padded;

  static constexpr std::tuple ranges{
      ranged("paddingPosition", &MropeRow::padding,
             whole_from(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max())),
  };
};

/// Writes the (t, h, w) positions of a sequence, as get_rope_index of Hugging Face transformers does: text counts up in
/// all three, a grid's token has its place in the grid, counted from where the segment starts. Versions are those of
/// modeling_qwen2_5_vl.py, read at the tags 4.51.3 to 5.15.0. Gives the rope delta, which is to be added to the index
/// of every token that follows the row: see MropeDelta. Errors: those of count_mrope_tokens; an out of another size; a
/// row that is too short; a row that is not there; a padding that is no int32.
[[nodiscard]] Expected<std::int64_t> mrope_positions(const MropeOptions& options,
                                                     std::span<const MropeSegment> segments, const MropeRow& row);

}  // namespace posenc
