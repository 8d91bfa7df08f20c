#include "posenc/frequencies.hpp"

#include "crossing.hpp"

namespace posenc::embind {
namespace {

val frequencies_make(double dim, double base, const std::string& exponent, double shift, double scale) {
  const auto options = frequency_options(dim, base, exponent, shift, scale);
  return options ? handle(Frequencies::make(*options)) : failure(options.error());
}

std::size_t frequencies_count(Address frequencies) { return object_at<Frequencies>(frequencies).count(); }

void frequencies_radians(Address frequencies, Address out) {
  const auto& made = object_at<Frequencies>(frequencies);
  const auto radians = values_at<double>(out, made.count());
  for (std::size_t i = 0; i < radians.size(); ++i) radians[i] = made.radians(i);
}

}  // namespace

EMSCRIPTEN_BINDINGS(frequencies) {
  emscripten::function("frequenciesMake", &frequencies_make);
  emscripten::function("frequenciesCount", &frequencies_count);
  emscripten::function("frequenciesRadians", &frequencies_radians);
  emscripten::function("frequenciesFree", &free_object<Frequencies>);
}

}  // namespace posenc::embind
