#include "crossing.hpp"
#include "posenc/sinusoidal/sinusoidal.hpp"
#include "posenc/sinusoidal/sinusoidal_preset.hpp"

namespace posenc::embind {
namespace {

val sinusoid_make(double dim, const std::string& preset, double base, const std::string& exponent, double shift,
                  double scale, const std::string& order, double amplitude) {
  const auto preset_meaning = sinusoid_preset_from_name(preset);
  if (!preset_meaning) return failure(preset_meaning.error());
  const auto exponent_meaning = name_if_given(exponent_from_name, exponent);
  if (!exponent_meaning) return failure(exponent_meaning.error());
  const auto order_meaning = name_if_given(order_from_name, order);
  if (!order_meaning) return failure(order_meaning.error());
  const auto options = resolve({.dim = whole(dim),
                                .preset = *preset_meaning,
                                .base = number_if_given(base),
                                .exponent = *exponent_meaning,
                                .shift = number_if_given(shift),
                                .scale = number_if_given(scale),
                                .order = *order_meaning,
                                .amplitude = number_if_given(amplitude)});
  return options ? handle(Sinusoid::make(*options)) : failure(options.error());
}

val sinusoid_table(Address sinusoid, Address list, std::size_t count, double offset, const std::string& precision,
                   Address out) {
  const auto meaning = precision_from_name(precision);
  if (!meaning) return failure(meaning.error());
  const auto& made = object_at<Sinusoid>(sinusoid);
  return outcome(made.table(positions_at(list, count, offset), values_at<float>(out, count * made.dim()), *meaning));
}

}  // namespace

EMSCRIPTEN_BINDINGS(sinusoid) {
  emscripten::function("sinusoidMake", &sinusoid_make);
  emscripten::function("sinusoidTable", &sinusoid_table);
  emscripten::function("sinusoidFree", &free_object<Sinusoid>);
}

}  // namespace posenc::embind
