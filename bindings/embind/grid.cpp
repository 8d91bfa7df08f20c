#include "dtype.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/grid/grid_points.hpp"
#include "posenc/grid/mrope.hpp"
#include "posenc/grid/rotary_grid.hpp"
#include "posenc/grid/rotary_mixed.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"
#include "rotary.hpp"

namespace posenc::embind {
namespace {

Expected<void> sinusoidal_grid(const calls::SinusoidalGrid& in) {
  POSENC_TRY_LET(preset, from_name<SinusoidalGridPreset>(in.preset));
  SinusoidalGridChoice choice{.dim = in.dim,
                              .preset = preset,
                              .base = in.base,
                              .normalised = in.normalised,
                              .start = in.start,
                              .extent = in.extent,
                              .epsilon = in.epsilon};
  POSENC_TRY(set(choice.order, in.order, from_name<Order>));
  POSENC_TRY(set(choice.axes, in.axes, from_name<AxisOrder>));
  POSENC_TRY(set(choice.arrangement, in.arrangement, from_name<Arrangement>));
  set(choice.prefix_tokens, in.prefix_tokens);
  POSENC_TRY_LET(options, resolve(choice, in.shape.size()));
  POSENC_TRY_LET(made, SinusoidalGrid::make(options, in.shape));
  return write_as(in.dtype, in.out, [&](const auto& out) {
    return in.mask.data.address == 0 ? made.table(out) : made.table(in.mask.data.as<const std::uint8_t>(), out);
  });
}

/// A rotation of points, and how a grid's points are made for it.
struct KeptPointRotary {
  PointRotary rotary;
  GridPointOptions points;
};

/// Keeps what was made, and answers what JavaScript knows of it.
template <class Call>
Expected<void> keep(const Call& in, Expected<PointRotary> rotary, GridPointOptions points) {
  POSENC_TRY_LET(made, std::move(rotary));
  in.answer.rotary_dim = static_cast<double>(made.rotary_dim());
  in.answer.axes = static_cast<double>(made.axes());
  in.answer.heads = static_cast<double>(made.heads());
  in.answer.attention_factor = made.attention_factor();
  in.answer.handle = hold(KeptPointRotary{std::move(made), std::move(points)});
  return {};
}

Expected<void> rotary_grid(const calls::RotaryGrid& in) {
  POSENC_TRY_LET(preset, from_name<RotaryGridPreset>(in.preset));
  RotaryGridChoice choice{.preset = preset,
                          .dim = in.dim,
                          .base = in.base,
                          .axes = in.axes,
                          .lanes = in.lanes,
                          .start = in.start,
                          .reference = in.reference,
                          .max_frequency = in.max_frequency};
  POSENC_TRY(set(choice.layout, in.layout, from_name<Layout>));
  set(choice.merge, in.merge_size);
  POSENC_TRY_LET(plan, resolve(choice));
  return keep(in, rotary_grid(plan.rotary), std::move(plan.points));
}

Expected<void> rotary_mixed(const calls::RotaryMixed& in) {
  RotaryMixedOptions options{.dim = in.dim, .rotary_dim = in.rotary_dim};
  set(options.heads, in.heads);
  set(options.axes, in.axes);
  POSENC_TRY(set(options.layout, in.layout, from_name<Layout>));
  POSENC_TRY(set(options.order, in.order, from_name<AxisOrder>));
  GridPointOptions points;
  points.axes = options.axes;
  return keep(in, rotary_mixed(options, in.frequencies.as<const double>()), std::move(points));
}

Expected<void> mixed_frequencies(const calls::MixedFrequencies& in) {
  MixedFrequencyOptions start{.dim = in.dim};
  set(start.heads, in.heads);
  set(start.base, in.base);
  if (in.seed) start.seed = static_cast<std::uint64_t>(*in.seed);
  return posenc::mixed_frequencies(start, in.out.as<double>());
}

Expected<void> mrope(const calls::Mrope& in) {
  POSENC_TRY_LET(options, rotary_options(in));
  POSENC_TRY_LET(order, from_name<MropeOrder>(in.order));
  return keep(in, posenc::mrope(options, in.sections, order), {});
}

/// The points of a grid's cells, written to `cells`, or those that were given in the place of a grid.
template <class Call>
Expected<Points> points_of(const Call& in, AlignedArray<double>& cells) {
  if (in.points.address != 0) return Points::rows(in.points.template as<const double>());
  const auto& [rotary, options] = held<KeptPointRotary>(in.rotary);
  POSENC_TRY_LET(count, count_cells(options, in.grid));
  POSENC_TRY_LET(made, AlignedArray<double>::make_unfilled(count * rotary.axes()));
  POSENC_TRY(grid_points(options, in.grid, made.span()));
  cells = std::move(made);
  return Points::rows(cells.span());
}

template <class Call>
TokensAround tokens_around(const Call& in) {
  TokensAround around;
  set(around.before, in.prefix_tokens);
  set(around.after, in.suffix_tokens);
  return around;
}

template <class Call>
Expected<void> apply(const Call& in, const Points& points, const TokensAround& around) {
  POSENC_TRY_LET(shape, SequenceShape::make(in.shape, {.sequence = in.seq_axis}));
  return held<KeptPointRotary>(in.rotary).rotary.apply(in.x.template as<float>(), shape, points, around,
                                                       direction_of(in.inverse));
}

template <class Call>
Expected<void> cache(const Call& in, const Points& points, const TokensAround& around) {
  CacheRow row = CacheRow::pairs;
  POSENC_TRY(set(row, in.row, from_name<CacheRow>));
  return held<KeptPointRotary>(in.rotary).rotary.cache(points, around, row, in.out.cos.template as<float>(),
                                                       in.out.sin.template as<float>());
}

Expected<void> rotary_grid_apply(const calls::RotaryGridApply& in) {
  AlignedArray<double> cells;
  POSENC_TRY_LET(points, points_of(in, cells));
  return apply(in, points, tokens_around(in));
}

Expected<void> rotary_grid_cache(const calls::RotaryGridCache& in) {
  AlignedArray<double> cells;
  POSENC_TRY_LET(points, points_of(in, cells));
  return cache(in, points, tokens_around(in));
}

Expected<void> rotary_grid_points(const calls::RotaryGridPoints& in) {
  return grid_points(held<KeptPointRotary>(in.rotary).points, in.grid, in.out.as<double>());
}

Points ids_of(const Array& positions) { return Points::axes_first(positions.as<const double>()); }

Expected<void> mrope_apply(const calls::MropeApply& in) { return apply(in, ids_of(in.positions), {}); }

Expected<void> mrope_cache(const calls::MropeCache& in) { return cache(in, ids_of(in.positions), {}); }

/// Sequences of segments as js/grid/mrope.ts packs them: how many, how many segments each, and five numbers a segment.
class Sequences {
 public:
  explicit Sequences(const Array& packed) : counts_(packed.as<const double>()) {}

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(counts_[0]); }

  /// Calls use(row, segments) for each, until one fails.
  template <class Use>
  [[nodiscard]] Expected<void> each(const Use& use) const {
    const double* from = counts_.data() + 1 + size();
    for (std::size_t row = 0; row < size(); ++row) {
      std::vector<MropeSegment> segments(static_cast<std::size_t>(counts_[1 + row]));
      for (MropeSegment& segment : segments) {
        segment.kind = static_cast<MropeSegment::Kind>(static_cast<int>(from[0]));
        segment.length = static_cast<std::int64_t>(from[1]);
        for (std::size_t axis = 0; axis < 3; ++axis) segment.grid[axis] = static_cast<std::int64_t>(from[1 + axis]);
        if (!std::isnan(from[4])) segment.seconds_per_grid = from[4];
        from += 5;
      }
      POSENC_TRY(use(row, segments));
    }
    return {};
  }

 private:
  std::span<const double> counts_;
};

Expected<void> mrope_positions(const calls::MropePositions& in) {
  POSENC_TRY_LET(options, mrope_options(in.preset));
  POSENC_TRY(set(options.time, in.time, from_name<MropeTime>));
  POSENC_TRY(set(options.next, in.next, from_name<MropeNext>));
  set(options.merge, in.merge_size);
  options.tokens_per_second = in.tokens_per_second;
  const Sequences sequences(in.rows.address == 0 ? in.segments : in.rows);
  const std::size_t rows = sequences.size();
  const auto out = in.out.out.as<std::int32_t>();
  MropeRow row{.out = out, .rows = rows, .length = rows == 0 ? 0 : out.size() / 3 / rows};
  POSENC_TRY(set(row.side, in.padding, from_name<PaddingSide>));
  set(row.padding, in.padding_position);
  // Nothing is written before every row is known to be right.
  POSENC_TRY(sequences.each([&](std::size_t, const std::vector<MropeSegment>& segments) -> Expected<void> {
    POSENC_TRY(count_mrope_tokens(options, segments));
    return {};
  }));
  return sequences.each([&](std::size_t i, const std::vector<MropeSegment>& segments) -> Expected<void> {
    row.row = i;
    POSENC_TRY_LET(delta, posenc::mrope_positions(options, segments, row));
    if (!in.out.rope_deltas.as<double>().empty()) in.out.rope_deltas.as<double>()[i] = static_cast<double>(delta);
    return {};
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(grid) {
  expose<&sinusoidal_grid>();
  expose<&rotary_grid>();
  expose<&rotary_mixed>();
  expose<&mixed_frequencies>();
  expose<&mrope>();
  expose<&rotary_grid_apply>();
  expose<&rotary_grid_cache>();
  expose<&rotary_grid_points>();
  expose<&mrope_apply>();
  expose<&mrope_cache>();
  expose<&mrope_positions>();
}

}  // namespace posenc::embind
