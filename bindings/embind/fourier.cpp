#include "posenc/sinusoidal/fourier.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

/// `logarithmic`: 0 or 1, or NaN where it was not given.
val fourier_make(const std::string& preset, double inputs, const std::string& unit, const std::string& order,
                 double logarithmic, Address weights, std::size_t size) {
  auto options = fourier_preset(preset, whole(inputs));
  if (!options) return failure(options.error());
  const auto unit_meaning = name_if_given(angle_unit_from_name, unit);
  if (!unit_meaning) return failure(unit_meaning.error());
  const auto order_meaning = name_if_given(order_from_name, order);
  if (!order_meaning) return failure(order_meaning.error());
  options->unit = unit_meaning->value_or(options->unit);
  options->order = order_meaning->value_or(options->order);
  if (const auto given = number_if_given(logarithmic)) options->logarithmic = *given != 0;
  return handle(FourierFeatures::make(*options, values_at<const double>(weights, size)));
}

val fourier_nerf(double inputs, double levels, const std::string& preset, const std::string& unit) {
  const auto preset_meaning = nerf_preset_from_name(preset);
  if (!preset_meaning) return failure(preset_meaning.error());
  const auto unit_meaning = name_if_given(angle_unit_from_name, unit);
  if (!unit_meaning) return failure(unit_meaning.error());
  return handle(FourierFeatures::nerf(whole(inputs), whole(levels), *preset_meaning, *unit_meaning));
}

std::size_t fourier_lanes(Address fourier) { return object_at<FourierFeatures>(fourier).lanes(); }

val fourier_features(Address fourier, Address points, std::size_t size, Address out, std::size_t out_size) {
  return outcome(object_at<FourierFeatures>(fourier).features(values_at<const double>(points, size),
                                                              values_at<float>(out, out_size)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(fourier) {
  emscripten::function("fourierMake", &fourier_make);
  emscripten::function("fourierNerf", &fourier_nerf);
  emscripten::function("fourierLanes", &fourier_lanes);
  emscripten::function("fourierFeatures", &fourier_features);
  emscripten::function("fourierFree", &free_object<FourierFeatures>);
}

}  // namespace posenc::embind
