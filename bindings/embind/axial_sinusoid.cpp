#include "crossing.hpp"
#include "posenc/grid/sinusoidal_grid.hpp"
#include "posenc/grid/sinusoidal_grid_preset.hpp"

namespace posenc::embind {
namespace {

/// `normalised`: 0 or 1, or NaN where it was not given.
val axial_sinusoid_make(double dim, const std::string& preset, double base, const std::string& order,
                        const std::string& axes, const std::string& arrangement, double normalised, double start,
                        double extent, double epsilon, double prefix_tokens, Address shape, std::size_t rank) {
  const auto preset_meaning = axial_preset_from_name(preset);
  if (!preset_meaning) return failure(preset_meaning.error());
  const auto order_meaning = name_if_given(order_from_name, order);
  if (!order_meaning) return failure(order_meaning.error());
  const auto axes_meaning = name_if_given(axis_order_from_name, axes);
  if (!axes_meaning) return failure(axes_meaning.error());
  const auto arrangement_meaning = name_if_given(arrangement_from_name, arrangement);
  if (!arrangement_meaning) return failure(arrangement_meaning.error());
  AxialChoice choice{.dim = whole(dim),
                     .preset = *preset_meaning,
                     .base = number_if_given(base),
                     .order = *order_meaning,
                     .axes = *axes_meaning,
                     .arrangement = *arrangement_meaning,
                     .start = number_if_given(start),
                     .extent = number_if_given(extent),
                     .epsilon = number_if_given(epsilon),
                     .prefix_tokens = whole(prefix_tokens)};
  if (const auto given = number_if_given(normalised)) choice.normalised = *given != 0;
  const auto options = resolve(choice, rank);
  return options ? handle(AxialSinusoid::make(*options, extents_at(shape, rank))) : failure(options.error());
}

std::size_t axial_sinusoid_size(Address sinusoid) { return object_at<AxialSinusoid>(sinusoid).size(); }

/// `mask`: 0 where there is none.
val axial_sinusoid_table(Address sinusoid, Address mask, std::size_t mask_size, Address out) {
  const auto& made = object_at<AxialSinusoid>(sinusoid);
  const auto table = values_at<float>(out, made.size());
  return outcome(mask == 0 ? made.table(table) : made.table(values_at<const std::uint8_t>(mask, mask_size), table));
}

}  // namespace

EMSCRIPTEN_BINDINGS(axial_sinusoid) {
  emscripten::function("axialSinusoidMake", &axial_sinusoid_make);
  emscripten::function("axialSinusoidSize", &axial_sinusoid_size);
  emscripten::function("axialSinusoidTable", &axial_sinusoid_table);
  emscripten::function("axialSinusoidFree", &free_object<AxialSinusoid>);
}

}  // namespace posenc::embind
