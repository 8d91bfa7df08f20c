#include "posenc/frequencies/frequencies.hpp"

#include "crossing.hpp"
#include "scaling.hpp"

namespace posenc::embind {
namespace {

val frequencies_make(double dim, double base, const std::string& exponent, double shift, double scale,
                     double exponent_dim, const val& scaling, double length) {
  const auto plan = frequency_plan(dim, base, exponent, shift, scale, exponent_dim, scaling, length);
  return plan ? handle(Frequencies::make_scaled(*plan)) : failure(plan.error());
}

std::size_t frequencies_count(Address frequencies) { return object_at<Frequencies>(frequencies).count(); }

void frequencies_radians(Address frequencies, Address out) {
  const auto& made = object_at<Frequencies>(frequencies);
  const auto radians = values_at<double>(out, made.count());
  for (std::size_t i = 0; i < radians.size(); ++i) radians[i] = made.radians(i);
}

double frequencies_attention_factor(Address frequencies) {
  return object_at<Frequencies>(frequencies).attention_factor();
}

}  // namespace

EMSCRIPTEN_BINDINGS(frequencies) {
  emscripten::function("frequenciesMake", &frequencies_make);
  emscripten::function("frequenciesCount", &frequencies_count);
  emscripten::function("frequenciesRadians", &frequencies_radians);
  emscripten::function("frequenciesAttentionFactor", &frequencies_attention_factor);
  emscripten::function("frequenciesFree", &free_object<Frequencies>);
}

}  // namespace posenc::embind
