#include "posenc/grid/mrope.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "posenc/base/check.hpp"

namespace posenc {
namespace {

constexpr Name order_names[]{
    {"spatial-first", MropeOrder::spatial_first},
    {"chunked", MropeOrder::chunked},
    {"interleaved", MropeOrder::interleaved},
};

using Sections = std::span<const std::int64_t>;

Expected<void> check_sections(Sections sections, MropeOrder order, std::int64_t pairs) {
  if (sections.size() != 3)
    return wrong("sections", static_cast<double>(sections.size()), {"three numbers: pairs of time, height, width"});
  std::int64_t left = pairs;
  for (const std::int64_t section : sections) {
    if (section < 0 || section > left)
      return wrong("sections", static_cast<double>(section),
                   {"whole numbers >= 0 that add up to ", decimal(pairs), ", half of rotaryDim"});
    left -= section;
  }
  if (left != 0)
    return wrong("sections", static_cast<double>(pairs - left),
                 {"whole numbers >= 0 that add up to ", decimal(pairs), ", half of rotaryDim"});
  for (std::int64_t axis = 1; order == MropeOrder::interleaved && axis < 3; ++axis) {
    const std::int64_t section = sections[static_cast<std::size_t>(axis)];
    if (section > 0 && axis + 3 * (section - 1) >= pairs)
      return wrong("sections", static_cast<double>(section),
                   {"at most ", decimal((pairs - axis + 2) / 3), " pairs, to interleave: every third of them"});
  }
  if (order == MropeOrder::spatial_first && sections[1] != sections[2])
    return wrong("sections", static_cast<double>(sections[2]), {decimal(sections[1]), ", width's as many as height's"});
  return {};
}

std::size_t axis_of(std::size_t pair, Sections sections, MropeOrder order) {
  const auto s = [&](std::size_t axis) { return static_cast<std::size_t>(sections[axis]); };
  if (order == MropeOrder::spatial_first) return pair < s(1) + s(2) ? 1 + pair % 2 : 0;
  if (order == MropeOrder::interleaved) return pair / 3 < s(pair % 3) ? pair % 3 : 0;
  return pair < s(0) ? 0 : (pair < s(0) + s(1) ? 1 : 2);
}

/// The pairs of one axis and their frequencies.
Expected<AxisFrequencies> axis_frequencies(const Frequencies& all, Sections sections, MropeOrder order,
                                           std::size_t axis) {
  auto pairs = AlignedArray<std::uint32_t>::make(static_cast<std::size_t>(sections[axis]));
  if (!pairs) return error_of(pairs);
  for (std::size_t pair = 0, i = 0; pair < all.count(); ++pair)
    if (axis_of(pair, sections, order) == axis) (*pairs)[i++] = static_cast<std::uint32_t>(pair);
  auto selected = all.selected(pairs->span());
  if (!selected) return error_of(selected);
  return AxisFrequencies{std::move(*selected), std::move(*pairs)};
}

constexpr Name time_names[]{
    {"index", MropeTime::index},
    {"seconds", MropeTime::seconds},
    {"whole-seconds", MropeTime::whole_seconds},
    {"frame", MropeTime::frame},
};
constexpr Name next_names[]{
    {"past-maximum", MropeNext::past_maximum},
    {"past-extent", MropeNext::past_extent},
};
constexpr Name side_names[]{
    {"left", PaddingSide::left},
    {"right", PaddingSide::right},
};
constexpr Name preset_names[]{
    {"qwen2-vl", MropeTime::index},
    {"qwen2.5-vl", MropeTime::seconds},
    {"qwen3-vl", MropeTime::frame},
};

constexpr std::int64_t largest_int32 = 2147483647;
constexpr std::string_view too_many = "segments whose tokens and positions are at most 2^31 - 1";

bool is_in_seconds(const MropeOptions& options) {
  return options.time == MropeTime::seconds || options.time == MropeTime::whole_seconds;
}

/// "segments[3].grid"
std::string member(std::size_t index, std::string_view name) {
  std::string text = "segments[";
  text.append(decimal(index)).append("].").append(name);
  return text;
}

Expected<void> check_options(const MropeOptions& options) {
  if (auto checked = check_whole("mergeSize", options.merge, 1, largest_int32); !checked) return checked;
  const double rate = options.tokens_per_second.value_or(0);
  if (is_in_seconds(options)) {
    if (options.tokens_per_second && std::isfinite(rate) && rate >= 0) return {};
    return wrong("tokensPerSecond", options.tokens_per_second.value_or(NAN), {"a finite number >= 0, for this time"});
  }
  return options.tokens_per_second ? wrong("tokensPerSecond", rate, {"nothing: time is not in seconds"})
                                   : Expected<void>();
}

Expected<void> check_seconds(const MropeOptions& options, const MropeSegment& segment, std::size_t index) {
  if (!segment.seconds_per_grid) return {};
  const double seconds = *segment.seconds_per_grid;
  const bool meant = is_in_seconds(options) && segment.kind == MropeSegment::Kind::video;
  if (meant && std::isfinite(seconds) && seconds >= 0) return {};
  return wrong(member(index, "secondsPerGrid"), seconds,
               {meant ? "a finite number >= 0" : "nothing: of videos alone, and where time is in seconds"});
}

/// How a grid's frames and cells are laid out as tokens.
struct Grid {
  std::int64_t t, h, w;
  bool in_seconds;
  float seconds, rate;

  Grid(const MropeOptions& options, const MropeSegment& segment)
      : t(segment.grid[0]),
        h(segment.grid[1] / options.merge),
        w(segment.grid[2] / options.merge),
        in_seconds(is_in_seconds(options)),
        seconds(static_cast<float>(segment.seconds_per_grid.value_or(1))),
        rate(static_cast<float>(options.tokens_per_second.value_or(0))) {
    if (options.time == MropeTime::whole_seconds) seconds = std::trunc(seconds);
  }

  [[nodiscard]] bool empty() const { return t == 0 || h == 0 || w == 0; }

  [[nodiscard]] double time(std::int64_t frame) const {
    if (!in_seconds) return static_cast<double>(frame);
    return static_cast<double>(std::trunc(static_cast<float>(frame) * seconds * rate));
  }

  /// The largest position, counted from the start. Not of an empty grid.
  [[nodiscard]] double largest() const {
    return std::max({time(t - 1), static_cast<double>(h - 1), static_cast<double>(w - 1)});
  }
};

Expected<void> check_grid(const MropeOptions& options, const MropeSegment& segment, std::size_t index) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t extent = segment.grid[axis];
    if (extent < 0 || extent > largest_int32)
      return wrong(member(index, "grid"), static_cast<double>(extent),
                   {"whole numbers from 0 to ", decimal(largest_int32)});
    if (axis > 0 && extent % options.merge != 0)
      return wrong(member(index, "grid"), static_cast<double>(extent),
                   {"an h and a w that mergeSize (", decimal(options.merge), ") divides"});
  }
  if (segment.grid[0] <= 1) return {};
  if (segment.kind == MropeSegment::Kind::image)
    return wrong(member(index, "grid"), static_cast<double>(segment.grid[0]), {"1 as an image's t"});
  if (options.time == MropeTime::frame)
    return wrong(member(index, "grid"), static_cast<double>(segment.grid[0]),
                 {"1 as t: a segment for each frame, with its text in front"});
  return {};
}

/// What has been laid out: tokens, the next segment's start, and one more than the largest position.
struct Extent {
  std::int64_t tokens = 0, start = 0, end = 0;
};

/// Lays one segment out; an Error where there are too many tokens or positions.
Expected<void> lay(const MropeOptions& options, const MropeSegment& segment, std::size_t index, Extent& all) {
  const auto refused = [&](std::string_view name, double value) {
    return wrong(member(index, name), value, {too_many});
  };
  if (segment.kind == MropeSegment::Kind::text) {
    if (segment.length < 0) return wrong(member(index, "text"), static_cast<double>(segment.length), {"a number >= 0"});
    if (segment.length > largest_int32 - std::max(all.start, all.tokens))
      return refused("text", static_cast<double>(segment.length));
    all.tokens += segment.length;
    all.start += segment.length;
    if (segment.length > 0) all.end = std::max(all.end, all.start);
    return {};
  }
  if (auto checked = check_grid(options, segment, index); !checked) return checked;
  const Grid grid(options, segment);
  if (grid.empty()) return {};
  const std::int64_t room = largest_int32 - all.tokens;
  if (grid.h > room / grid.w || grid.t > room / (grid.h * grid.w))
    return refused("grid", static_cast<double>(segment.grid[0]));
  if (!(static_cast<double>(all.start) + grid.largest() < static_cast<double>(largest_int32)))
    return refused(segment.seconds_per_grid ? "secondsPerGrid" : "grid",
                   segment.seconds_per_grid.value_or(static_cast<double>(segment.grid[0])));
  all.tokens += grid.t * grid.h * grid.w;
  const std::int64_t end = all.start + static_cast<std::int64_t>(grid.largest()) + 1;
  all.end = std::max(all.end, end);
  all.start = options.next == MropeNext::past_maximum ? end : all.start + std::max(grid.h, grid.w);
  return {};
}

/// The three positions of one token.
struct Writer {
  std::int32_t *time, *height, *width;

  void put(std::int64_t t, std::int64_t h, std::int64_t w) {
    *time++ = static_cast<std::int32_t>(t);
    *height++ = static_cast<std::int32_t>(h);
    *width++ = static_cast<std::int32_t>(w);
  }
};

void write(const MropeOptions& options, const MropeSegment& segment, std::int64_t start, Writer& to) {
  if (segment.kind == MropeSegment::Kind::text) {
    for (std::int64_t i = start; i < start + segment.length; ++i) to.put(i, i, i);
    return;
  }
  const Grid grid(options, segment);
  if (grid.empty()) return;
  for (std::int64_t t = 0; t < grid.t; ++t) {
    const std::int64_t time = start + static_cast<std::int64_t>(grid.time(t));
    for (std::int64_t h = start; h < start + grid.h; ++h)
      for (std::int64_t w = start; w < start + grid.w; ++w) to.put(time, h, w);
  }
}

Expected<Extent> lay_all(const MropeOptions& options, std::span<const MropeSegment> segments) {
  if (auto checked = check_options(options); !checked) return error_of(checked);
  Extent all;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (auto checked = check_seconds(options, segments[i], i); !checked) return error_of(checked);
    if (auto checked = lay(options, segments[i], i, all); !checked) return error_of(checked);
  }
  return all;
}

}  // namespace

template <>
Expected<MropeOrder> from_name(std::string_view name) {
  return from_name<MropeOrder>(order_names, "order", name);
}

std::string_view name_of(MropeOrder order) { return name_of(order_names, order); }

Expected<PointRotary> mrope(const RotaryOptions& options, Sections sections, MropeOrder order) {
  const auto text = Rotary::make(options);
  if (!text) return error_of(text);
  if (auto checked = check_point_layout(options.layout); !checked) return error_of(checked);
  if (order == MropeOrder::unnamed) return std::unexpected(from_name<MropeOrder>("").error());
  const std::size_t pairs = text->rotary_dim() / 2;
  if (auto checked = check_sections(sections, order, static_cast<std::int64_t>(pairs)); !checked)
    return error_of(checked);
  PointRotaryPlan plan;
  plan.dim = text->dim();
  plan.pairs = pairs;
  plan.layout = options.layout;
  plan.blocks.push_back(pairs);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto made = axis_frequencies(text->frequencies(), sections, order, axis);
    if (!made) return error_of(made);
    plan.axes.push_back(std::move(*made));
  }
  return PointRotary::from(std::move(plan));
}

template <>
Expected<MropeTime> from_name(std::string_view name) {
  return from_name<MropeTime>(time_names, "time", name);
}

template <>
Expected<MropeNext> from_name(std::string_view name) {
  return from_name<MropeNext>(next_names, "next", name);
}

template <>
Expected<PaddingSide> from_name(std::string_view name) {
  return from_name<PaddingSide>(side_names, "padding", name);
}

Expected<MropeOptions> mrope_options(std::string_view preset) {
  const auto time = from_name<MropeTime>(preset_names, "preset", preset);
  if (!time) return error_of(time);
  return MropeOptions{.time = *time};
}

Expected<std::size_t> count_mrope_tokens(const MropeOptions& options, std::span<const MropeSegment> segments) {
  const auto all = lay_all(options, segments);
  if (!all) return error_of(all);
  return static_cast<std::size_t>(all->tokens);
}

Expected<std::int64_t> mrope_positions(const MropeOptions& options, std::span<const MropeSegment> segments,
                                       const MropeRow& row) {
  const auto all = lay_all(options, segments);
  if (!all) return error_of(all);
  if (auto checked = check_extents("out", row.out.size(), {3, row.rows, row.length}); !checked)
    return error_of(checked);
  if (row.row >= row.rows) return wrong("row", static_cast<double>(row.row), {"less than ", decimal(row.rows)});
  if (auto checked = check_whole("paddingPosition", row.padding, -largest_int32 - 1, largest_int32); !checked)
    return error_of(checked);
  const auto tokens = static_cast<std::size_t>(all->tokens);
  if (tokens > row.length)
    return wrong("length", static_cast<double>(row.length), {"at least ", decimal(tokens), ", the row's tokens"});

  std::int32_t* const time = row.out.data() + row.row * row.length;
  for (std::size_t axis = 0; axis < 3; ++axis)
    std::fill_n(time + axis * row.rows * row.length, row.length, static_cast<std::int32_t>(row.padding));
  std::int32_t* const first = time + (row.side == PaddingSide::left ? row.length - tokens : 0);
  Writer to{first, first + row.rows * row.length, first + 2 * row.rows * row.length};
  Extent at;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    write(options, segments[i], at.start, to);
    if (auto laid = lay(options, segments[i], i, at); !laid) return error_of(laid);
  }
  return all->end - static_cast<std::int64_t>(row.length);
}

}  // namespace posenc
