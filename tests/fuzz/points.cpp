#include <cmath>

#include "functions.hpp"
#include "invariants.hpp"
#include "posenc/grid/mrope.hpp"
#include "posenc/grid/mrope_positions.hpp"
#include "posenc/grid/rotary_grid.hpp"
#include "posenc/grid/rotary_mixed.hpp"

namespace fuzz {
namespace {

using namespace posenc;

std::vector<std::int64_t> extents(Bytes& bytes, std::size_t most) {
  std::vector<std::int64_t> extents(bytes.below(most + 1));
  for (std::int64_t& extent : extents) extent = bytes.extent();
  return extents;
}

RotaryGridChoice grid_choice(Bytes& bytes) {
  return {.preset = bytes.one_up_to(RotaryGridPreset::flux),
          .dim = bytes.extent(),
          .layout = bytes.flag() ? std::optional(bytes.one_up_to(Layout::deinterleaved)) : std::nullopt,
          .base = bytes.maybe_number(),
          .axes = bytes.maybe_extent(),
          .dims = extents(bytes, 4),
          .start = bytes.maybe_number(),
          .reference = extents(bytes, 3),
          .merge = bytes.extent(),
          .max_frequency = bytes.maybe_number()};
}

/// Rotates a few tokens by points drawn from the bytes.
void rotate(Bytes& bytes, const Expected<PointRotary>& rotary) {
  if (!check(rotary)) return;
  const std::size_t points = bytes.below(9);
  const std::vector<double> coordinates = bytes.doubles(bytes.size_near(points * rotary->axes()));
  const Points list = bytes.flag() ? Points::rows(coordinates) : Points::axes_first(coordinates);
  const TokensAround around{bytes.extent(), bytes.extent()};
  const std::size_t rows = points + volume({around.before}) + volume({around.after});
  Output<float> cosines(bytes.size_near(rows * rotary->heads() * rotary->rotary_dim() / 2));
  Output<float> sines(bytes.size_near(cosines.span().size()));
  const auto cached = rotary->cache(list, around, CacheRow::pairs, cosines.span(), sines.span());
  cosines.check(cached);
  sines.check(cached);

  const auto heads = static_cast<std::int64_t>(rotary->heads());
  const std::vector<std::int64_t> shape{static_cast<std::int64_t>(rows), heads,
                                        static_cast<std::int64_t>(rotary->dim())};
  const auto sequence = SequenceShape::make(shape, {.sequence = 0});
  if (!check(sequence) || sequence->size() > 1 << 16) return;
  Output<float> x(bytes.size_near(sequence->size()));
  x.check(rotary->apply(x.span(), *sequence, list, around, bytes.one_up_to(Direction::inverse)));
}

void grid(Bytes& bytes) {
  const auto plan = resolve(grid_choice(bytes));
  if (!check(plan)) return;
  rotate(bytes, rotary_grid(plan->rotary));
  const std::vector<std::int64_t> shape = extents(bytes, 4);
  const auto cells = count_cells(plan->points, shape);
  if (!check(cells) || *cells > 4096) return;
  Output<double> points(bytes.size_near(*cells * volume({plan->points.axes})));
  points.check(grid_points(plan->points, shape, points.span()));
}

void mixed(Bytes& bytes) {
  const RotaryMixedOptions options{.dim = bytes.extent(),
                                   .rotary_dim = bytes.maybe_extent(),
                                   .heads = bytes.extent(),
                                   .axes = bytes.extent(),
                                   .layout = bytes.one_up_to(Layout::deinterleaved),
                                   .order = bytes.one_up_to(AxisOrder::last_first)};
  const std::size_t count = volume({options.heads, options.axes, options.rotary_dim.value_or(options.dim)}) / 2;
  rotate(bytes, rotary_mixed(options, bytes.doubles(bytes.size_near(count))));
}

/// Ids of a few segments.
void ids(Bytes& bytes) {
  MropeOptions options{.time = bytes.one_up_to(MropeTime::frame),
                       .next = bytes.one_up_to(MropeNext::past_extent),
                       .grid = bytes.one_up_to(MropeGrid::page),
                       .audio = bytes.one_up_to(MropeAudio::by_time),
                       .merge = bytes.flag() ? 1 : bytes.extent(),
                       .temporal_merge = bytes.flag() ? 1 : bytes.extent(),
                       .tokens_per_second = bytes.maybe_number()};
  if (bytes.flag()) options.seconds_per_chunk = bytes.number();
  std::vector<MropeSegment> segments(bytes.below(5));
  for (MropeSegment& segment : segments) {
    segment.kind = bytes.one_up_to(MropeSegment::Kind::video);
    segment.length = bytes.extent();
    for (std::int64_t& extent : segment.grid) extent = bytes.extent();
    segment.seconds_per_grid = bytes.maybe_number();
    segment.audio = bytes.maybe_extent();
  }
  const auto tokens = count_mrope_tokens(options, segments);
  if (!check(tokens) || *tokens > 1 << 16) return;
  MropeRow row;
  row.rows = 1 + bytes.below(3);
  row.length = bytes.size_near(*tokens);
  row.row = bytes.below(row.rows);
  Output<std::int32_t> out(bytes.size_near(options.axes() * row.rows * row.length));
  row.out = out.span();
  const auto delta = mrope_positions(options, segments, row);
  out.check(delta ? Expected<void>() : std::unexpected(delta.error()));
}

}  // namespace

void fuzz_points(Bytes& bytes) {
  switch (bytes.below(4)) {
    case 0:
      return grid(bytes);
    case 1:
      return mixed(bytes);
    case 2:
      return ids(bytes);
    default: {
      const RotaryOptions options{.dim = bytes.extent(),
                                  .layout = bytes.one_up_to(Layout::deinterleaved),
                                  .base = bytes.number(),
                                  .rotary_dim = bytes.maybe_extent()};
      const std::vector<std::int64_t> sections = extents(bytes, 4);
      rotate(bytes, mrope(options, sections, bytes.one_up_to(MropeOrder::time_last)));
    }
  }
}

}  // namespace fuzz
