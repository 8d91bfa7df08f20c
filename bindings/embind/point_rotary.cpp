#include "posenc/grid/point_rotary.hpp"

#include "crossing.hpp"
#include "posenc/grid/mrope.hpp"
#include "posenc/grid/rotary_grid_preset.hpp"
#include "posenc/grid/rotary_mixed.hpp"
#include "scaling.hpp"

namespace posenc::embind {
namespace {

/// A rotation of points, and how a grid's points are made for it.
struct Held {
  PointRotary rotary;
  GridPointOptions points;
  bool axes_first;
};

val held(Expected<PointRotary> made, GridPointOptions points, bool axes_first) {
  if (!made) return failure(made.error());
  return handle(Expected<Held>(Held{std::move(*made), std::move(points), axes_first}));
}

Points points_at(const Held& from, Address list, std::size_t size) {
  const auto values = values_at<const double>(list, size);
  return from.axes_first ? Points::axes_first(values) : Points::rows(values);
}

val grid_make(const std::string& preset, double dim, const std::string& layout, double base, double axes, Address lanes,
              std::size_t lane_count, double start, Address reference, std::size_t reference_count, double merge,
              double max_frequency) {
  const auto preset_meaning = grid_rotary_preset_from_name(preset);
  if (!preset_meaning) return failure(preset_meaning.error());
  const auto layout_meaning = name_if_given(layout_from_name, layout);
  if (!layout_meaning) return failure(layout_meaning.error());
  auto plan = resolve(GridRotaryChoice{.preset = *preset_meaning,
                                       .dim = whole(dim),
                                       .layout = *layout_meaning,
                                       .base = number_if_given(base),
                                       .axes = whole_if_given(axes),
                                       .lanes = extents_at(lanes, lane_count),
                                       .start = number_if_given(start),
                                       .reference = extents_at(reference, reference_count),
                                       .merge = whole(merge),
                                       .max_frequency = number_if_given(max_frequency)});
  if (!plan) return failure(plan.error());
  return held(axial_rotary(plan->rotary), std::move(plan->points), false);
}

val mixed_make(double dim, double rotary_dim, double heads, double axes, const std::string& layout,
               const std::string& order, Address frequencies, std::size_t size) {
  const auto layout_meaning = layout_from_name(layout);
  if (!layout_meaning) return failure(layout_meaning.error());
  const auto order_meaning = axis_order_from_name(order);
  if (!order_meaning) return failure(order_meaning.error());
  const MixedRotaryOptions options{.dim = whole(dim),
                                   .rotary_dim = whole_if_given(rotary_dim),
                                   .heads = whole(heads),
                                   .axes = whole(axes),
                                   .layout = *layout_meaning,
                                   .order = *order_meaning};
  GridPointOptions points;
  points.axes = options.axes;
  return held(mixed_rotary(options, values_at<const double>(frequencies, size)), std::move(points), false);
}

val mixed_start(double dim, double heads, double base, double seed, Address out, std::size_t size) {
  MixedStart start{.dim = whole(dim), .heads = whole(heads), .base = base};
  if (const auto given = whole_if_given(seed)) start.seed = static_cast<std::uint64_t>(*given);
  return outcome(mixed_frequencies(start, values_at<double>(out, size)));
}

val mrope_make(double dim, const std::string& layout, double base, double rotary_dim, const std::string& exponent,
               double exponent_dim, const val& scaling, double length, Address sections, std::size_t section_count,
               const std::string& order) {
  const auto layout_meaning = layout_from_name(layout);
  if (!layout_meaning) return failure(layout_meaning.error());
  const auto order_meaning = mrope_order_from_name(order);
  if (!order_meaning) return failure(order_meaning.error());
  auto plan = frequency_plan(dim, base, exponent, 0, 1, exponent_dim, scaling, length);
  if (!plan) return failure(plan.error());
  RotaryOptions options{.dim = whole(dim),
                        .layout = *layout_meaning,
                        .base = base,
                        .rotary_dim = whole_if_given(rotary_dim),
                        .exponent = plan->frequencies.exponent,
                        .exponent_dim = plan->exponent_dim,
                        .scaling = std::move(plan->scaling),
                        .length = plan->length};
  return held(mrope(options, extents_at(sections, section_count), *order_meaning), {}, true);
}

std::size_t axes_of(Address address) { return object_at<Held>(address).rotary.axes(); }
std::size_t rotary_dim_of(Address address) { return object_at<Held>(address).rotary.rotary_dim(); }
double attention_factor_of(Address address) { return object_at<Held>(address).rotary.attention_factor(); }

val cells_of(Address address, Address shape, std::size_t rank) {
  const auto cells = count_cells(object_at<Held>(address).points, extents_at(shape, rank));
  return cells ? val(*cells) : failure(cells.error());
}

val points_of(Address address, Address shape, std::size_t rank, Address out, std::size_t size) {
  return outcome(grid_points(object_at<Held>(address).points, extents_at(shape, rank), values_at<double>(out, size)));
}

val apply(Address address, Address x, std::size_t size, Address shape, std::size_t rank, double sequence_axis,
          Address list, std::size_t count, double before, double after, bool inverse) {
  const auto made = SequenceShape::make(extents_at(shape, rank), {.sequence = whole_if_given(sequence_axis)});
  if (!made) return failure(made.error());
  const auto& from = object_at<Held>(address);
  return outcome(from.rotary.apply(values_at<float>(x, size), *made, points_at(from, list, count),
                                   {whole(before), whole(after)}, inverse ? Direction::inverse : Direction::forward));
}

val cache(Address address, Address list, std::size_t count, double before, double after, const std::string& row,
          Address cosines, Address sines, std::size_t size) {
  const auto meaning = cache_row_from_name(row);
  if (!meaning) return failure(meaning.error());
  const auto& from = object_at<Held>(address);
  return outcome(from.rotary.cache(points_at(from, list, count), {whole(before), whole(after)}, *meaning,
                                   values_at<float>(cosines, size), values_at<float>(sines, size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(point_rotary) {
  emscripten::function("gridRotaryMake", &grid_make);
  emscripten::function("mixedRotaryMake", &mixed_make);
  emscripten::function("mixedFrequencies", &mixed_start);
  emscripten::function("mropeMake", &mrope_make);
  emscripten::function("pointRotaryAxes", &axes_of);
  emscripten::function("pointRotaryDim", &rotary_dim_of);
  emscripten::function("pointRotaryAttentionFactor", &attention_factor_of);
  emscripten::function("pointRotaryCells", &cells_of);
  emscripten::function("pointRotaryPoints", &points_of);
  emscripten::function("pointRotaryApply", &apply);
  emscripten::function("pointRotaryCache", &cache);
  emscripten::function("pointRotaryFree", &free_object<Held>);
}

}  // namespace posenc::embind
