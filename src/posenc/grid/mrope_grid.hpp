#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "posenc/grid/mrope_positions.hpp"

namespace posenc {

/// Limits the tokens of a video with sound, and those of its sound.
inline constexpr std::int64_t most_with_audio = std::int64_t{1} << 24;

inline bool is_in_seconds(const MropeOptions& options) {
  return options.time != MropeTime::index && options.time != MropeTime::frame;
}

/// How many positions the two marks in front of a video with sound take, and those behind it.
inline std::int64_t marks_of(const MropeOptions& options) { return options.audio == MropeAudio::by_chunk ? 1 : 2; }

/// How a grid's frames and cells are laid out as tokens.
struct MropeCells {
  std::int64_t t, h, w;
  bool in_seconds, unrounded;
  float seconds, rate, start;

  MropeCells(const MropeOptions& options, const MropeSegment& segment, std::int64_t from)
      : t(segment.grid[0] / (segment.kind == MropeSegment::Kind::video ? options.temporal_merge : 1)),
        h(segment.grid[1] / options.merge),
        w(segment.grid[2] / options.merge),
        in_seconds(is_in_seconds(options)),
        unrounded(options.time == MropeTime::unrounded),
        seconds(static_cast<float>(segment.seconds_per_grid.value_or(1))),
        rate(static_cast<float>(options.tokens_per_second.value_or(0))),
        start(static_cast<float>(from + (segment.audio ? marks_of(options) : 0))) {
    if (options.time == MropeTime::whole_seconds) seconds = std::trunc(seconds);
    if (t == 0 || h == 0 || w == 0) t = h = w = 0;
    if (options.grid == MropeGrid::page && w > 0) ++w;
  }

  [[nodiscard]] bool empty() const { return t == 0; }

  [[nodiscard]] double time(std::int64_t frame) const {
    if (!in_seconds) return static_cast<double>(frame);
    const float time = static_cast<float>(frame) * seconds * rate;
    // Qwen3-Omni adds the start in float32 too, and so may lose a fraction.
    return unrounded ? static_cast<double>(time + start) - static_cast<double>(start)
                     : static_cast<double>(std::trunc(time));
  }

  /// The largest position, counted from the start. Not of an empty grid.
  [[nodiscard]] double largest() const {
    return std::max({time(t - 1), static_cast<double>(h - 1), static_cast<double>(w - 1)});
  }

  /// Whether the times of all frames are whole numbers.
  [[nodiscard]] bool is_whole() const {
    if (t > most_with_audio) return false;
    for (std::int64_t frame = 0; frame < t; ++frame)
      if (time(frame) != std::trunc(time(frame))) return false;
    return true;
  }
};

/// Tokens of a video or of its sound that are contiguous.
struct MropeRun {
  bool is_video = true;
  std::int64_t from = 0, to = 0;
};

/// The runs of a video with sound, one after the other.
class MropeRuns {
 public:
  MropeRuns(const MropeOptions& options, const MropeCells& grid, std::int64_t audio)
      : grid_(grid),
        by_chunk_(options.audio == MropeAudio::by_chunk),
        chunk_(std::trunc(options.tokens_per_second.value_or(0) * options.seconds_per_chunk)),
        ends_{grid.t * grid.h * grid.w, audio} {}

  /// The next run, or false.
  [[nodiscard]] bool next(MropeRun& run) {
    if (at_[0] == ends_[0] && at_[1] == ends_[1]) return false;
    const std::size_t side = by_chunk_ ? side_of_turn() : side_of_time();
    run.is_video = side == 0;
    run.from = at_[side];
    // A run has a token at least; by time one alone, unless it is the rest.
    std::int64_t to = run.from + 1;
    if (by_chunk_) {
      while (to < ends_[side] && time(side, to) < limit_) ++to;
    } else if (at_[1 - side] == ends_[1 - side]) {
      to = ends_[side];
    }
    run.to = at_[side] = to;
    return true;
  }

  /// The largest position in a run.
  [[nodiscard]] std::int64_t largest(const MropeRun& run) const {
    auto most = static_cast<std::int64_t>(time(run.is_video ? 0 : 1, run.to - 1));
    for (std::int64_t i = run.from; run.is_video && i < run.to; ++i)
      most = std::max({most, i / grid_.w % grid_.h, i % grid_.w});
    return most;
  }

 private:
  [[nodiscard]] double time(std::size_t side, std::int64_t token) const {
    return side == 0 ? grid_.time(token / (grid_.h * grid_.w)) : static_cast<double>(token);
  }

  /// In turn, up to the end of a chunk; the side that is left goes on alone.
  [[nodiscard]] std::size_t side_of_turn() {
    if (turn_ == 0) limit_ += chunk_;
    const std::size_t side = turn_;
    turn_ = 1 - turn_;
    return at_[side] == ends_[side] ? side_of_turn() : side;
  }

  [[nodiscard]] std::size_t side_of_time() const {
    if (at_[0] == ends_[0] || at_[1] == ends_[1]) return at_[0] == ends_[0] ? 1 : 0;
    return time(0, at_[0]) <= time(1, at_[1]) ? 0 : 1;
  }

  const MropeCells& grid_;
  bool by_chunk_;
  double chunk_, limit_ = 0;
  std::int64_t ends_[2], at_[2] = {};
  std::size_t turn_ = 0;
};

}  // namespace posenc
