#include "posenc/grid/mrope_positions.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>

#include "posenc/base/check.hpp"
#include "posenc/base/simd.hpp"
#include "posenc/base/try.hpp"
#include "posenc/grid/mrope_grid.hpp"

namespace posenc {
namespace {

constexpr MropeOptions presets[]{
    {.time = MropeTime::index},
    {.time = MropeTime::seconds},
    {.time = MropeTime::frame},
    {.time = MropeTime::frame},
    {.time = MropeTime::seconds, .audio = MropeAudio::by_chunk, .tokens_per_second = 25},
    {.time = MropeTime::unrounded, .audio = MropeAudio::by_time, .tokens_per_second = 25},
    {.temporal_merge = 2},
    {.time = MropeTime::seconds, .grid = MropeGrid::centred, .tokens_per_second = 2},
    {.time = MropeTime::frame, .grid = MropeGrid::page},
};
/// In their order.
enum class Preset : std::uint8_t { qwen2, qwen25, qwen3, glm, omni25, omni3, ernie, bailing, hunyuan };
constexpr Name preset_names[]{
    {"qwen2-vl", Preset::qwen2},    {"qwen2.5-vl", Preset::qwen25},   {"qwen3-vl", Preset::qwen3},
    {"glm4v", Preset::glm},         {"qwen2.5-omni", Preset::omni25}, {"qwen3-omni", Preset::omni3},
    {"ernie4.5-vl", Preset::ernie}, {"bailing", Preset::bailing},     {"hunyuan-vl", Preset::hunyuan},
};

constexpr std::int64_t largest_int32 = 2147483647;
/// An Error about "segments[3].grid". Out of line: there are many.
[[gnu::noinline]] std::unexpected<Error> refused(std::size_t index, std::string_view name, double value, ErrorCode code,
                                                 std::initializer_list<ErrorParameter> parameters = {},
                                                 std::string_view note = {}) {
  std::string text = "segments[";
  text.append(decimal(index)).append("].").append(name);
  return invalid_argument(text, value, code, parameters, note);
}

Expected<void> check_options(const MropeOptions& options) {
  POSENC_TRY(check_ranges(options));
  const double rate = options.tokens_per_second.value_or(0);
  if (options.audio == MropeAudio::by_chunk && !(rate * options.seconds_per_chunk >= 1))
    return invalid_argument("secondsPerChunk", options.seconds_per_chunk, expected::chunk);
  if (is_in_seconds(options)) {
    if (options.tokens_per_second && std::isfinite(rate) && rate >= 0) return {};
    constexpr std::string_view note = ", for this time";
    return options.tokens_per_second
               ? invalid_argument("tokensPerSecond", rate, expected::finite_at_least, {0}, note)
               : invalid_argument("tokensPerSecond", "none", expected::finite_at_least, {0}, note);
  }
  return options.tokens_per_second
             ? invalid_argument("tokensPerSecond", rate, expected::nothing, {}, ": time is not in seconds")
             : Expected<void>();
}

Expected<void> check_seconds(const MropeOptions& options, const MropeSegment& segment, std::size_t index) {
  if (!segment.seconds_per_grid) return {};
  const double seconds = *segment.seconds_per_grid;
  const bool meant =
      is_in_seconds(options) && segment.kind == MropeSegment::Kind::video && options.grid == MropeGrid::corner;
  if (meant && std::isfinite(seconds) && seconds >= 0) return {};
  return meant ? refused(index, "secondsPerGrid", seconds, expected::finite_at_least, {0})
               : refused(index, "secondsPerGrid", seconds, expected::nothing, {},
                         ": of videos alone, and where time is in seconds");
}

Expected<void> check_grid(const MropeOptions& options, const MropeSegment& segment, std::size_t index) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t extent = segment.grid[axis];
    if (extent < 0 || extent > largest_int32)
      return refused(index, "grid", static_cast<double>(extent), expected::whole_from_to, {0, largest_int32});
    if (axis > 0 && extent % options.merge != 0)
      return refused(index, "grid", static_cast<double>(extent), expected::merged_grid);
  }
  const std::int64_t t = segment.grid[0];
  const auto wrong_times = [&](ErrorCode code, std::initializer_list<ErrorParameter> parameters,
                               std::string_view note) {
    return refused(index, "grid", static_cast<double>(t), code, parameters, note);
  };
  const bool is_video = segment.kind == MropeSegment::Kind::video;
  if (is_video && t % options.temporal_merge != 0) return wrong_times(expected::even, {}, " t: two frames are one");
  if (t <= 1) return {};
  if (!is_video) return wrong_times(expected::exactly, {1}, " as an image's t");
  if (options.time == MropeTime::frame)
    return wrong_times(expected::exactly, {1}, " as t: a segment for each frame, with its text in front");
  return {};
}

/// Counts what has been laid out: tokens, the next segment's start, one more than the largest position, images.
struct Extent {
  std::int64_t tokens = 0, start = 0, end = 0, images = 0;
};

/// Lays a video with its sound out, whose grid fits.
Expected<void> lay_audio(const MropeOptions& options, const MropeSegment& segment, std::size_t index,
                         const MropeCells& grid, Extent& all) {
  const std::int64_t audio = segment.audio.value_or(0), video = grid.t * grid.h * grid.w;
  const bool meant = options.audio != MropeAudio::none && segment.kind == MropeSegment::Kind::video && video > 0;
  if (!meant || audio < 1 || audio > most_with_audio || video > most_with_audio ||
      static_cast<double>(all.start) + std::max(grid.largest(), static_cast<double>(audio)) > largest_int32 - 8)
    return meant ? refused(index, "audio", static_cast<double>(audio), expected::whole_from_to, {1, "2^24"},
                           ", beside as many tokens of frames")
                 : refused(index, "audio", static_cast<double>(audio), expected::nothing, {},
                           ": of videos of the Omni presets alone");
  MropeRuns runs(options, grid, audio);
  MropeRun run;
  while (runs.next(run)) continue;
  const std::int64_t base = all.start + marks_of(options), behind = base + runs.largest(run) + 1;
  all.tokens += video + audio + 4;
  all.start = behind + marks_of(options);
  all.end = std::max({all.end, all.start, base + static_cast<std::int64_t>(grid.largest()) + 1, base + audio});
  return {};
}

/// Lays one segment out; an Error where there are too many tokens or positions.
Expected<void> lay(const MropeOptions& options, const MropeSegment& segment, std::size_t index, Extent& all) {
  const auto too_large = [&](std::string_view name, double value) {
    return refused(index, name, value, expected::segments_total);
  };
  if (segment.kind == MropeSegment::Kind::text) {
    if (segment.length < 0) return refused(index, "text", static_cast<double>(segment.length), expected::at_least, {0});
    if (segment.length > largest_int32 - std::max(all.start, all.tokens))
      return too_large("text", static_cast<double>(segment.length));
    all.tokens += segment.length;
    all.start += segment.length;
    if (segment.length > 0) all.end = std::max(all.end, all.start);
    return {};
  }
  POSENC_TRY(check_grid(options, segment, index));
  const MropeCells grid(options, segment, all.start);
  if (!grid.empty()) {
    const std::int64_t left = largest_int32 - all.tokens;
    if (grid.h > left / grid.w || grid.t > left / (grid.h * grid.w))
      return too_large("grid", static_cast<double>(segment.grid[0]));
    const bool centred = options.grid == MropeGrid::centred;
    const double reach =
        centred ? grid.time(grid.t - 1) + static_cast<double>(std::max(grid.h, grid.w)) : grid.largest();
    if (!(static_cast<double>(all.start) + reach < static_cast<double>(largest_int32)))
      return too_large(segment.seconds_per_grid ? "secondsPerGrid" : "grid",
                       segment.seconds_per_grid.value_or(static_cast<double>(segment.grid[0])));
    if (grid.unrounded && !grid.is_whole())
      return refused(index, "secondsPerGrid", segment.seconds_per_grid.value_or(1), expected::whole_times);
  }
  if (segment.audio) return lay_audio(options, segment, index, grid, all);
  if (grid.empty()) return {};
  const std::int64_t tokens = grid.t * grid.h * grid.w;
  all.tokens += tokens;
  ++all.images;
  std::int64_t end = all.start + tokens;
  if (options.grid != MropeGrid::page)
    end = all.start + 1 +
          static_cast<std::int64_t>(options.grid == MropeGrid::centred ? grid.time(grid.t - 1) : grid.largest());
  all.end = std::max(all.end, end);
  all.start = options.next == MropeNext::past_maximum ? end : all.start + std::max(grid.h, grid.w);
  return {};
}

/// Positions that go up by a step, 0 or 1, from token to token.
struct Line {
  std::int64_t from;
  std::int32_t step = 0;
};

/// from, from + step, from + 2 step, ...
void fill(std::int32_t* to, std::size_t count, std::int32_t from, std::int32_t step) {
  using Batch = xsimd::batch<std::int32_t>;
  static constexpr std::int32_t dims[]{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  static_assert(Batch::size <= std::size(dims));
  constexpr auto size = static_cast<std::int32_t>(Batch::size);
  Batch first = Batch(from) + Batch::load_unaligned(dims) * Batch(step);
  Batch second = first + Batch(step * size);
  const Batch further(2 * step * size);
  std::size_t i = 0;
  for (; i + 2 * Batch::size <= count; i += 2 * Batch::size) {
    first.store_unaligned(to + i);
    second.store_unaligned(to + i + Batch::size);
    first = first + further;
    second = second + further;
  }
  for (; i < count; ++i) to[i] = from + step * static_cast<std::int32_t>(i);
}

/// The positions of one token after the other, of which each axis has a row.
struct Writer {
  std::int32_t* at;
  std::size_t stride, axes;

  void put(std::int64_t count, std::initializer_list<Line> lines) {
    std::int32_t* row = at;
    for (const Line& line : lines) {
      fill(row, static_cast<std::size_t>(count), static_cast<std::int32_t>(line.from), line.step);
      row += stride;
    }
    at += count;
  }
  /// Puts the same number in all axes, counting up.
  void put_text(std::int64_t count, std::int64_t from) {
    const Line line{from, 1};
    if (axes == 4) return put(count, {line, line, line, line});
    put(count, {line, line, line});
  }
};

void write_audio(const MropeOptions& options, const MropeSegment& segment, const MropeCells& grid, std::int64_t start,
                 Writer& to) {
  const auto put_marks = [&](std::int64_t at) {
    to.put_text(1, at);
    to.put_text(1, at + marks_of(options) - 1);
  };
  put_marks(start);
  start += marks_of(options);
  MropeRuns runs(options, grid, segment.audio.value_or(0));
  MropeRun run;
  while (runs.next(run)) {
    if (!run.is_video) {
      to.put_text(run.to - run.from, start + run.from);
      continue;
    }
    for (std::int64_t i = run.from; i < run.to; ++i)
      to.put(1, {{start + static_cast<std::int64_t>(grid.time(i / (grid.h * grid.w)))},
                 {start + i / grid.w % grid.h},
                 {start + i % grid.w}});
  }
  put_marks(start + runs.largest(run) + 1);
}

void write(const MropeOptions& options, const MropeSegment& segment, const Extent& all, Writer& to) {
  if (segment.kind == MropeSegment::Kind::text) return to.put_text(segment.length, all.start);
  const MropeCells grid(options, segment, all.start);
  if (segment.audio) return write_audio(options, segment, grid, all.start, to);
  for (std::int64_t t = 0; t < grid.t; ++t) {
    const std::int64_t time = all.start + static_cast<std::int64_t>(grid.time(t));
    const bool centred = options.grid == MropeGrid::centred;
    const std::int64_t row = centred ? time - (grid.h - 1) / 2 : all.start;
    const std::int64_t column = centred ? time - (grid.w - 1) / 2 : all.start;
    for (std::int64_t h = 0; h < grid.h; ++h) {
      if (options.grid == MropeGrid::page)
        to.put(grid.w, {{all.tokens + h * grid.w, 1}, {0, 1}, {h}, {all.images}});
      else
        to.put(grid.w, {{time}, {row + h}, {column, 1}});
    }
  }
}

Expected<Extent> lay_all(const MropeOptions& options, std::span<const MropeSegment> segments) {
  POSENC_TRY(check_options(options));
  Extent all;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    POSENC_TRY(check_seconds(options, segments[i], i));
    POSENC_TRY(lay(options, segments[i], i, all));
  }
  return all;
}

}  // namespace

Expected<MropeOptions> mrope_options(std::string_view preset) {
  POSENC_TRY_LET(found, from_name<Preset>(preset_names, "preset", preset));
  return presets[static_cast<std::size_t>(found)];
}

Expected<std::size_t> count_mrope_tokens(const MropeOptions& options, std::span<const MropeSegment> segments) {
  POSENC_TRY_LET(all, lay_all(options, segments));
  return static_cast<std::size_t>(all.tokens);
}

Expected<std::int64_t> mrope_positions(const MropeOptions& options, std::span<const MropeSegment> segments,
                                       const MropeRow& row) {
  POSENC_TRY_LET(all, lay_all(options, segments));
  POSENC_TRY(check_extents("out", row.out.size(), {options.axes(), row.rows, row.length}));
  if (row.row >= row.rows)
    return invalid_argument("row", static_cast<double>(row.row), expected::whole_below, {row.rows});
  POSENC_TRY(check_ranges(row));
  const auto tokens = static_cast<std::size_t>(all.tokens);
  if (tokens > row.length)
    return invalid_argument("length", static_cast<double>(row.length), expected::at_least, {tokens},
                            ", the row's tokens");

  std::int32_t* const time = row.out.data() + row.row * row.length;
  for (std::size_t axis = 0; axis < options.axes(); ++axis)
    std::fill_n(time + axis * row.rows * row.length, row.length, static_cast<std::int32_t>(row.padding));
  std::int32_t* const first = time + (row.side == PaddingSide::left ? row.length - tokens : 0);
  Writer to{first, row.rows * row.length, options.axes()};
  Extent at;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    write(options, segments[i], at, to);
    POSENC_TRY(lay(options, segments[i], i, at));
  }
  return all.end - static_cast<std::int64_t>(row.delta == MropeDelta::padded ? row.length : tokens);
}

}  // namespace posenc
