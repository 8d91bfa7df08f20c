#include "modules.hpp"
#include "posenc/base/aligned_array.hpp"
#include "posenc/grid/grid_points.hpp"
#include "posenc/grid/mrope.hpp"
#include "posenc/grid/mrope_positions.hpp"
#include "posenc/grid/rotary_grid.hpp"
#include "posenc/grid/rotary_mixed.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"

namespace posenc::embind {
namespace {

/// Keeps what was made, and answers what JavaScript knows of it.
Expected<void> keep(const calls::PointAnswers& answer, Expected<PointRotary> rotary, GridPointOptions points) {
  POSENC_TRY_LET(made, std::move(rotary));
  answer.rotary_dim = static_cast<double>(made.rotary_dim());
  answer.axes = static_cast<double>(made.axes());
  answer.heads = static_cast<double>(made.heads());
  answer.attention_factor = made.attention_factor();
  answer.handle = to_handle(KeptPointRotary{std::move(made), std::move(points)});
  return {};
}

/// What the core calls the shape of points is the option "grid".
template <class Made>
Made of_grid(Made made) {
  if (!made && made.error().argument == "shape") made.error().argument = "grid";
  return made;
}

/// The points of a grid's cells, written to `cells`, or those that were given in the place of a grid.
template <class Call>
Expected<Points> points_of(const Call& in, AlignedArray<double>& cells) {
  if (in.points.is_given()) return Points::rows(in.points);
  const auto& [rotary, options] = from_handle<KeptPointRotary>(in.rotary);
  POSENC_TRY_LET(count, of_grid(count_cells(options, in.grid)));
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

Expected<void> apply(const calls::PointApplyFields& in, Address rotary, const Array& x, const Points& points,
                     const TokensAround& around) {
  POSENC_TRY_LET(shape, SequenceShape::make(in.shape, {.sequence = in.seq_axis, .batch = in.batch_axis}));
  return from_handle<KeptPointRotary>(rotary).rotary.apply(x, shape, points, around, direction_of(in.inverse));
}

template <class Call>
Expected<void> cache(const Call& in, const Points& points, const TokensAround& around) {
  CacheRow row = CacheRow::pairs;
  POSENC_TRY(set(row, in.row));
  return from_handle<KeptPointRotary>(in.rotary).rotary.cache(points, around, row, in.out.cos, in.out.sin);
}

Points ids_of(const Array& positions) { return Points::axes_first(positions); }

/// Segments of a sequence, six numbers each; `from` moves on behind them.
std::vector<MropeSegment> segments_at(const double*& from, std::size_t count) {
  std::vector<MropeSegment> segments(count);
  for (MropeSegment& segment : segments) {
    segment.kind = static_cast<MropeSegment::Kind>(static_cast<int>(from[0]));
    segment.length = static_cast<std::int64_t>(from[1]);
    for (std::size_t axis = 0; axis < 3; ++axis) segment.grid[axis] = static_cast<std::int64_t>(from[1 + axis]);
    if (!std::isnan(from[4])) segment.seconds_per_grid = from[4];
    if (!std::isnan(from[5])) segment.audio = static_cast<std::int64_t>(from[5]);
    from += 6;
  }
  return segments;
}

/// Sequences of segments as js/grid/mrope.ts packs them: how many, how many segments each, and six numbers a segment.
class Sequences {
 public:
  /// `rows`, each of which has segments of its own, or the `segments` of one.
  Sequences(const Array& rows, const Array& segments)
      : counts_(rows.is_given() ? rows : segments), are_rows_(rows.is_given()) {}

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(counts_[0]); }

  /// Calls use(row, segments) for each, until one fails.
  template <class Use>
  [[nodiscard]] Expected<void> each(const Use& use) const {
    const double* from = counts_.data() + 1 + size();
    for (std::size_t row = 0; row < size(); ++row) {
      const std::vector<MropeSegment> segments = segments_at(from, static_cast<std::size_t>(counts_[1 + row]));
      if (auto used = use(row, segments); !used) {
        Error error = std::move(used.error());
        if (are_rows_ && error.argument.starts_with("segments"))
          error.argument.replace(0, std::string_view("segments").size(), "rows[" + std::to_string(row) + "]");
        return std::unexpected(std::move(error));
      }
    }
    return {};
  }

 private:
  std::span<const double> counts_;
  bool are_rows_;
};

}  // namespace

std::vector<MropeSegment> segments_of(const Array& sequence) {
  const auto numbers = sequence.as<const double>();
  const double* from = numbers.data() + 2;
  return segments_at(from, static_cast<std::size_t>(numbers[1]));
}

Expected<void> run(const calls::SinusoidalGrid& in) {
  POSENC_TRY_LET(choice, filled<SinusoidalGridChoice, Handled<"shape", "mask", "dtype">>(in));
  POSENC_TRY_LET(options, resolve(choice, in.shape.size()));
  POSENC_TRY_LET(made, SinusoidalGrid::make(options, in.shape));
  return write_as(in.dtype, in.out,
                  [&](const auto& out) { return in.mask.is_given() ? made.table(in.mask, out) : made.table(out); });
}

Expected<void> run(const calls::RotaryGrid& in) {
  POSENC_TRY_LET(choice, filled<RotaryGridChoice, Handled<"merge_size">>(in));
  set(choice.merge, in.merge_size);
  POSENC_TRY_LET(plan, resolve(choice));
  return keep(in.answer, rotary_grid(plan.rotary), std::move(plan.points));
}

Expected<void> run(const calls::RotaryMixed& in) {
  POSENC_TRY_LET(options, filled<RotaryMixedOptions, Handled<"frequencies">>(in));
  GridPointOptions points;
  points.axes = options.axes;
  return keep(in.answer, rotary_mixed(options, in.frequencies), std::move(points));
}

Expected<void> run(const calls::MixedFrequencies& in) {
  POSENC_TRY_LET(start, filled<MixedFrequencyOptions>(in));
  return mixed_frequencies(start, in.out);
}

Expected<void> run(const calls::Mrope& in) {
  POSENC_TRY_LET(options, filled<RotaryOptions, Handled<"sections", "order">>(in));
  POSENC_TRY_LET(order, from_name<MropeOrder>(in.order));
  return keep(in.answer, mrope(options, in.sections, order), {});
}

Expected<void> run(const calls::RotaryGridApply& in) {
  AlignedArray<double> cells;
  POSENC_TRY_LET(points, points_of(in, cells));
  auto applied = apply(in, in.rotary, in.x, points, tokens_around(in));
  if (applied || in.points.is_given()) return applied;
  Error& error = applied.error();
  if (error.argument == "points") error.argument = "grid";
  if (error.argument == "grid" || error.argument == "batchAxis") error.texts += "; a grid counts patches, not pixels";
  return applied;
}

Expected<void> run(const calls::RotaryGridCache& in) {
  AlignedArray<double> cells;
  POSENC_TRY_LET(points, points_of(in, cells));
  return cache(in, points, tokens_around(in));
}

Expected<void> run(const calls::RotaryGridPoints& in) {
  return of_grid(grid_points(from_handle<KeptPointRotary>(in.rotary).points, in.grid, in.out));
}

Expected<void> run(const calls::MropeApply& in) { return apply(in, in.rotary, in.x, ids_of(in.positions), {}); }

Expected<void> run(const calls::MropeCache& in) { return cache(in, ids_of(in.positions), {}); }

Expected<void> run(const calls::MropePositions& in) {
  POSENC_TRY_LET(options, mrope_options(in.preset));
  POSENC_TRY(
      fill<Handled<"preset", "segments", "rows", "merge_size", "padding", "padding_position", "deltas">>(options, in));
  set(options.merge, in.merge_size);
  const Sequences sequences(in.rows, in.segments);
  const std::size_t rows = sequences.size();
  const auto out = in.out.out.as<std::int32_t>();
  MropeRow row{.out = out, .rows = rows, .length = rows == 0 ? 0 : out.size() / options.axes() / rows};
  POSENC_TRY(set(row.side, in.padding));
  set(row.padding, in.padding_position);
  POSENC_TRY(set(row.delta, in.deltas));
  // Nothing is written before every row is known to be right.
  POSENC_TRY(sequences.each([&](std::size_t, const std::vector<MropeSegment>& segments) -> Expected<void> {
    POSENC_TRY(count_mrope_tokens(options, segments));
    return {};
  }));
  return sequences.each([&](std::size_t i, const std::vector<MropeSegment>& segments) -> Expected<void> {
    row.row = i;
    POSENC_TRY_LET(delta, mrope_positions(options, segments, row));
    if (in.out.rope_deltas.size != 0) in.out.rope_deltas.as<double>()[i] = static_cast<double>(delta);
    return {};
  });
}

}  // namespace posenc::embind
